"""Before there is a table, a page about tables opens an example by itself, and says so."""

import pytest
from support import let_run, open_page, pictures, shown

from cra_dashboard.panels.frame import OPENED_ITSELF
from cra_dashboard.session import state

TOY = (
    "attack",
    "all_classes",
    "single_out",
    "recode",
    "hierarchies",
    "compare",
    "safe_recoding",
    "global_recoding",
    "audit",
    "together",
)


@pytest.mark.parametrize(
    ("page", "name"),
    [*((page, "Toy") for page in TOY), ("who_has_what", "Ward")],
)
def test_a_page_opens_an_example_and_says_so(page, name):
    app = let_run(open_page(page))
    assert not app.exception
    data = app.session_state[state._DATASET]
    assert (data.name, data.note) == (name, OPENED_ITSELF)
    assert "Open Toy" not in [button.label for button in app.button]
    assert app.get("component") or app.get("bidi_component") or app.get("plotly_chart")


@pytest.mark.parametrize("page", ["check", "data"])
def test_where_people_bring_a_table_of_their_own_none_is_put_in_its_place(page):
    app = open_page(page)
    assert not app.exception
    assert state._DATASET not in app.session_state
    assert OPENED_ITSELF not in shown(app)


def test_check_shows_what_it_looks_for_in_the_toy_before_there_is_a_table():
    app = open_page("check")
    assert "**2 people stand alone, for certain.**" in shown(app)
    (drawn,) = pictures(app)
    assert [tile[3] for tile in drawn["figure"]["tiles"]].count("1") == 2
    assert "Open Toy" in [button.label for button in app.button]


def test_a_table_that_opened_by_itself_is_an_examples_table():
    by_itself = open_page("attack").session_state[state._DATASET]
    start = open_page("start")
    asked_for = next(one for one in start.button if one.label == "Open Toy").click().run().session_state[state._DATASET]
    assert by_itself.digest == asked_for.digest
    assert by_itself.recipe == asked_for.recipe
