"""Global recoding of Adult: its lattice against a bare numpy pass, and the figures of 002 as Markdown.

python benchmarks/run.py full_domain          the times, as ratios
python benchmarks/full_domain.py              Tables 5 to 8 for Adult, as docs/reproduction.md has them (a minute)
python benchmarks/full_domain.py limits       Figure 7: how good three searches are alone, by what may be suppressed
python benchmarks/full_domain.py searches     how many states each looks at until the best is proven
python benchmarks/full_domain.py presence     the models with d-presence, as ranges over draws of the subset (minutes)
"""

import argparse
import lzma
import math
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from measure import Result, median_seconds

from cra_engine import Study, read_hierarchy, read_table
from cra_engine.choices import Search
from cra_engine.criteria.d_presence import DPresence
from cra_engine.criteria.k_anonymity import KAnonymity
from cra_engine.criteria.l_diversity import LDiversity
from cra_engine.criteria.models import Criterion
from cra_engine.criteria.t_closeness import TCloseness
from cra_engine.publish.flash import below
from cra_engine.publish.full_domain.recoding import FullDomain, allowed
from cra_engine.publish.full_domain.search import UTILITIES, Looks
from cra_engine.study.file_hierarchy import FileHierarchy

FOLDER = Path(__file__).resolve().parents[1] / "tests" / "data" / "adult"
ORDERS: tuple[Search, ...] = ("flash", "ola", "incognito")
NAMES = ("sex", "age", "race", "marital-status", "education", "native-country", "workclass", "salary-class")


def tree(name: str) -> FileHierarchy:
    """ARX's hierarchy of a column."""
    return read_hierarchy(FOLDER / f"adult_hierarchy_{name}.csv", name)


def adult() -> tuple[pd.DataFrame, Study]:
    """Adult with ARX's hierarchies, k = 5."""
    data = read_table(lzma.decompress((FOLDER / "adult.csv.xz").read_bytes()), "adult.csv")
    return data, Study([tree(name) for name in NAMES], 5)


def models() -> dict[str, list[Criterion]]:
    """The paper's models on Adult, occupation sensitive."""
    recursive = LDiversity("occupation", 4, "recursive", c=3)
    close = TCloseness("occupation", Fraction(1, 5), "hierarchical", tree("occupation"))
    return {"k": [KAnonymity(5)], "recursive": [recursive], "k, t": [KAnonymity(5), close]}


def with_presence(data: pd.DataFrame) -> tuple[pd.DataFrame, dict[str, list[Criterion]]]:
    """The models beside the paper's d-presence; a tenth of the records, drawn at random, is marked to be published."""
    marked = np.random.default_rng(2015).permutation(len(data)) < len(data) // 10
    present = DPresence("subset", "yes", Fraction(1, 20), Fraction(3, 20))
    close = models()["k, t"]
    return data.assign(subset=np.where(marked, "yes", "no")), models() | {"d": [present], "k, d, t": [*close, present]}


def bare(whole: FullDomain) -> int:
    """The fewest suppressed records of a state, k = 5; class sizes by one ``np.unique`` of the rows at each state."""
    table = whole.table
    layers = [[layer.astype(np.int64) for layer in of] for of in table.shown]
    least = table.records
    for state in product(*map(range, table.shape)):
        key = np.zeros(len(table.counts), dtype=np.int64)
        for of, sizes, layer in zip(layers, table.sizes, state, strict=True):
            key = key * sizes[layer] + of[layer]
        _, place = np.unique(key, return_inverse=True)
        sizes_of_classes = np.bincount(place, weights=table.counts)
        least = min(least, int(sizes_of_classes[sizes_of_classes < 5].sum()))
    return least


def full_domain() -> Iterator[Result]:
    """Every state of Adult's lattice, and the search that predicts most of them."""
    raw, study = adult()
    data, asked = with_presence(raw)
    for name, criteria in asked.items():
        whole = FullDomain(data, study, criteria)
        limit = allowed(whole.table.records, 0.05, None)

        def every(part: FullDomain, criteria: Sequence[Criterion] = criteria, limit: int = limit) -> Looks:
            return part.searcher(criteria, limit, entropies=name == "k").exhaustive()  # noqa: B023 - called at once

        def flash(part: FullDomain, criteria: Sequence[Criterion] = criteria, limit: int = limit) -> Looks:
            return part.searcher(criteria, limit, entropies=name == "k").search()  # noqa: B023 - called at once

        yield Result(
            f"look at all {whole.table.states:,} states of Adult for {name} : np.unique of its rows at every state",
            median_seconds(every, lambda part=whole: part, 3),  # type: ignore[misc]
            median_seconds(bare, lambda part=whole: part, 1),  # type: ignore[misc]
            note="The engine judges every class, and for k takes the entropy of every state too; numpy counts classes.",
        )
        yield Result(
            f"Flash on Adult for {name}, 5 % suppressed : look at all states",
            median_seconds(flash, lambda part=whole: part, 3),  # type: ignore[misc]
            median_seconds(every, lambda part=whole: part, 1),  # type: ignore[misc]
        )


def all_models() -> dict[str, list[Criterion]]:
    """The paper's models without d-presence, those that say the same as another of them left out."""
    made = models()
    return made | {"k, l": [*made["k"], *made["recursive"]], "t": made["k, t"][1:]}


