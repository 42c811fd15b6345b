"""Do likely things come true on real tables? Per prior, what an attack says of cells beside what is so.

    python benchmarks/priors.py        some minutes; prints the table of docs/priors.md

Real records are neither different nor uniform in their boxes. Tables of scikit-learn, and of statsmodels where it is
installed, are published with the paper's settings and read from the release alone, with each prior.
"""

import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from cra_engine import Attribute, Study, attack, recode, single_out
from cra_engine.audits.repeats import values_repeat
from cra_engine.raw.placement import locate

TENTHS, FEWEST = 10, 50
PRIORS = ("distinct", "independent")


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


def main() -> None:
    """Print, per prior and tenth, what was said and what came true."""
    rng = np.random.default_rng(3)
    found: dict[str, list[tuple[float, bool]]] = defaultdict(list)
    for name, whole in tables():
        for k in (3, 5, 8):
            for size in (60, 150, 400):
                if size > len(whole):
                    continue
                for _ in range(4):
                    data = whole.iloc[rng.choice(len(whole), size, replace=False)].reset_index(drop=True)
                    study = study_of(data, k)
                    release = recode(data, study).release
                    cells, held = np.unique(locate(data, study).leaves, axis=0, return_counts=True)
                    alone = {tuple(cell) for cell in cells[held == 1].tolist()}
                    chosen = "independent" if values_repeat(attack(release)) else "distinct"
                    for prior in PRIORS:
                        try:
                            chances = single_out(attack(release, prior=prior)).cells
                        except ValueError:
                            continue
                        own = [(chance.probability, chance.cell in alone) for chance in chances]
                        found[prior] += own
                        if prior == chosen:
                            found["chosen by the audit"] += own
                            found[f"{name}, chosen: {prior}"] += own
    for what, pairs in found.items():
        said, true = (sum(values) for values in zip(*pairs, strict=True))
        print(f"\n{what}: {len(pairs)} cells, {said:.0f} said to hold one person, {true} do")
        tenths: dict[int, list[tuple[float, bool]]] = defaultdict(list)
        for pair in pairs:
            tenths[min(int(TENTHS * pair[0]), TENTHS - 1)].append(pair)
        for _, own in sorted(tenths.items()):
            if len(own) >= FEWEST:
                said, true = (sum(values) / len(own) for values in zip(*own, strict=True))
                print(f"  said {said:.2f}  true {true:.2f}  ({len(own)} cells)")


if __name__ == "__main__":
    main()
