"""A later release on the page Safe recode: drawn inside the one that is out, and what both say together."""

import re

import numpy as np
import pandas as pd
import pytest
from support import go_to, look, open_page, pictures, shown, two

from cra_dashboard.panels import download as panel
from cra_dashboard.safe.later import _counted
from cra_dashboard.safe.story import together as told
from cra_dashboard.session import keys
from cra_engine import read_release, safe_recode
from cra_engine.attacks.composition.safe_together import compose_safe
from cra_engine.study.study import Study

RNG = np.random.default_rng(4)
FRAME = pd.DataFrame({"a": RNG.integers(0, 8, 60), "b": RNG.integers(0, 8, 60)})
STUDY = two(k=3, layers=4)


@pytest.fixture
def handed_out(monkeypatch):
    """What stands behind the buttons for files, by their labels."""
    files, draw = {}, panel.download

    def download(label, data, *args, **kwargs):
        files[label] = data() if callable(data) else data
        draw(label, data, *args, **kwargs)

    monkeypatch.setattr(panel, "download", download)
    return files


def first(seed=1, **settings):
    return safe_recode(FRAME, STUDY, 1, seed=seed, **settings)


def files_of(made):
    return [
        ("one.csv", made.release.to_csv_text().encode(), "text/csv"),
        ("one.toml", made.study_for_readers(made.frame).to_toml_text().encode(), "text/plain"),
    ]


def uploaded(app, files):
    next(field for field in app.file_uploader if field.label.startswith("The released table")).set_value(files).run()
    assert not app.exception, app.exception
    return app


def press(app, label):
    next(button for button in app.button if button.label == label).click().run()
    assert not app.exception, app.exception
    return app


def tab(app, name):
    app.session_state["safe-tab"] = name
    app.run()
    assert not app.exception, app.exception
    return app


def numbers(app):
    """What stands in the picture's cells."""
    (picture,) = pictures(app)
    return [text for _, _, _, text, *_ in picture["figure"]["tiles"] if text.isdecimal()]


def test_an_uploaded_release_and_the_next_one_settle_nothing_below_k_and_the_ledger_adds_up(handed_out):
    earlier = first()
    app = uploaded(open_page("safe_recoding", FRAME, STUDY), files_of(earlier))
    assert "one.csv is out already" in "\n".join(one.value for one in app.success)
    assert "Both releases together settle no part of the grid at 1 or 2 people" in shown(app)
    assert "Spent: 1 + 1 = 2 in all, with this release." in shown(app)
    slider = next(one for one in app.get("select_slider") if one.label == "Epsilon")
    assert "ARX-LR" not in slider.options
    app.session_state[keys.EPSILON] = "0.5"
    app = tab(app, "Hand it out")
    assert "Spent: 1 + 0.5 = 1.5 in all" in shown(app)
    readers = Study.from_toml_text(handed_out["Download the study for its readers"], "two.toml")
    later = read_release(handed_out["Download the release"].encode(), readers)
    assert [one.epsilon for one in later.study.earlier] == [1]
    both = compose_safe([earlier.release, later])
    assert both.nested
    assert not both.settled
    # Nothing is settled below k, so no cell has a number; what is behind it, a region of the last release, is told.
    sizes = {later.regions.size(region) for region in later.regions.regions}
    assert numbers(app) == []
    pointed = [one for *_, one, _, _ in pictures(app)[0]["figure"]["tiles"]]
    assert {int(re.search(r"of (\d+) people any may be here", one)[1]) for one in pointed} == sizes
    table = tab(app, "What was spent").dataframe[-1].value
    assert table["Release"].tolist() == ["1", "2: this one", "all"]
    assert table["Epsilon"].tolist() == ["1", "0.5", "1.5"]
    # A third one inside it, whatever the first two are called, and then none any more.
    press(tab(app, "Hand it out"), "Publish again inside this one")
    assert "All 3 releases together settle no part" in shown(app)
    assert "Spent: 1 + 0.5 + 0.5 = 2 in all" in shown(app)
    assert "Spent" not in shown(press(app, "Forget it"))


