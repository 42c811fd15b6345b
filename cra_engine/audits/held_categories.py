"""Cells of guessed categories, of which nothing is certain: another label of the column may stand for a group."""

from collections.abc import Sequence
from dataclasses import replace

import pandas as pd

from cra_engine.assess.assessment import Assessment
from cra_engine.assess.figure import Figure
from cra_engine.audits.guessed_hierarchies import GuessedHierarchy, read_labels
from cra_engine.audits.label_families import is_group
from cra_engine.release import Release
from cra_engine.study.grid import Cell
from cra_engine.words import how_many

OTHER_LABELS = "another category of a guessed hierarchy may be a group that holds it, or lie in it"


def without_held(
    assessment: Assessment, release: Release, table: pd.DataFrame, proposals: Sequence[GuessedHierarchy]
) -> Assessment:
    """Audit nothing as certain of a cell whose category another label of its column may hold, or lie in.

    Which categories hold others is told by their writing for sets and masks (``{a, b}``, ``81***``) and for intervals;
    any other label may be a group, and the guess takes it for a single category.
    """
    guessed = {proposal.hierarchy.name for proposal in proposals}
    plain = {
        position: {label for label in _categories(table, attribute.name) if not is_group(label)}
        for position, attribute in enumerate(release.study.attributes)
        if attribute.name in guessed
    }

    def is_held(cell: Cell) -> bool:
        nodes = [attribute.layer_nodes[0][leaf] for attribute, leaf in zip(release.study.attributes, cell, strict=True)]
        return any(labels - {nodes[position].label} for position, labels in plain.items())

    kept = tuple(cell for cell in assessment.certain_cells if not is_held(cell))
    if len(kept) == len(assessment.certain_cells):
        return assessment
    return replace(assessment, certain=Figure(len(kept), len(kept), None, "bound", OTHER_LABELS), certain_cells=kept)


def held_note(before: Assessment, after: Assessment) -> tuple[str, ...]:
    """Say in an audit how many cells are not called certain, as another label may hold their category."""
    gone = len(before.certain_cells) - len(after.certain_cells)
    if not gone:
        return ()
    text = (
        f"{how_many(gone, 'cell')} would hold exactly one person if every category were a single one; nothing is "
        f"called certain of {'it' if gone == 1 else 'them'}, since {OTHER_LABELS}. The columns' hierarchy files would "
        "settle it."
    )
    return (text,)


def _categories(table: pd.DataFrame, name: str) -> tuple[str, ...]:
    labels = read_labels(table[name].astype("object").dropna().unique())
    return () if labels.intervals else labels.plain
