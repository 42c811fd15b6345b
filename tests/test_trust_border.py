"""The border of trust: from a release and everything computed from it, no raw quasi-identifier can be reached.

The raw tables hold canaries: numbers that end in 7, which cannot be the edge of an interval, a volume or a count. A
walk over every object that Python can reach looks for them: behind numpy views, in pandas' blocks, in Arrow's buffers,
in closures. Who may import whom is in test_rooms.py.
"""

import gc
import math
import numbers
import random
import sys
import types
import weakref
from decimal import Decimal

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from cra_engine import Attribute, Recoding, Study, attack, read_release, recode, single_out, tight_attack

CODE = (type, types.ModuleType, types.BuiltinFunctionType, types.CodeType, types.FrameType)


def neighbours(found):
    """What an object holds on to, including what the garbage collector does not see."""
    if isinstance(found, types.FunctionType):
        yield from (cell.cell_contents for cell in found.__closure__ or ())
        yield from (found.__defaults__, found.__kwdefaults__, found.__dict__)
        return  # not its module's globals: they are the program, not the result
    yield from gc.get_referents(found)
    if isinstance(found, np.ndarray):
        yield found.base
        if found.dtype == object:
            yield from found.flat
    elif isinstance(found, memoryview):
        yield found.obj
    elif isinstance(found, weakref.ref):
        yield found()
    elif isinstance(found, pd.api.extensions.ExtensionArray) and hasattr(found, "__arrow_array__"):
        yield found.__arrow_array__()
    elif isinstance(found, pa.ChunkedArray):
        yield from found.chunks
    elif isinstance(found, pa.Array):
        yield from found.buffers()
    elif isinstance(found, pa.Buffer):
        yield found.parent


def reachable(*roots):
    """Every object that can be reached, each once."""
    seen = {}  # keeps the objects alive, so that no id is used twice
    todo = list(roots)
    while todo:
        found = todo.pop()
        if id(found) in seen or isinstance(found, CODE) or found is sys.modules:
            continue
        seen[id(found)] = found
        todo += neighbours(found)
    return list(seen.values())


