"""Single out: which predicates are true of exactly one person, checked against the raw data or guessed without."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import streamlit as st

from cra_dashboard.charts.counts import chance_figure, isolated_figure
from cra_dashboard.charts.tight import certain_figure
from cra_dashboard.charts.view import View
from cra_dashboard.lessons import asking
from cra_dashboard.lessons.pages import single_out as questions
from cra_dashboard.lessons.question import Question
from cra_dashboard.panels import evidence, formulas
from cra_dashboard.panels.attack_settings import require_attack, settings
from cra_dashboard.panels.frame import require_dataset
from cra_dashboard.panels.picture import mount as picture
from cra_dashboard.panels.stage import Stage, folded, listed, one_of, say, stage
from cra_dashboard.panels.tables import MOST_ROWS, show_table
from cra_dashboard.panels.tight_run import Run, run_panel, small
from cra_dashboard.panels.tight_view import say_how_sure
from cra_dashboard.session import fields, keys, messages, state
from cra_dashboard.session.attacks import assess_together
from cra_dashboard.session.fields import act
from cra_dashboard.session.messages import or_stop
from cra_dashboard.session.view_choice import choose_view
from cra_dashboard.texts import arithmetic, glossary, weighing, words
from cra_dashboard.texts.chances import of_all_classes, of_one_person
from cra_dashboard.texts.class_rows import ClassRow, by_number
from cra_dashboard.texts.class_story import singling_headline
from cra_dashboard.texts.numbering import name_of, number_of
from cra_dashboard.texts.tight_story import BY_ITSELF, INTERVALS, TOGETHER, lead_in
from cra_engine import Attack, CRAError, SinglingChances, SinglingOut, single_out
from cra_engine.assess.figure import figure_text
from cra_engine.attacks.refinement.owners import owner_shares
from cra_engine.release import Owner
from cra_engine.risk.singling import SingledClass
from cra_engine.study.grid import Cell, Grid
from cra_engine.words import how_many, outward, percent
from cra_engine.words import listed as in_words

MOST_SENTENCES, CERTAIN_SECONDS = 3, 5.0
OUTCOMES = {"failed": "failed", "one": "one", "many": "more than one"}
ANY = -1
Parts = Mapping[str, Callable[[], Any]]


@dataclass(frozen=True)
class Predicate:
    """A description that is true of exactly one person.

    Attributes:
        result: singling out in the class of the person.
        cell: what the description says.
        row: of the person in the raw table.
    """

    result: SingledClass
    cell: Cell
    row: int


@dataclass(frozen=True)
class Shown:
    """What the page speaks of.

    Attributes:
        attack: on the release.
        rows: one per class.
        singled: singling out, checked against the raw table.
        view: the part of the grid to show.
    """

    attack: Attack
    rows: Sequence[ClassRow]
    singled: SinglingOut
    view: View

    @property
    def grid(self) -> Grid:
        """The cells."""
        return self.attack.release.grid

    @property
    def results(self) -> list[SingledClass]:
        """Singling out per class, in the order of the rows."""
        return [*self.singled.classes, *([self.singled.suppressed] if self.singled.suppressed else [])]

    @property
    def predicates(self) -> list[Predicate]:
        """Every description that is true of exactly one person of the raw table."""
        return [
            Predicate(result, cell, row)
            for result in self.results
            for cell, row in zip(result.isolating, result.rows, strict=True)
        ]

    def name(self, result: SingledClass) -> str:
        """Returns what a class is called."""
        return name_of(self.attack.release, result.index)

    def cell_names(self, cells: Sequence[Cell]) -> list[str]:
        """Returns cells in words."""
        return [words.box(self.grid, self.grid.cell_segment(cell)) for cell in cells]

    def says(self, cell: Cell) -> str:
        """Returns the predicate of a cell in words."""
        return words.isolates(self.grid, self.grid.cell_segment(cell))

    @property
    def of_this_table(self) -> str:
        """Says which number is which: the average that an attacker works out, and what the raw table holds."""
        return f"On average over all tables that fit the release; this raw table holds {len(self.predicates):,}."


def page() -> None:
    """Shows the page from top to bottom."""
    st.title("Single out: who stands alone?", help=glossary.of_page("single_out"))
    attack, rows = require_attack()
    with or_stop():
        singled = state.singled()
    asked, key = questions_on(attack, singled), state.attack_key()
    if asking.ask_for_lesson(asked, key, hold=True):
        evidence.of_release(stage(), attack.release, "single-out")
        st.stop()
    if asking.ask_first(asked, key, ["isolating"], hold=True):
        asking.switch()
        st.stop()
    sentence = st.container(key="single-out-sentence")
    figure, controls = stage()
    with controls:
        looked = one_of(
            "Look at",
            [keys.FOR_CERTAIN, keys.LIKELY, keys.CHECKED],
            keys.SINGLED,
            # What the release alone tells for certain comes first; where it takes long, what is there at once.
            first=keys.FOR_CERTAIN if small(attack.release) else keys.CHECKED,
            hint="The last uses the raw table of this session, the others the release alone, as an attacker does.",
        )
    screen = Stage(sentence, figure, controls.container(), st.container())
    with controls:
        settings(attack)
        asking.switch()
    with screen.below:
        view = choose_view(attack.release.grid, "single-out")
    shown = Shown(attack, rows, singled, view)
    {keys.FOR_CERTAIN: for_certain, keys.LIKELY: likely}.get(looked, checked)(shown, screen)


def questions_on(attack: Attack, singled: SinglingOut) -> asking.Questions:
    """Returns what can be asked here."""
    key, how = state.attack_key(), state.weighing()

    def certain() -> Question | None:
        together = state.once(
            "certain people", key, lambda: assess_together(attack.release, CERTAIN_SECONDS, how=how).together
        )
        return None if together is None else questions.certain(together, singled)

    return {"isolating": lambda: questions.isolating(singled, state.recoding()), "certain": certain}


# ---------------------------------------------------------------- with the raw table


def checked(shown: Shown, screen: Stage) -> None:
    """Shows every cell in which exactly one person lies: how far the attack reaches, not what an attacker knows."""
    say(
        screen.sentence,
        singling_headline(shown.singled),
        "A *predicate* describes people, for instance by an interval of age and one of weight. It singles somebody out "
        "when it is true of exactly one person in the table. The attack leaves a list of fillings for each class; one "
        "of them is the truth, and every cell that holds one person there is such a predicate.",
    )
    with screen.beside:
        st.caption(
            "Counted in this raw table, as in the paper: not what an attacker knows for certain. On average over all "
            f"tables that fit, {yardstick()}."
        )
        warn_of_excluded([shown.name(result) for result in shown.results if not result.valid])
        whose = choose_whose(shown)
    of_class = None if whose == ANY else shown.results[whose]
    predicates = [predicate for predicate in shown.predicates if of_class is None or predicate.result is of_class]
    which_key = f"single-out-predicate-{hash((state.attack_key(), whose))}"
    with screen.figure:
        isolated_map(shown, whose, [predicate.cell for predicate in predicates], which_key)
    with screen.beside:
        list_predicates(shown, predicates, st.session_state.get(which_key, 0))
    with screen.below:
        if predicates:
            who_is_it(shown, predicates, which_key)
        folded({"All classes as a table": partial(outcomes, shown)}, "single-out-folded")


def yardstick() -> str:
    """Says what somebody has who does not attack at all."""
    return f"a trivial attacker, who reads the intervals alone, expects {state.by_intervals():.1f}"


def warn_of_excluded(names: Sequence[str]) -> None:
    """Says of which classes the attack excludes the truth."""
    if names:
        messages.warning(
            f"The true counts of {in_words(list(names))} are not among the fillings that the attack allows: it "
            "excludes the truth there. This happens when tied classes are sorted as in the paper; otherwise k, the "
            "profile or the hierarchies are not those of the release.",
        )


def choose_whose(shown: Shown) -> int:
    """Asks of which class the predicates are shown; :data:`ANY` for all of them."""
    results = shown.results
    places = [place for place in by_number(shown.rows) if results[place].isolating]
    if not places:
        return ANY
    with st.container(key="single-out-predicates"):
        return int(
            fields.selectbox(
                "Class",
                [ANY, *places],
                format_func=lambda place: "All classes" if place == ANY else words.sentence(shown.name(results[place])),
                key=keys.predicates(),
            )
        )


def isolated_map(shown: Shown, whose: int, cells: Sequence[Cell], which_key: str) -> None:
    """Draws the cells that hold exactly one person; a click chooses a predicate."""
    view, part = shown.view, None if whose == ANY else shown.attack.parts[whose]

    def picked(place: Sequence[int]) -> None:
        here = view.cells(*place)
        if len(here) == 1 and here[0] in cells:
            st.session_state[which_key] = cells.index(here[0])

    picture.show(
        state.once(
            "isolated", (state.attack_key(), whose, view), lambda: isolated_figure(shown.attack, cells, view, part)
        ),
        "isolated-map",
        f"{len(cells)} cells hold exactly one person",
        on_pick=picked,
    )
    st.caption(
        "Marked cells hold exactly one person. Click one to see its predicate."
        if view.flat
        else "Cells with exactly one person, counted behind each tile."
    )


def list_predicates(shown: Shown, predicates: Sequence[Predicate], chosen: int) -> None:
    """Shows the predicate that is chosen, and the others where somebody asks for them."""
    if not predicates:
        messages.info("No cell holds exactly one person, so nobody is singled out on this grid.")
        return
    at = predicates[chosen]
    st.markdown(f"**{words.plain(shown.says(at.cell))}** ({shown.name(at.result)})")
    if len(predicates) > 1:
        with st.popover(f"All {how_many(len(predicates), 'predicate')}", width="stretch"):
            st.markdown(
                "\n".join(
                    f"- {words.plain(shown.says(predicate.cell).removesuffix('.'))} ({shown.name(predicate.result)})."
                    for predicate in predicates[:MOST_ROWS]
                )
            )


def who_is_it(shown: Shown, predicates: Sequence[Predicate], which_key: str) -> None:
    """Shows the person that a predicate is true of, only when asked for."""
    with st.expander("Who is it?", icon=":material/person_search:"):
        which = fields.selectbox(
            "Predicate",
            range(len(predicates)),
            format_func=lambda place: shown.says(predicates[place].cell),
            key=which_key,
        )
        row, record_key = predicates[which].row, f"single-out-record-{hash(state.attack_key())}"

        def reveal(revealed: int | None) -> None:
            st.session_state[record_key] = revealed

        # Only the row that was asked for, and only until another one is chosen.
        if st.session_state.get(record_key) == row:
            st.warning("This is raw data about one person.", icon=":material/privacy_tip:")
            show_table(require_dataset().frame.iloc[[row]], "The raw record")
            act("Hide the raw record", reveal, None)
        else:
            st.session_state[record_key] = None
            act("Show the raw record (this is personal data)", reveal, row, icon="privacy_tip")


def outcomes(shown: Shown) -> None:
    """Shows how many predicates of each class single somebody out."""
    summary, results, rows = shown.singled.outcomes, shown.results, shown.rows
    st.markdown("Classes by the number of predicates that single somebody out:")
    with st.container(horizontal=True):
        for outcome, label in OUTCOMES.items():
            st.metric(words.sentence(label), f"{summary[outcome]:,}", border=True, width=155)
    if any(part.basic for part in shown.attack.classes):
        st.caption(
            f"A class on a single cell counts as failed: at least k = {shown.attack.release.k} people share that "
            "cell, so it singles nobody out."
        )
    show_table(
        [
            {
                "Class": "suppressed" if rows[place].number is None else str(rows[place].number),
                "Outcome": OUTCOMES[results[place].outcome],
                "Predicates": len(results[place].isolating),
                "True counts allowed": "yes" if results[place].valid else "no",
                "Records": sum(results[place].counts) if results[place].valid else rows[place].size,
                "Kind": rows[place].kind,
                "Box": words.box(shown.grid, rows[place].segment),
            }
            for place in by_number(rows)
        ],
        f"Outcome per class: {summary['failed']} failed, {summary['one']} one, {summary['many']} more than one",
        columns={
            "Class": st.column_config.TextColumn(width=90),
            "True counts allowed": st.column_config.TextColumn(
                help="Whether the true number of records per cell is among the fillings that the attack allows."
            ),
        },
    )


# ---------------------------------------------------------------- without the raw table: for certain


def for_certain(shown: Shown, screen: Stage) -> None:
    """Shows who is singled out for certain, by all classes together."""
    with screen.beside:
        run = run_panel(shown.attack.release)
    if run is None:
        say(screen.sentence, "Does anybody stand alone for certain? All classes of the release together may tell.")
        return
    tight = run.result.tight
    say(screen.sentence, lead_in(tight))
    alone = dict.fromkeys(tight.isolated, 1)
    with screen.beside:
        sentences = [f"For certain e{words.plain(shown.says(cell)[1:])}" for cell in alone]
        listed(sentences, MOST_SENTENCES, "All of them")
        if st.button("See why, on the page Attack", icon=":material/search:", type="tertiary"):
            st.session_state[keys.MAP] = keys.TOGETHER
            st.switch_page("pages/attack.py")
        say_how_sure(run)
    with screen.figure:
        picture.show(
            certain_figure(shown.grid, alone, shown.view),
            "certain-people",
            f"{len(alone)} cells hold exactly one person for certain",
        )
        st.caption("From the release alone: cells that hold exactly one person in every table that is still possible.")


# ---------------------------------------------------------------- without the raw table: how likely


def likely(shown: Shown, screen: Stage) -> None:
    """Shows how likely each cell holds exactly one person."""
    with screen.beside:
        how = one_of("Reading", [TOGETHER, BY_ITSELF], "single-out-reading", first=BY_ITSELF)
    chances, trouble = by_itself(shown.attack)
    if how == TOGETHER:
        with screen.beside:
            run = run_panel(shown.attack.release)
        if run is None:
            text = "How likely does a cell hold exactly one person, when all classes are read together?"
            say(screen.sentence, text)
        else:
            likely_together(shown, screen, run, chances)
    elif chances is None:
        screen.beside.info(trouble, icon=":material/info:")
    elif not (chances.cells or chances.bounded):
        screen.beside.info(
            "Every cell that may hold somebody is a class of its own, so no cell can hold exactly one person."
        )
    else:
        likely_alone(shown, screen, chances)


def by_itself(attack: Attack) -> tuple[SinglingChances | None, str]:
    """Returns the chances by the paper's attack, or the sentence that says why there are none."""
    try:
        return state.once("chances", state.attack_key(), lambda: single_out(attack)), ""
    except CRAError as error:
        return None, words.plain(str(error))


