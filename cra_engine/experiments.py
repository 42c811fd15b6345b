"""Running a plan: publish and attack sample after sample, into a table that grows row by row and survives a stop.

The work is handed to joblib and nothing else: whoever calls chooses the backend and the number of workers with
``joblib.parallel_config``. Random numbers are keyed by indices and rows are written in the plan's order, so the results
are the same bytes for any number of workers, in one go or in several.
"""

import contextlib
import csv
import io
import math
import os
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from decimal import Decimal
from itertools import islice
from pathlib import Path
from typing import Self

import joblib
import pandas as pd

from cra_engine.attack import Attack, attack
from cra_engine.class_attack import ClassAttack
from cra_engine.errors import CRAError, DataError
from cra_engine.plan import Plan, Run
from cra_engine.recoding import recode
from cra_engine.release import Release
from cra_engine.singling import SinglingOut, single_out
from cra_engine.study import Study
from cra_engine.sweep import RecodeTies
from cra_engine.tight import tight_attack

KEY_COLUMNS = {
    "plan": "fingerprint of the plan: rows of one plan, and of no other, can stand in one file",
    "dataset": "name of the data set in the plan",
    "attributes": "the quasi-identifiers, separated by spaces",
    "layers": "their numbers of hierarchy layers, in the same order",
    "sample": "index of the sample, from 0",
    "k": "the k that the sample was published with",
    "profile": "how the publisher ran ARX: paper, arx-gui, or the share of records that a step must publish",
    "ties": "how the publisher broke exact ties: paper (by c3) or arx (as ARX's own search does)",
}
CLASS_COLUMNS = {
    "records": "records of the sample",
    "cells": "basic segments of the grid",
    "classes": "equivalence classes of the release, the outliers not included",
    "basic_classes": "classes on a single basic segment",
    "compound_classes": "all other classes",
    "uncountable_classes": "compound classes that no data set of distinct records explains; they enter no sum, list or "
    "mean",
    "lr_sum_compound": "LR solutions summed over the compound classes; divided by their number it is the mean of "
    "Table 2",
    "cra_sum_compound": "CRA solutions summed in the same way",
    "combinations_sum_compound": "feasible assignments summed in the same way (Table 5)",
    "log10_lr_mean": "decimal logarithm of the mean of LR solutions over all classes, basic ones included",
    "log10_cra_mean": "the same of CRA solutions",
    "ratio_mean": "mean over all classes, basic ones (ratio 1) included, of LR solutions / CRA solutions; empty past "
    "1e308",
    "log10_ratio_mean": "its decimal logarithm",
    "ratio_mean_compound": "mean of the same ratio over the compound classes; empty without any, and past 1e308",
    "log10_ratio_mean_compound": "its decimal logarithm",
    "each_log10_lr": "decimal logarithm of LR solutions of each compound class, in the attacker's order, separated by "
    "spaces",
    "each_log10_cra": "the same of CRA solutions",
    "each_log10_ratio": "the same of the ratio",
    "each_combinations": "feasible assignments of each compound class",
}
OUTLIER_COLUMNS = {
    "outliers": "suppressed records; the other columns of outliers are empty when there is none",
    "outlier_free_cells": "basic segments that no class covers",
    "outlier_lr": "LR solutions of the outliers (Table 3)",
    "outlier_cra": "CRA solutions of the outliers",
    "outlier_combinations": "feasible assignments of the outliers",
    "outlier_log10_lr": "decimal logarithm of LR solutions of the outliers, for drawing",
    "outlier_log10_cra": "the same of CRA solutions",
    "outlier_ratio": "LR solutions / CRA solutions of the outliers; empty past 1e308",
    "outlier_log10_ratio": "its decimal logarithm",
}
SINGLING_COLUMNS = {
    "singled_failed": "compound classes of which no basic segment holds exactly one record (Table 4: Failed FPSO)",
    "singled_one": "compound classes with exactly one such segment",
    "singled_many": "compound classes with more",
    "singled_invalid": "classes, and the outliers, whose true counts are not among the feasible assignments; 0 when "
    "the attack is sound",
}
TIGHT_COLUMNS = {
    "tight_status": "attack on all classes together: exact, estimate, timeout, or refused when it could not be made",
    "tight_log10_intervals": "decimal logarithm of the data sets that the published intervals seem to allow",
    "tight_log10_per_class": "the same of those that the attacks class by class leave",
    "tight_log10_worlds": "the same of those that the attack on all classes together leaves; empty when unknown",
    "tight_log10_worlds_stderr": "its standard error, 0 where exact",
    "tight_fixed_cells": "basic segments whose number of records is certain",
    "tight_isolated": "basic segments that hold exactly one record for certain, known from the release alone",
}
TIMING_COLUMNS = {
    "recode_seconds": "seconds that publishing the sample took",
    "attack_seconds": "seconds that the attack class by class took, outliers included",
    "singling_seconds": "seconds that singling out took",
    "tight_seconds": "seconds that the attack on all classes together took",
}

