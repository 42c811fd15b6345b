"""Secondary suppression: what an intruder solves for by a linear program, and the least cost by trying all."""

import json
import random
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import linprog
from typer.testing import CliRunner

from cra_engine import CRAError, DataError, microaggregate
from cra_engine.cli.commands import app
from cra_engine.criteria.concentration import USUAL, Dominance, PRule
from cra_engine.publish.microaggregation.suppressing import with_hidden_cells
from cra_engine.publish.suppression import Need, NotProtectedError, hidden_cells, need_of

RULES = (PRule("0.6"), Dominance(2, "0.7"))


def intruder(values, sums, hidden, cell):
    """The least and the largest value of a hidden cell, for who knows the sums and the other cells: SciPy's HiGHS."""
    places = sorted(hidden)
    rows = [[float(place in one) for place in places] for one in sums]
    totals = [sum(values[place] for place in one if place in hidden) for one in sums]
    ends = []
    for sign in (1, -1):
        aim = [sign * float(place == cell) for place in places]
        found = linprog(aim, A_eq=rows, b_eq=totals, bounds=(0, None), method="highs")
        ends.append(-sign * np.inf if found.status == 3 else sign * found.fun)
    return ends


def protected(values, sums, hidden, needs):
    """Whether every sensitive cell's interval reaches as far as promised."""
    if not set(needs) <= set(hidden):
        return False
    for cell, need in needs.items():
        low, high = intruder(values, sums, hidden, cell)
        if low > values[cell] - need.below + 1e-6 or high < values[cell] + need.above - 1e-6:
            return False
    return True


def random_table(seed):
    """Cells of a few contributions in rows and columns, with totals of the columns, or of rows and columns."""
    rng = random.Random(seed)
    rows, columns = rng.choice([(4, 1), (5, 1), (7, 1), (2, 3), (3, 3), (3, 4), (4, 4)])
    cells = [
        [rng.choice([0, 1, 3, 10, 40]) + rng.randrange(5) for _ in range(rng.randrange(1, 6))]
        for _ in range(rows * columns)
    ]
    by_column = [[row * columns + column for row in range(rows)] for column in range(columns)]
    by_row = [[row * columns + column for column in range(columns)] for row in range(rows)]
    sums = by_column if columns == 1 else by_column + by_row
    needs = {place: need for place, own in enumerate(cells) if (need := need_of(RULES, own)) is not None}
    return [sum(own) for own in cells], sums, needs, [len(own) for own in cells]


@pytest.mark.parametrize(
    "tables", [range(30), pytest.param(range(30, 300), marks=pytest.mark.exhaustive)], ids=["30", "300"]
)
def test_what_an_intruder_solves_for_is_as_wide_as_promised(tables):
    """Where nothing protects, not even hiding everything does."""
    outcomes = []
    for seed in tables:
        values, sums, needs, costs = random_table(seed)
        try:
            hidden = hidden_cells(values, sums, needs, costs)
        except NotProtectedError:
            outcomes.append("none")
            assert not protected(values, sums, set(range(len(values))), needs)
            continue
        outcomes.append("more" if len(hidden) > len(needs) else "as they are")
        assert protected(values, sums, hidden, needs), seed
    assert all(outcomes.count(kind) >= 2 for kind in ("none", "more", "as they are")), outcomes


@pytest.mark.parametrize("seed", [seed for seed in range(40) if len(random_table(seed)[0]) <= 7])
def test_nothing_cheaper_protects(seed):
    values, sums, needs, costs = random_table(seed)
    try:
        hidden = hidden_cells(values, sums, needs, costs)
    except NotProtectedError:
        return
    spent = sum(costs[place] for place in hidden)
    others = [place for place in range(len(values)) if place not in needs]
    for size in range(len(others) + 1):
        for more in combinations(others, size):
            tried = {*needs, *more}
            if sum(costs[place] for place in tried) < spent:
                assert not protected(values, sums, tried, needs)


def test_one_column_by_hand():
    # 10, 7, 2: the second largest misses by 2, and 6 are asked: 4 more. 3 gives up too little, 5 and 8 enough, and 5 is
    # cheaper.
    need = need_of([PRule("0.6")], [10, 7, 2])
    assert need == Need(4, 4)
    assert hidden_cells([19, 3, 8, 5], [range(4)], {0: need}, [3, 2, 4, 3]) == {0, 3}
    # (2, 0.6): 17 of 19 are 89 %; at 28.33 they would be 60 %.
    assert need_of([Dominance(2, "0.6")], [10, 7, 2]) == Need(10, 10)
    assert need_of([PRule("0.6"), Dominance(2, "0.6")], [10, 9, 9, 9]) is None
    with pytest.raises(NotProtectedError):
        hidden_cells([19, 3], [range(2)], {0: need}, [1, 1])
    with pytest.raises(NotProtectedError):
        need_of([Dominance(1, 0)], [5, 1])
    with pytest.raises(CRAError, match="too large to settle"):
        hidden_cells([2**60, 3], [range(2)], {0: need}, [1, 1])
    assert hidden_cells([1, 2], [range(2)], {}, [1, 1]) == frozenset()


# MDAV's clusters are 100, 55, 54; 10, 11, 12; 30, 31, 32. Of the first 54 is less than 60: it has to look like 6 more.
TABLE = pd.DataFrame({"income": [100, 55, 54, 10, 11, 12, 30, 31, 32], "name": list("abcdefghi")})


def test_a_microaggregated_table_hides_cells_and_keeps_their_totals_apart():
    made = microaggregate(TABLE, 3)
    found = with_hidden_cells(made, (PRule("0.6"),))
    assert len(found.sensitive) == len(found.secondary) == 1
    ((cluster, _),) = found.sensitive
    assert 0 in made.clusters[cluster]
    hidden = {place for place, _ in (*found.sensitive, *found.secondary)}
    shown = found.frame["income"]
    for place, rows in enumerate(made.clusters):
        assert (
            (shown.iloc[rows] == "*").all()
            if place in hidden
            else (shown.iloc[rows] == made.frame["income"].iloc[rows]).all()
        )
    assert found.share * len(TABLE) == sum(len(made.clusters[place]) for place in hidden)
    assert list(found.frame["name"]) == list(TABLE["name"])
    with pytest.raises(DataError, match="Column 'income' holds negative numbers"):
        with_hidden_cells(microaggregate(TABLE.assign(income=TABLE["income"] - 50), 3), USUAL)


def test_the_command_hides_and_says_so(tmp_path):
    TABLE.to_csv(tmp_path / "data.csv", index=False)
    command = ["microaggregate", tmp_path / "data.csv", "--k", 3, "--p", "0.6", "--suppress", "--keep-order"]
    command = [str(one) for one in (*command, "--column", "income", "--output", tmp_path / "release.csv")]
    done = CliRunner().invoke(app, command, catch_exceptions=False)
    assert "Hidden: 1 sensitive cell and 1 besides" in done.stdout
    found = json.loads(CliRunner().invoke(app, [*command, "--json"], catch_exceptions=False).stdout)
    assert len(found["hidden_cells"]) == 2
    assert len(found["secondary_cells"]) == 1
    assert 0 < found["hidden_share"] < 1
    assert (tmp_path / "release.csv").read_text("utf-8").count("*") == round(found["hidden_share"] * len(TABLE))
    assert "give one of them" in str(CliRunner().invoke(app, [*command, "--compliant"]).exception)
