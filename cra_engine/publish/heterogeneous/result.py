"""The result of heterogeneous generalization, and the secret of how it came about."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from propcache.api import cached_property

from cra_engine.choices import Extraction, MatchMethod
from cra_engine.publish.heterogeneous.buckets import Buckets
from cra_engine.publish.heterogeneous.columns import DUMMY, Columns, ShownCells, sensitive_values
from cra_engine.publish.heterogeneous.matches import match
from cra_engine.publish.heterogeneous.sides import Side, measured_side, seen_by_records, seen_by_rows
from cra_engine.published import Published, RowClass, WithoutHierarchies
from cra_engine.results import Json, plain


@dataclass(frozen=True, eq=False, repr=False)
class Heterogeneous(WithoutHierarchies):
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
        cells: per quasi-identifier the published cells.
        matched: per part and place the places it is matched to, one in each bucket. Secret.
        carried: per part and place the place whose value its row carries. Secret.
        gcp: the Global Certainty Penalty: the mean of NCP over attributes and rows, 0 (nothing lost) to 1.
        notes: what to know of the table, as sentences.
    """

    data: pd.DataFrame
    sensitive: str
    l: int | None  # noqa: E741 - its name in the field
    beta: Fraction | None
    method: MatchMethod
    extraction: Extraction
    parts: tuple[Buckets, ...]
    places: tuple[NDArray[np.int64], ...]
    rows_of: NDArray[np.int64]
    cells: Mapping[str, ShownCells]
    matched: tuple[NDArray[np.int32], ...]
    carried: tuple[NDArray[np.int64], ...]
    gcp: float
    notes: tuple[str, ...]

    @cached_property
    def published(self) -> Published:
        """The published table and what each row's cells stand for; its rows are in their own order."""
        names, values = self._values
        carried = [DUMMY if row is None else names[values[row]] for row in self.carries]
        labels = {
            name: np.array(found.labels, dtype=object)[found.extents.of_row] for name, found in self.cells.items()
        }
        frame = pd.DataFrame({**labels, self.sensitive: np.array(carried, dtype=object)})
        extents = {name: found.extents for name, found in self.cells.items()}
        reason = "Rows stand for nobody in particular: what all of them tell together is not counted here."
        return Published(frame, extents, (), np.empty(0, dtype=np.int64), no_release=reason, notes=self.notes)

    @property
    def frame(self) -> pd.DataFrame:
        """The table to publish."""
        return self.published.frame

    @property
    def classes(self) -> tuple[RowClass, ...]:
        """None at all: each row has an extent of its own."""
        return ()

    @cached_property
    def published_side(self) -> Side:
        """The gain in confidence from the true values of a row's matches."""
        return measured_side(chain(*(rows for rows, _ in self._sides())), self._supports, self.buckets, self.beta)

    @cached_property
    def original_side(self) -> Side:
        """The gain in confidence from the values that are published on the rows that match a person."""
        return measured_side(chain(*(people for _, people in self._sides())), self._supports, self.buckets, self.beta)

    def _sides(self) -> Iterator[tuple[Iterator[NDArray[np.int64]], Iterator[NDArray[np.int64]]]]:
        names, values = self._values
        for part, (rows, matched, carried) in enumerate(zip(self.places, self.matched, self.carried, strict=True)):
            of = np.where(rows >= 0, values[rows], -1)
            published = matched[self.rows_of[self.rows_of[:, 0] == part, 1]]
            people = seen_by_records(matched, of[carried], len(names), rows >= 0)
            yield seen_by_rows(published, of, len(names)), people

    @cached_property
    def _values(self) -> tuple[list[str], NDArray[np.int64]]:
        return sensitive_values(self.data[self.sensitive])

    @property
    def _supports(self) -> list[int]:
        return [int(n) for n in np.bincount(self._values[1])]

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
        worst = Fraction(0)
        for part, places in zip(self.parts, self.places, strict=True):
            share = Fraction(int((places >= 0).sum()), self.records)
            for n, touched in zip(self._supports, part.touched, strict=True):
                worst = max(worst, Fraction(part.bucket_size * touched, n) / share)
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
        matched = self._data_rows(list(self.matched))
        return tuple(_rows(row) for row in matched)

    @property
    def bucket(self) -> NDArray[np.int64]:
        """Per published row the bucket of its own record. Secret."""
        return np.asarray(self.rows_of[:, 1] // self.bucket_size)

    def _data_rows(self, per_part: Sequence[NDArray[Any]]) -> NDArray[np.int64]:
        everywhere = np.stack([places[found] for places, found in zip(self.places, per_part, strict=True)])
        return np.asarray(everywhere[self.rows_of[:, 0], self.rows_of[:, 1]])

    def summary(self) -> dict[str, object]:
        """Records, rows, l or beta, the loss."""
        asked = {"l": self.l} if self.beta is None else {"beta": self.beta}
        return {"records": self.records, "rows": self.rows} | asked | {"gcp": f"{self.gcp:.4g}"}

    def to_frame(self) -> pd.DataFrame:
        """The published table: each row stands for itself."""
        return self.frame

    def to_dict(self) -> Json:
        """As plain data: sizes, settings, the loss, and how far confidence grows on both sides."""
        return plain(
            {
                "records": self.records,
                "rows": self.rows,
                "dummies": self.dummies,
                "buckets": self.buckets,
                "bucket_size": self.bucket_size,
                "l": self.l,
                "beta": self.beta,
                "beta_bound": self.beta_bound,
                "method": self.method,
                "extraction": self.extraction,
                "partitions": len(self.parts),
                "gcp": self.gcp,
                "published": self.published_side.to_dict(),
                "original": self.original_side.to_dict(),
                "warnings": self.notes,
            }
        )

    def graph(self) -> pd.DataFrame:
        """The secret graph: each published row's own record, its bucket, whose value it carries, and its matches."""
        return pd.DataFrame(
            {
                "row": range(self.rows),
                "own": ["" if row is None else row for row in self.own],
                "bucket": self.bucket,
                "carries": ["" if row is None else row for row in self.carries],
                "matches": [" ".join(str(row) for row in matched if row is not None) for matched in self.matches],
            }
        )


def homogeneous_gcp(result: Heterogeneous) -> float:
    """Return the loss of homogeneous groups on the buckets of a heterogeneous table (Figure 1).

    A group is the matches of one of the first bucket's rows; all its members publish the same extent.
    """
    quasi_identifiers = [str(name) for name in result.data.columns if name != result.sensitive]
    columns = Columns(result.data, quasi_identifiers)
    values = sensitive_values(result.data[result.sensitive])[1]
    losses = []
    for part, rows in zip(result.parts, result.places, strict=True):
        places = columns.places(rows, part, None if result.l is None else values)
        _, extension = match(places, result.method, [0])
        losses.append(extension.loss(np.arange(part.bucket_size)).mean())
    return float(np.mean(losses)) / len(quasi_identifiers)


def _rows(matched: NDArray[np.int64]) -> tuple[int | None, ...]:
    return tuple(None if row < 0 else row for row in matched.tolist())
