"""Together: several releases of the same people, which say more together than each alone."""

from collections.abc import Sequence

import streamlit as st

from cra_dashboard.charts.tight import certain_figure
from cra_dashboard.lessons import asking, progress
from cra_dashboard.lessons.pages import together as predict
from cra_dashboard.panels import evidence
from cra_dashboard.panels.bounds import holding
from cra_dashboard.panels.download import download
from cra_dashboard.panels.frame import require_app
from cra_dashboard.panels.gate import may_be_downloaded
from cra_dashboard.panels.picture import mount as picture
from cra_dashboard.panels.stage import folded, say, stage
from cra_dashboard.session import keys, state
from cra_dashboard.session.messages import forget as forget_told
from cra_dashboard.session.messages import or_stop, show_told, tell, telling
from cra_dashboard.session.reasons import reasons
from cra_dashboard.session.uploads import File, uploader
from cra_dashboard.session.view_choice import choose_view
from cra_dashboard.texts import glossary, words
from cra_dashboard.texts.numbering import named
from cra_dashboard.together import state as together
from cra_dashboard.together import story

PLACE = "together"  # of the messages
INTRO = (
    "A table is published for one partner with one k, for another with a second one, or again after a year. Whoever "
    "has both releases can know more than either says."
)

require_app()
st.title("Together: what do several releases say?", help=glossary.of_page("together"))
sentence = st.container(key="together-sentence")
figure, controls = stage()


def take(files: list[File]) -> None:
    with telling(PLACE):
        tell(PLACE, "success", *together.take(files))


def forget() -> None:
    together.forget()
    forget_told(PLACE)


# ---------------------------------------------------------------- which releases

data, study = state.dataset(), state.study()
versions: list[together.Version] = []
if data is not None and study is not None:
    offered = together.versions(study, len(data.frame))
    with controls.container(key="together-releases"):
        chosen_pairs = st.pills(
            f"Releases of {words.plain(data.name)}",
            [(version.k, version.coarser) for version in offered],
            selection_mode="multi",
            default=[(version.k, version.coarser) for version in together.usual(study, offered)],
            format_func=lambda pair: together.Version(*pair).label(study),
            key=keys.together(),
            persist_state="session",
            disabled=progress.waits_for_answer(),
        )
    versions = [together.Version(*pair) for pair in sorted(chosen_pairs, key=lambda pair: (pair[1] is not None, pair))]
else:
    with controls:
        st.caption("Choose a table on the page Data, or upload two releases or more.")
        st.page_link("pages/data.py", label="Go to Data")
earlier = together.given()
grown = linked = False
with controls:
    put = st.container()
    with st.popover(
        "Uploaded releases" + (f" ({len(earlier)})" if earlier else ""),
        icon=":material/upload_file:",
        width="stretch",
    ):
        st.markdown("You have published this table before? Load that release; it comes first.")
        uploader(
            "together-files",
            "Released tables (CSV) and their studies (TOML)",
            take,
            several=True,
            help_text="A study belongs to the table of the same name, else to all of them; without one the session's.",
        )
        show_told(PLACE)
        for place, one in enumerate(earlier):
            stated = one.k or (one.study.k if one.study is not None else study.k if study is not None else 2)
            K = f"together-k-{place}-{hash(one.name)}"
            k = st.number_input(f"k of {words.plain(one.name)}", *holding(stated, 2, 10**6), stated, key=K, width=180)
            if k != stated:
                together.state_k(place, int(k))
                st.rerun()
        if earlier:
            grown = st.toggle("The table has grown between them", key="together-grown", persist_state="session")
            linked = st.toggle("Their rows stand in the same order", key="together-linked", persist_state="session")
            st.button("Forget them", on_click=forget, icon=":material/delete:")
    asking.switch()

with or_stop():
    releases = [together.read(one) for one in earlier] + [together.published(version) for version in versions]
labels = [words.plain(one.name) for one in earlier]
labels += [version.label(study) for version in versions] if study is not None else []
if not releases:
    say(sentence, INTRO)
    controls.info("Choose a release, better two.", icon=":material/info:")
    st.stop()

# ---------------------------------------------------------------- the attack

origin = None if data is None or study is None else state.results_key()
KEY = (origin, tuple(versions), tuple((one.name, one.k, hash(one.content)) for one in earlier), grown, linked)
job = together.TOGETHER.job(KEY)
if job is None:
    made = tuple(releases)
    job = together.TOGETHER.start(
        KEY,
        lambda cancelled: together.compute(made, grown=grown, linked=linked, cancelled=cancelled),
        together.SECONDS,
    )
with controls:
    over = together.TOGETHER.ended(job, KEY)
if not over or job.result is None:
    say(sentence, INTRO)
    st.stop()
