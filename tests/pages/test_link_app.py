"""Links in the running app: what a link opens, what the address tells afterwards, and what it never tells."""

import re
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest
from support import home
from visitor import ROOT, Session

from cra_dashboard.session import state
from cra_engine import Attribute, Study
from cra_engine.study.file_hierarchy import read_hierarchy
from cra_engine.study.hierarchy_files import hierarchy_text

TOY = Path(ROOT / "sample_data" / "toy.csv").read_bytes()


def opened(page, **parameters):
    """A new session that follows a link."""
    session = Session.__new__(Session)
    session.at = AppTest.from_file(ROOT / "app.py", default_timeout=300)
    for name, value in parameters.items():
        session.at.query_params[name] = value
    session.at.run()
    if page:
        session.at.switch_page(f"pages/{page}.py").run()
    assert not session.at.exception, session.at.exception
    return session


def address(session):
    """The address's parameters; app.py writes them, which AppTest runs on the first page alone."""
    home(session.at)
    session.run()
    return {name: [value] if isinstance(value, str) else value for name, value in session.at.query_params.items()}


def test_a_link_opens_the_study_the_step_and_the_class():
    session = opened("recode", kind="clinic", records="60", seed="4", correlation="0.5", k="4", step="2", ties="paper")
    assert session.dataset.recipe == state.Recipe("clinic", 60, 4, 0.5)
    assert session.study.k == 4
    assert session.at.session_state["cra_ties"] == "paper"
    assert session.at.subheader[0].value.startswith("Step 2 of")
    session.open("pages/attack.py")
    one = opened(
        "attack", kind="clinic", records="60", seed="4", correlation="0.5", k="4", ties="paper", **{"class": "1"}
    )
    (box,) = [box for box in one.at.selectbox if box.label == "Class"]
    assert box.proto.options[box.index].startswith("Class 1:")
    assert one.dataset.digest == session.dataset.digest


def test_the_number_in_a_link_is_the_number_on_the_screen():
    """For every class of a table in which the attacker's order is another one than that of formation."""
    first = opened("attack", example="toy")
    (box,) = [box for box in first.at.selectbox if box.label == "Class"]
    numbers = [int(re.match(r"Class (\d+):", title)[1]) for title in box.proto.options if title.startswith("Class")]
    assert len(numbers) > 7
    for number in numbers:
        one = opened("attack", example="toy", **{"class": str(number)})
        (box,) = [box for box in one.at.selectbox if box.label == "Class"]
        assert box.proto.options[box.index].startswith(f"Class {number}:")
        assert address(one)["class"] == [str(number)]


def test_attributes_and_layers_come_along():
    session = opened("hierarchies", example="toy", attribute=["weight,40,120,2,2,1,kg", "age,20,100,5,2,1,years"])
    assert session.study.attributes == (
        Attribute("weight", 40, 120, 2, unit="kg"),
        Attribute("age", 20, 100, 5, unit="years"),
    )


def test_the_address_follows_what_the_person_does_and_opens_the_same_again():
    session = Session()
    session.press("start-at-once")
    assert address(session) == {"example": ["toy"]}
    session.at.switch_page("pages/hierarchies.py").run()
    session.fill("number_input", "hierarchy-k", 4)
    session.fill("number_input", "hierarchy-layers-age", 4)
    session.open("pages/recode.py")
    session.at.select_slider[0].set_value(2).run()
    heading = session.at.subheader[0].value
    made = address(session)
    assert made == {
        "example": ["toy"],
        "attribute": ["age,20,100,4,2,1,years", "weight,40,120,3,2,1,kg"],
        "k": ["4"],
        "step": ["2"],
    }
    again = opened("recode", **made)
    assert again.study == session.study
    assert again.dataset.digest == session.dataset.digest
    assert again.at.subheader[0].value == heading


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"example": "toy", "k": "x"}, "K is 'x' in the link"),
        ({"example": "nobody"}, "Example is 'nobody' in the link"),
        ({"example": "toy", "attribute": "height,0,8,2"}, "The table has no column 'height'"),
        ({"example": "toy", "attribute": ["age,20,100,3", "age,20,100,3"]}, "appears twice"),
        ({"example": "hospitals", "view": "7,0,1,1"}, "has no view"),
        ({"example": "toy", "profile": "0.0"}, "Profile"),
    ],
)
def test_what_makes_no_sense_is_said_in_a_sentence(parameters, sentence):
    at = AppTest.from_string(
        "import streamlit as st\nfrom cra_dashboard.panels import frame\nfrom cra_dashboard.session import link\n"
        "link.follow('recode'); link.show('recode'); frame.study_bar('recode')",
        default_timeout=300,
    )
    for name, value in parameters.items():
        at.query_params[name] = value
    at.run()
    assert not at.exception
    assert sentence in at.warning[0].value.replace("\\", "")
    # Said once; what was right of the link is in use.
    at.run()
    assert not at.warning
    if parameters["example"] == "toy":
        assert at.session_state["cra_study"].k == 3


