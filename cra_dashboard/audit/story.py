"""What the page Audit says of a release's hierarchies and of the cells where somebody may stand alone."""

from collections.abc import Sequence

import pandas as pd

from cra_dashboard.audit.state import Subject, own_instead
from cra_dashboard.texts import words
from cra_dashboard.texts.numbering import numbered
from cra_engine import Audit
from cra_engine.audits.findings import tables_left
from cra_engine.audits.guessed_hierarchies import GuessedHierarchy
from cra_engine.audits.notes import wider
from cra_engine.audits.shown_labels import extent
from cra_engine.publishable.archive import KEEP
from cra_engine.study.grid import Cell
from cra_engine.study.hierarchy import Hierarchy
from cra_engine.words import how_many, listed

EXACTLY_ONE = "Exactly one person"
SECRET = f"The ZIP holds the folder **{KEEP}**, which must not be handed out: it stays with the publisher."


def _guessed(trees: Sequence[GuessedHierarchy]) -> list[GuessedHierarchy]:
    return [tree for tree in trees if not tree.sure.startswith("Given")]


def hierarchies_told(given: Subject, trees: Sequence[GuessedHierarchy]) -> str:
    """Say on Audit which quasi-identifiers a release has, and how sure their hierarchies are."""
    guessed = _guessed(trees)
    names = words.plain(listed([tree.hierarchy.name for tree in trees]))
    sure = "given" if not guessed else "guessed" if len(guessed) == len(trees) else "in part guessed"
    constant = [tree.hierarchy.name for tree in guessed if len(given.frame[tree.hierarchy.name].dropna().unique()) == 1]
    told = f" Nothing can be read from {words.plain(listed(constant))}: one label only." if constant else ""
    return (
        f"**{words.plain(given.name)}** · {how_many(len(given.frame), 'record')} · quasi-identifiers: **{names}**; "
        f"hierarchies {sure}.{told}"
    )


def looked_at(given: Subject) -> str:
    """Say beside Audit's verdict what it is of, and what more would tell."""
    name = words.plain(given.name)
    if given.own is not None:
        return f"Looked at: the **{name}** in this session. Another release goes into **ZIP of a release**."
    alone, more = (", its rows alone", " With the ZIP the check says more.") if given.rows_alone else ("", "")
    beside = ", and nothing else of the ZIP" if given.secret else ""
    accepted = f" Accepted by who published it: {words.plain(given.accepted)}" if given.accepted else ""
    return f"Looked at: **{name}**{alone}{beside}.{more}{accepted}"


def given_away(audited: Audit) -> str:
    """Say on Audit what a release gives away, a line each; how many tables are possible says more to who knows how."""
    tables = tables_left(audited)
    said = (numbered(one, audited.release) for one in audited.findings if one not in tables)
    return "\n".join(f"- {words.plain(one)}" for one in said)


def of_another(given: Subject) -> str:
    """Say before Audit's verdict that it is not of what the session hands out; empty where that is not to be had."""
    return f"Not of the **{words.plain(own)}**, but of another file: " if (own := own_instead(given)) else ""


def trees_table(trees: Sequence[GuessedHierarchy], attributes: Sequence[Hierarchy]) -> pd.DataFrame:
    """Return Audit's table of hierarchies: as they are known, and as the attack computes with them."""
    guessed, hierarchies = _guessed(trees), [tree.hierarchy for tree in trees]
    return pd.DataFrame(
        {
            "Column": [one.name for one in hierarchies],
            "Domain": [extent(one) if one.numeric else "categories" for one in attributes],
            "Intervals per layer": [
                ", ".join(str(one.nodes_in(layer)) for layer in range(1, one.layers + 1)) for one in hierarchies
            ],
            "How sure": ["guessed from the labels" if tree in guessed else "given" for tree in trees],
        }
    )


def guesses_told(trees: Sequence[GuessedHierarchy], attributes: Sequence[Hierarchy]) -> str:
    """Say on Audit of each hierarchy that was guessed how sure it is."""
    computed = {attribute.name: attribute for attribute in attributes}
    return "\n".join(
        f"- **{words.plain(own.name)}**: {words.plain(tree.sure + wider(own, computed[own.name]))}"
        for tree in _guessed(trees)
        for own in [tree.hierarchy]
    )


def cells_table(audited: Audit, chances: Sequence[tuple[Cell, float]]) -> pd.DataFrame:
    """Return Audit's table of cells by how likely each holds exactly one person."""
    return pd.DataFrame(
        {
            EXACTLY_ONE: [chance for _, chance in chances],
            "Certain": ["yes" if cell in audited.isolated else "no" for cell, _ in chances],
            "Cell": [words.cell(audited.release.grid, cell) for cell, _ in chances],
        }
    )


def beyond_told(audited: Audit, chances: Sequence[tuple[Cell, float]]) -> str:
    """Say on Audit what the question marks are, and why the numbers beside them add up to fewer than likely alone."""
    told = "**?**: a \\* may stand for a value that no label shows."
    inside, expected = sum(chance for _, chance in chances), audited.assessment.expected.value
    if expected is not None and round(expected) > round(inside):
        told += (
            f" The numbers add up to {inside:,.1f} of the {expected:,.1f} people likely alone; the rest is supposed "
            "behind **?**."
        )
    return told
