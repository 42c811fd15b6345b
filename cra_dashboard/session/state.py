"""The session's study and what follows from it; computed once, kept only in this session's memory.

Nothing here touches a file, a URL or a cache that other sessions can see.
"""

import hashlib
import threading
from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, Literal, NamedTuple, TypeVar, cast

import numpy as np
import pandas as pd
import streamlit as st
from numpy.typing import NDArray
from streamlit.delta_generator import DeltaGenerator
from streamlit.runtime.scriptrunner import get_script_run_ctx

from cra_dashboard.session.closed_sessions import free_memory_soon
from cra_dashboard.session.job import Job
from cra_dashboard.session.turns import CALCULATIONS, waiting_text
from cra_dashboard.texts.numbering import number_alike, recoded, safely_recoded
from cra_engine import (
    Attack,
    Population,
    Recoding,
    Release,
    SafeRecoding,
    SinglingOut,
    Study,
    single_out,
)
from cra_engine.assess.attacked import attack_by_class
from cra_engine.attacks.intervals import expected_isolated
from cra_engine.choices import AttackTies, DecimalSign, Prior
from cra_engine.files.csv_text import formulas
from cra_engine.publish.check import check_release
from cra_engine.raw.contents import Column, hierarchies, inspect
from cra_engine.raw.known_again import marks_of_rows
from cra_engine.raw.placement import locate
from cra_engine.release import FullDomainRelease
from cra_engine.study.hierarchy import Hierarchy
from cra_engine.words import without_spreadsheet

Origin = Literal["built-in", "synthetic", "uploaded"]
T = TypeVar("T")
AT_ONCE = 1_000  # records of a table that is recoded and attacked in a moment

_DATASET, _STUDY, _TIES, _RESULTS, _JOBS = "cra_dataset", "cra_study", "cra_ties", "cra_results", "cra_jobs"
_WEIGHING = "cra_weighing"
_DRAWS = "cra_safe_draws"
_BEFORE, _AT_ONCE = "cra_before", "cra_at_once"
# What is kept of the table besides: the rule that is set for it, what pages say of it, hierarchies of its columns.
RULE, TOLD, TREES = "cra_rule", "cra_told", "cra_model_trees"
DECIDED = "cra_decisions"  # the digest of a table, and what was decided about it
_LEFT, _REPLACED = "cra_left", "cra_replaced"
MOST_UNDONE = 50
KEEP_ORDER = "keep-order"  # of the switch for the order of a download's rows


@dataclass(frozen=True)
class Weighing:
    """What the session takes the attacker to suppose of the records, which tells how possible tables weigh.

    Attributes:
        prior: by name; None for what the release suggests. Of no account where there is a population.
        population: shares to draw records from.
        source: the name of the file that they come from.
        attributes: the hierarchies whose finest intervals the shares are of.
    """

    prior: Prior | None = None
    population: Population | None = None
    source: str = ""
    attributes: tuple[Hierarchy, ...] = ()


@dataclass(frozen=True)
class Recipe:
    """How the session's table, built in or synthesized, is made again: on any computer, to the last digit.

    Attributes:
        kind: which built-in table, or the kind of the synthetic one.
        records: of the synthetic table; None for a built-in one, and so are the two others.
        seed: of the synthetic table.
        correlation: of the synthetic table.
    """

    kind: str
    records: int | None = None
    seed: int | None = None
    correlation: float | None = None


