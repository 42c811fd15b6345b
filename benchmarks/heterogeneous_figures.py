"""Figures 2 to 4, 6 to 8, 10 and 11 of the heterogeneous paper, done again on Adult: numbers as CSV, charts as SVG.

    python benchmarks/heterogeneous_figures.py ADULT.csv          run what is not in heterogeneous.csv yet, then draw
    python benchmarks/heterogeneous_figures.py                    draw from heterogeneous.csv alone

ADULT.csv is ARX's copy of Adult (30,162 records, https://github.com/arx-deidentifier/arx, data/adult.csv). The paper's
CENSUS is not part of this program; docs/reproduction.md says what that means for the comparison. Rows come one by one,
so a run that was stopped goes on.
"""

import csv
import sys
import time
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

import numpy as np
import pandas as pd

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from cra_engine.attacks.naive_bayes import naive_bayes  # noqa: E402
from cra_engine.files.tables import read_table  # noqa: E402
from cra_engine.publish.heterogeneous.result import Heterogeneous, homogeneous_gcp  # noqa: E402
from cra_engine.publish.heterogeneous.scheme import heterogeneous, with_extraction  # noqa: E402
from cra_engine.published import Categories, Interval  # noqa: E402
from cra_engine.utility.count_queries import Query, count_people, estimates, random_queries, relative_error  # noqa: E402

RESULTS = ROOT / "benchmarks" / "heterogeneous.csv"
FIGURES = ROOT / "docs" / "figures"
QIS = ("age", "sex", "education", "marital-status", "race", "workclass", "native-country")
SENSITIVE = "occupation"
RECORDS = 2000
VALUES = 51  # as many occupations as CENSUS has
METHODS = ("HG", "SG", "GR")
KEYS = ("figure", "data", "method", "n", "d", "l", "beta", "theta", "part", "asked", "selectivity")
MEASURES = (
    *("gcp", "homogeneous", "seconds", "buckets", "bucket_size"),
    *("ours_twice", "paper_twice", "ours_over", "paper_over", "classic", "laplace", "baseline"),
    *("query_error", "query_share", "error_few", "error_many"),
)
ASKED = {"asked": 3, "selectivity": 0.1}  # quasi-identifiers per query, and the share of records it aims at
FEW = 0.02  # of the records: queries that fit fewer are told apart
PREFIX = ("age", ("education", "sex", "marital-status", "race"))  # a range from the least value on, and single values


def planned() -> Iterator[dict[str, Any]]:
    """Every run: l = 10, beta = 3, theta = 0.5 as in the paper, n = 2,000 (there 10,000); and what a figure varies."""
    default: dict[str, Any] = dict.fromkeys(KEYS, "") | {"n": RECORDS, "d": 7}
    for data, l, method in product(("adult", "zipf", "uniform"), (2, 4, 6, 8, 10), METHODS):  # noqa: E741
        if data != "adult" or l < 8:  # Adult's most frequent occupation has 13.4 %
            yield default | {"figure": "2", "data": data, "l": l, "method": method, "theta": theta(data)}
    for data, beta, method in product(("zipf", "uniform", "adult"), (5, 4, 3, 2, 1), METHODS):
        yield default | ASKED | {"figure": "6", "data": data, "beta": beta, "method": method, "theta": theta(data)}
    for data, d, method in product(("zipf", "uniform", "adult"), range(1, 8), METHODS):
        most = 6 if data == "adult" else 10
        yield default | {"figure": "3", "data": data, "l": most, "d": d, "method": method, "theta": theta(data)}
    for share, method in product((0.5, 0.6, 0.7, 0.8, 0.9), METHODS):
        yield default | {"figure": "4c", "data": "zipf", "l": 5, "method": method, "theta": share}
        yield default | {"figure": "7c", "data": "zipf", "beta": 3, "method": method, "theta": share}
    for n, method in product((500, 1000, 2000, 4000), METHODS):
        yield default | {"figure": "4a", "data": "zipf", "l": 10, "n": n, "method": method, "theta": 0.5}
        yield default | {"figure": "7a", "data": "zipf", "beta": 3, "n": n, "method": method, "theta": 0.5}
    for part, method in product((250, 500, 1000, 2000), METHODS):
        run = {"figure": "4b", "data": "zipf", "l": 10, "n": 4000, "method": method, "theta": 0.5}
        yield default | run | {"part": part}
    for data, method in product(("adult", "zipf"), METHODS):
        run = default | ASKED | {"data": data, "beta": 3, "method": method, "theta": theta(data)}
        yield from (run | {"figure": "8b", "asked": asked} for asked in range(1, 7))
        yield from (run | {"figure": "8c", "selectivity": share} for share in (0.05, 0.1, 0.15, 0.2, 0.25))
        yield from (run | {"figure": "10", "beta": beta} for beta in (1, 3, 7, 15, 31, 63))
        yield from (
            run | {"figure": "10c", "beta": beta, "asked": "prefix", "selectivity": ""} for beta in (1, 3, 7, 15)
        )
    for data, n in product(("adult", "zipf"), (2000, 10000)):
        run = default | ASKED | {"data": data, "beta": 3, "method": "GR", "theta": theta(data)}
        yield run | {"figure": "queries", "n": n}


