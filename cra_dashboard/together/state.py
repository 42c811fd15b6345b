"""What the page Several releases works on: of the session's table, and uploaded; kept in this session's memory only."""

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import streamlit as st

from cra_dashboard.session import keys, state
from cra_dashboard.session.reasons import REASONS
from cra_dashboard.session.runs import Runs, soon_over, timed
from cra_dashboard.session.uploads import AS_ZIP, File, IncompleteError, stem, tables_and_studies
from cra_dashboard.texts.numbering import number_alike, recoded
from cra_engine import (
    Attribute,
    Composition,
    CRAError,
    Release,
    Repair,
    RepairTargets,
    Study,
    StudyError,
    compose,
    repair,
)
from cra_engine.assess.attacked import suggested_prior
from cra_engine.audits.audit import smallest_class
from cra_engine.audits.guessed_release import guessed_release, values_alike
from cra_engine.release import read_release_table
from cra_engine.words import listed

KS = (2, 3, 4, 5, 6, 7, 8, 10, 15, 20)
SECONDS, REPAIR_SECONDS = 60.0, 120.0
GROWN = "together-grown"  # where it is kept that each release is of part of the people of the next larger one
_GIVEN, _WAITING = "cra_together_given", "cra_together_waiting"

TOGETHER: Runs[tuple[Composition, ...]] = Runs(
    "releases together", timed("Putting the releases together"), patience=1.5
)
REPAIRS: Runs[Repair] = Runs("repair", timed("Merging and suppressing", "about"), stop="Stop")


@dataclass(frozen=True)
class Version:
    """A way to publish one of Several releases: another k, or an attribute with one layer less.

    Attributes:
        k: of the release.
        coarser: position of the attribute whose leaves are made coarser; None for none.
    """

    k: int
    coarser: int | None = None

    def label(self, study: Study) -> str:
        """Short, for a list."""
        return f"k = {self.k}" + ("" if self.coarser is None else f", {study.names[self.coarser]} coarser")

    def of(self, study: Study) -> Study:
        """The session's study, changed so."""
        attributes = list(study.attributes)
        if self.coarser is not None:
            own = attributes[self.coarser]
            if not isinstance(own, Attribute):
                raise StudyError(f"The hierarchy of {own.name!r} comes from a file; it has no layers to leave out.")
            attributes[self.coarser] = own.changed(layers=own.interval_layers - 1)
        return study.changed(
            attributes=attributes, k=self.k, profile="paper" if study.safe else study.profile, privacy=()
        )


@dataclass(frozen=True, eq=False)
class Given:
    """A release that was uploaded on Several releases, by its own study, the session's or its labels.

    Attributes:
        name: of its file.
        content: the file.
        study: the study that came with it; None for the session's, or none at all.
        k: as somebody says; None for that of its own study, or unknown.
        files: that its study came in.
    """

    name: str
    content: bytes
    study: Study | None
    k: int | None = None
    files: tuple[str, ...] = ()


class Read(NamedTuple):
    """An uploaded release on Several releases as it is read.

    Attributes:
        release: the release.
        said: what is guessed of it, in a sentence; empty where nothing is.
        doubtful: columns of which its labels cannot tell whether they are quasi-identifiers.
    """

    release: Release
    said: str = ""
    doubtful: tuple[str, ...] = ()