# --- Nothing of an uploaded table ------------------------------------------------------------------------------------


def upload(session, content):
    session.open("pages/data.py")
    session.at.radio(key="data-from").set_value("Upload a table").run()
    session.upload("patients.csv", content)
    session.run()


def test_an_uploaded_table_leaves_nothing_in_the_address():
    session = opened("recode", example="toy", k="4", step="1", size="large", **{"class": "0"})
    assert address(session)
    upload(session, TOY.replace(b"age", b"secret"))
    assert session.dataset.origin == "uploaded"
    assert address(session) == {}
    for page in ("hierarchies", "recode", "attack", "single_out"):
        session.open(f"pages/{page}.py")
        if page == "recode":
            session.at.select_slider[0].set_value(2).run()
        assert address(session) == {}
    at = AppTest.from_string("from cra_dashboard.panels import frame; frame.study_bar('recode')")
    at.session_state["cra_dataset"], at.session_state["cra_study"] = session.dataset, session.study
    at.run()
    assert not at.code
    assert "Nothing of a table" in at.markdown[1].value


def test_an_uploaded_hierarchy_leaves_nothing_in_the_address():
    session = opened("recode", example="toy")
    mine = read_hierarchy(hierarchy_text(Attribute("age", 20, 100, 3)).encode(), "age", "", "age.csv")
    session.at.session_state["cra_study"] = Study([mine, session.study.attributes[1]], 3)
    session.run()
    assert address(session) == {}


def test_forgetting_the_data_takes_them_out_of_the_address():
    session = opened("data", example="toy", k="4")
    session.press("data-forget")
    session.run()
    assert session.dataset is None
    assert address(session) == {}


def test_a_table_of_the_same_name_as_a_built_in_one_is_still_uploaded():
    session = Session()
    upload(session, TOY)
    session.run()
    assert session.dataset.recipe is None
    assert address(session) == {}


def test_privacy_models_of_an_example_come_along_and_others_have_no_link():
    session = opened("who_has_what", example="ward")
    study = Study.from_toml(ROOT / "sample_data" / "ward.toml")
    assert session.study == study
    assert address(session)["example"] == ["ward"]
    other = opened("recode", example="ward")
    other.at.session_state[state._STUDY] = study.changed(privacy=())
    assert "example" not in address(other)


@pytest.mark.parametrize("said", [{"recoding": "repaired"}, {"more_suppressed": True, "recoding": "local"}], ids=str)
def test_what_a_study_says_of_its_release_comes_along(said):
    """Somebody opened the study of an archive: whoever follows the link judges a release by the same study."""
    session = opened("audit", example="toy")
    session.at.session_state[state._STUDY] = session.study.changed(**said)
    session.run()
    parameters = {name: value if name == "attribute" else value[-1] for name, value in address(session).items()}
    assert opened("audit", **parameters).study == session.study


def test_a_link_says_that_roles_of_columns_stay_behind():
    """A column's name may tell something, so that no address has it."""
    session = opened("recode", example="ward")
    copied = AppTest.from_string(
        "from cra_dashboard.session import link; import streamlit as st; st.text(link.carried())"
    )
    for study, left_out in (
        (session.study, False),
        (session.study.with_roles(session.study.roles.given("illness", "undecided")), True),
    ):
        copied.session_state["cra_dataset"], copied.session_state["cra_study"] = session.dataset, study
        assert ("not the roles" in copied.run().text[0].value) == left_out
