"""The domains that the paper's Table 3 tells of, and its experiment on hospitals with as many values.

    python benchmarks/reproduction.py domains

With s suppressed records on a domain of V combinations of values, LR solutions are C(V, s). So a printed number gives a
V for each s; that one V serves all three sets of attributes of HCUP is what the paper does not say. The experiment
takes the records of plans/paper.toml, each attribute cut evenly into as many values as make V together.
"""

import math
import sys
from itertools import chain
from pathlib import Path

import numpy as np
from published import PUBLISHED

from cra_engine.cli.progress import Progress
from cra_engine.experiments.layout import shown_value
from cra_engine.experiments.plan import Plan
from cra_engine.experiments.results import Results
from cra_engine.experiments.run import run_experiment
from cra_engine.experiments.tables import all_tables
from cra_engine.raw.synthesis import synthesize
from cra_engine.study.attribute import Attribute
from cra_engine.study.study import Study

DOMAIN = 85_000
# Values per attribute, multiples of the four leaves: 85,264, 85,184 and 81,920 combinations.
VALUES = {2: (292, 292), 3: (44, 44, 44), 4: (20, 16, 16, 16)}
OVERLAP = {2: 88.1, 3: 77.0}  # section 5.2, k = 6: the share of cells that some class covers
_SETS = """k = [6]
[[dataset]]
name = "hospitals"
synthetic = "hospitals"
records = 800
sets = [{ attributes = ["hosp_id", "APICC"] }, { attributes = ["hosp_id", "APICC", "GAPICC"] }]
"""
TRENDS = {
    "12 samples of one table": "seed = 2025\nsamples = 12\n" + _SETS + "pool = 1013\n",
    "200 tables": "seed = 2026\nsamples = 200\n" + _SETS,
}


def domain_of(solutions: float, records: int) -> int:
    """The least domain of which so many sets of this many different records can be taken.

    >>> domain_of(10, 2), domain_of(4.06e9, 2)
    (5, 90112)
    """
    least, most = records, 2
    while math.comb(most, records) < solutions:
        most *= 2
    while least < most:
        middle = (least + most) // 2
        if math.comb(middle, records) < solutions:
            least = middle + 1
        else:
            most = middle
    return least


def nearest(solutions: float) -> tuple[int, int]:
    """Suppressed records, and the domain that they make of a printed number: those that come nearest to 85,000."""
    found = [(records, domain_of(solutions, records)) for records in range(2, 11)]
    return min(found, key=lambda one: abs(math.log(one[1] / DOMAIN)))


def run(folder: Path) -> Results:
    """The paper's plan for hospitals, on domains of about 85,000 combinations."""
    made = synthesize("hospitals", seed=0)
    text = 'seed = 2025\nsamples = 12\nk = [3, 4, 5, 6, 7]\nprofile = "paper"\n'
    for qis, values in VALUES.items():
        attributes = made.study.attributes[:qis]
        coarse = made.data[[attribute.name for attribute in attributes]].copy()
        for attribute, number in zip(attributes, values, strict=True):
            lower, upper = float(attribute.lower), float(attribute.upper)
            share = (coarse[attribute.name].astype(float) - lower) / (upper - lower)
            coarse[attribute.name] = np.floor(share * number).astype(int)
        coarse.to_csv(folder / f"hospitals{qis}.csv", index=False)
        named = [Attribute(one.name, 0, number, 3) for one, number in zip(attributes, values, strict=True)]
        Study(named, 5).to_toml(folder / f"hospitals{qis}.toml")
        names = ", ".join(f'"{attribute.name}"' for attribute in attributes)
        text += (
            f'\n[[dataset]]\nname = "hospitals{qis}"\ndata = "hospitals{qis}.csv"\nstudy = "hospitals{qis}.toml"\n'
            f"records = 800\nsets = [{{ attributes = [{names}] }}]\n"
        )
    plan, output = folder / "inferred.toml", folder / "inferred.csv"
    plan.write_text(text, encoding="utf-8")
    run_experiment(Plan.from_toml(plan), output, progress=Progress(sys.stderr).show)
    return Results(output)


def report(folder: Path) -> str:
    """What the numbers of Table 3 say of the domains, and what compares once they are taken."""
    results = run(folder)
    made = {table.key: table for table in all_tables(results)}
    points = [(qis, k) for qis in VALUES for k in range(3, 8)]
    rows = [["QIs", "k", "LR solutions, paper", "suppressed records", "domain"]]
    for qis, k in points:
        solutions = PUBLISHED["hospitals", qis, k]["table3_lr"]
        records, domain = nearest(solutions)
        rows.append([str(qis), str(k), shown_value(math.log10(solutions), "power"), str(records), f"{domain:,}"])
    text = _table(rows)
    for key, title in (("table3", "Suppressed records"), ("table2", "Compound classes")):
        by_name = {
            row[0]: dict(zip((column.title for column in made[key].columns), row, strict=True))
            for row in made[key].rows
        }
        names = {"LR solutions": "lr", "CRA solutions": "cra", "CRA ratio": "ratio"}
        heads = chain.from_iterable((f"{name}: paper", f"{name}: here") for name in names)
        rows = [["QIs", "k", *heads]]
        for qis, k in points:
            cells = [str(qis), str(k)]
            for name, suffix in names.items():
                paper = PUBLISHED["hospitals", qis, k][f"{key}_{suffix}"]
                here = by_name[f"hospitals{qis}"][f"k = {k}: {name}"]
                cells += [shown_value(math.log10(paper), "power"), shown_value(here, "power")]
            rows.append(cells)
        text += f"\n{title}:\n\n" + _table(rows)
    rows = [["QIs", "cells that some class covers: paper", *(f"here, {name}" for name in TRENDS)]]
    found = {name: covered(Plan.from_toml_text(plan), folder / f"{name}.csv") for name, plan in TRENDS.items()}
    rows += [[str(qis), f"{share} %", *(found[name][qis] for name in TRENDS)] for qis, share in OVERLAP.items()]
    return text + "\nShare of the grid's cells that some class covers, k = 6:\n\n" + _table(rows)


def covered(plan: Plan, output: Path) -> dict[int, str]:
    """Per number of attributes the mean share of covered cells, over the samples that have suppressed records."""
    run_experiment(plan, output, progress=Progress(sys.stderr).show)
    frame, shares = Results(output).frame, {}
    for qis in OVERLAP:
        own = frame[frame["attributes"].str.count(" ") == qis - 1]
        some = own[own["suppressed_free_cells"] != ""]
        share = 1 - some["suppressed_free_cells"].astype(float) / some["cells"].astype(float)
        shares[qis] = f"{100 * share.mean():.1f} % ({len(some)} of {len(own)} samples)"
    return shares


def _table(rows: list[list[str]]) -> str:
    head, *body = rows
    lines = [head, ["---:"] * len(head), *body]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)
