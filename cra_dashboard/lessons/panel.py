"""The lesson beside every page: what to know, what to do, where to look, and what was found once it is done."""

from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from cra_dashboard import palette
from cra_dashboard.lessons import asking, browser, progress
from cra_dashboard.lessons.facts import Facts
from cra_dashboard.lessons.files import Lesson, Step, all_lessons
from cra_dashboard.lessons.hooks import outline
from cra_dashboard.lessons.registry import PAGES, QUESTION, REASONS, VIEWS
from cra_dashboard.session import datasets, keys, messages, state
from cra_dashboard.session.fields import act
from cra_dashboard.texts import words
from cra_engine import CRAError, SafeRecoding, Study

_GO_TO, _UNFOLDED = "lesson-go-to", "lesson-unfolded"
# Beside the page the panel takes the place of the list of pages and covers nothing; so it does in a low window, as at
# double size. What is at its head and at its end stays in sight. On a telephone it lies over the lower part of the
# page: above it is what there is to act on, or the picture that a question speaks of (lesson.js); a press on its head
# leaves of it that line. Where there is little room for both, the step's text is folded behind a button.
_BESIDE = "(min-width: 900px), (min-width: 560px) and (max-height: 599px)"
_STYLE = """<style>
:root {--lesson: clamp(17rem, 44vw, 20rem)}
[data-testid="stLayoutWrapper"]:has(> .st-key-lesson) {border-left: 0.4rem solid CHOSEN}
.st-key-lesson {flex: none} /* as long as what is in it, which its border then holds */
@media BESIDE, (min-height: 600px) {
  [data-testid="stLayoutWrapper"]:has(> .st-key-lesson-on, > .st-key-predict-on) {
    position: sticky; bottom: 0; background: Canvas; padding: 0.4rem 0; z-index: 1;
  }
}
/* The star of a suppressed row is read from the last row of seats. */
.st-key-lesson code {font: inherit; font-size: 1.6em; font-weight: 700; line-height: 0; vertical-align: -0.25em;
  color: inherit; background: none; padding: 0 0.05em}
.st-key-lesson .st-key-predict {padding: 0.6rem; gap: 0.4rem}
.st-key-lesson .st-key-predict h4 {font-size: 1rem; padding: 0 0 1rem}
.st-key-lesson [data-testid="stAlertContainer"] {padding: 0.5rem}
.st-key-lesson .st-key-predict ul {padding-left: 1.2rem}
.st-key-lesson .st-key-predict li {margin-left: 0}
.st-key-lesson :is(.st-key-lesson-place, .st-key-lesson-head) p {font-size: 0.9rem} /* all of it in one line */
.st-key-lesson-head button {min-height: 2rem}
.st-key-lesson-head button p {white-space: nowrap}
.st-key-lesson-look button {text-align: left; padding: 0}
.st-key-lesson-title {flex-wrap: nowrap}
@media (min-width: 900px) and (min-height: 451px) {
  .st-key-lesson:has(.st-key-lesson-text) .st-key-lesson-unfold {display: none}
}
@media BESIDE {
  [data-testid="stSidebar"], [data-testid="stExpandSidebarButton"] {display: none}
  [data-testid="stMain"] {padding-left: var(--lesson)}
  [data-testid="stLayoutWrapper"]:has(> .st-key-lesson) {
    position: fixed; left: 0; top: 0; bottom: 0; width: var(--lesson); z-index: 999991; overflow: auto;
    background: Canvas;
  }
  .st-key-lesson {min-height: 100vh; border-radius: 0 !important; background: inherit;
    padding: 0 0.75rem 1.75rem !important} /* a line that would be cut can be scrolled out at the top (lesson.js) */
  [data-testid="stLayoutWrapper"]:has(> :is(.st-key-lesson-place, .st-key-lesson-top)) {
    position: sticky; top: 0; background: Canvas; z-index: 1;
  }
  .st-key-lesson-place {height: 2.2rem; padding-top: 0.6rem}
  [data-testid="stLayoutWrapper"]:has(> .st-key-lesson-top) {top: 2.2rem; padding-bottom: 0.3rem; margin-top: -0.25rem}
}
@media (min-width: 900px) {
  .st-key-lesson p, .st-key-lesson li, .st-key-lesson label {font-size: 1.05rem; line-height: 1.35}
  .st-key-lesson:has(.st-key-predict) :is(p, li, label) {font-size: 1rem} /* all answers are in sight */
}
/* What has no room beside the picture: the question says what to do, and short answers need one line. */
@media (max-width: 899px), (max-height: 450px) {
  .st-key-lesson-text {display: none}
  .st-key-lesson:has(.st-key-predict) .st-key-lesson-task {display: none}
  .st-key-lesson .st-key-predict-short [role="radiogroup"] {flex-flow: row wrap; gap: 0 1rem}
  .st-key-lesson .st-key-predict > :has(h4) {display: none}
  .st-key-lesson .st-key-predict:has([role="radiogroup"]) > :nth-child(2) p::before {
    content: "Do this: predict. "; font-weight: 600;
  }
}
@media (max-width: 899px) and (min-height: 600px) {
  [data-testid="stLayoutWrapper"]:has(> .st-key-lesson) {
    position: fixed; left: 0; right: 0; bottom: 0; z-index: 99; max-height: 54vh; overflow: auto; /* below the menu */
    box-shadow: 0 -4px 12px rgba(0, 0, 0, 0.3);
    /* A shade says that there is more below; at the end it is covered. */
    background: linear-gradient(transparent, Canvas 50%) 0 100% / 100% 2rem no-repeat local,
      linear-gradient(transparent, rgba(128, 128, 128, 0.6)) 0 100% / 100% 1rem no-repeat, Canvas;
  }
  [data-testid="stLayoutWrapper"]:has(> .st-key-lesson-place) {
    position: sticky; top: 0; background: Canvas; z-index: 1;
  }
  .st-key-lesson-place {flex-flow: row; align-items: center; justify-content: space-between; cursor: pointer}
  .st-key-lesson-place::after {content: "\u25be" / ""; font-size: 1.75rem; line-height: 1}
  .lesson-folded .st-key-lesson-place {min-height: 2.75rem}
  .lesson-folded .st-key-lesson-place::after {content: "\u25b4" / ""}
  .lesson-folded .st-key-lesson > :not(:has(> .st-key-lesson-place)) {display: none}
  /* Charts have a height of their own: once answered, what is said leaves them the window. */
  [data-testid="stMain"]:has(.st-key-stage [data-testid="stPlotlyChart"])
    [data-testid="stLayoutWrapper"]:has(> .st-key-lesson .st-key-predict):not(:has(h4)) {max-height: 41vh}
  [data-testid="stMain"]:has(.st-key-lesson) {padding-bottom: 54vh}
  .lesson-folded [data-testid="stMain"]:has(.st-key-lesson) {padding-bottom: 4rem}
  [data-testid="stMain"]:has(.st-key-lesson .st-key-predict) .st-key-stage {--picture-most: 285}
}
@media (max-width: 899px) {
  .st-key-lesson {padding: 0.4rem 0.75rem !important}
  .st-key-lesson-top button {min-height: 2.75rem}
  /* That there is more below what stays in sight. */
  [data-testid="stLayoutWrapper"]:has(> .st-key-lesson-on, > .st-key-predict-on) {box-shadow: 0 -8px 8px Canvas}
  /* Two pictures stand beside each other, or the second would be behind the question. */
  [data-testid="stMain"]:has(.st-key-lesson .st-key-predict) .st-key-stage [data-testid="stHorizontalBlock"] {
    flex-wrap: nowrap; gap: 0.5rem;
  }
  [data-testid="stMain"]:has(.st-key-lesson .st-key-predict) .st-key-stage [data-testid="stColumn"] {min-width: 0}
}
@media (max-height: 450px) { /* answers and picture need the height that is left */
  .st-key-lesson {padding-bottom: 0 !important; gap: 0.2rem}
  .st-key-lesson-top :is(button, [data-testid="stButton"]) {min-height: 1.25rem; padding-top: 0; padding-bottom: 0}
  .st-key-lesson .st-key-predict {padding: 0.2rem 0.5rem}
  .st-key-lesson [role="radiogroup"] label {min-height: 1.25rem}
  [data-testid="stLayoutWrapper"]:has(> .st-key-predict-on) {padding: 0}
  .st-key-stage {--picture-most: 225}
  [data-testid="stHeader"] {height: 2.75rem; min-height: 0}
  [data-testid="stMain"]:has(.st-key-lesson) [data-testid="stMainBlockContainer"] {padding: 2.75rem 0.75rem 1rem}
}
</style>""".replace("CHOSEN", palette.CHOSEN).replace("BESIDE", _BESIDE)
# In front of others: larger still than the page, and without what only the one at the computer needs.
_PRESENTED = """<style>
.st-key-study-bar, [data-testid="stHeader"], [data-testid="stMainBlockContainer"] h1 {display: none}
@media (min-width: 900px) {
  [data-testid="stMainBlockContainer"] {padding: 2.5rem 0.75rem 3rem !important} /* below the glossary's line */
  /* All views in one line; what scrolls goes under it. */
  [data-testid="stLayoutWrapper"]:has(> .st-key-way) {background: Canvas; margin-left: 0; top: 0; width: 100%}
  .st-key-way-views {flex-wrap: nowrap; font-size: 0.9rem} .st-key-way-on [data-testid="stPageLink"] {display: none}
  .st-key-lesson p, .st-key-lesson li, .st-key-lesson label {font-size: 1.1rem; line-height: 1.35}
  .st-key-lesson [data-testid="stCaptionContainer"] p {font-size: 0.9rem}
  /* All answers of a question are in sight: they have some of the page's width, and the question says what to do. */
  :root:has(.st-key-lesson .st-key-predict) {--lesson: 22.5rem}
  .st-key-lesson:has(.st-key-predict) :is(p, li, label) {font-size: clamp(0.9rem, 2.5vh, 1.1rem)}
  .st-key-lesson:has(.st-key-predict [role="radiogroup"]) .st-key-lesson-task {display: none}
  /* Beside one picture choices and findings leave it two thirds, in lines of more than a few words. */
  [data-testid="stHorizontalBlock"]:has(> * .st-key-stage) {gap: 1rem}
  [data-testid="stColumn"]:has(.st-key-stage):not(:has(.st-key-stage [data-testid="stColumn"])) {flex: 65 1 0}
  [data-testid="stColumn"]:has(.st-key-stage):not(:has(.st-key-stage [data-testid="stColumn"])) + * {flex: 35 1 0}
  .st-key-stage-controls :is(p, li, label) {font-size: 0.9rem}
  /* A question is about the picture, and on Recode what is pressed stands above it: choices leave it their room. */
  [data-testid="stColumn"]:has(.st-key-stage):is(:root:has(.st-key-lesson .st-key-predict) *, :has(.st-key-recode-grid))
    + :not(:has([data-testid="stDataFrame"], [data-testid="stBaseButton-primary"])) {display: none}
}
</style>"""
# The line of an open class covers nothing that cannot be scrolled out from below it.
_CLASS = """<style>[data-testid="stMainBlockContainer"] {padding-bottom: 5rem !important}</style>"""


