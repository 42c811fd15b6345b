"""Do likely things come true on real tables? Per prior, what an attack says of cells beside what is so.

    python benchmarks/priors.py             half an hour; prints the tables of docs/priors.md, draws its pictures
    python benchmarks/priors.py --chosen    a third of it: the prior that the audit chooses alone
    python benchmarks/priors.py --values    minutes: who has what, occupation and salary of the census table

Real records are neither different nor uniform in their boxes. The census table that comes with ARX, tables of
scikit-learn, and of statsmodels where it is installed, are published with the paper's settings and read from the
release alone, with each prior. The cells of one release hang together, so releases are the units of standard errors.
"""

import math
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from diagram import Point, Way, svg

from cra_engine import (
    Attribute,
    CRAError,
    LDiversity,
    Population,
    Release,
    Study,
    attack,
    read_hierarchy,
    recode,
    single_out,
)
from cra_engine.assess.repeats import values_repeat
from cra_engine.choices import Prior
from cra_engine.raw.placement import locate
from cra_engine.study.hierarchy import Hierarchy

TENTHS, FEWEST, WITHIN = 10, 50, 0.1
PRIORS: tuple[Prior, ...] = ("distinct", "independent", "assignments")
CHOSEN = "chosen by the audit"
KS, SIZES = (3, 5, 8), (60, 150, 400, 1000)
TIMES, OFTEN, SMALL = 3, 10, 200  # samples of each size, and of tables with fewer records
ROOT = Path(__file__).resolve().parents[1]
ADULT = ROOT / "tests" / "data" / "adult"

Pair = tuple[float, bool]


def adult() -> Iterator[tuple[str, pd.DataFrame, list[Hierarchy]]]:
    """Columns of the census table, with ARX's own hierarchies."""
    whole = pd.read_csv(ADULT / "adult.csv.xz", sep=";", dtype=str)
    for columns in (["age", "sex", "race"], ["age", "education"], ["age", "workclass", "sex"], ["age", "occupation"]):
        trees = [read_hierarchy(ADULT / f"adult_hierarchy_{name}.csv", name) for name in columns]
        yield f"Adult: {', '.join(columns)}", whole[columns], trees


def tables() -> Iterator[tuple[str, pd.DataFrame]]:
    """Columns of whole numbers of public tables."""
    from sklearn import datasets  # noqa: PLC0415

    for name, load, columns, scale in (
        ("breast cancer", datasets.load_breast_cancer, ["mean radius", "mean texture"], 10),
        ("wine", datasets.load_wine, ["alcohol", "malic_acid"], 20),
        ("iris", datasets.load_iris, ["sepal length (cm)", "sepal width (cm)", "petal length (cm)"], 10),
    ):
        frame = load(as_frame=True).frame
        yield name, (frame[columns] * scale).round().astype(int)
    frame = datasets.load_diabetes(as_frame=True, scaled=False).frame
    yield "diabetes", frame[["age", "bmi", "bp"]].round().astype(int)
    try:
        from statsmodels.api import datasets as more  # noqa: PLC0415
    except ImportError:
        return
    fair = more.fair.load_pandas().data
    yield "affairs", fair[["age", "yrs_married", "educ"]].round().astype(int)
    votes = more.anes96.load_pandas().data
    yield "election study", votes[["age", "educ", "income"]].round().astype(int)
    travel = more.modechoice.load_pandas().data
    yield "travel", travel[["ttme", "invc", "hinc"]].round().astype(int).drop_duplicates()


