"""What is certain about single cells, and why: CP-SAT on the tight system."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ortools.sat.python import cp_model

from cra_engine.components import Component, Option, Sum
from cra_engine.system import Bound, TightSystem


def _solve(
    model: cp_model.CpModel, left: Callable[[], float], most: float
) -> tuple[cp_model.CpSolver, cp_model.CpSolverStatus]:
    """Solve on one thread for ``most`` seconds or as long as time is left, and stop soon after a cancellation."""
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.max_time_in_seconds = max(min(left(), most), 0.01)
    done = threading.Event()

    def watch() -> None:
        while not done.wait(0.1):
            if left() <= 0:
                solver.stop_search()

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        status = solver.solve(model)
    finally:
        done.set()
        watcher.join()
    return solver, status


def _model(option: Option, chosen: Sequence[int], atoms: int, k: int) -> tuple[cp_model.CpModel, list[cp_model.IntVar]]:
    """One variable per atom, and the chosen sums of an option."""
    model = cp_model.CpModel()
    most = max((s.upper for s in option.sums), default=0)
    counts = [model.new_int_var(0, most, f"x{atom}") for atom in range(atoms)]
    for position in chosen:
        s = option.sums[position]
        if s.boxes:
            _add_skipped(model, counts, s, k)
        else:
            model.add_linear_constraint(sum(counts[atom] for atom in s.atoms), s.lower, s.upper)
    return model, counts


def _add_skipped(model: cp_model.CpModel, counts: Sequence[cp_model.IntVar], s: Sum, k: int) -> None:
    """Of the boxes of a skipped state, those with k records or more hold at most ``s.upper`` together."""
    spent = []
    for box in s.boxes:
        held = sum(counts[atom] for atom in box)
        full, part = model.new_bool_var(""), model.new_int_var(0, s.upper, "")
        model.add(held <= k - 1).only_enforce_if(~full)
        model.add(part >= held).only_enforce_if(full)
        spent.append(part)
    model.add(sum(spent) <= s.upper)


def fixed_atoms(
    component: Component, lowest: Sequence[int], highest: Sequence[int], k: int, seconds: Callable[[], float]
) -> tuple[dict[int, int], bool]:
    """The atoms whose count is the same in every possible data set.

    Atoms that sampled data sets have shown to vary are not asked for. One solve seeks a data set in which as many of
    the others as possible differ from what was always seen; when none can, all that remain are fixed.

    Args:
        component: the component.
        lowest: smallest count seen per atom.
        highest: largest count seen per atom.
        k: of the release.
        seconds: how long may still be spent.

    Returns:
        The count per fixed atom, and True when the answer is complete. Atoms that the time did not suffice for are
        left out.
    """
    candidates = {atom: low for atom, (low, high) in enumerate(zip(lowest, highest, strict=True)) if low == high}
    for option in component.options:
        while candidates:
            model, counts = _model(option, range(len(option.sums)), len(component.atoms), k)
            differs = {}
            for atom, value in candidates.items():
                above, below = model.new_bool_var(f"a{atom}"), model.new_bool_var(f"b{atom}")
                model.add(counts[atom] >= value + 1).only_enforce_if(above)
                model.add(counts[atom] <= value - 1).only_enforce_if(below)
                model.add_at_most_one(above, below)
                differs[atom] = above + below
            model.maximize(sum(differs.values()))
            solver, status = _solve(model, seconds, 20.0)
            if status == cp_model.INFEASIBLE:
                break
            if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
                return {}, False
            moved = [atom for atom, value in candidates.items() if solver.value(counts[atom]) != value]
            if not moved:
                if status != cp_model.OPTIMAL:
                    return {}, False
                break
            for atom in moved:
                del candidates[atom]
    return candidates, True


@dataclass(frozen=True)
class Reason:
    """Why an atom's count is certain: a set of bounds from which none can be left out.

    Attributes:
        bounds: the bounds.
        minimal: True when each was shown to be needed; False when the time did not suffice.
    """

    bounds: tuple[Bound, ...]
    minimal: bool


def reason(option: Option, atoms: int, atom: int, value: int, k: int, seconds: Callable[[], float]) -> Reason | None:
    """A minimal set of bounds that force ``atom`` to hold ``value``; None without one, or without an answer in time.

    Bounds are dropped one after the other as long as the rest still force the value (a deletion filter).
    """
    needed = list(range(len(option.sums)))
    if not _forced(option, needed, atoms, atom, value, k, seconds):
        return None
    minimal = True
    for position in sorted(needed, key=lambda p: atom in option.sums[p].atoms):
        rest = [p for p in needed if p != position]
        forced = _forced(option, rest, atoms, atom, value, k, seconds) if seconds() > 0 else None
        if forced:
            needed = rest
        minimal &= forced is not None  # without an answer the bound stays, but nobody knows whether it has to
    return Reason(tuple(option.bounds[p] for p in needed), minimal)


def _forced(
    option: Option, chosen: Sequence[int], atoms: int, atom: int, value: int, k: int, seconds: Callable[[], float]
) -> bool | None:
    """True when the chosen bounds leave ``atom`` no other value; None without an answer in time."""
    model, counts = _model(option, chosen, atoms, k)
    model.add(counts[atom] != value)
    status = _solve(model, seconds, 10.0)[1]
    return None if status == cp_model.UNKNOWN else status == cp_model.INFEASIBLE


def describe_bound(system: TightSystem, option: Option, bound: Bound) -> str:
    """A bound of the tight system in words, with its numbers."""
    grid = system.grid
    if bound.part is not None:
        who = "The suppressed records" if bound.part == -1 else f"Class {bound.part}"
        return f"{who}: {bound.upper} record{'' if bound.upper == 1 else 's'} in {_cells(len(bound.cells))}."
    state = ", ".join(map(str, bound.state or ()))
    if bound.boxes:
        return (
            f"State ({state}) was skipped: those of its boxes that held {system.k} records or more "
            f"held at most {bound.upper} together ({len(bound.boxes)} boxes could)."
        )
    owners = sorted({int(option.hypothesis.owner[cell]) for cell in bound.cells})
    names = ["the suppressed" if owner == -1 else f"class {owner}" for owner in owners]
    return (
        f"When state ({state}) had its turn, {grid.describe(bound.segment)} did not become a class: "
        f"it held at most {bound.upper} of the records of {_listed(names)} ({_cells(len(bound.cells))})."
    )


def _cells(count: int) -> str:
    return f"{count} open cell{'' if count == 1 else 's'}"


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
