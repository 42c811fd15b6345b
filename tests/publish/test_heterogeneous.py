"""Heterogeneous generalization end to end: what every table must keep, read from the release and the secret graph."""

import re
from collections import Counter
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cra_engine import CRAError
from cra_engine.patience import Stopped, stoppable
from cra_engine.publish.heterogeneous.result import Heterogeneous, homogeneous_gcp
from cra_engine.publish.heterogeneous.scheme import heterogeneous
from cra_engine.publish.heterogeneous.sides import measured_side
from cra_engine.published import Interval

QIS = ["age", "weight", "town", "job"]


@st.composite
def tables(draw: st.DrawFn, most: int = 26) -> pd.DataFrame:
    records = draw(st.integers(4, most))
    column = st.lists(st.integers(0, 5), min_size=records, max_size=records)
    ages, weights, towns, jobs, ills = (draw(column) for _ in range(5))
    return pd.DataFrame(
        {
            "age": [20 + 3 * age for age in ages],
            "weight": [f"{50 + weight / 4:.2f}" for weight in weights],
            "town": [f"town {town % 4}" for town in towns],
            "job": ["=job" if job else "none" for job in jobs],
            "illness": [f"i{ill % draw(st.integers(1, 6))}" for ill in ills],
        }
    )


def supports_of(data: pd.DataFrame) -> dict[str, int]:
    return data["illness"].value_counts().to_dict()


def holds(cell: str, value: Any) -> bool:
    """Whether a published cell covers a raw value, read as a person reads it."""
    if found := re.fullmatch(r"\[(\S+), (\S+)\]", cell):
        return float(found[1]) <= float(value) <= float(found[2])
    if cell.startswith("{") and " | " in cell:
        return str(value) in cell[1:-1].split(" | ")
    return cell == str(value) or float(cell) == float(value)


def gains(seen: list[Counter[str]], supports: dict[str, int], mu: int) -> list[Fraction]:
    """Per person or row the largest psi / phi - 1."""
    records = sum(supports.values())
    return [
        max((Fraction(n, mu) / Fraction(supports[v], records) for v, n in values.items()), default=Fraction(0)) - 1
        for values in seen
    ]


def seen_on_both_sides(result: Heterogeneous, data: pd.DataFrame) -> tuple[list[Counter[str]], list[Counter[str]]]:
    """The values behind each row, and those that each person sees on the rows that match it."""
    ill = data["illness"].tolist()
    people = [Counter[str]() for _ in ill]
    for shown, matches in zip(result.frame["illness"].tolist(), result.matches, strict=True):
        for person in matches:
            if person is not None and shown != "*":
                people[person][shown] += 1
    rows = [Counter(ill[p] for p in matches if p is not None) for matches in result.matches]
    return rows, people


def check(result: Heterogeneous, data: pd.DataFrame) -> None:
    """What every heterogeneous table keeps, whatever it was asked for."""
    mu, size = result.buckets, result.bucket_size
    parts = len(result.parts)
    assert result.rows == len(result.frame)
    assert result.rows == mu * size if parts == 1 else result.rows <= parts * mu * size
    assert result.dummies == result.rows - len(data)
    # Each person owns a row, gives its value to one, and stands behind mu of them.
    for secret in (result.own, result.carries):
        assert sorted(p for p in secret if p is not None) == list(range(len(data)))
    behind = Counter(p for matches in result.matches for p in matches if p is not None)
    assert behind == dict.fromkeys(range(len(data)), mu)
    raw = {name: data[name].tolist() for name in data.columns}
    published = {name: result.frame[name].tolist() for name in result.frame.columns}
    for row, (own, carries, matches) in enumerate(zip(result.own, result.carries, result.matches, strict=True)):
        real = [person for person in matches if person is not None]
        assert len(matches) == mu
        assert len(set(real)) == len(real) > 0
        assert own in matches
        assert carries in matches
        assert published["illness"][row] == ("*" if carries is None else raw["illness"][carries])
        for name in QIS:  # the cell covers all matches, and no more
            cell, values = published[name][row], {raw[name][person] for person in real}
            assert all(holds(cell, value) for value in values)
            extents = result.published.extents[name]
            extent = extents.distinct[extents.of_row[row]]
            if isinstance(extent, Interval):
                numbers = [float(value) for value in values]
                assert (extent.lower, extent.upper, extent.closed) == (min(numbers), max(numbers), True)
            else:
                assert extent.values == values  # noqa: PD011


