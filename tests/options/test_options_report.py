"""What a comparison says: the report that a clinic files, its sentences, and the command that writes it."""

import json
import math
import re
from dataclasses import replace
from datetime import date
from decimal import Decimal
from functools import partial
from html.parser import HTMLParser

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cra_engine import Attribute, OptionGrid, Study, Way, compare
from cra_engine.assess.figure import Figure
from cra_engine.checks.outcome import Finding
from cra_engine.options import (
    GIVEN,
    KEPT,
    MEASURES,
    NO_BOUND,
    advice,
    change,
    comparison_html,
    comparison_json,
    headline,
    justification,
    recommendation,
    text_of,
    value_text,
    why_not,
)
from cra_engine.options.words import listed_points
from cra_engine.raw.synthesis import synthesize

DAY = date(2026, 3, 5)
STUDY = Study([Attribute("a", 0, 8, 3)], 2)
FOUR = pd.DataFrame({"a": [0, 3, 4, 5]})
LOCAL = Way("local", "paper")
UNKNOWN = Figure.unknown()


class Page(HTMLParser):
    """The page's tags, attributes and text; fails where something is not closed."""

    def __init__(self, html):
        super().__init__()
        self.open, self.attributes, self.rows, self.words = [], [], [], []
        self.feed(html)
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        self.attributes += [(tag, *pair) for pair in attributes]
        if tag not in {"meta", "rect", "circle", "path", "line", "polyline"}:
            self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in {"td", "th"}:
            self.rows[-1].append("")

    def handle_startendtag(self, tag, attributes):
        self.attributes += [(tag, *pair) for pair in attributes]

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if "style" in self.open or "title" in self.open:
            return
        self.words.append(data)
        if {"td", "th"} & set(self.open):
            self.rows[-1][-1] += data

    @property
    def text(self):
        return " ".join(" ".join(self.words).split())


@pytest.fixture(scope="module")
def toy():
    made = synthesize("toy")
    ways = (LOCAL, Way("safe", Decimal(1)), Way("global", Decimal(0)))
    return compare(made.data, made.study, OptionGrid((2, 3, 5), ((2, 3), (3, 4)), ways))


@pytest.fixture(scope="module")
def pair(toy):
    return toy.present, next(p for p in toy.points if p.number not in toy.frontier() and p is not toy.present)


# ---------------------------------------------------------------- the page


def test_the_report_shows_the_numbers_of_the_chosen(toy, pair):
    page = Page(comparison_html(toy, "toy.csv", [p.number for p in pair], on=DAY))
    assert "What to publish: toy.csv" in page.text
    assert "5 March 2026 · 36 records · quasi-identifiers age, weight" in page.text
    rows = {row[0]: row[1:] for row in page.rows if len(row) == 3}
    for measure in MEASURES.values():
        assert rows[measure.title] == [text_of(measure, p) for p in pair]
    assert f"From the first to the second: {change(*pair)}." in page.text
    assert headline(toy, present=toy.present) in page.text
    assert recommendation(toy) in page.text


def test_nothing_of_it_comes_from_elsewhere_and_no_script_runs(toy):
    html = comparison_html(toy, "toy.csv", [toy.present.number])
    page = Page(html)
    assert not {tag for tag, *_ in page.attributes} & {"script", "link", "img", "iframe", "object", "base"}
    assert not [
        value for _, name, value in page.attributes if name in {"src", "href", "action"} or name.startswith("on")
    ]
    assert "url(" not in html
    assert "://" not in html
    assert ("meta", "content", "default-src 'none'; style-src 'unsafe-inline'") in page.attributes


def test_names_are_shown_as_text():
    name = "<script>alert('x')</script>"
    study = Study([Attribute(name, 0, 8, 3, unit="<b>")], 2)
    result = compare(pd.DataFrame({name: [0, 3, 4, 5]}), study, OptionGrid((2,), ((2, 3),), (LOCAL,)))
    html = comparison_html(result, f"{name}.csv", [1, 2])
    assert "<script" not in html
    assert "<b>" not in html
    assert name in Page(html).text