@dataclass(frozen=True, eq=False)
class Dataset:
    """The raw table of this session.

    Attributes:
        name: short name to show.
        note: one sentence on where it comes from; says "synthetic" where it is.
        origin: ``"built-in"``, ``"synthetic"`` or ``"uploaded"``; an uploaded one never leaves the session's memory.
        frame: the table.
        digest: of the content, to tell whether anything has to be computed again.
        recipe: how to make the table again; None for one that only this session has, every uploaded one among them.
        own_study: the study that belongs to a table with a recipe; None for any other.
        notes: sentences on what of the file is not in the table, or was guessed.
        written: columns as they stand in the file, where a person said what marks the decimals of their numbers.
        decimals: what marks them there.
        read_as: by column the cells of the file that are read as others, or as missing, because a person said so.
        given: these columns as they stand in the file.
        file: the digest of the table before anybody said how to read it; what was decided is kept by it.
        left_out: by the reason the rows of the file, counted from 1, that a person left out of ``frame``.
        with_all: the table with these rows; None where none is left out.
        first_line: of a file whose first line seems to be a person's, its cells, until somebody says what they are.
        named: the columns' names that a person gave, as the file has no line of names.
        sha256: of the file's bytes as they were uploaded; empty for any other table.
    """

    name: str
    note: str
    origin: Origin
    frame: pd.DataFrame
    digest: str
    recipe: Recipe | None = None
    own_study: Study | None = None
    notes: tuple[str, ...] = ()
    written: dict[str, "pd.Series[Any]"] = field(default_factory=dict)
    decimals: dict[str, DecimalSign] = field(default_factory=dict)
    read_as: dict[str, dict[str, str]] = field(default_factory=dict)
    given: dict[str, "pd.Series[Any]"] = field(default_factory=dict)
    file: str = ""
    left_out: dict[str, tuple[int, ...]] = field(default_factory=dict)
    with_all: pd.DataFrame | None = None
    first_line: tuple[str, ...] = ()
    named: tuple[str, ...] = ()
    sha256: str = ""

    @property
    def own(self) -> bool:
        """Whether it is the session's, and no example that a page brings along."""
        return self is dataset()

    @property
    def uploaded(self) -> bool:
        """Whether it comes from a person's file."""
        return self.origin == "uploaded"

    @property
    def whole(self) -> pd.DataFrame:
        """The table with the rows that were left out."""
        return self.frame if self.with_all is None else self.with_all


class Before(NamedTuple):
    """What a session's change found: what it can be taken back to.

    Attributes:
        data: the table.
        study: of it.
        decided: about the table, as noted; None where nothing was.
        rule: that was set; None for the usual one.
    """

    data: Dataset | None
    study: Study | None
    decided: Any = None
    rule: Any = None


@dataclass(frozen=True, eq=False)
class Left:
    """What a session decided about an uploaded table, for when a table of its columns is uploaded again; no row of it.

    Attributes:
        data: the table without rows.
        study: of the table; None where no column was chosen.
        rule: that was set for it; None for the usual one.
        decided: about it, as noted.
        proposed: by column the hierarchy that was proposed.
        marks: by the reason what tells the rows that were left out, in columns by their names, from others.
    """

    data: Dataset
    study: Study | None
    rule: Any
    decided: tuple[Any, ...]
    proposed: dict[str, Hierarchy | None]
    marks: dict[str, frozenset[int]]


def make_dataset(
    name: str,
    note: str,
    origin: Origin,
    frame: pd.DataFrame,
    recipe: Recipe | None = None,
    own_study: Study | None = None,
) -> Dataset:
    """Make a dataset of the session, with the digest of its content."""
    content = hashlib.blake2b(digest_size=16)
    content.update(repr(list(frame.columns)).encode())
    content.update(pd.util.hash_pandas_object(frame, index=False).to_numpy().tobytes())
    digest = content.hexdigest()
    return Dataset(name, note, origin, frame, digest, recipe, own_study, file=digest)


def dataset() -> Dataset | None:
    """Return the session's table, None before one was chosen."""
    return cast("Dataset | None", st.session_state.get(_DATASET))


def study() -> Study | None:
    """Return the session's study, None before hierarchies and k were chosen."""
    return cast("Study | None", st.session_state.get(_STUDY))


def columns_of(data: Dataset) -> tuple[Column, ...]:
    """Return the columns of the session's table, looked at once."""
    return once("columns", data.digest, lambda: inspect(data.frame))


def decided_about(names: Iterable[object]) -> Left | None:
    """Return what the session decided about an uploaded table of these columns, or None."""
    _leave(dataset())
    return cast("Left | None", st.session_state.get(_LEFT, {}).get(tuple(sorted(map(str, names)))))


def decided_about_file(sha256: str) -> Left | None:
    """Return what the session decided about an uploaded file of these bytes, last of all its names, or None."""
    _leave(dataset())
    every: dict[tuple[str, ...], Left] = st.session_state.get(_LEFT, {})
    return next((left for left in reversed(every.values()) if left.data.sha256 == sha256), None)


