"""What the page Check looks at, and its answer; kept in this session only."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st
from numpy.typing import NDArray

from cra_dashboard.session import datasets, decisions, handed_out, state
from cra_dashboard.session.fields import act
from cra_dashboard.session.job import Job
from cra_dashboard.session.kept import Kept, most_kept
from cra_dashboard.session.runs import Runs, soon_over, timed
from cra_dashboard.session.uploads import File
from cra_engine import Check, CRAError, DataError, Recoding, Rule, Study, StudyError, check, read_table
from cra_engine.attacks.tight.system import too_many_combinations
from cra_engine.checks.outcome import Finding
from cra_engine.checks.project import ACCEPTED, Decision, Project, about_table
from cra_engine.criteria.diversity import Diversity
from cra_engine.files.csv_text import csv_text
from cra_engine.files.row_order import mark_of_rows, release_text, shuffled
from cra_engine.release import read_release_table
from cra_engine.reports.filed import CheckedFile
from cra_engine.risk.sensitive_cells import classes_of
from cra_engine.study.tree import ROOT_LABEL
from cra_engine.words import duration, how_many

_GIVEN: dict[str, Kept["Given"]] = {what: Kept(f"cra_check_given-{what}") for what in ("release", "population")}
_SECONDS: Kept[float] = Kept("cra_check_seconds")
_GAVE_WAY: Kept[bool] = Kept("cra_check_gave_way")
SECONDS, MOST_SECONDS = 60.0, 1920.0
IN_VAIN = (
    "Not looked at yet: this table has too many combinations of values to look at all groups together. To look at each "
    "by itself takes up to {}, and may not find all who are singled out. The search above changes columns first, then "
    "looks."
)
CHECKS: Runs[Check] = Runs("check", timed("Looking at the release", ""), stop="Stop")


@dataclass(frozen=True, eq=False)
class Given:
    """A release or population that was given to the page Check.

    Attributes:
        name: of the file.
        frame: the table.
        file: its name and SHA-256.
        text: of one that was made on this page, so that it is handed out here; empty for others.
        study: by which it was made here; None for the session's.
    """

    name: str
    frame: pd.DataFrame
    file: CheckedFile
    text: str = ""
    study: Study | None = None


@dataclass(frozen=True, eq=False)
class Unjudged:
    """A release on the page Check that has no verdict yet: what a glance at its classes tells.

    Attributes:
        frame: the release.
        study: by which it is looked at.
        rule: what is demanded.
        groups: per class its rows.
        diversity: none: nobody has looked at sensitive values yet.
    """

    frame: pd.DataFrame
    study: Study
    rule: Rule
    groups: tuple[NDArray[np.int64], ...]
    diversity: tuple[Diversity, ...] = ()

    @property
    def suppressed(self) -> int:
        """Number of records in no class."""
        return len(self.frame) - sum(map(len, self.groups))


def given(what: str) -> Given | None:
    """Return the release or population that was given to the page Check for the session's table; None without one."""
    data = state.dataset()
    kept = None if data is None else _GIVEN[what].of(data.digest)
    if kept is None:
        forget_given(what)
    return kept


def take_given(what: str, files: list[File]) -> None:
    """Take a release or a population that is uploaded on the page Check.

    Raises:
        CRAError: it is no table.
    """
    data, (file,) = state.dataset(), files
    if data is None:
        return
    read = read_release_table if what == "release" else read_table
    frame = read(file.content, file.name)
    if not len(frame):
        raise DataError(f"{file.name} holds no record.")
    given_file = Given(file.name, frame, CheckedFile.of(what, file.content, file.name))
    _GIVEN[what].keep(data.digest, given_file)


def take_study(files: list[File]) -> str:
    """Take the study that the release on the page Check was made with, for the session's table; say so in a sentence.

    Raises:
        CRAError: it is no study, or of another table.
    """
    data = state.dataset()
    if data is None:
        raise DataError("There is no table yet.")
    study = datasets.study_for(data, files)
    state.use_study(study)
    name = next(file.name for file in files if file.name.lower().endswith(".toml"))
    decisions.note(f"the study of {name} is used")
    return f"{name} is in use: known to others {', '.join(study.names)}, k = {study.k}."


def check_instead(name: str, frame: pd.DataFrame, study: Study | None = None, *, made: bool = False) -> None:
    """Let the page Check look at a release that was made here; to be called from a widget's callback.

    Args:
        name: what it is called.
        frame: the release.
        study: by which it was made, where that is not the session's.
        made: whether it was made on this very page.
    """
    data = state.dataset()
    if data is None:
        return
    kept = frame.drop(columns=[one for one in state.results_key()[1].roles.remove if one in frame.columns])
    if not state.keep_order():
        kept = shuffled(kept)  # judged as it is handed out
    text = release_text(kept, keep_order=True)
    found = Given(name, kept, CheckedFile.of("release", text.encode(), name), text if made else "", study)
    _GIVEN["release"].keep(data.digest, found)