def presenting() -> bool:
    """Return whether a lesson is presented, in large type. To be called before anything is shown."""
    browser.take_over()
    return browser.presenting()


def show(page: str) -> None:
    """Show the lesson's step, beside whatever page the learner is on; nothing where there is no lesson."""
    target = st.session_state.pop(_GO_TO, None)
    if target is not None and target != page:
        st.switch_page(f"pages/{target}.py")
    large = presenting()
    asking.ask_in(None)
    now = progress.current()
    if now is None or now[0].step[now[1]].question is None or now[0].step[now[1]].page != page:
        browser.rest()
    if now is None:
        # The story has a script of its own, in which its class goes on.
        if page == "lessons" or large or (page != "story" and browser.room() is not None):
            browser.mount(page)
        return
    lesson, place = now
    if state.dataset() is None:
        # A link that names a lesson only: its study comes along.
        progress.go(lesson.id, place)
        st.rerun()
    st.html(_STYLE + (_PRESENTED if large else "") + (_CLASS if browser.room() is not None else ""))
    with st.container(border=True, key="lesson", gap="xsmall"):
        if progress.own_study(lesson, place):
            _step(lesson, place, page)
        else:
            _other_table(lesson, place, page)


def _other_table(lesson: Lesson, place: int, page: str) -> None:
    data = state.dataset()
    wanted = datasets.EXAMPLES[lesson.study_of(place)].title
    with _head(lesson, place, skip=False):
        browser.mount(page, lesson=True)
    own = " Your table is then dropped from this session." if data is not None and data.recipe is None else ""
    st.markdown(f"This lesson is about the table **{wanted}**; another one is open.{own}")
    act(f"Open {wanted}", _go, lesson, place, type="primary", key="lesson-open")