def penalty(result: Heterogeneous, data: pd.DataFrame) -> float:
    """GCP from the secret matches, row by row."""
    total = 0.0
    for name in QIS:
        numeric = name in {"age", "weight"}
        raw = [float(cell) if numeric else cell for cell in data[name].tolist()]
        whole = max(raw) - min(raw) if numeric else len(set(raw)) - 1
        for matches in result.matches:
            real = [raw[person] for person in matches if person is not None]
            if whole:
                total += (max(real) - min(real) if numeric else len(set(real)) - 1) / whole
    return total / len(QIS) / len(result.matches)


ASKED = st.one_of(
    st.integers(2, 5).map(lambda l: {"l": l}),  # noqa: E741
    st.fractions(0, 5, max_denominator=8).map(lambda beta: {"beta": beta}),
)


@settings(max_examples=150)
@given(tables(), ASKED, st.sampled_from(["HG", "SG", "GR"]), st.sampled_from(["permutation", "paper"]))
def test_what_every_table_keeps(data: pd.DataFrame, asked: dict[str, Any], method: Any, extraction: Any) -> None:
    supports = supports_of(data)
    if "l" in asked and max(supports.values()) * asked["l"] > len(data):
        with pytest.raises(CRAError, match="cannot be made"):
            heterogeneous(data, QIS, "illness", method=method, extraction=extraction, **asked)
        return
    result = heterogeneous(data, QIS, "illness", method=method, extraction=extraction, seed=5, **asked)
    check(result, data)
    assert result.gcp == pytest.approx(penalty(result, data))
    rows, people = seen_on_both_sides(result, data)
    for side, seen in ((result.published_side, rows), (result.original_side, people)):
        gained = gains(seen, supports, result.buckets)
        assert side.max_beta == max(gained)
        twice = sum(max(values.values(), default=0) > 1 for values in seen)
        assert (side.of, side.repeated_count, side.repeated) == (len(seen), twice, Fraction(twice, len(seen)))
        if "l" in asked:
            assert side.over is side.over_count is None
        else:
            over = sum(gain > asked["beta"] for gain in gained)
            assert (side.over_count, side.over) == (over, Fraction(over, len(seen)))
    # The promises: behind a row always, before a person with our extraction.
    if "beta" in asked:
        assert result.beta_bound <= asked["beta"]
        assert result.published_side.max_beta <= result.beta_bound
        if extraction == "permutation":
            assert result.original_side.max_beta <= result.beta_bound
            assert result.original_side.over == 0
    else:
        assert result.published_side.repeated == 0
        if extraction == "permutation":
            split = {value for value, b in zip(sorted(supports), result.parts[0].touched, strict=True) if b > 1}
            assert all(n == 1 or value in split for values in people for value, n in values.items())


@settings(max_examples=40)
@given(tables(40), st.integers(5, 20))
def test_parts_keep_the_promise_for_the_whole_table(data: pd.DataFrame, partition: int) -> None:
    for asked in ({"l": 2}, {"beta": 2}):
        try:
            result = heterogeneous(data, QIS, "illness", partition=partition, seed=1, method="GR", **asked)
        except CRAError:
            continue
        check(result, data)
        if "beta" in asked:
            _, people = seen_on_both_sides(result, data)
            assert (
                max(gains(people, supports_of(data), result.buckets))
                == result.original_side.max_beta
                <= result.beta_bound
            )
            assert result.beta_bound <= 2


def test_the_papers_fifteen_tuples_have_three_kinds_of_match_sets() -> None:
    data = pd.DataFrame({"age": range(15), "illness": list("aaabbbcccddeeff")})
    for method in ("HG", "SG", "GR"):
        for seed in range(20):
            result = heterogeneous(data, ["age"], "illness", l=5, method=method, seed=seed)  # type: ignore[arg-type]
            sets = {"".join(sorted(data["illness"][[p for p in row if p is not None]])) for row in result.matches}
            # Sections 3.3: every row has a, b, c, and two of d, e, f.
            assert sets <= {"abcde", "abcdf", "abcef"}
            assert len(sets) == 3


def test_the_papers_extraction_breaks_its_promise_to_people_and_ours_does_not() -> None:
    chance = np.random.default_rng(0)
    data = pd.DataFrame({"age": chance.integers(20, 90, 400), "illness": chance.choice(list("abcdefgh"), 400)})
    by_paper = heterogeneous(data, ["age"], "illness", l=4, extraction="paper", seed=1)
    ours = heterogeneous(data, ["age"], "illness", l=4, seed=1)
    assert by_paper.published_side.repeated == ours.published_side.repeated == 0
    assert by_paper.original_side.repeated > Fraction(1, 4)
    assert ours.original_side.repeated < Fraction(1, 10)
    paper_beta = heterogeneous(data, ["age"], "illness", beta=Fraction(1, 2), extraction="paper", seed=1)
    our_beta = heterogeneous(data, ["age"], "illness", beta=Fraction(1, 2), seed=1)
    assert paper_beta.published_side.over == our_beta.published_side.over == our_beta.original_side.over == 0
    assert paper_beta.original_side.over is not None
    assert paper_beta.original_side.over > Fraction(1, 10)


