"""What a choice costs at least: no table that is published by it costs less, and few have to be published for that."""

from random import Random

import pytest
from searched import small_table, with_gaps

from cra_engine import CRAError, Rule
from cra_engine.publishable import Space, publishable
from cra_engine.publishable.least import LeastCosts
from cra_engine.publishable.making import Maker

CHOICES = 10


def tables():
    return [*(small_table(seed) for seed in range(3)), with_gaps()]


@pytest.mark.parametrize("number", range(4))
def test_no_published_table_costs_less(number):
    data, study = tables()[number]
    space = Space.of(data, study, Rule()).alike()
    maker, least = Maker(space, Rule()), LeastCosts(space)
    choices = list(space.choices())
    Random(number).shuffle(choices)
    published, nearer = 0, 0
    for choice in choices[:CHOICES]:
        bound = least.of(choice)
        assert bound >= space.bound(choice.heights, choice.gaps)
        try:
            cost = maker.make(choice).cost
        except CRAError:
            continue
        assert bound <= cost + 1e-9
        published += 1
        nearer += bound > space.bound(choice.heights, choice.gaps) + 1e-9
    assert published
    assert nearer


def test_what_is_found_is_the_same_with_fewer_tables(monkeypatch):
    data, study = small_table(3)
    made, make = [], Maker.make

    def counted(maker, choice):
        made.append(choice)
        return make(maker, choice)

    monkeypatch.setattr(Maker, "make", counted)
    found = publishable(data, study, time_limit=300)
    few, _ = len(made), made.clear()
    monkeypatch.setattr(LeastCosts, "of", lambda bounds, one: bounds._space.bound(one.heights, one.gaps))
    again = publishable(data, study, time_limit=300)
    assert found.complete
    assert again.complete
    assert [one.to_dict() for one in found.outcomes] == [one.to_dict() for one in again.outcomes]
    assert found.tried == again.tried
    assert few < len(made)
