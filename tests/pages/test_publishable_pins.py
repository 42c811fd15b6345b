"""Make it publishable, on the page Check: what has to stay."""

import re
from decimal import Decimal

import pytest
from publishing import (
    CHECK,
    archive,
    last_found,
    offered,
)
from visitor import DATA

from cra_dashboard.panels.stage import _TOP
from cra_dashboard.session import decisions, state
from cra_engine.publishable import Pin
from cra_engine.words import percent


def test_what_was_found_before_a_pin_stays_in_sight_until_the_next_search(page, above):
    page.press("publishable-start")
    assert page.at.button(key="publishable-start").proto.type == "secondary"
    page.fill("multiselect", "publishable-pins-0", ["age"])
    assert "publishable-take-0" in [button.key for button in page.at.button]
    assert not page.at.button(key="publishable-take-0").disabled
    above(lambda: decisions.use_pins([Pin("age", Decimal(1))]))
    # What was found stays to be read, says that it is of before, and cannot be taken.
    assert page.at.button(key="publishable-take-0").disabled
    assert "**Ready, before your change: keeps most detail**" in page.says("markdown")
    assert "before your last change of what has to stay" in page.says("caption")
    # What helps is the one button that stands out.
    blue = [one.key for one in page.at.button if one.proto.type == "primary" and not one.disabled]
    assert blue == ["publishable-start"]
    # No hierarchy has single years, so the search makes them; nobody is like anybody then.
    page.press("publishable-start")
    assert "passes" in page.says("error")  # why is told by how far it came in its time
    assert "publishable-take-0" not in [button.key for button in page.at.button]
    page.fill("selectbox", "publishable-width-age-1", Pin("age", Decimal(15)))
    page.press("publishable-start")
    assert "| **age**: groups of 15 years" in page.says("markdown")


def test_the_width_of_what_has_to_stay_is_one_of_its_hierarchy_or_what_came_from_elsewhere(page, above):
    page.fill("multiselect", "publishable-pins-0", ["age"])
    layers = page.study.attributes[0].layer_nodes[:-1]
    widths = [max(node.upper - node.lower for node in nodes) for nodes in layers]
    options = ["however wide", *(f"at most {width} years" for width in widths)]
    assert page.at.selectbox(key="publishable-width-age-0").options == options
    above(lambda: decisions.use_pins([Pin("age", Decimal(7))]))
    field = page.at.selectbox(key="publishable-width-age-1")
    assert field.options == ["however wide", "at most 7 years", *options[1:]]
    assert field.value == Pin("age", Decimal(7))


def test_a_column_that_has_to_stay_in_a_few_groups_is_said_until_a_width_is_given(session):
    """Of two ages a table can show but two groups, or one."""
    rows = "".join(f"{(21, 45)[row % 2]};{('flu', 'gout')[row // 2 % 2]}\n" for row in range(60))
    session.open(DATA).fill("radio", "data-from", "Upload a table").upload(
        "people.csv", f"age;illness\n{rows}".encode()
    )
    page = session.open(CHECK).press("publishable-start")
    assert "which say little" not in page.says("markdown")
    page.fill("multiselect", "publishable-pins-0", ["age"]).press("publishable-start")
    assert "age stays, in 2 groups, which say little." in page.says("markdown")
    kept = last_found(page).outcomes[0].pins_kept["age"]
    told = f"**Has to stay, and is kept:** age {percent(kept, 1)}, groups of "
    assert ("**Has to stay, and is kept:** age wholly." if kept == 1 else told) in page.says("markdown")
    # The next width of the hierarchy is one click away.
    (finer, *_) = [one for one in page.at.button if one.key.startswith("publishable-finer-age")]
    width = int(re.fullmatch(r"Keep age in groups of at most (\d+) years", finer.label)[1])
    shown = last_found(page).outcomes[0].study.attributes[0].layer_nodes[0][0]
    assert width == (shown.upper - shown.lower) / 2
    before = page.at.session_state.get(_TOP, 0)
    page.press(finer.key)
    assert page.at.session_state[_TOP] == before + 1  # the width stands there, and the button that searches again
    (field,) = [one for one in page.at.selectbox if one.key.startswith("publishable-width-age")]
    assert field.value == Pin("age", Decimal(width))
    assert "which say little" not in page.says("markdown")


def test_a_table_that_does_not_show_what_has_to_stay_now_is_held_back_until_somebody_keeps_it(page, above):
    page.press("publishable-start").press("publishable-take-0")
    first = archive(page).read("hand-out/release.csv")
    above(lambda: decisions.use_pins([Pin("age", Decimal(1))]))
    page.run()  # the step stands above what was decided here

    def assert_held_back():
        told = "**Found before your last change:** age in groups of at most 1 year has to stay now"
        assert told in page.says("warning")
        assert "Ready" not in page.says("success", "warning")
        assert not offered(page)
        assert "**Step 2 of 3: may it go out?**" in page.says("caption")
        blue = [one.key for one in page.at.button if one.proto.type == "primary" and not one.disabled]
        assert blue == ["publishable-start"]

    assert_held_back()
    page.press("publishable-start")
    above(state.undo)
    assert_held_back()
    page.press("publishable-keep")
    assert "**Ready.**" in page.says("success")
    assert offered(page)
    assert "**Step 3 of 3: hand it out**" in page.says("caption")
    assert archive(page).read("hand-out/release.csv") == first
    assert page.at.multiselect[0].value == []  # as it was when the table was found
    above(state.undo)
    page.run()  # the step stands above what was undone here
    assert_held_back()


@pytest.mark.parametrize("finest", [True, False])
def test_a_column_that_stays_in_more_groups_says_so_only_where_its_hierarchy_has_narrower_ones(session, finest):
    """Two groups of 8 years that are next to each other have two illnesses together, and in one case each has one."""
    ages = [20 + row % 60 for row in range(240)]
    illness = [("flu", "gout")[(row // 60 if finest else (age - 16) // 8) % 2] for row, age in enumerate(ages)]
    rows = "".join(f"{age};{ill}\n" for age, ill in zip(ages, illness, strict=True))
    session.open(DATA).fill("radio", "data-from", "Upload a table")
    session.upload("people.csv", f"age;illness\n{rows}".encode())
    page = session.open(CHECK).fill("multiselect", "publishable-pins-0", ["age"]).press("publishable-start")
    assert {one.groups_of("age") for one in last_found(page).outcomes} == {8 if finest else 4}
    told = "age stays, in 4 groups. With a width beside What has to stay the next search shows narrower ones, or says"
    assert (told in page.says("markdown").replace("\\", "")) == (not finest)
    buttons = {one.label for one in page.at.button if one.key.startswith("publishable-finer-")}
    assert buttons == (set() if finest else {"Keep age in groups of at most 8 years"})