def _step(lesson: Lesson, place: int, page: str) -> None:
    step = lesson.step[place]
    if not progress.begun():
        progress.arrive(lesson.id, place)
    try:
        done = progress.watch(page)
        # In front of others what was done is not told before it is asked for; a question has an answer of its own.
        hidden = done and browser.presenting() and step.question is None and not progress.known(lesson.id, place).shown
        beside = _head(lesson, place, skip=not done, folds=True)
        facts = facts_now()
        text, task, found = (
            facts.fill(one.strip())
            for one in (f"{step.text} {step.screen_text}", step.task, f"{step.found} {step.screen_found}")
        )
    except CRAError as error:
        messages.error(f"The lesson cannot go on with these settings: {words.plain(str(error))}")
        act("Begin this step again", _again, lesson, place, key="lesson-again")
        return
    unfolded = _unfolded(lesson, place)
    if not done or hidden or unfolded:
        st.container(key="lesson-whole" if unfolded else "lesson-text").markdown(text)
    if not done or hidden:
        guessing = browser.room() is not None and step.question is not None and step.page == page
        task = "guess on your telephones." if guessing else task
        st.container(key="lesson-task").markdown(f":material/arrow_right: **Do this:** {task}")
    if not done:
        _where(lesson, place, page)
    asking.ask_in(st.container() if step.question is not None else None)
    if done and not hidden:
        st.container(key=browser.FOUND).markdown(found)
        if progress.outlived(page):
            st.caption("The picture has moved on since.")
            act("Show what this is about", progress.show_again, key="lesson-again-shown", icon="undo")
    if done or browser.presenting():
        with st.container(horizontal=True, vertical_alignment="center", gap="small", key="lesson-on"):
            _back(lesson, place)
            if hidden:
                with st.container(key=browser.SHOW, width="content"):
                    act("Show the answer", _show_found, lesson, place, type="primary")
            elif done:
                st.markdown(":material/check_circle: **Done.**", width="content")
                with st.container(
                    key=browser.NEXT, horizontal=True, vertical_alignment="center", gap="small", width="content"
                ):
                    _on(lesson, place)
    # Where nothing is drawn before the learner acts, what there is to act on stays in sight.
    views = (step.figure, QUESTION, REASONS, step.view) if step.page == page else ()
    stamp = f"{lesson.id} {place} {page} {'done' if done else 'to do'} {browser.presenting()}"
    with beside:
        browser.mount(
            page, stamp, [VIEWS[name].css for name in views], lesson=True, end=done and place + 1 == len(lesson.step)
        )


