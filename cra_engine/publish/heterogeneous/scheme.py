"""Heterogeneous generalization, from a raw table to a published one.

Gkountouna, Doka, Xue, Cao, Karras: One-off Disclosure Control by Heterogeneous Generalization, USENIX Security 2022.
docs/heterogeneous.md tells the method, the proof of our extraction, and where the paper errs.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from random import Random, SystemRandom
from typing import get_args

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from cra_engine.choices import Extraction, MatchMethod
from cra_engine.criteria.parameters import Number
from cra_engine.errors import DataError, StudyError, TooLargeError
from cra_engine.expected import expect, expect_each, whole_number
from cra_engine.publish.heterogeneous.buckets import Buckets, diversity_buckets, exact_beta, likeness_parts
from cra_engine.publish.heterogeneous.columns import BETWEEN, DUMMY, Columns, sensitive_values
from cra_engine.publish.heterogeneous.extraction import by_matching, by_permutation
from cra_engine.publish.heterogeneous.matches import match
from cra_engine.publish.heterogeneous.result import Heterogeneous
from cra_engine.raw.named_columns import read_named_columns
from cra_engine.words import rows_text

MOST_MATCHES = 60_000_000  # rows times buckets: a quarter of a gigabyte
MOST_PAIRS = 4_000_000  # bucket pairs: some minutes
MOST_PLACES = 6_000  # in a bucket: its cost matrix takes a quarter of a gigabyte


def heterogeneous(
    data: pd.DataFrame,
    quasi_identifiers: Sequence[str],
    sensitive: str,
    *,
    l: int | None = None,  # noqa: E741 - its name in the field
    beta: Number | None = None,
    method: MatchMethod = "HG",
    extraction: Extraction = "permutation",
    categorical: Collection[str] = (),
    seed: int | None = None,
    partition: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Heterogeneous:
    """Publish a table by heterogeneous generalization, with l-diversity or beta-likeness of one sensitive attribute.

    Every record matches mu published rows and every row mu records, one of each bucket; a row shows the extent of its
    matches and the sensitive value of one of them. Other columns are not published: a row stands for no single person.

    Args:
        data: one row per person.
        quasi_identifiers: columns that somebody may know of a person. Numeric where all values are numbers.
        sensitive: the column to protect.
        l: each person's matches show l sensitive values of equal likelihood (Algorithm 1).
        beta: nobody's confidence in a value grows by more than this share (Algorithm 3). Either l or beta.
        method: ``"HG"`` least loss of each bucket pair (Hungarian), ``"SG"`` cheapest pair first, ``"GR"`` row by row.
        extraction: ``"permutation"``, ours, keeps the promise to people, too; ``"paper"`` is the paper's, which breaks
            it.
        categorical: quasi-identifiers whose numbers are codes, not amounts.
        seed: for teaching and tests only: who knows the seed can undo the protection. None: the system's randomness.
        partition: split the table into parts of about so many records, each anonymized by itself: faster, more loss.
        progress: told how many bucket pairs of how many are matched.

    Raises:
        StudyError: l, beta, the method or the columns are not as they must be, or the table is not l-eligible.
        DataError: the table has gaps, or values that cannot be published.
        TooLargeError: there would be too many buckets.

    Examples:
        >>> data = pd.DataFrame({"age": [31, 33, 45, 47], "illness": ["flu", "cold", "flu", "gout"]})
        >>> result = heterogeneous(data, ["age"], "illness", l=2, seed=1)
        >>> sorted(result.frame["age"])
        ['[31, 33]', '[31, 33]', '[45, 47]', '[45, 47]']
        >>> result.gcp, result.buckets, result.dummies
        (0.125, 2, 0)
    """
    expect(data, pd.DataFrame, "heterogeneous(data)")
    quasi_identifiers = expect_each(quasi_identifiers, str, "heterogeneous(quasi_identifiers)")
    expect(sensitive, str, "heterogeneous(sensitive)")
    if (l is None) == (beta is None):
        raise StudyError("Give either l (diversity) or beta (likeness), one of them.")
    diverse = None if l is None else whole_number(l)
    if l is not None and (diverse is None or diverse < 2):
        raise StudyError(f"l is {l}; give a whole number of 2 or more.")
    if method not in get_args(MatchMethod):
        raise StudyError(f"The method {method!r} is unknown; take HG, SG or GR.")
    if extraction not in get_args(Extraction):
        raise StudyError(f"The extraction {extraction!r} is unknown; take permutation or paper.")
    fixed = None if seed is None else whole_number(seed)
    if seed is not None and (fixed is None or fixed < 0):
        raise StudyError(f"The seed is {seed}; give a whole number of 0 or more, or none.")
    read = read_named_columns(data, quasi_identifiers, sensitive, categorical)
    _check_publishable(read.frame, sensitive)
    draw: Random = SystemRandom() if fixed is None else Random(fixed)
    names, values = sensitive_values(read.frame[sensitive])
    supports = np.bincount(values, minlength=len(names)).tolist()
    dealt = _dealt(values, partition, draw)
    counts = [np.bincount(values[part], minlength=len(names)).tolist() for part in dealt]
    exact = None
    if beta is not None:
        exact = exact_beta(beta)
        parts = likeness_parts(counts, supports, exact)
    else:
        parts = _diverse_parts(counts, supports, diverse or 0)
    _check_size(parts)
    columns = Columns(read.frame, quasi_identifiers)
    report = _Report(progress, sum(part.buckets * (part.buckets - 1) for part in parts))
    places, matched, carried, extensions = [], [], [], []
    for part, bucketing in zip(dealt, parts, strict=True):
        rows = _placed(bucketing, part, values, draw)
        found, extension = match(
            columns.places(rows, bucketing, None if l is None else values), method, None, report.add
        )
        places.append(rows)
        matched.append(found)
        extensions.append(extension)
        carried.append(_extracted(extraction, found, draw))
    stands = [np.asarray((rows >= 0)[found].any(axis=1)) for rows, found in zip(places, matched, strict=True)]
    order = [(p, place) for p, rows in enumerate(stands) for place in np.flatnonzero(rows).tolist()]
    draw.shuffle(order)
    rows_of = np.array(order, dtype=np.int64)
    losses = [extension.loss(np.flatnonzero(rows)).sum() for extension, rows in zip(extensions, stands, strict=True)]
    return Heterogeneous(
        data=read.frame,
        sensitive=sensitive,
        l=l,
        beta=exact,
        method=method,
        extraction=extraction,
        parts=tuple(parts),
        places=tuple(places),
        rows_of=rows_of,
        cells=columns.cells(extensions, rows_of),
        matched=tuple(matched),
        carried=tuple(carried),
        gcp=float(sum(losses)) / len(order) / len(quasi_identifiers),
        notes=_notes(read.notes, data, read.frame, parts),
    )


def with_extraction(result: Heterogeneous, extraction: Extraction, seed: int | None = None) -> Heterogeneous:
    """Return a heterogeneous table with the values that rows carry drawn anew, to compare both extractions.

    Do not publish two of them: together they tell more than one.
    """
    draw: Random = SystemRandom() if seed is None else Random(seed)
    carried = tuple(_extracted(extraction, matched, draw) for matched in result.matched)
    return replace(result, extraction=extraction, carried=carried)


def _extracted(extraction: Extraction, matches: NDArray[np.int32], draw: Random) -> NDArray[np.int64]:
    if extraction == "permutation":
        return by_permutation(matches, len(matches) // matches.shape[1], draw)
    return by_matching(matches, draw)


class _Report:
    """Adds up the bucket pairs that are matched."""

    def __init__(self, progress: Callable[[int, int], None] | None, total: int) -> None:
        self._progress, self._total, self._done = progress, total, 0

    def add(self, pairs: int) -> None:
        self._done += pairs
        if self._progress is not None:
            self._progress(self._done, self._total)


def _check_publishable(frame: pd.DataFrame, sensitive: str) -> None:
    for name in frame.columns:
        if frame[name].dtype.kind in "iuf":
            continue
        for row, cell in enumerate(frame[name], start=1):
            if BETWEEN in cell:
                raise DataError(
                    f"Column {str(name)!r}, {rows_text([row])}: the value {cell[:40]!r} holds {BETWEEN!r}, which "
                    "stands between the values of a published set; write it in another way."
                )
            if name == sensitive and cell == DUMMY:
                raise DataError(
                    f"Column {str(name)!r}, {rows_text([row])}: the sensitive value {DUMMY!r} would look like a "
                    "dummy's; write it in another way."
                )


def _dealt(values: NDArray[np.int64], partition: int | None, draw: Random) -> list[NDArray[np.int64]]:
    """The records of each part: each value is dealt out evenly, which of its records go where is chance.

    Were parts made by quasi-identifiers, the loss would be less, but then utility and privacy would be decided
    together, which is what attacks on minimality live on.
    """
    if partition is not None and partition < 2:
        raise StudyError(f"Parts of {partition} records are too small; give 2 or more.")
    shuffled = np.array(draw.sample(range(len(values)), len(values)), dtype=np.int64)
    by_value = shuffled[np.argsort(values[shuffled], kind="stable")]
    parts = 1 if partition is None else -(-len(values) // partition)
    return [by_value[part::parts] for part in range(parts)]


def _diverse_parts(counts: Sequence[Sequence[int]], supports: Sequence[int], l: int) -> list[Buckets]:  # noqa: E741
    diversity_buckets(supports, l)  # the table as a whole has to be eligible
    size = max(-(-sum(part) // l) for part in counts)
    try:
        return [diversity_buckets(part, l, size) for part in counts]
    except StudyError:
        raise StudyError(
            f"Split into {len(counts)} parts the table is not {l}-eligible in each; take larger parts or a smaller l."
        ) from None


def _check_size(parts: Sequence[Buckets]) -> None:
    buckets, size = parts[0].buckets, parts[0].bucket_size
    rows = len(parts) * buckets * size
    if rows * buckets > MOST_MATCHES or len(parts) * buckets * buckets > MOST_PAIRS:
        raise TooLargeError(
            f"The table would need {buckets:,} buckets, so {rows:,} rows with {buckets:,} matches each, more than this "
            "program admits; allow a larger beta, merge rare sensitive values, or take fewer records."
        )
    if size > MOST_PLACES and buckets > 1:
        raise TooLargeError(
            f"Each of the {buckets:,} buckets would hold {size:,} records, more than the {MOST_PLACES:,} that are "
            f"matched at once; split the table into parts of {buckets * MOST_PLACES:,} records or fewer (partition)."
        )


def _placed(buckets: Buckets, part: NDArray[np.int64], values: NDArray[np.int64], draw: Random) -> NDArray[np.int64]:
    """The record at each place, -1 for a dummy: which of a value's records go where is chance."""
    waiting = {}
    for value in np.unique(values[part]).tolist():
        mine = part[values[part] == value].tolist()
        draw.shuffle(mine)
        waiting[value] = mine
    rows = np.full((buckets.buckets, buckets.bucket_size), -1, dtype=np.int64)
    filled = [0] * buckets.buckets
    for bucket, value, many in buckets.runs:
        start = filled[bucket]
        rows[bucket, start : start + many] = [waiting[value].pop() for _ in range(many)]
        filled[bucket] += many
    return rows.ravel()


def _notes(
    notes: tuple[str, ...], data: pd.DataFrame, frame: pd.DataFrame, parts: Sequence[Buckets]
) -> tuple[str, ...]:
    left_out = [repr(str(name)) for name in data.columns if name not in frame.columns]
    if left_out:
        more = " and others" if len(left_out) > 12 else ""
        listed = ", ".join(left_out[:12])
        notes += (f"Not published, since a row stands for no single person: {listed}{more}.",)
    if len(parts) > 1:
        notes += (f"The table was split at random into {len(parts)} parts, each anonymized by itself.",)
    return notes