Progress = Callable[[int, int, float | None], None]


def columns(plan: Plan) -> list[str]:
    """The columns of a plan's results, in order."""
    parts = [KEY_COLUMNS, CLASS_COLUMNS, OUTLIER_COLUMNS]
    parts += [SINGLING_COLUMNS] if plan.singling_out else []
    parts += [TIGHT_COLUMNS] if plan.tight_seconds is not None else []
    return [name for part in parts for name in part]


def run_experiment(
    plan: Plan,
    output: str | os.PathLike[str],
    *,
    timings: str | os.PathLike[str] | None = None,
    progress: Progress | None = None,
) -> int:
    """Run a plan, or what is left of it, into a CSV file.

    A file that a run before was stopped in is continued: its complete rows stay, an incomplete last line is done again.

    Args:
        plan: what to run.
        output: the results, one row per configuration, sample and k. Whole numbers are written in full, other numbers
            with 12 significant digits, what does not exist as nothing.
        timings: another CSV file, for the seconds that each step of each run took; they are never the same twice.
        progress: told after every row how many are done, of how many, and about how many seconds are left (None
            before the first).

    Returns:
        Rows that were there already.

    Raises:
        DataError: a file cannot be written, or holds something else than rows of this plan.
    """
    results = _Table(Path(output), columns(plan), plan)
    clock = None if timings is None else _Table(Path(timings), [*KEY_COLUMNS, *TIMING_COLUMNS], plan)
    if clock is not None and clock.path.resolve() == results.path.resolve():
        raise DataError(f"{clock.path} is named twice; give the timings a file of their own.")
    already = results.rows
    if clock is not None:
        if clock.rows < already:
            raise DataError(
                f"{clock.path} does not cover the rows that {results.path} has already; "
                "leave the timings out, or start both files anew."
            )
        clock.keep(already)
    started = time.monotonic()
    with results, clock or contextlib.nullcontext(), contextlib.closing(run_rows(plan, already)) as found:
        if progress is not None:
            progress(already, plan.size, None)
        for done, (row, seconds) in enumerate(found, start=already + 1):
            if clock is not None:  # first, so that after a stop the timings cover all results
                clock.write(seconds)
            results.write(row)
            if progress is not None:
                pace = (time.monotonic() - started) / (done - already)
                progress(done, plan.size, pace * (plan.size - done))
    return already


def run_rows(plan: Plan, already: int = 0) -> Generator[tuple[dict[str, str], dict[str, str]], None, None]:
    """Run what is left of a plan after so many rows; nothing is written anywhere.

    Yields:
        Run by run, in the plan's order, the row of the results (see :func:`columns`) and that of the timings. Closing
        the generator ends the work.
    """
    if already == plan.size:
        return
    work = (
        joblib.delayed(run_one)(data, study, plan.ties, plan.singling_out, plan.tight_seconds, tight_seed)
        for data, study, tight_seed in _tasks(plan, already)
    )
    with contextlib.closing(joblib.Parallel(return_as="generator")(work)) as found:
        for run, (row, seconds) in zip(islice(plan.runs, already, None), found, strict=True):
            key = key_of(plan, run)
            yield key | row, key | seconds


def _tasks(plan: Plan, already: int) -> Iterator[tuple[pd.DataFrame, Study, int]]:
    current: tuple[int, int] | None = None
    data = pd.DataFrame()
    for run in islice(plan.runs, already, None):
        if current != (run.configuration, run.sample):
            current = run.configuration, run.sample
            data = plan.table(*current)
        yield data, plan.configurations[run.configuration].study.with_k(run.k), plan.seed + run.sample


def key_of(plan: Plan, run: Run) -> dict[str, str]:
    """The columns by which a row is known."""
    chosen = plan.configurations[run.configuration]
    return {
        "plan": plan.fingerprint,
        "dataset": chosen.dataset,
        "attributes": " ".join(chosen.study.names),
        "layers": " ".join(str(attribute.layers) for attribute in chosen.study.attributes),
        "sample": str(run.sample),
        "k": str(run.k),
        "profile": str(chosen.study.profile),
        "ties": plan.ties,
    }


def header(plan: Plan) -> bytes:
    """The first line of a plan's results."""
    return csv_line(columns(plan))