def expected_alone(chances: SinglingChances) -> str:
    """Returns how many people are expected to be singled out, or the limits of that number."""
    lower, upper = outward(*chances.expected_bounds, 1)
    return f"{lower:.1f} to {upper:.1f}" if chances.bounded else f"{chances.expected_isolated:.1f}"


def likely_together(shown: Shown, screen: Stage, run: Run, chances: SinglingChances | None) -> None:
    """Shows the chances when all classes are read together."""
    tight = run.result.tight
    found = of_all_classes(tight)
    exact = {view.cell: view.exact for view in tight.cells}
    unfinished = tight.status == "timeout"
    if not found:
        text = "No probabilities are known: the run did not finish." if unfinished else ""
        say(screen.sentence, text or "No cell can hold exactly one person.")
    else:
        how = "exact" if all(exact[cell] for cell, _ in found) else "estimated from random tables unless marked exact"
        say(
            screen.sentence,
            f"Probability that a cell holds exactly one person, {how}, when every table that all classes together "
            f"allow {weighing.likely(tight)}."
            + (f" Of these some are impossible: {tight.why_relaxed}." if tight.relaxed else "")
            + (" Cells without a number were not reached before the run ended." if unfinished else ""),
        )
    by_intervals, expected = run.result.assessment.by_intervals, run.result.assessment.expected
    with screen.beside:
        st.metric(INTERVALS, figure_text(by_intervals))
        st.metric(BY_ITSELF, expected_alone(chances) if chances else "not known")
        counted = tight.expected_isolated is not None
        st.metric(
            f"{TOGETHER} ({'impossible tables counted too' if tight.relaxed and counted else expected.sure})",
            figure_text(expected) if counted else "not known",
        )
        st.caption(
            f"How many cells single somebody out. {shown.of_this_table}",
            help="More is not always more certain: an attack may also show that many cells hold nobody, or several "
            "people.",
        )
        say_how_sure(run)
    if not found:
        return
    with screen.figure:
        chance_map(shown, "tight-chances-map", id(tight), found)
        st.caption(
            "Percent." if shown.view.flat else "Expected number of cells behind each tile with exactly one person."
        )
    alone, most = dict(of_one_person(chances)) if chances else {}, found[:MOST_ROWS]

    def as_table() -> None:
        show_table(
            {
                TOGETHER: [chance for _, chance in most],
                BY_ITSELF: [alone.get(cell, 0.0) if chances else None for cell, _ in most],
                "Kind": ["exact" if exact[cell] else "estimate" for cell, _ in most],
                "Cell": shown.cell_names([cell for cell, _ in most]),
            },
            "Probability that a cell holds exactly one person, most likely first",
            total=len(found),
            percent=[TOGETHER, BY_ITSELF],
        )

    with screen.below:
        folded({"These probabilities as a table": as_table}, "single-out-together-folded")