def test_it_holds_no_record():
    # Each value and each remark stands in the table once, and could be told in the report.
    values = [103.01 + 7.37 * i for i in range(40)]
    data = pd.DataFrame({"a": [f"{v:.2f}" for v in values], "remark": [f"secret {i}" for i in range(40)]})
    study = Study([Attribute("a", 100, 420, 4, resolution=Decimal("0.01"))], 3)
    html = comparison_html(compare(data, study, OptionGrid((3, 4), ((4,),), (LOCAL,))), "data.csv", [1, 2])
    assert not [v for v in data["a"] if v in html]
    assert "secret" not in html


def test_what_is_missing_is_said():
    result = compare(FOUR, STUDY, OptionGrid((2, 9), ((3,),), (LOCAL,)))
    page = Page(comparison_html(result, "", [2, 1]))
    problem = "k = 9 is more than the 4 records of the table"
    assert f"Not possible: 2: Local recoding, ARX-LR, k = 9. {problem}" in page.text
    assert "1 of them without numbers" in page.text
    stopped = replace(result, complete=False, points=result.points[:1])
    assert "then stopped before all were tried" in Page(comparison_html(stopped)).text
    nothing = replace(result, points=result.points[1:])
    assert "None of the options could be published" in Page(comparison_html(nothing)).text
    assert "none could be published and checked" in recommendation(nothing)


def test_a_long_frontier_is_cut_evenly(toy):
    best = toy.frontier()
    longest = listed_points(toy, [], len(toy.points) - 1)
    assert {p.number for p in longest} <= best
    rows = listed_points(toy, [1], 3)
    assert len(rows) == 3
    assert toy.points[0] in rows
    assert all(p.number in best or p.number == 1 for p in rows)


# ---------------------------------------------------------------- sentences


def test_the_headline_counts():
    # k = 2 loses 2/7 and isolates two; with one layer less 3/7 and nobody. k = 3 suppresses all.
    result, loss = compare(FOUR, STUDY, OptionGrid((2, 3), ((3, 2),), (LOCAL,))), KEPT["loss"]
    best = result.frontier(loss)
    assert result.points[0].number in best
    assert headline(result, loss, present=result.present) == (
        f"4 options: {len(best)} are on the frontier, the other one is beaten by one of these. The present option, "
        "number 1, is on the frontier."
    )
    beaten = result.point(2)
    assert beaten.option.k == 3
    assert "number 2, is beaten: number 4, for one, is worse in nothing" in headline(result, loss, present=beaten)
    # Of the detail both lose a half: as far as the data reach [4, 6[ and [4, 8[ are both 1 of 5 wide, [0, 4[ is 4.
    assert "number 1, is beaten: number 3, for one" in headline(result, present=result.present)


def test_what_changes_is_said_measure_by_measure():
    result = compare(FOUR, STUDY, OptionGrid((2,), ((3, 2),), (LOCAL,)))
    told = change(*result.points, KEPT["loss"])
    # The coarser one has its two classes on single cells: nothing is left for its choices to tell.
    assert told == (
        "information lost 42.9 % instead of 28.6 %, singled out, expected 0 instead of 2, singled out for certain 0 "
        "instead of 2 and gain (what choices tell) 0 instead of \u221e"
    )
    assert change(*result.points).startswith("singled out, expected")  # of the detail they lose the same
    assert change(result.points[0], result.points[0]) == "no change"


@pytest.mark.parametrize(
    ("way", "label"),
    [
        (LOCAL, "Local recoding, ARX-LR"),
        (Way("local", "arx-gui"), "Local recoding, as the ARX desktop program"),
        (Way("local", Decimal("0.025")), "Local recoding, steps of 2.5 %"),
        (Way("safe", Decimal("0.5")), "Safe recoding, epsilon 0.5"),
        (Way("global", Decimal(0)), "Global recoding, none suppressed"),
        (Way("global", Decimal("0.10")), "Global recoding, at most 10 % suppressed"),
        (Way("repaired", Decimal("0.4")), "ARX-LR repaired, at most 40 % likely alone"),
        (Way("microaggregated", "mdav"), "Microaggregation, MDAV"),
    ],
)
def test_ways_in_words(way, label):
    assert way.label == label
    assert way.short


