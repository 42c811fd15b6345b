"""The paper's experiment, run four ways that must give the same bytes, and its numbers for docs/reproduction.md.

    python benchmarks/reproduction.py                   everything; some minutes on two cores
    python benchmarks/reproduction.py tables columns    only these parts

Parts: ``tables`` runs plans/paper.toml with one worker, with two, killed half-way and run again, and on a Dask cluster
of two processes on this machine, and sets Tables 2 to 5 beside the paper's; ``domains`` takes the domains that Table 3
tells of (inferred_domains.py); ``trends`` runs plans/trends.toml;
``runtimes`` measures Tables 6 and 7; ``columns`` and ``report-columns`` explain the columns of the results and of the
report. Each part replaces the text between its marks in
the document. With ``--keep FOLDER`` the results stay there, and runs of before are continued.
"""

import argparse
import hashlib
import math
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import distributed
from inferred_domains import report as domains_report
from published import PUBLISHED
from runtimes import report as runtimes_report

from cra_engine.cli.progress import Progress
from cra_engine.experiments.layout import Kind, Sheet, Value, csv_value, shown_value
from cra_engine.experiments.plan import Plan
from cra_engine.experiments.report import definitions
from cra_engine.experiments.results import Results
from cra_engine.experiments.rows import (
    CLASS_COLUMNS,
    KEY_COLUMNS,
    SINGLING_COLUMNS,
    SUPPRESSED_COLUMNS,
    TIGHT_COLUMNS,
    TIMING_COLUMNS,
    csv_line,
    header,
)
from cra_engine.experiments.rows import columns as columns_of
from cra_engine.experiments.run import run_experiment, run_rows
from cra_engine.experiments.tables import all_tables
from cra_engine.experiments.trends import values_course
from cra_engine.experiments.workers import workers

ROOT = Path(__file__).resolve().parents[1]
DOCUMENT = ROOT / "docs" / "reproduction.md"
PAPER, TRENDS, SMALL = (ROOT / "plans" / f"{name}.toml" for name in ("paper", "trends", "small"))


# ---------------------------------------------------------------- four ways


def one_worker(plan: Plan, output: Path) -> None:
    """In this process."""
    run_experiment(plan, output, progress=Progress(sys.stderr).show)


def two_workers(plan: Plan, output: Path) -> None:
    """In two processes."""
    with workers("loky", 2):
        run_experiment(plan, output, progress=Progress(sys.stderr).show)


def killed_half_way(plan: Plan, output: Path) -> None:
    """With SIGKILL to the command and its workers when half of the rows stand, then the same command again."""
    command = [sys.executable, "-m", "cra_engine", "experiment", str(PAPER), "--output", str(output), "--jobs", "2"]
    process = subprocess.Popen(command, cwd=ROOT, start_new_session=True)
    while process.poll() is None and (not output.exists() or output.read_bytes().count(b"\n") <= plan.size // 2):
        time.sleep(0.005)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    rows = output.read_bytes().count(b"\n") - 1
    print(f"killed after {rows} of {plan.size} rows", file=sys.stderr)
    if not plan.size // 2 <= rows < plan.size:
        raise RuntimeError("the command was not killed in the middle")
    subprocess.run(command, cwd=ROOT, check=True)


def dask_cluster(plan: Plan, output: Path) -> None:
    """On a Dask cluster of two worker processes."""
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, host="127.0.0.1", dashboard_address=None
        ) as cluster,
        workers("dask", scheduler=cluster.scheduler_address),
    ):
        run_experiment(plan, output, progress=Progress(sys.stderr).show)


WAYS: dict[str, Callable[[Plan, Path], None]] = {
    "one worker": one_worker,
    "two workers": two_workers,
    "two workers, killed half-way, run again": killed_half_way,
    "Dask, two worker processes": dask_cluster,
}


def tables(folder: Path) -> str:
    """Run the paper's plan in every way; the bytes' digest, and the numbers beside the paper's."""
    plan = Plan.from_toml(PAPER)
    lines = ["| how | SHA-256 of the results, first 16 digits |", "| --- | --- |"]
    digests = set()
    output = folder / "unset"
    for position, (name, way) in enumerate(WAYS.items()):
        output = folder / f"{position}.csv"
        way(plan, output)
        digest = hashlib.sha256(output.read_bytes()).hexdigest()
        digests.add(digest)
        lines.append(f"| {name} | `{digest[:16]}` |")
    if len(digests) != 1:
        raise RuntimeError(f"the results differ: {lines}")
    return "\n".join([*lines, "", beside(Results(output))])


# ---------------------------------------------------------------- beside the paper's numbers


