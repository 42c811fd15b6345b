"""What if: other choices for this table, what each keeps and what each gives away."""

from decimal import Decimal

import pandas as pd
import streamlit as st

from cra_dashboard.global_recode import models
from cra_dashboard.panels.download import download
from cra_dashboard.panels.frame import require_dataset, require_recoding
from cra_dashboard.panels.stage import say, stage
from cra_dashboard.panels.touched import touch_chart
from cra_dashboard.session import state
from cra_dashboard.texts import glossary, words
from cra_dashboard.what_if import run
from cra_dashboard.what_if.chart import frontier_figure
from cra_dashboard.what_if.state import basis, held, in_use, use
from cra_engine import CRAError, Study, WhatIf
from cra_engine.files.csv_text import csv_text
from cra_engine.study.hierarchy import Hierarchy
from cra_engine.what_ifs import (
    GIVEN,
    KEPT,
    NOT_PROTECTED,
    WHY_NOT_GLOBAL,
    better,
    comparison,
    default_grid,
    finest,
    frontier,
    headline,
    justification,
    local_point,
    planned,
    possible_layers,
    recommendation,
    rule_text,
    same_table,
    share_text,
    short_rule,
    together_text,
    value_text,
    what_if_html,
)
from cra_engine.what_ifs.choices import Choice, ChoiceGrid
from cra_engine.what_ifs.outcome import Point
from cra_engine.words import duration, how_many

LIMITS = tuple(Decimal(share) for share in ("0", "0.01", "0.05", "0.1", "0.2"))
HIGHEST_K, IN_A_ROW = 50, 3
ESTIMATE_SECONDS = 3.0  # for a try at the present choice
MEASURES = [*KEPT.values(), *GIVEN.values()]

st.title("What if: at what price?", help=glossary.of_page("what_if"))
INTRO = (
    "Before a table is published: what would another **k**, wider or narrower **finest intervals**, or another way of "
    "**recoding** keep of it, and what would it give away? Every choice is published and attacked as the pages Recode, "
    "Attack and Single out do it."
)
data = require_dataset()
require_recoding()
base = basis()
sentence, result_place = st.container(key="what-if-sentence"), st.container()
before = held()
if before is None:
    sentence.markdown(INTRO)
RUN = hash((data.digest, base))  # widgets of one table and its hierarchies are not those of another

# ---------------------------------------------------------------- what to try

