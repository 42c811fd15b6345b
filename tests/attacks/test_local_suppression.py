"""What hidden cells cannot hold, against every table of small worlds and against a plain program."""

import itertools
import random
from collections import defaultdict

import pandas as pd
import pytest

from cra_engine import ReleaseError, StudyError, TooLargeError
from cra_engine.attacks import local_suppression
from cra_engine.attacks.local_suppression import hidden_values
from oracles.local_suppression import GAP, suppressed


def read(release, k, domains):
    names = [f"c{place}" for place in range(len(domains))]
    frame = pd.DataFrame(release, columns=names)
    return hidden_values(frame, names, k, dict(zip(names, domains, strict=True)))


def filled(record, places, filling):
    whole = list(record)
    for place, value in zip(places, filling, strict=True):
        whole[place] = value
    return tuple(whole)


@pytest.mark.parametrize(
    ("shape", "records", "k"),
    [
        ((2, 2), 4, 2),
        ((2, 2), 5, 3),
        ((2, 3), 4, 2),
        ((2, 3), 5, 3),
        pytest.param((2, 2, 2), 4, 2, marks=pytest.mark.exhaustive),
    ],
    ids=str,
)
def test_the_truth_is_never_excluded_whatever_the_table(shape, records, k):
    domains = [[f"{name}{value}" for value in range(number)] for name, number in zip("abc", shape, strict=False)]
    cells = list(itertools.product(*domains))
    narrowed = certain = 0
    worlds = defaultdict(set)
    for table in itertools.combinations_with_replacement(cells, records):
        for order in (range(len(shape)), range(len(shape) - 1, -1, -1)):
            release = suppressed(table, k, list(order))
            found = read(release, k, domains)
            assert [one.row for one in found.rows] == [row for row, shown in enumerate(release) if GAP in shown]
            for one in found.rows:
                places = [int(name[1]) for name in one.columns]
                truth = tuple(table[one.row][place] for place in places)
                assert truth in one.possible
                worlds[tuple(order), tuple(sorted(release)), release[one.row]].add(truth)
                narrowed += one.excluded > 0
            certain += len(found.certain)
    assert narrowed
    assert certain
    # What all tables leave that give a release lies within what is said of it, record by record.
    for (_, release, record), truths in worlds.items():
        (said,) = {one.possible for one in read(release, k, domains).rows if release[one.row] == record}
        assert truths <= set(said)


def test_a_plain_program_says_the_same_on_200_tables():
    for seed in range(200):
        rng = random.Random(seed)
        domains = [[str(value) for value in range(rng.randrange(2, 4))] for _ in range(rng.randrange(2, 4))]
        weights = [[rng.choice([1, 1, 6]) for _ in own] for own in domains]
        k = rng.randrange(2, 5)
        table = [
            tuple(rng.choices(own, weight)[0] for own, weight in zip(domains, weights, strict=True))
            for _ in range(rng.randrange(k, 25))
        ]
        order = rng.sample(range(len(domains)), len(domains))
        release = suppressed(table, k, order)
        found = {one.row: one for one in read(release, k, domains).rows}
        for row, record in enumerate(release):
            places = [place for place, value in enumerate(record) if value == GAP]
            if not places:
                assert row not in found
                continue
            every = list(itertools.product(*(domains[place] for place in places)))
            left = [one for one in every if 1 + sum(other == filled(record, places, one) for other in release) < k]
            assert list(found[row].possible) == left
            assert found[row].excluded == len(every) - len(left)
            assert tuple(table[row][place] for place in places) in left


def test_without_domains_nothing_is_certain_and_bad_input_gets_a_sentence(monkeypatch):
    people = pd.DataFrame({"sex": ["f", "f", "f", None, "m"], "ward": ["A", "A", "A", "A", "B"]})
    open_world = hidden_values(people, ["sex", "ward"], 3)
    assert [one.possible for one in open_world.rows] == [(("m",),)]
    assert not open_world.certain
    assert open_world.to_dict()["rows"][0]["excluded"] == 1
    assert open_world.to_frame().to_dict("records") == [{"row": 3, "hidden": "sex", "possible": 1, "excluded": 1}]
    both = {"sex": ["f", "m"], "ward": ["A", "B"]}
    with pytest.raises(StudyError, match="k is 1"):
        hidden_values(people, ["sex"], 1)
    with pytest.raises(StudyError, match="'ward' has no domain"):
        hidden_values(people, ["sex", "ward"], 3, {"sex": ["f", "m"]})
    with pytest.raises(ReleaseError, match=r"row 5 \(6 in a spreadsheet\): 'B' is not among the values"):
        hidden_values(people, ["sex", "ward"], 3, {"sex": ["f", "m"], "ward": ["A"]})
    with pytest.raises(
        ReleaseError, match=r"Whatever the hidden cells of row 4 \(5 in a spreadsheet\) held, 2 records or more"
    ):
        hidden_values(pd.concat([people, pd.DataFrame({"sex": ["m"], "ward": ["A"]})]), ["sex", "ward"], 2, both)
    monkeypatch.setattr(local_suppression, "MOST", 1)
    with pytest.raises(TooLargeError):
        hidden_values(people, ["sex", "ward"], 3, both)
