"""The playground's page without a browser: what it hands to its script, the session's own table, the address."""

import json

import pandas as pd
import pytest
from support import home, open_page, shown, two

from cra_dashboard.playground import play
from cra_dashboard.session import link, state
from cra_engine import Study


def handed(app):
    """What the page gave to its script."""
    (component,) = app.get("bidi_component")
    return json.loads(component.proto.json)


def test_start_offers_the_check_and_the_story_first_and_one_press_opens_the_playground(session):
    offered = ["start-upload", "start-together", "start-story", "start-playground"]
    assert [button.key for button in session.at.button[:4]] == offered
    assert [button.proto.type for button in session.at.button[:4]] == ["primary", "tertiary", "primary", "secondary"]
    session.press("start-playground")
    assert handed(session.at)["adopt"]["scene"] == "toy-k3"


def test_it_opens_complete_with_the_story():
    app = open_page("playground")
    data = handed(app)
    assert set(data["tables"]) == {"toy", "many", "six", "nine"}
    assert [len(table["people"]) for table in data["tables"].values()] == [36, 24, 6, 9]
    assert not app.exception


def test_its_files_are_served_from_the_package():
    (component,) = open_page("playground").get("bidi_component")
    assert component.proto.js_source_path.endswith("index.js")
    assert component.proto.css_source_path.endswith("style.css")
    assert not component.proto.js_content


def test_a_link_opens_the_scene_and_what_is_open():
    app = open_page("playground", **{link.SCENE: "six-k2-m0.1~c-six"})
    data = handed(app)
    assert data["adopt"] | {"stamp": 0} == {"scene": "six-k2-m0.1", "panel": "c-six", "stamp": 0}


@pytest.mark.parametrize("scene", ["gone-k3", "toy-k3-m99.1", "toy-k1", "~~~", "own0.1-k3"])
def test_a_scene_that_makes_no_sense_opens_the_example(scene):
    app = open_page("playground", **{link.SCENE: scene})
    assert not app.exception
    assert handed(app)["adopt"]["scene"] in ("toy-k3", scene)


@pytest.mark.parametrize(
    "asked",
    [
        {"id": 1, "scene": "toy-k2", "panel": "<script>" * 1000},
        {"id": 1, "scene": "toy-k2", "panel": ["x"] * 1000},
        {"id": 1, "scene": "toy-k2", "panel": "\ud800"},
        {"id": 1, "scene": "toy-k2~more"},
        {"id": 1, "scene": "toy-k2", "more than told": 1},
        {"id": 1, "scene": "gone-k2"},
        {"id": 1, "scene": "toy-k2", "solved": ["<b>"]},
        {"id": 1, "scene": "toy-k2-" + "a1-" * 5_000},
        {"scene": "toy-k2"},
        "toy-k2",
        [[[[]]]],
    ],
)
def test_what_makes_no_sense_does_not_get_into_the_address(monkeypatch, asked):
    monkeypatch.setattr(play, "script_told", lambda: asked)
    app = open_page("playground", **{link.SCENE: "toy-k3"})
    assert not app.exception
    assert app.session_state[link.SCENE] == "toy-k3"
    assert not app.query_params
    monkeypatch.setattr(play, "script_told", lambda: {"id": 1, "scene": "toy-k2", "panel": "table"})
    app.run()
    assert app.query_params["scene"] == "toy-k2~table"


FRAME = pd.DataFrame(
    {"a": [0, 1, 2, 3, 4, 5, 6, 7, 0, 1], "b": [0, 0, 3, 3, 5, 6, 7, 1, 2, 7], "name": list("abcdefghij")}
)


def test_the_sessions_own_table_can_be_played_with():
    app = open_page("playground", FRAME, two())
    assert "own0.1" not in handed(app)["tables"]
    app.radio(key="playground-which").set_value(1).run()
    data = handed(app)
    assert data["adopt"]["scene"] == "own0.1-k3"
    people = data["tables"]["own0.1"]["people"]
    assert [person["name"] for person in people] == [f"Row {number}" for number in range(1, 11)]
    assert [person["cell"] for person in people] == (FRAME["a"] // 2 * 4 + FRAME["b"] // 2).tolist()
    # The other way round: the attributes swap.
    app.selectbox(key="playground-across").set_value(1).run()
    assert handed(app)["adopt"]["scene"] == "own1.0-k3"
    assert [a["name"] for a in handed(app)["tables"]["own1.0"]["attributes"]] == ["b", "a"]
    app.radio(key="playground-which").set_value(0).run()
    assert handed(app)["adopt"]["scene"] == "toy-k3"
    assert not [name for name in handed(app)["tables"] if name.startswith("own")]


@pytest.mark.parametrize(
    ("frame", "study", "said"),
    [
        (FRAME, Study([*two(layers=4, upper=16).attributes[:1], *two(layers=5, upper=16).attributes[1:]], 3), "8 x 16"),
        (pd.concat([FRAME] * 151), two(), "1,510 records"),
        (FRAME.assign(a=99), two(), "outside the domain"),
    ],
)
def test_what_would_not_stay_live_says_so_and_links_on(frame, study, said):
    app = open_page("playground", frame, study, **{link.SCENE: "own0.1-k3"})
    assert said in shown(app)
    assert [page.proto.page for page in app.get("page_link")][:2]
    assert handed(app)["adopt"]["scene"] == "toy-k3"
    assert not app.exception


def test_without_a_table_it_says_where_to_get_one():
    assert "Open an example or your own table first" in shown(open_page("playground"))


def address(app):
    """The address's parameters; app.py writes them, which AppTest runs on the first page alone."""
    home(app).run()
    return dict(app.query_params)


def test_nothing_of_an_uploaded_table_stands_in_the_address():
    app = open_page("playground", None, two(), **{link.SCENE: "own0.1-k3-m0.5~w3"})
    app.session_state[state._DATASET] = state.make_dataset("canary.csv", "Uploaded.", "uploaded", FRAME)
    app.switch_page("pages/playground.py").run()
    assert handed(app)["adopt"]["scene"] == "own0.1-k3-m0.5"
    assert address(app) == {}


def test_a_scene_in_the_address_is_read_and_nonsense_is_named():
    assert link.parse({"scene": ["toy-k3-m1.4~w3"]})[0].scene == "toy-k3-m1.4~w3"
    assert "a scene of the playground" in link.parse({"scene": ["<script>"]})[1][0]