def theta(data: str) -> float | str:
    """The skew of the synthetic values; none of Adult's own."""
    return {"adult": "", "zipf": 0.5, "uniform": 0.0}[data]


def table(adult: pd.DataFrame, run: dict[str, Any]) -> pd.DataFrame:
    """The first n records in a fixed random order; synthetic sensitive values by Zipf's law, uniform at theta 0."""
    chosen = adult.sample(run["n"], random_state=1).reset_index(drop=True)
    if run["theta"] != "":
        weights = 1 / np.arange(1, VALUES + 1) ** float(run["theta"])
        drawn = np.random.default_rng(1).choice(VALUES, run["n"], p=weights / weights.sum())
        chosen[SENSITIVE] = [f"value {value + 1}" for value in drawn]
    return chosen


def measured(adult: pd.DataFrame, run: dict[str, Any], known: dict[tuple[Any, ...], Any]) -> dict[str, Any]:
    """One run with all that the figures show; runs that only ask other queries share one table in ``known``."""
    key = tuple(run[name] for name in KEYS if name not in ("figure", "asked", "selectivity"))
    if key not in known:
        known.clear()
        known[key] = published(adult, run)
    made, shown = known[key]
    return shown | (query_errors(made, run) if run["asked"] else {})


def published(adult: pd.DataFrame, run: dict[str, Any]) -> tuple[Heterogeneous, dict[str, Any]]:
    """The published table of a run, and what is measured of it whatever is asked."""
    data, names = table(adult, run), list(QIS[: run["d"]])
    began = time.perf_counter()
    made = heterogeneous(
        data,
        names,
        SENSITIVE,
        l=run["l"] or None,
        beta=run["beta"] if run["l"] == "" else None,
        method=run["method"],
        seed=1,
        partition=run["part"] or None,
    )
    seconds = time.perf_counter() - began
    by_paper = with_extraction(made, "paper", seed=1) if made.buckets < 200 else None
    learners = [naive_bayes(made.published, made.data, names, SENSITIVE, alpha=alpha) for alpha in (0, 1)]
    truth = made.data[SENSITIVE]
    return made, {
        "gcp": round(made.gcp, 5),
        "homogeneous": round(homogeneous_gcp(made), 5),
        "seconds": round(seconds, 2),
        "buckets": made.buckets,
        "bucket_size": made.bucket_size,
        "ours_twice": round(float(made.original_side.repeated), 5),
        "paper_twice": "" if by_paper is None else round(float(by_paper.original_side.repeated), 5),
        "ours_over": "" if made.original_side.over is None else float(made.original_side.over),
        "paper_over": ""
        if by_paper is None or by_paper.original_side.over is None
        else round(float(by_paper.original_side.over), 5),
        "classic": round(float(learners[0].accuracy(truth)), 5),
        "laplace": round(float(learners[1].accuracy(truth)), 5),
        "baseline": round(float(learners[0].baseline(truth)), 5),
    }


