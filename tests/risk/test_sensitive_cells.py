"""Cells of any release: which are sensitive, and who could estimate whom."""

import random
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

from cra_engine.criteria.concentration import Dominance, PRule
from cra_engine.errors import DataError
from cra_engine.risk.sensitive_cells import Cell, classes_of, sensitive_cells


def cell(*contributions: int) -> Cell:
    return Cell(0, "x", tuple(range(len(contributions))), tuple(map(Fraction, contributions)))


def test_the_second_largest_on_the_largest_by_hand() -> None:
    # 90, 10, 5: the total is 105; less the own 10 leaves at most 95. The third has at most 10: at least 85.
    found = cell(90, 10, 5).closest()
    assert (found.who, found.whom, found.lower, found.upper, found.error) == (1, 0, 85, 95, Fraction(5, 90))
    # Much may be with the others: at least as much as the second's own.
    assert cell(10, 10, 10).closest().lower == 10
    # Two contributors know each other exactly.
    two = cell(70, 20).closest()
    assert two.lower == two.upper == 70
    assert cell(7).closest() is None
    assert cell(5, -1).closest() is None
    assert cell(5, -1).estimates() == ()
    assert cell(0, 0, 0).closest().error is None


def worlds(total: int, size: int, own: int, *, second: bool):
    """What the others may have, by the total and the own contribution; the largest of them first."""

    def parts(left: int, count: int, most: int):
        if count == 1:
            if left <= most:
                yield (left,)
            return
        for value in range(min(left, most), -1, -1):
            for rest in parts(left - value, count - 1, value):
                yield (value, *rest)

    for others in parts(total - own, size - 1, total):
        if not second or (others[0] >= own and all(other <= own for other in others[1:])):
            yield others


def test_the_interval_is_what_all_worlds_allow() -> None:
    rng = random.Random(3)
    for _ in range(60):
        values = sorted((rng.randint(0, 9) for _ in range(rng.randint(2, 4))), reverse=True)
        found = cell(*values).closest()
        possible = [others[0] for others in worlds(sum(values), len(values), values[1], second=True)]
        assert (found.lower, found.upper) == (min(possible), max(possible))
        for estimate in cell(*values).estimates():
            own = values[estimate.who]
            possible = [x for others in worlds(sum(values), len(values), own, second=False) for x in others]
            assert estimate.upper == max(possible)


def test_nobody_estimates_more_closely_than_the_second_the_largest() -> None:
    rng = random.Random(4)
    for _ in range(200):
        one = cell(*sorted((rng.randint(0, 30) for _ in range(rng.randint(2, 6))), reverse=True))
        errors = [estimate.error for estimate in one.estimates() if estimate.error is not None]
        if errors:
            assert one.closest().error == min(errors)
            p = Fraction(rng.randint(1, 12), 10)
            sensitive = not PRule(p).holds([int(c) for c in one.contributions])
            assert sensitive == bool(one.estimates(within=p))


def test_closest_first_is_the_order_of_the_errors() -> None:
    rng = random.Random(6)
    table = pd.DataFrame({name: [rng.randint(0, 9) for _ in range(60)] for name in "xy"})
    found = sensitive_cells([range(at, at + 3) for at in range(0, 60, 3)], table)
    errors = [found.cell(*place).closest().error for place in found.closest_first]
    known = [error for error in errors if error is not None]
    assert known == sorted(known)
    assert errors[len(known) :] == [None] * (len(errors) - len(known))
    assert sorted(found.closest_first) == list(found.offending)


def test_findings_name_cells_rules_and_what_is_undefined() -> None:
    table = pd.DataFrame({"name": list("abcdef"), "x": [90, 10, 5, 3, 4, 3], "y": ["1", "1", "-1", "0", "0", "0"]})
    found = sensitive_cells([[0, 1, 2], [3, 4], [5]], table, [Dominance(1, "0.6"), PRule("0.6")])
    assert found.columns.names == ("x", "y")
    assert found.cells == 6
    dominance, p = found.findings
    assert dominance.sensitive == ((0, 0), (2, 0))
    assert p.sensitive == ((0, 0), (1, 0))
    assert dominance.undefined == p.undefined == ((0, 1),)
    assert found.alone == ((2, 0), (2, 1))
    assert found.cell(0, "x").rows == (0, 1, 2)
    assert found.cell(1, 0).contributions == (4, 3)
    assert found.cell(1, 0).rows == (4, 3)


@pytest.mark.parametrize(
    ("groups", "match"),
    [
        ([[0, 1], []], "no rows"),
        ([[0, 9]], "does not have"),
        ([[-1, 0]], "does not have"),
        ([[0, 1], [1]], "two classes"),
        ([[0, 0]], "twice in one"),
    ],
)
def test_classes_that_are_none(groups: list, match: str) -> None:
    with pytest.raises(DataError, match=match):
        sensitive_cells(groups, pd.DataFrame({"x": [1, 2, 3]}))


def test_no_class_at_all_has_no_cell() -> None:
    found = sensitive_cells([], pd.DataFrame({"x": [1, 2, 3]}))
    assert found.cells == 0
    assert [one.sensitive for one in found.findings] == [(), ()]


def test_classes_are_equal_rows_in_the_order_of_their_first() -> None:
    release = pd.DataFrame({"a": ["x", "*", "y", "x", "*", "*"], "b": ["1", "*", "1", "1", "2", "*"]})
    assert [rows.tolist() for rows in classes_of(release, ["a", "b"])] == [[0, 3], [2], [4]]
    assert [rows.tolist() for rows in classes_of(release, ["b"])] == [[0, 2, 3], [4]]
    assert classes_of(release.iloc[[1, 5]], ["a", "b"]) == ()


def test_classes_of_many_columns_do_not_overflow() -> None:
    rng = np.random.default_rng(0)
    release = pd.DataFrame({f"c{i}": rng.integers(0, 500, 900).astype(str) for i in range(12)})
    release = pd.concat([release, release], ignore_index=True)
    assert [rows.tolist() for rows in classes_of(release, list(release))] == [[i, i + 900] for i in range(900)]


@pytest.mark.parametrize(("by", "match"), [([], "Name the columns"), (["z"], "no column 'z'"), (["a", "a"], "twice")])
def test_columns_that_make_no_classes(by: list[str], match: str) -> None:
    with pytest.raises(DataError, match=match):
        classes_of(pd.DataFrame({"a": ["1"]}), by)
