"""Results as plain data for JSON: whole numbers that can pass 2**53 as text, boxes and states as lists."""

from collections.abc import Sequence
from typing import Any

from cra_engine.attacks.refinement.class_attack import ClassAttack
from cra_engine.counting.enumeration import Enumeration
from cra_engine.risk.singling import SingledClass, SinglingChances, SinglingOut
from cra_engine.study.grid import Cell, Grid, Segment
from cra_engine.words import digits

Json = dict[str, Any]


def _box(grid: Grid, segment: Segment) -> list[list[float | str]]:
    return [list(side) for side in grid.box(segment)]


def _cells(grid: Grid, cells: Sequence[Cell]) -> list[list[list[float | str]]]:
    return [_box(grid, grid.cell_segment(cell)) for cell in cells]


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