def likely_alone(shown: Shown, screen: Stage, chances: SinglingChances) -> None:
    """Shows the chances when each class is read by itself."""
    likely_cells = state.once("likely alone", state.attack_key(), lambda: of_one_person(chances))
    say(
        screen.sentence,
        "Probability that a cell holds exactly one person, as in the paper: exact if every table that a class's "
        f"constraints allow {weighing.likely(shown.attack)}, each class for itself.",
        words.plain(chances.assumption),
    )
    tables: dict[str, Callable[[], Any]] = {}
    with screen.beside:
        st.metric(
            f"{BY_ITSELF}: expected number of people singled out",
            expected_alone(chances),
            help="The sum of the probabilities: an average over the tables that are still possible, not a count.",
        )
        st.caption(f"{shown.of_this_table} {words.sentence(yardstick())}.")
        st.metric("Cells that may hold exactly one person", f"{len(chances.cells) + len(chances.bounded):,}")
        if chances.bounded:
            st.caption(
                f"In {how_many(len(chances.bounded), 'cell')} of classes that are too large to count"
                f"{'' if chances.complete else ', or for which the time ran out,'} the chance is "
                "known to lie between two limits only."
            )
    if likely_cells:
        with screen.figure:
            chance_map(shown, "chances-map", state.attack_key(), likely_cells)
            st.caption(
                "Percent. Cells without a number cannot hold exactly one person."
                if shown.view.flat
                else "Expected number of cells behind each tile with exactly one person."
            )
        tables["How these numbers are calculated"] = partial(chances_calculated, shown, chances)
        tables["The likeliest cells as a table"] = partial(likeliest_table, shown, chances, likely_cells)
    if chances.bounded:
        tables["The limits of cells too large to count"] = partial(limits_table, shown, chances)
    with screen.below:
        folded(tables, "single-out-likely-folded")


