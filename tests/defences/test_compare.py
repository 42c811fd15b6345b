"""Compare: every way measured the same way, each number with how sure it is."""

import json
import math
import random
from datetime import date
from html.parser import HTMLParser
from itertools import count
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from cra_engine import Attribute, Comparison, Study, WaySettings, compare, read_table, recode, synthesize
from cra_engine.cli.commands import main
from cra_engine.criteria.l_diversity import LDiversity
from cra_engine.defences.comparison import shown
from cra_engine.defences.figures import MEASURES, Figure
from cra_engine.defences.report import comparison_html, comparison_json

SAMPLES = Path(__file__).parents[2] / "sample_data"


@pytest.fixture(scope="module")
def small() -> tuple[pd.DataFrame, Study]:
    rng = np.random.default_rng(1)
    data = pd.DataFrame({"age": rng.integers(0, 80, 60), "weight": rng.integers(0, 160, 60)})
    data["illness"] = rng.choice(["flu", "gout", "cold"], 60)
    return data, Study([Attribute("age", 0, 80, 4), Attribute("weight", 0, 160, 3)], 3)


@pytest.fixture(scope="module")
def everything(small: tuple[pd.DataFrame, Study]) -> Comparison:
    return compare(*small)


def test_every_way_is_there_and_every_number_says_how_sure_it_is(everything: Comparison) -> None:
    found = everything
    assert {row.name for row in found.rows} == set(WaySettings().methods)
    assert found.complete
    assert found.sensitive == "illness"
    for row in found.rows:
        assert set(row.figures) == {measure.key for measure in MEASURES} or row.problem
        for figure in row.figures.values():
            assert (figure.value is None) == (figure.sure == "unknown")
    for row in found.rows:
        if row.name in ("local", "safe"):  # of these everything is counted
            assert not [key for key, figure in row.figures.items() if figure.value is None]
    json.dumps(comparison_json(found), allow_nan=False)


def test_numbers_against_their_definitions(small: tuple[pd.DataFrame, Study]) -> None:
    data, study = small
    found = compare(data, study, WaySettings(methods=("local",))).rows[0]
    made = recode(data, study)
    sizes = [c.size for c in made.classes]
    frame = made.frame[["age", "weight"]].astype(str).agg("|".join, axis=1)
    groups = {label: rows for label, rows in frame.groupby(frame).groups.items() if label != "*|*"}
    hidden = (frame == "*|*").sum()
    assert found.value("prosecutor") == 1 / min(sizes)
    assert found.value("class_size") == pytest.approx(60 / (len(groups) + (hidden > 0)))
    assert found.value("discernibility") == pytest.approx((sum(s * s for s in sizes) + 60 * hidden) / 60)
    illness = data["illness"]
    assert found.value("l") == min(illness[list(rows)].nunique() for rows in groups.values())
    whole = illness.value_counts(normalize=True)
    far = [
        illness[list(rows)].value_counts(normalize=True).reindex(whole.index, fill_value=0).sub(whole).abs().sum() / 2
        for rows in groups.values()
    ]
    assert found.value("t") == pytest.approx(max(far))
    bits = 0.0
    for name, attribute in (("age", study.attributes[0]), ("weight", study.attributes[1])):
        for value, label in zip(data[name], made.frame[name].astype(str), strict=True):
            node = attribute.parse(label)
            assert node is not None
            inside = ((data[name] >= float(node.lower)) & (data[name] < float(node.upper))).sum()
            bits += math.log2(inside / (data[name] == value).sum())
    assert found.value("entropy") == pytest.approx(bits / 60)


def test_global_recoding_is_tried_under_each_model(small: tuple[pd.DataFrame, Study]) -> None:
    data, study = small
    asked = Study(study.attributes, 3, privacy=[LDiversity("illness", l=2)])
    found = compare(data, asked, WaySettings(methods=("global",)))
    with_model = [row for row in found.rows if "diversity" in row.label]
    assert len(with_model) == len(found.rows) // 2
    assert all((row.value("l") or 0) >= 2 for row in with_model if not row.problem)


def test_frontier_by_hand(everything: Comparison) -> None:
    found = everything
    known = [(r, r.value("query_error"), r.value("expected")) for r in found.rows]
    for row in found.frontier():
        x, y = row.value("query_error"), row.value("expected")
        assert x is not None
        assert y is not None
        assert not any(a is not None and b is not None and a <= x and b <= y and (a, b) != (x, y) for _, a, b in known)


def test_a_recommended_way_keeps_a_promise_and_loses_least(
    small: tuple[pd.DataFrame, Study], everything: Comparison
) -> None:
    best, why = everything.recommended
    assert best is not None
    assert best.name == "safe"
    assert best.label in why
    assert (best.value("gain") or 0) <= 1
    assert "ARX-LR loses" in why
    assert "has no bound" in why
    # A class that must show more values than there are is asked for in vain, and that is said.
    same, why = everything.recommend(9)
    assert same == best
    assert "do not all show 9 values of 'illness'" in why
    diverse, why = everything.recommend(2)
    assert diverse is not None
    assert (diverse.value("l") or 0) >= 2 or "do not all show 2" in why
    none, why = compare(*small, WaySettings(methods=("local", "microaggregated"))).recommended
    assert none is None
    assert "safe recoding" in why