def test_the_hungarian_way_loses_least_and_row_by_row_most() -> None:
    chance = np.random.default_rng(2)
    data = pd.DataFrame(
        {
            "age": chance.integers(17, 90, 600),
            "hours": chance.integers(1, 99, 600),
            "town": chance.choice(list("uvwxyz"), 600),
            "illness": chance.choice(list("abcdefghij"), 600),
        }
    )
    gcp = [
        heterogeneous(data, ["age", "hours", "town"], "illness", l=5, method=method, seed=1).gcp  # type: ignore[arg-type]
        for method in ("HG", "SG", "GR")
    ]
    assert gcp == sorted(gcp)
    assert gcp[0] < gcp[1] < gcp[2]


def test_homogeneous_groups_by_hand() -> None:
    # Two buckets: the groups {20, 21} and {50, 52} span 1 and 2 of 32 years, for two rows each.
    data = pd.DataFrame({"age": [20, 50, 21, 52], "illness": ["a", "a", "b", "b"]})
    result = heterogeneous(data, ["age"], "illness", l=2, seed=0)
    assert homogeneous_gcp(result) == pytest.approx((1 + 2) / 32 / 2)
    assert result.gcp == homogeneous_gcp(result)


def test_numbers_codes_and_single_values_are_written_as_they_should() -> None:
    data = pd.DataFrame({"zip": [1, 1, 7, 9], "height": ["1,50", "1,50", "2", "2"], "illness": list("abab")})
    result = heterogeneous(data, ["zip", "height"], "illness", l=2, categorical=["zip"], seed=0)
    assert sorted(result.frame["height"]) == ["1.5", "1.5", "2", "2"]
    assert sorted(result.frame["zip"]) == ["1", "1", "{7 | 9}", "{7 | 9}"]


def test_the_same_seed_gives_the_same_table_and_none_another_each_time() -> None:
    data = pd.DataFrame({"age": range(40), "illness": list("abcd") * 10})
    once, again = (heterogeneous(data, ["age"], "illness", l=2, seed=3) for _ in range(2))
    assert once.graph().equals(again.graph())
    assert once.frame.equals(again.frame)
    assert heterogeneous(data, ["age"], "illness", l=2).own != heterogeneous(data, ["age"], "illness", l=2).own


def test_columns_that_name_people_are_not_published_and_that_is_said() -> None:
    data = pd.DataFrame({"name": list("ABCD"), "age": range(4), "illness": list("abab")})
    result = heterogeneous(data, ["age"], "illness", l=2)
    assert list(result.frame.columns) == ["age", "illness"]
    assert "'name'" in result.notes[0]


def test_a_single_value_everywhere_loses_nothing() -> None:
    data = pd.DataFrame({"age": [3] * 4, "town": ["A"] * 4, "illness": list("abab")})
    assert heterogeneous(data, ["age", "town"], "illness", l=2).gcp == 0


def test_dummies_show_a_star_and_count_in_no_extent() -> None:
    data = pd.DataFrame({"age": [20, 21, 30, 31, 40], "illness": list("abcde")})
    result = heterogeneous(data, ["age"], "illness", l=2, seed=1)
    assert (result.rows, result.dummies) == (6, 1)
    assert list(result.frame["illness"]).count("*") == 1
    check_ages = [age for age in result.frame["age"] if age in {"20", "21", "30", "31", "40"}]
    assert len(check_ages) == 2  # the dummy's row, and the row whose other match is the dummy


def test_a_run_that_nobody_waits_for_ends() -> None:
    data = pd.DataFrame({"age": range(60), "illness": list("abcdef") * 10})
    for extraction in ("paper", "permutation"):
        with pytest.raises(Stopped), stoppable(lambda: True):
            heterogeneous(data, ["age"], "illness", l=3, extraction=extraction)  # type: ignore[arg-type]


def test_progress_counts_every_pair_of_buckets() -> None:
    data = pd.DataFrame({"age": range(60), "illness": list("abcdef") * 10})
    told: list[tuple[int, int]] = []
    heterogeneous(data, ["age"], "illness", l=6, partition=30, progress=lambda *done: told.append(done))
    assert told[-1] == (2 * 6 * 5, 2 * 6 * 5)
    assert told == sorted(told)


