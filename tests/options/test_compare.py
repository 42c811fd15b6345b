"""Compare every way to publish: each measured the same way, each number with how sure it is, each checked."""

import math
import random
from datetime import date
from itertools import count
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from cra_engine import Attribute, Comparison, OptionGrid, Study, check, compare, read_table, recode, synthesize
from cra_engine.criteria.l_diversity import LDiversity
from cra_engine.options import MEASURES, WAYS, Publisher, grid_around, ways, ways_for
from cra_engine.raw.proposed_kinds import propose_codes

SAMPLES = Path(__file__).parents[2] / "sample_data"


@pytest.fixture(scope="module")
def small() -> tuple[pd.DataFrame, Study]:
    rng = np.random.default_rng(1)
    data = pd.DataFrame({"age": rng.integers(0, 80, 60), "weight": rng.integers(0, 160, 60)})
    data["illness"] = rng.choice(["flu", "gout", "cold"], 60)
    study = Study([Attribute("age", 0, 80, 4), Attribute("weight", 0, 160, 3)], 3)
    return data, study.with_roles(study.roles.given("illness", "sensitive"))


@pytest.fixture(scope="module")
def everything(small: tuple[pd.DataFrame, Study]) -> Comparison:
    return compare(*small)


def only(study: Study, *names: str) -> OptionGrid:
    return OptionGrid.of(study, ways_for(study, names))


def test_every_way_is_there_and_every_number_says_how_sure_it_is(everything: Comparison) -> None:
    assert {point.option.way.name for point in everything.points} == set(WAYS)
    assert everything.complete
    assert everything.sensitive == "illness"
    for point in everything.points:
        assert set(point.figures) == set(MEASURES) or point.problem
        for figure in point.figures.values():
            assert (figure.value is not None) or figure.sure in ("unknown", "bound", "timeout")
        by_hierarchies = point.option.way.name not in ("microaggregated", "heterogeneous")
        assert bool(point.verdict) == (by_hierarchies and not point.problem)


def test_diversity_is_what_the_check_says_of_it_where_cells_are_empty() -> None:
    # Each class has three people; the illness of one of the second is not known, and the other two share theirs.
    data = pd.DataFrame({"age": [21, 23, 25, 51, 53, 55], "illness": ["flu", "gout", "cold", "HIV", "HIV", ""]})
    study = Study([Attribute("age", 20, 60, layers=3)], 3)
    study = study.with_roles(study.roles.given("illness", "sensitive"))
    point = compare(data, study, only(study, "local")).present
    assert point is not None
    (spread,) = check(data, study).diversity
    assert (point.value("l"), point.value("t")) == (spread.distinct_l, float(spread.t)) == (1, 3 / 5)


def test_numbers_against_their_definitions(small: tuple[pd.DataFrame, Study]) -> None:
    data, study = small
    point = compare(data, study, only(study, "local")).present
    assert point is not None
    made = recode(data, study)
    sizes = [c.size for c in made.classes]
    frame = made.frame[["age", "weight"]].astype(str).agg("|".join, axis=1)
    groups = {label: rows for label, rows in frame.groupby(frame).groups.items() if label != "*|*"}
    hidden = (frame == "*|*").sum()
    assert point.value("prosecutor") == 1 / min(sizes)
    assert point.value("suppressed") == hidden
    assert point.value("class_size") == pytest.approx(60 / (len(groups) + (hidden > 0)))
    assert point.value("discernibility") == pytest.approx((sum(s * s for s in sizes) + 60 * hidden) / 60)
    illness = data["illness"]
    assert point.value("l") == min(illness[list(rows)].nunique() for rows in groups.values())
    whole = illness.value_counts(normalize=True)
    far = [
        illness[list(rows)].value_counts(normalize=True).reindex(whole.index, fill_value=0).sub(whole).abs().sum() / 2
        for rows in groups.values()
    ]
    assert point.value("t") == pytest.approx(max(far))
    bits = 0.0
    for name, attribute in (("age", study.attributes[0]), ("weight", study.attributes[1])):
        for value, label in zip(data[name], made.frame[name].astype(str), strict=True):
            node = attribute.parse(label)
            assert node is not None
            inside = ((data[name] >= float(node.lower)) & (data[name] < float(node.upper))).sum()
            bits += math.log2(inside / (data[name] == value).sum())
    assert point.value("entropy") == pytest.approx(bits / 60)


