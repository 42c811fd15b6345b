"""The order of the states: by hand, and what holds for every lattice."""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cra_engine.errors import TooLargeError
from cra_engine.study.attribute import Attribute
from cra_engine.study.lattice import Lattice
from strategies import make_attribute


def test_order_by_hand():
    # a: 4 values, lengths 2, 4: Q_loss 1/3, 1. b: 8 values, lengths 2, 4, 8: Q_loss 1/7, 3/7, 1.
    # 1 + Q_loss: a 4/3, 2; b 8/7, 10/7, 2. Products, over 21:
    #   (1,1) 32/21  (1,2) 40/21  (1,3) 56/21  (2,1) 48/21  (2,2) 60/21  (2,3) 84/21
    lattice = Lattice([Attribute("a", 0, 4, 2), Attribute("b", 0, 8, 3)])
    assert lattice.states == ((1, 1), (1, 2), (2, 1), (1, 3), (2, 2), (2, 3))
    assert lattice.groups == tuple((state,) for state in lattice.states)
    assert lattice.key((2, 1)) == (Fraction(48, 21), 3, (Fraction(2, 2) + Fraction(1, 3)) / 2)
    assert lattice.top == (2, 3)


def test_equal_domains_tie_exactly():
    # Three attributes of one kind: the six orders of (1, 2, 3) have one loss, one c1 and one c2, whatever floats say.
    lattice = Lattice([Attribute(name, 0, 100, 3) for name in "abc"])
    assert lattice.tied((3, 1, 2)) == ((1, 2, 3), (1, 3, 2), (2, 1, 3), (2, 3, 1), (3, 1, 2), (3, 2, 1))
    assert {len(group) for group in lattice.groups} == {1, 3, 6}
    assert len(lattice.groups) == 10  # choices of three layers out of three, with repetition


def test_states_above_by_hand():
    lattice = Lattice([Attribute("a", 0, 4, 2), Attribute("b", 0, 8, 3)])
    assert lattice.coverers((1, 1)) == ((2, 1), (1, 2))
    assert lattice.coverers((2, 2)) == ((2, 3),)
    assert lattice.coverers((2, 3)) == ()


def test_a_lattice_can_be_too_large():
    with pytest.raises(TooLargeError, match="20,736 states, more than 20,000; take fewer attributes"):
        Lattice([Attribute(name, 0, 4096, 12) for name in "abcd"])


@st.composite
def lattices(draw):
    shapes = st.fixed_dictionaries(
        {"fanout": st.integers(2, 3), "layers": st.integers(1, 4), "leaf": st.integers(2, 9)}
    )
    settings = draw(st.lists(shapes, min_size=1, max_size=3))
    if draw(st.booleans()):
        settings = [settings[0]] * len(settings)
    return Lattice([make_attribute(name, **shape) for name, shape in zip("abc", settings, strict=False)])


@given(lattices())
def test_a_finer_state_comes_first(lattice):
    # The attack's bounds rest on this: whatever lies inside a class's box had its turn before.
    place = {state: position for position, group in enumerate(lattice.groups) for state in group}
    for state in lattice.states:
        for above in lattice.coverers(state):
            assert place[state] < place[above]
            assert lattice.loss(state) < lattice.loss(above)


@given(lattices())
def test_the_groups_hold_every_state_once(lattice):
    every = list(product(*(range(1, height + 1) for height in lattice.top)))
    assert sorted(state for group in lattice.groups for state in group) == every
    assert lattice.size == len(every)
    assert lattice.states[0] == (1,) * len(lattice.top)
    assert lattice.states[-1] == lattice.top


@given(lattices())
def test_the_order_is_by_loss_then_c1_then_c2(lattice):
    def grown(state):
        result = Fraction(1)
        for attribute, layer in zip(lattice.attributes, state, strict=True):
            length = attribute.node(layer, 0).upper - attribute.node(layer, 0).lower
            step, domain = attribute.resolution, attribute.upper - attribute.lower
            result *= 1 + Fraction(length - step) / Fraction(domain - step)
        return result

    def criteria(state):
        parts = [Fraction(layer, a.layers) for layer, a in zip(state, lattice.attributes, strict=True)]
        return grown(state), sum(state), sum(parts) / len(parts)

    assert list(lattice.states) == sorted(lattice.states, key=lambda state: (criteria(state), state))
    for group in lattice.groups:
        assert len({criteria(state) for state in group}) == 1
        assert group == lattice.tied(group[-1])
    for left, right in zip(lattice.groups, lattice.groups[1:], strict=False):
        assert criteria(left[0]) < criteria(right[0])
