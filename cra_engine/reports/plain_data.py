"""Results as plain data for JSON: whole numbers that can pass 2**53 as text, boxes and states as lists."""

import math
from collections.abc import Sequence
from typing import Any

from cra_engine.attacks.composition.compose import Composition
from cra_engine.attacks.refinement.attack import Attack
from cra_engine.attacks.refinement.class_attack import ClassAttack
from cra_engine.attacks.tight.outcome import TightAttack
from cra_engine.counting.enumeration import Enumeration
from cra_engine.risk.singling import SingledClass, SinglingChances, SinglingOut
from cra_engine.study.grid import Cell, Grid, Segment
from cra_engine.words import digits

Json = dict[str, Any]


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _box(grid: Grid, segment: Segment) -> list[list[float | str]]:
    return [list(side) for side in grid.box(segment)]


def _cells(grid: Grid, cells: Sequence[Cell]) -> list[list[list[float | str]]]:
    return [_box(grid, grid.cell_segment(cell)) for cell in cells]


def _part(part: ClassAttack) -> Json:
    known = part.basic or part.counted
    fewest, most = part.combinations_bounds
    return {
        "state": list(part.segment.state),
        "box": _box(part.release.grid, part.segment),
        "size": part.size,
        "free_cells": len(part.free_cells),
        "lr_solutions": digits(part.lr_solutions),
        "cra_solutions": digits(part.cra_solutions) if known else None,
        "cra_bounds": [digits(end) for end in part.cra_bounds],
        "ratio": _finite(part.ratio) if known else None,
        "log10_ratio": _finite(part.log10_ratio) if known else None,
        "combinations": digits(fewest) if fewest == most else None,
        "combinations_bounds": [digits(fewest), digits(most)],
    }


def attack_json(attack: Attack) -> Json:
    """What ``attack --json`` prints; a ratio that no float can hold, or that does not exist, is null."""
    return {
        "records": attack.release.records,
        "k": attack.release.k,
        "ties": attack.ties,
        "prior": attack.prior.name,
        "attributes": list(attack.release.study.names),
        "classes": [_part(part) for part in attack.classes],
        "suppressed": None if attack.suppressed is None else _part(attack.suppressed),
        "mean_ratio": _finite(attack.mean_ratio),
        "mean_ratio_compound": _finite(attack.mean_ratio_compound),
        "warnings": list(attack.warnings),
    }


def tight_json(tight: TightAttack) -> Json:
    """What ``attack --tight --json`` adds under ``tight``."""
    return _certain(tight, tight.release.grid) | {"refused": tight.refused or None}


def composition_json(together: Composition) -> Json:
    """What ``compose --json`` prints: the keys of the tight attack, and what each release says alone."""
    return {
        "records": together.releases[-1].records,
        "attributes": [attribute.name for attribute in together.grid.attributes],
        "grown": together.grown,
        "linked_rows": together.linked,
        "prior": together.prior.name,
        "releases": [
            {
                "records": one.release.records,
                "k": one.release.k,
                "fixed": len(one.fixed_cells),
                "isolated": len(one.isolated),
                "log10_worlds": one.tight.log10_worlds,
            }
            for one in together.alone
        ],
        **_certain(together, together.grid),
        "wider": [
            {
                "release": release + 1,
                "box": _box(together.releases[release].grid, together.releases[release].grid.cell_segment(cell)),
                "records": count,
            }
            for (release, cell), count in together.wider.items()
        ],
        "refused": None,
    }


def _certain(found: TightAttack | Composition, grid: Grid) -> Json:
    """How many tables are left, and what is known of each cell."""
    return {
        "status": found.status,
        "worlds": None if found.worlds is None else digits(found.worlds),
        "log10_worlds": found.log10_worlds,
        "log10_worlds_stderr": found.log10_worlds_stderr,
        "log10_worlds_interval": None if found.log10_worlds_interval is None else list(found.log10_worlds_interval),
        "log10_worlds_per_class": found.log10_worlds_per_class,
        "log10_worlds_intervals": found.log10_worlds_intervals,
        "fixed_cells": [
            {"box": _box(grid, grid.cell_segment(cell)), "records": count} for cell, count in found.fixed_cells.items()
        ],
        "fixed_cells_complete": found.complete,
        "upper_bound": found.relaxed,
        "isolated": _cells(grid, found.isolated),
        "expected_isolated": found.expected_isolated,
        "cells": [
            {
                "box": _box(grid, grid.cell_segment(view.cell)),
                "lowest": view.lowest,
                "highest": view.highest,
                "lowest_seen": None if view.seen is None else view.seen[0],
                "highest_seen": None if view.seen is None else view.seen[1],
                "probabilities": list(view.probabilities) or None,
                "exact": view.exact,
            }
            for view in found.cells
        ],
        "warnings": list(found.warnings),
    }


def enumeration_json(part: ClassAttack, listing: Enumeration) -> Json:
    """What ``enumerate --json`` prints."""
    return {
        "cells": _cells(part.release.grid, listing.cells),
        "assignments": [list(counts) for counts in listing.assignments],
        "complete": listing.complete,
        "combinations": digits(listing.combinations),
    }


def _single(grid: Grid, result: SingledClass) -> Json:
    return {
        "index": result.index,
        "outcome": result.outcome,
        "valid": result.valid,
        "isolating": _cells(grid, result.isolating),
    }


def _chance(grid: Grid, cell: Cell, lower: float, upper: float, parts: Sequence[int | None]) -> Json:
    return {
        "box": _box(grid, grid.cell_segment(cell)),
        "probability": lower if lower == upper else None,
        "probability_bounds": [lower, upper],
        "classes": list(parts),
    }


def singling_json(result: SinglingOut | SinglingChances) -> Json:
    """What ``single-out --json`` prints, with or without the raw data."""
    grid = result.attack.release.grid
    if isinstance(result, SinglingChances):
        known = [_chance(grid, c.cell, c.probability, c.probability, c.parts) for c in result.cells]
        limited = [_chance(grid, c.cell, c.lower, c.upper, c.parts) for c in result.bounded]
        return {
            "cells": known + limited,
            "assumption": result.assumption or None,
            "prior": result.attack.prior.name,
            "expected_isolated": None if result.bounded else result.expected_isolated,
            "expected_isolated_bounds": list(result.expected_bounds),
            "complete": result.complete,
        }
    return {
        "classes": [_single(grid, c) for c in result.classes],
        "suppressed": None if result.suppressed is None else _single(grid, result.suppressed),
        "summary": dict(result.summary),
        "summary_compound": dict(result.summary_compound),
    }
