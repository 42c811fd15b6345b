"""What to try on the page Other ways: k, hierarchies, ways to publish."""

from collections.abc import Callable, Sequence
from decimal import Decimal

import streamlit as st

from cra_dashboard.session import fields, messages, state
from cra_dashboard.texts import words
from cra_engine import CRAError, OptionGrid, Study, Way
from cra_engine.criteria.models import PrivacyModel
from cra_engine.options import finest, grid_around, possible_layers, share_text
from cra_engine.study.hierarchy import Hierarchy
from cra_engine.words import how_many

PROFILES = ("paper", "arx-gui")
EPSILONS = tuple(Decimal(epsilon) for epsilon in ("0.25", "0.5", "1", "2", "4"))
LIMITS = tuple(Decimal(share) for share in ("0", "0.01", "0.05", "0.1", "0.2"))
TIMES = {"40 seconds": 40.0, "2 minutes": 120.0, "10 minutes": 600.0}
HIGHEST_K, IN_A_ROW = 50, 3


def choose_grid(
    base: Study, data: state.Dataset, privacy: Sequence[PrivacyModel], ask_for_models: Callable[[], None]
) -> OptionGrid | None:
    """Ask on Other ways which options to try; None, with a sentence on the page, where they are none.

    Args:
        base: the study that the options start from.
        data: the table.
        privacy: what each class of a global recoding has to fulfil besides k.
        ask_for_models: shows the form for these.
    """
    run = hash((data.digest, base))  # widgets of one table and its hierarchies are not those of another
    usual = state.once("compare usual", (base, data.digest), lambda: grid_around(base, len(data.frame)))
    highest = max(base.k + 2, min(HIGHEST_K, len(data.frame)))
    low, high = fields.slider(
        "k, the smallest number of people who share a published row",
        2,
        highest,
        (usual.ks[0], min(usual.ks[-1], highest)),
        key=f"compare-k-{run}",
    )
    layers = _layers(base, usual, run)
    ways = [*_ways(base, run)]
    limits = fields.multiselect(
        "Global recoding: how many records may be suppressed",
        LIMITS,
        default=[Decimal(way.setting) for way in usual.ways if way.name == "global"],
        format_func=lambda limit: f"at most {share_text(limit)}" if limit else "none",
        help="One state for all records: of those that suppress no more than this, the one that loses the least.",
        key=f"compare-limits-{run}",
        wrap=True,
    )
    if limits:
        with st.popover(f"Privacy models of global recoding{f': {len(privacy)}' if privacy else ''}"):
            st.caption("What classes of a global recoding must fulfil besides k; local recoding heeds the study's.")
            ask_for_models()
    ways += [Way("global", limit, tuple(privacy)) for limit in limits]
    try:
        grid = OptionGrid(tuple(range(low, high + 1)), layers, tuple(ways))
        st.caption(f"{how_many(len(grid.planned(base)), 'option')}. The first ones show how long it takes.")
    except CRAError as error:
        messages.error(words.plain(str(error)))
        return None
    return grid


def choose_time() -> float:
    """Ask on Other ways how long each option may take, in seconds."""
    label = st.selectbox(
        "For each option at most",
        list(TIMES),
        key="compare-time",
        width=200,
        help="What takes longer is left with what was counted until then: all classes together may need it.",
    )
    return TIMES[label]


def _layers(base: Study, usual: OptionGrid, run: int) -> tuple[tuple[int, ...], ...]:
    st.markdown("**Finest intervals**, per quasi-identifier. Several may be chosen; every combination is tried.")
    offered = state.once("compare layers", base, lambda: [_offered(attribute) for attribute in base.attributes])
    layers = []
    for position, (attribute, names, default) in enumerate(zip(base.attributes, offered, usual.layers, strict=True)):
        if position % IN_A_ROW == 0:
            row = st.columns(min(IN_A_ROW, len(base.names)))
        with row[position % IN_A_ROW]:
            heights: list[int] = fields.multiselect(
                words.plain(attribute.name),
                list(names),
                default=list(default),
                format_func=names.__getitem__,
                key=f"compare-layers-{attribute.name}-{run}",
                wrap=True,
            )
        layers.append(tuple(heights))
    return tuple(layers)


def _offered(attribute: Hierarchy) -> dict[int, str]:
    """The numbers of layers to choose from, each with what it means; a single one publishes nothing."""
    heights = [n for n in possible_layers(attribute) if n >= 2] or list(possible_layers(attribute))
    return {
        n: f"{finest(attribute, n)} ({how_many(n, 'layer')}{', now' if n == attribute.layers else ''})"
        for n in sorted({*heights, attribute.layers})
    }


def _ways(base: Study, run: int) -> list[Way]:
    own = Way.of(base)
    locally, safely = ([own] if own.name == name else [] for name in ("local", "safe"))
    left, right = st.columns(2)
    with left:
        local = fields.multiselect(
            "Local recoding",
            list(dict.fromkeys([*locally, *(Way("local", name) for name in PROFILES)])),
            default=locally,
            format_func=lambda way: words.sentence(way.label.split(", ", 1)[1]),
            help="How the publisher runs ARX; see Hierarchies. It decides how many records are suppressed.",
            key=f"compare-profiles-{run}",
            wrap=True,
        )
    with right:
        safe = fields.multiselect(
            "Safe recoding: epsilon",
            list(dict.fromkeys([*safely, *(Way("safe", number) for number in EPSILONS)])),
            default=safely,
            format_func=lambda way: way.label.rsplit(" ", 1)[1],
            help="The most that the choices of the recoding may tell about one person.",
            key=f"compare-epsilons-{run}",
            wrap=True,
        )
    return [*local, *safe]
