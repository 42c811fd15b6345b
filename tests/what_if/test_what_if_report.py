"""What a what-if says: the report that a clinic files, its sentences, and the command that writes it."""

import json
import re
from dataclasses import replace
from datetime import date
from decimal import Decimal
from functools import partial
from html.parser import HTMLParser
from types import SimpleNamespace

import pandas as pd
import pytest

from cra_engine import Attribute, Study
from cra_engine.raw.synthesis import synthesize
from cra_engine.what_ifs.choices import Choice, ChoiceGrid
from cra_engine.what_ifs.measures import GIVEN, KEPT, frontier
from cra_engine.what_ifs.outcome import Together
from cra_engine.what_ifs.report import what_if_html, what_if_json
from cra_engine.what_ifs.run import what_if
from cra_engine.what_ifs.words import (
    comparison,
    headline,
    justification,
    listed_rows,
    recommendation,
    recommended,
    rule_text,
    together_text,
    value_text,
)

DAY = date(2026, 3, 5)
KEPT_KEYS = {"loss", "classes", "average_size", "suppressed", "suppressed_share"}


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
    return what_if(made.data, made.study)


@pytest.fixture(scope="module")
def pair(toy):
    beaten = next(
        p
        for p in toy.points
        if p.choice.local and p.number not in frontier(toy.points, KEPT["loss"], GIVEN["expected"])
    )
    return toy.present, beaten


# ---------------------------------------------------------------- the page


def test_the_report_shows_the_numbers_of_the_chosen(toy, pair):
    page = Page(what_if_html(toy, "toy.csv", [p.number for p in pair], on=DAY))
    assert "What if: toy.csv" in page.text
    assert "5 March 2026 · 36 records · quasi-identifiers age, weight" in page.text
    rows = {row[0]: row[1:] for row in page.rows if row}
    assert rows["Number"] == [f"{pair[0].number} (A, present)", f"{pair[1].number} (B)"]
    for measure in [*KEPT.values(), *GIVEN.values()]:
        assert rows[measure.title] == [value_text(measure, p) for p in pair]
    assert rows["k"] == ["2, 3, 4, 5"]
    assert " ".join(comparison(*pair)) in page.text
    assert headline(toy, KEPT["loss"], GIVEN["expected"], toy.present) in page.text
    listed = {row[0] for row in page.rows if len(row) == 12}
    assert {str(p.number) for p in pair} <= listed


def test_nothing_of_it_comes_from_elsewhere_and_no_script_runs(toy):
    html = what_if_html(toy, "toy.csv", [toy.present.number])
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
    result = what_if(pd.DataFrame({name: [0, 3, 4, 5]}), study)
    html = what_if_html(result, f"{name}.csv", [1, 2])
    assert "<script" not in html
    assert "<b>" not in html
    assert name in Page(html).text


def test_it_holds_no_record():
    # Each value and each remark stands in the table once, and could be told in the report.
    values = [103.01 + 7.37 * i for i in range(40)]
    data = pd.DataFrame({"a": [f"{v:.2f}" for v in values], "remark": [f"secret {i}" for i in range(40)]})
    study = Study([Attribute("a", 100, 420, 4, resolution=Decimal("0.01"))], 3)
    html = what_if_html(what_if(data, study), "data.csv", [1, 2])
    assert not [v for v in data["a"] if v in html]
    assert "secret" not in html


def test_it_never_calls_a_table_safe(toy, pair):
    page = Page(what_if_html(toy, "toy.csv", [p.number for p in pair]))
    assert not re.search(r"\b(safe|anonymous|protected)\b", page.text.lower())
    assert "No number here shows that a table gives nothing away." in page.text


def test_what_is_missing_is_said():
    study = Study([Attribute("a", 0, 8, 3)], 2)
    grid = ChoiceGrid((2, 9), ((3,),), ("paper",))
    result = what_if(pd.DataFrame({"a": [0, 3, 4, 5]}), study, grid, point_seconds=1000)
    page = Page(what_if_html(result, "", [2, 1]))
    assert "Number 2 cannot be published: k = 9 is more than the 4 records of the table" in page.text
    assert "1 of them not possible" in page.text
    assert "not known" in page.text
    stopped = replace(result, complete=False, points=result.points[:1])
    assert "then stopped before all were tried" in Page(what_if_html(stopped)).text
    nothing = replace(result, points=result.points[1:])
    assert "None of the choices with local recoding could be published" in Page(what_if_html(nothing)).text


def test_a_long_frontier_is_cut_evenly(toy):
    kept, given = KEPT["loss"], GIVEN["expected"]
    best = frontier(toy.points, kept, given)
    longest = listed_rows(toy, kept, given, [], 1000)
    places = {(p.choice.local, value_text(kept, p), value_text(given, p)) for p in toy.points if p.number in best}
    assert len(longest) == len(places) > 3
    lost = [p.kept.loss for p in longest if p.choice.local]
    assert lost == sorted(lost)
    rows = listed_rows(toy, kept, given, [1], 3)
    assert len(rows) == 3
    assert toy.points[0] in rows
    assert all(p.number in best or p.number == 1 for p in rows)