def _head(lesson: Lesson, place: int, *, skip: bool, folds: bool = False) -> DeltaGenerator:
    """What stands above a step, with what opens its text where that is folded; the place where it can be presented."""
    last = place + 1 == len(lesson.step)
    with st.container(key="lesson-place"):
        st.markdown(f":material/school: **Lesson {lesson.number}** · step {place + 1} of {len(lesson.step)}")
    top = st.container(key="lesson-top", gap="xsmall")
    with top.container(horizontal=True, vertical_alignment="center", key="lesson-head", gap="xsmall"):
        # What a step has only until it is done comes last: nothing slides to where somebody is about to click.
        act("Leave lesson", _end, key="lesson-leave", type="tertiary")
        if folds:
            label = "Fold the text" if _unfolded(lesson, place) else "The whole text"
            act(label, _fold, lesson, place, key="lesson-unfold", type="tertiary")
        if skip:
            st.button(
                "Skip step",
                key="lesson-skip",
                type="tertiary",
                on_click=_end if last else _go,
                args=(lesson,) if last else (lesson, place + 1),
            )
            if not browser.presenting():
                _back(lesson, place, type="tertiary")
    with top.container(horizontal=True, vertical_alignment="center", key="lesson-title", gap="small"):
        st.markdown(f"**{words.plain(lesson.step[place].title)}**", width="stretch")
        return st.container(width="content")


