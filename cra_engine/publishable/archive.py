"""One archive with all that belongs to a table that goes out, and a script that makes all of it again."""

import hashlib
import re
import secrets
import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from pathlib import Path, PurePath

import pandas as pd

from cra_engine.checks.project import ACCEPTED, Decision, Project, about_table, accepted_in
from cra_engine.checks.report import check_html
from cra_engine.checks.rule import Rule
from cra_engine.checks.signed import unsigned
from cra_engine.errors import CRAError, DataError, StudyError
from cra_engine.files.csv_text import csv_text
from cra_engine.files.row_order import release_text
from cra_engine.files.whole import by_itself, whole_folder, write_whole
from cra_engine.options.detail import weights_text
from cra_engine.options.option import LIKELIEST, Way
from cra_engine.publish.check import check_release
from cra_engine.publishable.choice import AS_IT_IS, REMOVED, Choice, Decided
from cra_engine.publishable.handed_out import for_excel, for_programs, how_to_read
from cra_engine.publishable.making import Maker
from cra_engine.publishable.outcome import Outcome
from cra_engine.publishable.space import Space
from cra_engine.publishable.words import IN_THE_WAY, MISSING, REPEATS
from cra_engine.reports.filed import CheckedFile
from cra_engine.study.coded import NULL
from cra_engine.study.file_hierarchy import NOT_SHOWN
from cra_engine.study.study import Study
from cra_engine.study.tree import ROOT_LABEL
from cra_engine.words import listed, percent

SEED_BITS = 128
SECONDS = 300.0
SETTINGS = "settings.toml"
CELLS, FEW = "read-as.txt", 20  # cells read as others that may stand on the script's command line
ROWS, MOST_OF_ROWS = "left-out.txt", 20_000_000  # characters: more rows than a table may have
READ_AS = "--read-as="
_END = "END_OF_SETTINGS"
_ROW = re.compile(r"([1-9]\d*)(?: (?:(\*)|(\S.*)))?")
_NO_NAME = re.compile(r'[/\\:*?"<>|\x00-\x1f]+')  # what a name of a file may not hold on some computer
_GAPS = re.compile(
    r"(.+ missing values?), (published as one category more, NULL|published as \* from the start|"
    r"rows without it are left out)"
)

HAND_OUT, KEEP = "hand-out", "keep"
RELEASE, READERS = f"{HAND_OUT}/release.csv", f"{HAND_OUT}/study"
WORKBOOK, HOW_TO_READ = f"{HAND_OUT}/release.xlsx", f"{HAND_OUT}/how-to-read.txt"
STAYS_WITH_YOU = (
    "Keep this folder as secret as the table of patients itself: it holds no whole row of that table, but it names "
    "values, and rows by number, that the table which goes out hides, such as a diagnosis.\nNobody but you needs it: "
    "verdict.html says why the table may go out, the others make it again.\n"
)
VERDICT, SCRIPT = f"{KEEP}/verdict.html", f"{KEEP}/repeat.sh"


def file_name(called: str, ending: str = "csv") -> str:
    """Returns what the file of a table is called, or of its archive; a table of the program is no file by itself.

    >>> file_name("Patients 2024.xlsx"), file_name("Toy, e.g. 1.5 people"), file_name("For: Ms Ito?", "zip")
    ('Patients 2024.xlsx', 'Toy, e.g. 1.5 people.csv', 'For_ Ms Ito_.zip')
    """
    if ending == "csv" and re.search(r"\.[A-Za-z]\w{1,8}$", called):
        return called
    return f"{_NO_NAME.sub('_', called)}.{ending}"


def digest_of(data: pd.DataFrame) -> str:
    """Returns what tells the raw table of an archive from others; nothing of it can be read from that."""
    return hashlib.sha256(csv_text(data).encode()).hexdigest()