def presence(draws: dict[str, int]) -> None:
    """Print Tables 5, 7 and 8 of the models with d-presence: from the least to the largest over draws of the subset."""
    raw, study = adult()
    made, present = models(), DPresence("subset", "yes", Fraction(1, 20), Fraction(3, 20))
    asked = {
        "d": [present],
        "k, d": [*made["k"], present],
        "l, d": [*made["recursive"], present],
        "t, d": [*made["k, t"][1:], present],
        "k, l, d": [*made["k"], *made["recursive"], present],
        "k, t, d": [*made["k, t"], present],
    }
    print("| model | draws | entropy | precision | discernibility | AECS | Table 7 | Table 8 |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    for name, number in draws.items():
        found = []
        for seed in range(number):
            marked = np.random.default_rng(seed).permutation(len(raw)) < len(raw) // 10
            whole = FullDomain(raw.assign(subset=np.where(marked, "yes", "no")), study, asked[name])
            none, some = (
                whole.searcher(asked[name], allowed(whole.table.records, share, None), entropies=True).search()
                for share in (0, 0.05)
            )
            gains = [100 * b / a for a, b in zip(losses(none), losses(some), strict=True)]
            found.append([*gains, 100 * none.pruned, 100 * some.pruned])
        ranges = (f"{min(of):.1f} to {max(of):.1f}" for of in zip(*found, strict=True))
        print(f"| {name} | {number} | " + " | ".join(ranges) + " |", flush=True)


def limits() -> None:
    """Print Figure 7: the least loss in percent of the best that each search alone sees, a mean of models."""
    data, study = adult()
    print("| may be suppressed | entropy | precision | discernibility | AECS |")
    print("| ---: | ---: | ---: | ---: | ---: |")
    wholes = [FullDomain(data, study, criteria) for criteria in models().values()]
    for share in (0, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1):
        found: dict[Search, list[list[float]]] = {by: [] for by in ORDERS}
        for whole in wholes:
            limit = allowed(whole.table.records, share, None)
            best = losses(whole.searcher(whole.criteria, limit, entropies=True).search())
            for by, of_models in found.items():
                looks = whole.searcher(whole.criteria, limit, entropies=True).alone(by)
                seen = losses(in_last_round(looks) if by == "incognito" else looks)
                of_models.append([least / alone for least, alone in zip(best, seen, strict=True)])
        means = (
            " / ".join(f"{100 * math.prod(ratios) ** (1 / len(ratios)):.1f}" for ratios in of_losses)
            for of_losses in zip(*(list(zip(*of, strict=True)) for of in found.values()), strict=True)
        )
        print(f"| {100 * share:g} % | " + " | ".join(means) + " |", flush=True)


def in_last_round(looks: Looks) -> Looks:
    """Only what Incognito publishes from: its last round, of all attributes, ends at states with none that fits below.

    What it looked at before were tables of fewer columns, not states to publish.
    """
    fits = looks.looked & looks.anonymous
    least = fits.copy()
    for place in map(tuple, np.argwhere(fits)):
        least[place] = fits[below(place)].sum() == 1
    return replace(looks, looked=least)


def searches() -> None:
    """Print how many states each search looks at, in both phases, until the least loss is proven."""
    data, study = adult()
    print("| model | may be suppressed | " + " | ".join(ORDERS) + " |")
    print("| --- | ---: |" + " ---: |" * len(ORDERS))
    for name, criteria in all_models().items():
        whole = FullDomain(data, study, criteria)
        for share in (0, 0.01, 0.05):
            limit = allowed(whole.table.records, share, None)
            looks = [whole.searcher(criteria, limit, entropies=False).search(by) for by in ORDERS]
            if len({made.best("aecs") for made in looks}) > 1:
                raise AssertionError("The searches find different states.")
            cells = (f"{made.checked:,}" for made in looks)
            print(f"| {name} | {100 * share:g} % | " + " | ".join(cells) + " |", flush=True)


def losses(looks: Looks) -> list[float]:
    """The least of each loss."""
    found = []
    for utility in UTILITIES:
        state = looks.best(utility)
        found.append(float("nan") if state is None else looks.loss(state, utility))
    return found


def without_presence() -> None:
    """Print Tables 5 to 8 for the models that draw nothing."""
    data, study = adult()
    print("| model | Table 5: entropy, precision, discernibility, AECS | Table 6 | Table 7 | Table 8 | anonymous |")
    print("| --- | --- | --- | ---: | ---: | ---: |")
    for name, criteria in all_models().items():
        whole = FullDomain(data, study, criteria)
        none, some, everything = (
            whole.searcher(criteria, allowed(whole.table.records, share, None), entropies=True).search()
            for share in (0, 0.05, 1)
        )
        alone = whole.searcher(criteria, whole.table.records, entropies=True).alone("flash")
        table_5 = ", ".join(f"{100 * b / a:.2f}" for a, b in zip(losses(none), losses(some), strict=True))
        table_6 = ", ".join(f"{100 * b / a:.2f}" for a, b in zip(losses(alone), losses(everything), strict=True))
        counts = f"{int(none.anonymous.sum()):,} and {int(some.anonymous.sum()):,}"
        print(f"| {name} | {table_5} | {table_6} | {100 * none.pruned:.2f} | {100 * some.pruned:.2f} | {counts} |")


def main() -> None:
    """Print the tables that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("which", nargs="?", choices=("limits", "searches", "presence"))
    match parser.parse_args().which:
        case "limits":
            limits()
        case "searches":
            searches()
        case "presence":
            presence({"k, d": 20, "l, d": 20, "k, l, d": 20, "k, t, d": 20, "d": 5, "t, d": 3})
        case None:
            without_presence()


if __name__ == "__main__":
    main()
