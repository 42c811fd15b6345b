"""What lessons know of the page All together."""

from cra_dashboard.lessons.hooks import Doing, Hooks, by_key, clear
from cra_dashboard.session import keys, state


def asked_why(doing: Doing) -> bool:
    """Tell whether a lesson's step is done: it was asked why a cell in no box is certain."""
    suppressed = state.attacked().suppressed
    asked = {cell for _, cell in doing.new("why")}
    return suppressed is not None and not asked.isdisjoint(suppressed.free_cells)


HOOKS = Hooks(
    "all_classes",
    "All together",
    views={
        "all-figure": (by_key("attack-together-figure"), "the picture of the certain cells"),
        "reasons": (by_key("reasons"), "why a number is certain"),
    },
    several={"why": keys.WHY},
    conditions=(asked_why,),
    begin=lambda _: clear(keys.WHY),
)
