"""Small random tables, as publishers of all kinds hand them out."""

import random
from fractions import Fraction

import pandas as pd

from cra_engine import Study
from cra_engine.study.file_hierarchy import FileHierarchy
from oracles.unequal import Tree, local_recoding, random_records, random_rows


def raw_layer(rows):
    """The same tree one layer deeper: raw values are published too, as ARX does with minimum level 0."""
    return [(row[0], *row) for row in rows]


def regular_rows(values, layers):
    """A tree of equal intervals, two children each."""
    leaf = values // 2 ** (layers - 1)
    widths = [leaf * 2**layer for layer in range(layers - 1)]
    return [
        (str(v), *(f"[{v // width * width}, {v // width * width + width}[" for width in widths), "*")
        for v in range(values)
    ]


def published(seed):
    """A random table, what a random publisher made of it, and the study: (data, labels, study, complete hierarchy)."""
    rng = random.Random(f"nothing false {seed}")
    attributes = rng.choice([1, 2, 2, 3])
    kind = rng.choice(["regular", "regular", "irregular"])
    if kind == "irregular":
        rows = [random_rows(rng, numeric=True, name="abc"[i]) for i in range(attributes)]
    else:
        rows = [regular_rows(rng.choice([8, 16, 40]), rng.choice([2, 3, 3, 4])) for _ in range(attributes)]
    # Few records, in few places: many labels never appear.
    if rng.random() < 0.5:
        records = random_records(rng, rows, rng.randint(4, 24))
    else:
        records = [tuple(rng.choice(tree)[0] for tree in rows) for _ in range(rng.randint(4, 20))]
    names = ["Q1", "Q2", "Q3"][:attributes]
    share = rng.choice([None, None, Fraction(1, 10), Fraction(1, 4)])
    k = rng.choice([2, 2, 3])
    raw = rng.random() < 0.3
    trees = [Tree(raw_layer(tree) if raw and rng.random() < 0.7 else tree) for tree in rows]
    labels = local_recoding(trees, k, records, share, rng)
    study = Study(
        [FileHierarchy(name, tuple(tree)) for name, tree in zip(names, rows, strict=True)],
        k,
        "paper" if share is None else float(share),
    )
    data = pd.DataFrame([tuple(map(int, record)) for record in records], columns=names)
    return data, pd.DataFrame(labels, columns=names), study
