"""How long one class takes: the engine's exact count against enumeration with CP-SAT, on the paper's set-ups.

    python benchmarks/runtimes.py                      5 s at most for each enumeration
    python benchmarks/runtimes.py --cap 60 --samples 3

The paper's Tables 6 and 7 give the mean time of an enumeration per equivalence class and for the suppressed. Here the
same classes are counted and enumerated one after the other in one run; only the ratio of the two means something on
another machine. The result is Markdown.
"""

import argparse
import math
import platform
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import TypeVar

from measure import count, fresh, list_with_cp_sat
from published import PUBLISHED

from cra_engine import Release, attack, recode
from cra_engine.attacks.refinement.class_attack import ClassAttack
from cra_engine.experiments.plan import Plan

ROOT = Path(__file__).resolve().parents[1]


T = TypeVar("T")


def _processor_seconds(action: Callable[[ClassAttack], T], part: ClassAttack) -> tuple[float, T]:
    """Processor time, which a busy machine does not stretch as it does the time on the clock."""
    started = time.process_time()
    result = action(part)
    return time.process_time() - started, result


@dataclass
class Cell:
    """The times of one table cell: one configuration and k, classes or suppressed records."""

    ours: list[float] = field(default_factory=list)
    theirs: list[float] = field(default_factory=list)
    cut_short: int = 0

    def add(self, release: Release, number: int, cap: float) -> None:
        """Count and enumerate one class."""
        self.ours.append(statistics.median(_processor_seconds(count, fresh(release, number))[0] for _ in range(3)))
        part = fresh(release, number)
        seconds, (_, finished, found) = _processor_seconds(partial(list_with_cp_sat, cap=cap), part)
        if finished and found != part.combinations:
            raise RuntimeError(f"CP-SAT lists {found} assignments, the engine counts {part.combinations}")
        self.theirs.append(seconds)
        self.cut_short += not finished


def measured(plan: Plan, samples: int, cap: float) -> Iterator[tuple[str, int, int, Cell, Cell]]:
    """Per configuration and k: the cells of classes and of suppressed records."""
    for index, configuration in enumerate(plan.configurations):
        for k in plan.ks:
            classes, suppressed = Cell(), Cell()
            for sample in range(samples):
                release = recode(plan.table(index, sample), configuration.study.with_k(k)).release
                parts: tuple[ClassAttack, ...] = attack(release).parts
                for number, part in enumerate(parts):
                    if not part.basic:
                        (suppressed if part.index is None else classes).add(release, number, cap)
            yield configuration.dataset, len(configuration.study.names), k, classes, suppressed


def shown(cell: Cell, paper: float) -> str:
    """The columns of one cell."""
    if not cell.ours:
        return f"0 | - | - | - | {seconds(paper)}"
    ours, theirs = statistics.mean(cell.ours), statistics.mean(cell.theirs)
    bound = "> " if cell.cut_short else ""
    number = f"{len(cell.ours)}" + (f", {cell.cut_short} cut short" if cell.cut_short else "")
    return f"{number} | {seconds(ours)} | {bound}{seconds(theirs)} | {bound}{_times(theirs / ours)} | {seconds(paper)}"


def seconds(value: float) -> str:
    """A time with two digits: ``0.8 ms``, ``3.9 s``, ``11 h``; ``-`` for what the paper does not give."""
    if math.isnan(value):
        return "-"
    for size, unit in ((3600, "h"), (60, "min"), (1, "s")):
        if value >= size:
            return f"{_two(value / size)} {unit}"
    return f"{_two(1000 * value)} ms"


def _times(value: float) -> str:
    return f"{value:,.0f}" if value >= 10 else f"{value:.1f}"


def _two(value: float) -> str:
    return f"{value:.{max(0, 1 - math.floor(math.log10(value)))}f}" if value else "0"


def report(plan: Plan, samples: int, cap: float) -> str:
    """Both tables as Markdown."""
    started = time.monotonic()
    lines: dict[str, list[str]] = {"table6": [], "table7": []}
    for dataset, qis, k, classes, suppressed in measured(plan, samples, cap):
        paper = PUBLISHED.get((dataset, qis, k), {})
        for name, cell in (("table6", classes), ("table7", suppressed)):
            lines[name].append(f"| {dataset} | {qis} | {k} | {shown(cell, paper.get(f'{name}_seconds', math.nan))} |")
        print(f"{dataset}, {qis} QIs, k = {k}", file=sys.stderr)
    libraries = ", ".join(f"{name} {version(name)}" for name in ("numpy", "ortools"))
    text = (
        f"Python {platform.python_version()}, {libraries}; {samples} sample of each configuration; processor time of "
        f"one core; an enumeration is cut short after {cap:g} s on the clock, and its mean is then a lower bound; "
        f"{time.monotonic() - started:.0f} s in all.\n"
    )
    for name, title, of in (
        ("table6", "Table 6: per equivalence class", "compound classes"),
        ("table7", "Table 7: the suppressed records of a sample", "samples with any"),
    ):
        text += (
            f"\n{title}\n\n| data set | QIs | k | {of} | counted exactly | enumerated with CP-SAT | ratio | paper |\n"
        )
        text += "| --- | ---: | ---: | --- | ---: | ---: | ---: | ---: |\n" + "\n".join(lines[name]) + "\n"
    return text


def main() -> None:
    """Measure and print both tables."""
    parser = argparse.ArgumentParser(description="Time per class, counted exactly and enumerated with CP-SAT.")
    parser.add_argument("--plan", type=Path, default=ROOT / "plans" / "paper.toml")
    parser.add_argument("--samples", type=int, default=1, help="samples of each configuration (default 1)")
    parser.add_argument("--cap", type=float, default=5.0, help="seconds after which an enumeration is cut short")
    arguments = parser.parse_args()
    print(report(Plan.from_toml(arguments.plan), arguments.samples, arguments.cap))


if __name__ == "__main__":
    main()
