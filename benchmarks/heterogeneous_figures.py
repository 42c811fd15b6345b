"""Figures 2 to 4, 6 to 8, 10 and 11 of the heterogeneous paper, done again: numbers as CSV, charts as SVG.

    python benchmarks/heterogeneous_figures.py ADULT.csv          run what is not in heterogeneous.csv yet, then draw
    python benchmarks/heterogeneous_figures.py                    draw from heterogeneous.csv alone
    python benchmarks/heterogeneous_figures.py --census CENSUS.csv FOLDER    the same on your own copy of CENSUS (hours)

ADULT.csv is ARX's copy of Adult (30,162 records, https://github.com/arx-deidentifier/arx, data/adult.csv; here
tests/data/adult/adult.csv.xz, packed). What stands in heterogeneous.csv is not run again; take the file away for all.
The paper's CENSUS is its authors' to hand out (https://github.com/discont) and not part of this program: a file of the
eight columns of its Table 10, in that order. Its numbers and charts go into FOLDER; losses are printed as Markdown.
Rows come one by one, so a run that was stopped goes on.
"""

import argparse
import csv
import sys
import time
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from pathlib import Path
from random import Random
from statistics import median
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "benchmarks")]

from burel import Burel, burel  # noqa: E402

from cra_engine.attacks.naive_bayes import naive_bayes  # noqa: E402
from cra_engine.errors import DataError  # noqa: E402
from cra_engine.files.tables import read_table  # noqa: E402
from cra_engine.publish.heterogeneous.result import Heterogeneous, homogeneous_gcp  # noqa: E402
from cra_engine.publish.heterogeneous.scheme import heterogeneous, with_extraction  # noqa: E402
from cra_engine.published import Categories, Interval  # noqa: E402
from cra_engine.utility.certainty_penalty import certainty_penalty  # noqa: E402
from cra_engine.utility.count_queries import People, Query, estimates, random_queries, relative_error  # noqa: E402

RESULTS = ROOT / "benchmarks" / "heterogeneous.csv"
FIGURES = ROOT / "docs" / "figures"
QIS = ("age", "sex", "education", "marital-status", "race", "workclass", "native-country")
SENSITIVE = "occupation"
RECORDS = 2000
VALUES = 51  # as many occupations as the paper's Table 10 gives CENSUS; its files have 50
METHODS = ("HG", "SG", "GR")
LIKENESS = (*METHODS, "BuReL")
CENSUS = ("age", "gender", "education", "marital", "race", "work class", "country", "occupation")
KEYS = ("figure", "data", "method", "n", "d", "l", "beta", "theta", "part", "asked", "selectivity")
MEASURES = (
    *("gcp", "homogeneous", "seconds", "buckets", "bucket_size"),
    *("ours_twice", "paper_twice", "ours_over", "paper_over", "classic", "laplace", "baseline"),
    *("query_error", "query_share", "error_few", "error_many"),
)
ASKED = {"asked": 3, "selectivity": 0.1}  # quasi-identifiers per query, and the share of records it aims at
FEW = 0.02  # of the records: queries that fit fewer are told apart
Prefix = tuple[str, tuple[str, ...]]  # a range from the least value on, and single values
PREFIX: Prefix = ("age", ("education", "sex", "marital-status", "race"))


class Source(NamedTuple):
    """A table to do the figures on: its columns, records of most runs, its largest l, what a prefix query asks."""

    name: str
    frame: pd.DataFrame
    qis: tuple[str, ...]
    sensitive: str
    records: int
    most: int
    prefix: Prefix
    second: str = ""  # another sensitive column


