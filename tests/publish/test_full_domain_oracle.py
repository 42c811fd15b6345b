"""Global recoding against its definitions, on random tables with random models, limits and losses."""

import math
import random
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

from cra_engine import Attribute, DataError, Study
from cra_engine.criteria.d_presence import DPresence
from cra_engine.criteria.k_anonymity import KAnonymity
from cra_engine.criteria.l_diversity import LDiversity
from cra_engine.criteria.t_closeness import TCloseness
from cra_engine.publish.full_domain.recoding import global_recode
from cra_engine.publish.full_domain.search import SEARCHES, UTILITIES
from cra_engine.study.file_hierarchy import FileHierarchy
from oracles.full_domain import Problem
from shares import first

LIMITS = [Fraction(0), Fraction(0), Fraction(1, 10), Fraction(1, 3), Fraction(1)]


def a_hierarchy(draw, position):
    """A hierarchy, the values to draw from, and its labels per value, layer 0 to the root."""
    if draw.random() < 0.5:
        layers = draw.randint(1, 3)
        width = 2 ** (layers - 1) * draw.choice((1, 2))
        attribute = Attribute(f"q{position}", 0, width, layers) if width > 1 else Attribute(f"q{position}", 0, 2, 1)
        values = list(range(int(attribute.upper)))
        size = [len(values) // 2 ** (attribute.layers - layer) for layer in range(1, attribute.layers + 1)]
        tree = {value: (value, *(value // s for s in size)) for value in values}
        return attribute, values, tree
    leaves = draw.randint(2, 5)
    middle = [f"g{draw.randrange(2)}" for _ in range(leaves)]
    rows = tuple((f"v{i}", middle[i], "*") if position % 2 else (f"v{i}", "*") for i in range(leaves))
    return FileHierarchy(f"q{position}", rows), [row[0] for row in rows], {row[0]: row for row in rows}


def a_model(draw, records):
    """One model, as the engine and as the oracle know it."""
    kind = draw.choice(("k", "distinct", "entropy", "recursive", "equal", "ordered", "hierarchical", "presence"))
    t = Fraction(draw.randint(0, 10), 10)
    least = draw.randint(1, 4)
    match kind:
        case "k":
            k = draw.randint(1, max(1, records // 2))
            return KAnonymity(k), ("k", k)
        case "distinct":
            return LDiversity("s", least), ("distinct", "s", least)
        case "entropy":
            shade = Fraction(draw.randint(2, 8), 2)
            return LDiversity("s", shade, "entropy"), ("entropy", "s", shade)
        case "recursive":
            c = Fraction(draw.randint(1, 8), 2)
            return LDiversity("s", least, "recursive", c), ("recursive", "s", least, c)
        case "equal":
            return TCloseness("s", t), ("equal", "s", t)
        case "ordered":
            return TCloseness("n", t, "ordered"), ("ordered", "n", t)
        case "hierarchical":
            rows = (("a", "x", "*"), ("b", "x", "*"), ("c", "y", "*"), ("d", "y", "*"))
            tree = {row[0]: row for row in rows}
            return TCloseness("s", t, "hierarchical", FileHierarchy("s", rows)), ("hierarchical", "s", t, tree)
        case _:
            low, high = sorted((Fraction(draw.randint(0, 5), 10), Fraction(draw.randint(3, 10), 10)))
            return DPresence("m", "yes", low, high), ("presence", low, high)


def a_case(seed):
    """A table, its study, the models, and all of it as the oracle sees it."""
    draw = random.Random(seed)
    records = draw.randint(2, 14)
    hierarchies, values, trees = zip(*(a_hierarchy(draw, i) for i in range(draw.randint(1, 3))), strict=True)
    rows = [tuple(draw.choice(of) for of in values) for _ in range(records)]
    sensitive = {
        "s": [draw.choice("abcd") for _ in rows],
        "n": [draw.choice((1, 5, 6, 20)) for _ in rows],
    }
    models, plain = zip(*(a_model(draw, records) for _ in range(draw.randint(1, 3))), strict=True)
    marks = ["yes" if draw.random() < 0.6 else "no" for _ in rows]
    marks[0] = "yes"
    present = any(isinstance(model, DPresence) for model in models)
    frame = pd.DataFrame({f"q{i}": [row[i] for row in rows] for i in range(len(values))} | sensitive | {"m": marks})
    problem = Problem(rows, trees, sensitive, [mark == "yes" for mark in marks] if present else None)
    limit = math.floor(draw.choice(LIMITS) * len(problem.rows))
    return frame, Study(hierarchies, 2), models, plain, problem, limit, draw.choice(UTILITIES)


# Of 50 tables some 38 have an optimum; of the others every search says that there is none.
@pytest.mark.parametrize("part", first(3, range(14)))
def test_every_search_finds_the_optimum_of_the_definitions(part):
    found = 0
    for seed in range(part * 50, part * 50 + 50):
        frame, study, models, plain, problem, limit, utility = a_case(seed)
        anonymous = problem.anonymous(plain, limit)
        if any(model[0] == "k" and model[1] > len(problem.rows) for model in plain):
            continue
        if not anonymous:
            with pytest.raises(DataError, match="No state is anonymous"):
                global_recode(frame, study, suppression_records=limit, criteria=models)
            continue
        best = problem.best(plain, limit, utility)
        losses = problem.losses(best, plain)
        for search in SEARCHES:
            result = global_recode(
                frame, study, suppression_records=limit, utility=utility, search=search, criteria=models
            )
            assert (result.state, result.suppressed) == (best, anonymous[best]), seed
            assert result.looks.states == len(list(problem.states()))
            assert {tuple(map(int, place)) for place in np.argwhere(result.looks.anonymous)} == set(anonymous), seed
            assert result.measures.aecs == losses["aecs"]
            assert result.measures.discernibility == losses["discernibility"]
            assert result.measures.precision == losses["precision"]
            assert result.measures.entropy.value == pytest.approx(math.log2(losses["entropy"]), abs=1e-9)
            found += 1
    assert found > 80


@pytest.mark.parametrize("part", first(3, range(5)))
def test_every_prediction_holds(part):
    predicted = 0
    for frame, study, models, plain, problem, limit, utility in publishable(range(1000 + part * 40, 1040 + part * 40)):
        anonymous = problem.anonymous(plain, limit)
        looks = global_recode(frame, study, suppression_records=limit, utility=utility, criteria=models).looks
        because = looks.because.ravel()
        for place in range(looks.states):
            state = tuple(int(layer) for layer in np.unravel_index(place, looks.looked.shape))
            if looks.looked[state]:
                assert because[place] == -1
                continue
            predicted += 1
            cause = tuple(int(layer) for layer in np.unravel_index(because[place], looks.looked.shape))
            assert looks.looked[cause]
            if state in anonymous:  # concluded upwards, from an anonymous state
                assert looks.sought == "anonymous"
                assert cause in anonymous
                assert all(low <= high for low, high in zip(cause, state, strict=True))
                assert problem.losses(state, plain)[utility] >= problem.losses(cause, plain)[utility]
            else:
                assert cause not in anonymous
                assert all(low >= high for low, high in zip(cause, state, strict=True))
        assert looks.checked + int((because >= 0).sum()) == looks.states
    assert predicted > 50


def publishable(seeds):
    """The cases that some state can publish."""
    for seed in seeds:
        case = a_case(seed)
        _, _, _, plain, problem, limit, _ = case
        if all(model[0] != "k" or model[1] <= len(problem.rows) for model in plain) and problem.anonymous(plain, limit):
            yield case


def test_the_published_table_shows_what_the_state_says():
    cases = list(publishable(range(2000, 2060)))
    assert len(cases) > 40
    for case in cases:
        check_published(*case)


def check_published(frame, study, models, plain, problem, limit, utility):
    result = global_recode(frame, study, suppression_records=limit, utility=utility, criteria=models)
    suppressed, sizes = problem.outcome(result.state, plain)
    published = result.frame
    assert list(published.index) == [frame.index[row] for row in problem.rows]
    hidden = {criterion.attribute for criterion in models if isinstance(criterion, LDiversity | TCloseness)}
    marking = {criterion.attribute for criterion in models if isinstance(criterion, DPresence)}
    assert list(published.columns) == [name for name in frame.columns if name not in marking]
    shown = {}
    for place, row in enumerate(problem.rows):
        cells = tuple(str(cell) for cell in published.iloc[place][list(study.names)])
        if row in suppressed:
            assert set(cells) == {"*"}
            assert all(published.iloc[place][name] == "*" for name in hidden)
        else:
            shown.setdefault(problem.shown(row, result.state), set()).add(cells)
            assert all(published.iloc[place][name] == frame[name].iloc[row] for name in hidden)
    assert all(len(cells) == 1 for cells in shown.values())
    assert len({next(iter(cells)) for cells in shown.values()}) == len(shown) == len(sizes)
    assert sorted(map(len, result.groups)) == sorted(sizes)
    assert result.suppressed == len(suppressed)
    # What each value stands for covers the raw value, and nothing of another class where it is one of the same layer.
    for name, extents in result.published.extents.items():
        position = study.names.index(name)
        for place, row in enumerate(problem.rows):
            extent, value = extents.distinct[extents.of_row[place]], problem.records[row][position]
            if study.attributes[position].numeric:
                assert extent.lower <= value < extent.upper or (extent.closed and value == extent.lower)
            else:
                assert value in extent.values  # noqa: PD011 - no pandas here