def _back(lesson: Lesson, place: int, **looks: Any) -> None:
    """Offer the step before, as it was left; to the first step there is none."""
    if place:
        with st.container(key=browser.BACK, width="content"):
            act("Back", _go, lesson, place - 1, key="lesson-previous", **looks)


def _where(lesson: Lesson, place: int, page: str) -> None:
    step = lesson.step[place]
    view = VIEWS[step.view]
    if step.page != page:
        st.page_link(
            f"pages/{step.page}.py", label=f"Go to the page {PAGES[step.page].title}", icon=":material/arrow_forward:"
        )
        return
    if step.question is None:
        outline(view)
        # A telephone has no room for both: what is pressed here brings the frame into the window (lesson.js).
        st.button(f"Look at the dashed frame: {view.called}", key=browser.LOOK, type="tertiary")


def _on(lesson: Lesson, place: int) -> None:
    if place + 1 < len(lesson.step):
        act("Next step", _go, lesson, place + 1, key="lesson-next", type="primary", icon="arrow_forward")
    else:
        opened = progress.first_open(lesson)
        if opened is not None:
            label = f"Back to step {opened + 1}, which was skipped"
            act(label, _go, lesson, opened, key="lesson-back-to-open", type="primary")
        every = list(all_lessons().values())
        following = next(iter(every[every.index(lesson) + 1 :]), None)
        if following is not None:
            act(
                "Next lesson",
                start,
                following,
                key="lesson-following",
                type="primary" if opened is None else "secondary",
                icon="arrow_forward",
                help=f"{following.number}. {words.plain(following.title)}",
            )
        act("To the list", _end, lesson, key="lesson-end", type="tertiary")


def facts_now() -> Facts:
    """Return the facts that a lesson can say of what is on the screen."""
    place = st.session_state.get(keys.chosen_class())
    recoding = state.recoding()
    if isinstance(recoding, SafeRecoding):  # lessons tell of ARX-LR
        study = Study(recoding.study.attributes, recoding.study.k)
        return state.once("lesson facts", state.results_key(), lambda: Facts.of_table(state.to_recode(), study))
    return state.once(
        "lesson facts",
        (state.attack_key(), place),
        lambda: Facts(state.to_recode(), recoding, state.attacked(), place),
    )


def start(lesson: Lesson) -> None:
    """Begin a lesson and open its page; to be called from a widget's callback."""
    progress.start(lesson.id)
    now: Step | None = progress.step()
    st.session_state[_GO_TO] = now.page if now is not None else "lessons"


def _go(lesson: Lesson, place: int) -> None:
    progress.go_as_seen(lesson.id, place)
    st.session_state[_GO_TO] = lesson.step[place].page


def _unfolded(lesson: Lesson, place: int) -> bool:
    return bool(st.session_state.get(_UNFOLDED) == (lesson.id, place))


def _fold(lesson: Lesson, place: int) -> None:
    st.session_state[_UNFOLDED] = None if _unfolded(lesson, place) else (lesson.id, place)


def _show_found(lesson: Lesson, place: int) -> None:
    progress.known(lesson.id, place).shown = True


def _again(lesson: Lesson, place: int) -> None:
    state.use_dataset(*datasets.example(lesson.study_of(place)))
    progress.go(lesson.id, place)
    st.session_state[_GO_TO] = lesson.step[place].page


def _end(after: Lesson | None = None) -> None:
    progress.leave(after)
    st.session_state[_GO_TO] = "lessons"