def test_global_recoding_is_tried_under_each_model(small: tuple[pd.DataFrame, Study]) -> None:
    data, study = small
    asked = Study(study.attributes, 3, privacy=[LDiversity("illness", l=2)])
    points = compare(data, asked, only(asked, "global")).points[1:]  # the study's own in front
    with_model = [point for point in points if "diversity" in point.label]
    assert len(with_model) == len(points) // 2
    assert all((point.value("l") or 0) >= 2 for point in with_model if not point.problem)


def test_every_verdict_is_that_of_the_check(small: tuple[pd.DataFrame, Study], everything: Comparison) -> None:
    data, study = small
    publisher = Publisher(data, study, everything.sensitive)
    for point in everything.points:
        if point.verdict is None:
            continue
        made = publisher.publish(point.option)
        checked = check(data, made.study_read, made.table.frame)
        assert (checked.verdict, checked.findings) == (point.verdict, point.findings)
        assert checked.assessment is not None
        assert checked.assessment.certain == point.figures["certain"]
        assert checked.assessment.expected == point.figures["expected"]


def test_what_is_recommended_passes_and_the_rest_of_the_search_is_ended(everything: Comparison) -> None:
    best = everything.recommended
    verdicts = [point.verdict for point in everything.points]
    if best is None:
        assert "ready" not in verdicts
        assert everything.nearest is not None
    else:
        assert best.verdict == "ready"
    # Wider options are tried until one passes that tells little, and no further.
    wider = [p for p in everything.points if p.option.k > 3 or (p.option.layers and p.option.layers != (4, 3))]
    assert all(p.verdict != "ready" or (p.value("gain") or 0) > 1 for p in wider[:-1] if p.option.way.name == "safe")


def test_ending_early_hands_over_what_is_there(small: tuple[pd.DataFrame, Study]) -> None:
    told: list[int] = []
    calls = count()
    comparison = compare(
        *small, progress=lambda done, *_: told.append(done), cancelled=lambda: next(calls) > 0 and len(told) >= 2
    )
    assert not comparison.complete
    assert len(comparison.points) == 2 == told[-1]


def test_a_way_whose_time_grows_with_the_square_of_the_records_is_left_out_and_ends_nothing(
    small: tuple[pd.DataFrame, Study], monkeypatch: pytest.MonkeyPatch
) -> None:
    data, study = small
    numbers = data.assign(illness=[f"{row % 7}" for row in range(60)])
    grid = only(study, "microaggregated", "heterogeneous")
    assert not any(point.problem for point in compare(numbers, study, grid).points)
    monkeypatch.setattr(ways, "MOST_BY_MDAV", 59)
    monkeypatch.setattr(ways, "MOST_PLACES", 19)
    left = compare(numbers, study, grid)
    said = {str(point.option.way.setting or point.option.way.name): point.problem for point in left.points}
    assert left.complete
    assert said["mdav"].startswith("MDAV looks at all 60 records again for each cluster")
    assert said["mdav"].endswith("above 59 it is left out here. Mondrian takes seconds.")
    assert "left out here above 57 records" in said["heterogeneous"]
    assert not said["mondrian"]


@pytest.mark.exhaustive
def test_diabetes_as_a_whole() -> None:
    comparison = compare(read_table(SAMPLES / "diabetes.csv"), Study.from_toml(SAMPLES / "diabetes.toml"))
    assert all(not point.problem for point in comparison.points)


