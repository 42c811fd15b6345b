"""Who is alone in a table: every count against a plain one, every minimal unique against brute force."""

import random
from collections import Counter
from itertools import combinations

import numpy as np
import pandas as pd
import pytest

from cra_engine.errors import DataError
from cra_engine.patience import Deadline, Stopped, stoppable
from cra_engine.risk import uniques
from cra_engine.risk.uniques import alone_by_gaps, cell_codes, minimal_uniques, removed_until_few, unique_records
from shares import first


def table(rng):
    """A table with few and many values, copies of columns and rows, gaps, and numbers beside texts."""
    records, columns = rng.randint(1, 40), rng.randint(1, 7)
    made = {}
    for place in range(columns):
        values = rng.choice([[0, 1], ["a", "b", "", None], [1.5, 2.5, float("nan")], list(range(12)), ["[0, 20[", "*"]])
        made[f"c{place}"] = [rng.choice(values) for _ in range(records)]
        if place and rng.random() < 0.2:
            made[f"c{place}"] = list(made[f"c{rng.randrange(place)}"])
    frame = pd.DataFrame(made)
    return pd.concat([frame, frame.sample(frac=0.3, random_state=1)]) if rng.random() < 0.4 else frame


def plainly(frame, names):
    """The records that are alone by some columns, counted as anybody would."""
    rows = [tuple("" if pd.isna(cell) else str(cell) for cell in row) for row in frame[list(names)].itertuples(False)]
    times = Counter(rows)
    return {place for place, row in enumerate(rows) if times[row] == 1}


@pytest.mark.parametrize("seed", first(80, range(300)))
def test_unique_people_equal_a_plain_count_and_minimal_uniques_brute_force(seed):
    rng = random.Random(seed)
    frame = table(rng)
    names, most = list(frame.columns), rng.choice([1, 2, 3, 3, 3, 5])
    found = minimal_uniques(frame, names, most)
    assert found.counted == most
    plain = {
        chosen: plainly(frame, chosen)
        for size in range(1, min(most, len(names)) + 1)
        for chosen in combinations(names, size)
    }
    brute = {}
    for chosen, rows in plain.items():
        assert found.unique_by(chosen) == len(rows)
        parts = [part for few in range(1, len(chosen)) for part in combinations(chosen, few)]
        minimal = rows - set().union(*(plain[part] for part in parts))
        if minimal:
            brute[chosen] = sorted(minimal)
    assert {chosen: rows.tolist() for chosen, rows in found.minimal.items()} == brute
    everybody = plainly(frame, names)
    assert set(np.flatnonzero(found.alone).tolist()) == everybody
    smallest = Counter()
    for row in everybody:
        size = next((len(chosen) for chosen, rows in plain.items() if row in rows), None)
        smallest[size] += 1
    assert found.by_size == tuple(smallest[size] for size in range(1, most + 1))
    assert found.people == len(everybody)


@pytest.mark.parametrize("seed", range(100))
def test_who_is_alone_by_empty_cells_and_what_to_remove_equal_a_plain_count(seed):
    rng = random.Random(seed)
    frame = table(rng).reset_index(drop=True)
    names, texts = list(frame.columns), frame.astype("string").fillna("")
    codes, empty = [cell_codes(frame[name]) for name in names], [(texts[name] == "").to_numpy() for name in names]
    everybody, rows = plainly(frame, names), texts.to_numpy().tolist()
    expected = {
        place
        for place in everybody
        if any(
            all(one in ("", other) for one, other in zip(rows[place], row, strict=True))
            for at, row in enumerate(rows)
            if at != place
        )
    }
    assert set(np.flatnonzero(alone_by_gaps(codes, empty, len(frame))).tolist()) == expected
    removable, most = rng.sample(range(len(names)), rng.randint(0, len(names))), rng.randint(0, 5)
    left, gone = list(names), []
    while len(plainly(frame, left)) > most if left else len(frame) == 1 > most:
        choices = [names[at] for at in sorted(removable) if names[at] in left]
        if not choices:
            gone = None
            break
        gone.append(min(choices, key=lambda name: len(plainly(frame, [one for one in left if one != name]))))
        left.remove(gone[-1])
    for name in list(gone or ()):
        if len(plainly(frame, [*left, name])) <= most:
            gone.remove(name)
            left.append(name)
    found = removed_until_few(codes, removable, len(frame), most)
    assert (None if found is None else [names[at] for at in found[0]]) == gone
    assert found is None or found[1] == len(plainly(frame, left))


def test_what_would_take_too_long_is_not_counted_and_said(monkeypatch):
    rng = random.Random(1)
    frame = pd.DataFrame({f"c{place}": [rng.randrange(4) for _ in range(60)] for place in range(8)})
    monkeypatch.setattr(uniques, "MOST_STEPS", 28 * 2060)  # all pairs, not all triples
    found = minimal_uniques(frame, list(frame.columns))
    assert (found.counted, len(found.by_size)) == (2, 2)
    assert found.people == len(plainly(frame, frame.columns))
    assert found.unique_by(["c0", "c1"]) == len(plainly(frame, ["c0", "c1"]))
    with pytest.raises(DataError, match="Sets of 3 columns were not counted"):
        found.unique_by(["c0", "c1", "c2"])


def test_sets_that_are_not_counted_in_time_are_left_out_by_size():
    frame = pd.DataFrame({name: [0, 0, 1, 1, 2] for name in "abc"}).assign(d=[0, 1, 0, 1, 0])
    found = minimal_uniques(frame, list(frame.columns), deadline=Deadline(0))
    assert (found.counted, found.by_size, found.people) == (1, (1,), 5)
    asked = iter([False] * 12)
    found = minimal_uniques(frame, list(frame.columns), deadline=Deadline(60, lambda: next(asked, True)))
    assert (found.counted, found.by_size) == (2, (1, 4))
    with pytest.raises(Stopped), stoppable(lambda: True):
        minimal_uniques(frame, list(frame.columns), deadline=Deadline(0))


def test_many_values_in_many_columns_do_not_overflow():
    rows = 3000
    frame = pd.DataFrame({f"c{place}": np.random.default_rng(place).permutation(rows) // 2 for place in range(12)})
    assert minimal_uniques(frame, list(frame.columns), 1).people == rows
    assert unique_records([frame[name].to_numpy() for name in frame], rows).all()


def test_nobody_is_alone_by_no_column_and_in_no_record():
    frame = pd.DataFrame({"sex": ["f"]})
    assert minimal_uniques(frame, []).people == 0
    assert minimal_uniques(frame, ["sex"]).by_size == (1, 0, 0)
    assert minimal_uniques(frame.iloc[:0], ["sex"]).by_size == (0, 0, 0)
    assert unique_records([], 1).tolist() == [False]
    with pytest.raises(DataError, match="no column 'age'"):
        minimal_uniques(frame, ["age"])


def test_it_ends_when_it_is_asked_to():
    with stoppable(lambda: True), pytest.raises(Stopped):
        minimal_uniques(pd.DataFrame({"sex": ["f", "m"]}), ["sex"])
