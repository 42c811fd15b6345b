"""Who has what: the sensitive values that people of each cell can have, from the release alone."""

from collections.abc import Sequence

import streamlit as st

from cra_dashboard.charts.look import texts_fit
from cra_dashboard.charts.ownership import release_outlines
from cra_dashboard.charts.picture import Picture
from cra_dashboard.charts.tiled import Shown, behind_tiles, tiled_figure
from cra_dashboard.charts.view import View
from cra_dashboard.lessons import asking, progress
from cra_dashboard.lessons.pages import who_has_what as questions
from cra_dashboard.palette import ALONE, BLANK, FREE, Mark
from cra_dashboard.panels import evidence
from cra_dashboard.panels.attack_settings import require_attack, settings
from cra_dashboard.panels.frame import require_dataset
from cra_dashboard.panels.picture import mount as picture
from cra_dashboard.panels.stage import listed, say, stage
from cra_dashboard.panels.tables import MOST_ROWS, show_table
from cra_dashboard.panels.tight_run import limit, offer
from cra_dashboard.session import state
from cra_dashboard.session.example_cards import open_example
from cra_dashboard.session.runs import Runs, timed
from cra_dashboard.session.view_choice import choose_view
from cra_dashboard.texts import glossary, weighing, words
from cra_dashboard.texts.class_rows import values_table
from cra_engine import Attack, Release, WhoHasWhat, who_has_what
from cra_engine.words import how_many, spoken
from cra_engine.words import listed as in_words

MOST_SENTENCES, SECONDS, FEW_LETTERS = 4, 5.0, 5
COUNTED = "How many cells behind each tile settle or exclude a value. Without a number, none does."
LONGER: Runs[WhoHasWhat] = Runs("who has what", timed("Settling who has what"))
KNOWN = Mark(ALONE.colour, "one person, whose value is certain", "", ALONE.opacity)
AS_SHOWN = Mark(name="a box of one cell: what its rows show", sign="=")
ALL_LEFT = Mark(name="are all that the class shows")
NARROWED = Mark(FREE.colour, "fewer values are left than the class shows", "", 0.35)


def page() -> None:
    """Shows the page from top to bottom."""
    st.title("Who has what?", help=glossary.of_page("who_has_what"))
    require_dataset("ward")  # where everybody has an illness
    attack, _ = require_attack()
    sentence = st.container(key="who-has-what-sentence")
    figure, beside = stage()
    if not shows_values(attack):
        say(sentence, "This release shows no column that is called sensitive, so there is nothing to find out here.")
        with beside:
            if st.button("Open Ward, where everybody has an illness", type="primary") and open_example("ward"):
                st.rerun()
            st.page_link("pages/data.py", label="Call a column sensitive: Data", icon=":material/table:")
        evidence.of_release((figure, beside), attack.release, "who-has-what")
        return
    found = state.once(
        "who has what", state.attack_key(), lambda: state.in_turn(lambda: who_has_what(attack, time_limit=SECONDS))
    )
    job = LONGER.job(state.attack_key())
    if job is not None and job.result is not None:
        found = job.result
    if asking.ask_for_lesson(questions_on(found), state.attack_key(), hold=True):
        evidence.of_release((figure, beside), attack.release, "who-has-what")
        with beside:
            published_values(attack.release, found.columns)
        st.stop()
    found = of_lesson(found)
    models = in_words(list(map(str, found.attack.release.study.privacy)))
    named = "From the release" if found.attack is attack else f"With {models}: from the release"
    attack = found.attack
    said = f"{named} alone, in {in_words(list(found.columns))}: {found.in_numbers()}." + (
        "" if found.finished else " The time did not suffice to settle all: more may be certain."
    )
    say(sentence, said)
    with beside:
        told = [one for one in found.cells if one.alone or one.excluded or one.gain]
        if told:
            sentences = [words.plain(spoken(found.sentence(one))) for one in told[:MOST_ROWS]]
            listed(sentences, MOST_SENTENCES, "More of them")
            if any("%" in one for one in sentences):
                st.caption(f"Where a sentence has a percentage: how likely, {weighing.likely(attack)}.")
        elif found.finished:
            st.write("Of nobody more is known than the class shows.")
            published_values(attack.release, found.columns)
        if not found.finished:
            look_longer(attack)
        settings(attack)
    view = choose_view(attack.release.grid, "who-has-what")
    drawn = values_figure(found, view)
    if not any(tile.fill or tile.text for tile in drawn.tiles):
        evidence.show_boxes(figure, attack.release, view, "who-has-what")
        figure.caption("No cell settles or excludes a value, so nothing more than this is drawn.")
        return
    with figure:
        picture.show(drawn, "who-has-what-map", said)
        st.caption(
            behind_tiles(attack.release.grid, view, COUNTED)
            or "In a cell: its settled value, or how many of the class's values are left. Neither: nobody."
        )