def settings_of(
    outcome: Outcome,
    rule: Rule,
    name: str,
    data: pd.DataFrame,
    on: date | None = None,
    *,
    why: str = "",
    noted: Sequence[Decision] = (),
    search: str = "",
) -> Project:
    """Returns an outcome's settings as a project: study, rule, and what was done, with what it cost.

    Args:
        outcome: a table that may go out.
        rule: what was demanded.
        name: of the raw table.
        data: the raw table.
        on: the day; today when left out.
        why: the reason with which somebody accepts what the check asks to look at, signed by
            :func:`cra_engine.checks.signed.signed`; empty where it says Ready.
        noted: what was decided about the table before the search: cells read as others, rows left out, roles. What
            was accepted in another table is left out: this one did not stand there yet.
        search: whether all was tried, as a sentence.

    Raises:
        StudyError: the reason says nothing, or nobody is named who gives it.
    """
    day = (on or date.today()).isoformat()  # noqa: DTZ011 - a day
    steps = [Decision(day, f"{step.column}: {step.said}".removeprefix(": ")) for step in outcome.steps if step.cost]
    pins = [Decision(day, f"what has to stay: {pin}") for pin in outcome.decided.pins]
    if why and (lacks := unsigned(why)):
        raise StudyError(lacks)
    accepted = _accepted(outcome, why, day) if why else ()
    tried = [Decision(day, f"the search: {search}")] if search else []
    noted = [replace(one, what=_in_the_end(one.what, outcome)) for one in about_table(noted)]
    decisions = (*noted, *pins, *steps, *tried, *accepted, Decision(day, outcome.label))
    return Project(name, digest_of(data), outcome.study, rule, decisions)


def _accepted(outcome: Outcome, why: str, day: str) -> list[Decision]:
    asked = (one.text for one in outcome.checked.findings if one.level != "note")
    return [Decision(day, f"{ACCEPTED}{text}", why) for text in asked]


def _as_accepted(outcome: Outcome, settings: Project) -> Outcome:
    """A table with what its settings accept in it."""
    return replace(outcome, checked=outcome.checked.accepting(accepted_in(settings.decisions)))


def _in_the_end(decided: str, outcome: Outcome) -> str:
    """What was decided about a column's missing values, with what a published table shows of them, if not that."""
    name, _, said = decided.partition(": ")
    found = _GAPS.match(said)
    if found is None:
        return decided
    if name not in outcome.frame.columns:
        return f"{name}: {found[1]}; the column is left out"
    known = outcome.frame[[one for one in outcome.study.names if one in outcome.frame.columns]].astype(str)
    cells = set(outcome.frame.loc[(known != ROOT_LABEL).any(axis=1), name].astype(str))
    published = found[2].startswith("published") and not outcome.choice.gaps
    if published and not cells & {NULL, ROOT_LABEL}:
        return f"{name}: {found[1]}, whose rows are left out, or hidden, in the end"
    return decided


def published_by(data: pd.DataFrame, settings: Project, way: Way, seed: int, decided: Decided | None = None) -> Outcome:
    """Publishes the table of an archive once, by its settings, and checks it.

    Args:
        data: the raw table that the settings are of.
        settings: study and rule.
        way: how it is published.
        seed: of the order of the rows and of the coins of safe recoding.
        decided: what was decided that the settings do not tell.

    Raises:
        DataError: it is another table, or does not fit the study.
    """
    if digest_of(data) != settings.digest:
        raise DataError(f"The settings were made for {settings.table} with other content; give that table.")
    space = Space.of(data, settings.study, settings.rule, decided.pins if decided else (), decided)
    heights = tuple(
        column.hierarchy.layers
        if column.known and column.hierarchy is not None
        else REMOVED
        if column.name in space.decided.removed
        else AS_IT_IS
        for column in space.columns
    )
    maker = Maker(space, settings.rule, seed)
    table = maker.make(Choice(heights, settings.study.k, way, ""))
    check_release(table.data, table.made.study, table.made.table.frame)
    outcome = replace(maker.outcome(table, maker.checked(table, SECONDS)), gone_groups=maker.gone_groups(table))
    outcome = _as_accepted(outcome, settings)
    # The words of the search, which knew what else there was, unless another way or seed keeps another share.
    found, counts = settings.decisions[-1].what if settings.decisions else "", f"{outcome.counts}: "
    return replace(outcome, how=found.removeprefix(counts)) if found.startswith(counts) else outcome