@pytest.mark.parametrize(
    ("key", "figure", "text"),
    [
        ("gain", None, "?"),
        ("gain", Figure.unknown(), "?"),
        ("gain", Figure(math.inf, math.inf, math.inf, "exact"), "∞"),
        ("certain", Figure(0, 0, None, "bound"), "≥ 0"),
        ("expected", Figure.estimate(0.0634), "≈ 0.0634"),
        ("certain", Figure.exact(12.0), "12"),
        ("loss", Figure.exact(0.2857), "28.6 %"),
        ("likeliest", Figure.exact(1.0), "100 %"),
        ("likeliest", Figure.exact(0.99999), "above 99.9 %"),
        ("left", Figure.exact(12.0), "1.0 × 10¹²"),
        ("left", Figure(12.0, None, 12.0, "bound"), "≤ 1.0 × 10¹²"),
        ("expected", Figure(None, 1.0, 2.5, "bound"), "1..2.5"),
    ],
)
def test_numbers_say_what_they_are(key, figure, text):
    assert value_text(MEASURES[key], figure) == text


def test_every_option_on_the_frontier_has_its_sentence(toy):
    best = toy.frontier()
    assert best
    for point in toy.points:
        text = justification(toy, point)
        assert bool(text) == (point.number in best)
        if text:
            assert text.startswith(f"Number {point.number} ({point.label}): detail lost ")
            assert text_of(GIVEN["prosecutor"], point) in text
            assert text_of(GIVEN["certain"], point) in text


def test_equal_tables_are_told_and_counted_once():
    # One attribute whose classes are large: every k gives the same table.
    study = Study([Attribute("a", 0, 4, 3)], 2)
    result = compare(pd.DataFrame({"a": [0, 1, 2, 3] * 10}), study, OptionGrid((2, 3, 5), ((3,),), (LOCAL,)))
    text = headline(result, KEPT["loss"], GIVEN["expected"], result.present)
    assert text.startswith("3 options give 1 different table: 1 is on the frontier. The present option")
    assert "the same table as number 3, is on the frontier" in text
    rows = comparison_json(result)["options"]
    assert [row["same_as"] for row in rows] == [3, 3, 3]
    assert [row["on_frontier"] for row in rows] == [False, False, True]


# ---------------------------------------------------------------- JSON and the command


def test_json_has_every_number_with_how_sure_it_is(toy):
    written = json.loads(json.dumps(comparison_json(toy, [1]), allow_nan=False))
    assert written["present"] == toy.present.number
    assert written["chosen"] == [1]
    assert written["frontier"] == sorted(toy.frontier())
    for row, point in zip(written["options"], toy.points, strict=True):
        assert set(row["kept"]) | set(row["given_away"]) == set(MEASURES)
        for figure in (*row["kept"].values(), *row["given_away"].values()):
            assert set(figure) == {"value", "lower", "upper", "sure", "note"}
        assert (row["k"], row["verdict"], row["label"]) == (point.option.k, point.verdict, point.label)
        assert row["given_away"]["expected"]["value"] == point.value("expected")


@pytest.fixture
def run(run, tmp_path):
    """Run the command in a folder with the toy in it; its status, and what it wrote on both streams."""
    made = synthesize("toy")
    (tmp_path / "data.csv").write_text(made.to_csv_text(), encoding="utf-8")
    (tmp_path / "study.toml").write_text(made.study.to_toml_text(), encoding="utf-8")
    return partial(run, "compare", "data.csv", "--study", "study.toml", "--output", "report.html")