# Folded once there is something to see; then it is another one, or the browser would keep it open.
to_try_place = st.expander(
    "What to try", icon=":material/tune:", expanded=held() is None, key=f"what-if-try-{held() is None}"
)
with to_try_place:
    usual = state.once("what-if usual", (base, data.digest), lambda: default_grid(base, len(data.frame)))

    def offered(attribute: Hierarchy) -> dict[int, str]:
        """The numbers of layers to choose from, each with what it means; a single one publishes nothing."""
        heights = [n for n in possible_layers(attribute) if n >= 2] or list(possible_layers(attribute))
        return {
            n: f"{finest(attribute, n)} ({how_many(n, 'layer')}{', now' if n == attribute.layers else ''})"
            for n in sorted({*heights, attribute.layers})
        }

    options = state.once("what-if layers", base, lambda: [offered(attribute) for attribute in base.attributes])
    highest = max(base.k + 2, min(HIGHEST_K, len(data.frame)))
    low, high = st.slider(
        "k, the smallest number of people who share a published row",
        2,
        highest,
        (usual.ks[0], min(usual.ks[-1], highest)),
        key=f"what-if-k-{RUN}",
        persist_state="session",
    )
    st.markdown("**Finest intervals**, per quasi-identifier. Several may be chosen; every combination is tried.")
    layers = []
    for position, (attribute, names, default) in enumerate(zip(base.attributes, options, usual.layers, strict=True)):
        if position % IN_A_ROW == 0:
            row = st.columns(min(IN_A_ROW, len(base.names)))
        with row[position % IN_A_ROW]:
            heights = st.multiselect(
                words.plain(attribute.name),
                list(names),
                default=list(default),
                format_func=names.get,
                key=f"what-if-layers-{attribute.name}-{RUN}",
                wrap=True,
                persist_state="session",
            )
        layers.append(tuple(heights))
    left, right = st.columns(2)
    with left:
        profiles = st.multiselect(
            "Local recoding",
            list(dict.fromkeys([base.profile, "paper", "arx-gui"])),
            default=[base.profile],
            format_func=lambda profile: words.sentence(rule_text(Choice(2, (), profile)).removeprefix("local, ")),
            help="How the publisher runs ARX; see Hierarchies. It decides how many records are suppressed.",
            key=f"what-if-profiles-{RUN}",
            wrap=True,
            persist_state="session",
        )
    with right:
        limits = st.multiselect(
            "Global recoding: how many records may be suppressed",
            LIMITS,
            default=list(usual.limits),
            format_func=lambda limit: f"at most {share_text(limit)}" if limit else "none",
            help="One state for all records. Among the states that suppress no more than this, the best is taken.",
            key=f"what-if-limits-{RUN}",
            wrap=True,
            persist_state="session",
        )
        privacy = models.chosen(data, base)
        if limits:
            with st.popover(f"Privacy models of global recoding{f': {len(privacy)}' if privacy else ''}"):
                st.caption(
                    "What each class of a global recoding has to fulfil besides k. Local recoding looks at k alone."
                )
                models.form(data, base)

    def size_text(choices: list[Choice]) -> str:
        present = state.once(
            "what-if present",
            state.results_key(),
            lambda: local_point(data.frame, state.results_key()[1], ESTIMATE_SECONDS),
        )
        # Global recoding takes next to nothing beside the attack.
        seconds = present.seconds * sum(choice.local for choice in choices)
        if present.status == "incomplete" and present.seconds >= ESTIMATE_SECONDS:
            return f"More than {duration(seconds)}: one takes longer than {ESTIMATE_SECONDS:.0f} s."
        return f"About {duration(max(1.0, seconds))}."

    grid = None
    try:
        grid = ChoiceGrid(tuple(range(low, high + 1)), tuple(layers), tuple(profiles), tuple(limits))
        to_try = planned(base, grid)
        with st.spinner("Trying the present choice…"):
            st.caption(f"{how_many(len(to_try), 'choice')}. {size_text(to_try)}")
    except CRAError as error:
        st.error(words.plain(str(error)), icon=":material/error:")
    running = run.run_panel()
    st.button(
        "Try them",
        type="primary",
        icon=":material/play_arrow:",
        on_click=run.start,
        args=(grid, privacy),
        disabled=grid is None or running,
        key="what-if-start",
    )

found = held()
if found is None:
    st.stop()
if before is None:
    st.rerun()  # the first result: what to try is folded, and the picture takes its place
result = found.result
if not result.complete:
    st.warning(
        f"The run was stopped: {len(result.points):,} of {len(planned(result.study, result.grid)):,} choices were "
        "tried, and only these are compared.",
        icon=":material/timer_off:",
    )
for warning in result.warnings:
    st.warning(words.plain(warning), icon=":material/warning:")

# ---------------------------------------------------------------- the picture

with result_place:
    figure, beside = stage()
with beside:
    kept = KEPT[
        st.selectbox(
            "What is kept",
            list(KEPT),
            format_func=lambda key: KEPT[key].title,
            key="what-if-kept",
            persist_state="session",
            help="\n\n".join(f"**{m.title}**: {m.help}" for m in KEPT.values()),
        )
    ]
    given = GIVEN[
        st.selectbox(
            "What is given away",
            list(GIVEN),
            format_func=lambda key: GIVEN[key].title,
            key="what-if-given",
            persist_state="session",
            help="\n\n".join(f"**{m.title}**: {m.help}" for m in GIVEN.values()),
        )
    ]
present = in_use(result)
say(sentence, headline(result, kept, given, present), INTRO)
advised, _, because = recommendation(result, present).partition(". ")
beside.markdown(words.plain(f"{advised.removesuffix('.')}."), help=words.plain(because) or None)

best, same = frontier(result.points, kept, given), same_table(result.points)
SHOWN = hash((RUN, id(result)))
A, B, TARGET, CHART = (f"what-if-{name}-{SHOWN}" for name in ("a", "b", "target", "chart"))


def first_choices(result: WhatIf, present: Point | None) -> tuple[int, int]:
    """The choice in use, and one that beats it, or else its neighbour on the frontier."""
    start = present or next((point for point in result.points if point.kept is not None), result.points[0])
    rivals = list(better(result.points, start, KEPT["loss"], GIVEN["expected"]))
    if rivals:
        return start.number, min(rivals, key=lambda p: (GIVEN["expected"].value(p), p.number)).number
    others = [p for p in result.points if p.number in best and p.number != start.number and p.choice.local]
    nearest = min(others, key=GIVEN["expected"].value, default=start)
    return start.number, nearest.number


