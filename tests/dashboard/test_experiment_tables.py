"""The tables of the page Experiments: they read as in the report, sort as numbers, and explain their columns."""

from experiment_rows import results, text

from cra_dashboard.experiments import tables
from cra_dashboard.experiments.tables import MEANINGS, helps, styled
from cra_engine.experiments.plan import Plan
from cra_engine.experiments.report import report_files
from cra_engine.experiments.results import Results
from cra_engine.experiments.rows import columns
from cra_engine.experiments.tables import all_tables, table_2
from cra_engine.files.zipped import packed_zip

ROWS = [
    {"k": 3, "each_log10_ratio": "1 400", "log10_ratio_mean_compound": 399.7, "compound_classes": 2},
    {"k": 4, "tight_status": "exact"},
]


def test_every_column_of_every_table_is_explained_by_the_report():
    for table in all_tables(results(*ROWS)):
        shown = helps(table)
        assert list(shown) == [column.title for column in table.columns]
        assert [shown[column.title]["help"] for column in table.columns] == [column.help for column in table.columns]
        assert all(column.help for column in table.columns)


def test_numbers_of_any_size_read_as_in_the_report_and_sort_by_their_logarithm():
    table = next(table for table in all_tables(results(*ROWS)) if table.key == "table2_spread")
    style = styled(table)
    assert style.data["largest"].tolist()[0] == 400
    read = style.to_html()
    assert "1.00 × 10⁴⁰⁰" in read
    assert ">-</td>" in read  # k = 4 has no compound class
    assert ">2</td>" in read


def test_a_single_data_set_takes_no_column_and_long_names_are_short_on_the_page(monkeypatch):
    drawn = []
    monkeypatch.setattr(tables.st, "dataframe", lambda style, **settings: drawn.append((style.data, settings)))
    one, two = results(*ROWS), results(*ROWS, {"dataset": "e", "k": 3})
    for found in (one, two):
        tables.show_table(list(table_2(found))[1], "")
    (alone, settings), (both, _) = drawn
    assert "data set" not in alone
    assert "data set" not in settings["column_config"]
    assert both["data set"].tolist() == ["d", "d", "e", "e"]
    labels = {title: column["label"] for title, column in settings["column_config"].items()}
    assert (labels["median LR solutions"], labels["k"]) == ("median LR", "k")


def test_what_a_screen_reader_gets_of_a_ratio_is_the_ratio():
    rows = [{"k": 3, "each_log10_ratio": "1 0.2", "log10_ratio_mean_compound": 0.7, "compound_classes": 2}]
    table = next(table for table in all_tables(results(*rows)) if table.key == "table2_spread")
    style = styled(table)
    assert style.data["largest"].tolist() == [10.0]
    assert ">10.00</td>" in style.to_html()
    # The numbers themselves say how wide a column has to be.
    assert helps(table)["largest"]["width"] is None


def test_a_number_that_no_browser_holds_exactly_reads_as_in_the_report():
    # Past 2⁵³ the grid would write 6.8e+24 in grey, with a warning.
    rows = [{"k": 3, "each_log10_ratio": "1 24.834", "log10_ratio_mean_compound": 24.5, "compound_classes": 2}]
    table = next(table for table in all_tables(results(*rows)) if table.key == "table2_spread")
    style = styled(table)
    assert style.data["largest"].max() < 2**53
    assert ">6.82 × 10²⁴</td>" in style.to_html()


def test_shares_are_drawn_as_bars_of_one_length():
    table = next(table for table in all_tables(results(*ROWS)) if table.key == "figure5")
    drawn = {title: column["type_config"] for title, column in helps(table).items()}
    assert drawn["basic"] == drawn["compound"]
    assert (drawn["basic"]["type"], drawn["basic"]["min_value"], drawn["basic"]["max_value"]) == ("progress", 0, 100)
    assert drawn["k"]["type"] == "number"


def test_the_columns_of_the_results_are_explained_as_in_the_documentation():
    plan = Plan.from_toml_text(
        'k = [3]\ntight_time_limit = 1\n[[dataset]]\nname = "t"\nsynthetic = "toy"\nsets = [{ attributes = ["age"] }]'
    )
    assert list(MEANINGS) == columns(plan)


def test_the_report_is_the_command_lines():
    content = text(*ROWS)
    page = report_files(Results(content))["report.html"]
    assert "Table 2: CRA ratio for equivalence classes" in page
    assert packed_zip(report_files(Results(content))) == packed_zip(report_files(Results(content)))
