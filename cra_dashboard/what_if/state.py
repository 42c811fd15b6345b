"""The comparison of choices that this session has made: kept while it belongs to the table and the study in use."""

from dataclasses import dataclass, field
from typing import cast

import streamlit as st

from cra_dashboard.session import state
from cra_engine import CRAError, Study, WhatIf
from cra_engine.what_ifs import Together, with_layers
from cra_engine.what_ifs.choices import Choice
from cra_engine.what_ifs.outcome import Point

_HELD = "cra_what_if"


@dataclass(frozen=True, eq=False)
class Held:
    """A comparison with what it belongs to; numbers only, no record.

    Attributes:
        digest: of the table.
        result: the comparison.
        together: per number of a choice the attack on all classes together, where it was made.
    """

    digest: str
    result: WhatIf
    together: dict[int, Together] = field(default_factory=dict)


def held() -> Held | None:
    """The session's comparison; None where there is none, or where table or hierarchies have become others."""
    found = cast("Held | None", st.session_state.get(_HELD))
    data, study = state.dataset(), state.study()
    if found is None or data is None or study is None or found.digest != data.digest:
        return None
    return found if derived(study, found.result.study) else None


def keep(digest: str, result: WhatIf) -> None:
    """Hold a comparison in place of the one before."""
    st.session_state[_HELD] = Held(digest, result)


def basis() -> Study:
    """The study that choices start from: that of the comparison, or else the session's.

    Putting a choice into use may take layers off; its comparison still knows them.
    """
    found, study = held(), state.study()
    if study is None:
        raise LookupError("no study yet")
    return study if found is None else found.result.study


def derived(study: Study, base: Study) -> bool:
    """True when a study is some choice made from another."""
    if study.names != base.names:
        return False
    try:
        return all(
            with_layers(before, now.layers) == now
            for before, now in zip(base.attributes, study.attributes, strict=True)
        )
    except CRAError:
        return False


def in_use(result: WhatIf) -> Point | None:
    """The point of the session's study; None where it was not tried."""
    study = state.study()
    return None if study is None else result.find(Choice.of(study))


def use(result: WhatIf, number: int) -> None:
    """Work with a choice from now on; to be called from a widget's callback."""
    state.use_study(result.heights.study(result.point(number).choice))
