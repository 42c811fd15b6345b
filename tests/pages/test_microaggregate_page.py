"""The page Microaggregate: patients and Iris without a table, the session's own table, rules, undefined cells."""

import re

import numpy as np
import pandas as pd
import pytest
from support import let_run, open_page, shown, two

from cra_dashboard.microaggregation import state as micro
from cra_dashboard.session.datasets import SAMPLES

# One cluster of 500, 490, 20, where 20 hides nothing, and one of 12, 11, 10.
INCOME = pd.DataFrame(
    {"name": list("abcdef"), "income": ["500", "12", "490", "20", "11", "10"], "age": [30, 31, 32, 60, 61, 62]}
)


def slider(app, label):
    return next(one for one in app.slider if one.label.startswith(label))


def box(app, label):
    return next(one for one in app.selectbox if one.label.startswith(label))


def tables(app):
    return [table.value for table in app.dataframe]


def open_tab(app, name):
    app.session_state["micro-tab-cluster"] = name
    return app.run()


def open_iris():
    """The page with the paper's example, before there is a table."""
    app = open_page("microaggregate")
    app.session_state["micro-own"] = False
    return app.run()


def test_patients_are_there_before_any_table_and_somebody_can_be_estimated() -> None:
    app = open_page("microaggregate")
    assert not app.exception
    text = shown(app)
    assert "442 patients" in text
    assert "flowers" not in text
    assert int(re.search(r"(\d+) are sensitive by dominance \(the 2 largest above 60\s%\)", text)[1]) > 0
    said = re.search(
        r"Row (\d+) has (\d+)\. Knowing the total, (\d+), and that it comes second, it concludes that row (\d+) has "
        r"from (\d+) to (\d+)\. The truth is (\d+)",
        text,
    )
    knows, own, total, other, lowest, highest, truth = map(int, said.groups())
    ages = pd.read_csv(SAMPLES / "diabetes.csv").age
    assert (own, truth) == (ages[knows - 1], ages[other - 1])
    assert (lowest, highest) == (own, total - own)
    assert lowest <= truth <= highest


def test_iris_is_the_papers_example_one_press_away() -> None:
    app = open_iris()
    assert not app.exception
    text = shown(app)
    # At the smallest k at which dominance depends on the numbers, and some cell is sensitive still.
    assert "Of 185 totals" in text
    assert "9 are sensitive by dominance (the 2 largest above 60 %)" in text
    assert "0 by the p% rule (60 %)" in text
    assert "whatever the numbers" not in text
    # Petal width of the cluster with the closest estimate, by hand: 1.1, 1, 0.5, 0.2 add up to 2.8.
    assert (
        "Row 58 has 1. Knowing the total, 2.8, and that it comes second, it concludes "
        "that row 99 has from 1 to 1.8" in text
    )
    assert "63.6 % too high" in text
    assert '"name":"this cluster"' in app.get("plotly_chart")[0].proto.spec.replace(": ", ":")  # the ring


def test_k_and_the_rules_change_what_is_sensitive() -> None:
    app = open_iris()
    slider(app, "k").set_value(3).run()
    assert "250 are sensitive by dominance (the 2 largest above 60 %) and 9 by the p% rule" in shown(app)
    assert "with this k dominance calls every cell of 3 records sensitive, whatever the numbers" in shown(app)
    slider(app, "k").set_value(5).run()
    assert "No cell is sensitive by these rules." in [one.value for one in open_tab(app, "All sensitive cells").success]
    slider(app, "Dominance").set_value(1)
    slider(app, "have more").set_value(10).run()
    assert "150 are sensitive by dominance (the largest above 10 %)" in shown(app)


def test_what_k_buys_is_the_table_of_the_paper() -> None:
    app = open_tab(open_iris(), "What k buys")
    bought = next(table for table in tables(app) if "Loss once merged, %" in table)
    assert bought["k"].tolist()[:5] == [2, 3, 4, 5, 6]
    assert bought["Cells"].tolist()[:5] == [375, 250, 185, 150, 125]
    assert bought["dominance (2, 60 %)"].tolist()[:5] == [375, 250, 9, 0, 0]
    assert bought["p% rule (60 %)"].tolist()[:5] == [375, 9, 0, 0, 0]
    assert bought["p% rule (60 %), share"].tolist()[:3] == [1, 9 / 250, 0]


