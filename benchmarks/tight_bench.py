"""The attack on single classes one by one against enumeration, and the attack on all classes together."""

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Event

import numpy as np
from measure import LISTING_CAP, Result, count, fresh, list_with_cp_sat, median_seconds

from cra_engine import Release, Study, attack, recode, synthesize, tight_attack
from cra_engine.raw.synthesis import synthetic_study

SEEDS = (7, 8, 9)
CANCELLED_AFTER = (0.5, 1.5, 3.0, 6.0)


def release_of(
    kind: str, records: int, attributes: int | None = None, k: int | None = None, seed: int = SEEDS[0]
) -> Release:
    """A synthetic table, published."""
    data = synthesize(kind, records, seed).data
    study: Study = synthetic_study(kind, attributes, k, records=records)
    return recode(data, study).release


def per_class() -> Iterator[Result]:
    """Class by class against CP-SAT's enumeration, where that finishes within a minute."""
    ours: list[float] = []
    theirs: list[float] = []
    sizes: list[int] = []
    compound = 0
    for seed in SEEDS:
        release = release_of("hospitals", 800, 4, 7, seed)
        parts = attack(release).parts
        order = sorted((n for n, part in enumerate(parts) if not part.basic), key=lambda n: parts[n].combinations)
        compound += len(order)
        for number in order:
            seconds, finished, found = list_with_cp_sat(fresh(release, number), LISTING_CAP)
            if not finished:
                break  # the next ones have more assignments
            if found != parts[number].combinations:
                raise RuntimeError(f"CP-SAT lists {found} assignments, the engine counts {parts[number].combinations}")
            ours.append(median_seconds(count, partial(fresh, release, number), 3))
            theirs.append(seconds)
            sizes.append(found)
    ratios = np.array(theirs) / np.array(ours)
    digits = np.array([len(str(size)) for size in sizes])
    tenfold = "; ".join(
        f"{10 ** (digit - 1):,} to {10**digit:,}: {np.median(ratios[digits == digit]):.3g} ({(digits == digit).sum()})"
        for digit in sorted(set(digits.tolist()))
    )
    yield Result(
        f"count {len(ratios)} classes one by one : enumerate each with CP-SAT",
        sum(ours),
        sum(theirs),
        note=f"hospitals, 4 attributes, k = 7, {len(SEEDS)} tables: those of {compound} compound classes that CP-SAT "
        f"lists within {LISTING_CAP:g} s; the same numbers. Median ratio of a class (classes), by its assignments: "
        f"{tenfold}. From {ratios.min():.3g} to {ratios.max():.3g}; {(ratios >= 1000).sum()} classes 1,000 or more.",
    )


def together() -> Iterator[Result]:
    """The attack on all classes together, on the two tables of the paper's size."""
    for kind, records, k in (("clinic", 500, 5), ("hospitals", 800, 5)):
        release = release_of(kind, records, None, k)
        started, spent = time.perf_counter(), time.process_time()
        found = tight_attack(release, time_limit=120.0)
        passed = time.perf_counter() - started
        seconds = time.process_time() - spent
        open_cells = [view for view in found.cells if view.cell not in found.settled]
        yield Result(
            f"attack all classes together: {kind}, {len(release.attributes)} attributes, k = {k}",
            seconds,
            note=f"{records} records, {passed:.1f} s on the clock; status {found.status}, 10^{found.log10_worlds:.3f} "
            f"worlds, standard error of the exponent {found.log10_worlds_stderr:.3f}; smallest and largest count "
            f"proven for {sum(view.closed for view in open_cells)} of {len(open_cells)} open cells.",
        )


def cancelling() -> Iterator[Result]:
    """How long a run goes on after it has been cancelled, on a release that takes minutes."""
    release = release_of("hospitals", 10_000, 4, 20)
    longest = 0.0
    for seconds in CANCELLED_AFTER:
        stop = Event()
        with ThreadPoolExecutor(1) as pool:
            run = pool.submit(_run, release, stop.is_set)
            time.sleep(seconds)
            cancelled = time.perf_counter()
            stop.set()
            run.result()
            longest = max(longest, time.perf_counter() - cancelled)
    yield Result(
        "end after a cancellation, the longest",
        longest,
        note=f"10,000 synthetic hospitals, 4 attributes, k = 20, all classes together, cancelled after "
        f"{', '.join(f'{seconds:g}' for seconds in CANCELLED_AFTER)} s.",
    )


def _run(release: Release, cancelled: Callable[[], bool]) -> str:
    return tight_attack(release, time_limit=600.0, cancelled=cancelled).status
