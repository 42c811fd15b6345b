"""The command ``audit``, which looks at a release without the raw table."""

import math
from collections.abc import Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cra_engine.cli.app import CHECK, app
from cra_engine.cli.clock import left
from cra_engine.cli.files import (
    check_answers,
    counted_release,
    counts_rows,
    note,
    print_json,
    release_table_of,
    study_of,
    write,
)
from cra_engine.cli.options import (
    BackendOption,
    GsFactorOption,
    JsonOption,
    PopulationOption,
    PriorOption,
    ReleaseArgument,
    ReportOutput,
    SchedulerOption,
)
from cra_engine.cli.text import print_audit
from cra_engine.errors import StudyError

if TYPE_CHECKING:
    import pandas as pd

    from cra_engine.criteria.models import PrivacyModel
    from cra_engine.files.different_rows import Table
    from cra_engine.study.file_hierarchy import FileHierarchy


@app.command("audit", panel=CHECK, limited="all of it, reading included; 60 if not given")
def audit_command(
    release: ReleaseArgument,
    output: ReportOutput = None,
    study: Annotated[
        Path | None,
        typer.Option(
            "--study", metavar="STUDY.toml", help="Study file (TOML), if there is one; nothing is guessed then."
        ),
    ] = None,
    hierarchies: Annotated[
        Path | None,
        typer.Option(
            "--hierarchies",
            metavar="DIR",
            help="Folder of ARX hierarchy files, named COLUMN.csv or ANYTHING_COLUMN.csv.",
        ),
    ] = None,
    project: Annotated[
        Path | None,
        typer.Option(
            "--project",
            metavar="PROJECT.deid",
            help="ARX's project file: quasi-identifiers, hierarchies and k from it.",
        ),
    ] = None,
    qi: Annotated[
        list[str] | None,
        typer.Option(
            "--qi", metavar="NAME", help="A quasi-identifier; repeat for each. Proposed by their looks if left out."
        ),
    ] = None,
    k: Annotated[
        int | None,
        typer.Option("--k", metavar="K", help="k of the release; the study's, else the size of the smallest group."),
    ] = None,
    profile: Annotated[
        str | None,
        typer.Option(
            "--profile",
            metavar="PROFILE",
            help="paper, arx-gui, or the share of records per step; arx-gui if nobody says.",
        ),
    ] = None,
    gs_factor: GsFactorOption = None,
    seed: Annotated[int, typer.Option(metavar="SEED", help="Of the estimate.")] = 0,
    prior: PriorOption = None,
    population: PopulationOption = None,
    backend: BackendOption = None,
    scheduler: SchedulerOption = None,
    as_json: JsonOption = False,
) -> None:
    """Write a report on what a released table gives away; no raw data, and no study, are needed."""
    from cra_engine import audit as audited_by
    from cra_engine.audits.report import audit_html
    from cra_engine.reports.filed import checked_files
    from cra_engine.study.arx_project import read_arx_project

    check_answers(output, as_json=as_json)
    if prior is not None and population is not None:
        raise StudyError("Give a prior or a population, not both: a population is a prior of its own.")
    shown: Table
    if counts_rows(release, backend, scheduler):
        shown, notes = counted_release(release, backend, scheduler)
        note(*notes)
        table = shown.frame
    else:
        table = shown = release_table_of(release, backend, scheduler)
    if sum(one is not None for one in (study, hierarchies, project)) > 1:
        raise StudyError("Give the study, the hierarchies or the project, not both: each names its own hierarchies.")
    trees: Mapping[str, FileHierarchy] | None = None
    said: tuple[str, ...] = ()
    privacy: tuple[PrivacyModel, ...] | None = None
    weights: Mapping[str, Decimal] = {}
    if hierarchies is not None:
        trees = _hierarchies(hierarchies, table, qi or list(table.columns))
    elif project is not None:
        made = read_arx_project(project)
        settings = made.for_table(list(table.columns), qi or ())
        trees, qi, said = settings.hierarchies, list(settings.quasi_identifiers), settings.notes
        k = made.k if k is None else k
        privacy, weights = made.privacy, made.weights
    audited = audited_by(
        shown,
        None if study is None else study_of(study, None, models=True),
        trees,
        qi=qi or (),
        k=k,
        profile=None if profile is None else _profile(profile),
        gs_factor=gs_factor,
        privacy=privacy,
        weights=weights,
        time_limit=left(60.0),
        seed=seed,
        prior=prior,
        population=population,
        said=said,
    )
    if output is not None:
        looked_at = {"release": release, "study": study, "project": project, "population": population}
        given = [file for what, path in looked_at.items() if path is not None for file in checked_files(what, path)]
        write((output, audit_html(audited, release.name, given)))
    if as_json:
        print_json(audited.to_dict())
        return
    print_audit(audited)
    typer.echo(f"Report in {output}.")


def _profile(text: str) -> str | float:
    try:
        share = float(text)
    except ValueError:
        return text
    return share if math.isfinite(share) else text


def _hierarchies(folder: Path, table: "pd.DataFrame", columns: Sequence[str]) -> "dict[str, FileHierarchy]":
    """The hierarchy files of a folder by the column that they are named for, read as the release shows them."""
    from cra_engine.study.file_hierarchy import read_hierarchy

    if not folder.is_dir():
        raise StudyError(f"{folder} is no folder; give the one that holds the hierarchy files.")
    files: dict[str, Path] = {}
    for path in sorted(folder.glob("*.csv")):
        # The longest name: x_max_age.csv is of max_age where there is such a column, not of age.
        fits = [name for name in columns if path.stem == name or path.stem.endswith(f"_{name}")]
        if fits:
            name = max(fits, key=len)
            if name in files:
                raise StudyError(
                    f"Both {files[name].name} and {path.name} could be the hierarchy of {name!r}; keep one."
                )
            files[name] = path
    if not files:
        raise StudyError(
            f"No file in {folder} is named for a quasi-identifier of the release; name them COLUMN.csv or "
            f"ANYTHING_COLUMN.csv, COLUMN being one of: {', '.join(map(repr, columns[:12]))}."
        )
    read = {name: read_hierarchy(path, name) for name, path in files.items()}
    return {name: tree.as_shown_by(table[name]) if name in table else tree for name, tree in read.items()}
