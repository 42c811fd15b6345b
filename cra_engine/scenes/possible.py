"""One of the tables that a release leaves open."""

import random
from collections.abc import Iterator, Mapping

import pandas as pd

from cra_engine.attacks.solver.bounds import Bound, Hypothesis
from cra_engine.attacks.tight.system import TightSystem
from cra_engine.counting import cp_sat as cp_model
from cra_engine.errors import ReleaseError
from cra_engine.publish.local.recoding import recode
from cra_engine.release import Release
from cra_engine.scenes.scene import raw_value
from cra_engine.study.grid import Cell

DRAWS = 20  # of exact values, for each of the orders in which classes may have formed
SECONDS = 5.0


def possible_table(release: Release) -> pd.DataFrame:
    """Return a raw table to touch whose recoding gives exactly this release: the first one found, not a likely one.

    Args:
        release: of a few quasi-identifiers and some hundred records.

    Raises:
        ReleaseError: none was found.
    """
    wanted = sorted((one.segment, one.size) for one in release.classes)
    system = TightSystem(release)
    rng = random.Random(0)
    for hypothesis in system.hypotheses:
        counts = _counts(system, hypothesis)
        for _ in range(DRAWS if counts else 0):
            frame = pd.DataFrame(_records(release, counts, rng), columns=release.study.names)
            if sorted((one.segment, one.size) for one in recode(frame, release.study).release.classes) == wanted:
                return frame
    raise ReleaseError("No table was found that gives this release; give the raw table with its study instead.")


def _counts(system: TightSystem, hypothesis: Hypothesis) -> dict[Cell, int]:
    """How many records each cell may hold; empty where nothing was found in time."""
    model = cp_model.CpModel()
    held = [model.new_int_var(0, system.release.records, str(cell)) for cell in range(len(system.cells))]
    for bound in hypothesis.bounds:
        if isinstance(bound, Bound) and not bound.boxes:
            model.add_linear_constraint(sum(held[cell] for cell in bound.cells), bound.lower, bound.upper)
    # As many records as possible that differ.
    beyond = [model.new_int_var(0, system.release.records, f"alike {cell}") for cell in range(len(held))]
    for count, volume, alike in zip(held, system.volumes, beyond, strict=True):
        model.add(alike >= count - volume)
    model.minimize(sum(beyond))
    solver = cp_model.CpSolver()
    solver.parameters.max_time_in_seconds, solver.parameters.num_workers = SECONDS, 1
    solver.parameters.random_seed = 0
    if solver.solve(model) not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return {}
    found = dict(system.settled)
    for cell, count in zip(system.cells, held, strict=True):
        found[cell] = found.get(cell, 0) + solver.value(count)
    return found


def _records(release: Release, counts: Mapping[Cell, int], rng: random.Random) -> Iterator[list[object]]:
    """Records in these cells, different ones as far as there are enough values."""
    for cell, many in counts.items():
        shape = [attribute.leaf_values[leaf] for attribute, leaf in zip(release.attributes, cell, strict=True)]
        volume = 1
        for values in shape:
            volume *= values
        for drawn in rng.sample(range(volume), many) if many <= volume else rng.choices(range(volume), k=many):
            record, rest = [], drawn
            for attribute, leaf, values in zip(release.attributes, cell, shape, strict=True):
                rest, place = divmod(rest, values)
                record.append(raw_value(attribute, leaf, place, "" if attribute.dates else 0))
            yield record
