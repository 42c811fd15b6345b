"""A later release on the page Safe recode: what is out already, and what it says together with the next one."""

from dataclasses import dataclass

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from cra_dashboard.safe import state as safe
from cra_dashboard.session import keys, messages, state
from cra_dashboard.session.uploads import File, tables_and_studies
from cra_dashboard.texts.numbering import safely_recoded
from cra_engine import DataError, Release, read_release
from cra_engine.attacks.composition.safe_together import SettledSet, settled_counts
from cra_engine.patience import Deadline
from cra_engine.publish.local.safe import safe_study
from cra_engine.study.regions import Regions

PLACE = "safe-earlier"  # of the messages
SECONDS = 5.0
_TOSSES = "safe-tosses"


@dataclass(frozen=True, eq=False)
class Together:
    """The counts of people that all releases of the same people on Safe recode settle together.

    Attributes:
        regions: of the releases, the last one last.
        settled: sets of cells that hold fewer than k people, 1 or more, for certain; the smallest first.
        complete: False where the time did not suffice, so that there can be more of these.
    """

    regions: tuple[Regions, ...]
    settled: tuple[SettledSet, ...]
    complete: bool

    @property
    def k(self) -> int:
        """The smallest k of the releases."""
        return min(one.k for one in self.regions)

    @property
    def few(self) -> NDArray[np.int64]:
        """Per cell the people of the smallest such set that it is in; 0 in none."""
        found = np.zeros(self.regions[-1].grid.shape, dtype=np.int64)
        for one in reversed(self.settled):
            found[tuple(np.transpose(one.cells))] = one.people
        return found

    @property
    def held(self) -> NDArray[np.int64]:
        """Per cell the people of the smallest region of a release that it lies in."""
        found = []
        for one in self.regions:
            sizes = np.array([one.size(region) for region in one.regions], dtype=np.int64)
            found.append(sizes[one.owner])  # the suppressed have the last place, which -1 finds
        fewest: NDArray[np.int64] = np.min(found, axis=0)
        return fewest.reshape(self.regions[-1].grid.shape)


def together(knob: str) -> Together:
    """Put the releases on Safe recode that are out already together with the one that is drawn inside them."""
    release = safe.made(knob).release
    return state.once("safe-together", release, lambda: _counted(release.regions.chain))


def anew(knob: str) -> Release:
    """Return Safe recode's draw that knows nothing of the releases that are out; never handed out."""
    study, digest = safe.asked(knob).changed(earlier=()), state.results_key()[0]
    key = (*state.results_key(), study, st.session_state.get(_TOSSES, 0))
    return keys.BESIDE.of((digest, knob)) or state.once(
        "safe-anew", key, lambda: state.in_turn(lambda: safely_recoded(state.to_recode(), study)).release
    )


def drawn_anew(knob: str) -> Together:
    """Put the releases on Safe recode that are out already together with the draw that knows nothing of them."""
    before, release = safe.made(knob).release.regions.chain[:-1], anew(knob)
    key = (*state.results_key(), before, release)
    return state.once("safe-beside", key, lambda: state.in_turn(lambda: _counted((*before, release.regions))))


def compared(knob: str) -> tuple[Release, ...]:
    """Return the two releases that a lesson compares on Safe recode, drawn apart; empty if it compares none."""
    digest = state.results_key()[0]
    first, beside = keys.EARLIER.of(digest), keys.BESIDE.of((digest, knob))
    return () if first is None or beside is None else (first[1], beside)


def toss() -> None:
    """Toss the coins on Safe recode of the draw that knows nothing of the others; called from a widget's callback."""
    keys.BESIDE.drop()
    st.session_state[_TOSSES] = st.session_state.get(_TOSSES, 0) + 1


def _counted(regions: tuple[Regions, ...]) -> Together:
    counts = settled_counts(regions, Deadline(SECONDS))
    return Together(regions, counts.settled, counts.complete)


# ---------------------------------------------------------------- what is out already


def take_earlier(files: list[File]) -> None:
    """Take on Safe recode a release that is out already, with its readers' study; called from a widget's callback."""
    with messages.telling(PLACE):
        given = tables_and_studies(files)
        tables, studies = given.tables, given.studies
        if len(studies) != 1 or len(tables) != 1:
            raise DataError(
                "Give one released table (CSV) together with the study of its readers (TOML), and the hierarchy files "
                "that the study names."
            )
        name, (study,) = tables[0].name, studies.values()
        _keep(name, read_release(tables[0].content, study, name))
        messages.tell(PLACE, "success", f"{name} is out already; the next release is drawn inside it.")


def publish_again(knob: str) -> None:
    """Take Safe recode's own draw for published, and draw the next one inside it; called from a widget's callback."""
    with messages.telling(PLACE):
        _keep(f"the release with epsilon {knob}", safe.made(knob).release)


def _keep(name: str, release: Release) -> None:
    digest, study = state.results_key()
    if st.session_state.get(keys.EPSILON, "1") == safe.ARX:
        st.session_state[keys.EPSILON] = "1"
    safe_study(study, "1", release)  # said now, not once it is drawn
    keys.EARLIER.keep(digest, (name, release))
    st.session_state[keys.SAFE_SHOWN] = keys.BOTH


def forget_earlier() -> None:
    """Forget on Safe recode the releases that are out already; to be called from a widget's callback."""
    keys.EARLIER.drop()
    messages.forget(PLACE)
    study = state.results_key()[1]
    if study.earlier:
        state.use_study(study.changed(earlier=()))