def rows_left_out(text: str) -> tuple[tuple[int, ...], tuple[int, ...], dict[int, str]]:
    r"""Returns the rows that an archive's script leaves out, those that the search left out, and why others are.

    Args:
        text: a row in each line, counted from 1, behind it a ``*`` where the search left it out, or else why it is.

    Raises:
        StudyError: a line holds something else.

    >>> rows_left_out("7\n24 *\n31 holding no person\n")
    ((7, 24, 31), (24,), {31: 'holding no person'})
    """
    rows, hindering = [], []
    why: dict[int, str] = {}
    for place, line in enumerate(text.splitlines(), start=1):
        found = _ROW.fullmatch(line.strip())
        if found is None:
            raise StudyError(f"Line {place} of the rows to leave out is {line[:40]!r}; give a row's number, such as 7.")
        rows.append(int(found[1]))
        hindering += [int(found[1])] if found[2] else []
        why |= {int(found[1]): found[3]} if found[3] else {}
    return tuple(sorted(set(rows))), tuple(sorted(set(hindering))), why


def drawn_anew() -> int:
    """Returns a seed for a publishable table that nobody can guess; it stays here, since it draws the table again."""
    return secrets.randbits(SEED_BITS)


def as_drawn(searched: Outcome, drawn: Outcome, settings: Project) -> tuple[Outcome, Project]:
    """Returns a table as it was drawn, which says how it was published, and the settings that say so.

    The coins of safe recoding fall anew for the table that is handed out, which may keep less or more than the one that
    was searched.

    Args:
        searched: the table that was found.
        drawn: the same as it is handed out.
        settings: by which it was drawn; their last decision is what was found.
    """
    drawn = replace(drawn, how=searched.how)
    if drawn.counts == searched.counts:
        return drawn, settings
    again = f"its groups were drawn by chance anew, in the search it was {searched.counts}"
    drawn = replace(drawn, how=f"{searched.how}; {again}")
    *others, last = settings.decisions
    return drawn, replace(settings, decisions=(*others, replace(last, what=drawn.label)))


@dataclass(frozen=True, eq=False)
class Packed:
    """An outcome as it is handed out: drawn once more, with coins that nobody knows, and checked again.

    Attributes:
        drawn: the table; as it was found where it could not be drawn.
        found: what it is in words, as it was found.
        files: the archive's, by their paths in it; none where the table does not pass as it was drawn.
        called: what to call the archive: its day, and a mark that is another of each table; empty where there is none.
        problem: why it does not; empty where it does.
        settings: by which it was drawn.
        script_table: where the script finds the raw table.
        reading: options by which the command line reads that table as it was read.
    """

    drawn: Outcome
    found: str
    files: Mapping[str, str | bytes]
    called: str
    problem: str
    settings: Project
    script_table: str
    reading: tuple[str, ...]

    def files_with(self, decided: Sequence[Decision], decided_by: str = "") -> Mapping[str, str | bytes]:
        """Returns the files of an outcome that is handed out with what was decided about it since it was drawn.

        Args:
            decided: what was decided since.
            decided_by: who hands it out, for the verdict that stays with the publisher; may be empty.
        """
        if not decided and not decided_by:
            return self.files
        *before, last = self.settings.decisions
        settings = replace(self.settings, decisions=(*before, *decided, last))
        kept = _kept_files(self.drawn, settings, self.files, self.script_table, self.reading, decided_by)
        return {**self.files, **kept}