if A not in st.session_state:
    st.session_state[A], st.session_state[B] = first_choices(result, present)


def picked(number: int) -> None:
    st.session_state[A if st.session_state[TARGET] == "A" else B] = number


beside.segmented_control(
    "A click in the picture chooses", ["A", "B"], default="B", required=True, key=TARGET, persist_state="session"
)
chosen = {"A": st.session_state[A], "B": st.session_state[B]}
with figure:
    touch_chart(
        frontier_figure(result, kept, given, chosen, present), CHART, picked, headline(result, kept, given, present)
    )
figure.caption(
    "Left: more is kept. Down: less is given away. Hollow: beaten.",
    help="Each mark is a choice. A hollow one is beaten by a filled one that keeps no less and is no worse on both "
    "sides of risk, by the table alone and for whom somebody knows (1/k). Equal tables are one choice. Local and "
    "global recoding are compared apart: what is known of their attackers is not the same. The same choices stand in "
    "the two fields A and B, and in the table.",
)

# ---------------------------------------------------------------- two choices side by side

side = st.expander("Two choices side by side", icon=":material/compare:")


def name_of(number: int) -> str:
    point = result.point(number)
    widths = " / ".join(result.heights.finest(point.choice))
    marks = [
        "not possible" if point.problem else "",
        "frontier" if number in best else "",
        "in use" if point is present else "",
    ]
    return " · ".join(
        [f"{number}: k = {point.choice.k}", short_rule(point.choice), widths, *(mark for mark in marks if mark)]
    )


numbers = [point.number for point in result.points]
with beside:
    st.selectbox("A", numbers, format_func=name_of, key=A, persist_state="session")
    st.selectbox("B", numbers, format_func=name_of, key=B, persist_state="session")
one, other = result.point(st.session_state[A]), result.point(st.session_state[B])


def globally(point: Point) -> Point | None:
    """The global recoding of the same lattice and k that loses least."""
    same = [
        p
        for p in result.points
        if not p.choice.local and p.kept and (p.choice.k, p.choice.layers) == (point.choice.k, point.choice.layers)
    ]
    return min(same, key=KEPT["loss"].value, default=None) if point.choice.local else None


def column(point: Point) -> list[str]:
    choice = point.choice
    published = "not possible" if point.problem else str(point.kept.classes if point.kept else "")
    return [
        str(choice.k),
        rule_text(choice),
        *result.heights.finest(choice),
        "each class its own" if choice.local else "" if point.state is None else words.state(point.state),
        published,
        *(value_text(measure, point) for measure in MEASURES),
    ]


def side_by_side(one: Point, other: Point) -> pd.DataFrame:
    study: Study = result.study
    titles = ["k", "Recoding", *(f"Finest {name}" for name in study.names), "State", "Classes"]
    columns = {"": [*titles, *(measure.title for measure in MEASURES)], f"A: number {one.number}": column(one)}
    if wide := globally(one):
        columns[f"A, globally: number {wide.number}"] = column(wide)
    columns[f"B: number {other.number}"] = column(other)
    if wide := globally(other):
        columns[f"B, globally: number {wide.number}"] = column(wide)
    # st.table reads Markdown, and a column's name or unit may hold some.
    return pd.DataFrame({name: [words.plain(text) for text in texts] for name, texts in columns.items()})


with side:
    for point in (one, other) if one is not other else (one,):
        if point.problem:
            st.error(
                words.plain(f"Number {point.number} cannot be published: {point.problem}"), icon=":material/error:"
            )
        for note in point.notes:
            st.warning(words.plain(f"Number {point.number}: {note}"), icon=":material/warning:")
    sentences = comparison(one, other) if one is not other else []
    if sentences:
        st.markdown("\n".join(f"- {words.plain(sentence)}" for sentence in sentences))
    table = side_by_side(one, other)
    st.table(table.set_index(""), alt=f"Choice {one.number} beside choice {other.number}")
    st.caption(
        "People are *singled out* where a finest box holds exactly one of them. *Expected* and *for certain* are what "
        "an attacker concludes from the published table; *alone in a finest cell* is checked against your own table. "
        "*For certain* reads each class by itself: all classes together, which may find more, are looked at below."
    )