def leaks(canaries, *roots):
    """The reachable objects that show a canary: a number, an array with one, text or bytes that contain one."""
    values = np.array(sorted(canaries), dtype=float)
    texts = {f"{value:g}" for value in canaries}

    def shows(found):
        if isinstance(found, np.ndarray):
            return found.dtype.kind in "iuf" and bool(np.isin(found.astype(float), values).any())
        if isinstance(found, numbers.Real | Decimal) and not isinstance(found, bool):
            return abs(found) < 1e15 and float(found) in canaries
        if isinstance(found, str):
            return any(text in found for text in texts)
        if isinstance(found, bytes | bytearray | memoryview | pa.Buffer):
            content = bytes(found)
            numeric = any(
                np.isin(np.frombuffer(content[: len(content) // 8 * 8], dtype=kind).astype(float), values).any()
                for kind in (np.int64, np.float64)
            )
            return numeric or any(text.encode() in content for text in texts)
        return False

    return [found for found in reachable(*roots) if shows(found)]


# ---------------------------------------------------------------- the tables

STUDY = Study([Attribute("age", 100_000, 116_000, 4), Attribute("weight", 500_000, 516_000, 4)], k=3)  # leaves of 2000
RECORDS = 97  # no size of anything else, so that an array of that length is one value per record
REST = {"code": 777_001, "score": 0.777_25, "note": "a note to keep"}


def raw_table():
    rng = random.Random(11)
    # Values end in 7; the edges of the intervals are multiples of 2000.
    ages = rng.sample(range(100_007, 116_000, 10), RECORDS)
    # Weights gather around the ages, two in the far corners: classes on cells, classes on boxes, and suppressed.
    weights = []
    while len(weights) < RECORDS - 2:
        near = 400_000 + ages[len(weights)] + rng.randrange(-300, 300) * 10
        if 500_000 <= near < 516_000 and near not in weights:
            weights.append(near)
    ages[-2:], weights = [100_007, 115_997], [*weights, 515_997, 500_007]
    columns = {"code": [REST["code"]] * RECORDS, "age": ages, "score": [REST["score"]] * RECORDS}
    return pd.DataFrame({**columns, "weight": weights, "note": [REST["note"]] * RECORDS})


def arrow_text(data):
    """All columns as Arrow text whose buffers are slices of one buffer, as a file read at once may leave them."""
    merged = pa.array([str(value) for name in data.columns for value in data[name]])
    slices = [merged.slice(position * RECORDS, RECORDS) for position in range(len(data.columns))]
    kind = pd.ArrowDtype(pa.string())
    return pd.DataFrame({n: pd.Series(s, dtype=kind) for n, s in zip(data.columns, slices, strict=True)})


FORMS = {
    "numbers": lambda data: data,
    "one block": lambda data: data.drop(columns=["score", "note"]).copy(),  # all columns share one array
    "floats": lambda data: data.astype({"age": float, "weight": float}),
    "text": lambda data: data.astype(str),
    "objects": lambda data: data.astype(object),
    "nullable": lambda data: data.convert_dtypes(),
    "categories": lambda data: data.astype({"age": "category", "weight": "category"}),
    "indexed by a quasi-identifier": lambda data: data.set_index("age", drop=False),
    "indexed by both": lambda data: data.set_index(["age", "weight"], drop=False),
    "a view": lambda data: data.iloc[::-1].iloc[::-1],
}


def canaries_of(data):
    return {float(value) for name in STUDY.names for value in data[name]}


@pytest.fixture(scope="module", params=FORMS)
def published(request):
    data = FORMS[request.param](raw_table())
    recoding = recode(data, STUDY)
    return data, recoding, everything(recoding.release)


def everything(release):
    """The attacks with all that they compute only when asked."""
    result = attack(release)
    together = tight_attack(release, time_limit=0.5, seed=1)
    computed = [result, attack(release, ties="paper"), single_out(result), together, together.cells]
    computed += [together.explain(view.cell) for view in together.cells if view.fixed][:3]
    for part in result.parts:
        computed += [part.lr_solutions, part.cra_solutions, part.combinations, part.ratio, part.log10_ratio]
        computed += [part.cell_distributions(), part.cell_probabilities(1), part.constraints(), part.orthant_of_cell]
        computed += [part.sample(3, seed=1), part.assignments(limit=20), part.cell_volumes, part.bounded_attributes]
    return [*computed, result.to_dict(), single_out(result).to_dict(), result.mean_ratio, result.warnings]


# ---------------------------------------------------------------- the border


def test_the_case_can_show_a_leak(published):
    data, recoding, _ = published
    shapes = {c.segment.basic for c in recoding.classes}
    assert shapes == {True, False}
    assert recoding.suppressed > 0
    assert leaks(canaries_of(data), data)


def test_no_raw_value_can_be_reached_from_the_release(published):
    data, recoding, _ = published
    found = leaks(canaries_of(data), recoding.release)
    assert [type(leak) for leak in found] == []


def test_no_raw_value_can_be_reached_from_the_attack(published):
    data, recoding, computed = published
    found = leaks(canaries_of(data), computed, recoding.release)
    assert [type(leak) for leak in found] == []


def test_the_recoding_and_the_raw_table_cannot_be_reached(published):
    data, recoding, computed = published
    tables = 0
    for found in reachable(computed, recoding.release):
        assert found is not data
        assert not isinstance(found, Recoding)
        if isinstance(found, pd.DataFrame):
            tables += 1
            for name in STUDY.names:
                labels = {node.label for a in STUDY.attributes if a.name == name for n in a.layer_nodes for node in n}
                assert set(found[name].astype(str)) <= labels
    assert tables  # the walk does come to the published table


def test_nothing_tells_the_records_of_a_class_apart(published):
    # Leaf numbers, positions within a class: not raw values, but not published either.
    data, recoding, computed = published
    release = recoding.release
    same = [release.rows_of(index) for index in range(-1, len(release.classes))]
    for found in reachable(computed, release):
        if isinstance(found, np.ndarray) and len(data) in found.shape:
            per_record = np.moveaxis(found, found.shape.index(len(data)), 0).reshape(len(data), -1)
            assert all(len(np.unique(per_record[rows].astype(str), axis=0)) <= 1 for rows in same)
        elif isinstance(found, list | tuple) and len(found) == len(data):
            assert all(len({str(found[row]) for row in rows}) <= 1 for rows in same)


def test_other_columns_stay_as_published(published):
    data, recoding, _ = published
    table = recoding.release.table
    assert list(table.columns) == list(data.columns)
    for name in set(REST) & set(data.columns):
        assert table[name].tolist() == data[name].tolist()


def test_columns_of_one_arrow_buffer_are_cut_apart():
    # An Arrow column is copied by reference: its buffer may hold the columns beside it.
    data = arrow_text(raw_table())
    recoding = recode(data, STUDY)
    assert leaks(canaries_of(data), data)
    assert leaks(canaries_of(data), everything(recoding.release), recoding.release) == []
    assert recoding.release.table["note"].tolist() == data["note"].tolist()


# ---------------------------------------------------------------- the walk itself


def a_closure(data):
    return lambda: data


def a_default(data):
    def function(hidden=data):
        return hidden

    return function


HIDING_PLACES = {
    "attribute": lambda data: data,
    "one number": lambda data: [{"a": (data["age"].iloc[0],)}],
    "text": lambda data: f"row 1 has {data['age'].iloc[0]}",
    "column": lambda data: data["weight"],
    "index": lambda data: pd.DataFrame({"x": 0}, index=pd.Index(data["age"])),
    "base of a view": lambda data: data["age"].to_numpy()[:0],
    "block shared by columns": lambda data: data[["code", "age", "weight"]].copy()["code"],
    "object array": lambda data: np.array([None, data["age"].tolist()], dtype=object),
    "closure": a_closure,
    "default": a_default,
    "bound method": lambda data: data.head,
    "weak reference": weakref.ref,
    "memory view": lambda data: memoryview(data["age"].to_numpy()),
    "arrow": lambda data: pa.array(data["age"]),
    "arrow text": lambda data: pd.Series(data["age"].astype(str), dtype=pd.ArrowDtype(pa.string())),
    "slice of an arrow array": lambda data: pa.array(data["age"]).slice(0, 0),
    "categories": lambda data: pd.Categorical(data["age"]),
}


@pytest.mark.parametrize("place", HIDING_PLACES)
def test_the_walk_finds_a_raw_value_wherever_it_hides(place):
    data = raw_table()
    release = recode(data, STUDY).release
    canaries = canaries_of(data)
    assert not leaks(canaries, release)
    vars(release)["hidden"] = HIDING_PLACES[place](data)
    assert leaks(canaries, release)


def test_the_walk_finds_the_recoding():
    recoding = recode(raw_table(), STUDY)
    vars(recoding.release)["hidden"] = recoding.candidates
    assert any(isinstance(found, Recoding) for found in reachable(recoding.release))


# ---------------------------------------------------------------- a release from a file


def numbers_of(result):
    return [
        (
            part.segment,
            part.size,
            part.free_cells,
            part.lr_solutions,
            part.cra_solutions,
            part.combinations,
            part.cell_distributions(),
            [constraint.text for constraint in part.constraints()],
        )
        for part in result.parts
    ]


@pytest.mark.parametrize("ties", ["sound", "paper"])
def test_the_file_is_all_that_the_attack_needs(tmp_path, ties):
    recoding = recode(raw_table(), STUDY)
    recoding.release.to_csv(tmp_path / "release.csv")
    STUDY.to_toml(tmp_path / "study.toml")
    read = read_release(tmp_path / "release.csv", Study.from_toml(tmp_path / "study.toml"))
    theirs, ours = attack(read, ties=ties), attack(recoding.release, ties=ties)
    assert numbers_of(theirs) == numbers_of(ours)
    assert np.array_equal(theirs.owner, ours.owner)
    assert math.isclose(theirs.mean_ratio, ours.mean_ratio)
