"""Questions on cells of a microaggregated table: what one contributor knows of another."""

from fractions import Fraction

import streamlit as st

from cra_dashboard.lessons.hooks import Doing, Hooks, Opening, Setting, by_key, clear
from cra_dashboard.lessons.question import Question, among
from cra_dashboard.session import keys, state
from cra_engine.risk.sensitive_cells import Cell


def largest(cell: Cell) -> Question | None:
    """Let the learner predict what a cell's second largest contributor concludes of the largest, from the total."""
    closest = cell.closest()
    if closest is None:
        return None
    second, total, others = cell.contributions[1], cell.total, len(cell.rows) - 2

    def span(low: Fraction, high: Fraction) -> str:
        return f"exactly {_number(high)}" if low == high else f"{_number(low)} to {_number(high)}"

    own, left, most = _number(second), _number(closest.upper), _number(total)
    why = [f"The total is {most}. Less the own {own}, {left} is left for everybody else, so the largest has no more."]
    if others:
        rest = "The other record" if others == 1 else f"Each of the other {others:,} records"
        why.append(
            f"{rest} can have no more than {own}: at least {_number(closest.lower)} stays with the largest. "
            f"The truth is {_number(cell.contributions[0])}."
        )
    else:
        why.append("Nobody else is in the cell: each of two contributors knows the other exactly.")
    return among(
        f"The {cell.column} of {len(cell.rows)} records adds up to {most}. The second largest contributor has {own}, "
        "and knows to be second. **What does the largest have?**",
        span(closest.lower, closest.upper),
        [
            (span(Fraction(0), total), "That is what everybody can say who knows the total; one knows more."),
            (span(second, total), f"The own {own} is part of the total and can be subtracted."),
            (span(Fraction(0), closest.upper), f"The largest has more than the second: {own} or more."),
        ],
        why,
    )


def _number(value: Fraction) -> str:
    return f"{float(value):,.6g}"


# ---------------------------------------------------------------- what lessons know of the page


def chose_cluster(doing: Doing) -> bool:
    """Tell whether a lesson's step is done: another cluster was looked at."""
    return bool(doing.new("clusters"))


def _size() -> str:
    data = state.dataset()
    if data is None:
        raise LookupError("no table yet")
    return keys.cluster_size(data.digest)


def _begin(opening: Opening) -> None:
    if "clusters" in opening.wanted:
        # The page as it is at first: what was set there for another table, or by another rule, gives other numbers.
        clear(keys.CLUSTERS)
        st.session_state[_size()], st.session_state[keys.MERGE] = opening.wanted["clusters"], False


HOOKS = Hooks(
    "microaggregate",
    "Microaggregate",
    views={
        "clusters-figure": (by_key("stage"), "the picture of the clusters"),
        "clusters-picture": (by_key("micro-picture"), "the picture of the clusters"),
        "clusters-k": (f'[class*="st-key-{keys.CLUSTERS}k-"]', "the slider k"),
        "clusters-merge": (by_key(keys.MERGE), "the switch"),
    },
    settings={"cluster_size": Setting(_size), "merged": Setting(keys.MERGE, bool)},
    several={"clusters": keys.CLUSTER},
    conditions=(chose_cluster,),
    begins=("clusters",),
    begin=_begin,
)