def query_errors(made: Heterogeneous, run: dict[str, Any]) -> dict[str, Any]:
    """Of 200 random count queries: median relative error, median share of the records that fit, error by that share."""
    if run["asked"] == "prefix":
        queries = prefix_queries(made.data, 200, Random(1))
    else:
        queries = random_queries(made.data, SENSITIVE, run["asked"], run["selectivity"], 200, Random(1))
    fit = [count_people(made.data, query) for query in queries]
    answers = estimates(made.published, made.data, SENSITIVE, queries)
    errors = [relative_error(answer, exact) for answer, exact in zip(answers, fit, strict=True)]
    few = [error for error, exact in zip(errors, fit, strict=True) if exact < FEW * len(made.data)]
    many = [error for error, exact in zip(errors, fit, strict=True) if exact >= FEW * len(made.data)]
    return {
        "query_error": round(median(errors), 4),
        "query_share": round(median(fit) / len(made.data), 4),
        "error_few": round(median(few), 4) if few else "",
        "error_many": round(median(many), 4) if many else "",
    }


def prefix_queries(data: pd.DataFrame, number: int, draw: Random) -> list[Query]:
    """Figure 10(c): a numeric attribute up to some value, single values of others; those that a person drawn fits.

    The paper asks for education, a number there, up to a level, and for one age; here it is the other way round.
    """
    ranged, single = PREFIX
    people = [data.iloc[draw.randrange(len(data))] for _ in range(number)]
    least = data[ranged].min()
    return [
        {ranged: Interval(least, draw.choice([age for age in data[ranged] if age >= person[ranged]]), closed=True)}
        | {name: Categories(frozenset({str(person[name])})) for name in single}
        for person in people
    ]


# ---------------------------------------------------------------- drawing

SIZE, GAP, TOP = 180, 76, 64
STYLES = {"HG": ("#0072B2", "circle"), "SG": ("#009E73", "rect"), "GR": ("#D55E00", "diamond")}
Panel = tuple[str, str, str, dict[str, list[tuple[float, float]]]]


def panels(rows: list[dict[str, str]]) -> list[Panel]:
    """Title, what runs across, what runs upwards, and a line per method for each panel."""
    made = []
    for figure, data, across, title in (
        *(("2", data, "l", f"Figure 2, {data}") for data in ("adult", "zipf", "uniform")),
        ("3", "adult", "d", "Figure 3, adult, l = 6"),
        *(("3", data, "d", f"Figure 3, {data}, l = 10") for data in ("zipf", "uniform")),
        ("4a", "zipf", "n", "Figure 4(a), zipf, l = 10"),
        ("4b", "zipf", "part", "Figure 4(b), zipf, n = 4,000"),
        ("4c", "zipf", "theta", "Figure 4(c), zipf, l = 5"),
        *(("6", data, "beta", f"Figure 6, {data}") for data in ("adult", "zipf", "uniform")),
        ("7a", "zipf", "n", "Figure 7(a), zipf, beta = 3"),
        ("7c", "zipf", "theta", "Figure 7(c), zipf, beta = 3"),
    ):
        made.append((title, across, "GCP", lines(rows, figure, data, across, "gcp")))
    error = "median query error"
    for data, (figure, shown, across) in product(
        ("adult", "zipf"),
        (
            *(("6", "8(a)", "beta"), ("8b", "8(b)", "asked"), ("8c", "8(c)", "selectivity")),
            *(("10", "10(a)", "beta"), ("10c", "10(c)", "beta")),
        ),
    ):
        found = lines(rows, figure, data, across, "query_error")
        made.append((f"Figure {shown}, {data}", across, error, found))
    for data, (part, alpha) in product(("adult", "zipf"), (("a", "classic"), ("b", "laplace"))):
        found = lines(rows, "6", data, "beta", alpha)
        made.append((f"Figure 11({part}), {data}", "beta", "guessed right", found))
    return made


def lines(
    rows: list[dict[str, str]], figure: str, data: str, across: str, upwards: str
) -> dict[str, list[tuple[float, float]]]:
    """Per method the points of a figure, from left to right."""
    found: dict[str, list[tuple[float, float]]] = {method: [] for method in METHODS}
    for row in rows:
        if (row["figure"], row["data"]) == (figure, data):
            found[row["method"]].append((float(row[across]), float(row[upwards])))
    return {method: sorted(points) for method, points in found.items()}


