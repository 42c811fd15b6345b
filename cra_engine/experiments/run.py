"""Running a plan: publish and attack sample after sample, into a table that grows row by row and survives a stop.

The work is handed to joblib and nothing else: whoever calls chooses the backend and the number of workers with
``joblib.parallel_config``. Random numbers are keyed by indices and rows are written in the plan's order, so the results
are the same bytes for any number of workers, in one go or in several.
"""

import contextlib
import math
import os
import time
from collections.abc import Callable, Generator, Iterator
from itertools import islice
from pathlib import Path

import joblib
import pandas as pd

from cra_engine.assess.attacked import OUT_OF_TIME, assess
from cra_engine.attacks.refinement.attack import Attack, attack
from cra_engine.attacks.refinement.ratios import as_float, log10_of_ratio, mean_ratio
from cra_engine.choices import RecodeTies
from cra_engine.errors import DataError
from cra_engine.experiments.plan import Plan
from cra_engine.experiments.rows import (
    KEY_COLUMNS,
    SUPPRESSED_COLUMNS,
    TIGHT_COLUMNS,
    TIMING_COLUMNS,
    _Table,
    columns,
    key_of,
)
from cra_engine.patience import Deadline
from cra_engine.publish.local.recoding import recode
from cra_engine.release import Release
from cra_engine.risk.singling import single_out
from cra_engine.study.study import Study
from cra_engine.words import digits

Progress = Callable[[int, int, float | None], None]


