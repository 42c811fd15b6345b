"""Random studies and tables: seeded generators for many cases, Hypothesis strategies for shrinkable ones."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import prod

import pandas as pd
from hypothesis import strategies as st

from cra_engine.study.attribute import Attribute
from cra_engine.study.study import Study
from oracles.literal import Record

NAMES = ("weight", "age", "pulse", "stay")
MAX_CELLS = 300


@dataclass(frozen=True)
class Case:
    """A study, a table for it, and the table's records as exact numbers."""

    study: Study
    data: pd.DataFrame
    records: tuple[Record, ...]

    def __repr__(self) -> str:
        settings = [
            f"{a.name}: [{a.lower}, {a.upper}) step {a.resolution}, {a.layers} layers, fanout {a.fanout}"
            for a in self.study.attributes
        ]
        rows = [tuple(float(value) for value in record) for record in self.records]
        return f"Case(k={self.study.k}; {'; '.join(settings)}; records={rows})"


def make_attribute(name: str, *, fanout: int, layers: int, leaf: int, lower: str = "0", step: str = "1") -> Attribute:
    """An attribute whose leaves hold ``leaf`` values each."""
    start, resolution = Decimal(lower), Decimal(step)
    return Attribute(name, start, start + fanout ** (layers - 1) * leaf * resolution, layers, fanout, resolution)


