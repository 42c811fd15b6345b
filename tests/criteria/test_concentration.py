"""The dominance and p % rules against the paper's formulas in fractions, on every cell of random releases."""

import random
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cra_engine.criteria.cells import ClassCells, Verdict, judged, verdict
from cra_engine.criteria.concentration import Dominance, PRule, dominance_of
from cra_engine.errors import StudyError
from oracles import microaggregation as plain

CELL = st.lists(st.one_of(st.integers(-3, 12), st.sampled_from([0, 10**20, 2**61, 2**62])), min_size=1, max_size=7)
SHARE = st.sampled_from(["0", "0.25", "0.5", "0.6", "2/3", "0.75", "1", "0.123456789012345678"])


def said(sensitive: bool | None) -> Verdict:
    return Verdict.UNDEFINED if sensitive is None else Verdict.SENSITIVE if sensitive else Verdict.NOT_SENSITIVE


@given(CELL, st.integers(1, 5), SHARE)
def test_dominance_is_equation_1(cell: list[int], n: int, r: str) -> None:
    share = Fraction(r)
    assert verdict(Dominance(n, share), cell) == said(plain.dominated(cell, n, share))


@given(CELL, SHARE.filter(lambda share: share != "0"))
def test_p_rule_is_equation_2(cell: list[int], p: str) -> None:
    assert verdict(PRule(Fraction(p)), cell) == said(plain.close(cell, Fraction(p)))


@given(CELL, SHARE.filter(lambda share: Fraction(share) > 0))
def test_2_dominance_follows_from_the_other_two(cell: list[int], r: str) -> None:
    share = Fraction(r)
    two = verdict(Dominance(2, share), cell)
    if verdict(Dominance(1, share), cell) == Verdict.SENSITIVE:
        assert two == Verdict.SENSITIVE
    if share < 1 and verdict(PRule((1 - share) / share), cell) == Verdict.SENSITIVE:
        assert two == Verdict.SENSITIVE


@given(CELL.filter(lambda cell: min(cell) >= 0 and len(cell) > 1), CELL.filter(lambda cell: min(cell) >= 0), SHARE)
def test_what_passes_apart_passes_together(one: list[int], other: list[int], share: str) -> None:
    """The fact that merging rests on; for p % both need two contributors, as clusters have."""
    rules = [Dominance(2, Fraction(share))]
    if Fraction(share) > 0 and len(other) > 1:
        rules.append(PRule(Fraction(share)))
    for rule in rules:
        if rule.holds(one) and rule.holds(other):
            assert rule.holds(one + other)


@pytest.mark.parametrize("size", [1, 10**15], ids=["int64", "integers"])
def test_all_cells_of_a_release_at_once(size: int) -> None:
    rng = random.Random(size)
    rules = [Dominance(1, "0.6"), Dominance(2, "0.6"), Dominance(3, 0.7), PRule("0.6"), PRule(Decimal("1.5"))]
    for _ in range(60):
        records, columns = rng.randint(2, 30), rng.randint(1, 4)
        values = np.array(
            [
                [rng.choice([0, 0, 1, 2, 5, 60, -1]) * size ** rng.randint(1, 2) for _ in range(columns)]
                for _ in range(records)
            ],
            dtype=object,
        )
        if size == 1:
            values = values.astype(np.int64)
        rows = rng.sample(range(records), records - rng.randint(0, 1))  # one may be suppressed
        cuts = sorted(rng.sample(range(1, len(rows)), rng.randint(0, min(4, len(rows) - 1)))) if len(rows) > 1 else []
        groups = [np.array(rows[a:b]) for a, b in zip([0, *cuts], [*cuts, len(rows)], strict=True)]
        cells = ClassCells(groups, values)
        for rule in rules:
            sensitive, undefined = judged(rule, cells)
            for number, group in enumerate(groups):
                for column in range(columns):
                    contributions = [int(value) for value in values[group, column]]
                    if isinstance(rule, Dominance):
                        expected = plain.dominated(contributions, rule.n, Fraction(str(rule.r)))
                    else:
                        expected = plain.close(contributions, Fraction(str(rule.p)))
                    found = None if undefined[number, column] else bool(sensitive[number, column])
                    assert found == expected
                    assert not (undefined & sensitive).any()


def test_by_hand() -> None:
    """Of 100, two have 60 (not more than 0.6), or 61; the third and fourth add up to 0.6 of the largest, or less."""
    assert Dominance(2, "0.6").holds([40, 20, 20, 20])
    assert not Dominance(2, "0.6").holds([41, 20, 20, 19])
    assert PRule("0.6").holds([10, 8, 3, 3])
    assert not PRule("0.6").holds([10, 8, 3, 2])
    assert (
        verdict(PRule("0.6"), [7]) == Verdict.NOT_SENSITIVE
    )  # one contributor is told apart, see SensitiveCells.alone
    assert verdict(Dominance(1, "0.6"), [7]) == Verdict.SENSITIVE
    assert verdict(Dominance(1, "0.6"), [0, 0, 0]) == Verdict.NOT_SENSITIVE
    assert verdict(Dominance(1, "0.6"), [5, -1]) == Verdict.UNDEFINED
    assert not Dominance(1, "1").holds([5, -1])


@pytest.mark.parametrize("share", ["0.3", 0.3, Decimal("0.3"), Fraction(3, 10)])
def test_a_share_counts_as_it_is_written(share: object) -> None:
    # As a double 0.3 is less than three tenths: three of ten would then be more than it.
    assert Dominance(1, share).holds([3, 3, 2, 2])


@pytest.mark.parametrize(
    "make",
    [
        lambda: Dominance(0, "0.6"),
        lambda: Dominance(-1, "0.6"),
        lambda: Dominance(True, "0.6"),
        lambda: Dominance(1.5, "0.6"),
        lambda: Dominance(2, "1.01"),
        lambda: Dominance(2, "-0.1"),
        lambda: Dominance(2, "much"),
        lambda: Dominance(2, float("nan")),
        lambda: Dominance(2, "1e-999999999"),
        lambda: Dominance(2, "9" * 5000),
        lambda: Dominance(2, None),
        lambda: PRule("0"),
        lambda: PRule(-1),
        lambda: PRule(float("inf")),
        lambda: PRule(""),
        lambda: PRule("1,5"),
        lambda: PRule("1_0"),
        lambda: dominance_of("2"),
        lambda: dominance_of("2;0.6"),
        lambda: dominance_of("two,0.6"),
        lambda: dominance_of("2,0,6"),
        lambda: dominance_of("99999999999999999999,0.6"),
    ],
)
def test_parameters_that_no_rule_can_have(make) -> None:
    with pytest.raises(StudyError) as caught:
        make()
    assert str(caught.value).endswith(".")
    assert len(str(caught.value)) < 1100