def planned(of: Source) -> Iterator[dict[str, Any]]:
    """Every run: l = 10, beta = 3, theta = 0.5 as in the paper, all quasi-identifiers; and what a figure varies."""
    n, own = of.records, of.name
    default: dict[str, Any] = dict.fromkeys(KEYS, "") | {"n": n, "d": 7}
    for data, l, method in product((own, "zipf", "uniform"), (2, 4, 6, 8, 10), METHODS):  # noqa: E741
        if data != own or l <= of.most:
            yield default | {"figure": "2", "data": data, "l": l, "method": method, "theta": theta(data)}
    for data, beta, method in product(("zipf", "uniform", own), (5, 4, 3, 2, 1), LIKENESS):
        yield default | ASKED | {"figure": "6", "data": data, "beta": beta, "method": method, "theta": theta(data)}
    for data, d, method in product(("zipf", "uniform", own), range(1, 8), METHODS):
        most = of.most if data == own else 10
        yield default | {"figure": "3", "data": data, "l": most, "d": d, "method": method, "theta": theta(data)}
    for share, method in product((0.5, 0.6, 0.7, 0.8, 0.9), LIKENESS):
        if method != "BuReL":
            yield default | {"figure": "4c", "data": "zipf", "l": 5, "method": method, "theta": share}
        yield default | {"figure": "7c", "data": "zipf", "beta": 3, "method": method, "theta": share}
    for some, method in product((n // 4, n // 2, n, 2 * n), LIKENESS):
        if method != "BuReL":
            yield default | {"figure": "4a", "data": "zipf", "l": 10, "n": some, "method": method, "theta": 0.5}
        yield default | {"figure": "7a", "data": "zipf", "beta": 3, "n": some, "method": method, "theta": 0.5}
    for part, method in product((n // 8, n // 4, n // 2, n), METHODS):
        run = {"figure": "4b", "data": "zipf", "l": 10, "n": 2 * n, "method": method, "theta": 0.5}
        yield default | run | {"part": part}
    for data, method in product((own, "zipf"), LIKENESS):
        run = default | ASKED | {"data": data, "beta": 3, "method": method, "theta": theta(data)}
        yield from (run | {"figure": "8b", "asked": asked} for asked in range(1, 7))
        yield from (run | {"figure": "8c", "selectivity": share} for share in (0.05, 0.1, 0.15, 0.2, 0.25))
        yield from (run | {"figure": "10", "beta": beta} for beta in (1, 3, 7, 15, 31, 63))
        yield from (
            run | {"figure": "10c", "beta": beta, "asked": "prefix", "selectivity": ""} for beta in (1, 3, 7, 15)
        )
    for beta in (1, 3, 5) if of.second else ():  # two sensitive columns as one
        yield default | ASKED | {"figure": "joined", "data": "joined", "beta": beta, "method": "HG"}
    for data, some in product((own, "zipf"), (2000, 10000)):
        run = default | ASKED | {"data": data, "beta": 3, "method": "GR", "theta": theta(data)}
        yield run | {"figure": "queries", "n": some}


def theta(data: str) -> float | str:
    """The skew of the synthetic values; none of a table's own."""
    return {"zipf": 0.5, "uniform": 0.0}.get(data, "")


def adult(frame: pd.DataFrame) -> Source:
    """ARX's copy of Adult."""
    return Source("adult", frame, QIS, SENSITIVE, RECORDS, 6, PREFIX, "salary-class")


def census(path: str) -> Source:
    """The reader's own copy of CENSUS: the columns of the paper's Table 10 in its order, with names or without."""
    content = Path(path).read_bytes()
    first = content.split(b"\n", 1)[0].strip()
    if first[:1].isdigit():
        sign = next((sign for sign in (b"\t", b";", b",") if sign in first), b" ")
        content = sign.join(name.encode() for name in CENSUS) + b"\n" + content
    frame = read_table(content, Path(path).name)
    if len(frame.columns) < len(CENSUS):
        raise DataError(
            f"{path} has {len(frame.columns)} columns; CENSUS has {len(CENSUS)}: {', '.join(CENSUS)}, in this order."
        )
    frame = frame.iloc[:, : len(CENSUS)].set_axis(CENSUS, axis="columns")
    for name in CENSUS:
        if name not in ("age", "education"):  # codes are no numbers
            frame[name] = f"{name} " + frame[name].astype(str)
    # The paper's prefix is of education, a number here, with one age and single values of others.
    prefix = ("education", ("age", "gender", "marital", "race"))
    return Source("census", frame, CENSUS[:-1], CENSUS[-1], min(10_000, len(frame) // 2), 10, prefix)


def table(of: Source, run: dict[str, Any]) -> pd.DataFrame:
    """The first n records, in a fixed random order; synthetic sensitive values by Zipf's law, uniform at theta 0."""
    frame = of.frame if of.name == "census" else of.frame.sample(run["n"], random_state=1)
    chosen = frame.head(run["n"]).reset_index(drop=True)
    if run["data"] == "joined":
        chosen[of.sensitive] += ", " + chosen[of.second]
    if run["theta"] != "":
        weights = 1 / np.arange(1, VALUES + 1) ** float(run["theta"])
        drawn = np.random.default_rng(1).choice(VALUES, len(chosen), p=weights / weights.sum())
        chosen[of.sensitive] = [f"value {value + 1}" for value in drawn]
    return chosen


def measured(of: Source, run: dict[str, Any], known: dict[tuple[Any, ...], Any]) -> dict[str, Any]:
    """One run with all that the figures show; runs that only ask other queries share one table in ``known``."""
    key = tuple(run[name] for name in KEYS if name not in ("figure", "asked", "selectivity"))
    if key not in known:
        known.clear()
        known[key] = published(of, run)
    made, shown = known[key]
    return shown | (query_errors(of, made, run) if run["asked"] else {})


def published(of: Source, run: dict[str, Any]) -> tuple[Heterogeneous | Burel, dict[str, Any]]:
    """The published table of a run, and what is measured of it whatever is asked."""
    data, names = table(of, run), list(of.qis[: run["d"]])
    began = time.perf_counter()
    if run["method"] == "BuReL":
        made: Heterogeneous | Burel = burel(data, names, of.sensitive, Fraction(run["beta"]), seed=1)
        gcp = certainty_penalty(made.published, made.data, names)
    else:
        made = heterogeneous(
            data,
            names,
            of.sensitive,
            l=run["l"] or None,
            beta=run["beta"] if run["l"] == "" else None,
            method=run["method"],
            seed=1,
            partition=run["part"] or None,
        )
        gcp = made.gcp
    seconds = time.perf_counter() - began
    learners = [naive_bayes(made.published, made.data, names, of.sensitive, alpha=alpha) for alpha in (0, 1)]
    truth = made.data[of.sensitive]
    return made, {
        "gcp": round(gcp, 5),
        "seconds": round(seconds, 2),
        **(on_both_sides(made) if isinstance(made, Heterogeneous) else {}),
        "classic": round(float(learners[0].accuracy(truth)), 5),
        "laplace": round(float(learners[1].accuracy(truth)), 5),
        "baseline": round(float(learners[0].baseline(truth)), 5),
    }


def on_both_sides(made: Heterogeneous) -> dict[str, Any]:
    """Buckets, what groups on them lose that publish alike, and what people see, by our extraction and the paper's."""
    by_paper = with_extraction(made, "paper", seed=1) if made.buckets < 200 else None
    return {
        "homogeneous": round(homogeneous_gcp(made), 5),
        "buckets": made.buckets,
        "bucket_size": made.bucket_size,
        "ours_twice": round(float(made.original_side.repeated), 5),
        "paper_twice": "" if by_paper is None else round(float(by_paper.original_side.repeated), 5),
        "ours_over": "" if made.original_side.over is None else float(made.original_side.over),
        "paper_over": ""
        if by_paper is None or by_paper.original_side.over is None
        else round(float(by_paper.original_side.over), 5),
    }


def query_errors(of: Source, made: Heterogeneous | Burel, run: dict[str, Any]) -> dict[str, Any]:
    """Of 200 random count queries: median relative error, median share of the records that fit, error by that share."""
    if run["asked"] == "prefix":
        queries = prefix_queries(made.data, of.prefix, 200, Random(1))
    else:
        queries = random_queries(made.data, of.sensitive, run["asked"], run["selectivity"], 200, Random(1))
    fit = list(map(People(made.data).count, queries))
    answers = estimates(made.published, made.data, of.sensitive, queries)
    errors = [relative_error(answer, exact) for answer, exact in zip(answers, fit, strict=True)]
    few = [error for error, exact in zip(errors, fit, strict=True) if exact < FEW * len(made.data)]
    many = [error for error, exact in zip(errors, fit, strict=True) if exact >= FEW * len(made.data)]
    return {
        "query_error": round(median(errors), 4),
        "query_share": round(median(fit) / len(made.data), 4),
        "error_few": round(median(few), 4) if few else "",
        "error_many": round(median(many), 4) if many else "",
    }


def prefix_queries(data: pd.DataFrame, asked: Prefix, number: int, draw: Random) -> list[Query]:
    """Figure 10(c): a numeric attribute up to some value, single values of others; those that a person drawn fits.

    The paper asks for education, a number there, up to a level, and for one age; on Adult it is the other way round.
    """
    ranged, single = asked
    people = [data.iloc[draw.randrange(len(data))] for _ in range(number)]
    least = data[ranged].min()
    return [
        {ranged: Interval(least, draw.choice([age for age in data[ranged] if age >= person[ranged]]), closed=True)}
        | {
            name: Categories(frozenset({person[name]}))
            if isinstance(person[name], str)
            else Interval(person[name], person[name], closed=True)
            for name in single
        }
        for person in people
    ]


# ---------------------------------------------------------------- drawing

SIZE, GAP, TOP = 180, 76, 64
STYLES = {
    "HG": ("#0072B2", "circle"),
    "SG": ("#009E73", "rect"),
    "GR": ("#D55E00", "diamond"),
    "BuReL": ("#7F7F7F", "circle"),
}
Panel = tuple[str, str, str, dict[str, list[tuple[float, float]]]]


def panels(rows: list[dict[str, str]], own: str) -> list[Panel]:
    """Title, what runs across, what runs upwards, and a line per method for each panel."""
    made = []
    most = {row["l"] for row in rows if (row["figure"], row["data"]) == ("3", own)}
    most_n = {row["n"] for row in rows if row["figure"] == "4b"}
    for figure, data, across, title in (
        *(("2", data, "l", f"Figure 2, {data}") for data in (own, "zipf", "uniform")),
        ("3", own, "d", f"Figure 3, {own}, l = {''.join(most)}"),
        *(("3", data, "d", f"Figure 3, {data}, l = 10") for data in ("zipf", "uniform")),
        ("4a", "zipf", "n", "Figure 4(a), zipf, l = 10"),
        ("4b", "zipf", "part", f"Figure 4(b), zipf, n = {''.join(most_n)}"),
        ("4c", "zipf", "theta", "Figure 4(c), zipf, l = 5"),
        *(("6", data, "beta", f"Figure 6, {data}") for data in (own, "zipf", "uniform")),
        ("7a", "zipf", "n", "Figure 7(a), zipf, beta = 3"),
        ("7c", "zipf", "theta", "Figure 7(c), zipf, beta = 3"),
    ):
        made.append((title, across, "GCP", lines(rows, figure, data, across, "gcp")))
    error = "median query error"
    for data, (figure, shown, across) in product(
        (own, "zipf"),
        (
            *(("6", "8(a)", "beta"), ("8b", "8(b)", "asked"), ("8c", "8(c)", "selectivity")),
            *(("10", "10(a)", "beta"), ("10c", "10(c)", "beta")),
        ),
    ):
        found = lines(rows, figure, data, across, "query_error")
        made.append((f"Figure {shown}, {data}", across, error, found))
    for data, (part, alpha) in product((own, "zipf"), (("a", "classic"), ("b", "laplace"))):
        found = lines(rows, "6", data, "beta", alpha)
        made.append((f"Figure 11({part}), {data}", "beta", "guessed right", found))
    return made


def lines(
    rows: list[dict[str, str]], figure: str, data: str, across: str, upwards: str
) -> dict[str, list[tuple[float, float]]]:
    """Per method the points of a figure, from left to right."""
    found: dict[str, list[tuple[float, float]]] = {method: [] for method in LIKENESS}
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
        "<title>The heterogeneous paper's figures: loss, query error and guesses of HG, SG, GR and BuReL</title>",
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


def losses(rows: Sequence[dict[str, str]], own: str) -> str:
    """The losses of Figures 2 and 6 as Markdown: HG, SG, GR, groups on HG's buckets that publish alike, BuReL."""
    lines = ["| data | l or beta | HG | SG | GR | groups alike | BuReL |", "| --- | --- " + "| ---: " * 5 + "|"]
    for figure, by in (("2", "l"), ("6", "beta")):
        of = [row for row in rows if row["figure"] == figure]
        for data, most in product((own, "zipf", "uniform"), sorted({row[by] for row in of}, key=int)):
            found = {row["method"]: row for row in of if (row["data"], row[by]) == (data, most)}
            if found:
                cells = [found[method]["gcp"] if method in found else "" for method in LIKENESS]
                lines.append(
                    f"| {data} | {by} = {most} | "
                    + " | ".join([*cells[:3], found["HG"]["homogeneous"], cells[3]])
                    + " |"
                )
    return "\n".join(lines)


def run_missing(of: Source, results: Path) -> None:
    """Run what is not in the results yet, row by row."""
    already = set()
    known: dict[tuple[Any, ...], Any] = {}
    if results.exists():
        with results.open(encoding="utf-8") as file:
            already = {tuple(row[key] for key in KEYS) for row in csv.DictReader(file)}
    with results.open("a", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, (*KEYS, *MEASURES), lineterminator="\n")
        if not already:
            writer.writeheader()
        for run in planned(of):
            if tuple(str(run[key]) for key in KEYS) not in already:
                writer.writerow(run | measured(of, run, known))
                file.flush()


def main() -> None:
    """Run what is missing, and draw."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("adult", metavar="ADULT.csv", nargs="?")
    parser.add_argument("--census", metavar=("CENSUS.csv", "FOLDER"), nargs=2)
    chosen = parser.parse_args()
    results, drawing, own = RESULTS, FIGURES / "heterogeneous.svg", "adult"
    if chosen.census:
        path, folder = chosen.census[0], Path(chosen.census[1])
        results, drawing, own = folder / "census.csv", folder / "census.svg", "census"
        run_missing(census(path), results)
    elif chosen.adult:
        run_missing(adult(read_table(chosen.adult)), results)
    with results.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    drawing.write_text(svg(panels(rows, own)), encoding="utf-8")
    print(losses(rows, own))


if __name__ == "__main__":
    main()