def forget_given(what: str) -> None:
    """Forget the release or the population that was given to the page Check."""
    _GIVEN[what].drop()


def without_sensitive(checked: Check) -> None:
    """Let the page Check look at its release without the suppressed records' sensitive values."""
    frame = checked.frame.copy()
    shown = np.concatenate(checked.groups) if checked.groups else np.empty(0, dtype=np.int64)
    suppressed = np.setdiff1d(np.arange(len(frame)), shown)
    for name in sensitive_of(checked):
        column = frame[name].astype(object)
        column.iloc[suppressed] = ROOT_LABEL
        frame[name] = column
    check_instead("the release, nothing sensitive of suppressed records", frame, made=True)
    decisions.note(f"the sensitive values of {how_many(len(suppressed), 'suppressed record')} are left out")


def sensitive_of(checked: Check) -> list[str]:
    """Return the sensitive columns that the release on the page Check shows."""
    return [column.name for column in checked.columns if column.role == "sensitive" and column.published]


def seconds_for_attack() -> float:
    """Return how long the page Check's attack may take, for the session's table."""
    data = state.dataset()
    return SECONDS if data is None else _SECONDS.of(data.digest) or SECONDS


def look_longer() -> None:
    """Let the page Check look once more, for twice the time; to be called from a widget's callback."""
    data = state.dataset()
    if data is not None:
        _SECONDS.keep(data.digest, 2 * seconds_for_attack())
        _start(answer_key())


def answer_key() -> tuple[object, ...]:
    """Return what the page Check's answer depends on: the table, the study, the rule and the files that were given."""
    digest, study = state.results_key()
    files = [None if (found := given(what)) is None else found.file.sha256 for what in ("release", "population")]
    release = given("release")
    return (digest, study, decisions.rule(), None if release is None else release.study, *files)


def answer() -> Check | None:
    """Return the page Check's answer for table, study, rule and files; None while it is looked for, or after an error.

    The page shows how that goes, or the error.
    """
    now, known = answer_key(), _answers()
    job = CHECKS.job(now)
    if job is None and now in known:
        return known[now]
    if job is None and CHECKS.cancelled(now):
        gave_way = _GAVE_WAY.of(now) is not None
        said = "Not looked at: the search went first." if gave_way else "Stopped before there was a verdict."
        st.info(said, icon=":material/hourglass_empty:" if gave_way else ":material/stop:")
        label = "Look at it now" if gave_way else "Look at it again"
        act(label, _again, now, icon="play_arrow", key="check-again")
        return None
    if job is None and state.once("check-in-vain", now, _in_vain):
        st.info(IN_VAIN.format(duration(seconds_for_attack())), icon=":material/hourglass_empty:")
        act("Look at it all the same", _again, now, icon="play_arrow", key="check-again")
        return None
    if job is None:
        job = _start(now)
    if not CHECKS.ended(job, now) or job.result is None:
        return None
    known.pop(now, None)  # the last one given stands last
    known[now] = job.result
    while len(known) > most_kept(len(job.result.frame)):
        known.pop(next(iter(known)))
    return job.result


def _in_vain() -> bool:
    """Whether the page Check would keep a person waiting for bounds alone, on a table that a search changes anyhow."""
    data, (_, study) = state.dataset(), state.results_key()
    if data is None or not data.uploaded or study.safe or given("release") is not None:
        return False
    try:
        made = state.recoding()
    except CRAError:  # the check says what is wrong with it
        return False
    return isinstance(made, Recoding) and too_many_combinations(made.release)


def answered() -> Check | None:
    """Return the page Check's answer for table, study, rule and files where it is known already."""
    return _answers().get(answer_key())


def passes(checked: Check) -> bool:
    """Return whether a release that was held against the rule on the page Check may go out."""
    return checked.verdict == "ready" or (checked.verdict == "attention" and checked.all_accepted)


def another_taken(release: Given | None) -> bool:
    """Return whether a table that was found on Check goes out: nobody may send one's own groups in its place."""
    taken = handed_out.taken()
    return release is None and taken is not None and bool(taken.files)


def decided() -> list[Decision]:
    """Return the session's decisions that the page Check's verdict rests on: nothing that another table was let do."""
    noted = decisions.noted()
    # A large table is marked, which takes a while, only where something was accepted at all.
    return about_table(noted, _table() if any(one.what.startswith(ACCEPTED) for one in noted) else "")


def accept(finding: Finding, why: str) -> None:
    """Accept what a finding on the page Check says of the release that it looks at, and of no other one."""
    decisions.accept(finding.text, why, _table())


def _table() -> str:
    """What tells the rows that Check looked at from others, which may be drawn, given, or made by another study."""
    checked = answered()
    return (
        "" if checked is None else state.once("check-rows-mark", checked, lambda: mark_of_rows(csv_text(checked.frame)))
    )


