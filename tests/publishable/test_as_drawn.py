"""What is said of a table that chance drew otherwise than the search saw it."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from cra_engine import Attribute, Rule, Study
from cra_engine.options.option import Way
from cra_engine.publishable import as_drawn, settings_of
from cra_engine.publishable.choice import AS_IT_IS, REMOVED, Choice
from cra_engine.publishable.making import Maker
from cra_engine.publishable.space import Space
from cra_engine.publishable.words import less_text

RNG = np.random.default_rng(5)
PEOPLE = pd.DataFrame({"age": RNG.integers(0, 80, 40), "weight": RNG.integers(40, 120, 40)})
STUDY = Study([Attribute("age", 0, 80, 3), Attribute("weight", 40, 120, 3)], 3)


@pytest.fixture(scope="module")
def found():
    """A table of one choice, and the settings it is handed out with."""
    space = Space.of(PEOPLE, STUDY, Rule(3))
    heights = tuple(
        REMOVED if column.hierarchy is None else column.hierarchy.layers if column.known else AS_IT_IS
        for column in space.columns
    )
    maker = Maker(space, Rule(3), 1)
    table = maker.make(Choice(heights, 3, Way("local", "paper"), ""))
    outcome = maker.outcome(table, maker.checked(table, 5.0))
    return outcome, settings_of(outcome, Rule(3), "people.csv", PEOPLE)


@pytest.mark.parametrize(
    ("wider", "hidden", "said"),
    [(0, 0, ""), (0, 6, "hidden in 6 rows"), (1, 6, "less detail in 1 row, hidden in 6 rows")],
)
def test_rows_that_show_less_are_counted(wider, hidden, said):
    assert less_text(wider, hidden) == said


def test_nothing_is_added_where_chance_changed_nothing(found):
    outcome, settings = found
    same, told = as_drawn(outcome, outcome, settings)
    assert (same.label, told) == (outcome.label, settings)


def test_the_share_that_was_drawn_is_the_one_that_is_told(found):
    outcome, settings = found
    kept = "2 of 2 columns, 40 of 40 rows (20 with * in age and weight), 25.0 % of the detail of all 2 columns kept"
    drawn, told = as_drawn(outcome, replace(outcome, counts=kept), settings)
    how = f"{outcome.how}; its groups were drawn by chance anew, in the search it was {outcome.counts}"
    assert (drawn.counts, drawn.how, drawn.label) == (kept, how, f"{kept}: {how}")
    assert told.decisions[:-1] == settings.decisions[:-1]
    assert told.decisions[-1] == replace(settings.decisions[-1], what=drawn.label)
