"""OLA and Incognito against all states, and look by look against the published programs, on small lattices."""

import random
from itertools import product

import numpy as np

from cra_engine.publish.full_domain.walks import incognito, ola
from oracles.lattice_searches import LiteralIncognito, LiteralOLA, up


def lattices(number):
    """Shapes of one to four attributes, and which states fit: all above some, drawn; at times none."""
    for seed in range(number):
        draw = random.Random(seed)
        shape = tuple(draw.randint(1, 4) for _ in range(draw.randint(1, 4)))
        states = list(product(*map(range, shape)))
        least = [draw.choice(states) for _ in range(draw.choice((0, 1, 1, 2, 3, 5)))]
        yield shape, {state for one in least for state in up(one, shape)}


def walked(walk, shape, fitting):
    """The states that a search looks at, and those that it ends up holding to fit."""
    visits, looked, found = walk(np.zeros(shape, dtype=bool)), [], set()
    try:
        place, path = next(visits)
        while True:
            assert place in path
            looked.append(place)
            if place in fitting:
                found |= set(up(place, shape))
            place, path = visits.send(place in fitting)
    except StopIteration:
        return looked, found


def test_both_settle_every_state_as_looking_at_all_does_and_look_at_none_twice():
    spared = 0
    for walk in (ola, incognito):
        for shape, fitting in lattices(200):
            looked, found = walked(walk, shape, fitting)
            assert found == fitting
            assert len(looked) == len(set(looked))
            # What is not said to fit lies below a state that was looked at and does not.
            failing = {place for place in looked if place not in fitting}
            for state in set(product(*map(range, shape))) - fitting:
                assert any(all(map(int.__le__, state, place)) for place in failing)
            spared += len(looked) < np.prod(shape)
    assert spared > 250


def test_ola_looks_where_the_published_program_does():
    for shape, fitting in lattices(200):
        assert walked(ola, shape, fitting)[0] == LiteralOLA(shape, fitting.__contains__).looked


def test_incognito_looks_where_the_published_program_does_but_for_attributes_at_the_root():
    again = 0
    for shape, fitting in lattices(200):
        literal = LiteralIncognito(shape, fitting.__contains__)
        assert literal.anonymous == fitting
        root = tuple(size - 1 for size in shape)
        # A node with an attribute at its root is that of the smaller set, which was settled before.
        own = [node for node in literal.looked if all(layer < root[position] for position, layer in node)]
        looked = walked(incognito, shape, fitting)[0]
        assert {state for state in looked if state != root} == {literal.state(node) for node in own}
        again += len(literal.looked) - len(own)
    assert again > 100