def chance_map(shown: Shown, name: str, of: object, chances: Sequence[tuple[Cell, float]]) -> None:
    """Draws the probability of exactly one person per cell."""
    picture.show(
        state.once(name, (of, shown.view), lambda: chance_figure(shown.grid, chances, shown.view)),
        name,
        f"Probability per cell of exactly one person, at most {percent(chances[0][1])}",
    )


def chances_calculated(shown: Shown, chances: SinglingChances) -> None:
    """Shows the expected number, and the probability of one cell, as formulas with their numbers."""
    attack = shown.attack
    if not chances.bounded:
        formulas.show([arithmetic.expected([chance.probability for chance in chances.cells])])
    asked = st.selectbox(
        "Cell",
        chances.cells[:MOST_ROWS],
        format_func=lambda chance: shown.cell_names([chance.cell])[0],
        key="single-out-asked",
    )
    orders = owner_shares(attack, asked.cell) if weighing.formulas_hold(attack) else ()
    owners = [owner for _, owner in orders]
    if not weighing.formulas_hold(attack):
        st.caption(weighing.OTHER_FORMULAS)
    elif len(asked.parts) == 1 and Owner.RAW not in asked.parts:
        (index,) = asked.parts
        owners = [attack.parts[-1 if index is None else index]]
    ones = [arithmetic.cell_chance(owner, asked.cell, 1) for owner in owners]
    formulas.show([formula for formula in ones if formula is not None])
    if len(asked.parts) > 1 and orders and Owner.RAW not in asked.parts:
        pairs = zip(orders, ones, strict=True)
        formulas.show([arithmetic.either([(share, one.value) for (share, _), one in pairs if one])])


