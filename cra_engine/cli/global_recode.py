"""The command ``global-recode``: one state for all records, provably the best."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cra_engine.choices import Search, Utility
from cra_engine.cli.app import PUBLISH, app
from cra_engine.cli.clock import counting
from cra_engine.cli.files import (
    answer,
    hand_out,
    note,
    raw_table,
    share_of,
    study_of,
)
from cra_engine.cli.options import (
    BackendOption,
    DataArgument,
    DecimalOption,
    JsonOption,
    KeepOrderOption,
    KOption,
    ReleaseOutput,
    SchedulerOption,
    StudyOption,
)
from cra_engine.words import how_many

if TYPE_CHECKING:
    from cra_engine import GlobalRecoding


@app.command("global-recode", panel=PUBLISH, writes=("output", "lattice"), tables=("output",))
def global_recode_command(
    data: DataArgument,
    study: StudyOption,
    output: ReleaseOutput,
    k: KOption = None,
    suppression_limit: Annotated[
        str | None,
        typer.Option(metavar="SHARE", help="The largest share of all records that may be suppressed, 0 to 1."),
    ] = None,
    suppression_records: Annotated[
        int | None, typer.Option(metavar="N", help="The same as a number of records.")
    ] = None,
    utility: Annotated[Utility, typer.Option(help="The loss that decides.")] = "entropy",
    search: Annotated[
        Search,
        typer.Option(help="Whose order states are looked at in; exhaustive looks at all. The same optimum."),
    ] = "flash",
    lattice: Annotated[
        Path | None,
        typer.Option(
            "--lattice",
            metavar="STATES.csv",
            help="Where the figures of every state go, for the publisher alone; looks at each.",
        ),
    ] = None,
    decimal: DecimalOption = None,
    keep_order: KeepOrderOption = False,
    backend: BackendOption = None,
    scheduler: SchedulerOption = None,
    as_json: JsonOption = False,
) -> None:
    """Publish a table with one state for all records, the best there is; what fails a model is suppressed.

    Models besides k stand in the study file, a [[privacy]] table each: l-diversity, t-closeness, d-presence.
    """
    from cra_engine import global_recode
    from cra_engine.files.csv_text import csv_text
    from cra_engine.publish.full_domain.check import check_global_release

    publisher = study_of(study, k, models=True)
    raw, notes = raw_table(data, publisher, decimal, backend, scheduler)
    limit = share_of(suppression_limit, "The suppression limit")
    recoding = global_recode(
        raw,
        publisher,
        suppression_limit=limit,
        suppression_records=suppression_records,
        utility=utility,
        search=search,
        every_figure=lattice is not None,
        progress=counting("states"),
    )
    check_global_release(raw, recoding)
    states = [] if lattice is None else [(lattice, csv_text(recoding.lattice))]
    notes += hand_out(recoding.frame, output, *states, keep_order=keep_order)
    note(*notes, *recoding.warnings)
    answer(recoding.to_dict, lambda: _tell(recoding, output), as_json=as_json)


def _tell(recoding: "GlobalRecoding", output: Path) -> None:
    looks, measures = recoding.looks, recoding.measures
    asked = ", ".join(map(str, recoding.criteria))
    typer.echo(
        f"{how_many(recoding.records, 'record')}, {asked}: state {', '.join(map(str, recoding.state))} "
        f"({', '.join(recoding.study.names)}), {how_many(len(recoding.classes), 'class', 'classes')}, "
        f"{how_many(recoding.suppressed, 'record')} suppressed of at most {recoding.limit:,}."
    )
    predicted = looks.states - looks.checked
    typer.echo(
        f"No state is better by {recoding.utility}: {looks.checked:,} states checked + {predicted:,} predicted = "
        f"{looks.states:,}, {int(looks.anonymous.sum()):,} of them anonymous; {100 * looks.pruned:.1f} % pruned."
    )
    typer.echo(
        f"Average class {measures.value('aecs'):.6g}, discernibility {measures.discernibility:,}, precision "
        f"{measures.value('precision'):.6g}, entropy {measures.value('entropy'):,.3f} bits. Release in {output}."
    )
