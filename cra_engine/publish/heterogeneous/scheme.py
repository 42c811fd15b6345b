"""Heterogeneous generalization, from a raw table to a published one.

Gkountouna, Doka, Xue, Cao, Karras: One-off Disclosure Control by Heterogeneous Generalization, USENIX Security 2022.
docs/heterogeneous.md tells the method, the proof of our extraction, and where the paper errs.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from random import Random, SystemRandom
from typing import Any, get_args

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from cra_engine.errors import DataError, StudyError, TooLargeError
from cra_engine.hierarchy import number_text
from cra_engine.publish.heterogeneous.assignments import Method
from cra_engine.publish.heterogeneous.buckets import (
    Buckets,
    Level,
    diversity_buckets,
    exact_beta,
    likeness_parts,
)
from cra_engine.publish.heterogeneous.extraction import Extraction, by_matching, by_permutation
from cra_engine.publish.heterogeneous.matches import Extension, Places, match
from cra_engine.publish.heterogeneous.sides import Side, measured, seen_by_records, seen_by_rows
from cra_engine.published import Categories, Extent, Extents, Interval, Published
from cra_engine.raw.typed import typed

MOST_MATCHES = 60_000_000  # rows times buckets: a quarter of a gigabyte
MOST_PAIRS = 4_000_000  # bucket pairs: some minutes
DUMMY = "*"
BETWEEN = " | "


@dataclass(frozen=True, eq=False)
class Heterogeneous:
    """A heterogeneously generalized table and, secret, how it came about.

    Rows stand in a random order of their own, not in the input's; rows with dummies' values show ``*``.

    Attributes:
        data: the raw table as it was read: quasi-identifiers, numbers where numeric, then the sensitive attribute.
        sensitive: name of the sensitive attribute.
        l: the diversity that was asked for, or None.
        beta: the likeness that was asked for, or None.
        method: how matches were chosen.
        extraction: how the values that rows carry were chosen.
        parts: the buckets of each part; one part unless the table was split.
        places: per part the data row at each place of its buckets, -1 for a dummy.
        rows_of: per published row its part and the place of its own record, shape (rows, 2).
        table: the published table and what each row's values stand for.
        matched: per part and place the places it is matched to, one in each bucket. Secret.
        carried: per part and place the place whose value its row carries. Secret.
        gcp: the Global Certainty Penalty, 0 (nothing lost) to 1.
        published: the gain in confidence from the true values of a row's matches.
        original: the gain in confidence from the values that are published on the rows that match a person.
        notes: what to know of the table, as sentences.
    """

    data: pd.DataFrame
    sensitive: str
    l: int | None
    beta: Fraction | None
    method: Method
    extraction: Extraction
    parts: tuple[Buckets, ...]
    places: tuple[NDArray[np.int64], ...]
    rows_of: NDArray[np.int64]
    table: Published
    matched: tuple[NDArray[np.int32], ...]
    carried: tuple[NDArray[np.int64], ...]
    gcp: float
    published: Side
    original: Side
    notes: tuple[str, ...]

    @property
    def release(self) -> pd.DataFrame:
        """The table to publish."""
        return self.table.frame

    @property
    def records(self) -> int:
        """Number of people."""
        return len(self.data)

    @property
    def rows(self) -> int:
        """Number of published rows: mu * c in each part."""
        return len(self.rows_of)

    @property
    def dummies(self) -> int:
        """Number of rows for nobody."""
        return self.rows - self.records

    @property
    def buckets(self) -> int:
        """Number of buckets, mu: matches of each row and of each person."""
        return self.parts[0].buckets

    @property
    def bucket_size(self) -> int:
        """Places in a bucket, c."""
        return self.parts[0].bucket_size

    @property
    def beta_bound(self) -> Fraction:
        """The beta that the buckets promise by Eq. (7), of the whole table's frequencies."""
        supports = self.data[self.sensitive].value_counts()
        names = _values(self.data[self.sensitive])[0]
        worst = Fraction(0)
        for part, places in zip(self.parts, self.places, strict=True):
            share = Fraction(int((places >= 0).sum()), self.records)
            for name, touched in zip(names, part.touched, strict=True):
                worst = max(worst, Fraction(part.bucket_size * touched, int(supports[name])) / share)
        return worst - 1

    @cached_property
    def own(self) -> tuple[int | None, ...]:
        """Per published row the data row (from 0) that it was made from; None for a dummy's. Secret."""
        return _rows(self._data_rows([np.arange(len(places)) for places in self.places]))

    @cached_property
    def carries(self) -> tuple[int | None, ...]:
        """Per published row the data row whose sensitive value it carries; None for a dummy's. Secret."""
        return _rows(self._data_rows(list(self.carried)))

    @cached_property
    def matches(self) -> tuple[tuple[int | None, ...], ...]:
        """Per published row the data rows it matches, one of each bucket, None for a dummy. Secret."""
        found = self._data_rows(list(self.matched))
        return tuple(_rows(row) for row in found)

    @property
    def bucket(self) -> NDArray[np.int64]:
        """Per published row the bucket of its own record. Secret."""
        return np.asarray(self.rows_of[:, 1] // self.bucket_size)

    def _data_rows(self, per_part: Sequence[NDArray[Any]]) -> NDArray[np.int64]:
        everywhere = np.stack([places[found] for places, found in zip(self.places, per_part, strict=True)])
        return np.asarray(everywhere[self.rows_of[:, 0], self.rows_of[:, 1]])

    def graph(self) -> pd.DataFrame:
        """The secret graph: each published row's own record, its bucket, whose value it carries, and its matches."""
        blank = {None: ""}
        return pd.DataFrame(
            {
                "row": range(self.rows),
                "own": [blank.get(row, row) for row in self.own],
                "bucket": self.bucket,
                "carries": [blank.get(row, row) for row in self.carries],
                "matches": [" ".join(str(row) for row in found if row is not None) for found in self.matches],
            }
        )


def heterogeneous(
    data: pd.DataFrame,
    quasi_identifiers: Sequence[str],
    sensitive: str,
    *,
    l: int | None = None,  # noqa: E741 - its name in the field
    beta: Level | None = None,
    method: Method = "HG",
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
        >>> sorted(result.release["age"])
        ['[31, 33]', '[31, 33]', '[45, 47]', '[45, 47]']
        >>> result.gcp, result.buckets, result.dummies
        (0.125, 2, 0)
    """
    if (l is None) == (beta is None):
        raise StudyError("Give either l (diversity) or beta (likeness), one of them.")
    if l is not None and (isinstance(l, bool) or l != int(l) or l < 2):
        raise StudyError(f"l is {l}; give a whole number of 2 or more.")
    if method not in get_args(Method):
        raise StudyError(f"The method {method!r} is unknown; take HG, SG or GR.")
    if extraction not in get_args(Extraction):
        raise StudyError(f"The extraction {extraction!r} is unknown; take permutation or paper.")
    if seed is not None and seed < 0:
        raise StudyError(f"The seed is {seed}; give a whole number of 0 or more, or none.")
    read = typed(data, quasi_identifiers, sensitive, categorical)
    _check_publishable(read.frame, sensitive)
    draw: Random = SystemRandom() if seed is None else Random(seed)
    names, values = _values(read.frame[sensitive])
    supports = np.bincount(values, minlength=len(names)).tolist()
    exact = None if beta is None else exact_beta(beta)
    dealt = _dealt(values, partition, draw)
    counts = [np.bincount(values[part], minlength=len(names)).tolist() for part in dealt]
    if l is not None:
        diversity_buckets(supports, l)  # the table as a whole is eligible
        size = max(-(-len(part) // l) for part in dealt)
        parts = [_part_buckets(count, l, size, len(dealt)) for count in counts]
    else:
        assert exact is not None
        parts = likeness_parts(counts, supports, exact)
    _check_size(parts)
    columns = _Columns(read.frame, quasi_identifiers)
    report = _Report(progress, sum(part.buckets * (part.buckets - 1) for part in parts))
    places, matched, carried, extents = [], [], [], []
    for part, bucketing in zip(dealt, parts, strict=True):
        rows = _placed(bucketing, part, values, draw)
        found, extension = match(
            columns.places(rows, bucketing, None if l is None else values), method, None, report.add
        )
        places.append(rows)
        matched.append(found)
        extents.append(extension)
        if extraction == "permutation":
            carried.append(by_permutation(found, bucketing.bucket_size, draw))
        else:
            carried.append(by_matching(found, draw))
    order = [(p, place) for p, rows in enumerate(places) for place in range(len(rows))]
    draw.shuffle(order)
    rows_of = np.array(order, dtype=np.int64)
    data_rows = np.stack([rows[found] for rows, found in zip(places, carried, strict=True)])
    shown = data_rows[rows_of[:, 0], rows_of[:, 1]]
    table = columns.published(extents, rows_of, [DUMMY if row < 0 else names[values[row]] for row in shown], sensitive)
    gcp = float(
        np.mean([extension.loss(np.arange(len(rows))).mean() for extension, rows in zip(extents, places, strict=True)])
    )
    sides = _sides(parts, places, matched, carried, values, supports, exact)
    return Heterogeneous(
        read.frame,
        sensitive,
        l,
        exact,
        method,
        extraction,
        tuple(parts),
        tuple(places),
        rows_of,
        table,
        tuple(matched),
        tuple(carried),
        gcp / len(quasi_identifiers),
        *sides,
        _notes(read.notes, data, read.frame, parts),
    )


def homogeneous_gcp(result: Heterogeneous) -> float:
    """The loss of homogeneous groups on the same buckets (Figure 1): the matches of the first bucket's rows, which all
    members of a group publish alike.
    """
    quasi_identifiers = [str(name) for name in result.data.columns if name != result.sensitive]
    columns = _Columns(result.data, quasi_identifiers)
    values = _values(result.data[result.sensitive])[1]
    losses = []
    for part, rows in zip(result.parts, result.places, strict=True):
        places = columns.places(rows, part, None if result.l is None else values)
        _, extension = match(places, result.method, [0])
        losses.append(extension.loss(np.arange(part.bucket_size)).mean())
    return float(np.mean(losses)) / len(quasi_identifiers)


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
                    f"Column {str(name)!r}, row {row}: the value {cell[:40]!r} holds {BETWEEN!r}, which stands between "
                    "the values of a published set; write it in another way."
                )
            if name == sensitive and cell == DUMMY:
                raise DataError(
                    f"Column {str(name)!r}, row {row}: the sensitive value {DUMMY!r} would look like a dummy's; write it "
                    "in another way."
                )


def _values(column: "pd.Series[Any]") -> tuple[list[str], NDArray[np.int64]]:
    names, values = np.unique(column.to_numpy(dtype=object).astype(str), return_inverse=True)
    return names.tolist(), values.astype(np.int64)


def _dealt(values: NDArray[np.int64], partition: int | None, draw: Random) -> list[NDArray[np.int64]]:
    """The records of each part: each value is dealt out evenly, which of its records go where is chance.

    Were parts made by quasi-identifiers, the loss would be less, but then utility and privacy would be decided together,
    which is what attacks on minimality live on.
    """
    if partition is not None and partition < 2:
        raise StudyError(f"Parts of {partition} records are too small; give 2 or more.")
    shuffled = np.array(draw.sample(range(len(values)), len(values)), dtype=np.int64)
    by_value = shuffled[np.argsort(values[shuffled], kind="stable")]
    parts = 1 if partition is None else -(-len(values) // partition)
    return [by_value[part::parts] for part in range(parts)]


def _part_buckets(counts: Sequence[int], l: int, size: int, parts: int) -> Buckets:  # noqa: E741
    try:
        return diversity_buckets(counts, l, size)
    except StudyError:
        if parts == 1:
            raise
        raise StudyError(
            f"Split into {parts} parts the table is not {l}-eligible in each; take larger parts or a smaller l."
        ) from None


def _check_size(parts: Sequence[Buckets]) -> None:
    buckets, rows = parts[0].buckets, sum(part.buckets * part.bucket_size for part in parts)
    if rows * buckets > MOST_MATCHES or len(parts) * buckets * buckets > MOST_PAIRS:
        raise TooLargeError(
            f"The table would need {buckets:,} buckets, so {rows:,} rows with {buckets:,} matches each, more than this "
            "program admits; allow a larger beta, merge rare sensitive values, or take fewer records."
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
    for bucket, value, count in buckets.runs:
        start = filled[bucket]
        rows[bucket, start : start + count] = [waiting[value].pop() for _ in range(count)]
        filled[bucket] += count
    return rows.ravel()


class _Columns:
    """The quasi-identifiers as the matching wants them, and back as a published table."""

    def __init__(self, frame: pd.DataFrame, quasi_identifiers: Sequence[str]) -> None:
        self.names = list(quasi_identifiers)
        self.numeric = [name for name in self.names if frame[name].dtype.kind in "iuf"]
        self.known: dict[str, NDArray[Any]] = {}
        self.codes: dict[str, NDArray[np.int64]] = {}
        for name in self.names:
            column = frame[name].to_numpy()
            known, codes = np.unique(column if name in self.numeric else column.astype(str), return_inverse=True)
            self.known[name], self.codes[name] = known, codes.astype(np.int64)

    def places(self, rows: NDArray[np.int64], buckets: Buckets, values: NDArray[np.int64] | None) -> Places:
        """What lies where: ``values`` are the sensitive ones that must not come twice to a row, if so."""
        real = rows >= 0
        numeric = np.full((len(self.numeric), len(rows)), np.nan)
        for at, name in enumerate(self.numeric):
            known = self.known[name].astype(np.float64)
            width = known[-1] - known[0]
            numeric[at, real] = ((known - known[0]) / (width or 1.0))[self.codes[name][rows[real]]]
        rest = [name for name in self.names if name not in self.numeric]
        categories = np.full((len(rest), len(rows)), -1, dtype=np.int64)
        for at, name in enumerate(rest):
            categories[at, real] = self.codes[name][rows[real]]
        split = np.full(len(rows), -1, dtype=np.int64)
        if values is not None:
            several = [value for value, touched in enumerate(buckets.touched) if touched > 1]
            number = np.full(len(buckets.touched), -1, dtype=np.int64)
            number[several] = np.arange(len(several))
            split[real] = number[values[rows[real]]]
        cardinalities = [len(self.known[name]) for name in rest]
        return Places(buckets.buckets, buckets.bucket_size, numeric, categories, cardinalities, real, split)

    def published(
        self, parts: Sequence[Extension], rows_of: NDArray[np.int64], carried: list[str], sensitive: str
    ) -> Published:
        """The published table of rows that stand at these parts and places."""
        extents, cells = {}, {}
        rest = [name for name in self.names if name not in self.numeric]
        for name in self.names:
            if name in self.numeric:
                at = self.numeric.index(name)
                ends = np.stack([np.stack([part.low[at], part.high[at]], axis=1) for part in parts])
                extents[name], labels = self._intervals(name, ends[rows_of[:, 0], rows_of[:, 1]])
            else:
                held = np.stack([part.held[rest.index(name)] for part in parts])
                extents[name], labels = self._sets(name, held[rows_of[:, 0], rows_of[:, 1]])
            cells[name] = np.array(labels, dtype=object)[extents[name].of_row]
        frame = pd.DataFrame({**cells, sensitive: np.array(carried, dtype=object)})
        return Published(frame, extents, (), np.empty(0, dtype=np.int64))

    def _intervals(self, name: str, ends: NDArray[np.float64]) -> tuple[Extents, list[str]]:
        known = self.known[name]
        shares = known.astype(np.float64)
        shares = (shares - shares[0]) / ((shares[-1] - shares[0]) or 1.0)
        different, of_row = np.unique(ends, axis=0, return_inverse=True)
        extents: list[Extent] = []
        labels = []
        for low, high in np.searchsorted(shares, different).tolist():
            lower, upper = known[low].item(), known[high].item()
            extents.append(Interval(lower, upper, closed=True))
            labels.append(_number(lower) if low == high else f"[{_number(lower)}, {_number(upper)}]")
        return Extents(tuple(extents), of_row.reshape(-1)), labels

    def _sets(self, name: str, held: NDArray[np.bool_]) -> tuple[Extents, list[str]]:
        packed, of_row = np.unique(np.packbits(held, axis=1), axis=0, return_inverse=True)
        different = np.unpackbits(packed, axis=1, count=held.shape[1]).astype(bool)
        extents: list[Extent] = []
        labels = []
        for mask in different:
            texts = self.known[name][mask].tolist()
            extents.append(Categories(frozenset(texts)))
            labels.append(texts[0] if len(texts) == 1 else f"{{{BETWEEN.join(texts)}}}")
        return Extents(tuple(extents), of_row.reshape(-1)), labels


def _number(value: float) -> str:
    return number_text(Decimal(value) if isinstance(value, int) else Decimal(repr(value)))


def _rows(found: NDArray[np.int64]) -> tuple[int | None, ...]:
    return tuple(None if row < 0 else row for row in found.tolist())


def _sides(
    parts: Sequence[Buckets],
    places: Sequence[NDArray[np.int64]],
    matched: Sequence[NDArray[np.int32]],
    carried: Sequence[NDArray[np.int64]],
    values: NDArray[np.int64],
    supports: Sequence[int],
    beta: Fraction | None,
) -> tuple[Side, Side]:
    mu, many = parts[0].buckets, len(supports)
    values_of = [np.where(rows >= 0, values[rows], -1) for rows in places]
    rows = (block for found, of in zip(matched, values_of, strict=True) for block in seen_by_rows(found, of, many))
    people = (
        block
        for found, of, taken in zip(matched, values_of, carried, strict=True)
        for block in seen_by_records(found, of[taken], many, of >= 0)
    )
    return measured(rows, supports, mu, beta), measured(people, supports, mu, beta)


def _notes(
    notes: tuple[str, ...], data: pd.DataFrame, frame: pd.DataFrame, parts: Sequence[Buckets]
) -> tuple[str, ...]:
    left_out = [repr(str(name)) for name in data.columns if name not in frame.columns]
    if left_out:
        notes += (
            f"Not published, since a row stands for no single person: {', '.join(left_out[:12])}"
            f"{' and others' if len(left_out) > 12 else ''}.",
        )
    if len(parts) > 1:
        notes += (f"The table was split at random into {len(parts)} parts, each anonymized by itself.",)
    return notes