def beside(results: Results) -> str:
    """Tables 2 to 5, each number next to the published one."""
    made = {table.key: table for table in all_tables(results)}
    text = ""
    for number, columns, spread in (
        (2, {"LR solutions": "lr", "CRA solutions": "cra", "CRA ratio": "ratio"}, ["median", "90 %"]),
        (3, {"LR solutions": "lr", "CRA solutions": "cra", "CRA ratio": "ratio"}, ["median", "90 %"]),
        (4, {"failed": "failed", "1 record": "one", "> 1 record": "many"}, ["compound classes"]),
        (5, {"combinations": ""}, ["median", "90 %"]),
    ):
        table, further = made[f"table{number}"], made[f"table{number}_spread"]
        kind: Kind = "percent" if number == 4 else "power"
        text += f"\n### {table.title}\n\n"
        heads = [f"{name}: {who}" for name in columns for who in ("paper", "here")] + [f"here: {n}" for n in spread]
        text += _row(["data set", "QIs", "k", *heads]) + _row(["---"] + ["---:"] * (2 + len(heads)))
        wide, long = _by_name(table), _by_name(further)
        for (dataset, qis, k), published in PUBLISHED.items():
            cells = []
            for name, suffix in columns.items():
                paper = published[f"table{number}" + (f"_{suffix}" if suffix else "")]
                cells += [
                    shown_value(_as(paper, kind), kind),
                    shown_value(wide[dataset, qis][f"k = {k}: {name}"], kind),
                ]
            for name in spread:
                cells.append(shown_value(long[dataset, qis, k][name], "count" if number == 4 else "power"))
            text += _row([dataset, qis, k, *cells])
    return text


def _as(number: float, kind: Kind) -> float:
    if kind == "percent":
        return number
    return math.log10(number) if number else -math.inf


def _by_name(table: Sheet) -> dict[tuple[Value, ...], dict[str, Value]]:
    """The rows by data set, number of quasi-identifiers and, where it is a column, k."""
    keys = 3 if table.columns[2].name == "k" else 2
    return {row[:keys]: {c.title: v for c, v in zip(table.columns, row, strict=True)} for row in table.rows}


def _row(cells: Sequence[object]) -> str:
    return "| " + " | ".join(map(str, cells)) + " |\n"


# ---------------------------------------------------------------- trends

MEASURES = {
    "ratio of classes, mean": "table2_ratio",
    "ratio of classes, median": "",
    "ratio of suppressed records, mean": "table3_ratio",
    "ratio of suppressed records, median": "",
    "combinations, mean": "table5",
    "compound share": "",
    "singled out": "table4_failed",
}


def published_course(measure: str, points: Sequence[tuple[str, int, int]]) -> tuple[str, str, str]:
    """The published values of a measure, as the trends table writes them; nothing where the paper has none."""
    column = MEASURES[measure]
    if not column:
        return "-", "-", "-"
    kind: Kind = "percent" if measure == "singled out" else "power"
    numbers = [PUBLISHED[point][column] for point in points]
    return values_course([100 - n if kind == "percent" else _as(n, kind) for n in numbers], kind)