# ---------------------------------------------------------------- sentences


def test_the_headline_counts():
    study = Study([Attribute("a", 0, 8, 3)], 2)
    data = pd.DataFrame({"a": [0, 3, 4, 5]})
    # k = 2 loses 2/7 and isolates two; with one layer less 3/7 and nobody. k = 3 suppresses all, so that nobody's
    # record can be picked; of the two people in each half both are alone with 2 * 2 of C(4, 2), but not with one layer
    # less.
    result = what_if(data, study, ChoiceGrid((2, 3), ((3, 2),), ("paper",)))
    text = headline(result, KEPT["loss"], GIVEN["expected"], result.present)
    assert text == (
        "Of 4 choices with local recoding, 3 are on the frontier; the other one is beaten by one of these, which keeps "
        "no less and is no worse on either side: for whom somebody knows, and by the table alone. The present choice, "
        "number 1, is on the frontier."
    )
    beaten = headline(result, KEPT["loss"], GIVEN["expected"], result.point(2))
    assert beaten.endswith(
        "The present choice, number 2, is beaten: number 4, for one, is worse in nothing (information lost: 100 %; "
        "highest risk for whom somebody knows: 0 %; people singled out, expected: 0.0 instead of 2.7; people singled "
        "out for certain: 0)."
    )


def test_two_choices_in_sentences():
    study = Study([Attribute("a", 0, 8, 3)], 2)
    result = what_if(pd.DataFrame({"a": [0, 3, 4, 5]}), study, ChoiceGrid((2, 3), ((3, 2),), ("paper",)))
    two = "2 classes of 2.0 people on average, 0 suppressed records"
    known = "Somebody who knows a person's quasi-identifiers"
    width = (
        "The two describe people by finest boxes of different width, so the same number means less under the coarser"
    )
    assert comparison(result.point(1), result.point(3)) == [
        "Number 1 loses 28.6 % of the information, number 3 42.9 %.",
        f"Number 1 shows {two}; number 3 shows {two}.",
        "Expected to be singled out, from the table alone: 2.0 people under number 1, 0.0 under number 3.",
        "Singled out for certain, each class read by itself: 2 under number 1, 0 under number 3.",
        f"{known} picks the record with at most 50 % under number 1, 50 % under number 3.",
        f"{width} one.",
    ]
    assert "no class at all" in comparison(result.point(1), result.point(2))[1]


@pytest.mark.parametrize(
    ("choice", "text"),
    [
        (Choice(3, (2,), "paper"), "local, as in the paper"),
        (Choice(3, (2,), "arx-gui"), "local, as the ARX desktop program"),
        (Choice(3, (2,), Decimal("0.025")), "local, steps of 2.5 %"),
        (Choice(3, (2,), None, Decimal(0)), "global, none suppressed"),
        (Choice(3, (2,), None, Decimal("0.10")), "global, at most 10 % suppressed"),
    ],
)
def test_rules_in_words(choice, text):
    assert rule_text(choice) == text


def test_a_probability_is_certain_only_where_it_is():
    def point(likeliest, certain=0):
        return SimpleNamespace(given=SimpleNamespace(likeliest=likeliest, certain=certain))

    shown = [value_text(GIVEN["likeliest"], point(p)) for p in (0, 0.0002, 0.5, 0.9999)]
    assert shown == ["0 %", "0.02 %", "50 %", "above 99.9 %"]
    assert value_text(GIVEN["likeliest"], point(1.0, certain=1)) == "certain"
    # Only if no two records are alike, which nobody has proven.
    assert value_text(GIVEN["likeliest"], point(1.0)) == "above 99.9 %"


def test_all_classes_together_say_how_sure_they_are():
    exact = Together("exact", 1, True, 2.5, 12.0, 0.0, False, 0.1)
    assert together_text(exact) == (
        "All classes together, exact: one person is singled out for certain; 2.5 expected; 1.0 × 10¹² tables left."
    )
    estimate = Together("estimate", 3, True, 2.5, 12.0, 0.05, False, 0.1)
    assert "certain people proven, the rest estimated: 3 people are" in together_text(estimate)
    assert "about 2.5 expected; about 1.0 × 10¹² tables left (standard error of" in together_text(estimate)
    cut = Together("timeout", 0, False, None, None, None, False, 0.1)
    unfinished = "All classes together, the time ran out before all was counted"
    assert together_text(cut) == f"{unfinished}: nobody is singled out for certain, and there may be more."
    assert together_text(replace(cut, complete=True)).endswith(
        "nobody is singled out for certain (this much is proven)."
    )
    assert "at most 1.0 × 10¹²" in together_text(replace(exact, upper_bound=True))


# ---------------------------------------------------------------- JSON and the command


