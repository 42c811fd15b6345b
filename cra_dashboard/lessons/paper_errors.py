"""The errors found in the paper as exercises; every number in the solutions is computed here, by the engine."""

import math
import tomllib
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

import pandas as pd

from cra_dashboard.places import LESSONS
from cra_dashboard.session import datasets
from cra_dashboard.texts import words
from cra_dashboard.texts.class_rows import class_rows, mean_ratio
from cra_dashboard.texts.numbering import recoded
from cra_engine import Attribute, Study, attack
from cra_engine.attacks.refinement.half_range import half_range
from cra_engine.study.grid import Grid, Segment
from cra_engine.words import listed, quotient


@dataclass(frozen=True)
class PaperError:
    """An exercise on an error in the paper.

    Attributes:
        where: the place in the paper.
        question: what the paper says, and what to find out.
        solution: what it should be, and why.
    """

    where: str
    question: str
    solution: str


@cache
def paper_errors() -> tuple[PaperError, ...]:
    """Return all exercises on errors in the paper, with their figures put in."""
    found = tomllib.loads((LESSONS / "paper.toml").read_text("utf-8"))["exercise"]
    figures = _figures()
    return tuple(PaperError(one["where"], one["question"], one["solution"].format_map(figures)) for one in found)


def _figures() -> dict[str, str]:
    two = (Attribute("A", 0, 100, 3), Attribute("B", 0, 100, 3))
    return {**_counted(two), **_of_three(), **_of_the_toy()}


def _counted(two: tuple[Attribute, Attribute]) -> dict[str, str]:
    grid = Grid(two)
    right, said = Segment((3, 1), (0, 0)), Segment((1, 3), (0, 0))

    def named(segment: Segment) -> str:
        return listed([f"B{1 + i + two[0].leaves * j}" for i, j in grid.cells(segment)])

    return {
        "cells": str(grid.size),
        "cells_said": str(math.prod(2**a.layers for a in two)),
        "segment": named(right),
        "segment_said": named(said),
        "state_said": words.state(said.state),
        "node_0": two[0].node(1, 0).interval,
        "node_1": two[0].node(1, 1).interval,
        "ratio_said": quotient(158, 221),
        "share_500": str(math.ceil(Fraction(500, 100))),
        "share_400": str(math.ceil(Fraction(400, 100))),
    }


def _of_three() -> dict[str, str]:
    """A class with three children, one of them empty."""
    study = Study([Attribute("A", 0, 27, 4, 3)], 3)
    # In the node [0, 9[ of layer 3: two records in [0, 3[, two in [3, 6[, none in [6, 9[.
    frame = pd.DataFrame({"A": [0, 1, 3, 4]})
    part = attack(recoded(frame, study).release).classes[0]
    children = part.bounded_attributes[0].children
    held = [int(frame["A"].between(3 * i, 3 * i + 2).sum()) for i in range(len(children))]
    ranges = [half_range(part, child) for child in children]
    return {
        "k": str(study.k),
        "held": listed([str(number) for number in held]),
        "size": str(part.size),
        "low": str(min(low for low, _ in ranges)),
        "high": str(max(high for _, high in ranges)),
        "bound": str(part.cap),
    }


def _of_the_toy() -> dict[str, str]:
    data, study = datasets.example("toy")
    rows = [row for row in class_rows(attack(recoded(data.frame, study).release)) if row.kind == "compound"]
    mean = mean_ratio(rows) or Fraction(0)
    promised, remaining = sum(row.promised for row in rows), sum(row.remaining or 0 for row in rows)
    least = min((row.ratio for row in rows if row.ratio is not None), default=Fraction(0))
    return {
        "mean_of_ratios": quotient(mean.numerator, mean.denominator),
        "ratio_of_means": quotient(promised, remaining),
        "least_ratio": quotient(least.numerator, least.denominator),
    }