def test_the_command_writes_report_and_json(run, tmp_path):
    asked = ("--k", "3-4", "--layers", "age=2-3", "--suppression", "0.1", "--method", "local", "--method", "global")
    status, out, _ = run(*asked, "--choose", 1, "--json")
    assert status == 0
    found = json.loads(out)
    assert [p["k"] for p in found["options"]] == [3, 3, 4, 4] * 2
    assert [p["layers"] for p in found["options"]] == [[2, 3]] * 4 + [[3, 3]] * 4
    assert [p["setting"] for p in found["options"]] == ["paper", "0.1"] * 4
    assert found["chosen"] == [1]
    page = Page((tmp_path / "report.html").read_text(encoding="utf-8"))
    assert "What to publish: data.csv" in page.text


def test_the_command_in_words(run, tmp_path):
    status, out, _ = run("--method", "local", "--method", "safe", "--choose", 1, "--choose", 2)
    assert status == 0
    assert "(on the frontier)" in out
    assert "From number 1 to number 2: detail lost" in out
    assert "No option that was tried passes the check" in out
    assert out.endswith("Report in report.html.\n")
    assert (tmp_path / "report.html").is_file()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--k", "x"), "--k is 'x'; give whole numbers"),
        (("--k", "2-3000"), "more than 2,000"),
        (("--layers", "height=3"), "--layers is 'height=3'"),
        (("--profile", "gui"), "--profile is 'gui'"),
        (("--suppression", "2"), "--suppression is '2'"),
        (("--method", "none"), "take local, safe"),
        (("--choose", "99", "--k", "3", "--method", "local"), "There is no option 99"),
        (("--choose", "1", "--choose", "2", "--choose", "3"), "one or two options"),
        (("--output", "data.csv"), "named twice"),
    ],
)
def test_what_is_wrong_is_one_sentence(run, tmp_path, arguments, sentence):
    status, out, err = run(*arguments)
    assert (status, out) == (2, "")
    assert sentence in err.splitlines()[-1]
    assert "Traceback" not in err
    assert not (tmp_path / "report.html").exists()


# ---------------------------------------------------------------- recommending


def test_what_is_recommended_passes_the_check_and_keeps_k(toy):
    chosen, text = toy.recommended, recommendation(toy)
    assert chosen.verdict == "ready"
    assert chosen.option.k >= toy.study.k
    passing = [p for p in toy.points if p.verdict == "ready"]
    lost = text_of(KEPT["detail"], chosen)
    assert text.startswith(
        f"Best is number {chosen.number}, {chosen.short}: of those that pass (Ready), with "
        f"k = {toy.study.k} or more and a gain up to 1 (the most that choices tell about one person), it loses least "
        f"detail, {lost}. "
    )
    assert f". Of the {len(toy.points)} options compared here {len(passing)} pass the check. " in text
    ready = [p for p in passing if p.option.k >= toy.study.k]
    bounded = [p for p in ready if p.value("gain") is not None and p.value("gain") <= 1]
    assert chosen.value("detail") == min(p.value("detail") for p in bounded or ready)


KNOWN = st.tuples(
    st.sampled_from((2, 3, 5)), st.booleans(), st.integers(0, 3), st.sampled_from((0, 1, 1.5, math.inf, None))
)


def gain_text(gain):
    return "?" if gain is None else "\u221e" if gain == math.inf else f"{gain:g}"


