"""The commands before a table goes out: ``check``, with a verdict, and ``roles``, which proposes roles of columns."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cra_engine.choices import Backend, DecimalSign, FailOn
from cra_engine.cli.app import CHECK, app
from cra_engine.cli.clock import counting, left
from cra_engine.cli.files import (
    check_answers,
    counted_release,
    counted_table,
    counts_rows,
    decided,
    note,
    print_json,
    read_whole,
    release_table_of,
    share_of,
    study_of,
    table_of,
    write,
)
from cra_engine.cli.options import (
    AloneOption,
    BackendOption,
    DataArgument,
    DecimalOption,
    GsFactorOption,
    JsonOption,
    KOption,
    LOption,
    NobodyCertainOption,
    SchedulerOption,
    StudyOption,
    TOption,
)
from cra_engine.errors import StudyError
from cra_engine.words import listed

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd

    from cra_engine import Check, Roles, Study
    from cra_engine.files.different_rows import CountedRows, Table

ALONE = Path("-")


@app.command("check", panel=CHECK, limited="all of it, reading included; 60 if not given")
def check_command(
    data: Annotated[Path, typer.Argument(metavar="DATA.csv", help="The raw table; - to look at a release without it.")],
    study: StudyOption,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            metavar="VERDICT.html",
            help="Where the verdict goes: one page, for the publisher alone; with --json it may be left out.",
        ),
    ] = None,
    release: Annotated[
        Path | None,
        typer.Option("--release", metavar="RELEASE.csv", help="The release to check; without it the table is recoded."),
    ] = None,
    population: Annotated[
        Path | None,
        typer.Option(
            "--population", metavar="P.csv", help="Everybody whom the table could be about, for the journalist's risk."
        ),
    ] = None,
    also: Annotated[
        list[str] | None,
        typer.Option(
            "--also", metavar="NAME,NAME", help="Columns that somebody may know together; repeat for further sets."
        ),
    ] = None,
    k: KOption = None,
    l: LOption = 2,  # noqa: E741 - the field's name for it
    t: TOption = None,
    highest_risk: Annotated[
        str | None, typer.Option("--highest-risk", metavar="SHARE", help="Largest prosecutor's risk; 1/k if left out.")
    ] = None,
    alone: AloneOption = "0.05",
    nobody_certain: NobodyCertainOption = True,
    gs_factor: GsFactorOption = None,
    instead: Annotated[
        bool,
        typer.Option("--compare", help="Also say what to publish instead; every way is tried."),
    ] = False,
    fail_on: Annotated[
        FailOn,
        typer.Option("--fail-on", help="From which verdict on the exit status is 1, for scripts; it is 0 else."),
    ] = "stop",
    decided_by: Annotated[
        str, typer.Option("--decided-by", metavar="WHO", help="Who decides, for the page; a line to sign on else.")
    ] = "",
    reason: Annotated[
        str,
        typer.Option(
            "--reason",
            metavar="WHY",
            help="Why it was decided so, in three words or more, with --decided-by; a line to write on else.",
        ),
    ] = "",
    decimal: DecimalOption = None,
    backend: BackendOption = None,
    scheduler: SchedulerOption = None,
    as_json: JsonOption = False,
) -> None:
    """May this table go out? A verdict (ready, attention, stop) with its reasons, on one page to print and file.

    The options after k set the rule that decides. Which columns are sensitive, removed or kept stands in the study file
    under [roles]. The exit status is 1 where the verdict is stop, unless --fail-on says otherwise.
    """
    from cra_engine import Rule
    from cra_engine import check as checked_by
    from cra_engine.checks.report import check_html
    from cra_engine.checks.signed import signed
    from cra_engine.reports.filed import checked_files

    check_answers(output, as_json=as_json)
    if reason:
        signed(reason, decided_by)
    without_table = data == ALONE
    if without_table and release is None:
        raise StudyError("With - for the table there must be a release to look at; give it with --release.")
    if without_table and instead:
        raise StudyError("Ways to publish can be compared where the table is there; give it instead of -.")
    tables = {"data": None if without_table else data, "release": release, "population": population}
    publisher = study_of(study, k, models=True)
    rule = Rule(
        k,
        l,
        share_of(t, "t"),
        share_of(highest_risk, "The highest risk"),
        share_of(alone, "The share of people alone") or 0,
        nobody_certain=nobody_certain,
    )
    raw: Table | None
    shown: Table | None
    whole: pd.DataFrame | None = None
    if release is not None and not instead and _counted(release, data, backend, scheduler):
        raw, shown, notes = _alike(data, release, publisher, decimal, backend, scheduler)
    else:
        rows, notes = (None, ()) if without_table else table_of(data, backend, scheduler)
        raw = whole = None if rows is None else decided(rows, publisher, decimal)
        shown = None if release is None else release_table_of(release, backend, scheduler)
    checked = checked_by(
        raw,
        publisher,
        shown,
        population=None if population is None else table_of(population, backend, scheduler)[0],
        also=[[name.strip() for name in names.split(",")] for names in also or ()],
        rule=rule,
        gs_factor=gs_factor,
        time_limit=left(60.0),
    )
    if instead and whole is not None:
        checked = _recommended(checked, whole, publisher)
    looked_at = {**tables, "study": study}
    given = [file for what, path in looked_at.items() if path is not None for file in checked_files(what, path)]
    name = (release or data).name
    if output is not None:
        write((output, check_html(checked, name, given, decided_by=decided_by, reason=reason)))
    note(*notes, *checked.warnings, *checked.undecided)
    if as_json:
        print_json(checked.to_dict(given))
    else:
        _tell(checked)
        typer.echo(f"Verdict in {output}.")
    if fail_on != "never" and checked.verdict in ("stop", fail_on):
        raise typer.Exit(1)


def _counted(release: Path, data: Path, backend: Backend | None, scheduler: str | None) -> bool:
    """Whether rows that are alike are looked at together: in both tables, or in neither."""
    tables = [release] if data == ALONE else [release, data]
    return any(counts_rows(path, backend, scheduler) for path in tables) and not any(map(read_whole, tables))


def _alike(
    data: Path,
    release: Path,
    study: "Study",
    decimal: DecimalSign | None,
    backend: Backend | None,
    scheduler: str | None,
) -> "tuple[CountedRows | None, CountedRows, tuple[str, ...]]":
    """The raw table, where there is one, and its release as their different rows, and what there is to note.

    Of the raw table the columns that the release has are counted: a number of its own for each person would make all
    rows differ, and is not published.
    """
    shown, notes = counted_release(release, backend, scheduler)
    if data == ALONE:
        return None, shown, notes
    raw, more = counted_table(data, [*study.names, *map(str, shown.frame.columns)], backend, scheduler)
    return raw.shown(decided(raw.frame, study, decimal)), shown, (*more, *notes)


def _recommended(checked: "Check", raw: "pd.DataFrame", study: "Study") -> "Check":
    """The check with what to publish instead, which passes by the same rule."""
    from cra_engine import compare as compared
    from cra_engine.options.words import advice

    comparison = compared(raw, study, rule=checked.rule, progress=counting("options"), cancelled=lambda: not left())
    if not comparison.complete:
        note("The time limit was over before all ways to publish were tried; what keeps more may not have been seen.")
    best = comparison.recommended
    return checked.recommending(None if best is None else best.label, " ".join(advice(comparison)))


@app.command("roles", panel=CHECK)
def roles_command(
    data: DataArgument,
    study: Annotated[
        Path | None,
        typer.Option(
            "--study",
            metavar="STUDY.toml",
            help="Study file (TOML) to write the roles into; without it they are shown.",
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            metavar="NEW.toml",
            help="Where the study with the proposed roles goes; for the publisher alone. Without --study a first one.",
        ),
    ] = None,
    qi: Annotated[
        list[str] | None,
        typer.Option("--qi", metavar="NAME", help="A quasi-identifier of a first study; repeat. Proposed if left out."),
    ] = None,
    keep: Annotated[
        bool, typer.Option("--keep", help="Also keep the columns in which nothing identifying is seen.")
    ] = False,
    decimal: DecimalOption = None,
    as_json: JsonOption = False,
) -> None:
    """Propose roles for the columns of a table, each with its reason, and write them into a study, or begin one.

    What a study says already stays. A first one has the columns that others may know of a person, each with a hierarchy
    and with what to confirm. Columns that nearly identify stay undecided: a person decides about them.
    """
    from cra_engine import Roles, read_table
    from cra_engine.checks.findings import no_names_text
    from cra_engine.files.notation import with_decimal
    from cra_engine.raw.first_study import first_study
    from cra_engine.raw.nameless import names_like_cells
    from cra_engine.raw.proposed_roles import propose_roles, roles_of
    from cra_engine.study.study import write_study

    if qi and (study is not None or output is None):
        raise StudyError("--qi belongs to a first study: give --output, and no --study.")
    begins = study is None and output is not None
    if begins and output is not None and output.exists():
        raise StudyError(
            f"{output} is there already; give another name, or, to add roles to that study, --study {output} "
            "with another --output."
        )
    publisher, table = None if study is None else study_of(study, None, models=True), read_table(data)
    table = table if decimal is None else with_decimal(table, list(table.columns), decimal)
    first = first_study(table, data.name, qi or (), keep=keep) if begins else None
    publisher = publisher if first is None else first.study
    names, given = ((), Roles()) if publisher is None else (publisher.names, publisher.roles)
    given.check(list(table.columns))
    if alike := names_like_cells(table):
        note(f"{no_names_text(alike)}.")
    proposals = propose_roles(table, names)
    wanted = roles_of(proposals, keep=keep)
    for name in wanted.named:
        if given.of(name) == "undecided":
            given = given.given(name, wanted.of(name))
    beside: list[str] = []
    if study is not None and output is not None:
        write((output, _with_roles(study, given, output)))
    elif first is not None and output is not None:
        texts = first.study.files(output.name) | {output.name: first.text}
        write_study(output, texts)
        beside = list(texts)[1:]
        if first.too_many:
            note(f"There is no room for {listed(list(first.too_many))}, which others may know too; see {output}.")
    rows = [
        {
            "name": one.name,
            "role": "quasi-identifier" if one.name in names else given.of(one.name),
            "proposed": one.role,
            "distinct": one.distinct,
            "identifying": one.identifying != "no",
            "reason": one.reason,
        }
        for one in proposals
    ]
    if as_json:
        print_json({"columns": rows})
        return
    for row in rows:
        more = "" if row["role"] == row["proposed"] else f" (proposed: {row['proposed']})"
        typer.echo(f"{row['name']}: {row['role']}{more}; {row['reason']}.")
    if output is not None:
        typer.echo(f"Study in {output}{f', its hierarchies beside it in {listed(beside)}' if beside else ''}.")
    if first is not None:
        typer.echo("Its comments say what to confirm before it is used.")


def _with_roles(study: Path, roles: "Roles", output: Path) -> str:
    """The text of a study file with other roles, its comments and all else as they were, for another place."""
    import tomlkit

    from cra_engine.files.content import setting_text

    document = tomlkit.parse(setting_text(study, f"The study file {study.name}"))
    if roles:
        document["roles"] = roles.settings()
    for table in (*document.get("attribute", ()), *document.get("privacy", ())):
        if "hierarchy" in table:
            table["hierarchy"] = os.path.relpath(study.parent / str(table["hierarchy"]), output.parent)
    return tomlkit.dumps(document)


def say_undecided(table: "pd.DataFrame", roles: "Roles", names: "Sequence[str]") -> tuple[str, ...]:
    """Print for each column that identifies, or nearly, that it is published and that nobody decided so."""
    from cra_engine.raw.proposed_roles import undecided

    texts = undecided(table, roles, names)
    note(*texts)
    return texts


def _tell(checked: "Check") -> None:
    from cra_engine.checks.report import figures
    from cra_engine.cli.text import print_verdict

    print_verdict(checked)
    for title, rows in figures(checked):
        typer.echo(f"{title}:")
        for what, value, _ in rows:
            typer.echo(f"  {what}: {value}")