def test_json_is_plain(toy):
    found = json.loads(json.dumps(what_if_json(toy, [1, 2]), allow_nan=False))
    assert found["records"] == 36
    assert found["present"] == toy.present.number
    assert len(found["points"]) == len(toy.points)
    for point, written in zip(toy.points, found["points"], strict=True):
        assert (written["number"], written["k"]) == (point.number, point.choice.k)
        assert written["kept"]["loss"] == point.kept.loss.value
        assert set(written["kept"]) == KEPT_KEYS
        assert written["given_away"]["expected_isolated"] == point.given.expected
        assert written["recoding"] == ("local" if written["limit"] is None else "global")


@pytest.fixture
def run(run, tmp_path):
    """Run the command in a folder with the toy in it; its status, and what it wrote on both streams."""
    made = synthesize("toy")
    (tmp_path / "data.csv").write_text(made.to_csv_text(), encoding="utf-8")
    (tmp_path / "study.toml").write_text(made.study.to_toml_text(), encoding="utf-8")
    return partial(run, "what-if", "data.csv", "--study", "study.toml", "--output", "report.html")


def test_the_command_writes_report_and_json(run, tmp_path):
    status, out, _ = run(
        "--k", "3-4", "--layers", "age=2-3", "--suppression", "0.1", "--tight", "--choose", 1, "--json"
    )
    assert status == 0
    found = json.loads(out)
    assert [p["k"] for p in found["points"]] == [3, 3, 4, 4] * 2
    assert [p["layers"] for p in found["points"]] == [[2, 3]] * 4 + [[3, 3]] * 4
    assert [p["limit"] for p in found["points"]] == [None, 0.1] * 4
    assert found["chosen"] == [1]
    assert [(one["number"], one["status"]) for one in found["together"]] == [(1, "exact")]
    page = Page((tmp_path / "report.html").read_text(encoding="utf-8"))
    assert "What if: data.csv" in page.text
    assert "Number 1. All classes together, exact" in page.text


def test_the_command_in_words(run, tmp_path):
    status, out, err = run("--choose", 1, "--choose", 2)
    assert status == 0
    assert "on the frontier" in out
    assert "Number 1 loses" in out
    assert out.endswith("Report in report.html.\n")
    assert err.endswith("48 of 48 runs\n")
    assert (tmp_path / "report.html").is_file()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--k", "x"), "--k is 'x'; give whole numbers"),
        (("--k", "2-3000"), "more than 2,000"),
        (("--layers", "height=3"), "--layers is 'height=3'"),
        (("--profile", "gui"), "--profile is 'gui'"),
        (("--suppression", "2"), "--suppression is '2'"),
        (("--choose", "99", "--k", "3"), "There is no choice 99"),
        (("--choose", "1", "--choose", "2", "--choose", "3"), "one or two choices"),
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


def test_what_is_recommended_keeps_k_and_says_what_a_smaller_one_costs():
    made = synthesize("clinic")
    layers = tuple((attribute.layers,) for attribute in made.study.attributes)
    result = what_if(made.data, made.study, ChoiceGrid((2, 3, 5, 8), layers, ("paper",)))
    chosen, text = recommended(result), recommendation(result)
    assert chosen.choice.k >= made.study.k
    assert f"Recommended is number {chosen.number}" in text
    better_for_attack = [
        p for p in result.points if p.choice.k < made.study.k and p.given.expected < chosen.given.expected
    ]
    assert ("A smaller k looks better to the attack alone, and costs protection" in text) == bool(better_for_attack)
    assert recommended(result, result.find(Choice(8, chosen.choice.layers, "paper"))).choice.k == 8


def test_every_choice_on_the_frontier_has_its_sentence(toy):
    kept, given = KEPT["loss"], GIVEN["expected"]
    best = frontier(toy.points, kept, given)
    assert best
    for point in toy.points:
        text = justification(toy, point, kept, given)
        assert bool(text) == (point.number in best)
        if text:
            assert text.startswith(f"Number {point.number} (k = {point.choice.k}): loss ")
            assert value_text(GIVEN["known"], point) in text
            assert value_text(GIVEN["certain"], point) in text


def test_equal_tables_are_told_and_counted_once():
    # One attribute whose classes are large: every k gives the same table.
    study = Study([Attribute("a", 0, 4, 3)], 2)
    result = what_if(pd.DataFrame({"a": [0, 1, 2, 3] * 10}), study, ChoiceGrid((2, 3, 5), ((3,),), ("paper",)))
    text = headline(result, KEPT["loss"], GIVEN["expected"], result.present)
    assert text.startswith(
        "Of 3 choices with local recoding (1 different table), 1 is on the frontier. The present choice"
    )
    assert "the same table as number 3, is on the frontier" in text
    rows = what_if_json(result)["points"]
    assert [row["same_as"] for row in rows] == [3, 3, 3]
    assert [row["given_away"]["certain_looked_at"] for row in rows] == [True, True, True]
    assert [row["on_frontier"] for row in rows] == [False, False, True]