def versions(study: Study, records: int) -> list[Version]:
    """Return the ways to publish the session's table that are one click away on Several releases."""
    found = [Version(k) for k in sorted({*KS, study.k}) if 2 <= k <= max(2, records // 2)]
    for position, own in enumerate(study.attributes):
        if isinstance(own, Attribute) and own.interval_layers > 2:
            found.append(Version(study.k, position))
    return found


def usual_versions(study: Study, offered: Sequence[Version]) -> list[tuple[int, int | None]]:
    """Return what Several releases puts together at first: the study's k, and the next larger one."""
    plain = [version for version in offered if version.coarser is None]
    place = next((at for at, version in enumerate(plain) if version.k == study.k), 0)
    return [(version.k, version.coarser) for version in plain[place : place + 2]]


def give_way() -> None:
    """Leave the session's table out on Several releases where what people bring is to be compared by itself.

    An example gives way to what is not of it; a table of theirs to two releases and more, unless they chose versions.
    """
    data, study, chosen = state.dataset(), state.study(), st.session_state.get(keys.together())
    if data is None or study is None:
        return
    of_others = data.recipe is not None and not all(map(same_people, given()))
    unasked = chosen in (None, usual_versions(study, versions(study, len(data.frame))))
    if of_others or (unasked and len(given()) > 1):
        st.session_state[keys.together()] = []


def published(version: Version) -> Release:
    """Publish the session's table as one of Several releases.

    Raises:
        CRAError: the table does not fit the study.
    """
    _, study = state.results_key()
    chosen = version.of(study)

    def compute() -> Release:
        return recoded(state.to_recode(), chosen).release

    return state.once(f"together-{version}", (state.results_key(), version), lambda: state.in_turn(compute))


# ---------------------------------------------------------------- uploaded releases


def given() -> list[Given]:
    """Return the releases that were uploaded on Several releases, in the order in which they came."""
    found = st.session_state.get(_GIVEN, [])
    return found if isinstance(found, list) else []


def received() -> list[str]:
    """Return per release that was uploaded on Several releases the files that belong to it, and which wait for more."""
    told = [f"{one.name}: {f'with {listed(one.files)}' if one.files else 'without a study'}" for one in given()]
    return [*told, *(f"{file.name}: waits for the rest" for file in st.session_state.get(_WAITING, ()))]


def take_uploaded(files: list[File]) -> list[str]:
    """Take released tables for Several releases, and studies of the same name, or one for all of them.

    Files that lack a hierarchy file wait for it.

    Returns:
        A sentence per table on what was taken.

    Raises:
        CRAError: a file is neither, or a table is no release of its study, or shows too little to be read without one.
    """
    names = {file.name for file in files}
    files = [*(file for file in st.session_state.get(_WAITING, ()) if file.name not in names), *files]
    try:
        parted = tables_and_studies(files)
    except IncompleteError:
        st.session_state[_WAITING] = files
        raise
    st.session_state.pop(_WAITING, None)
    of = {name: (study, parted.files[name]) for name, study in parted.studies.items()}
    unused = [f"Not used: {listed(parted.unused)}."] if parted.unused else []
    if of and not parted.tables:
        return [*_with_studies(of), *unused]
    found, said = [], []
    for file in parted.tables:
        study, came_in = of.get(stem(file.name)) or next(iter(of.values()), (None, ()))
        one = Given(file.name, file.content, study, files=came_in)
        try:
            release = read_uploaded(one).release
        except CRAError as error:
            if len(came_in) < 2 or came_in[0].endswith(".zip"):
                raise
            raise type(error)(f"{error} {AS_ZIP}") from None
        found.append(one)
        here = ", as they are published here" if made_here(one) else ""
        said.append(f"{file.name}: {release.records:,} records{here}.")  # k may still be changed
    if not found:
        raise CRAError("Give the released table (CSV), with its study (TOML) or without one.")
    st.session_state[_GIVEN] = [*given(), *found]
    return [*said, *unused]


def _with_studies(of: Mapping[str, tuple[Study, tuple[str, ...]]]) -> list[str]:
    """The tables that came before, with the studies that come now: that of their name, else one for all without."""
    found = []
    for one in given():
        own = of.get(stem(one.name)) or (None if one.study else next(iter(of.values())))
        found.append(one if own is None else replace(one, study=own[0], files=own[1], k=None))
    if not found:
        raise CRAError("Give the released table (CSV) first, or with its study.")
    said = [f"{one.name}: {read_uploaded(one).release.records:,} records, by its study." for one in found if one.study]
    st.session_state[_GIVEN] = found
    return said


def study_of(one: Given) -> Study | None:
    """Return the study that an uploaded release on Several releases is read by; None where it is read by its labels.

    Without one of its own that is the session's, if the release shows nothing but its labels, whatever its k is.
    """
    study = state.study()
    if one.study is not None or study is None:
        return one.study
    return None if _records(one, study) is None else study


def _records(one: Given, study: Study) -> int | None:
    """How many records an uploaded release has; None where it shows something else than labels of a study."""

    def read() -> int | None:
        try:
            return Release(study.with_k(2), read_release_table(one.content, one.name)).records
        except CRAError:
            return None

    return state.once(f"records of {one.name}", (hash(one.content), study), read)


def same_people(one: Given) -> bool:
    """Return whether an uploaded release on Several releases may be of the session's people, by labels and number."""
    data, study = state.dataset(), state.study()
    return data is not None and study is not None and _records(one, study) == len(data.frame)


def made_here(one: Given) -> Release | None:
    """Return the session's own release that an uploaded one on Several releases is, with the same boxes; None for none.

    Looked for with the session's k, and where the table is small with that of the smallest class.
    """
    study = state.study()
    if study is None or study.safe or not same_people(one):
        return None
    return state.once(f"here {one.name}", (hash(one.content), state.results_key()), lambda: _made_here(one, study))


def _made_here(one: Given, study: Study) -> Release | None:
    try:
        table = read_release_table(one.content, one.name)
        smallest = smallest_class(table, study.attributes, study.profile)
        others = [smallest] if soon_over(study.attributes, len(table)) else []
        for k in dict.fromkeys(k for k in (study.k, *others) if k <= smallest):
            chosen = study.with_k(k)
            made = state.recoding().release if k == study.k else recoded(state.to_recode(), chosen).release
            if Counter(made.classes) == Counter(Release(chosen, table).classes):
                return made
    except CRAError:  # the session's table does not fit its study, or this is no release of it
        pass
    return None


def read_uploaded(one: Given, named: Sequence[str] = ()) -> Read:
    """Read one of the uploaded releases of Several releases.

    Args:
        one: the release.
        named: quasi-identifiers, where it comes without a study; of these what its labels leave open.

    Raises:
        CRAError: it is no release of its study, or shows too little to be read without one.
    """
    own, table = study_of(one), read_release_table(one.content, one.name)
    if own is not None:
        k, said = one.k or said_k(one), ""
        if k is None:
            k = smallest_class(table, own.attributes, own.profile)
            said = f"{one.name}: k = {k} from the smallest group."
        release, made = Release(own.with_k(k), table), made_here(one)
        if made is not None:
            number_alike(release, made)
        return Read(release, said)
    try:
        read = guessed_release(table, one.k)
        may = {*read.release.study.names, *read.doubtful}
        if chosen := [name for name in named if name in may]:
            read = guessed_release(table, one.k, chosen)
    except CRAError as error:
        raise type(error)(f"{one.name} comes without its study: {error}") from None
    return Read(read.release, f"{one.name}: {read.said}", read.doubtful)


def columns_to_name() -> tuple[list[str], list[str], list[str]]:
    """Return the columns by which uploaded releases without a study are read, those in doubt, and which of them can be.

    Raises:
        CRAError: see :func:`read_uploaded`.
    """
    guessed = [one for one in given() if study_of(one) is None]
    read = [read_uploaded(one) for one in guessed]
    sure = dict.fromkeys(name for each in read for name in each.release.study.names)
    doubtful = dict.fromkeys(name for each in read for name in each.doubtful)
    alike = values_alike([read_release_table(one.content, one.name) for one in guessed])
    return [*sure], [*doubtful], [name for name in doubtful if name in alike]


def said_k(one: Given) -> int | None:
    """Return the k that a study states for an uploaded release on Several releases.

    The session's does not: it may be lent to a release that was made with another k. Safe recoding has no other, and
    that of a release that was made here is known.
    """
    own = study_of(one)
    if own is not None and (one.study is not None or own.safe):
        return own.k
    made = made_here(one)
    return None if made is None else made.k


def state_k(position: int, k: int | None) -> None:
    """Note the k that an uploaded release on Several releases was published with; None where nobody knows."""
    held = given()
    held[position] = replace(held[position], k=k)
    st.session_state[_GIVEN] = held


def forget_uploaded() -> None:
    """Drop the releases that were uploaded on Several releases."""
    st.session_state.pop(_GIVEN, None)
    st.session_state.pop(_WAITING, None)
    TOGETHER.drop()
    REASONS.drop()
    REPAIRS.drop()


# ---------------------------------------------------------------- the attack


def by_people(releases: Sequence[Release], labels: Sequence[str]) -> tuple[list[Release], list[str]]:
    """Return releases on Several releases and their labels in the order in which each is of part of the next."""
    order = sorted(range(len(releases)), key=lambda place: releases[place].records)
    return [releases[place] for place in order], [labels[place] for place in order]


def suppose_part() -> None:
    """Suppose that each release is of part of the people of a larger one; to be called from a widget's callback."""
    st.session_state[GROWN] = True


def compute(
    releases: Sequence[Release], *, grown: bool, linked: bool, cancelled: Callable[[], bool]
) -> tuple[Composition, ...]:
    """Attack the releases on Several releases together: the first, the first two, and so on up to all of them.

    Raises:
        CRAError: see :func:`cra_engine.compose`.
    """
    share, prior = SECONDS / len(releases), suggested_prior(releases)
    return tuple(
        compose(releases[:number], grown=grown, linked_rows=linked, time_limit=share, cancelled=cancelled, prior=prior)
        for number in range(1, len(releases) + 1)
    )


# ---------------------------------------------------------------- the last one mended


def start_repair(key: Hashable, releases: Sequence[Release], likeliest: float | None) -> None:
    """Mend the last release on Several releases beside the others; to be called from a widget's callback."""
    *earlier, last = releases
    REPAIRS.start(
        key,
        lambda _: repair(last, RepairTargets(likeliest=likeliest), earlier=earlier, time_limit=REPAIR_SECONDS),
        REPAIR_SECONDS,
    )
