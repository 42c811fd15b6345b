"""A study as an address: what can stand in it, and that nothing else can."""

import string
from urllib.parse import parse_qs

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cra_dashboard.session import datasets, link
from cra_dashboard.session.link import Link
from cra_engine import Attribute

WHOLE = st.integers(2, 1_000_000)
UNITS = st.text(string.ascii_letters + "/ %,", max_size=20)


@st.composite
def attributes(draw):
    layers, fanout = draw(st.integers(1, 4)), draw(st.integers(2, 3))
    lower = draw(st.decimals(-1000, 1000, places=2))
    step = draw(st.sampled_from(["0.01", "0.1", "1", "2.5"]))
    values = fanout ** (layers - 1) * draw(st.integers(2, 50))
    name = draw(
        st.text(string.ascii_letters + "_ *&=", min_size=1, max_size=12).filter(lambda name: name == name.strip())
    )
    return Attribute(name, lower, lower + values * type(lower)(step), layers, fanout, type(lower)(step), draw(UNITS))


LINKS = st.builds(
    Link.model_construct,
    example=st.sampled_from([None, *datasets.EXAMPLES]),
    kind=st.sampled_from([None, "toy", "clinic", "hospitals"]),
    records=st.none() | WHOLE,
    seed=st.none() | WHOLE,
    correlation=st.none() | st.floats(0, 1),
    attribute=st.lists(attributes(), max_size=4).map(tuple),
    k=st.none() | WHOLE,
    profile=st.sampled_from([None, "paper", "arx-gui", "0.02"]),
    ties=st.sampled_from([None, "sound", "paper"]),
    recoding=st.sampled_from([None, "local", "global", "repaired"]),
    suppressed=st.sampled_from([None, "more"]),
    step=st.none() | WHOLE,
    part=st.none() | WHOLE,
    view=st.none() | st.lists(st.integers(-1, 9), min_size=2, max_size=5).map(tuple),
    lesson=st.sampled_from([None, "why-intervals-feel-safe"]),
    lesson_step=st.none() | st.integers(0, 9),
    size=st.sampled_from([None, "large"]),
    hide=st.lists(st.sampled_from(["menu", "bar", "settings", "tables"]), unique=True).map(tuple),
)


@settings(max_examples=150)
@given(LINKS)
def test_what_is_written_is_read_again(made):
    assert link.parse(parse_qs(link.query(made), keep_blank_values=True)) == (made, [])


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("example", "patients"),
        ("kind", "diabetes"),
        ("records", "0"),
        ("records", "1000001"),
        ("seed", "9" * 5000),
        ("seed", "-1"),
        ("correlation", "nan"),
        ("correlation", "1.5"),
        ("k", "1"),
        ("k", "five"),
        ("k", ""),
        ("profile", "cautious"),
        ("profile", "0." + "1" * 500),
        ("ties", "arx"),
        ("step", "-1"),
        ("class", "suppressed"),
        ("view", "1,x"),
        ("view", ""),
        ("lesson", "../../etc"),
        ("lesson_step", "101"),
        ("size", "12"),
        ("hide", "menu,answers"),
        ("attribute", "age"),
        ("attribute", "age,0,1e999999999,4"),
        ("attribute", "age,0,NaN,4"),
        ("attribute", "age,0,Infinity,4"),
        ("attribute", "age,0,96,99"),
        ("attribute", "age,0,60,4"),
        ("attribute", "age,0,96,4,2,1," + "x" * 21),
    ],
)
def test_a_bad_value_is_named_and_left_out(name, value):
    found, problems = link.parse({"size": ["large"], "example": ["toy"], name: [value]})
    assert len(problems) == 1
    assert problems[0].startswith(f"{name} is ")
    assert len(problems[0]) < 200
    field = "part" if name == "class" else name
    assert getattr(found, field) == Link.model_fields[field].default
    if name not in ("size", "example"):
        assert (found.size, found.example) == ("large", "toy")


def test_what_belongs_to_others_is_let_alone():
    assert link.parse({"utm_source": ["mail"], "embed": ["true"]}) == (Link(), [])


def test_every_problem_is_told_in_one_sentence():
    _, problems = link.parse({"k": ["1"], "ties": ["x"]})
    assert link.sentence(problems) == (
        "K is '1' in the link, not a whole number from 2 to 1,000,000; Ties is 'x' in the link, not sound or paper. "
        "The rest of the link is used as it stands."
    )


@pytest.mark.parametrize("key", datasets.EXAMPLES)
def test_names_and_units_of_the_built_in_tables_fit_into_a_link(key):
    data, study = datasets.example(key)
    assert not [column for column in data.frame.columns if "," in column]
    made = Link.model_construct(attribute=study.attributes)
    assert link.parse(link.parameters(made)) == (made, [])


def test_a_recipe_makes_the_same_table_again():
    for recipe in (
        link.Link(example="diabetes").recipe,
        Link(kind="clinic", records=40, seed=9, correlation=0.5).recipe,
    ):
        (data, study), (again, same) = datasets.remade(recipe), datasets.remade(recipe)
        assert data.recipe == again.recipe == recipe
        assert (data.digest, study) == (again.digest, same)
        assert data.own_study == study
