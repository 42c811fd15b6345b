"""Says whether a release is minimal, exactly (Cohen 2022, Definition 3.3).

A refinement may be taken as tight: each of its classes shows the smallest box around its records. So a refinement is a
partition of the records into groups of k or more, such that the smallest box around a group lies in the box of each of
its records; and it is strict when some record's box shrinks. Two records can be in one group only if each lies in the
other's box. Classes that are linked by such pairs form a component, and components are refined one by one.

A class that is linked to no other can only be split, and a split that exists stays one when all groups but one are put
together again; so looking at the children of its box is enough. Linked classes go to a solver, whose nodes are the
smallest boxes around sets of records.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from cra_engine.counting import cp_sat as cp_model
from cra_engine.patience import checkpoint
from cra_engine.publish.minimal.moves import Rows, joining, split, splits, tightened
from cra_engine.study.boxes import Leaves, Nodes, Space, classes_of

MAX_PAIRS = 200_000_000  # records or classes times classes times attributes that are compared
MAX_NODES = 20_000  # boxes around sets of records in one component
MAX_LOOKS = 40_000_000  # boxes times different records times attributes in one component
MAX_PLACES = 200_000  # pairs of a record and a box that it may show
EFFORT = 20.0  # of the solver for one component, in its own measure of work, so that no machine decides


@dataclass(frozen=True, eq=False)
class Minimality:
    """What is known of whether a release is minimal.

    Attributes:
        minimal: True or False where it is certain, None where it is not.
        finer: where it is not minimal, boxes that strictly refine it; per record.
    """

    minimal: bool | None
    finer: Nodes | None = None


@dataclass(frozen=True, eq=False)
class _Kinds:
    """Records of one component, those with the same leaves and the same box counted together."""

    leaves: Leaves
    boxes: Nodes
    counts: NDArray[np.int64]
    rows: list[Rows]


def judged(space: Space, leaves: Leaves, boxes: Nodes, k: int, *, apart: bool = False) -> Minimality:
    """Return whether a k-anonymous release is minimal.

    Args:
        space: the trees.
        leaves: per record and attribute its leaf.
        boxes: per record its box, which holds it; every class has k records, the root's apart perhaps.
        k: the smallest size of a class.
        apart: whether the class at the root, the suppressed records, may have fewer than k.
    """
    finer = tightened(space, leaves, boxes, k, apart=apart)
    if (finer != boxes).any():
        return Minimality(minimal=False, finer=finer)
    moved = _moved(space, leaves, boxes, k, apart=apart)
    if moved is not None:
        return Minimality(minimal=False, finer=moved)
    known = True
    components = _components(space, leaves, boxes)
    if components is None:
        return Minimality(minimal=None)
    for rows in components:
        refined = _solved(space, leaves, boxes, rows, k, apart=apart)
        if isinstance(refined, np.ndarray):
            return Minimality(minimal=False, finer=refined)
        known &= refined
    return Minimality(minimal=True if known else None)


def _moved(space: Space, leaves: Leaves, boxes: Nodes, k: int, *, apart: bool) -> Nodes | None:
    """One single move, where there is one."""
    rng = np.random.default_rng(0)
    classes = classes_of(boxes)
    for rows in classes:
        box = boxes[rows[0]]
        rest = 1 if apart and (box == space.root).all() else k
        moves = splits(space, leaves, rows, box, k, rest)
        if len(moves):
            goes, _ = split(space, leaves, rows, box, moves[0], rest, rng)
            return _with(boxes, goes, space.join(leaves[goes]))
    of_class = boxes[[rows[0] for rows in classes]]
    if len(classes) ** 2 * space.width > MAX_PAIRS:
        return None
    for outer, finer, found in joining(space, leaves, classes, of_class, k, apart=apart):
        whole = apart and (of_class[outer] == space.root).all()
        return _with(boxes, found if whole else found[: len(classes[outer]) - k], of_class[finer])
    return None


def _with(boxes: Nodes, rows: Rows, box: Nodes) -> Nodes:
    result = boxes.copy()
    result[rows] = box
    return result


def _components(space: Space, leaves: Leaves, boxes: Nodes) -> list[Rows] | None:
    """The rows of each set of two or more linked classes; None where too many would have to be compared."""
    classes = classes_of(boxes)
    if len(leaves) * len(classes) * space.width > MAX_PAIRS:
        return None
    reach = np.zeros((len(classes), len(classes)), dtype=bool)  # whether some record of one lies in the other's box
    by_class = leaves[np.concatenate(classes)]
    firsts = np.cumsum([0, *(len(rows) for rows in classes[:-1])])
    for outer, rows in enumerate(classes):
        checkpoint()
        reach[:, outer] = np.logical_or.reduceat(space.holds(boxes[rows[0]], by_class), firsts)
    linked = coo_array(reach & reach.T)
    number, part = connected_components(linked, directed=False)
    members: list[list[Rows]] = [[] for _ in range(number)]
    for place, rows in zip(part.tolist(), classes, strict=True):
        members[place].append(rows)
    return [np.sort(np.concatenate(rows)) for rows in members if len(rows) > 1]


def _solved(space: Space, leaves: Leaves, boxes: Nodes, rows: Rows, k: int, *, apart: bool) -> Nodes | bool:
    """A refinement of one component; True where there is none, False where nobody knows."""
    kinds = _kinds(leaves[rows], boxes[rows])
    nodes = _around_sets(space, kinds)
    if nodes is None:
        return False
    if apart and (kinds.boxes == space.root).all(axis=1).any() and not (nodes == space.root).all(axis=1).any():
        nodes = np.vstack([nodes, space.root])
    fits = np.array([_eligible(space, kinds, node) for node in nodes])
    free = apart & (nodes == space.root).all(axis=1)
    used = (fits @ kinds.counts >= k) | free
    nodes, fits, free = nodes[used], fits[used], free[used]
    if fits.sum() > MAX_PLACES:
        return False
    shown = _assigned(kinds, nodes, fits, free, k)
    if not isinstance(shown, list):
        return shown
    result = boxes.copy()
    for kind, places in enumerate(shown):
        result[rows[kinds.rows[kind]]] = nodes[places]
    return result


def _kinds(leaves: Leaves, boxes: Nodes) -> _Kinds:
    both = np.hstack([leaves, boxes])
    different, place, counts = np.unique(both, axis=0, return_inverse=True, return_counts=True)
    width = leaves.shape[1]
    order = np.argsort(place.reshape(-1), kind="stable")
    rows = np.split(order, np.cumsum(counts)[:-1])
    return _Kinds(different[:, :width], different[:, width:], counts, rows)


def _eligible(space: Space, kinds: _Kinds, node: Nodes) -> NDArray[np.bool_]:
    """The kinds of records that may show a box: it holds them and lies in the box that they show now."""
    return space.holds(node, kinds.leaves) & space.within(node, kinds.boxes)


def _around_sets(space: Space, kinds: _Kinds) -> Nodes | None:
    """Every smallest box around a set of records that lies in all their boxes; None where there are too many.

    Added one by one, the records of such a set give smaller boxes of the same sort, so growing them by one record at a
    time finds all.
    """
    todo = list(dict.fromkeys(map(tuple, kinds.leaves.tolist())))
    seen = set(todo)
    most = min(MAX_NODES, MAX_LOOKS // kinds.leaves.size)
    while todo:
        checkpoint()
        node = np.array(todo.pop(), dtype=np.int64)
        first, last = space.start(node), space.stop(node) - 1
        grown = space.around(np.minimum(first, kinds.leaves), np.maximum(last, kinds.leaves))
        grown = np.unique(grown[space.within(grown, kinds.boxes)], axis=0)
        for candidate in map(tuple, grown.tolist()):
            if candidate not in seen:
                box = np.array(candidate, dtype=np.int64)
                inside = kinds.leaves[_eligible(space, kinds, box)]
                if len(inside) and (space.join(inside) == box).all():
                    seen.add(candidate)
                    todo.append(candidate)
                    if len(seen) > most:
                        return None
    return np.array(sorted(seen), dtype=np.int64)


def _assigned(
    kinds: _Kinds, nodes: Nodes, fits: NDArray[np.bool_], free: NDArray[np.bool_], k: int
) -> list[list[int]] | bool:
    """Per kind the node of each of its records in some strict refinement; True for none, False for unknown."""
    if not cp_model.solver_there():
        return False
    model = cp_model.CpModel()
    places: list[list[tuple[int, cp_model.IntVar]]] = [[] for _ in kinds.rows]
    changed = []
    for node, (eligible, anyhow) in enumerate(zip(fits, free.tolist(), strict=True)):
        here = []
        used = model.new_bool_var("")
        for kind in np.flatnonzero(eligible).tolist():
            shown = model.new_int_var(0, int(kinds.counts[kind]), "")
            places[kind].append((node, shown))
            here.append(shown)
            if not anyhow:
                model.add(shown <= int(kinds.counts[kind]) * used)
            if (nodes[node] != kinds.boxes[kind]).any():
                changed.append(shown)
        if not anyhow:
            model.add(cp_model.LinearExpr.sum(here) >= k * used)
    for kind, count in enumerate(kinds.counts.tolist()):
        model.add(cp_model.LinearExpr.sum([shown for _, shown in places[kind]]) == count)
    model.add(cp_model.LinearExpr.sum(changed) >= 1)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.max_deterministic_time = EFFORT
    status = solver.solve(model)
    if status in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return [_spread([(node, int(solver.value(shown))) for node, shown in kind]) for kind in places]
    return bool(status == cp_model.INFEASIBLE)


def _spread(shown: Sequence[tuple[int, int]]) -> list[int]:
    return [node for node, count in shown for _ in range(count)]