def csv_line(fields: Sequence[str]) -> bytes:
    """A line of the results, as a file holds it."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow(fields)
    return text.getvalue().encode()


def complete_rows(content: bytes, names: Sequence[str], plan: Plan, source: str) -> list[bytes]:
    """The lines of a plan's complete rows in what a run wrote before it was stopped, without an incomplete last line.

    Args:
        content: of the file.
        names: its columns.
        plan: that the rows must be of, in its order.
        source: what messages call the file.

    Raises:
        DataError: it holds something else.
    """
    first = csv_line(names)
    lines = content.splitlines(keepends=True) if b"\r" not in content else [content]
    if lines and lines[-1][-1:] != b"\n" and lines[0] != content:
        lines.pop()  # the run was stopped in the middle of it
    if first.startswith(content) and content != first:
        return []
    wrong = DataError(f"{source} holds something else than results of this plan; name another file.")
    if lines[0] != first:
        raise wrong
    runs = plan.runs
    for line in lines[1:]:
        run = next(runs, None)
        try:
            fields = next(csv.reader([line.decode()], strict=True))
        except (csv.Error, UnicodeDecodeError):
            raise wrong from None
        if run is None or len(fields) != len(names) or fields[: len(KEY_COLUMNS)] != [*key_of(plan, run).values()]:
            raise wrong
    return lines[1:]


class _Table:
    """A CSV file to which whole rows are added, in the plan's order.

    Attributes:
        path: the file.
        rows: complete rows that it holds.
    """

    def __init__(self, path: Path, names: Sequence[str], plan: Plan) -> None:
        """Read what is there; nothing is written before the file is entered."""
        self.path = path
        self.names = names
        try:
            content = path.read_bytes() if path.exists() else b""
        except OSError as error:
            raise DataError(f"{path} cannot be read: {error.strerror}.") from None
        self._rows = complete_rows(content, names, plan, str(path))
        self._begun = content.startswith(csv_line(names))

    @property
    def rows(self) -> int:
        return len(self._rows)

    def keep(self, rows: int) -> None:
        """Forget what stands after so many rows."""
        self._rows = self._rows[:rows]

    def __enter__(self) -> Self:
        """Open for adding; what was incomplete is cut off."""
        try:
            # Not "a": the end may have to move back first.
            self._file = self.path.open("r+b" if self.path.exists() else "xb", buffering=0)
            first = csv_line(self.names)
            end = len(first) + sum(map(len, self._rows)) if self._begun else 0
            self._file.truncate(end)
            self._file.seek(end)
            if not self._begun:
                self._put(first)
        except OSError as error:
            raise self._refused(error) from None
        return self

    def __exit__(self, *_: object) -> None:
        """Close."""
        self._file.close()

    def write(self, row: dict[str, str]) -> None:
        """Add one row, at once."""
        self._put(csv_line([row[name] for name in self.names]))

    def _put(self, line: bytes) -> None:
        try:
            while line:  # an unbuffered file may take a part only
                line = line[self._file.write(line) :]
        except OSError as error:
            raise self._refused(error) from None

    def _refused(self, error: OSError) -> DataError:
        return DataError(f"{self.path} cannot be written: {error.strerror}.")


# ---------------------------------------------------------------- one run


def run_one(
    data: pd.DataFrame,
    study: Study,
    ties: RecodeTies,
    singling_out: bool,
    tight_seconds: float | None,
    tight_seed: int,
) -> tuple[dict[str, str], dict[str, str]]:
    """Publish and attack one sample.

    Returns:
        The row's columns after the key, and the seconds that each step took.
    """
    seconds = dict.fromkeys(TIMING_COLUMNS, "")
    with _clocked(seconds, "recode_seconds"):
        release = recode(data, study, ties=ties).release
    with _clocked(seconds, "attack_seconds"):
        result = attack(release)
        row = _class_columns(result) | _outlier_columns(result)
    if singling_out:
        with _clocked(seconds, "singling_seconds"):
            row |= _singling_columns(result, data)
    if tight_seconds is not None:
        with _clocked(seconds, "tight_seconds"):
            row |= _tight_columns(release, tight_seconds, tight_seed)
    return row, seconds


@contextlib.contextmanager
def _clocked(seconds: dict[str, str], name: str) -> Iterator[None]:
    started = time.perf_counter()
    yield
    seconds[name] = f"{time.perf_counter() - started:.6f}"


def _class_columns(result: Attack) -> dict[str, str]:
    counted = [part for part in result.classes if part.basic or not part.contradiction]
    compound = [part for part in counted if not part.basic]
    mean, log_mean = _mean_ratio(counted)
    compound_mean, log_compound_mean = _mean_ratio(compound)
    return {
        "records": str(result.release.records),
        "cells": str(result.release.grid.size),
        "classes": str(len(result.classes)),
        "basic_classes": str(sum(part.basic for part in result.classes)),
        "compound_classes": str(sum(not part.basic for part in result.classes)),
        "uncountable_classes": str(len(result.classes) - len(counted)),
        "lr_sum_compound": _whole(sum(part.lr_solutions for part in compound)),
        "cra_sum_compound": _whole(sum(part.cra_solutions for part in compound)),
        "combinations_sum_compound": _whole(sum(part.combinations for part in compound)),
        "log10_lr_mean": _number(_log_mean(sum(part.lr_solutions for part in counted), len(counted))),
        "log10_cra_mean": _number(_log_mean(sum(part.cra_solutions for part in counted), len(counted))),
        "ratio_mean": _number(mean),
        "log10_ratio_mean": _number(log_mean),
        "ratio_mean_compound": _number(compound_mean),
        "log10_ratio_mean_compound": _number(log_compound_mean),
        "each_log10_lr": " ".join(_number(math.log10(part.lr_solutions)) for part in compound),
        "each_log10_cra": " ".join(_number(math.log10(part.cra_solutions)) for part in compound),
        "each_log10_ratio": " ".join(_number(part.log10_ratio) for part in compound),
        "each_combinations": " ".join(_whole(part.combinations) for part in compound),
    }


def _outlier_columns(result: Attack) -> dict[str, str]:
    part = result.outliers
    row = dict.fromkeys(OUTLIER_COLUMNS, "") | {"outliers": str(result.release.outliers)}
    if part is None:
        return row
    ratio = part.ratio
    return row | {
        "outlier_free_cells": str(len(part.free_cells)),
        "outlier_lr": _whole(part.lr_solutions),
        "outlier_cra": _whole(part.cra_solutions),
        "outlier_combinations": _whole(part.combinations),
        "outlier_log10_lr": _number(_log_mean(part.lr_solutions, 1)),
        "outlier_log10_cra": _number(_log_mean(part.cra_solutions, 1)),
        "outlier_ratio": _number(ratio if math.isfinite(ratio) else None),
        "outlier_log10_ratio": _number(None if math.isnan(ratio) else part.log10_ratio),
    }


def _singling_columns(result: Attack, data: pd.DataFrame) -> dict[str, str]:
    singled = single_out(result, data)
    if not isinstance(singled, SinglingOut):  # pragma: no cover - for the type checker: with data it always is
        raise TypeError
    parts = [*singled.classes, *([singled.outliers] if singled.outliers else [])]
    outcomes = {f"singled_{outcome}": str(count) for outcome, count in singled.summary_compound.items()}
    return outcomes | {"singled_invalid": str(sum(not part.valid for part in parts))}


def _tight_columns(release: Release, seconds: float, seed: int) -> dict[str, str]:
    row = dict.fromkeys(TIGHT_COLUMNS, "")
    try:
        tight = tight_attack(release, time_limit=seconds, seed=seed)
    except CRAError:  # too large, or records that coincide; the other columns stand all the same
        return row | {"tight_status": "refused"}
    stderr = tight.log10_worlds_stderr
    return {
        "tight_status": tight.status,
        "tight_log10_intervals": _number(tight.log10_worlds_intervals),
        "tight_log10_per_class": _number(tight.log10_worlds_per_class),
        "tight_log10_worlds": _number(tight.log10_worlds),
        "tight_log10_worlds_stderr": _number(stderr if stderr is not None and math.isfinite(stderr) else None),
        "tight_fixed_cells": str(len(tight.fixed_cells)),
        "tight_isolated": str(len(tight.isolated)),
    }


def _mean_ratio(parts: Sequence[ClassAttack]) -> tuple[float | None, float | None]:
    """The mean of the ratios, None past 1e308, and its decimal logarithm."""
    if not parts:
        return None, None
    logs = [part.log10_ratio for part in parts]
    highest = max(logs)
    log_mean = highest + math.log10(math.fsum(10 ** (log - highest) for log in logs) / len(logs))
    if not all(math.isfinite(part.ratio) for part in parts):
        return None, log_mean
    try:
        return math.fsum(part.ratio for part in parts) / len(parts), log_mean
    except OverflowError:
        return None, log_mean


def _log_mean(total: int, count: int) -> float | None:
    return math.log10(total) - math.log10(count) if total else None


def _whole(count: int) -> str:
    """A whole number in full; ``str`` refuses those of more than 4,300 digits."""
    return format(Decimal(count), "f")


def _number(value: float | None) -> str:
    return "" if value is None else format(value, ".12g")