def _same_domain(rng: random.Random, count: int) -> list[Attribute]:
    """One domain, hierarchies of different heights: the loss ties between states that differ in c1 or only in c2."""
    values = rng.choice([32, 64, 96])
    shapes = [(2, 2), (2, 3), (2, 4), (4, 2), (4, 2), (8, 2)] if count < 3 else [(2, 2), (2, 3), (4, 2)]
    chosen = [rng.choice(shapes) for _ in range(count)]
    return [
        make_attribute(name, fanout=fanout, layers=layers, leaf=values // fanout ** (layers - 1))
        for name, (fanout, layers) in zip(NAMES, chosen, strict=False)
    ]


def _attributes(rng: random.Random, *, fanouts: Sequence[int], equal: bool, count: int) -> list[Attribute]:
    if equal and rng.random() < 0.4 and 2 in fanouts and max(fanouts) > 3:
        return _same_domain(rng, count)
    most_layers = {1: 4, 2: 4, 3: 3, 4: 3}[count]
    settings = []
    for _ in range(count):
        fanout = rng.choice(fanouts)
        layers = rng.choices(range(1, most_layers + 1), weights=[1, 4, 6, 4][:most_layers])[0]
        if fanout > 3:
            layers = min(layers, 2)
        leaf = rng.choice([2, 3, 5, 10, 25])
        settings.append(
            {
                "fanout": fanout,
                "layers": layers,
                "leaf": leaf,
                "lower": rng.choice(["0", "0", "-20", "7", "36.5"]),
                "step": rng.choice(["1", "1", "1", "0.1", "0.5"]),
            }
        )
    if equal:
        settings = [settings[0]] * count
    while prod(s["fanout"] ** (s["layers"] - 1) for s in settings) > MAX_CELLS:
        tallest = max(range(count), key=lambda i: settings[i]["layers"])
        shorter = {**settings[tallest], "layers": settings[tallest]["layers"] - 1}
        settings = [shorter] * count if equal else [*settings[:tallest], shorter, *settings[tallest + 1 :]]
    return [make_attribute(name, **s) for name, s in zip(NAMES, settings, strict=False)]


def domain_size(attribute: Attribute) -> int:
    """Number of different values of the domain."""
    return int((attribute.upper - attribute.lower) / attribute.resolution)


def finest_cells(study: Study) -> int:
    """Number of finest cells of a study: of few, all that can be asked of each is settled soon."""
    return prod(len(attribute.layer_nodes[0]) for attribute in study.attributes)


def _column(
    rng: random.Random, attribute: Attribute, centres: Sequence[float], spread: float, distinct: bool
) -> list[int]:
    """Positions in the domain (0, 1, ..), one per record, gathered around each record's centre."""
    used: set[int] = set()
    column, size = [], domain_size(attribute)
    for centre in centres:
        position = round(rng.gauss(centre, spread) * size) % size
        while distinct and position in used:
            position = (position + 1) % size
        used.add(position)
        column.append(position)
    return column


def _written(rng: random.Random, value: Fraction, *, careless: bool) -> str:
    """A number as a person may write it: careless spellings differ for the same number."""
    text = str(Decimal(value.numerator) / Decimal(value.denominator))
    if careless:
        return rng.choice([text, f" {text}", f"{text}.0" if "." not in text else f"{text}0"])
    return text


def random_case(
    seed: int,
    *,
    fanouts: Sequence[int] = (2, 2, 2, 3, 3, 4),
    equal: bool | None = None,
    count: int | None = None,
    most_records: int = 45,
) -> Case:
    """A study and a table, the same for the same arguments.

    Equal domains give exact ties of the loss, clusters compound classes; values repeat in about half of the tables.
    """
    rng = random.Random(f"case {seed}")
    count = rng.choice([1, 2, 2, 2, 3, 3, 4]) if count is None else count
    equal = rng.random() < 0.4 if equal is None else equal
    attributes = _attributes(rng, fanouts=fanouts, equal=equal, count=count)
    k = rng.choice([2, 3, 3, 4, 5, 6])
    distinct = rng.random() < 0.5
    most = min([most_records, *(domain_size(a) for a in attributes if distinct)])
    size = rng.randint(min(k, most), most)
    k = min(k, max(size, 2))
    size = max(size, k)
    clusters = [[rng.random() for _ in attributes] for _ in range(rng.randint(1, 4))]
    chosen = [rng.choice(clusters) for _ in range(size)]
    spread = rng.choice([0.05, 0.15, 0.3, 1.0])
    columns = [
        _column(rng, attribute, [centre[i] for centre in chosen], spread, distinct)
        for i, attribute in enumerate(attributes)
    ]
    records = tuple(
        tuple(Fraction(a.lower) + at * Fraction(a.resolution) for a, at in zip(attributes, positions, strict=True))
        for positions in zip(*columns, strict=True)
    )
    return Case(Study(attributes, k), _table(rng, attributes, records), records)


def _table(rng: random.Random, attributes: Sequence[Attribute], records: Sequence[Record]) -> pd.DataFrame:
    """The records as a table: text or numbers, other columns in between, sometimes an index of its own."""
    spelling = rng.choice(["numbers", "text", "careless"])
    columns: dict[str, list[object]] = {"patient": [f"p{row}" for row in range(len(records))]}
    for i, attribute in enumerate(attributes):
        values = [record[i] for record in records]
        if spelling == "numbers":
            whole = all(value.denominator == 1 for value in values)
            columns[attribute.name] = [int(value) if whole else float(value) for value in values]
        else:
            columns[attribute.name] = [_written(rng, value, careless=spelling == "careless") for value in values]
    columns["diagnosis"] = [rng.choice(["flu", "", "asthma"]) for _ in records]
    names = list(columns)
    rng.shuffle(names)
    index = list(range(len(records)))
    if rng.random() < 0.5:
        rng.shuffle(index)
    return pd.DataFrame({name: columns[name] for name in names}, index=index)


@st.composite
def cases(draw: st.DrawFn, *, fanouts: Sequence[int] = (2, 3)) -> Case:
    """A small study with a table of whole numbers; shrinks to few records, few attributes, small values."""
    equal = draw(st.booleans())
    settings = draw(
        st.lists(
            st.fixed_dictionaries(
                {
                    "fanout": st.sampled_from(list(fanouts)),
                    "layers": st.integers(1, 3),
                    "leaf": st.integers(2, 6),
                }
            ),
            min_size=1,
            max_size=3,
        )
    )
    if equal:
        settings = [settings[0]] * len(settings)
    attributes = [make_attribute(name, **s) for name, s in zip(NAMES, settings, strict=False)]
    k = draw(st.integers(2, 4))
    rows = draw(st.lists(st.tuples(*(st.integers(0, domain_size(a) - 1) for a in attributes)), min_size=k, max_size=24))
    records = tuple(tuple(Fraction(value) for value in row) for row in rows)
    data = pd.DataFrame(rows, columns=[a.name for a in attributes])
    return Case(Study(attributes, k), data, records)
