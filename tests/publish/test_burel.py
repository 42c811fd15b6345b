"""BuReL, which the figures of heterogeneous generalization compare with, against a plain program."""

import random
import sys
from collections import Counter
from fractions import Fraction
from pathlib import Path

import pandas as pd
import pytest

from cra_engine.published import Categories
from oracles import burel as plain
from shares import first


@pytest.fixture(scope="module")
def burel():
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(Path(__file__).resolve().parents[2] / "benchmarks"))
        import burel  # noqa: PLC0415 - a script, whose folder is no package

        yield burel
        del sys.modules["burel"]


def tables(seeds):
    for seed in seeds:
        draw = random.Random(seed)
        n = draw.randint(2, 40)
        values = [draw.choice("aaaabbbccdef"[: draw.randint(1, 12)]) for _ in range(n)]
        beta = Fraction(draw.randint(0, 12), draw.choice((1, 2, 3)))
        data = pd.DataFrame(
            {"age": [draw.randint(20, 60) for _ in values], "town": [draw.choice("pqrst") for _ in values], "s": values}
        )
        yield seed, data, beta


@pytest.mark.parametrize("part", first(1, range(4)))
def test_its_classes_are_those_of_the_plain_program_keep_beta_and_show_their_own_extents(burel, part):
    split = 0
    for seed, data, beta in tables(range(part * 50, part * 50 + 50)):
        made = burel.burel(data, ["age", "town"], "s", beta, seed).published
        places = burel.on_curve(data, ["age", "town"]).tolist()
        expected = plain.classes(data["s"].tolist(), places, beta, random.Random(seed).choice)
        assert [rows.tolist() for rows in made.groups] == expected, seed
        assert sorted(row for rows in expected for row in rows) == list(range(len(data)))
        split += len(expected) > 1
        everybody = Counter(data["s"])
        for rows in expected:
            inside = data.iloc[rows]
            for value, many in Counter(inside["s"]).items():
                assert Fraction(many, len(rows)) <= (1 + beta) * Fraction(everybody[value], len(data))
            ages, towns = (made.extents[name] for name in ("age", "town"))
            interval = ages.distinct[ages.of_row[rows[0]]]
            assert (interval.lower, interval.upper) == (inside["age"].min(), inside["age"].max())
            assert towns.distinct[towns.of_row[rows[0]]] == Categories(frozenset(inside["town"]))
    assert split > 25


def test_the_curve_is_hilberts(burel):
    drawn = plain.hilbert(3)
    data = pd.DataFrame(drawn, columns=["x", "y"])
    # The library may begin along either side.
    assert list(range(64)) in [burel.on_curve(data, names).tolist() for names in (["x", "y"], ["y", "x"])]