def _leave(data: Dataset | None) -> None:
    if data is not None and data.origin == "uploaded" and not data.first_line:
        names = tuple(sorted(map(str, data.frame.columns)))
        bare = replace(data, frame=pd.DataFrame(columns=data.frame.columns), written={}, given={}, with_all=None)
        digest, noted = st.session_state.get(DECIDED, ("", ()))
        proposed = hierarchies(columns_of(data), study())
        marks = marks_of_rows(data.whole) if data.left_out else []
        out = {why: frozenset(marks[row - 1] for row in rows) for why, rows in data.left_out.items()}
        left = Left(bare, study(), st.session_state.get(RULE), noted if digest == data.file else (), proposed, out)
        every = st.session_state.setdefault(_LEFT, {})
        every.pop(names, None)  # the last one stands last
        every[names] = left


def in_file(text: str) -> str:
    """Return a text on rows of the session's table as its file has them: without names above them rows are lines."""
    data = dataset()
    return without_spreadsheet(text) if data is not None and data.named else text


def use_dataset(chosen: Dataset, chosen_study: Study | None) -> None:
    """Let the session work on another table, and its study if it brings one; drop what followed from the old."""
    before = dataset()
    if before is None or (before.digest, before.first_line) != (chosen.digest, chosen.first_line):
        _leave(before)
        # Who has named columns goes back to what there was before they were asked for, as while that was asked.
        asked = before is not None and before.first_line and before.sha256 == chosen.sha256 and replaced() is not None
        if before is not None and not asked and (before.file, before.first_line) != (chosen.file, chosen.first_line):
            st.session_state[_REPLACED] = _now() if before.uploaded else None
        st.session_state.pop(_RESULTS, None)
        stop_jobs()
        # Nothing from before can be taken back: it belongs to another table.
        for key in (_BEFORE, _STUDY, _DRAWS, RULE, TOLD, TREES):
            st.session_state.pop(key, None)
    st.session_state[_DATASET] = chosen
    use_study(chosen_study)


def replaced() -> Dataset | None:
    """Return the uploaded table that the session's took the place of, until something is decided about this one."""
    before: Before | None = st.session_state.get(_REPLACED)
    return None if before is None else before.data


def go_back() -> None:
    """Let the session work again on the table that was replaced, with all that was decided about it."""
    before: Before | None = st.session_state.get(_REPLACED)
    if before is not None and before.data is not None:
        use_dataset(before.data, before.study)
        _restore(before)


def use_study(chosen: Study | None) -> None:
    """Let the session work with another study on the same table; the one before can be taken back."""
    present = study()
    if chosen != present:
        stop_jobs()
        if present is not None:
            _remember()
    st.session_state[_STUDY] = chosen


def read_otherwise(chosen: Dataset, chosen_study: Study | None) -> None:
    """Let the session work on its table as a person says that its file is to be read; this can be taken back."""
    stop_jobs()
    _remember()
    st.session_state[_DATASET], st.session_state[_STUDY] = chosen, chosen_study


def _remember() -> None:
    if _AT_ONCE not in st.session_state:
        st.session_state[_BEFORE] = [*changes(), _now()][-MOST_UNDONE:]
        st.session_state.pop(_REPLACED, None)  # no row stays of a table that nobody went back to


def _now() -> Before:
    return Before(dataset(), study(), st.session_state.get(DECIDED), st.session_state.get(RULE))


def _restore(before: Before) -> None:
    for key, value in zip((_DATASET, _STUDY, DECIDED, RULE), before, strict=True):
        if value is None:
            st.session_state.pop(key, None)
        else:
            st.session_state[key] = value


@contextmanager
def one_change() -> Iterator[None]:
    """Take all that changes within as one change of the session, also where it is nothing but a decision."""
    if _AT_ONCE in st.session_state:  # within another
        yield
        return
    _remember()
    st.session_state[_AT_ONCE] = True
    try:
        yield
    finally:
        st.session_state.pop(_AT_ONCE)


def changes() -> list[Before]:
    """Return what the session stood at before each change that can be taken back, the last one last."""
    return cast("list[Before]", st.session_state.get(_BEFORE, []))


