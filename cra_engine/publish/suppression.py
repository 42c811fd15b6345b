"""Secondary suppression: cells hidden besides the sensitive ones, so that totals do not give these back.

A table of non-negative cells is published with some of its sums, and with some cells hidden. Who knows the sums solves
for each hidden cell: it lies between the least and the largest value that some table with the same sums and the same
other cells has there. A sensitive cell is protected when that interval reaches as far above and below the truth as the
rule asks (Hundepool et al., Statistical Disclosure Control, 2012, 4.4). Which cells to hide besides, at the least cost,
is a whole-numbered program (Fischetti and Salazar 2001); CP-SAT solves it, in whole numbers throughout.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil

from cra_engine.counting import cp_sat as cp_model
from cra_engine.criteria.cells import CellRule, Verdict, verdict
from cra_engine.criteria.concentration import Dominance, PRule
from cra_engine.errors import CRAError
from cra_engine.patience import checkpoint

SECONDS = 60.0
MOST = 2**53  # of a sum: twice it, times the cells, stays far from where the solver's whole numbers end
MOST_WORLDS = 400_000  # cells of all tables that the program imagines, two for each sensitive cell


class NotProtectedError(CRAError):
    """A publisher's failure: no choice of hidden cells protects the sensitive ones; the message says why."""


@dataclass(frozen=True)
class Need:
    """How far the interval of a sensitive cell has to reach once cells are hidden.

    Attributes:
        above: over the cell's value, 0 or more.
        below: under it, 0 up to the value.
    """

    above: int
    below: int


def need_of(rules: Sequence[CellRule], contributions: Sequence[int]) -> Need | None:
    """Return what the rules that call a cell sensitive ask of its interval, to hide cells; None where none does.

    With the interval's upper end ``X + above`` in place of the total ``X`` the p % rule's second largest contributor
    misses the largest by the share p, and the n largest no longer have more than the share r. Below it has to reach as
    far, as far as there is room.

    Args:
        rules: the rules.
        contributions: whole numbers, none negative.

    Raises:
        NotProtectedError: a dominance rule with the share 0, which no total is large enough for.

    >>> need_of([PRule("0.6")], [10, 7, 2])  # 2 < 6: the total 19 has to look like 23
    Need(above=4, below=4)
    >>> need_of([PRule("0.6")], [10, 7, 6]) is None
    True
    """
    ordered, total = sorted(contributions, reverse=True), sum(contributions)
    above = Fraction(0)
    found = False
    for rule in rules:
        if verdict(rule, ordered) != Verdict.SENSITIVE:
            continue
        found = True
        if isinstance(rule, Dominance):
            if not rule.share:
                raise NotProtectedError(f"By {rule.text} every cell is sensitive, hidden or not; take a larger share.")
            above = max(above, sum(ordered[: rule.n]) / rule.share - total)
        elif isinstance(rule, PRule):
            above = max(above, rule.share * ordered[0] - sum(ordered[2:]))
    return Need(ceil(above), min(ceil(above), total)) if found else None


def hidden_cells(
    values: Sequence[int],
    sums: Sequence[Sequence[int]],
    needs: Mapping[int, Need],
    costs: Sequence[int],
    time_limit: float = SECONDS,
) -> frozenset[int]:
    """Choose the cells to hide from a published table at the least cost, the sensitive ones among them.

    Args:
        values: the cells, whole numbers, none negative.
        sums: the published sums, each the places of its cells.
        needs: per sensitive cell how far its interval has to reach.
        costs: what hiding each cell costs, 0 or more.
        time_limit: seconds.

    Raises:
        NotProtectedError: not even hiding every cell protects all sensitive ones.
        CRAError: numbers or tables are too large, or the time ran out before the least cost was proven.

    >>> hidden_cells([10, 3, 8, 5], [[0, 1, 2, 3]], {0: Need(4, 4)}, [1, 1, 1, 1]) in ({0, 2}, {0, 3})
    True
    """
    if not needs:
        return frozenset()
    largest = max((sum(values[place] for place in one) for one in sums), default=0) + max(values)
    one_sum = len(sums) == 1 and sorted(sums[0]) == list(range(len(values)))
    if largest >= MOST or (not one_sum and len(needs) * 2 * len(values) > MOST_WORLDS):
        raise CRAError(
            "Which cells to hide is too large to settle: numbers of many digits, or many sensitive cells in a column; "
            "take a larger k, or merge clusters instead."
        )
    model = cp_model.CpModel()
    hidden = [model.new_bool_var("") for _ in values]
    for place, need in needs.items():
        checkpoint()
        model.add(hidden[place] == 1)
        if one_sum:  # the other hidden cells can give so much up, and one of them can take what this one loses
            others = [other for other in range(len(values)) if other != place]
            model.add(sum(values[other] * hidden[other] for other in others) >= need.above)
            model.add(sum(hidden[other] for other in others) >= int(need.below > 0))
            continue
        for reach in (need.above, -need.below):
            if reach:
                _world(model, hidden, values, sums, place, reach)
    model.minimize(sum(cost * one for cost, one in zip(costs, hidden, strict=True)))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.max_time_in_seconds = time_limit
    status = solver.solve(model)
    if status == cp_model.INFEASIBLE:
        raise NotProtectedError(
            "Not even hiding every cell keeps the totals from giving a sensitive one back; publish fewer totals, or "
            "merge clusters instead."
        )
    if status != cp_model.OPTIMAL:
        raise CRAError(f"Within {time_limit:g} s it was not settled which cells to hide; allow more time, or merge.")
    return frozenset(place for place, one in enumerate(hidden) if solver.value(one))


def _world(
    model: cp_model.CpModel,
    hidden: Sequence[cp_model.IntVar],
    values: Sequence[int],
    sums: Sequence[Sequence[int]],
    place: int,
    reach: int,
) -> None:
    """A table that the published numbers allow, in which a sensitive cell is off by as much as it has to."""
    inside = {cell: [one for one in sums if cell in one] for cell in range(len(values))}
    tops = [
        min((sum(values[other] for other in one) for one in inside[cell]), default=values[cell] + abs(reach))
        for cell in range(len(values))
    ]
    moves = [model.new_int_var(-value, max(top - value, 0), "") for value, top in zip(values, tops, strict=True)]
    for move, is_hidden, value, top in zip(moves, hidden, values, tops, strict=True):
        model.add(move <= max(top - value, 0) * is_hidden)
        model.add(move >= -value * is_hidden)
    for one in sums:
        model.add(sum(moves[cell] for cell in one) == 0)
    model.add(moves[place] >= reach if reach > 0 else moves[place] <= reach)