def packed(
    outcome: Outcome,
    name: str,
    data: pd.DataFrame,
    script_table: str,
    reading: Sequence[str] = (),
    *,
    search: str,
    why: str = "",
    noted: Sequence[Decision] = (),
) -> Packed:
    """Draws an outcome's table and packs all that belongs to it.

    Args:
        outcome: the table that was found.
        name: of the raw table.
        data: the raw table.
        script_table: where the script finds the raw table.
        reading: options by which the command line reads that table as it was read.
        search: whether all was tried, as a sentence.
        why: the reason with which somebody accepts what the check asks to look at, signed by
            :func:`cra_engine.checks.signed.signed`; empty where it says Ready.
        noted: what was decided about the table before the search.

    Raises:
        StudyError: the reason says nothing, or nobody is named who gives it.
    """
    settings = settings_of(outcome, outcome.checked.rule, name, data, why=why, noted=noted, search=search)
    try:
        drawn = published_by(data, settings, outcome.choice.way, drawn_anew(), outcome.decided)
    except CRAError as error:
        return Packed(outcome, outcome.label, {}, "", str(error), settings, script_table, tuple(reading))
    # A reason accepts what stood there to be looked at, and nothing that drawing the table anew may add.
    accepted = {(one.level, one.code) for one in outcome.checked.findings} if why else set()
    asked = (one for one in drawn.checked.findings if one.level != "note")
    problem = next((one.text for one in asked if (one.level, one.code) not in accepted), "")
    if why and not problem:  # with the figures that go out
        *before, last = settings.decisions
        accepts = _accepted(drawn, why, last.when)
        settings = replace(settings, decisions=(*about_table(before), *accepts, last))
        drawn = _as_accepted(drawn, settings)
    drawn, settings = as_drawn(outcome, drawn, settings)
    files = {} if problem else archive_files(drawn, settings, script_table, reading)
    called = "" if problem else f"{PurePath(name).stem} publishable {_day_of(settings)} {_mark_of(files)}"
    return Packed(drawn, outcome.label, files, called, problem, settings, script_table, tuple(reading))


def _mark_of(files: Mapping[str, str | bytes]) -> str:
    """What tells an archive's table from others: of its script, which makes the same table and no other."""
    return hashlib.sha256(str(files[SCRIPT]).encode()).hexdigest()[:4]


def archive_files(
    outcome: Outcome, settings: Project, script_table: str, reading: Sequence[str] = (), decided_by: str = ""
) -> dict[str, str | bytes]:
    """Returns the files of an archive by their paths in it: what is handed out, and what stays with the publisher.

    Args:
        outcome: the table as :func:`published_by` publishes it.
        settings: by which it was published.
        script_table: where the script finds the raw table.
        reading: options by which the command line reads that table as it was read, such as ``--decimal=comma``.
        decided_by: who hands it out, for the verdict; may be empty.
    """
    table = release_text(outcome.frame, keep_order=True)  # it stands in an order that was drawn already
    release, day, notes = for_programs(table), _day_of(settings), how_to_read(outcome)
    book = for_excel(table, notes, day)
    shown = {str(name): set(outcome.frame[name].astype(str)) for name in outcome.frame.columns}
    readers = outcome.study.for_readers(shown).files("study.toml")
    handed_out: dict[str, str | bytes] = {
        RELEASE: release,
        **({} if book is None else {WORKBOOK: book}),
        HOW_TO_READ: for_programs("\n".join([*notes, "", *_files(readers, excel=book is not None)]) + "\n"),
        **{f"{READERS}/{name}": text for name, text in readers.items()},
    }
    return handed_out | _kept_files(outcome, settings, handed_out, script_table, reading, decided_by)