def test_merging_leaves_nothing_sensitive() -> None:
    app = open_iris()
    next(one for one in app.toggle if one.label.startswith("Merge")).set_value(True).run()
    assert not app.exception
    text = shown(app)
    assert "0 are sensitive by dominance" in text
    assert "Merged from 37 to" in text
    assert "No cell is sensitive by these rules." in [one.value for one in open_tab(app, "All sensitive cells").success]


def test_the_sessions_own_table_and_its_recoding() -> None:
    study = two(k=3)
    frame = pd.DataFrame(
        {"a": [0, 0, 1, 6, 6, 7], "b": [0, 1, 0, 6, 7, 6], "income": ["90", "10", "5", "31", "30", "29"]}
    )
    app = open_page("microaggregate", frame, study)
    assert not app.exception
    app.multiselect[0].set_value(["income"]).run()
    box(app, "Classes").set_value("Classes of the page Recode").run()
    assert not app.exception
    text = shown(app)
    assert "intervals, not totals" in text
    assert "of one column in one class" in text
    assert "Knowing the total, 105, and that it comes second, it concludes that row 1 has from 85 to 95" in text
    assert "Row 2 has 10." in text


def test_a_chosen_cluster_shows_its_cells() -> None:
    app = open_page("microaggregate", INCOME)
    slider(app, "k").set_value(3)
    app.multiselect[0].set_value(["income"]).run()
    groups = box(app, "Cluster")
    groups.set_value(1 - groups.value).run()
    assert not app.exception
    cluster = next(table for table in tables(app) if "Mean" in table)
    assert cluster["Column"].tolist() == ["income"]
    assert cluster["p% rule (60 %)"].tolist() == ["not sensitive"]


def test_negative_numbers_are_undefined_and_never_safe() -> None:
    frame = pd.DataFrame({"x": ["-5", "3", "4", "1", "2", "2"], "y": [50, 50, 49, 51, 52, 48]})
    app = open_page("microaggregate", frame)
    app.multiselect[0].set_value(["x"]).run()
    slider(app, "have more").set_value(95)
    slider(app, "p% rule").set_value(1).run()
    assert not app.exception
    text = shown(app)
    assert "1 cell with negative numbers the rules are undefined: they are not safe" in text
    assert any("nobody knows" in one.value for one in open_tab(app, "All sensitive cells").warning)
    assert not app.success
    open_tab(app, "This cluster")
    cluster = next(table for table in tables(app) if "Mean" in table)
    assert "sensitive" not in set(cluster.to_numpy().ravel())
    next(one for one in app.toggle if one.label.startswith("Merge")).set_value(True).run()
    assert "is negative" in app.error[0].value.replace("\\", "")


@pytest.mark.parametrize(
    "frame",
    [pd.DataFrame({"name": ["a", "b"]}), pd.DataFrame({"x": [1]}), pd.DataFrame({"x": pd.Series([], dtype=str)})],
)
def test_tables_that_cannot_be_microaggregated(frame) -> None:
    app = open_page("microaggregate", frame)
    assert not app.exception
    assert "no column of numbers, or fewer than two records" in app.info[0].value


def test_a_column_with_text_among_numbers_can_be_chosen_and_is_refused() -> None:
    frame = INCOME.assign(age=["30", "31", "?", "60", "x", "62"])
    app = open_page("microaggregate", frame)
    assert not app.exception
    assert app.multiselect[0].value == ["income"]
    app.multiselect[0].set_value(["income", "age"]).run()
    assert "missing value" in app.error[0].value


def test_many_records_are_clustered_beside_the_page(monkeypatch) -> None:
    monkeypatch.setattr(micro, "AT_ONCE", 10)
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"x": rng.integers(1, 99, 40), "y": rng.integers(1, 99, 40)})
    app = open_page("microaggregate", frame)
    assert not app.exception
    next(one for one in app.button if one.label == "Form the clusters").click().run()
    let_run(app)
    assert "Of 20 totals" in shown(app)


def test_markdown_in_names_shows_as_it_is() -> None:
    app = open_page("microaggregate", INCOME.rename(columns={"income": "*in* $come$"}))
    assert not app.exception
