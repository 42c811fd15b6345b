"""The tables and the report of an experiment, against hand-worked numbers."""

import csv
import math
import re
import xml.etree.ElementTree as ET
from decimal import Decimal
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_plans import ROOT, rows

from cra_engine.errors import DataError
from cra_engine.experiments import rows as row_files
from cra_engine.experiments import run as experiments
from cra_engine.experiments.layout import shown_value
from cra_engine.experiments.plan import Plan
from cra_engine.experiments.report import csv_text, definitions, markdown_table, report_files
from cra_engine.experiments.results import Results, log10_mean, log10_of_digits, quantile
from cra_engine.experiments.tables import all_tables


def table(results, key):
    found = {table.key: table for table in all_tables(results)}[key]
    return [{c.title: value for c, value in zip(found.columns, row, strict=True)} for row in found.rows]


def test_tables_worked_out_by_hand(by_hand):
    """Three samples of one configuration, told apart by a few numbers; the others are the hand-worked row's."""
    first = rows(by_hand)[0]
    none = {
        "sample": "1",
        "basic_classes": "4",
        "classes": "4",
        "compound_classes": "0",
        "lr_sum_compound": "0",
        "cra_sum_compound": "0",
        "combinations_sum_compound": "0",
        "ratio_mean": "1",
        "log10_ratio_mean": "0",
        "ratio_mean_compound": "",
        "log10_ratio_mean_compound": "",
        **{name: "" for name in first if name.startswith(("each_", "suppressed_"))},
        "suppressed": "0",
        "singled_many": "0",
    }
    two = {
        "sample": "2",
        "classes": "3",
        "compound_classes": "2",
        "lr_sum_compound": "2" + "0" * 400,
        "cra_sum_compound": "20",
        "combinations_sum_compound": "6",
        "log10_ratio_mean_compound": "2",
        "ratio_mean_compound": "100",
        "each_log10_ratio": "1 2.255272505103306",
        "each_combinations": "1 5",
        "singled_failed": "1",
        "singled_many": "1",
        "suppressed_log10_ratio": "1",
    }
    with by_hand.open("a", encoding="utf-8", newline="") as file:
        csv.DictWriter(file, first, lineterminator="\n").writerows([first | none, first | two])
    results = Results(by_hand)

    (row,) = table(results, "table2")
    assert row["QIs"] == 1
    assert row["k = 2: LR solutions"] == pytest.approx(400 + math.log10(1 / 2))  # the mean of 6 and 10^400
    assert row["k = 2: CRA solutions"] == pytest.approx(math.log10((4 + 10) / 2))
    assert row["k = 2: CRA ratio"] == pytest.approx(math.log10((1.5 + 100) / 2))
    (row,) = table(results, "table2_spread")
    assert (row["samples with any"], row["compound classes"]) == (2, 3)
    assert row["ratio, all classes"] == pytest.approx(math.log10((1.25 + 1 + 1.25) / 3))
    assert row["median"] == pytest.approx(1)  # of 1.5, 10 and 180
    assert row["largest"] == pytest.approx(math.log10(180))
    (row,) = table(results, "table3")
    assert row["k = 2: CRA ratio"] == pytest.approx(math.log10((4 + 10) / 2))
    (row,) = table(results, "table3_spread")
    assert (row["samples with any"], row["covered"]) == (2, pytest.approx(75))
    assert row["suppressed"] == pytest.approx(2 / 3)
    (row,) = table(results, "table4")
    assert [row[f"k = 2: {name}"] for name in ("failed", "1 record", "> 1 record")] == pytest.approx(
        [100 / 3, 0, 200 / 3]
    )
    (row,) = table(results, "table4_spread")
    assert row["singled out, by sample"] == pytest.approx((100 + 50) / 2)
    (row,) = table(results, "table5")
    assert row["k = 2: combinations"] == pytest.approx(math.log10((1 + 3) / 2))
    everybody, alone = table(results, "figure5")
    assert (everybody["QIs"], alone["QIs"]) == ("all", "1")
    assert everybody["basic"] == alone["basic"] == pytest.approx((50 + 100 + 100 / 3) / 3)
    first_basic, first_classes = int(first["basic_classes"]), int(first["classes"])
    counts = (first_basic + 4 + int((first | two)["basic_classes"]), first_classes + 4 + 3)
    assert (alone["basic classes"], alone["all classes"]) == counts
    (row,) = table(results, "tight")
    assert (row["samples"], row["exact"], row["isolated"]) == (3, 3, 3)

    made = next(t for t in all_tables(results) if t.key == "table2")
    header, line = csv.reader(csv_text(made).splitlines())
    cells = dict(zip(header, line, strict=True))
    assert cells["k = 2: LR solutions"] == ""  # no float holds it
    assert float(cells["k = 2: LR solutions (log10)"]) == pytest.approx(399.69897)
    assert float(cells["k = 2: CRA solutions"]) == pytest.approx(7)


class Page(HTMLParser):
    """What the tests ask of the HTML report."""

    def __init__(self):
        super().__init__()
        self.heads, self.loads, self.open = [], [], []

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        if tag not in ("meta", "rect", "line"):
            self.open.append(tag)
        if tag == "th" and attributes.get("scope") == "col":
            self.heads.append(attributes.get("title"))
        self.loads += [value for name, value in attrs if name in ("src", "href") and value]

    def handle_endtag(self, tag):
        if tag not in ("meta", "rect", "line"):
            assert self.open.pop() == tag