def _answers() -> dict[tuple[object, ...], Check]:
    """The last answers about the session's file, by their keys: an Undo comes back to them.

    They go with the table, as safe recoding's draws do, of which they speak.
    """
    data = state.dataset()
    return state.once("check-answers", data and data.file, dict[tuple[object, ...], Check])


def unjudged() -> Unjudged | None:
    """Return the classes of the release on the page Check, for as long as it has no verdict; None where it has none.

    Classes are counted within a moment: they are there to look at while the attack goes on, or gives way to a search.
    """
    release = given("release")
    study = state.results_key()[1] if release is None or release.study is None else release.study
    frame = state.recoding().frame if release is None else release.frame
    try:
        groups = classes_of(frame, list(study.names))
    except CRAError:  # the check says what is wrong with it
        return None
    return Unjudged(frame, study, decisions.rule(), groups) if groups else None


def give_way() -> None:
    """Stop looking at the release where that still goes on: something that a person waits for has its turn first."""
    if CHECKS.going:
        CHECKS.cancel()
        _GAVE_WAY.keep(answer_key(), value=True)


def _again(key: tuple[object, ...]) -> None:
    _start(key)


def _start(key: tuple[object, ...]) -> Job[Check]:
    _GAVE_WAY.drop()
    release, population = given("release"), given("population")
    frame, study, rule = state.to_recode(), state.results_key()[1], decisions.rule()
    shown = None if release is None else release.frame
    if release is None and study.safe:
        shown = state.recoding().frame  # the one draw that is handed out
    by = study if release is None or release.study is None else release.study
    people = None if population is None else population.frame
    limit = seconds_for_attack()
    return CHECKS.start(
        key,
        lambda _: check(frame, by, shown, population=people, rule=rule, time_limit=limit),
        limit,
        soon=soon_over(by.attributes, len(frame)),
    )


def checked_files() -> Callable[[], list[CheckedFile]]:
    """Return what names the files that Check looks at, with SHA-256: as given, else as they would be written.

    Whoever asks for them, such as a download, has no session any more: what they are made of is taken from it here.
    """
    data, (_, study) = state.dataset(), state.results_key()
    release, population = given("release"), given("population")
    text = "" if release is not None else state.release_csv(state.recoding())

    def named() -> list[CheckedFile]:
        found = []
        if data is not None:
            content = csv_text(data.frame).encode()
            if data.sha256:
                found.append(CheckedFile("data", f"{data.name} (as it was uploaded)", data.sha256))
            found.append(CheckedFile.of("data", content, f"{data.name} (as this program writes it)"))
        own = CheckedFile.of("release", text.encode(), "release.csv (as this program gives it)")
        found.append(own if release is None else release.file)
        if population is not None:
            found.append(population.file)
        return [*found, CheckedFile.of("study", study.to_toml_text().encode(), "study.toml")]

    return named


def project_text() -> str:
    """Write the project of the page Check as a file: study, roles, rule and decisions, no record."""
    data, (_, study) = state.dataset(), state.results_key()
    if data is None:
        return ""
    return Project(data.name, data.digest, study, decisions.rule(), decisions.noted()).to_toml_text()


def open_project(files: list[File]) -> tuple[str, str]:
    """Go on with the page Check where a project file stood; return the kind of message, and the message.

    Raises:
        CRAError: it is no project, or not of this table.
    """
    data, (file,) = state.dataset(), files
    if data is None:
        raise DataError("There is no table yet.")
    try:
        text = file.content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise DataError(f"{file.name} is not UTF-8 text; take the file that this program wrote.") from None
    project = Project.from_toml_text(text, file.name)
    _fits(project.study, data)
    state.use_study(project.study)
    decisions.use_rule(project.rule)
    decisions.use_noted(tuple(project.decisions))
    if project.digest == data.digest:
        return "success", f"{file.name} is opened: the work goes on where it stood."
    return "warning", (
        f"{file.name} was saved for {project.table}, a table with other content. Its study, roles and rule are in use; "
        "look at them again."
    )


def _fits(study: Study, data: state.Dataset) -> None:
    have = set(map(str, data.frame.columns))
    missing = [name for name in (*study.names, *study.roles.named) if name not in have]
    if missing:
        raise StudyError(f"The project names the column {missing[0]!r}, which {data.name} does not have.")


def rule_of_controls(chosen: Callable[[str], Any], study: Study) -> Rule:
    """Read the rule from the page Check's controls, by their names; what follows the study stays open."""
    k, t, risk = chosen("k"), chosen("t"), chosen("risk") / 100
    return Rule(
        None if k == study.k else k,
        chosen("l"),
        None if t >= 1 else t,
        None if risk <= 0 else risk,
        chosen("alone") / 100,
        nobody_certain=chosen("certain"),
        names_meant=decisions.rule().names_meant,
    )