steps = job.result
last = steps[-1]
about = hash(KEY)
QUESTIONS = {"together": lambda: predict.together(last)}
if asking.ask_for_lesson(QUESTIONS, about, hold=True) or asking.ask_first(QUESTIONS, about, ["together"], hold=True):
    for each, one in zip(figure.columns(len(last.alone)), last.alone, strict=True):
        evidence.of_release((each, each), one.release, f"together-k-{one.release.k}")
    st.stop()

# ---------------------------------------------------------------- the picture

say(sentence, story.headline(steps), INTRO)
number = len(steps)
if len(steps) > 1:
    number = put.segmented_control(
        "Put together",
        range(1, len(steps) + 1),
        format_func=lambda at: f"1: {labels[0]}" if at == 1 else f"and {at}: {labels[at - 1]}",
        default=len(steps),
        required=True,
        key=f"{keys.PUT_TOGETHER}{about}",
    )
with controls:
    view = choose_view(steps[number - 1].grid, "together")
with figure.container(key="together-picture"):
    shown = steps[number - 1]
    before = {} if number == 1 else dict(steps[number - 2].fixed_cells)
    fresh = {cell: count for cell, count in shown.fixed_cells.items() if cell not in before}
    same = number == 1 or shown.grid.shape == steps[number - 2].grid.shape
    WHY = f"together-why-{about}-{number}"
    chosen = st.session_state.get(WHY)
    drawn = certain_figure(
        shown.grid,
        fresh if same else shown.fixed_cells,
        view,
        chosen if chosen in shown.fixed_cells else None,
        before if same else None,
        known_before="for certain before",
    )

    def picked(place: Sequence[int]) -> None:
        here = view.cells(*place)
        if len(here) == 1 and here[0] in shown.fixed_cells:
            st.session_state[WHY] = here[0]

    picture.show(
        drawn,
        "together-map",
        f"{story.step_told(steps, number)} {len(shown.fixed_cells)} of {len(shown.cells)} cells are certain.",
        on_pick=picked,
    )
    st.caption(story.step_told(steps, number))

# ---------------------------------------------------------------- why

certain = list(dict.fromkeys([*shown.newly, *fresh, *shown.fixed_cells]))
if certain:
    grid = shown.grid
    with controls:
        cell = st.selectbox(
            "Why is this certain?",
            certain,
            index=None,
            format_func=lambda at: (
                f"{'one person' if shown.fixed_cells[at] == 1 else shown.fixed_cells[at]} in {words.cell(grid, at)}"
            ),
            placeholder="Choose a cell, or click it",
            key=WHY,
        )
        if cell is not None:
            ASKED = (about, number, cell)
            found = reasons(ASKED, lambda seconds, cancelled: shown.explain(cell, seconds, cancelled))
            if found is not None:
                for reason in found[:1]:
                    st.markdown(
                        "\n".join(f"- {words.plain(named(text, *releases))}" for text in reason.texts)
                        or "No reason was found."
                    )
                    if reason.found and not reason.minimal:
                        st.caption("Some of these may not be needed: the time did not suffice to try each.")
folded(
    {
        "What each release says alone": lambda: st.dataframe(
            story.table(steps, labels),
            hide_index=True,
            alt="What each release says alone, and all of them together",
        )
    },
    "together-folded",
)

# ---------------------------------------------------------------- the last one mended

already = len(steps[-2].isolated) if len(steps) > 1 else 0
if already and not grown and not linked:
    st.caption(story.beyond_repair(already))
elif len(releases) > 1 and not grown and not linked:
    with st.expander("Repair the last one, so that all together tell less", icon=":material/healing:"):
        st.markdown(story.MEND)
        with st.container(horizontal=True, vertical_alignment="bottom"):
            most = st.slider(
                "Chance of exactly one in a cell, at most (100 %: any)", 10, 100, 100, 5, format="%d %%",
                key="together-likeliest", persist_state="session", width=360,
            )  # fmt: skip
            MENDED = (KEY, most)
            st.button(
                f"Repair {labels[-1]}",
                icon=":material/healing:",
                on_click=together.start_repair,
                args=(MENDED, releases, None if most == 100 else most / 100),
                key="together-repair",
            )
        mending = together.REPAIRS.job(MENDED)
        if mending is not None and together.REPAIRS.ended(mending, MENDED) and mending.result is not None:
            done = mending.result
            (st.success if done.met else st.warning)(story.mended(done))
            if done.met:
                st.caption(done.limits)
                if may_be_downloaded():
                    download("Download the repaired release", done.release.to_csv_text(), "repaired.csv")
for note in story.notes(last):
    st.caption(note)
st.caption(story.suppositions(last))
