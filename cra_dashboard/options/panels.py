"""What the page Other ways shows of a comparison: one picture, two options side by side, every number."""

from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from cra_dashboard.charts.published import published_figure
from cra_dashboard.charts.view import View
from cra_dashboard.options import state as options
from cra_dashboard.options import story
from cra_dashboard.options.chart import not_drawn, not_drawn_text, on_dotted_line, options_figure, piles, places_of
from cra_dashboard.panels.download import download
from cra_dashboard.panels.picture import mount as picture
from cra_dashboard.panels.stage import folded, say, tabbed
from cra_dashboard.panels.tables import show_table
from cra_dashboard.panels.touched import touch_chart
from cra_dashboard.session import fields, messages, state
from cra_dashboard.session.fields import act
from cra_dashboard.session.view_choice import choose_view
from cra_dashboard.texts import words
from cra_dashboard.texts.weighing import detail_counted
from cra_engine import Comparison, CRAError
from cra_engine.options import (
    GIVEN,
    KEPT,
    MEANING,
    NOT_PROTECTED,
    SEED,
    WHY_NOT_GLOBAL,
    Measure,
    Point,
    better,
    change,
    comparison_html,
    headline,
    hindrance,
    justification,
    losing_less,
    name_of,
    recommendation,
    verdict_text,
    worth_taking,
)
from cra_engine.study.grid import Grid
from cra_engine.words import how_many

FRONTIER = "Filled: Ready. Hollow: not."
BEATEN = (
    "On the dotted line is what no option beats in the two numbers drawn; on the frontier is more. "
    "A mark that is touched says what lies there, and why it does not pass. "
    "An option is on the frontier if no other keeps as much and is no worse on both sides of risk, by the table alone "
    "and for whom somebody knows; one of another way must not have the larger gain either. Equal tables are one option."
    f" Safe recodings are drawn with seed {SEED}."
)


def warn_of(comparison: Comparison) -> None:
    """Say on Other ways that the run was stopped, and what was seen in the table."""
    if not comparison.complete:
        st.warning(
            f"The run was stopped: {len(comparison.points):,} options were tried, and only these are compared.",
            icon=":material/timer_off:",
        )
    for warning in comparison.warnings:
        messages.warning(words.plain(warning))


