"""Options that several commands have."""

from pathlib import Path
from typing import Annotated

import typer

from cra_engine.choices import AttackTies, DecimalSign, Prior

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
PriorOption = Annotated[
    Prior | None,
    typer.Option("--prior", help="distinct: all records differ (the paper). independent: records may be alike."),
]
PopulationOption = Annotated[
    Path | None,
    typer.Option(
        "--population",
        metavar="SHARES.csv",
        help="Draw records from these shares: attribute,lower,upper,share or attribute,value,share.",
    ),
]