def test_ending_early_hands_over_what_is_there(small: tuple[pd.DataFrame, Study]) -> None:
    told: list[int] = []
    calls = count()
    found = compare(
        *small, progress=lambda done, *_: told.append(done), cancelled=lambda: next(calls) > 0 and len(told) >= 2
    )
    assert not found.complete
    assert len(found.rows) == 2 == told[-1]


@pytest.mark.parametrize(
    ("figure", "text"),
    [
        (None, "?"),
        (Figure(None, "unknown"), "?"),
        (Figure(math.inf, "exact"), "∞"),
        (Figure(0, "bound"), "≥ 0"),
        (Figure(0.0634, "estimate"), "≈ 0.0634"),
        (Figure(12.0, "exact"), "12"),
    ],
)
def test_numbers_say_what_they_are(figure: Figure | None, text: str) -> None:
    assert shown(figure) == text


class Balanced(HTMLParser):
    """Counts open tags."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in ("meta", "br"):
            self.open.append(tag)
        self.links += [value or "" for name, value in attrs if name in ("href", "src")]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_the_report_is_whole_loads_nothing_and_shows_no_record(small: tuple[pd.DataFrame, Study]) -> None:
    data, study = small
    hostile = data.assign(illness="<script>alert(1)</script>")
    page = comparison_html(compare(hostile, study, WaySettings(("local", "safe", "heterogeneous"))), "<b>name")
    reader = Balanced()
    reader.feed(page)
    assert not reader.open
    assert not reader.links
    assert "<script>" not in page
    assert "&lt;b&gt;name" in page


def test_command_writes_report_and_json(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    toy = synthesize("toy")
    toy.data.to_csv(tmp_path / "data.csv", index=False)
    toy.study.to_toml(tmp_path / "study.toml")
    words = ["compare", tmp_path / "data.csv", "--study", tmp_path / "study.toml", "--output", tmp_path / "out.html"]

    def run(*more: str) -> int:
        monkeypatch.setattr("sys.argv", ["cra-engine", *map(str, words), *more])
        with pytest.raises(SystemExit) as ended:
            main()
        return int(ended.value.code or 0)

    assert run("--json", "--method", "local", "--method", "safe") == 0
    told = capsys.readouterr()
    assert [way["name"] for way in json.loads(told.out)["ways"]] == ["local", "safe", "safe", "safe"]
    assert "4 of 4 ways" in told.err
    assert (tmp_path / "out.html").exists()
    (tmp_path / "out.html").unlink()
    assert run("--method", "none") == 2
    assert not (tmp_path / "out.html").exists()
    assert "take local, safe" in capsys.readouterr().err


@pytest.mark.exhaustive
def test_diabetes_as_a_whole() -> None:
    found = compare(read_table(SAMPLES / "diabetes.csv"), Study.from_toml(SAMPLES / "diabetes.toml"))
    assert all(not row.problem for row in found.rows)


def test_who_is_certain_is_said_of_all_classes_together() -> None:
    toy = synthesize("toy")
    found = compare(toy.data, toy.study, WaySettings(methods=("local",)))
    (row,) = found.rows
    assert (row.value("certain"), row.figures["certain"].sure) == (2, "exact")


def test_cells_with_units_count_as_their_numbers() -> None:
    draw = random.Random(3)
    weights = [draw.randint(400, 1199) for _ in range(60)]
    days = [f"{draw.randint(1, 28):02}.{draw.randint(1, 12):02}.2024" for _ in weights]
    plain = pd.DataFrame({"weight": [weight / 10 for weight in weights], "ill": [draw.choice("abc") for _ in weights]})
    units = plain.assign(weight=[f"{weight // 10},{weight % 10} kg" for weight in weights])
    study = Study([Attribute("weight", 40, 120, layers=4, resolution=0.1)], k=3)
    expected = compare(plain, study).to_frame()
    pd.testing.assert_frame_equal(compare(units, study).to_frame(), expected)
    # Dates and gaps stand where hierarchies put them, and no way breaks off.
    day = Attribute("day", date(2024, 1, 1), date(2025, 1, 1), layers=2, fanout=2, unit="day")
    gaps = Attribute("weight", 40, 120, layers=4, resolution=0.1, missing="category")
    some = ["" if place % 9 == 0 else cell for place, cell in enumerate(units["weight"])]
    table = units.assign(day=days, weight=some)
    found = compare(table, Study([gaps, day], k=3))
    ways = {row.name: row for row in found.rows}
    assert ways["local"].value("query_error") is not None
    assert "'weight' holds missing or coded values" in ways["microaggregated"].problem
    assert not any("weight" in row.problem for row in found.rows if row.name in {"local", "safe", "repaired", "global"})