def use_choice(number: int) -> None:
    use(result, number)
    st.session_state["what-if-used"] = (SHOWN, number)


for letter, point, place in zip("AB", (one, other), side.columns(2), strict=True):
    with place:
        why_not = (
            "It is in use already."
            if point is present
            else "The pages of this program follow local recoding; set global recoding up in ARX."
            if not point.choice.local
            else "It cannot be published."
            if point.problem
            else ""
        )
        st.button(
            f"Use choice {letter}",
            on_click=use_choice,
            args=(point.number,),
            disabled=bool(why_not),
            help=why_not or "Recode, Attack and Single out then show it.",
            icon=":material/check:",
            key=f"what-if-use-{letter}",
        )
        if why_not:
            st.caption(why_not)
        if point.choice.local and not point.problem and (letter == "A" or one is not other):
            deeper = run.together_panel(found, point.number)
            if deeper is not None:
                st.markdown(words.plain(f"Number {point.number}. {together_text(deeper)}"))
used = st.session_state.get("what-if-used")
if used is not None and used[0] == SHOWN and present is not None and used[1] == present.number:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.success(f"Number {present.number} is in use now: the other pages show it.", icon=":material/check:")
        st.page_link("pages/recode.py", label="See it on Recode")
        st.page_link("pages/attack.py", label="See it on Attack")

with st.expander("Why this attack does not touch global recoding, and what that does not protect against"):
    st.markdown(words.plain(WHY_NOT_GLOBAL))
    st.markdown(words.plain(NOT_PROTECTED))

# ---------------------------------------------------------------- table and report


def table_of_all() -> pd.DataFrame:
    return pd.DataFrame(
        [
            {
                "Number": point.number,
                "k": point.choice.k,
                "Recoding": rule_text(point.choice),
                **{
                    f"Finest {name}": width
                    for name, width in zip(result.study.names, result.heights.finest(point.choice), strict=True)
                },
                **{measure.title: measure.shown(point) for measure in MEASURES},
                "Frontier": "yes" if point.number in best else "",
                "Same table as": "" if same[point.number] == point.number else str(same[point.number]),
                "For certain": "not looked at" if GIVEN["certain"].value(point) is None else "class by class",
                "Remarks": point.problem or " ".join(point.notes),
            }
            for point in result.points
        ]
    )


def report() -> str:
    shown = {n: found.together[n] for n in (one.number, other.number) if n in found.together}
    return what_if_html(result, data.name, [one.number, other.number], shown, present=present)


why = [text for point in result.points if (text := justification(result, point, kept, given))]
if why:
    with st.expander(f"Why each of {how_many(len(why), 'choice')} is on the frontier"):
        st.markdown("\n".join(f"- {words.plain(sentence)}" for sentence in why))
everything = state.once("what-if table", (SHOWN, best), table_of_all)
with st.expander(f"All {how_many(len(result.points), 'choice')} as a table"):
    st.dataframe(
        everything,
        hide_index=True,
        column_config={
            KEPT["loss"].title: st.column_config.NumberColumn(format="percent", help=KEPT["loss"].help),
            GIVEN["known"].title: st.column_config.NumberColumn(format="percent", help=GIVEN["known"].help),
            GIVEN["likeliest"].title: st.column_config.NumberColumn(format="percent", help=GIVEN["likeliest"].help),
            GIVEN["left"].title: st.column_config.NumberColumn(
                f"{GIVEN['left'].title}, log10", format="%.1f", help=GIVEN["left"].help
            ),
            GIVEN["expected"].title: st.column_config.NumberColumn(format="%.2f", help=GIVEN["expected"].help),
            KEPT["average_size"].title: st.column_config.NumberColumn(format="%.1f", help=KEPT["average_size"].help),
        },
        alt=f"{len(result.points)} choices with what they keep and give away",
    )
with st.container(horizontal=True):
    download(
        "Report on A and B (HTML)",
        state.once("what-if report", (SHOWN, one, other, present, *found.together), report),
        "what-if.html",
        hint="One page to print and file: settings, numbers, the two choices, and what they mean and do not mean. It "
        "holds no record of the table.",
    )
    download("All choices (CSV)", csv_text(everything), "what-if.csv")
st.page_link(
    "pages/together.py", label="You have published this table before? Load that release", icon=":material/join_inner:"
)
st.caption("No number here shows that a table gives nothing away: this is one attack.")