def published_values(release: Release, columns: Sequence[str]) -> None:
    """Shows beside the boxes which values each class shows, and of how many people: everybody can read that, too."""
    table, total = values_table(release, columns, MOST_ROWS), len(release.classes) + bool(release.suppressed)
    show_table(table, "Which values each class shows", total=total, things="classes")


def of_lesson(found: WhoHasWhat) -> WhoHasWhat:
    """Returns what is shown: once the lesson has asked about one value more in every class, that release."""
    asked = progress.question()
    if asked is None or asked.kind != "one_more_value":
        return found
    frame, study = require_dataset().frame, found.attack.release.study
    return state.once("one value more", state.attack_key(), lambda: questions.with_one_more(frame, study)) or found


def look_longer(attack: Attack) -> None:
    """Offers to go on where the time did not suffice, beside the page."""
    job = LONGER.job(state.attack_key())
    if job is not None and not LONGER.ended(job, state.attack_key()):
        return
    offer("Look longer", start, attack, icon="timer", key="who-has-what-start")


def start(attack: Attack) -> None:
    """Starts to settle who has what, for as long as was chosen."""
    seconds = limit()
    LONGER.start(state.attack_key(), lambda _: who_has_what(attack, time_limit=seconds), seconds)


def questions_on(found: WhoHasWhat) -> asking.Questions:
    """Returns what can be asked here."""
    study = found.attack.release.study
    return {
        "alone_despite": lambda: questions.alone_despite(require_dataset().frame, study),
        "settled_values": lambda: questions.settled_values(found),
        "one_more_value": lambda: questions.one_more_value(require_dataset().frame, study),
    }


def shows_values(attack: Attack) -> bool:
    """True where the release shows a column that the study calls sensitive, or that a privacy model of it reads."""
    release, models = attack.release, attack.models
    named = any(name in release.table.columns for name in release.study.roles.sensitive)
    return named or (models is not None and bool(models.columns))


def values_figure(found: WhoHasWhat, view: View) -> Picture:
    """Draws per cell the value that alone is left, or how many of the class's values are."""
    known = {one.cell: one for one in found.cells}
    own = {part.free_cells[0] for part in found.attack.classes if part.basic}
    room = texts_fit(view.columns, [one.possible[0] for one in found.settled])

    def shortly(value: str) -> str:
        return value if room or len(value) <= FEW_LETTERS else f"{value[:FEW_LETTERS]}…"

    def shown(x: int, y: int) -> Shown:
        here = [known[cell] for cell in view.cells(x, y) if cell in known]
        if view.flat and not here and own.intersection(view.cells(x, y)):
            return AS_SHOWN, AS_SHOWN.sign, AS_SHOWN.name
        if len(here) != 1 or not view.flat:
            number = sum(bool(one.certain or one.excluded) for one in here)
            return (NARROWED, str(number), how_many(number, "cell")) if number else (BLANK, "", "")
        (one,) = here
        settled = one in found.settled
        left = shortly(one.possible[0]) if settled else f"{len(one.possible)} of {len(one.shares)}"
        if one.certain is not None:
            return KNOWN, left, found.sentence(one)
        return (NARROWED, left, found.sentence(one)) if one.excluded else (ALL_LEFT, left, found.sentence(one))

    release = found.attack.release
    boxes = release_outlines(release.grid, release, view)
    heading = "Values left:" if view.flat else "Number of cells:"
    return tiled_figure(release.grid, view, shown, boxes, keys=[KNOWN, NARROWED, ALL_LEFT, AS_SHOWN], heading=heading)


page()