def test_a_draw_that_knows_nothing_of_the_first_is_subtracted_and_never_handed_out(handed_out):
    app = tab(uploaded(open_page("safe_recoding", FRAME, STUDY), files_of(first())), "Hand it out")
    before = sorted(handed_out["Download the release"].splitlines())
    settled = []
    app = look(app, keys.ANEW, "Picture")
    for _ in range(20):
        assert not app.exception, app.exception
        text = shown(app)
        settled.append("Together they settle" in text)
        assert settled[-1] == ("below k = 3, though none of them does alone" in text)
        assert settled[-1] == bool({"1", "2"} & set(numbers(app)))
        assert settled[-1] != ("That is chance: toss again." in text)
        assert sorted(handed_out["Download the release"].splitlines()) == before
        press(app, "Toss again")
    assert any(settled)  # 26 of 40 draws beside this one settle something: none of 20 with a chance of 10^-9


def test_a_number_stands_only_in_a_cell_that_is_settled_and_at_boxes_how_many_are_in_each():
    app = uploaded(open_page("safe_recoding", FRAME, STUDY), files_of(first()))
    sizes, labelled = sorted(size for _, size in first().release.regions.classes), []
    for _ in range(20):
        figure = pictures(look(app, keys.ANEW, "Picture"))[0]["figure"]
        for _, _, _, text, pointed, *_ in figure["tiles"]:
            assert (text in {"1", "2"}) == ("for certain" in pointed)
            assert (text == "") == ("any may be here" in pointed)
        before = [one for one in figure["outlines"] if one["told"].startswith("a box published before: ")]
        assert sorted(int(one["told"].rpartition(", ")[2].split()[0]) for one in before) == sizes
        assert all(not one["label"] or one["told"].endswith(f", {one['label']}") for one in before)
        labelled.append(any(one["label"] for one in before))
        press(app, "Toss again")
    assert any(labelled)  # a draw in which boxes lie so that none has room for its number is rare


def test_the_legend_names_boxes_published_before_only_where_one_is_seen_dashed():
    app = uploaded(open_page("safe_recoding", FRAME, STUDY), files_of(first()))
    seen = []
    for _ in range(20):
        figure = pictures(look(app, keys.ANEW, "Picture"))[0]["figure"]
        last = {_border(one) for one in figure["outlines"] if one["name"] == "a published box"}
        dashed = [one for one in figure["outlines"] if one["dash"] == "dash"]
        hidden = [one for one in dashed if _border(one) in last]
        assert all(one["told"] for one in dashed)  # whoever hears the page hears of each
        assert not any(one["name"] for one in hidden)
        named = [mark["name"] for mark in figure["legend"] if mark["dash"] == "dash"]
        assert named == ["a box published before: its people"][: len(dashed) - len(hidden)]
        seen.append((bool(hidden), bool(named)))
        press(app, "Toss again")
    figure = pictures(look(app, keys.BOTH, "Picture"))[0]["figure"]
    last = {_border(one) for one in figure["outlines"] if one["name"] == "a published box"}
    dashed = {_border(one) for one in figure["outlines"] if one["dash"] == "dash"}
    assert any(mark["dash"] == "dash" for mark in figure["legend"]) == (not dashed <= last)
    assert all(map(any, zip(*seen, strict=True)))  # boxes that coincide, and some that do not


def _border(outline):
    return tuple(outline[end] for end in ("x0", "x1", "y0", "y1"))


def test_the_classes_that_are_listed_are_those_that_are_drawn_also_of_a_draw_beside_the_first():
    app = uploaded(open_page("safe_recoding", FRAME, STUDY), files_of(first()))
    lists = []
    for look_at in (keys.BOTH, keys.ANEW):
        app = look(app, look_at, "Picture")
        (picture,) = pictures(app)
        drawn = {one["told"] for one in picture["figure"]["outlines"] if one["name"] == "a published box"}
        table = app.dataframe[-1].value
        rows = table[table["Box"] != "suppressed"]
        lists.append({f"box {row['Class']}: {row['Box']}, {row['People']} people" for _, row in rows.iterrows()})
        assert drawn == lists[-1]
        assert table["People"].astype(int).sum() == len(FRAME)
    assert lists[0] != lists[1]  # or it would not be seen whose classes they are
    number = next(one for one in app.get("selectbox") if one.label == "Class").options[0].split(":")[0]
    next(one for one in app.get("selectbox") if one.label == "Class").select_index(0).run()
    (picture,) = pictures(app)
    (thick,) = [one for one in picture["figure"]["outlines"] if one["name"] == "a published box" and one["width"] > 2.5]
    assert thick["label"] == number