def test_cells_with_units_count_as_their_numbers() -> None:
    draw = random.Random(3)
    weights = [draw.randint(400, 1199) for _ in range(60)]
    days = [f"{draw.randint(1, 28):02}.{draw.randint(1, 12):02}.2024" for _ in weights]
    plain = pd.DataFrame({"weight": [weight / 10 for weight in weights], "ill": [draw.choice("abc") for _ in weights]})
    units = plain.assign(weight=[f"{weight // 10},{weight % 10} kg" for weight in weights])
    study = Study([Attribute("weight", 40, 120, layers=4, resolution=0.1)], k=3)
    grid = only(study, "local", "safe", "microaggregated")
    expected = compare(plain, study, grid).to_frame().drop(columns="verdict")
    pd.testing.assert_frame_equal(compare(units, study, grid).to_frame().drop(columns="verdict"), expected)
    # Dates and gaps stand where hierarchies put them, and no way breaks off.
    day = Attribute("day", date(2024, 1, 1), date(2025, 1, 1), layers=2, fanout=2, unit="day")
    gaps = Attribute("weight", 40, 120, layers=4, resolution=0.1, missing="category")
    some = ["" if place % 9 == 0 else cell for place, cell in enumerate(units["weight"])]
    table, asked = units.assign(day=days, weight=some), Study([gaps, day], k=3)
    ways = {p.option.way.name: p for p in compare(table, asked, OptionGrid.of(asked)).points}
    assert ways["local"].value("query_error") is not None
    assert "'weight' holds missing or coded values" in ways["microaggregated"].problem
    assert not any(
        "weight" in p.problem for name, p in ways.items() if name not in ("microaggregated", "heterogeneous")
    )


def test_the_toy_is_stopped_as_it_is_and_something_else_passes() -> None:
    toy = synthesize("toy")
    comparison = compare(toy.data, toy.study)
    assert comparison.present is not None
    assert comparison.present.verdict == "stop"
    assert comparison.recommended is not None
    assert comparison.recommended.option.k >= toy.study.k


def test_columns_that_are_removed_are_in_no_release(small: tuple[pd.DataFrame, Study]) -> None:
    data, study = small
    named = data.assign(name=[f"p{row}" for row in range(len(data))])
    asked = study.with_roles(study.roles.given("name", "removed"))
    comparison = compare(named, asked, OptionGrid.of(asked))
    publisher = Publisher(named, asked, comparison.sensitive)
    for point in comparison.points:
        assert not point.problem
        assert "name" not in publisher.publish(point.option).table.frame
        assert "removed-published" not in [finding.code for finding in point.findings]


def test_codes_of_digits_are_no_numbers_to_any_way() -> None:
    draw = np.random.default_rng(3)
    towns = pd.Series(draw.choice(["79098", "79100", "77652", "77654"], 60), dtype="str")
    data = pd.DataFrame({"zip": towns, "weight": draw.integers(40, 120, 60), "ill": draw.choice(list("abcde"), 60)})
    codes = propose_codes(data["zip"])
    assert codes is not None
    study = Study([codes, Attribute("weight", 40, 120, layers=3)], 3)
    comparison = compare(data, study, only(study, *WAYS), sensitive="ill")
    problems = {point.option.way.name: point.problem for point in comparison.points}
    assert problems["heterogeneous"] == ""
    assert "'zip' holds categories" in problems["microaggregated"]


def test_options_around_are_tried_after_every_way_and_none_twice():
    made = synthesize("toy")
    around = grid_around(made.study, len(made.data))
    alone, both = compare(made.data, made.study), compare(made.data, made.study, around=around)
    tried = [point.option for point in both.points]
    assert tried[: len(alone.points)] == [point.option for point in alone.points]
    assert set(tried) == {point.option for point in alone.points} | set(around.options())
    assert len(tried) == len(set(tried))
    assert both.complete
    # Options with a smaller k pass, and the wider ones with the study's k were tried all the same.
    assert any(point.verdict == "ready" and point.option.k < made.study.k for point in both.points)
    assert both.recommended.option.k >= made.study.k
    few = len(alone.points) + 1
    told = []
    cut = compare(
        made.data, made.study, around=around, progress=lambda *now: told.append(now), cancelled=lambda: len(told) >= few
    )
    assert (len(cut.points), cut.complete) == (few, False)
    assert {total for _, total, _ in told} >= {len(tried)}