def _kept_files(
    outcome: Outcome,
    settings: Project,
    handed_out: Mapping[str, str | bytes],
    script_table: str,
    reading: Sequence[str],
    decided_by: str,
) -> dict[str, str | bytes]:
    """The files of an archive that stay with the publisher, by their paths in it."""
    day, study = _day_of(settings), str(handed_out[f"{READERS}/study.toml"])
    kept = settings.to_toml_text(day)
    given = [
        CheckedFile("data", f"{settings.table} (as this program writes it)", settings.digest),
        CheckedFile.of("release", _bytes(handed_out[RELEASE]), "release.csv"),
        CheckedFile.of("study", study.encode(), "study.toml"),
    ]
    if WORKBOOK in handed_out:
        given.append(CheckedFile.of("release", _bytes(handed_out[WORKBOOK]), "release.xlsx"))
    above = not any(option.startswith("--name=") for option in reading)  # a line of column names
    return {
        VERDICT: check_html(
            outcome.checked,
            f"release.csv (of {settings.table})",
            given,
            decisions=[str(one) for one in settings.decisions],
            decided_by=decided_by,
            on=day,
            of=len(outcome.frame) + outcome.left_out,
            kept=(percent(1 - outcome.cost, 1), weights_text(outcome.weights)),
            rows=[(why, tuple(row + above for row in rows)) for why, rows in rows_not_shown(outcome)],
            notes=[
                *filter(None, [outcome.stars_told]),
                *outcome.gone_values,
                *_not_named(outcome, study),
            ],
            more_notes=(outcome.gone_groups.more_told, [str(one) for one in outcome.gone_groups.more]),
        ),
        f"{KEEP}/{SETTINGS}": kept,
        f"{KEEP}/README.txt": STAYS_WITH_YOU,
        SCRIPT: _script(kept, outcome, script_table, reading, decided_by),
    }


def _bytes(content: str | bytes) -> bytes:
    return content if isinstance(content, bytes) else content.encode()


def rows_not_shown(outcome: Outcome) -> list[tuple[str, tuple[int, ...]]]:
    """Returns what becomes of rows of the raw table that a published one does not show, with their numbers from 1."""
    decided, before = outcome.decided, set(outcome.decided.without_rows)
    rest = tuple(row for row in outcome.left_out_rows if row not in before)
    return [
        (f"left out, {REPEATS}", outcome.repeating),
        *((f"left out, {why}", rows) for why, rows in decided.by_reason(outcome.repeating).items()),
        (f"left out, {IN_THE_WAY}", tuple(sorted(decided.in_the_way))),
        (MISSING, rest),
        (outcome.suppressed_told, outcome.suppressed_rows),
    ]


def _not_named(outcome: Outcome, study: str) -> list[str]:
    """Says of sensitive columns that the readers' study asks nothing of, though the check did."""
    named = {name for model in outcome.study.privacy for name in model.columns}
    left = [one.column for one in outcome.checked.diversity if one.column not in named]
    if not named or not left or "[[privacy]]" not in study:
        return []
    have = "has" if len(left) == 1 else "have"
    told = (
        f"The study that is handed out asks for different values of {listed(sorted(named))} alone: {listed(left)} "
        f"{have} cells that are empty or hidden, which it cannot count. The rule below was checked for all of them."
    )
    return [told]


def _files(readers: Mapping[str, str], *, excel: bool) -> list[str]:
    unnamed = NOT_SHOWN.format(1)
    counted = any(unnamed in text for text in readers.values())
    book = "release.xlsx: the table, for Excel or LibreOffice in any language; open it by a double click."
    return [
        "The files",
        *([book] if excel else []),
        "release.csv: the table for programs: UTF-8, with semicolons between columns.",
        "study: the groups and k, for programs that analyse the table; study.toml names the other files."
        + f" A value that no row shows is “{unnamed}” or the like: programs need to know how many there are." * counted,
    ]


def for_readers(files: Mapping[str, str | bytes]) -> dict[str, str | bytes]:
    """Returns of an archive's files those that go to its readers, by their paths below its folder hand-out.

    >>> for_readers({"hand-out/release.csv": "age", "keep/repeat.sh": "#!/bin/sh"})
    {'release.csv': 'age'}
    """
    readers = f"{HAND_OUT}/"
    return {path.removeprefix(readers): content for path, content in files.items() if path.startswith(readers)}


def refuse_existing(folder: Path) -> None:
    """Says that an archive's folder is there already, before anybody waits for the search.

    Raises:
        DataError: it is.
    """
    if folder.exists():
        raise DataError(f"{folder} is there already; name a new folder.")