def test_what_is_settled_is_said_as_the_engine_says_it():
    one, other, inside = first(1), first(23), first(3, earlier=first(1).release)
    found = _counted((one.release.regions, other.release.regions))
    expected = compose_safe([one.release, other.release])
    assert found.settled == expected.settled
    assert f"settle {len(expected.settled)} parts of the grid" in told(found, inside=False)
    for cell in np.ndindex(8, 8):
        around = [some for some in expected.settled if cell in some.cells]
        assert found.few[cell] == (min(around, key=lambda some: len(some.cells)).people if around else 0)
    nested = _counted(inside.release.regions.chain)
    assert not nested.settled
    assert nested.held.min() >= 3
    sizes = {inside.release.regions.size(region) for region in inside.release.regions.regions}
    assert set(np.unique(nested.held).tolist()) <= sizes


@pytest.mark.parametrize(
    ("files", "said"),
    [
        (lambda: files_of(first())[:1], "Give one released table (CSV) together with the study of its readers"),
        (lambda: files_of(first())[1:], "Give one released table (CSV) together with the study of its readers"),
        (
            lambda: [("one.csv", b"a;b\n*;*\n", "text/csv"), ("one.toml", STUDY.to_toml_text().encode(), "text/plain")],
            "was not published by safe recoding, so nothing is promised",
        ),
        (lambda: [("one.csv", b"\xff\x00", "text/csv"), *files_of(first())[1:]], ""),
        (
            lambda: files_of(safe_recode(FRAME, two(k=3, layers=3), 1, seed=1)),
            "other hierarchies than this study",
        ),
        (lambda: files_of(safe_recode(FRAME, STUDY.with_k(2), 1, seed=1)), "more than the 2 of an earlier release"),
    ],
)
def test_what_cannot_come_before_is_refused_in_a_sentence_and_nothing_changes(files, said):
    app = open_page("safe_recoding", FRAME, STUDY)
    uploaded(app, files())
    assert said in "\n".join(one.value for one in app.error).replace("\\", "")
    assert len(app.error) == 1
    assert "Spent" not in shown(app)


def test_rows_that_do_not_fit_are_refused_before_a_coin_falls_and_the_release_can_be_forgotten():
    others = safe_recode(FRAME.iloc[:-1], STUDY, 1, seed=1)
    app = uploaded(open_page("safe_recoding", FRAME, STUDY), files_of(others))
    assert "The table holds 60 people and the earlier release 59" in "\n".join(one.value for one in app.error)
    assert re.search(r"grow at most [\d.]+ times here; epsilon 1 allows", shown(press(app, "Forget it")))


def test_how_many_are_in_no_box_stands_beside_each_picture():
    app = uploaded(open_page("safe_recoding", FRAME, STUDY), files_of(first()))
    for picture in (keys.TOLD, keys.BOTH, keys.ANEW):
        app = look(app, picture, "Picture")
        (listed,) = [one.value for one in app.dataframe if "Box" in one.value]
        rest = listed.set_index("Box")["People"].get("suppressed", 0)
        assert re.search(rf"\*\*Suppressed\*\*, in no box: {rest} (person|people)", shown(app))


def test_what_a_later_release_tells_is_held_against_what_all_of_them_spent():
    app = look(uploaded(open_page("safe_recoding", FRAME, STUDY), files_of(first())), keys.TOLD, "Picture")
    told = re.search(r"grow at most ([\d.]+) times here; epsilon 2 allows up to 7\.39 times\.", shown(app))  # 1 + 1
    assert 1 <= float(told[1]) <= 7.39


def test_the_other_pages_work_on_the_later_release():
    app = tab(uploaded(open_page("safe_recoding", FRAME, STUDY), files_of(first())), "Hand it out")
    press(app, "Attack this release on the other pages")
    for page in ("attack", "single_out", "recode", "hierarchies", "compare"):
        assert not go_to(app, page).exception, page
    app = go_to(app, "safe_recoding")
    assert "Spent: 1 + 1 = 2 in all" in shown(app)
    # The study alone tells of the earlier release, too.
    app.session_state[keys.EARLIER.name] = (None, None)
    assert "Spent: 1 + 1 = 2 in all" in shown(app.run())
    assert "Spent" not in shown(press(app, "Forget it"))