def undo() -> None:
    """Take back the session's last change: of the study, of how cells are read, of rows left out; and what was noted.

    What is taken back leaves no trace among what was decided: that says what holds. Where nothing was changed since
    this table took the place of another, by a file or by going back, that other one comes back.
    """
    before = changes()
    if not before:
        go_back()
    else:
        now, last = _now(), before[-1]
        if now.data is not last.data or now.study != last.study or now.rule != last.rule:
            stop_jobs()  # what was only decided leaves every result as it is
        st.session_state[_BEFORE] = before[:-1]
        _restore(last)


def ties() -> AttackTies:
    """Return how the session's attack treats classes of tied states; ``"sound"`` until something else was chosen."""
    return cast("AttackTies", st.session_state.get(_TIES, "sound"))


def use_ties(chosen: AttackTies) -> None:
    """Attack in this session with another treatment of tied classes from now on."""
    st.session_state[_TIES] = chosen


def weighing() -> Weighing:
    """Return how possible tables weigh in this session; shares of other hierarchies than the study's count as none."""
    chosen, now = cast("Weighing", st.session_state.get(_WEIGHING, Weighing())), study()
    return chosen if chosen.population is None or (now and now.attributes == chosen.attributes) else Weighing()


def use_weighing(chosen: Weighing) -> None:
    """Weigh possible tables otherwise from now on in this session."""
    st.session_state[_WEIGHING] = chosen


def forget() -> None:
    """Drop everything this session holds: the table, the study, every result, every widget's value, the address.

    To be called from a widget's callback, before the page runs.
    """
    stop_jobs()
    # An address would bring its study back.
    st.query_params.clear()
    st.session_state.clear()
    # Streamlit keeps the callbacks of all widgets it has ever shown, and a function keeps the variables of its page
    # alive, the table among them. The page that runs next registers its own again.
    context = get_script_run_ctx()
    if context is not None:
        context.session_state._state._new_widget_state.widget_metadata.clear()  # noqa: SLF001
    threading.Thread(target=_free_when_drawn, args=(threading.current_thread(),), daemon=True).start()


def _free_when_drawn(drawing: threading.Thread) -> None:
    """Free memory once the page no longer shows what was dropped, however long it takes to be drawn."""
    drawing.join()
    free_memory_soon()


def once(name: str, key: Hashable, compute: Callable[[], T]) -> T:
    """Return the session's result called ``name``; computed again only when ``key`` differs from last time."""
    results: dict[str, tuple[Hashable, Any]] = st.session_state.setdefault(_RESULTS, {})
    if name not in results or results[name][0] != key:
        results[name] = (key, compute())
    return cast("T", results[name][1])


def in_turn(compute: Callable[[], T]) -> T:
    """Compute something for the page that waits for it; with a large table when it is the session's turn."""
    data = dataset()
    if data is None or len(data.frame) <= AT_ONCE:
        return compute()
    place = st.empty()
    context = get_script_run_ctx()
    session = "" if context is None else context.session_id
    with CALCULATIONS.turn(waiting=lambda ahead, own: _show_place(place, ahead, own), whose=session):
        place.empty()
        return compute()


def _show_place(place: DeltaGenerator, ahead: int, own: int) -> None:
    # Whoever goes elsewhere meanwhile ends this here.
    place.info(waiting_text(ahead, own))


def jobs() -> dict[str, tuple[Hashable, Job[Any]]]:
    """Return what the session computes in the background, running or done: by name, with what each belongs to."""
    return cast("dict[str, tuple[Hashable, Job[Any]]]", st.session_state.setdefault(_JOBS, {}))


def stop_jobs() -> None:
    """End whatever the session runs in the background, and forget its results."""
    while jobs():
        jobs().popitem()[1][1].cancel()


def results_key() -> tuple[str, Study]:
    """Return what every result of the session depends on: the table's content and the study.

    Raises:
        LookupError: there is no table or no study yet; pages are gated, see :mod:`cra_dashboard.panels.frame`.
    """
    data, chosen = dataset(), study()
    if data is None or chosen is None:
        raise LookupError("no table or no study yet")
    return data.digest, chosen