GOOD = pd.DataFrame({"age": [1, 2, 3, 4], "town": list("ABCD"), "illness": list("abab")})


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"l": None}, "either l"),
        ({"beta": 1}, "either l"),
        ({"l": 1}, "l is 1"),
        ({"l": 3}, "take l = 2"),
        ({"l": None, "beta": -1}, "beta is -1"),
        ({"method": "XX"}, "method 'XX'"),
        ({"extraction": "XX"}, "extraction 'XX'"),
        ({"seed": -1}, "seed is -1"),
        ({"partition": 1}, "Parts of 1"),
        ({"sensitive": "age"}, "both as the sensitive"),
        ({"sensitive": "nothing"}, "no column 'nothing'"),
        ({"quasi_identifiers": ["nothing"]}, "no column 'nothing'"),
        ({"quasi_identifiers": []}, "No quasi-identifier"),
        ({"quasi_identifiers": ["age", "age"]}, "named twice"),
        ({"categorical": ["town", "illness"]}, "'illness' is called categorical"),
        ({"data": GOOD[:0]}, "no record"),
        ({"data": GOOD.assign(age=[1, None, 3, 4])}, "'age': 1 missing value"),
        ({"data": GOOD.assign(age=["1", "?", "3", "4"])}, "'age': 1 missing value"),
        ({"data": GOOD.assign(age=[1, float("inf"), 3, 4])}, "'age', row 2 (3 in a spreadsheet): an infinite"),
        ({"data": GOOD.assign(town=["A", "", "C", "D"])}, "'town': 1 missing value"),
        ({"data": GOOD.assign(illness=["a", None, "a", "b"])}, "'illness': 1 missing value"),
        ({"data": GOOD.assign(town=["A", "B | C", "C", "D"])}, "'town', row 2 (3 in a spreadsheet): the value 'B | C'"),
        (
            {"data": GOOD.assign(illness=["a", "*", "a", "*"])},
            "'illness', row 2 (3 in a spreadsheet): the sensitive value",
        ),
        ({"data": pd.DataFrame({"age": [1, 2], "town": ["A", "B"], "illness": ["a", "a"]})}, "at all"),
        ({"data": pd.concat([GOOD, GOOD["age"]], axis=1)}, "several columns 'age'"),
    ],
)
def test_bad_input_gets_a_sentence(change: dict[str, Any], said: str) -> None:
    given_: dict[str, Any] = {"data": GOOD, "quasi_identifiers": ["age", "town"], "sensitive": "illness", "l": 2}
    with pytest.raises(CRAError, match=re.escape(said)):
        heterogeneous(**(given_ | change))


def test_too_many_buckets_are_refused_before_the_work_begins() -> None:
    data = pd.DataFrame({"age": range(9001), "illness": ["a"] * 9000 + ["b"]})
    with pytest.raises(CRAError, match="9,001 buckets"):
        heterogeneous(data, ["age"], "illness", beta=0)


def test_parts_that_cannot_be_diverse_are_refused() -> None:
    data = pd.DataFrame({"age": range(10), "illness": list("aaaaabbbcd")})
    with pytest.raises(CRAError, match="2-eligible in each"):
        heterogeneous(data, ["age"], "illness", l=2, partition=3)


def test_a_gain_is_above_beta_by_fractions_not_by_rounding() -> None:
    # Three of five people have value 0; two of two matches show it: from 3/5 to 1, a gain of 2/3.
    seen = np.array([[2, 0], [1, 1]])
    shares = [measured_side([seen], [3, 2], 2, beta).over for beta in (Fraction(0), Fraction(13, 20), Fraction(2, 3))]
    # At beta = 0 the second row is over, too: value 1 rises from 2/5 to 1/2.
    assert shares == [1, Fraction(1, 2), 0]


@settings(max_examples=25)
@given(tables(), st.fractions(0, 5, max_denominator=8))
def test_two_sensitive_columns_joined_keep_beta_for_each(data: pd.DataFrame, beta: Fraction) -> None:
    both = data.assign(illness=data["illness"] + ", " + data["town"]).drop(columns="town")
    result = heterogeneous(both, ["age", "weight", "job"], "illness", beta=beta)
    _, people = seen_on_both_sides(result, both)
    for part in (0, 1):
        supports = Counter(value.split(", ")[part] for value in both["illness"])
        seen: list[Counter[str]] = []
        for values in people:
            seen.append(Counter())
            for value, many in values.items():
                seen[-1][value.split(", ")[part]] += many
        assert max(gains(seen, dict(supports), result.buckets)) <= beta
