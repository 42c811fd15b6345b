"""Options that several commands have."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer


class Kind(StrEnum):
    """Data sets that can be synthesized."""

    toy = "toy"
    clinic = "clinic"
    hospitals = "hospitals"


class RecodeTies(StrEnum):
    """Which of several equally good states forms its classes first."""

    paper = "paper"
    arx = "arx"


class WorkBackend(StrEnum):
    """Who does the work of an experiment."""

    loky = "loky"
    dask = "dask"


class DecimalSign(StrEnum):
    """What stands before the decimals of a number."""

    point = "point"
    comma = "comma"


class AttackTies(StrEnum):
    """Who owns the cells that classes of tied states share."""

    sound = "sound"
    paper = "paper"


class PriorName(StrEnum):
    """Which tables count as likely."""

    distinct = "distinct"
    independent = "independent"


PriorOption = Annotated[
    PriorName,
    typer.Option("--prior", help="distinct: all records differ (the paper). independent: records may be alike."),
]


PopulationOption = Annotated[
    Path | None,
    typer.Option("--population", help="Shares to draw records from: attribute,lower,upper,share or attribute,value,share."),
]


StudyOption = Annotated[Path, typer.Option("--study", help="Study file (TOML): attributes, hierarchies, k, profile.")]


KOption = Annotated[int | None, typer.Option("--k", help="Use this k instead of the study's.")]


JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]


ReleaseArgument = Annotated[Path, typer.Argument(metavar="RELEASE.csv", help="The published table.")]


DecimalOption = Annotated[
    DecimalSign | None,
    typer.Option("--decimal", help="What marks the decimals in DATA.csv, where its numbers do not tell: 1,250."),
]


TiesOption = Annotated[
    AttackTies, typer.Option(help="sound: leave the order of exact ties open. paper: smaller state first.")
]
