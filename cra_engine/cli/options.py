"""Options that several commands have."""

from pathlib import Path
from typing import Annotated

import typer

from cra_engine.choices import AttackTies, Backend, DecimalSign, Prior

DataArgument = Annotated[Path, typer.Argument(metavar="DATA.csv", help="The raw table.")]
StudyOption = Annotated[
    Path, typer.Option("--study", metavar="STUDY.toml", help="Study file (TOML): attributes, hierarchies, k, profile.")
]
KOption = Annotated[int | None, typer.Option("--k", metavar="K", help="Use this k instead of the study's.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]
ReleaseArgument = Annotated[Path, typer.Argument(metavar="RELEASE.csv", help="The published table.")]
ReleaseOutput = Annotated[Path, typer.Option("--output", metavar="RELEASE.csv", help="Where the release goes.")]
EarlierOption = Annotated[
    Path | None,
    typer.Option(
        "--earlier",
        metavar="EARLIER.csv",
        help="A safe release of the same people that is out already: draw inside its regions.",
    ),
]
EarlierStudyOption = Annotated[
    Path | None,
    typer.Option(
        "--earlier-study",
        metavar="SAFE1.toml",
        help="The study that its readers got, with the ledger of those before it; that of --study if left out.",
    ),
]
LOption = Annotated[
    int, typer.Option("--l", help="Fewest different values of each sensitive column that a group may show.")
]
TOption = Annotated[
    str | None,
    typer.Option("--t", metavar="SHARE", help="Largest distance of a group from the table; none if left out."),
]
AloneOption = Annotated[
    str,
    typer.Option("--alone", metavar="SHARE", help="Largest share of people who may be alone in the release."),
]
NobodyCertainOption = Annotated[
    bool,
    typer.Option("--nobody-certain/--certain-allowed", help="Whether the attack must single out nobody for certain."),
]
ReportOutput = Annotated[
    Path | None,
    typer.Option("--output", metavar="REPORT.html", help="Where the report goes; with --json it may be left out."),
]
DecimalOption = Annotated[
    DecimalSign | None,
    typer.Option("--decimal", help="What marks the decimals in DATA.csv, where its numbers do not tell: 1,250."),
]
StreamingOption = Annotated[
    bool | None,
    typer.Option(
        "--streaming/--in-memory",
        help="Block by block, for a table larger than the memory. Large files and Parquet need not be told. Needs "
        "[streaming].",
    ),
]
BackendOption = Annotated[
    Backend | None,
    typer.Option(
        help="For tables in folders of files, each by itself. loky: processes of this machine; needs [streaming]. "
        "dask: a cluster, whose workers see the folders; needs [cluster]."
    ),
]
SchedulerOption = Annotated[
    str | None, typer.Option("--scheduler", metavar="ADDRESS", help="The Dask scheduler: tcp://HOST:PORT.")
]
KeepOrderOption = Annotated[
    bool,
    typer.Option(
        "--keep-order",
        help="Leave the rows in the order of DATA.csv, which tells of a sorted table what was generalized.",
    ),
]
TiesOption = Annotated[
    AttackTies, typer.Option(help="sound: leave the order of exact ties open. paper: smaller state first.")
]
GsFactorOption = Annotated[
    str | None,
    typer.Option(
        "--gs-factor",
        metavar="FACTOR",
        help="How ARX weighed suppression, 0 to 1: its coding model. 0 is supposed if nobody says.",
    ),
]
PriorOption = Annotated[
    Prior | None,
    typer.Option(
        "--prior",
        help="distinct: all records differ (the paper). independent: records may be alike. assignments: they may, and "
        "nobody knows how common a cell is. Left out: distinct, unless the intervals hold so few values that some must "
        "be expected to be alike; then assignments.",
    ),
]
PopulationOption = Annotated[
    Path | None,
    typer.Option(
        "--population",
        metavar="SHARES.csv",
        help="Draw records from these shares: attribute,lower,upper,share or attribute,value,share.",
    ),
]
