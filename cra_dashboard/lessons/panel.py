"""The lesson on every page: what to know, what to do, where to look, and what was found once it is done."""

import streamlit as st

from cra_dashboard import palette
from cra_dashboard.lessons import asking, progress
from cra_dashboard.lessons.facts import Facts
from cra_dashboard.lessons.files import Lesson, Step
from cra_dashboard.lessons.views import VIEWS, outline
from cra_dashboard.session import datasets, keys, state
from cra_dashboard.texts import words
from cra_engine import CRAError, SafeRecoding, Study

_GO_TO = "lesson-go-to"
PAGES = {
    "hierarchies": "Hierarchies",
    "recode": "Recode",
    "attack": "Attack",
    "single_out": "Single out",
    "microaggregate": "Microaggregate",
    "heterogeneous": "Heterogeneous",
    "global_recoding": "Global recode",
    "together": "Together",
}
# On a large screen the panel stays in sight while the page moves below it.
_STYLE = """<style>
.st-key-lesson {border-left: 0.4rem solid CHOSEN !important;}
@media (min-width: 900px) and (min-height: 640px) {
  [data-testid="stLayoutWrapper"]:has(> .st-key-lesson) {
    position: sticky; top: 3.25rem; z-index: 50; background: Canvas; border-radius: 0.5rem;
    box-shadow: 0 4px 12px rgba(0, 0, 0, 0.25); max-height: 45vh; overflow: auto;
  }
  html {scroll-padding-top: 40vh;}
  [data-testid="stMain"] {scroll-padding-top: 40vh;}
}
</style>""".replace("CHOSEN", palette.CHOSEN)


def show(page: str) -> None:
    """Show the step that is going on, above whatever page the learner is on; nothing where there is no lesson."""
    target = st.session_state.pop(_GO_TO, None)
    if target is not None and target != page:
        st.switch_page(f"pages/{target}.py")
    now = progress.current()
    if now is None:
        return
    lesson, place = now
    if state.dataset() is None:
        # A link that names a lesson only: its study comes along.
        progress.go(lesson.id, place)
        st.rerun()
    st.html(_STYLE)
    with st.container(border=True, key="lesson", gap="xsmall"):
        if progress.own_study(lesson, place):
            _step(lesson, place, page)
        else:
            _other_table(lesson, place)


def _other_table(lesson: Lesson, place: int) -> None:
    data = state.dataset()
    wanted = datasets.EXAMPLES[lesson.study_of(place)].title
    _head(lesson, place, skip=False)
    own = " Your table is then dropped from this session." if data is not None and data.recipe is None else ""
    st.markdown(f"This lesson is about the table **{wanted}**; another one is open.{own}")
    st.button(f"Open {wanted}", type="primary", key="lesson-open", on_click=_go, args=(lesson, place))


def _step(lesson: Lesson, place: int, page: str) -> None:
    step = lesson.step[place]
    if not progress.begun():
        progress.prepare(step, linked=True)
        progress.begin(lesson.id, place)
    try:
        done = progress.watch(page)
        _head(lesson, place, skip=not done)
        facts = facts_now()
        told = {name: facts.fill(getattr(step, name)) for name in ("text", "task", "found")}
    except CRAError as error:
        st.error(f"The lesson cannot go on with these settings: {words.plain(str(error))}", icon=":material/error:")
        st.button("Begin this step again", key="lesson-again", on_click=_again, args=(lesson, place))
        return
    if done:
        st.markdown(f":material/check_circle: **Done.** {told['found']}")
    else:
        st.markdown(told["text"])
        st.markdown(f":material/arrow_right: **Do this:** {told['task']}")
        _where(lesson, place, page)
    if done:
        with st.container(horizontal=True, vertical_alignment="center"):
            _on(lesson, place)


def _head(lesson: Lesson, place: int, *, skip: bool) -> None:
    title = words.plain(lesson.step[place].title)
    last = place + 1 == len(lesson.step)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(
            f":material/school: **Lesson {lesson.number}: {words.plain(lesson.title)}** · step {place + 1} of "
            f"{len(lesson.step)}: {title}",
            width="stretch",
        )
        if skip:
            st.button(
                "Skip this step",
                key="lesson-skip",
                type="tertiary",
                on_click=_leave if last else _go,
                args=() if last else (lesson, place + 1),
                help="A step that is skipped does not count as done.",
            )
        st.button("Leave the lesson", key="lesson-leave", type="tertiary", on_click=progress.leave)


def _where(lesson: Lesson, place: int, page: str) -> None:
    step = lesson.step[place]
    view = VIEWS[step.view]
    if step.page != page:
        st.page_link(
            f"pages/{step.page}.py", label=f"Go to the page {PAGES[step.page]}", icon=":material/arrow_forward:"
        )
        return
    outline(view, f"Lesson {lesson.number}, step {place + 1}: look here")
    link = f" [Show me](#{view.anchor})" if view.anchor else ""
    st.caption(f"Look at the dashed frame: {view.called}.{link}")


def _on(lesson: Lesson, place: int) -> None:
    if place + 1 < len(lesson.step):
        st.button(
            "Next step",
            key="lesson-next",
            type="primary",
            icon=":material/arrow_forward:",
            on_click=_go,
            args=(lesson, place + 1),
        )
    else:
        opened = progress.first_open(lesson)
        if opened is None:
            label = f"Lesson {lesson.number} is done: to the list"
            st.button(label, key="lesson-end", type="primary", icon=":material/done_all:", on_click=_leave)
        else:
            label = f"Back to step {opened + 1}, which was skipped"
            st.button(label, key="lesson-back-to-open", type="primary", on_click=_go, args=(lesson, opened))
    if asking.score().answered:
        st.caption(str(asking.score()))


def facts_now() -> Facts:
    """The facts of what is on the screen."""
    place = st.session_state.get(keys.chosen_class())
    recoding = state.recoding()
    if isinstance(recoding, SafeRecoding):  # lessons tell of ARX-LR
        study = Study(recoding.study.attributes, recoding.study.k)
        return state.once("lesson facts", state.results_key(), lambda: Facts.of_table(state.to_recode(), study))
    return state.once(
        "lesson facts",
        (state.attack_key(), place),
        lambda: Facts(state.to_recode(), recoding, state.attacked(), state.singled, place),
    )


def start(lesson: Lesson) -> None:
    """Begin a lesson and open its page; to be called from a widget's callback."""
    progress.start(lesson.id)
    now: Step | None = progress.step()
    st.session_state[_GO_TO] = now.page if now is not None else "lessons"


def _go(lesson: Lesson, place: int) -> None:
    progress.go(lesson.id, place)
    st.session_state[_GO_TO] = lesson.step[place].page


def _again(lesson: Lesson, place: int) -> None:
    state.use_dataset(*datasets.example(lesson.study_of(place)))
    _go(lesson, place)


def _leave() -> None:
    progress.leave()
    st.session_state[_GO_TO] = "lessons"
