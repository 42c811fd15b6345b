"""A search replayed step by step: what is known of each state by then, and from which look."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from cra_dashboard.texts import words
from cra_engine.choices import Search
from cra_engine.publish.flash import above, below
from cra_engine.publish.full_domain.search import Look, Looks
from cra_engine.words import how_many

Status = Literal["waiting", "chosen", "looked", "no", "implied", "implied_no", "later"]
ORDER: tuple[Status, ...] = ("waiting", "implied_no", "no", "later", "implied", "looked", "chosen")
NAMES: dict[Status, str] = {
    "chosen": "published",
    "looked": "checked: anonymous",
    "no": "checked: not anonymous",
    "implied": "predicted: anonymous",
    "implied_no": "predicted: not anonymous",
    "later": "few in small classes: to be checked",
    "waiting": "open",
}
# The searches that can be replayed, and how each goes through the lattice.
SEARCHES: dict[Search, str] = {"flash": "Flash", "ola": "OLA", "incognito": "Incognito"}
_WAYS: dict[Search, str] = {
    "flash": "bisects paths of the lattice",
    "ola": "goes half way up the lattice, then half way up what is left on either side,",
    "incognito": "takes each quasi-identifier by itself, then pairs, and so on, the others at the root,",
}


@dataclass(frozen=True, eq=False)
class Moment:
    """The states on Global recode, as far as a search has settled them after so many steps of the replay.

    Attributes:
        status: per state, row-major, its place in ``ORDER``.
        because: per state, row-major, the step that settled it, from 0; -1 where none did.
    """

    status: NDArray[np.int8]
    because: NDArray[np.int32]

    def count(self, status: Status) -> int:
        """Number of states of a status."""
        return int((self.status == ORDER.index(status)).sum())


def last_step(looks: Looks) -> int:
    """Return the last step of a search's replay: its looks, then what came of them; 0 where all were looked at."""
    return len(looks.steps) + 1 if looks.steps else 0


def moment(looks: Looks, step: int, chosen: Sequence[int]) -> Moment:
    """Return for the replay on Global recode what a search knows after a step; after the last one everything."""
    status = np.full(looks.looked.shape, ORDER.index("waiting"), dtype=np.int8)
    because = np.full(looks.looked.shape, -1, dtype=np.int32)
    sized = looks.sought == "size"
    for number, look in enumerate(looks.steps[:step]):
        region = above(look.state) if look.fits else below(look.state)
        fresh = because[region] < 0
        because[region][fresh] = number
        implied: Status = ("later" if sized else "implied") if look.fits else "implied_no"
        status[region][fresh] = ORDER.index(implied)
        status[look.state] = ORDER.index(("later" if sized else "looked") if look.fits else "no")
    if step >= last_step(looks):
        settled = looks.looked & looks.anonymous
        status[settled] = ORDER.index("looked")
        status[looks.looked & ~looks.anonymous] = ORDER.index("no")
        status[tuple(chosen)] = ORDER.index("chosen")
    return Moment(status.ravel(), because.ravel())


def search_told(looks: Looks, step: int, least: int, search: Search) -> str:
    """Say on Global recode what happens at a step of a search; ``least`` is a class's least size in phase 1."""
    if not looks.steps:
        return (
            "No model gives a least size of a class, and something may be suppressed: nothing can be predicted, and "
            f"all {looks.states:,} states were checked."
        )
    if step == 0:
        goal = (
            "anonymous states. Nothing may be suppressed, so what is true of a state holds in one direction: coarser "
            "states stay anonymous and lose no less, finer ones stay not anonymous."
            if looks.sought == "anonymous"
            else f"states with at most {how_many(looks.limit, 'record')} in classes below {least}. Only that is sure "
            "to grow less when values get coarser; whether a model holds, and what is lost, can go up and down."
        )
        return f"{SEARCHES[search]} {_WAYS[search]} and looks for {goal}"
    if step > len(looks.steps) and looks.sought == "anonymous":
        return (
            f"The search is over: {int(looks.anonymous.sum()):,} states are anonymous. Those above a checked one lose "
            "no less, so the best of the checked ones is published."
        )
    if step > len(looks.steps):
        return (
            f"Phase 2: each of the {int((looks.looked & (looks.suppressed >= 0)).sum()):,} states with few enough "
            f"records in classes below {least} is checked in full, {int(looks.anonymous.sum()):,} are anonymous, and "
            f"the one that loses least is published. With the looks of phase 1 that makes "
            f"{int(looks.looked.sum()):,} states looked at."
        )
    return _look(looks, looks.steps[step - 1], step, least, search)


def _look(looks: Looks, look: Look, step: int, least: int, search: Search) -> str:
    what = "suppressed" if looks.sought == "anonymous" else f"in classes below {least}"
    shown = sum(layer < height for layer, height in zip(look.state, looks.heights, strict=True))
    places = {
        "flash": f"on a path of {how_many(len(look.path), 'state')}",
        "ola": f"between {words.state(look.path[0])} and {words.state(look.path[-1])}",
        "incognito": f"with {shown} of {how_many(len(look.state), 'quasi-identifier')}",
    }
    place = f"Look {step:,} of {len(looks.steps):,}, {places[search]}."
    beyond = "no more than" if look.fits else "more than"
    found = f"State **{words.state(look.state)}**: {how_many(look.short, 'record')} {what}, {beyond} {looks.limit:,}."
    if look.fits:
        then = "all coarser states are anonymous too" if looks.sought == "anonymous" else "all coarser states have too"
        return f"{place} {found} So {then}, and the search goes on below."
    return f"{place} {found} So no finer state can do, and the search goes on above."


def status_reason(looks: Looks, now: Moment, place: int) -> str:
    """Say on Global recode why a search gave a state its status, for who points at it; lines parted by ``<br>``."""
    number = int(now.because[place])
    status = ORDER[now.status[place]]
    if status == "waiting":
        return "not settled yet"
    if number < 0 or looks.steps[number].state == _state(looks, place):
        return _figures(looks, place) or NAMES[status]
    cause = looks.steps[number]
    shown = words.state(cause.state)
    if not cause.fits:
        return f"predicted from {shown} above it, look {number + 1:,}:<br>{cause.short:,} records fail there already"
    if status in ("looked", "no", "chosen"):
        return f"{_figures(looks, place)}<br>(checked in phase 2)"
    return f"predicted from {shown} below it, look {number + 1:,}:<br>only {cause.short:,} records fail there"


def _figures(looks: Looks, place: int) -> str:
    suppressed = int(looks.suppressed.ravel()[place])
    if suppressed < 0:
        return ""
    kept = int(looks.classes.ravel()[place])
    return f"{suppressed:,} records suppressed, {kept:,} classes kept"


def _state(looks: Looks, place: int) -> tuple[int, ...]:
    return tuple(int(layer) for layer in np.unravel_index(place, looks.looked.shape))
