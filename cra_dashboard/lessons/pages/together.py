"""Questions on several releases of the same people."""

import streamlit as st

from cra_dashboard.lessons.hooks import Doing, Hooks, Opening, Setting, by_key
from cra_dashboard.lessons.question import Question, compared
from cra_dashboard.session import keys
from cra_engine import Composition
from cra_engine.words import how_many


def together(found: Composition) -> Question | None:
    """Let the learner predict whether all releases together settle more than the one that settles most."""
    if len(found.releases) < 2:
        return None
    # Of releases of fewer people the figures mean others: cells speak of the last one's.
    told, first = found.alone_of_all, len(found.alone) - len(found.alone_of_all) + 1
    alone = [(len(one.fixed_cells), len(one.isolated)) for one in told]
    said = "; ".join(
        f"release {number} (k = {one.release.k}) settles {how_many(cells, 'cell') if cells else 'no cell'} and singles "
        f"{how_many(people, 'person', 'people') if people else 'nobody'} out"
        for number, (one, (cells, people)) in enumerate(zip(told, alone, strict=True), start=first)
    )
    most, settled, people = max(cells for cells, _ in alone), len(found.fixed_cells), len(found.isolated)
    return compared(
        f"A release settles a cell when the number of people there follows from it. Of {len(found.cells)} cells, "
        f"{said}. **How many cells do they settle together?**",
        (f"Fewer than {most}", f"As many: {most}", f"More than {most}"),
        most,
        settled,
        f"Together they settle {how_many(settled, 'cell')} and single {how_many(people, 'person', 'people')} out: "
        "every table that is left must give each of the releases, so what one leaves open another can exclude.",
    )


# ---------------------------------------------------------------- what lessons know of the page


def put_together(doing: Doing, ks: list[int]) -> bool:
    """Tell whether a lesson's step is done: the releases with just these k were chosen."""
    here = doing.now.settings["together"]
    return doing.now.page == "together" and doing.changed("together") and here == tuple(ks)


def saw_alone(doing: Doing) -> bool:
    """Tell whether a lesson's step is done: the first release was looked at alone, then all of them."""
    shown = [max((number for _, number in one.several["together_step"]), default=0) for one in doing.since]
    return 1 in shown and shown[-1] > 1


def _plain(pairs: object) -> tuple[int, ...]:
    return tuple(sorted(k for k, coarser in pairs or () if coarser is None))  # type: ignore[attr-defined]


def _begin(opening: Opening) -> None:
    if "together" in opening.wanted:
        st.session_state[keys.together()] = [(k, None) for k in opening.wanted["together"]]


HOOKS = Hooks(
    "together",
    "Several releases",
    views={
        "together-figure": (by_key("stage"), "the picture of the certain cells"),
        "together-put": (f'[class*="st-key-{keys.PUT_TOGETHER}"]', "the choice of what is put together"),
        "together-releases": (by_key("together-releases"), "the releases to put together"),
    },
    settings={"together": Setting(keys.together, _plain)},
    several={"together_step": keys.PUT_TOGETHER},
    conditions=(put_together, saw_alone),
    begins=("together",),
    begin=_begin,
)
