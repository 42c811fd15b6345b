"""A study to begin with, of a raw table of which nobody has said anything: what is proposed, with what to confirm."""

import textwrap
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from cra_engine.errors import StudyError
from cra_engine.raw.columns import find_gaps
from cra_engine.raw.contents import Column, inspect, known_to_others, with_quasi_identifiers, with_room
from cra_engine.raw.proposed_roles import roles_of
from cra_engine.raw.spellings import spellings
from cra_engine.study.study import Study
from cra_engine.words import how_many, listed

FEW_ROWS = 0.05  # of all: up to so many are left out for missing values rather than made a category
HEAD = (
    "A first study of {name}, proposed from its cells. Nobody has decided anything yet: read each block, correct what "
    "is wrong, and delete these comments, which tell of the data, before readers get this file."
)
MEANINGS = "What the settings mean: python -m pydoc cra_engine.Attribute, and cra_engine.Study"
K = "The smallest number of people who share a published row."


@dataclass(frozen=True)
class FirstStudy:
    """A study proposed for a raw table.

    Attributes:
        study: the study.
        text: its file, with comments that say why and what to confirm.
        too_many: columns that others may know too, for which the study has no room; they are in no list.
    """

    study: Study
    text: str
    too_many: tuple[str, ...]


def first_study(data: pd.DataFrame, name: str, chosen: Collection[str] = (), *, keep: bool = False) -> FirstStudy:
    """Propose a study for a raw table: quasi-identifiers with hierarchies, missing values, roles.

    Args:
        data: the raw table.
        name: what its file is called.
        chosen: the quasi-identifiers; without them those columns that others may know of a person.
        keep: also keep the columns in which nothing identifying is seen.

    Raises:
        StudyError: a column that is chosen is not there or has no hierarchy; or none looks as if others knew it.
    """
    columns = inspect(data)
    suited = _chosen(columns, chosen) if chosen else known_to_others(columns)
    if not suited:
        raise StudyError("No column looks like one that others know of a person; name those that they know with --qi.")
    taken = with_room(suited)
    study = with_quasi_identifiers(None, columns, [column.name for column in taken])
    gaps = {one.name: find_gaps(data[one.name], one.reader.listed) for one in study.attributes}
    rows = int(np.any(list(gaps.values()), axis=0).sum())
    missing = advised_missing(rows, len(data))
    looks = [column.looks for column in columns if column.looks is not None]
    study = study.changed(
        attributes=[one.with_missing(missing) if gaps[one.name].any() else one for one in study.attributes],
        roles=roles_of(looks, keep=keep).without(study.names),
    )
    too_many = tuple(column.name for column in suited[len(taken) :])
    said = {one.name: _said(one, np.flatnonzero(gaps[one.name]) + 1) for one in columns if one.name in gaps}
    return FirstStudy(study, _text(study, HEAD.format(name=name), said, columns, too_many), too_many)


def advised_missing(rows: int, records: int) -> str:
    """Return what is advised for missing values: few rows are missed less than columns are spoilt by a category.

    >>> advised_missing(3, 100), advised_missing(30, 100)
    ('leave-out', 'category')
    """
    return "leave-out" if rows <= FEW_ROWS * records else "category"


def _chosen(columns: Sequence[Column], names: Collection[str]) -> list[Column]:
    by_name = {column.name: column for column in columns}
    for name in names:
        if name not in by_name:
            raise StudyError(f"The table has no column {name[:60]!r}; it has: {', '.join(map(repr, by_name))}.")
        if by_name[name].direct:
            raise StudyError(f"The column {name[:60]!r} says who somebody is; it is removed, and no quasi-identifier.")
        if by_name[name].hierarchy is None:
            why = by_name[name].refusal or "nothing is proposed for it."
            raise StudyError(f"The column {name[:60]!r} has no hierarchy to begin with: {why}")
    return [by_name[name] for name in dict.fromkeys(names)]


def _said(column: Column, gaps: NDArray[np.int64]) -> list[str]:
    """What to confirm of a quasi-identifier."""
    said = [f"{column.name}: {column.looks.reason if column.looks else ''}. Do others know it of a person?"]
    if column.proposal is not None:
        said += [*column.proposal.reasons, "Readers see the domain: take what anybody expects, whatever the data."]
    else:
        groups = "its beginning is shown" if column.coded else "each is shown as it is or not at all"
        said.append(
            f"{how_many(column.distinct, 'different value')}: {groups}. Write groups into the hierarchy file, one row "
            "per value: value;group;*"
        )
        if alike := spellings(column.name, column.counted):
            seem = listed([f"{text} for {usual}" for text, usual in alike.items()])
            said.append(f"One value seems to be written in several ways: {seem}. Write them alike in the table first.")
    said += [problem.text for problem in column.problems if not set(problem.rows) <= set(gaps.tolist())]
    if len(gaps):
        said.append(f'{how_many(len(gaps), "missing value")}; "leave-out", "category" or "*"?')
    return said


def _text(
    study: Study, head: str, said: dict[str, list[str]], columns: Sequence[Column], too_many: Collection[str]
) -> str:
    """The study file, each block below what is to be confirmed of it."""
    blocks = iter(study.names)
    lines = [*_comment(head), *_comment(MEANINGS), "", *_comment(K)]
    for line in study.to_toml_text().splitlines():
        if line == "[[attribute]]":
            lines += [part for text in said[next(blocks)] for part in _comment(text)]
        if line == "[roles]":
            lines += _of_roles(study, columns, too_many)
        lines.append(line)
    if not study.roles:
        lines += ["", *_of_roles(study, columns, too_many), "[roles]"]
    return "\n".join(lines) + "\n"


def _of_roles(study: Study, columns: Sequence[Column], too_many: Collection[str]) -> list[str]:
    """What to confirm of the other columns, and which of them nobody has said anything about."""
    others = [column for column in columns if column.name not in study.names and column.looks is not None]
    lines = []
    for column in others:
        role = study.roles.of(column.name)
        undecided = "undecided, and published as it stands until a list below names it"
        reason = column.looks.reason if column.looks else ""
        lines += _comment(f"{column.name}: {undecided if role == 'undecided' else role}; {reason}.")
    if too_many:
        lines += _comment(
            f"Others may know {listed(list(too_many))} too, and there is no room for more quasi-identifiers: remove "
            "columns, or give hierarchies of fewer layers."
        )
    return [
        *_comment("remove: in no release. sensitive: nobody is to learn it of a person. keep: as it stands."),
        *lines,
    ]


def _comment(text: str) -> list[str]:
    """A comment's lines; a cell or a name may hold what no comment may."""
    plain = "".join(character if character.isprintable() else " " for character in text)
    return [f"# {line}" for line in textwrap.wrap(plain, 118)]
