"""Together: several releases of the same people, which say more together than each alone."""

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from cra_dashboard.charts.tight import certain_figure, spans_of
from cra_dashboard.lessons import asking, progress
from cra_dashboard.lessons.pages import together as predict
from cra_dashboard.panels import evidence
from cra_dashboard.panels.bounds import ask_k
from cra_dashboard.panels.download import download_table, may_be_downloaded
from cra_dashboard.panels.frame import require_app, require_dataset
from cra_dashboard.panels.stage import say, stage
from cra_dashboard.panels.tight_view import ask_why, certain_picture, reasons
from cra_dashboard.session import fields, keys, messages, state
from cra_dashboard.session.runs import soon_over
from cra_dashboard.session.uploads import File, uploader
from cra_dashboard.session.view_choice import choose_view
from cra_dashboard.texts import glossary, words
from cra_dashboard.together import state as together
from cra_dashboard.together import story
from cra_engine import Composition, Release
from cra_engine.audits.notes import in_doubt

PLACE = "together"  # of the messages
INTRO = (
    "A table is published for one partner with one k, for another with a second one, or again after a year. Whoever "
    "has both releases can know more than either says."
)


@dataclass(frozen=True, eq=False)
class Chosen:
    """The releases that are put together.

    Attributes:
        releases: in their order.
        labels: what they are called.
        key: what a run depends on.
        grown: whether the table has grown between them.
        linked: whether their rows stand in the same order.
        guessed: of releases without a study what is guessed, in a sentence each.
        columns: of the uploaded tables.
    """

    releases: tuple[Release, ...]
    labels: tuple[str, ...]
    key: tuple[object, ...]
    grown: bool
    linked: bool
    guessed: tuple[str, ...]
    columns: tuple[str, ...]


def page() -> None:
    """Shows the page from top to bottom."""
    if together.given():
        require_app()
    else:
        require_dataset()
    st.title("Several releases: what do they say together?", help=glossary.of_page("together"))
    sentence = st.container(key="together-sentence")
    figure, controls = stage(5, 3)
    with controls:
        grown, linked = choose_uploaded()
        named = name_columns()
        versions = choose_versions()
        put = st.container()
        asking.switch()
    chosen = put_together(versions, named, grown=grown, linked=linked)
    if not chosen.releases:
        say(sentence, INTRO)
        controls.info("Choose a release, better two.", icon=":material/info:")
        return
    with controls:
        steps = attack(chosen)
    if steps is None:
        say(sentence, INTRO)
        evidence.side_by_side(figure, chosen.releases, chosen.labels, "together-alone")
        return
    about, last = hash(chosen.key), steps[-1]
    asked = {"together": lambda: predict.together(last)}
    if asking.waits(asked, about, ["together"]):
        evidence.side_by_side(figure, chosen.releases, chosen.labels, "together-alone")
        return
    with put:
        number = choose_number(chosen, len(steps))
        st.table(
            story.table(steps, list(chosen.labels)),
            border="horizontal",
            hide_index=True,
            alt="What each release says alone, and what all of them say together",
        )
    say(sentence, story.headline(steps[:number]), INTRO)
    for less in steps[number - 1].differences:
        sentence.warning(words.plain(str(less)), icon=":material/person_alert:")
    if chosen.guessed:
        told = "\n\n".join(map(words.plain, chosen.guessed))
        sentence.caption("In part guessed from the labels: with the study files nothing is.", help=told)
    shown = steps[number - 1]
    why = f"together-why-{about}-{number}"
    counts = {cell: shown.fixed_cells[cell] for cell in [*shown.newly, *shown.fixed_cells]}
    with controls:
        view = choose_view(shown.grid, "together")
        cell = ask_why(shown.grid, counts, why)
        if cell is not None:
            reasons(shown, (about, number), cell, *chosen.releases)
    drawn = certain_figure(shown.grid, spans_of(shown), view, shown.releases[-1], cell, shown.newly)
    told = story.step_told(steps, number, view, drawn)
    with figure:
        alt = f"{told} {len(shown.fixed_cells)} of {len(shown.cells)} cells are certain."
        certain_picture(drawn, view, counts, why, "together-map", alt)
        st.caption(told)
    if len(steps) > 1 and not grown and not linked:
        mend(chosen, already=len(steps[-2].isolated))
    st.caption(story.suppositions(last, chosen.columns), help="\n\n".join([story.left(last), *story.notes(last)]))


