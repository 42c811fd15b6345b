"""What the page Safe recode works out; kept in this session only."""

import streamlit as st

from cra_dashboard.charts.published import Shown
from cra_dashboard.session import keys, link, state
from cra_dashboard.session.attacks import attack_soon_over
from cra_dashboard.texts.numbering import recoded
from cra_engine import Recoding, Release, SafeRecoding, Study, TightAttack, attack
from cra_engine.assess.choice_gains import choice_gains
from cra_engine.options import SEED, Detail, Publisher
from cra_engine.publish.local.safe import safe_study

ARX = "ARX-LR"
EPSILONS = ("0.25", "0.5", "1", "2", "4", "8")
KNOB = (*EPSILONS, ARX)


def plain(study: Study) -> Study:
    """Return the study as ARX-LR reads it, without Safe recode's settings."""
    return Study(study.attributes, study.k) if study.safe else study


def of_lesson() -> bool:
    """Return whether a lesson speaks of Safe recode's table, which everybody has: its coins were tossed beforehand."""
    data = state.dataset()
    return link.options().lesson is not None and data is not None and data.recipe is not None


def may_have_seed() -> bool:
    """Return whether Safe recode's coins may be known: of invented people, as long as no other page has the release."""
    data = state.dataset()
    return data is not None and data.recipe is not None and not state.results_key()[1].safe


def seed() -> int | None:
    """Return the seed of Safe recode's coins; None where they come from the system's randomness."""
    if of_lesson():
        return SEED
    return st.session_state.get(keys.SAFE_SEED, SEED) if may_have_seed() else None


def is_later() -> bool:
    """Return whether Safe recode draws inside a release that is out already."""
    digest, study = state.results_key()
    return keys.EARLIER.of(digest) is not None or bool(study.earlier)


def asked(knob: str) -> Study:
    """Return Safe recode's study at an epsilon, with the ledger of the releases that are out already.

    Raises:
        CRAError: nothing can be drawn inside what was uploaded.
    """
    digest, study = state.results_key()
    held = keys.EARLIER.of(digest)
    return study.with_epsilon(knob) if held is None else safe_study(study, knob, held[1])


def made(knob: str) -> Recoding | SafeRecoding:
    """Publish the session's table as Safe recode's knob stands; a safe one is the session's draw.

    Raises:
        CRAError: the table does not fit the study, or the release that is out already.
    """
    digest, study = state.results_key()
    if knob != ARX:
        return state.safe_recoding(asked(knob), seed())
    return state.once(
        "safe-made-arx", (digest, study), lambda: state.in_turn(lambda: recoded(state.to_recode(), plain(study)))
    )


def detail() -> Detail:
    """Return by what Safe recode counts the detail that a release loses: as Other ways does."""
    study = state.results_key()[1]

    def whole() -> Detail:
        frame = state.to_recode()
        return Detail(Publisher(frame, study).data, study, len(frame))

    return state.once("safe-detail", state.results_key(), whole)


def detail_lost(knob: str) -> float:
    """Return the share of the detail that Safe recode's release loses."""
    here = made(knob)
    return state.once(f"safe-lost-{knob == ARX}", here.release, lambda: detail().lost(here.published.extents))


def shown(release: Release, together: TightAttack | None, name: str) -> Shown:
    """Return a table as the page Safe recode publishes it, ready to be drawn on the grid and listed.

    Args:
        release: what the knob makes, or the draw beside it.
        together: the attack on all classes of this release together where that was run; None makes it of ARX-LR's where
            it is soon over. What a safe release's choices tell has a bound without it.
        name: by which the session keeps it.
    """
    by_class = state.once(f"{name}-attacked", release, lambda: state.in_turn(lambda: attack(release)))
    if not release.study.safe and together is None:
        together = state.once(f"{name}-together", release, lambda: attack_soon_over(release))
    key = release, together
    return state.once(name, key, lambda: Shown.of(release, by_class.owner, choice_gains(by_class, together)))


def use(epsilon: str) -> None:
    """Publish on the other pages as Safe recode's knob stands; to be called from a widget's callback."""
    study = state.results_key()[1]
    state.use_study(plain(study) if epsilon == ARX else asked(epsilon))