def mark(shape: str, x: float, y: float, colour: str) -> str:
    """A mark of a method's own shape."""
    if shape == "circle":
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{colour}"/>'
    turn = f' transform="rotate(45 {x:.1f} {y:.1f})"' if shape == "diamond" else ""
    return f'<rect x="{x - 3.5:.1f}" y="{y - 3.5:.1f}" width="7" height="7" fill="{colour}"{turn}/>'


def svg(drawn: list[Panel]) -> str:
    """All panels in rows of four; each begins at 0."""
    width, height = 4 * (SIZE + GAP) + 20, TOP + -(-len(drawn) // 4) * (SIZE + GAP + 34)
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}">',
        '<g font-family="sans-serif" font-size="13" fill="#222">',
        "<title>The heterogeneous paper's figures on Adult: loss, query error and guesses of HG, SG and GR</title>",
        f'<rect width="{width}" height="{height}" fill="white"/>',
    ]
    for at, (method, (colour, shape)) in enumerate(STYLES.items()):
        out.append(mark(shape, GAP + 80 * at, 22, colour))
        out.append(f'<text x="{GAP + 10 + 80 * at}" y="27">{method}</text>')
    for at, (title, across, upwards, found) in enumerate(drawn):
        left, top = GAP + at % 4 * (SIZE + GAP), TOP + at // 4 * (SIZE + GAP + 34)
        xs = sorted({x for points in found.values() for x, _ in points})
        most = 1.05 * max(y for points in found.values() for _, y in points)
        place = {x: left + SIZE * (i + 0.5) / len(xs) for i, x in enumerate(xs)}
        out.append(f'<text x="{left}" y="{top - 10}" font-weight="bold">{title}</text>')
        out.append(f'<rect x="{left}" y="{top}" width="{SIZE}" height="{SIZE}" fill="none" stroke="#888"/>')
        out.extend(f'<text x="{place[x]:.1f}" y="{top + SIZE + 17}" text-anchor="middle">{x:g}</text>' for x in xs)
        for share in (0, 0.5, 1):
            y = top + SIZE * (1 - share / 1.05)
            out.append(f'<text x="{left - 5}" y="{y + 4:.1f}" text-anchor="end">{share * most / 1.05:.2g}</text>')
        out.append(f'<text x="{left + SIZE / 2}" y="{top + SIZE + 35}" text-anchor="middle">{across}</text>')
        out.append(
            f'<text x="{left - 48}" y="{top + SIZE / 2}" text-anchor="middle" '
            f'transform="rotate(-90 {left - 48} {top + SIZE / 2})">{upwards}</text>'
        )
        for method, points in found.items():
            colour, shape = STYLES[method]
            path = [(place[x], top + SIZE * (1 - y / most)) for x, y in points]
            joined = " ".join(f"{x:.1f},{y:.1f}" for x, y in path)
            out.append(f'<polyline points="{joined}" fill="none" stroke="{colour}" stroke-width="1.5"/>')
            out.extend(mark(shape, x, y, colour) for x, y in path)
    return "\n".join([*out, "</g>", "</svg>\n"])


def main() -> None:
    """Run what is missing, and draw."""
    if len(sys.argv) > 1:
        adult = read_table(sys.argv[1])
        already = set()
        known: dict[tuple[Any, ...], Any] = {}
        if RESULTS.exists():
            with RESULTS.open(encoding="utf-8") as file:
                already = {tuple(row[key] for key in KEYS) for row in csv.DictReader(file)}
        with RESULTS.open("a", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, (*KEYS, *MEASURES), lineterminator="\n")
            if not already:
                writer.writeheader()
            for run in planned():
                if tuple(str(run[key]) for key in KEYS) not in already:
                    writer.writerow(run | measured(adult, run, known))
                    file.flush()
    with RESULTS.open(encoding="utf-8") as file:
        drawn = panels(list(csv.DictReader(file)))
    (FIGURES / "heterogeneous.svg").write_text(svg(drawn), encoding="utf-8")


if __name__ == "__main__":
    main()
