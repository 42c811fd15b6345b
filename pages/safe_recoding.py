"""Safe recode: the knob from ARX-LR to a recoding whose choices give a bounded amount away, and what that costs."""

from collections.abc import Sequence
from functools import partial

import streamlit as st

from cra_dashboard.charts.published import Shown, published_figure
from cra_dashboard.lessons import asking, progress
from cra_dashboard.lessons.pages import safe_recoding as questions
from cra_dashboard.panels import evidence, tight_run
from cra_dashboard.panels.download import download_table, keep_order_switch, may_be_downloaded, readers_study
from cra_dashboard.panels.frame import or_mended, require_study
from cra_dashboard.panels.picture import mount as picture
from cra_dashboard.panels.stage import one_of, say, stage, tabbed
from cra_dashboard.panels.tables import bars, show_table
from cra_dashboard.safe import later, story
from cra_dashboard.safe import state as safe
from cra_dashboard.safe.chart import together_figure
from cra_dashboard.session import fields, keys, messages, state
from cra_dashboard.session.uploads import uploader
from cra_dashboard.session.view_choice import choose_view
from cra_dashboard.texts import glossary, words
from cra_engine import Recoding, Release, SafeRecoding
from cra_engine.defences.small_world import small_world
from cra_engine.options import SEED

INTRO = (
    "ARX-LR publishes whatever box holds at least k people. That can be **read backwards**. Safe recoding tosses a "
    "coin instead: move the slider, and see what the choices still tell, and what that costs."
)


def page() -> None:
    """Shows the page from top to bottom."""
    st.title("Safe recode: how much do the choices tell?", help=glossary.of_page("safe_recoding"))
    require_study()
    sentence = st.container(key="safe-sentence")
    figure, beside = stage()
    later_one = safe.is_later()
    with beside:
        choices = safe.EPSILONS if later_one else safe.KNOB
        knob = fields.select_slider("Epsilon", choices, key=fields.begun(keys.EPSILON, "1"), help=story.EPSILON)
        if safe.may_have_seed() and not safe.of_lesson():
            seed = fields.begun(keys.SAFE_SEED, SEED)
            fields.number_input("Seed", 0, value=None, key=seed, placeholder="none", help=story.OF_SEED)
        published_before(later_one=later_one)
        asking.switch()
    with or_mended("Publishing…"):
        made = safe.made(knob)
    same = knob == safe.ARX and made.study == state.study()  # so that All together has the same release
    run = tight_run.found(made.release) if same else None
    listed = made.release
    shown = safe.shown(listed, run and run.tight, "safe-shown")
    asked = {
        "safe_gain": lambda: questions.safe_gain(shown.gains, knob),
        "safe_two": lambda: questions.safe_two(made.study.k),
    }
    if asking.waits(asked, (state.results_key(), knob, safe.seed()), ["safe_gain"]):
        show_what_can_be_read((figure, beside), made, later.compared(knob) if progress.waits_for_answer() else ())
        st.stop()
    part = f"safe-part-{hash((state.results_key(), made.study, safe.seed()))}"
    with beside:
        look = what_is_shown() if later_one else keys.TOLD
        view = choose_view(made.grid, "safe")
    if look == keys.TOLD:
        said = story.headline(made.study, shown.gains)
        for line, told in story.figures(knob, made.suppressed, shown.gains).items():
            beside.markdown(line, help=told)
        largest = 1.0 if knob == safe.ARX else float(made.study.epsilon_of_all or 1)
        drawn, caption = published_figure(shown, view, st.session_state.get(part), largest), story.CAPTION
        caption += f" {story.drawn(safe.seed())}" if knob != safe.ARX else ""
    else:
        found = later.together(knob) if look == keys.BOTH else later.drawn_anew(knob)
        if look == keys.ANEW:
            listed, part = later.anew(knob), f"{part}-anew"
            shown = safe.shown(listed, None, "safe-anew-shown")
        said = story.together(found, inside=look == keys.BOTH)
        beside.markdown(story.suppressed_told(listed.suppressed))
        drawn = together_figure(found, view, shown.numbers, st.session_state.get(part))
        caption = story.TOLD_OF[look]
    if look != keys.ANEW:
        said = f"{said} {story.spent(made.study)}".strip()
    say(sentence, said, INTRO)
    with figure.container(key="safe-picture"):
        picture.show(drawn, "safe-grid", f"Grid of the published boxes. {said}")
        st.caption(caption)
        if same and run is None and None in shown.gains:
            st.page_link("pages/all_classes.py", label="Where ? stands All together may exclude places")
    tabbed(
        {
            "Each class": partial(each_class, listed.suppressed, shown, part),
            "What each way tells": partial(each_way, knob),
            **({"What was spent": partial(ledger, made)} if later_one and look != keys.ANEW else {}),
            "What is promised": lambda: st.markdown(f"{story.PROMISED}\n\n{story.NOT_PROMISED}"),
            "How": partial(st.markdown, story.HOW),
            # Whoever knows the program knows a lesson's coins.
            **({} if safe.of_lesson() else {"Hand it out": partial(hand_out, made, knob)}),
        },
        "safe-tab",
    )