# ---------------------------------------------------------------- which releases


def choose_versions() -> list[together.Version]:
    """Asks which releases of the session's table are put together."""
    data, study = state.dataset(), state.study()
    if data is None or study is None:
        if not together.given():
            st.caption("Choose hierarchies on the page Hierarchies, or upload two releases or more.")
            st.page_link("pages/hierarchies.py", label="Go to Hierarchies")
        return []
    offered = together.versions(study, len(data.frame))
    if keys.together() not in st.session_state:
        st.session_state[keys.together()] = together.usual_versions(study, offered)
    # Where only what people brought is looked at, what else could be is folded away.
    aside = together.given() and st.session_state[keys.together()] == []
    with st.expander("More releases") if aside else st.container(key="together-releases"):
        pairs = fields.pills(
            f"Releases of {words.plain(data.name)}",
            [(version.k, version.coarser) for version in offered],
            selection_mode="multi",
            format_func=lambda pair: together.Version(*pair).label(study),
            key=keys.together(),
            disabled=progress.waits_for_answer(),
        )
    return [together.Version(*pair) for pair in sorted(pairs, key=lambda pair: (pair[1] is not None, pair))]


def choose_uploaded() -> tuple[bool, bool]:
    """Takes releases that were published before: whether the table has grown, and whether the rows keep their order."""
    uploaded, data = together.given(), state.dataset()
    label = "Uploaded releases" + (f" ({len(uploaded)})" if uploaded else "")
    bring = st.session_state.get(keys.BRING_RELEASES, False) and len(uploaded) < 2
    around = st.container(key="together-bring" if bring else "together-brought")
    with around.expander(label, icon=":material/upload_file:", expanded=bring):
        uploader(
            "together-files",
            "ZIP of each release, or tables (CSV) with their studies (TOML)",
            take,
            several=True,
            help_text="The ZIP that Recode or Check hands out. A single study belongs to the table of the same name, "
            "else to all of them. Without one the labels tell the hierarchies.",
        )
        if received := together.received():
            st.caption("\n".join(f"- {words.plain(one)}" for one in received))
        if data is not None and len(uploaded) < 2:
            st.caption(story.second_made(data.name if bring and not uploaded else ""))
            st.page_link("pages/check.py", label="Make a second release, on Check", icon=":material/verified:")
        messages.show_told(PLACE)
        own = None if data is None or state.study() is None else st.session_state.get(keys.together())
        if data is not None and uploaded and own == []:
            more = " Give one more release of the same people." if len(uploaded) == 1 else ""
            st.caption(f"{words.plain(data.name)} is left out.{more}")
        for place, one in enumerate(uploaded):
            stated = one.k or together.said_k(one)
            k = ask_k(f"k of {words.plain(one.name)}", stated, f"together-k-{place}-{hash((one.name, one.study))}")
            if k != stated:
                together.state_k(place, k)
                st.rerun()
        if not uploaded:
            return False, False
        grown = fields.toggle("The table has grown, or rows were left out", key=together.GROWN)
        linked = fields.toggle("Their rows stand in the same order", key="together-linked", help=story.IN_ORDER)
        fields.act("Forget them", forget, icon="delete")
        return grown, linked


def take(files: list[File]) -> None:
    with messages.telling(PLACE):
        messages.tell(PLACE, "success", *together.take_uploaded(files))
        together.give_way()


def forget() -> None:
    together.forget_uploaded()
    messages.forget(PLACE)