def test_the_report_is_whole_in_every_form(expected, tmp_path):
    (tmp_path / "results.csv").write_bytes(expected)
    results = Results(tmp_path / "results.csv")
    made = report_files(results)
    page = Page()
    page.feed(made["report.html"])
    assert not page.open
    assert not page.loads
    assert "url(http" not in made["report.html"]
    assert page.heads
    assert all(page.heads)  # every column says what it is
    figure = ET.fromstring(made["figure5.svg"])  # noqa: S314 - our own
    bars = [title.text for title in figure.iter("{http://www.w3.org/2000/svg}title")]
    assert len(bars) == 2 * 2 * 2  # two data sets, two k, two parts
    for found in all_tables(results):
        lines = [line for line in markdown_table(found).splitlines() if line]
        assert len(lines) == 2 + len(found.rows)
        assert {len(re.findall(r"(?<!\\)\|", line)) for line in lines} == {len(found.columns) + 1}
        parsed = list(csv.reader(made[f"{found.key}.csv"].splitlines()))
        assert {len(line) for line in parsed} == {
            len(found.columns) + sum(column.kind == "power" for column in found.columns)
        }
        assert f"## {found.title}" in made["report.md"]
    assert "not finished" not in made["report.md"]


def test_a_report_on_half_an_experiment_says_so(expected, tmp_path):
    (tmp_path / "results.csv").write_bytes(expected[: len(expected) // 2])
    assert "The experiment is not finished" in report_files(Results(tmp_path / "results.csv"))["report.md"]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda _: "", "does not hold results"),
        (lambda _: "a,b\n1,2\n", "no column 'plan'"),
        (lambda text: text.splitlines(keepends=True)[0], "no rows yet"),
        (lambda text: text + text.splitlines(keepends=True)[1], "several experiments"),
        (lambda text: text.replace(",60,", ",sixty,", 1), "row 1: 'records' is 'sixty'"),
        (lambda text: text.replace(",singled_one,", ",singled_two,"), "no column 'singled_one'"),
    ],
)
def test_what_is_no_results_file_is_refused(expected, tmp_path, change, says):
    path = tmp_path / "results.csv"
    path.write_text(change(expected.decode()), encoding="utf-8", newline="")
    with pytest.raises(DataError, match=re.escape(says)):
        Results(path)


@given(st.lists(st.floats(-5, 5), min_size=1, max_size=30))
def test_means_by_logarithms_are_means(logs):
    assert 10 ** log10_mean(logs) == pytest.approx(sum(10**log for log in logs) / len(logs))
    assert log10_mean([log + 1000 for log in logs]) == pytest.approx(log10_mean(logs) + 1000)


def test_sets_of_one_size_are_told_apart_by_their_attributes():
    text = """
        samples = 2
        k = [3, 4]
        [[dataset]]
        name = "clinic"
        synthetic = "clinic"
        records = 40
        sets = [{ attributes = ["weight", "bp_systolic"] }, { attributes = ["weight", "bp_systolic"], layers = [3, 3] }]
    """
    plan = Plan.from_toml_text(text)
    content = row_files.header(plan) + b"".join(
        row_files.csv_line([row[name] for name in row_files.columns(plan)]) for row, _ in experiments.run_rows(plan)
    )
    results = Results(content)
    finer, coarser = "weight, bp_systolic (4, 3 layers)", "weight, bp_systolic (3, 3 layers)"
    assert [row["attributes"] for row in table(results, "table2")] == [finer, coarser]
    assert [row["attributes"] for row in table(results, "table2_spread")] == [finer, finer, coarser, coarser]
    assert [row["QIs"] for row in table(results, "figure5")] == ["all", "all", finer, finer, coarser, coarser]
    courses = {row["course"] for row in table(results, "trends")}
    assert courses == {f"{finer}, k grows", f"{coarser}, k grows"}  # neither has more quasi-identifiers than the other
    assert {len(line) for line in csv.reader(report_files(results)["table2_spread.csv"].splitlines())}


@pytest.mark.parametrize("number", ["1", "7", "999999999999999999", "1" + "0" * 18, "123456789" * 700, "2.5e3"])
def test_logarithms_of_whole_numbers_of_any_length(number):
    assert log10_of_digits(number) == pytest.approx(float(Decimal(number).log10()), rel=1e-15)


def test_the_logarithm_of_nothing():
    assert log10_of_digits("0") == log10_of_digits("000") == -math.inf


def test_nothing_has_no_mean_and_no_quantile():
    assert log10_mean([]) is None
    assert log10_mean([None, 2.0]) == 2
    assert log10_mean([-math.inf, 2.0]) == pytest.approx(2 - math.log10(2))
    assert quantile([], 0.5) is None
    assert quantile([1, 2, 4], 0.75) == 3


@pytest.mark.parametrize(
    ("value", "kind", "text"),
    [
        (None, "power", "-"),
        (math.log10(1.5), "power", "1.50"),
        (math.log10(1886.2), "power", "1,886"),
        (21 + math.log10(3.256), "power", "3.26 × 10²¹"),
        (400 + math.log10(9.999), "power", "1.00 × 10⁴⁰¹"),
        (-math.inf, "power", "0"),
        (12.345, "percent", "12.3 %"),
        (1234, "count", "1,234"),
        (0.125, "number", "0.12"),
        ("all", "text", "all"),
    ],
)
def test_values_as_people_read_them(value, kind, text):
    assert shown_value(value, kind) == text


def test_every_column_of_the_report_is_explained_in_the_documentation(expected):
    text = (ROOT / "docs" / "reproduction.md").read_text(encoding="utf-8")
    explained = text[text.index("<!-- report-columns") : text.index("<!-- end of report-columns")]
    for found in all_tables(Results(expected)):
        part = explained[explained.index(f"\n{found.title}:\n") :].split("| --- | --- |\n")[1].split("\n\n")[0]
        assert part.strip() == "\n".join(f"| {column.name} | {column.help} |" for column in definitions(found))
