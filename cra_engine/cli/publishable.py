"""The command ``publishable``: from a raw table to an archive that may go out."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast, get_args

import typer

from cra_engine.choices import DecimalSign
from cra_engine.cli.app import PUBLISH, app
from cra_engine.cli.clock import counting, left
from cra_engine.cli.files import note, print_json, share_of, study_of, table_of
from cra_engine.cli.options import (
    AloneOption,
    BackendOption,
    DataArgument,
    DecimalOption,
    JsonOption,
    KOption,
    LOption,
    NobodyCertainOption,
    SchedulerOption,
    TOption,
)
from cra_engine.errors import CRAError, StudyError

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pandas as pd

    from cra_engine import Rule, Study
    from cra_engine.checks.project import Project
    from cra_engine.publishable import Outcome, Publishable


@app.command("publishable", panel=PUBLISH, limited="the search, reading included; 120 if not given")
def publishable_command(
    data: DataArgument,
    output: Annotated[Path, typer.Option("--output", metavar="FOLDER", help="A new folder for all of it.")],
    study: Annotated[
        Path | None,
        typer.Option("--study", metavar="STUDY.toml", help="Study file (TOML); roles are taken as proposed without."),
    ] = None,
    k: KOption = None,
    l: LOption = 2,  # noqa: E741 - the field's name for it
    t: TOption = None,
    alone: AloneOption = "0.05",
    nobody_certain: NobodyCertainOption = True,
    keep: Annotated[
        list[str] | None,
        typer.Option("--keep", metavar="COLUMN[=WIDTH]", help="What has to stay: ward, or age=10 for tens; repeat."),
    ] = None,
    without_row: Annotated[
        list[int] | None,
        typer.Option(
            "--without-row", metavar="ROW", min=1, help="A row to leave out, 1 below the column names; repeat."
        ),
    ] = None,
    take: Annotated[int, typer.Option("--take", min=1, max=3, help="Which of the outcomes; 1 is recommended.")] = 1,
    settings: Annotated[
        Path | None,
        typer.Option("--settings", metavar="SETTINGS.toml", help="Publish by these, without a search; with --way."),
    ] = None,
    way: Annotated[
        str | None,
        typer.Option("--way", metavar="WAY", help="With --settings: local, safe, global=0.05 or repaired."),
    ] = None,
    removed: Annotated[
        list[str] | None,
        typer.Option("--removed", metavar="COLUMN", help="With --settings: the search removed it; its detail is lost."),
    ] = None,
    left_out: Annotated[
        Path | None,
        typer.Option(
            "--left-out",
            metavar="ROWS.txt",
            help="With --settings: the rows to leave out, one a line, behind it a * if the search left it out, or why.",
        ),
    ] = None,
    seed: Annotated[
        int | None, typer.Option("--seed", min=0, help="With --settings: draw as before; keep it to yourself.")
    ] = None,
    found_at: Annotated[
        str | None,
        typer.Option("--found-at", metavar="PATH", help="With --settings: where the new script looks for DATA.csv."),
    ] = None,
    decided_by: Annotated[
        str, typer.Option("--decided-by", metavar="WHO", help="Who decides, for the verdict; a line to sign on else.")
    ] = "",
    reason: Annotated[
        str,
        typer.Option(
            "--reason",
            metavar="WHY",
            help="Take what asks for attention: why it may go out, in three words or more, with --decided-by.",
        ),
    ] = "",
    name: Annotated[
        list[str] | None,
        typer.Option(
            "--name", metavar="COLUMN", help="The next column's name, of a file without a line of names; repeat."
        ),
    ] = None,
    decimal: DecimalOption = None,
    decimal_of: Annotated[
        list[str] | None,
        typer.Option("--decimal-of", metavar="COLUMN=SIGN", help="What marks a column's decimals: comma or point."),
    ] = None,
    read_as: Annotated[
        list[str] | None,
        typer.Option(
            "--read-as",
            metavar="COLUMN=CELL=OTHER",
            help="Read a cell as another, or as missing; repeat, or @FILE with one a line.",
        ),
    ] = None,
    backend: BackendOption = None,
    scheduler: SchedulerOption = None,
    as_json: JsonOption = False,
) -> None:
    """Search what to change until the table may go out, and write release, study, verdict, settings and a script.

    The folder holds what is handed out (release and readers' study) and what stays here: the verdict, the settings, and
    a script that makes all of it again. Where nothing passes nothing is written, and the exit status is 1. What asks
    for attention goes out with --reason, which stands in the verdict and in how to read the table.
    """
    from cra_engine import Rule
    from cra_engine.checks.project import Project
    from cra_engine.checks.signed import signed
    from cra_engine.files.content import setting_text
    from cra_engine.files.notation import with_decimal
    from cra_engine.publishable import Decided, Pin, archive
    from cra_engine.publishable.outcome import unproven
    from cra_engine.raw.spellings import as_told

    archive.refuse_existing(output)
    why = signed(reason, decided_by) if reason else ""
    if (settings is None) != (way is None):
        raise StudyError("--settings and --way belong together; the script in an archive gives both.")
    raw, notes = table_of(data, backend, scheduler, name or ())
    if decimal is not None:
        raw = with_decimal(raw, list(raw.columns), decimal)
    for told in decimal_of or []:
        column, _, sign = told.rpartition("=")
        if column not in raw.columns or sign not in get_args(DecimalSign):
            raise StudyError(
                f"--decimal-of {told[:60]!r} is none; give a column of the table and comma or point: age=comma."
            )
        raw = with_decimal(raw, [column], cast("DecimalSign", sign))
    cells = [cell for told in read_as or [] for cell in _told_in(told)]
    for told in cells:
        raw = as_told(raw, told)
    reading = [f"--name={one}" for one in name or []] + [f"--decimal={decimal}"] * (decimal is not None)
    reading += [f"--decimal-of={told}" for told in decimal_of or []]
    reading += [f"{archive.READ_AS}{told}" for told in cells]
    if settings is not None and way is not None:
        if study is not None:
            raise StudyError("With --settings nothing is searched; leave out --study.")
        if why:
            raise StudyError("What was accepted stands in the settings; leave out --reason.")
        wanted = Project.from_toml_text(setting_text(settings, f"The settings {settings.name}"), settings.name)
        drawn = archive.drawn_anew() if seed is None else seed
        lines = "" if left_out is None else setting_text(left_out, left_out.name, archive.MOST_OF_ROWS)
        rows, hindering, reasons = archive.rows_left_out(lines)
        decided = Decided(
            tuple(map(Pin.of, keep or [])),
            tuple(removed or []),
            tuple(sorted({*rows, *(without_row or [])})),
            hindering,
            reasons,
        )
        one = archive.published_by(raw, wanted, archive.way_of(way, wanted.study), drawn, decided)
        if left_open := one.checked.left_open:
            if as_json:
                print_json(one.to_dict())
            else:
                typer.echo(f"{one.checked.verdict.upper()}: {' '.join(finding.text for finding in left_open)}")
            raise typer.Exit(1)
        files = archive.archive_files(one, wanted, found_at or str(data.resolve()), reading, decided_by)
        _hand_out(one, files, wanted, output, as_json=as_json)
        return
    if seed is not None or removed or left_out or found_at:
        raise StudyError(
            "A search draws its own seed and decides itself; --seed, --removed, --left-out and --found-at belong to "
            "--settings."
        )
    if why and take != 1:
        raise StudyError("--take is of what is Ready, and --reason of what asks for attention; leave out one of them.")
    share = share_of(alone, "The share of people alone") or 0
    rule = Rule(k, l, share_of(t, "t"), None, share, nobody_certain=nobody_certain)
    publisher = _proposed(raw, k) if study is None else study_of(study, k, models=True)
    lacks = unproven()
    note(*lacks)
    searched = _searched(raw, publisher, rule, keep or [], without_row or [])
    more = () if searched.complete else ("More time for the search: --time-limit SECONDS.",)
    note(*notes, *(one for one in searched.warnings if one not in lacks), *more, *map(str, searched.kept_away))
    asks = searched.attention
    if asks is not None and not why:
        note(_may_be_accepted(asks))
    chosen = searched.outcomes[take - 1 :] if not why else () if asks is None else (asks,)
    if not chosen:
        found = len(searched.outcomes)
        said = searched.why_not or f"There {'is 1 outcome' if found == 1 else f'are {found} outcomes'}, and not {take}."
        if why and found:
            said = "Nothing was found that asks for attention and keeps more than what is Ready; leave out --reason."
        if as_json:
            print_json(searched.to_dict())
        else:
            typer.echo(said)
        raise typer.Exit(1)
    for one in chosen:  # drawn once more, with the coins of the system, and written where it still passes
        thorough = searched.thoroughness
        made = archive.packed(one, data.name, raw, str(data.resolve()), reading, search=thorough, why=why)
        if not made.problem:
            whole = made.files_with((), decided_by)
            _hand_out(made.drawn, whole, made.settings, output, as_json=as_json, searched=searched)
            return
        note(f"As it is handed out this does not pass: {one.label}. {made.problem}")
    raise CRAError("None of the outcomes passes as it would be handed out; give the search more time.")


def _told_in(told: str) -> list[str]:
    """What an option of cells to read as others says: one, or those of a file, one a line."""
    from cra_engine.files.content import setting_text
    from cra_engine.publishable import archive

    if not told.startswith("@") or "=" in told:
        return [told]
    path = Path(told[1:])
    return setting_text(path, path.name, archive.MOST_OF_ROWS).removesuffix("\n").split("\n")


def _searched(raw: "pd.DataFrame", study: "Study", rule: "Rule", keep: list[str], without: list[int]) -> "Publishable":
    from cra_engine.publishable import Pin
    from cra_engine.publishable import publishable as searched

    def found(one: "Outcome") -> None:
        note(f"So far: {one.label}.")

    return searched(
        raw,
        study,
        rule,
        pins=[Pin.of(text) for text in keep],
        without_rows=without,
        time_limit=left(120.0),
        progress=counting("choices"),
        found=found,
    )


def _may_be_accepted(asks: "Outcome") -> str:
    """What somebody accepts who lets a table go out that asks for attention, and how."""
    from cra_engine.checks import asking
    from cra_engine.words import percent

    kept, open_ = percent(1 - asks.cost, 1), "; ".join(asking(asks.checked))
    return (
        f"A table that keeps {kept} of the detail asks for attention: it goes out with --reason and --decided-by, by "
        f"which you accept that this is not met or not known: {open_}."
    )


def _hand_out(
    one: "Outcome",
    files: "Mapping[str, str | bytes]",
    settings: "Project",
    output: Path,
    *,
    as_json: bool,
    searched: "Publishable | None" = None,
) -> None:
    from cra_engine.checks.demands import accepted_told
    from cra_engine.checks.sensitive_values import shown_sentence, single_sentence, singles_by_decision
    from cra_engine.publishable import archive

    archive.write_archive(output, files)
    columns = [each.column for each in one.checked.diversity]
    decided = [each.what for each in settings.decisions]
    asked, shown = singles_by_decision(one.frame, columns, decided, one.study.roles.as_values)
    note(*(single_sentence(*each) for each in asked), *(shown_sentence(*each) for each in shown))
    if as_json:
        print_json((one if searched is None else searched).to_dict())
        return
    typer.echo(f"{one.checked.verdict.upper()}: {one.label}.")
    if accepted := accepted_told(one.checked):
        typer.echo(accepted)
    if searched is not None:
        for place, other in enumerate(searched.outcomes, start=1):
            typer.echo(f"  {place}. {other.label} ({other.best_at})")
            for step in other.steps:
                typer.echo(f"     {step.column or 'rows'}: {step.said}")
    typer.echo(f"{output / archive.HAND_OUT} is for readers; {output / archive.KEEP} stays with you.")


def _proposed(raw: "pd.DataFrame", k: int | None) -> "Study":
    """The study that is proposed for a table of which nobody said anything."""
    from cra_engine.raw.contents import inspect, proposed_study

    study = proposed_study(inspect(raw))
    if study is None:
        raise StudyError("No column looks like one that others know of a person; name them in a study file (--study).")
    note(f"Taken as known to others, as proposed: {', '.join(study.names)}. A study file says it for certain.")
    return study if k is None else study.with_k(k)