def recoding() -> Recoding | SafeRecoding:
    """Return the session's recoding: by ARX-LR, or safely where the study says so; see :func:`safe_recoding`.

    Raises:
        CRAError: the table does not fit the study.
    """
    key = results_key()
    if key[1].safe:
        return safe_recoding(key[1])

    return once("recoding", key, lambda: in_turn(lambda: recoded(to_recode(), key[1])))


def number_as_recoded(release: Release | FullDomainRelease) -> None:
    """Let pages number a release's boxes as those of the session's recoding, as far as they are the same."""
    key, made = st.session_state.get(_RESULTS, {}).get("recoding", (None, None))
    if made is not None and dataset() is not None and isinstance(release, Release) and key == results_key():
        number_alike(release, made.release)


def safe_recoding(chosen: Study, seed: int | None = None) -> SafeRecoding:
    """Publish the session's table safely: drawn once from the system's randomness, and kept with the table.

    Every page shows this one draw and hands it out. With a seed in its place whoever knows the program would know the
    coins, and each further draw would be another release to choose from: either breaks the promise.

    Args:
        chosen: the study with its epsilon.
        seed: of a lesson's coins on an invented table, so that a class sees the same; such a draw is never handed out.

    Raises:
        CRAError: the table does not fit the study.
    """
    draws: dict[tuple[str, Study, int | None], SafeRecoding] = st.session_state.setdefault(_DRAWS, {})
    key = results_key()[0], chosen, seed
    if key not in draws:
        draws[key] = in_turn(lambda: safely_recoded(to_recode(), chosen, seed))
    return draws[key]


def to_recode(*, whole: bool = False) -> pd.DataFrame:
    """Return the session's table for the publisher: columns that are published as they are stand as written.

    Args:
        whole: with the rows that are left out.
    """
    data, names = cast("Dataset", dataset()), results_key()[1].names
    kept = {name: column for name, column in data.written.items() if name not in names}
    return (data.whole if whole else data.frame).assign(**kept)


def records() -> int:
    """Return how many rows the session's table has, with those that are left out."""
    return len(cast("Dataset", dataset()).whole)


def leaves() -> NDArray[np.int16]:
    """Return the leaf of each record (rows) of the session's table in each quasi-identifier (columns)."""
    data, (_, chosen) = cast("Dataset", dataset()), results_key()
    return once("leaves", results_key(), lambda: locate(data.frame, chosen).leaves)


def defused() -> int:
    """Count the cells of the session's release that a spreadsheet would run as formulas; in the file none is left."""
    return once("formulas", results_key(), lambda: formulas(recoding().frame))


def release_csv(published: Recoding | SafeRecoding) -> str:
    """Return a release of the session's table as it is handed out, after its last check.

    Args:
        published: what is shown.

    Raises:
        CRAError: the release is not what it has to be.
    """

    def checked() -> str:
        check_release(to_recode(), published.study, published.frame)
        return published.release.to_csv_text(keep_order=keep_order())

    key = (results_key()[0], published.study, keep_order())
    return once("release-csv", key, lambda: in_turn(checked))


def keep_order() -> bool:
    """Return whether the session's downloads keep the raw table's row order; else the order is a random one."""
    return bool(st.session_state.get(KEEP_ORDER, False))


def weighed_key() -> tuple[str, Study, Weighing]:
    """Return what a session's result that weighs tables depends on, but for ties; raises as :func:`results_key`."""
    return *results_key(), weighing()


def attack_key() -> tuple[str, Study, Weighing, AttackTies]:
    """Return what every result of the session's attack depends on; raises as :func:`results_key` does."""
    return *weighed_key(), ties()


def attacked() -> Attack:
    """Attack the session's release; the attack reads the release alone."""
    release, how = recoding().release, weighing()
    return once(
        "attack",
        attack_key(),
        lambda: in_turn(lambda: attack_by_class(release, how.prior, how.population, ties())),
    )


def singled() -> SinglingOut:
    """Single out in the session's release, checked against the session's table."""
    data = cast("Dataset", dataset())
    found = attacked()
    return once("singled", attack_key(), lambda: in_turn(lambda: single_out(found, data.frame)))


def by_intervals() -> float:
    """Return how many people a reader of intervals alone expects to stand alone in the session's release."""
    release, prior = recoding().release, attacked().prior
    return once("by intervals", weighed_key(), lambda: in_turn(lambda: expected_isolated(release, prior)))
