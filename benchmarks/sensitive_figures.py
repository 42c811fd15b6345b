"""Figures 2 to 5 of the paper on sensitive cells, done again: counts as CSV, shares of cells as Markdown.

    python benchmarks/sensitive_figures.py [FOLDER]     run what is not in sensitive_cells.csv yet, then print

Iris is part of this program, breast cancer, diabetes and wine come with scikit-learn. FOLDER may hold the paper's other
public tables: abalone.csv (UCI, no header), ionosphere.csv (UCI) and casc_reference_1080.csv (sdcMicro's
CASCrefmicrodata). Concrete, and Adult's six numbers, are not among them. What stands in sensitive_cells.csv is not
counted again; take the file away for all.
"""

import argparse
import csv
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn import datasets

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from cra_engine.criteria.cells import ClassCells, judged  # noqa: E402
from cra_engine.criteria.concentration import Dominance, PRule  # noqa: E402
from cra_engine.files.tables import read_table  # noqa: E402
from cra_engine.publish.microaggregation.microaggregate import formed_clusters  # noqa: E402
from cra_engine.raw.exact_columns import ExactColumns, exact_columns  # noqa: E402

RESULTS = ROOT / "benchmarks" / "sensitive_cells.csv"
KS = (*range(2, 16), *range(20, 26), 30, 40, 50, 75, 100, 125)  # the paper's, without 1
RULES = {f"({n}, {r})": Dominance(n, r) for n in (1, 2) for r in ("0.6", "0.7", "0.8")} | {
    f"p {p}": PRule(p) for p in ("0.6", "0.66", "0.7")
}
KEYS = ("data", "method", "columns", "k")
FIELDS = (*KEYS, "cells", "undefined", *RULES)


def tables(folder: Path | None) -> Iterator[tuple[str, ExactColumns]]:
    """The tables at hand: the paper's by their names there, then others."""
    iris = read_table(ROOT / "sample_data" / "iris.csv")
    yield "iris", numbers(iris)
    if folder is not None:
        abalone = pd.read_csv(folder / "abalone.csv", header=None, dtype=str)
        yield "abalone", numbers(abalone.set_axis([f"c{place}" for place in range(abalone.shape[1])], axis=1))
        for name, file in (("ionosphere", "ionosphere.csv"), ("f1080", "casc_reference_1080.csv")):
            yield name, numbers(pd.read_csv(folder / file, dtype=str))
    for name, load in (
        ("breast cancer", datasets.load_breast_cancer),
        ("diabetes", lambda as_frame: datasets.load_diabetes(as_frame=as_frame, scaled=False)),
        ("wine", datasets.load_wine),
    ):
        yield name, numbers(load(as_frame=True).frame)


def numbers(table: pd.DataFrame) -> ExactColumns:
    """All columns as numbers: the categories of a column of text as 1, 2, .. in the order in which they occur."""
    made = table.copy()
    for name in made.columns:
        if pd.to_numeric(made[name], errors="coerce").isna().any():
            made[name] = pd.factorize(made[name])[0] + 1
    return exact_columns(made)


def planned(name: str, columns: int) -> Iterator[dict[str, Any]]:
    """All columns by both methods; the first 1, 2, .. by MDAV."""
    for k in KS:
        yield {"data": name, "method": "mdav", "columns": columns, "k": k}
        yield {"data": name, "method": "mondrian", "columns": columns, "k": k}
        if name in ("f1080", "iris"):
            for first in range(1, columns):
                yield {"data": name, "method": "mdav", "columns": first, "k": k}


def counted(table: ExactColumns, run: dict[str, Any]) -> dict[str, int]:
    """Sensitive cells by each rule."""
    first = int(run["columns"])
    part = ExactColumns(table.names[:first], np.ascontiguousarray(table.whole[:, :first]), table.digits)
    cells = ClassCells(formed_clusters(part, int(run["k"]), run["method"]), part.whole)
    found = {name: int(judged(rule, cells)[0].sum()) for name, rule in RULES.items()}
    return {"cells": int(np.prod(cells.shape)), "undefined": int(cells.negative.sum())} | found


SHOWN = ("2", "3", "4", "5", "8", "10", "15", "25", "50")


def sheet(rows: list[dict[str, str]], head: str, chosen: list[tuple[str, dict[str, str], str]]) -> str:
    """A table of shares of cells in percent: a line each for what is chosen of the rows, and a rule."""
    lines = [f"| {head} | " + " | ".join(f"k = {k}" for k in SHOWN) + " |", "|---|" + "---:|" * len(SHOWN)]
    for title, wanted, rule in chosen:
        own = {row["k"]: row for row in rows if all(row[key] == value for key, value in wanted.items())}
        shares = [f"{100 * int(own[k][rule]) / int(own[k]['cells']):.2f}" for k in SHOWN]
        lines.append(f"| {title} | " + " | ".join(shares) + " |")
    return "\n".join(lines) + "\n"


def report(rows: list[dict[str, str]]) -> str:
    """The paper's figures as tables, of what is at hand."""
    most = {
        name: str(max(int(row["columns"]) for row in rows if row["data"] == name))
        for name in dict.fromkeys(row["data"] for row in rows)
    }
    whole = {name: {"data": name, "method": "mdav", "columns": columns} for name, columns in most.items()}
    halves = {name: one | {"method": "mondrian"} for name, one in whole.items()}
    text = "Figure 2:\n\n" + sheet(
        rows, "table, rule", [(f"{n}, {r}", one, r) for n, one in whole.items() for r in ("(1, 0.6)", "p 0.66")]
    )
    text += "\nFigure 3:\n\n" + sheet(
        rows, "table, rule", [(f"{n}, {r}", one, r) for n, one in whole.items() for r in ("(2, 0.6)", "p 0.6")]
    )
    if "f1080" in most:
        text += "\nFigure 4, f1080:\n\n" + sheet(
            rows,
            "columns, rule",
            [
                (f"the first {n}, {r}", whole["f1080"] | {"columns": str(n)}, r)
                for r in ("(1, 0.6)", "p 0.66")
                for n in (1, 3, 5, 7, 9, 11, 13)
            ],
        )
    return (
        text
        + "\nFigure 5, Mondrian:\n\n"
        + sheet(
            rows, "table, rule", [(f"{n}, {r}", one, r) for n, one in halves.items() for r in ("(1, 0.6)", "p 0.66")]
        )
    )


def main() -> None:
    """Run what is missing, and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", metavar="FOLDER", nargs="?", type=Path)
    folder = parser.parse_args().folder
    rows = list(csv.DictReader(RESULTS.open(encoding="utf-8"))) if RESULTS.exists() else []
    already = {tuple(row[key] for key in KEYS) for row in rows}
    with RESULTS.open("a", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, FIELDS, lineterminator="\n")
        if not already:
            writer.writeheader()
        for name, table in tables(folder):
            for run in planned(name, len(table.names)):
                if tuple(str(run[key]) for key in KEYS) not in already:
                    writer.writerow(run | counted(table, run))
                    file.flush()
    with RESULTS.open(encoding="utf-8") as file:
        print(report(list(csv.DictReader(file))))


if __name__ == "__main__":
    main()