def likeliest_table(shown: Shown, chances: SinglingChances, likely_cells: Sequence[tuple[Cell, float]]) -> None:
    """Shows the likeliest cells with the classes that their people can be in."""
    most, release = chances.cells[:MOST_ROWS], shown.attack.release
    show_table(
        {
            "Exactly one person": [chance for _, chance in likely_cells[:MOST_ROWS]],
            "Class": [
                " or ".join("suppressed" if index is None else str(number_of(release, index)) for index in one.parts)
                for one in most
            ],
            "Cell": shown.cell_names([one.cell for one in most]),
        },
        "Cells that may hold exactly one person, most likely first",
        total=len(chances.cells),
        percent=["Exactly one person"],
    )


def limits_table(shown: Shown, chances: SinglingChances) -> None:
    """Shows the cells of classes that are too large to count, with what is known of them."""
    most = chances.bounded[:MOST_ROWS]
    bounds = [outward(limits.lower, limits.upper, 4) for limits in most]
    show_table(
        {
            "At least": [lower for lower, _ in bounds],
            "At most": [upper for _, upper in bounds],
            "Cell": shown.cell_names([limits.cell for limits in most]),
        },
        "Limits of the probability of exactly one person, the highest first",
        total=len(chances.bounded),
        percent=["At least", "At most"],
    )


page()