def write_archive(folder: Path, files: Mapping[str, str | bytes]) -> None:
    """Writes the files of an archive into a new folder, all of them or none.

    Raises:
        DataError: the folder cannot be made, or is there already.
    """
    refuse_existing(folder)
    with whole_folder(folder) as draft, by_itself():
        for path in files:
            (draft / path).parent.mkdir(parents=True, exist_ok=True)
        write_whole(*((draft / path, text) for path, text in files.items()))


def way_text(way: Way) -> str:
    """Returns the way of a publishable table as the command line writes it: ``local``, ``global=0.05``."""
    return f"{way.name}={way.setting}" if way.name == "global" else way.name


def way_of(text: str, study: Study) -> Way:
    """Returns the way of a publishable table from its text, for a study.

    Raises:
        StudyError: it is none.

    >>> from cra_engine import Attribute
    >>> way_of("global=0.05", Study([Attribute("age", 0, 80, 3)], 2)).label
    'Global recoding, at most 5 % suppressed'
    """
    name, _, setting = text.partition("=")
    match name:
        case "local" | "safe":
            return Way.of(study)
        case "repaired":
            return Way("repaired", LIKELIEST)
        case "global" if setting in ("0", "0.05"):
            return Way("global", Decimal(setting), study.privacy)
        case _:
            raise StudyError(f"The way to publish {text[:60]!r} is unknown; take local, safe, global=0.05 or repaired.")


def _day_of(settings: Project) -> date | None:
    return date.fromisoformat(settings.decisions[-1].when) if settings.decisions else None


def _script(settings: str, outcome: Outcome, table: str, reading: Sequence[str], decided_by: str) -> str:
    """The script of an archive: the command line that makes the same files again, in a folder without anything."""
    decided = outcome.decided
    besides: dict[str, Iterable[str]] = {
        "--keep": map(str, decided.pins),
        "--removed": decided.removed,
    }
    options = "".join(f" {option}={shlex.quote(one)}" for option, those in besides.items() for one in those)
    cells, rows = [one.removeprefix(READ_AS) for one in reading if one.startswith(READ_AS)], ""
    if len(cells) > FEW and _END not in cells and not re.search(r"[\r\n]", "".join(cells)):
        lines = "".join(f"{one}\n" for one in cells)
        rows = f"cat > {CELLS} <<'{_END}'\n{lines}{_END}\n"
        reading = [*(one for one in reading if not one.startswith(READ_AS)), f"{READ_AS}@{CELLS}"]
    options += "".join(f" {shlex.quote(option)}" for option in (*reading, f"--found-at={table}"))
    if decided_by:
        options += f" {shlex.quote(f'--decided-by={decided_by}')}"
    if decided.without_rows:
        behind = dict.fromkeys(decided.in_the_way, "*")
        behind |= {row: why for row, why in decided.why.items() if row not in outcome.repeating}
        lines = "".join(f"{row} {behind.get(row, '')}".rstrip() + "\n" for row in decided.without_rows)
        rows, options = f"{rows}cat > {ROWS} <<'{_END}'\n{lines}{_END}\n", f"{options} --left-out {ROWS}"
    return (
        "#!/bin/sh\n"
        "# For programmers: makes the same files again, into a new folder:  sh repeat.sh TABLE.csv FOLDER\n"
        "# Keep this file as the table itself: with its seed the coins of safe recoding are known.\n"
        "set -eu\n"
        f"cat > {SETTINGS} <<'{_END}'\n"
        f"{settings}{_END}\n"
        f"{rows}"
        "table=${1:-}\n"
        f'[ -n "$table" ] || table={shlex.quote(table)}\n'
        f'cra-engine publishable "$table" --settings {SETTINGS} '
        f"--way {shlex.quote(way_text(outcome.choice.way))}{options} "
        f'--seed {outcome.seed} --output "${{2:-publishable}}"\n'
    )