def name_columns() -> tuple[str, ...]:
    """Asks for the quasi-identifiers of releases without a study, where labels leave some open; empty for none."""
    with messages.or_stop():
        sure, doubtful, offered = together.columns_to_name()
    if not doubtful:
        return ()
    named = []
    if offered:
        named = fields.multiselect(
            "Quasi-identifiers of the uploaded tables",
            [*sure, *offered],
            default=sure,
            format_func=words.plain,
            key=f"together-columns-{hash(tuple(one.content for one in together.given()))}",
            help="Columns that others may know of a person. The same value must mean the same in each table.",
        )
    if named and set(named) != set(sure):
        return tuple(named)
    what = "Name all above." if offered else "Give the study file of each."
    st.warning(f"{words.plain(in_doubt(doubtful, sure))} {what}", icon=":material/help:")
    return ()


def put_together(versions: Sequence[together.Version], named: tuple[str, ...], *, grown: bool, linked: bool) -> Chosen:
    """Publishes the versions and reads the uploaded releases, which come first unless they are of more people."""
    uploaded, data, study = together.given(), state.dataset(), state.study()
    with messages.or_stop():
        read = [together.read_uploaded(one, named) for one in uploaded]
        releases = [*(one.release for one in read), *map(together.published, versions)]
    labels = [words.plain(one.name) for one in uploaded]
    labels += [version.label(study) for version in versions] if study is not None else []
    releases, labels = together.by_people(releases, labels) if grown else (releases, labels)
    origin = None if data is None or study is None else state.results_key()
    files = tuple((one.name, one.k, one.study, hash(one.content)) for one in uploaded)
    key = (origin, tuple(versions), files, named, grown, linked)
    guessed = tuple(one.said for one in read if one.said)
    columns = dict.fromkeys(str(name) for one in read for name in one.release.table.columns)
    return Chosen(tuple(releases), tuple(labels), key, grown, linked, guessed, tuple(columns))


def attack(chosen: Chosen) -> tuple[Composition, ...] | None:
    """Returns what the first release says, the first two, and so on; None while that is worked out."""
    if not chosen.grown and (told := story.other_numbers(chosen.releases, chosen.labels)):
        st.warning(told, icon=":material/group_remove:")
        fields.act("Put them together so", together.suppose_part, icon="check")
        return None
    job = together.TOGETHER.job(chosen.key)
    if job is None:
        job = together.TOGETHER.start(
            chosen.key,
            lambda cancelled: together.compute(
                chosen.releases, grown=chosen.grown, linked=chosen.linked, cancelled=cancelled
            ),
            together.SECONDS,
            soon=all(soon_over(one.grid.attributes, one.records) for one in chosen.releases),
        )
    return job.result if together.TOGETHER.ended(job, chosen.key) else None


def choose_number(chosen: Chosen, most: int) -> int:
    """Asks how many of the releases are put together."""
    if most == 1:
        return 1
    return int(
        st.segmented_control(
            "Put together",
            range(1, most + 1),
            format_func=lambda at: f"1: {chosen.labels[0]}" if at == 1 else f"and {at}: {chosen.labels[at - 1]}",
            default=most,
            required=True,
            key=f"{keys.PUT_TOGETHER}{hash(chosen.key)}",
        )
    )


# ---------------------------------------------------------------- the last one mended


def mend(chosen: Chosen, already: int) -> None:
    """Offers to repair the last release so that all together tell less; not where the others tell too much already."""
    with st.expander("Repair the last one, so that all together tell less", icon=":material/healing:"):
        if already:
            st.markdown(story.beyond_repair(already))
            return
        st.markdown(story.MEND)
        with st.container(horizontal=True, vertical_alignment="bottom"):
            most = fields.slider(
                "Chance of exactly one in a cell, at most (100 %: any)", 10, 100, 100, 5, format="%d %%",
                key="together-likeliest",  width=360
            )  # fmt: skip
            key = (chosen.key, most)
            fields.act(
                f"Repair {chosen.labels[-1]}",
                together.start_repair,
                key,
                chosen.releases,
                None if most == 100 else most / 100,
                icon="healing",
                key="together-repair",
            )
        mending = together.REPAIRS.job(key)
        if mending is None or not together.REPAIRS.ended(mending, key) or mending.result is None:
            return
        done = mending.result
        (st.success if done.met else st.warning)(story.mended(done))
        if done.met:
            st.caption(done.limits)
            if may_be_downloaded():
                download_table("Download the repaired release", done.release.to_csv_text(), "repaired.csv")


page()