def run_experiment(
    plan: Plan,
    output: str | os.PathLike[str],
    *,
    timings: str | os.PathLike[str] | None = None,
    progress: Progress | None = None,
) -> int:
    """Run an experiment's plan, or what is left of it, into a CSV file.

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
    with results, clock or contextlib.nullcontext(), contextlib.closing(run_rows(plan, already)) as rows:
        if progress is not None:
            progress(already, plan.size, None)
        for done, (row, seconds) in enumerate(rows, start=already + 1):
            if clock is not None:  # first, so that after a stop the timings cover all results
                clock.write(seconds)
            results.write(row)
            if progress is not None:
                pace = (time.monotonic() - started) / (done - already)
                progress(done, plan.size, pace * (plan.size - done))
    return already


def run_rows(plan: Plan, already: int = 0) -> Generator[tuple[dict[str, str], dict[str, str]], None, None]:
    """Run what is left of an experiment's plan after so many rows; nothing is written anywhere.

    Yields:
        Run by run, in the plan's order, the row of the results (see :func:`columns`) and that of the timings. Closing
        the generator ends the work.
    """
    if already == plan.size:
        return
    work = (
        joblib.delayed(run_one)(data, study, plan.ties, plan.singling_out, plan.tight_time_limit, tight_seed)
        for data, study, tight_seed in _tasks(plan, already)
    )
    with contextlib.closing(joblib.Parallel(return_as="generator")(work)) as rows:
        for run, (row, seconds) in zip(islice(plan.runs, already, None), rows, strict=True):
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


# ---------------------------------------------------------------- one run


def run_one(
    data: pd.DataFrame,
    study: Study,
    ties: RecodeTies,
    singling_out: bool,
    tight_time_limit: float | None,
    tight_seed: int,
) -> tuple[dict[str, str], dict[str, str]]:
    """Publish and attack one sample of an experiment.

    Returns:
        The row's columns after the key, and the seconds that each step took.
    """
    seconds = dict.fromkeys(TIMING_COLUMNS, "")
    with _clocked(seconds, "recode_seconds"):
        release = recode(data, study, ties=ties).release
    with _clocked(seconds, "attack_seconds"):
        result = attack(release)
        row = _class_columns(result) | _suppressed_columns(result)
    if singling_out:
        with _clocked(seconds, "singling_seconds"):
            row |= _singling_columns(result, data)
    if tight_time_limit is not None:
        with _clocked(seconds, "tight_seconds"):
            row |= _tight_columns(release, tight_time_limit, tight_seed)
    return row, seconds


@contextlib.contextmanager
def _clocked(seconds: dict[str, str], name: str) -> Iterator[None]:
    started = time.perf_counter()
    yield
    seconds[name] = f"{time.perf_counter() - started:.6f}"


def _class_columns(result: Attack) -> dict[str, str]:
    counted = [part for part in result.classes if part.basic or not part.contradiction]
    compound = [part for part in counted if not part.basic]
    mean = mean_ratio([part.exact_ratio for part in counted])
    compound_mean = mean_ratio([part.exact_ratio for part in compound])
    return {
        "records": str(result.release.records),
        "cells": str(result.release.grid.size),
        "classes": str(len(result.classes)),
        "basic_classes": str(sum(part.basic for part in result.classes)),
        "compound_classes": str(sum(not part.basic for part in result.classes)),
        "uncountable_classes": str(len(result.classes) - len(counted)),
        "lr_sum_compound": digits(sum(part.lr_solutions for part in compound)),
        "cra_sum_compound": digits(sum(part.cra_solutions for part in compound)),
        "combinations_sum_compound": digits(sum(part.combinations for part in compound)),
        "log10_lr_mean": _number(_log_mean(sum(part.lr_solutions for part in counted), len(counted))),
        "log10_cra_mean": _number(_log_mean(sum(part.cra_solutions for part in counted), len(counted))),
        "ratio_mean": _number(as_float(mean)),
        "log10_ratio_mean": _number(log10_of_ratio(mean)),
        "ratio_mean_compound": _number(as_float(compound_mean)),
        "log10_ratio_mean_compound": _number(log10_of_ratio(compound_mean)),
        "each_log10_lr": " ".join(_number(math.log10(part.lr_solutions)) for part in compound),
        "each_log10_cra": " ".join(_number(math.log10(part.cra_solutions)) for part in compound),
        "each_log10_ratio": " ".join(_number(part.log10_ratio) for part in compound),
        "each_combinations": " ".join(digits(part.combinations) for part in compound),
    }


def _suppressed_columns(result: Attack) -> dict[str, str]:
    part = result.suppressed
    row = dict.fromkeys(SUPPRESSED_COLUMNS, "") | {"suppressed": str(result.release.suppressed)}
    if part is None:
        return row
    ratio = part.ratio
    return row | {
        "suppressed_free_cells": str(len(part.free_cells)),
        "suppressed_lr": digits(part.lr_solutions),
        "suppressed_cra": digits(part.cra_solutions),
        "suppressed_combinations": digits(part.combinations),
        "suppressed_log10_lr": _number(_log_mean(part.lr_solutions, 1)),
        "suppressed_log10_cra": _number(_log_mean(part.cra_solutions, 1)),
        "suppressed_ratio": _number(ratio if math.isfinite(ratio) else None),
        "suppressed_log10_ratio": _number(None if math.isnan(ratio) else part.log10_ratio),
    }


def _singling_columns(result: Attack, data: pd.DataFrame) -> dict[str, str]:
    singled = single_out(result, data)
    parts = [*singled.classes, *([singled.suppressed] if singled.suppressed else [])]
    outcomes = {f"singled_{outcome}": str(count) for outcome, count in singled.outcomes_compound.items()}
    return outcomes | {"singled_invalid": str(sum(not part.valid for part in parts))}


def _tight_columns(release: Release, time_limit: float, seed: int) -> dict[str, str]:
    assessment = assess(release, local=True, prior="distinct", deadline=Deadline(time_limit), seed=seed)
    tight = assessment.tight
    if tight is None:  # too large, or records that coincide; the other columns stand all the same
        status = "timeout" if OUT_OF_TIME in assessment.missing else "refused"
        return dict.fromkeys(TIGHT_COLUMNS, "") | {"tight_status": status}
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


def _log_mean(total: int, count: int) -> float | None:
    return math.log10(total) - math.log10(count) if total else None


def _number(value: float | None) -> str:
    return "" if value is None or not math.isfinite(value) else format(value, ".12g")