def trends(folder: Path) -> str:
    """What grows with k, and with the number of quasi-identifiers, here and in the paper."""
    output = folder / "trends.csv"
    with workers("loky", 2):
        run_experiment(Plan.from_toml(TRENDS), output, progress=Progress(sys.stderr).show)
    results = Results(output)
    made = {table.key: table for table in all_tables(results)}
    rows = [tuple(map(str, row)) for row in made["trends"].rows]
    ks = sorted({k for _, _, k in PUBLISHED})

    text = f"\n### With k\n\nHere k = {results.ks[0]} to {results.ks[-1]}, in the paper k = {ks[0]} to {ks[-1]}.\n\n"
    text += _row(["measure", "data set", "QIs", "here", "steps up", "paper", "steps up"]) + _row(["---"] * 7)
    for measure, dataset, over, values, steps, _ in rows:
        if over.endswith("k grows"):
            qis = int(over.split()[0])
            paper = published_course(measure, [(dataset, qis, k) for k in ks])
            text += _row([measure, dataset, qis, values, steps, paper[0], paper[1]])

    text += "\n### With the number of quasi-identifiers\n\n"
    text += _row(["measure", "data set", "k", "here", "paper"]) + _row(["---"] * 5)
    for measure, dataset, over, values, _, _ in rows:
        found = re.fullmatch(r"k = (\d+), QIs grow", over)
        if found and int(found[1]) in (ks[0], ks[len(ks) // 2], ks[-1]):
            k = int(found[1])
            points = [point for point in PUBLISHED if point[0] == dataset and point[2] == k]
            text += _row([measure, dataset, k, values, published_course(measure, points)[0]])

    text += "\n### Figure 5\n\nShare of compound classes, mean over all numbers of quasi-identifiers:\n\n"
    text += _row(["data set", *(f"k = {k}" for k in results.ks)]) + _row(["---"] + ["---:"] * len(results.ks))
    for dataset in dict.fromkeys(name for name, _, _ in results.configurations):
        shares = [row[4] for row in made["figure5"].rows if row[:2] == (dataset, "all")]
        text += _row([dataset, *(shown_value(share, "percent") for share in shares)])

    text += "\n### Figure 6\n\nThe same for each number of quasi-identifiers:\n\n"
    text += _row(["data set", "QIs", *(f"k = {k}" for k in results.ks)]) + _row(
        ["---"] * 2 + ["---:"] * len(results.ks)
    )
    for dataset, _, layers in results.configurations:
        qis = str(len(layers.split()))
        shares = [row[4] for row in made["figure5"].rows if row[:2] == (dataset, qis)]
        text += _row([dataset, qis, *(shown_value(share, "percent") for share in shares)])

    singled = [value for row in made["table4_spread"].rows if isinstance(value := row[7], float)]
    failed = [numbers["table4_failed"] for numbers in PUBLISHED.values()]
    invalid = sum(int(csv_value(row[9], "count")) for row in made["table4_spread"].rows)
    text += (
        f"\n### Singling out\n\nShare of compound classes with somebody singled out, over all configurations and k: "
        f"here {min(singled):.0f} to {max(singled):.0f} %, in the paper's Table 4 {100 - max(failed):.0f} to "
        f"{100 - min(failed):.0f} %. Classes and suppressed records whose true counts the attack excluded: {invalid}, "
        f"of {len(results.frame):,} releases.\n"
    )
    return text


def runtimes(_: Path) -> str:
    """Tables 6 and 7."""
    return runtimes_report(Plan.from_toml(PAPER), 1, 5.0)


def columns(_: Path) -> str:
    """Every column of the results and of the timings."""
    text = ""
    for title, part in (
        ("Which run it is", KEY_COLUMNS),
        ("Classes", CLASS_COLUMNS),
        ("Suppressed records", SUPPRESSED_COLUMNS),
        ("Singling out, unless the plan says `singling_out = false`", SINGLING_COLUMNS),
        ("All classes attacked together, if the plan gives `tight_time_limit`", TIGHT_COLUMNS),
        ("In the file of `--timings`, after the columns that say which run it is", TIMING_COLUMNS),
    ):
        text += f"\n{title}:\n\n" + _row(["column", "what it is"]) + _row(["---", "---"])
        text += "".join(_row([f"`{name}`", meaning]) for name, meaning in part.items())
    return text


def report_columns(_: Path) -> str:
    """Every column of every table of the report, from a report on a plan that has all three attacks."""
    plan = Plan.from_toml(SMALL)
    lines = [header(plan), *(csv_line([row[name] for name in columns_of(plan)]) for row, _ in run_rows(plan))]
    text = ""
    for table in all_tables(Results(b"".join(lines))):
        text += f"\n{table.title}:\n\n" + _row(["column", "what it is"]) + _row(["---", "---"])
        text += "".join(_row([column.name, column.help]) for column in definitions(table))
    return text


PARTS: dict[str, Callable[[Path], str]] = {
    "tables": tables,
    "domains": domains_report,
    "trends": trends,
    "runtimes": runtimes,
    "columns": columns,
    "report-columns": report_columns,
}


def main() -> None:
    """Make the parts and put each between its marks."""
    parser = argparse.ArgumentParser(description="Run the paper's experiment and renew docs/reproduction.md.")
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"any of {', '.join(PARTS)}; all if none is given")
    parser.add_argument("--keep", type=Path, help="folder in which the results stay, to be continued")
    arguments = parser.parse_args()
    names = arguments.parts or list(PARTS)
    if unknown := [name for name in names if name not in PARTS]:
        parser.error(f"there is no part {unknown[0]}; take any of {', '.join(PARTS)}")
    for name in names:
        with tempfile.TemporaryDirectory() as scratch:
            folder = Path(scratch) if arguments.keep is None else arguments.keep
            folder.mkdir(parents=True, exist_ok=True)
            made = PARTS[name](folder)
        document = DOCUMENT.read_text(encoding="utf-8")
        marks = re.compile(rf"(<!-- {name}: [^\n]*-->\n).*?(<!-- end of {name} -->)", re.DOTALL)
        if not marks.search(document):
            raise RuntimeError(f"{DOCUMENT.name} has no marks for {name}")
        renewed = marks.sub(lambda found, text=made: f"{found[1]}\n{text.strip()}\n\n{found[2]}", document)  # type: ignore[misc]
        DOCUMENT.write_text(renewed, encoding="utf-8")


if __name__ == "__main__":
    main()