def study_of(data: pd.DataFrame, k: int) -> Study:
    """Binary hierarchies of up to four layers over each column's range."""
    attributes = []
    for name in data.columns:
        lower, upper = int(data[name].min()), int(data[name].max()) + 1
        layers = 4 if upper - lower >= 16 else 3
        leaf = -(-(upper - lower) // 2 ** (layers - 1))
        attributes.append(Attribute(str(name), lower, lower + leaf * 2 ** (layers - 1), layers))
    return Study(attributes, k)


def sources() -> list[tuple[str, pd.DataFrame, list[Hierarchy] | None]]:
    """The tables, those that need a hierarchy with theirs."""
    return [*((*one, None) for one in tables()), *adult()]


def releases(
    name: str, whole: pd.DataFrame, trees: list[Hierarchy] | None
) -> Iterator[tuple[Release, set[tuple[int, ...]]]]:
    """Samples of a table, published, with the cells that hold exactly one person."""
    for k, size in product(KS, SIZES):
        rng = np.random.default_rng([k, size, *name.encode()])
        for _ in range((OFTEN if len(whole) < SMALL else TIMES) if size <= len(whole) else 0):
            data = whole.iloc[rng.choice(len(whole), size, replace=False)].reset_index(drop=True)
            study = study_of(data, k) if trees is None else Study(trees, k)
            cells, held = np.unique(locate(data, study).leaves, axis=0, return_counts=True)
            yield recode(data, study).release, {tuple(cell) for cell in cells[held == 1].tolist()}


def read(release: Release, alone: set[tuple[int, ...]], priors: Sequence[Prior]) -> dict[str, list[Pair]]:
    """Per prior, and for the one that the audit chooses, what is said of each cell and whether it is so."""
    chosen: Prior = "assignments" if values_repeat(attack(release)) else "distinct"
    found = {}
    for prior in dict.fromkeys((*priors, chosen)):
        try:
            chances = single_out(attack(release, prior=prior)).cells
        except CRAError:
            continue  # records must be alike
        found[prior] = [(chance.probability, chance.cell in alone) for chance in chances]
    if chosen in found:
        found[f"{CHOSEN}: {chosen}"] = found[chosen]
    return {of: pairs for of, pairs in found.items() if of in priors or of.startswith(CHOSEN)}


def points(releases: list[list[Pair]]) -> list[Point]:
    """What was said and what came true, tenth by tenth, where these are enough cells."""
    tenths: dict[int, list[tuple[float, int, int]]] = defaultdict(list)
    for pairs in releases:
        own: dict[int, list[Pair]] = defaultdict(list)
        for pair in pairs:
            own[min(int(TENTHS * pair[0]), TENTHS - 1)].append(pair)
        for tenth, held in own.items():
            tenths[tenth].append((sum(p for p, _ in held), sum(t for _, t in held), len(held)))
    result = []
    for _, rows in sorted(tenths.items()):
        cells = sum(number for *_, number in rows)
        if cells >= FEWEST:
            error = math.sqrt(sum((true - said) ** 2 for said, true, _ in rows)) / cells
            result.append(Point(sum(s for s, *_ in rows) / cells, sum(t for _, t, _ in rows) / cells, error, cells))
    return result


MOVED = 0.005
VALUES = (("occupation", 2), ("occupation", 3), ("salary-class", 2))  # sensitive columns, and l
READ_WITH = ("assignments", "population")


def said_of_people(
    size: int, k: int, column: str, diversity: int, sample: int, prior: str
) -> tuple[list[Pair], list[Pair]]:
    """Of each person in a wider class and each value: how likely it is said to be, and whether the person has it.

    By the attack on the class by itself, and by the shares of the class as published. The population is the whole
    census table.
    """
    names = ["age", "education"]
    whole = pd.read_csv(ADULT / "adult.csv.xz", sep=";", dtype=str)[[*names, column]]
    trees = [read_hierarchy(ADULT / f"adult_hierarchy_{name}.csv", name) for name in names]
    rng = np.random.default_rng([size, k, diversity, sample])
    data = whole.sample(size, random_state=rng, ignore_index=True)
    study = Study(trees, k, privacy=[LDiversity(column, diversity)])
    release = recode(data, study).release
    cells = list(map(tuple, locate(data, study).leaves.tolist()))
    said: list[Pair] = []
    published: list[Pair] = []
    everybody = locate(whole, study).leaves.T
    counts = [np.bincount(own, minlength=n) for own, n in zip(everybody, release.grid.shape, strict=True)]
    population = Population(tuple(tuple(map(int, np.maximum(own, 1))) for own in counts))
    shared = population if prior == "population" else None
    for part in attack(release, prior="assignments", population=shared).parts:
        rows = release.rows_of(-1 if part.index is None else part.index).tolist()
        shares = Counter(data[column].iloc[rows])
        known = {cell: None if part.basic else part.value_chances(cell) for cell in {cells[row] for row in rows}}
        for row in rows:
            chances = known[cells[row]]
            if chances is None or part.models is None:
                continue
            for kind, (belief, _) in chances.items():
                (value,) = part.models.kinds[kind]
                has = data[column].iloc[row] == value
                said.append((float(belief), has))
                published.append((shares[str(value)] / len(rows), has))
    return said, published


def values(sizes: Sequence[int] = (60, 150, 400), samples: int = 5) -> None:
    """Print, tenth by tenth, how likely values are said to be and how often people have them."""
    for (column, diversity), prior in product(VALUES, READ_WITH):
        made = [said_of_people(n, k, column, diversity, i, prior) for n, k, i in product(sizes, (3, 5), range(samples))]
        pairs = [list(zip(said, shares, strict=True)) for said, shares in made]
        # Shares of a class come true in it by themselves: what counts is where the attack says something else.
        moved = [[pair for pair in own if abs(pair[0][0] - pair[1][0]) > MOVED] for own in pairs]
        print(f"\n{column}, l = {diversity}, {prior}: {sum(map(len, moved)):,} of {sum(map(len, pairs)):,} moved")
        for called, own, place in (("all", pairs, 0), ("moved", moved, 0), ("moved, by shares", moved, 1)):
            print(f"\n{called}\n\n| said | came true | people |\n|---|---|---|")
            for point in points([[pair[place] for pair in one] for one in own]):
                print(f"| {point.said:.2f} | {point.found:.2f} ± {point.error:.2f} | {point.cells:,} |", flush=True)


Found = dict[tuple[str, str], list[list[Pair]]]


def picture(prior: str, found: Found) -> str:
    """All tables together, and each by itself."""
    own = [point for (name, of), read in found.items() if of == prior and name for point in points(read)]
    return svg(
        [
            Way("a single table", "#9bb8d3", "dot", [replace(point, error=0.0) for point in own]),
            Way(f"all tables, {prior}", "#0072B2", "circle", points(found["", prior])),
        ],
        WITHIN,
    )


def main() -> None:
    """Print what was said and what came true per prior, tenth and table; draw a picture per prior."""
    priors = () if "--chosen" in sys.argv else PRIORS
    found: Found = defaultdict(list)
    chose: dict[str, Counter[str]] = defaultdict(Counter)
    for source in sources():
        for release, alone in releases(*source):
            for of, pairs in read(release, alone, priors).items():
                prior, _, chosen = of.partition(": ")
                chose[source[0]].update([chosen] if chosen else [])
                found["", prior].append(pairs)
                found[source[0], prior].append(pairs)
    told(found, chose, (*priors, CHOSEN))


def told(found: Found, chose: dict[str, Counter[str]], priors: Sequence[str]) -> None:
    """Print the tables and draw the pictures."""
    for of in priors:
        print(f"\n{of}\n\n| said | came true | cells |\n|---|---|---|")
        for point in points(found["", of]):
            print(f"| {point.said:.2f} | {point.found:.2f} ± {point.error:.2f} | {point.cells:,} |")
        path = ROOT / "docs" / "figures" / f"calibration-{of.split()[0]}.svg"
        path.write_text(picture(of, found), encoding="utf-8")
    print("\n| table | chosen | cells | said | came true | tenths of 50 cells or more | of these off by more than .1 |")
    print("|---|---|---|---|---|---|---|")
    for name, times in chose.items():
        own = found[name, CHOSEN]
        off = [
            f".{100 * p.said:02.0f} came true .{100 * p.found:02.0f} ± .{100 * p.error:02.0f}"
            for p in points(own)
            if abs(p.said - p.found) > WITHIN
        ]
        pairs = [pair for read in own for pair in read]
        said, true = sum(p for p, _ in pairs), sum(t for _, t in pairs)
        how = ", ".join(f"{prior} {many}" for prior, many in sorted(times.items()))
        several = len(points(own))
        print(f"| {name} | {how} | {len(pairs):,} | {said:,.0f} | {true:,} | {several} | {'; '.join(off) or 'none'} |")


if __name__ == "__main__":
    values() if "--values" in sys.argv else main()