@settings(max_examples=200)
@given(st.lists(KNOWN, min_size=1, max_size=7))
def test_no_option_is_named_that_loses_more_than_another_that_passes_unless_it_says_why(toy, drawn):
    """First what may be advised; then the least of k or more, and of all, each sought one by one."""
    points = tuple(
        replace(
            toy.present,
            number=number,
            option=replace(toy.present.option, k=k),
            verdict="ready" if ready else "attention",
            findings=() if ready else (Finding("attention", "alone", "Somebody is alone."),),
            figures={"detail": Figure.exact(lost / 4), "gain": Figure.exact(gain) if gain is not None else UNKNOWN},
        )
        for number, (k, ready, lost, gain) in enumerate(drawn, 1)
    )
    compared = replace(toy, points=points)
    said = recommendation(compared).partition(". Of the ")[0]
    # The first sentence stands above the picture: it names the one to take, or else the nearest, and no other.
    some = compared.nearest is not None or any(point.verdict == "ready" for point in points)
    assert said.partition(". ")[0].count("number ") == some
    named = [(points[int(number) - 1], why) for number, why in re.findall(r"number (\d+)(.*?)(?=number|$)", said)]
    ready = [point for point in points if point.verdict == "ready"]
    asked = [point for point in ready if point.option.k >= toy.study.k]
    little = [point for point in asked if point.value("gain") is not None and point.value("gain") <= 1]
    if ready:
        assert named[0][0] in (little or asked or ready)
    for among in (ready, asked, little):
        least = min((point.value("detail") for point in among), default=None)
        assert min((point.value("detail") for point, _ in named if point in among), default=None) == least
    for point, why in named[1:]:
        assert point.value("detail") < named[0][0].value("detail")
        assert ("choices tell a reader more" in why) == (point in asked and point not in little)
        # With the figure, beside that of the one to take.
        one, best = (gain_text(chosen.value("gain")) for chosen in (point, named[0][0]))
        reason = ": nothing was left to choose" if best == "0" else ""  # a reader asks how that can be
        assert (f"more (gain {one} instead of {best}{reason})" in why) == ("tell a reader more" in why)
        assert (f"with k = {point.option.k}" in why) == (point not in asked)
    assert ("None with k = 3 or more" in said) == bool(ready and not asked)
    # What is best is so by the detail lost, among those that it is held against and no others.
    first = said.partition(". ")[0]
    if asked:
        assert ("k = 3 or more" in first) == (len(asked) < len(ready))
        assert ("a gain up to 1" in first) == (0 < len(little) < len(asked))
        assert ("loses least detail" in first) == (len(ready) > 1)
        assert ("it alone passes" in first) == (len(ready) == 1)
    # Where no list stands beside it, the same options by their names.
    short = advice(compared)
    assert len(short) == max(1, len(named)) <= 3
    assert "umber " not in " ".join(short)
    for line, (point, _) in zip(short, named, strict=False):
        assert point.label in line
        assert text_of(KEPT["detail"], point) in line or not ready
        unbounded = point.value("gain") == math.inf and point in asked
        assert (NO_BOUND in line) == (unbounded and point is not named[0][0])


def test_what_passes_and_is_not_advised_says_why(toy):
    """Less is lost by some that pass: their choices tell more. Of what does not pass the first finding is said."""
    chosen = toy.recommended
    less = replace(chosen, number=99, loss=toy.present.loss, figures=chosen.figures | {"gain": Figure.exact(math.inf)})
    assert why_not(replace(toy, points=(*toy.points, less)), less) == f"Ready, but {NO_BOUND}."
    assert why_not(toy, chosen) == "Ready."
    stopped = next(p for p in toy.points if p.verdict == "stop")
    assert why_not(toy, stopped).startswith("Stop. ")
    smaller = next(p for p in toy.points if p.verdict == "ready" and p.option.k < toy.study.k)
    assert why_not(toy, smaller) == f"Ready, but asked is k = {toy.study.k} or more."


def test_the_nearest_is_not_one_that_another_with_the_same_findings_beats(toy):
    """Both round to nobody singled out and lose the same; the second gives less away."""
    stopped = (Finding("stop", "alone", "Somebody is alone."),)
    first = replace(toy.present, verdict="stop", findings=stopped)
    points = tuple(
        replace(first, number=number, table=str(number), figures={**first.figures, "expected": Figure.exact(alone)})
        for number, alone in ((1, 0.4), (2, 0.2))
    )
    assert replace(toy, points=points).nearest is points[1]


def test_where_nothing_passes_the_nearest_is_named_with_what_stops_it():
    made = synthesize("toy")
    result = compare(made.data, made.study, OptionGrid.of(made.study, [LOCAL, Way("safe", Decimal(1))]))
    assert result.recommended is None
    text = recommendation(result)
    assert text.startswith(
        "No option that was tried passes the check; nearest to passing, with the fewest findings, is "
        f"number {result.nearest.number}, {result.nearest.short} (Attention). "
    )
    assert next(f.text for f in result.nearest.findings if f.level == "attention") in text
    assert not re.search(r"\b(anonymous|protected)\b", text)