def show_what_can_be_read(places: evidence.Places, made: Recoding | SafeRecoding, compared: Sequence[Release]) -> None:
    """Shows the boxes of the release while a question waits; of both, side by side, where a lesson compares two."""
    if not compared:
        evidence.of_release(places, made.release, "safe")
        return
    evidence.side_by_side(places[0], compared, ["The first release", "The second release"], "safe")


def published_before(*, later_one: bool) -> None:
    """Takes the release that is out already, inside which the next one is drawn."""
    name, _ = keys.EARLIER.of(state.results_key()[0]) or ("as the study says", None)
    label = "Already published" + (f": {words.plain(name)}" if later_one else "")
    with st.popover(label, icon=":material/upload_file:", width="stretch"):
        st.markdown(story.UPLOAD)
        hint = "The released table (CSV) and the study of its readers (TOML)"
        uploader("safe-earlier-files", hint, later.take_earlier, several=True)
        if later_one:
            fields.act("Forget it", later.forget_earlier, icon="delete", key="safe-forget")
    messages.show_told(later.PLACE)


def what_is_shown() -> str:
    """Asks what the picture of a later release shows."""
    with st.container(key="safe-second"):
        look = one_of("Picture", (keys.BOTH, keys.TOLD, keys.ANEW), keys.SAFE_SHOWN)
    if look == keys.ANEW:
        fields.act("Toss again", later.toss, icon="casino", key="safe-toss")
    return look


def each_class(suppressed: int, shown: Shown, key: str) -> None:
    """Shows how far each class of the release that is drawn moves a reader's odds; one stands out in the picture."""
    table = story.classes_table(shown, suppressed)
    names = [f"{number}: {box} ({people})".removeprefix(": ") for number, people, _, box in table.to_numpy()]
    hint = "Show a box in the picture"
    st.selectbox("Class", range(len(names)), format_func=names.__getitem__, key=key, index=None, placeholder=hint)
    show_table(table, "How far each class moves a reader's odds")


def each_way(knob: str) -> None:
    """Shows how far each way to publish moves a reader's odds, in a world so small that every table is tried."""
    with st.spinner("Trying every table…"):
        measured = state.in_turn(small_world)
    st.markdown(story.SMALL_WORLD)
    told = " ".join(f"{way.label}: {way.told}" for way in measured)
    table = story.ways_table(measured, knob)
    drawn = bars(story.GAIN, shape="%.3g", most=float(table[story.GAIN].max())) | bars(story.EXCLUDED)
    show_table(table, f"How far odds grow, per way to publish. {told}", columns=drawn)


def ledger(made: Recoding | SafeRecoding) -> None:
    """Shows what the releases of the same people have spent, this one the last."""
    show_table(story.ledger_table(made.study, made.release.regions), "What the releases of the same people have spent")
    st.caption(story.LEDGER)


def hand_out(made: Recoding | SafeRecoding, knob: str) -> None:
    """Hands out the release and its study, or puts it into use on the other pages."""
    if knob == safe.ARX:
        messages.info("ARX-LR promises nothing here; its release is on the page Recode.")
        return
    if safe.seed() is not None:
        messages.info(story.KNOWN)
        return
    st.markdown(story.ONCE)
    keep_order_switch()
    if may_be_downloaded():
        with messages.or_stop():
            text = state.release_csv(made)
        with st.container(horizontal=True):
            download_table("Download the release", text, "safe-release.csv")
            readers_study(made, "Download the study for its readers", "safe-study.toml")
    hint = "Attack and Check then work on this one."
    fields.act("Attack this release on the other pages", safe.use, knob, icon="search", key="safe-use", help=hint)
    st.markdown(story.AGAIN)
    fields.act("Publish again inside this one", later.publish_again, knob, icon="library_add", key="safe-again")


page()