class Results:
    """A comparison of options on Other ways.

    Args:
        comparison: the options.
        figure: where the picture stands.
        beside: where its controls stand.
    """

    def __init__(self, comparison: Comparison, figure: DeltaGenerator, beside: DeltaGenerator) -> None:
        self.comparison, self.figure, self.beside = comparison, figure, beside
        self.run = hash((comparison.study, comparison.around, comparison.seconds))
        self.present = options.in_use(comparison)
        with beside:
            self.kept = self._measure("What is lost", KEPT)
            self.given = self._measure("What is given away", GIVEN)
        self.best = comparison.frontier(self.kept, self.given)
        self.through = on_dotted_line(comparison, self.kept, self.given)
        self._choose_first()

    @property
    def chosen(self) -> tuple[Point, Point]:
        """The two options that are looked at."""
        one, other = (self.comparison.point(st.session_state[self._field(letter)]) for letter in "AB")
        return one, other

    @property
    def said(self) -> str:
        """What the picture says."""
        return headline(self.comparison, self.kept, self.given, self.present)

    def _field(self, letter: str) -> str:
        return f"options-{letter}-{self.run}"

    def _measure(self, label: str, measures: dict[str, Measure]) -> Measure:
        told = {"detail": detail_counted(self.comparison.weights)}  # as the other pages tell it
        key = fields.selectbox(
            label,
            list(measures),
            index=list(measures).index("detail" if "detail" in measures else "expected"),
            format_func=lambda key: measures[key].title,
            key=f"options-{label}",
            help="\n\n".join(f"**{m.title}**: {told.get(m.key, m.help)}" for m in measures.values()),
        )
        return measures[key]

    def _choose_first(self) -> None:
        """Chooses the option in use, and beside it the one that is recommended, or what beats it."""
        if self._field("A") in st.session_state:
            return
        points = self.comparison.points
        one = self.present or points[0]
        rivals = [
            *worth_taking(self.comparison),
            *better(points, one, self.kept, self.given),
            self.comparison.nearest,
            *points,
        ]
        other = next((p for p in rivals if p is not None and p is not one and not p.problem), one)
        st.session_state[self._field("A")], st.session_state[self._field("B")] = one.number, other.number

    def advise(self, sentence: DeltaGenerator, intro: str) -> None:
        """Says above the picture in one sentence which option to take; what else there is to say opens beside it."""
        advice, more, rest = recommendation(self.comparison).partition(". ")
        say(
            sentence,
            f"{advice}{'.' if more else ''} {losing_less(self.comparison)}".rstrip(),
            f"{words.plain(rest)}\n\n{intro}" if more else intro,
        )

    def picture(self) -> None:
        """Shows every option by the two measures."""
        with self.beside:
            target = fields.segmented_control(
                "A click chooses",
                ["A", "B"],
                default="B",
                required=True,
                key="options-target",
            )
            st.page_link("pages/check.py", label="Make it publishable tries more")

        one, other = self.chosen
        touched = f"options-touched-{self.run}"

        def picked(number: int) -> None:
            st.session_state[self._field(str(target))] = st.session_state[touched] = number

        with self.figure.container(key="options-picture"):
            touch_chart(
                options_figure(
                    self.comparison, self.kept, self.given, {"A": one.number, "B": other.number}, self.present
                ),
                f"options-chart-{self.run}",
                picked,
                self.said,
            )
            undrawn = not_drawn(self.comparison, self.kept, self.given)
            names = "; ".join(name_of(point) for points in undrawn.values() for point in points)
            listing = f"\n\nNot drawn: {words.plain(names)}." if names else ""
            spot = self._on_spot(st.session_state.get(touched))
            if spot:
                st.caption(f"**On the spot that was touched:** {words.plain('; '.join(map(name_of, spot)))}.")
            st.caption(
                f"{FRONTIER} {not_drawn_text(undrawn)}".rstrip(),
                help=f"{words.plain(self.said)}\n\n{BEATEN}{listing}",
            )

    def _on_spot(self, touched: int | None) -> list[Point]:
        """The options that lie where a mark was touched that is one of A and B still; none where it lies alone."""
        places = places_of(self.comparison, self.kept, self.given)
        chosen = [point.number for point in self.chosen]
        if touched not in places or touched not in chosen:
            return []
        spots = piles(self.comparison, places, chosen, self.through)
        numbers = next(n for n in spots.values() if touched in n)
        return [self.comparison.point(number) for number in sorted(numbers)] if len(numbers) > 1 else []

    def _named(self, number: int) -> str:
        point = self.comparison.point(number)
        marks = [
            verdict_text(point),
            "dotted" if number in self.through else "",
            "in use" if point is self.present else "",
        ]
        # The whole name would be cut; the picture and the tables have it.
        return " · ".join([f"{point.number}: {point.short}", *filter(None, marks)])

    def two_side_by_side(self) -> None:
        """Shows two options on the grid and in numbers, and puts one into use."""
        one, other = self.chosen
        for point in dict.fromkeys((one, other)):
            if point.problem:
                said = f"Number {point.number}, {hindrance(point)}: {point.problem}"
                messages.error(words.plain(said))
        grid = Grid(self.comparison.study.attributes)
        view = choose_view(grid, "options")
        for letter, point, place in zip("AB", (one, other), st.columns(2, gap="large"), strict=True):
            with place:
                st.markdown(f"**{letter}: {words.plain(name_of(point))}**")
                self._drawn(letter, point, view)
                why_not = "It is in use already." if point is self.present else options.why_not_usable(point)
                act(
                    f"Use option {letter}",
                    self._use,
                    point,
                    disabled=bool(why_not),
                    help=why_not or "Recode, Attack and Check then show it.",
                    icon="check",
                    key=f"options-use-{letter}",
                )
                if why_not:
                    st.caption(why_not)
                for note in point.notes:
                    st.caption(words.plain(note))
        if self.present is not None and st.session_state.get("options-used") == (self.run, self.present.number):
            with st.container(horizontal=True, vertical_alignment="center"):
                messages.success(f"Number {self.present.number} is in use now: the other pages show it.")
                st.page_link("pages/recode.py", label="See it on Recode")
                st.page_link("pages/check.py", label="See it on Check")
        table = story.side_by_side(self.comparison, one, other)
        st.table(table.set_index(""), alt=f"Option {one.number} beside option {other.number}")

    def _drawn(self, letter: str, point: Point, view: View) -> None:
        if point.problem:
            return
        try:
            with st.spinner("Drawing…"):
                shown = options.shown(self.comparison, point)
            if shown.grid.shape != view.shape and any(leaf is not None for _, leaf in view.fixed):
                st.caption("Its finest intervals are others than the study's: draw all together to see its boxes.")
                return
            own = View.of(shown.grid, view.x, view.y, view.fixed)
            picture.show(
                published_figure(shown, own),
                f"options-grid-{letter}",
                f"Grid of the boxes that {point.label} publishes, filled by their gain",
            )
        except CRAError as error:
            messages.info(words.plain(str(error)))

    def _use(self, point: Point) -> None:
        options.use(self.comparison, point)
        st.session_state["options-used"] = (self.run, point.number)

    def all_numbers(self) -> None:
        """Shows every option with its numbers, and why those on the frontier are there."""
        compared, best = self.comparison, self.best
        table = state.once("options-table", (self.run, best), lambda: story.table(compared, best))
        show_table(table, f"{len(compared.points)} options with all numbers")
        st.caption("The table's own menu, at its upper right corner, hands it out as a CSV file.")
        measures = (self.kept, self.given)
        why = state.once(
            "options-why",
            (self.run, self.kept.key, self.given.key),
            lambda: [text for p in self.comparison.points if (text := justification(self.comparison, p, *measures))],
        )
        with st.expander(f"Why each of {how_many(len(why), 'option')} is on the frontier"):
            st.markdown("\n".join(f"- {words.plain(sentence)}" for sentence in why))

    def meaning(self) -> None:
        """Says what the numbers mean and what they do not."""
        st.markdown("\n".join(f"- {words.plain(line)}" for line in (*MEANING, WHY_NOT_GLOBAL, NOT_PROTECTED)))

    def downloads(self) -> None:
        """Hands out the report."""
        data, numbers = state.dataset(), [point.number for point in self.chosen]
        report = partial(
            comparison_html, self.comparison, "" if data is None else data.name, numbers, present=self.present
        )
        download(
            "Download the report (HTML)",
            report,
            "compare.html",
            hint="To print and file: what was tried, the numbers, the two options, and what they mean and do not mean. "
            "It holds no record of the table.",
        )

    def rest(self) -> None:
        """Asks for two options, shows what changes from one to the other, and folded away all that is known of both."""
        numbers = [point.number for point in self.comparison.points]
        for letter, place in zip("AB", st.columns(2), strict=True):  # wide: a name would be cut
            # Said anew: the browser would go on showing what the same option was called before.
            st.session_state[self._field(letter)] = st.session_state[self._field(letter)]
            with place:
                fields.selectbox(letter, numbers, format_func=self._named, key=self._field(letter))
        one, other = self.chosen
        if one is not other and not one.problem and not other.problem:
            finest = {point.option.layers for point in (one, other) if point.option.layers}
            counted = "Alone is counted in each option's own finest intervals." if len(finest) > 1 else None
            st.markdown(words.plain(f"From A to B: {change(one, other, self.kept, self.given)}."), help=counted)
        parts = {
            "Two options side by side": self.two_side_by_side,
            "All numbers": self.all_numbers,
            "What it means": self.meaning,
        }
        tabs = partial(tabbed, parts, "options-tabs")
        folded({"Two side by side, all numbers, what it means": tabs}, "options-folded")
        self.downloads()
        st.caption("No number shows that nothing is given away: this is one attack.")
