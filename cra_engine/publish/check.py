"""A second look at a release before it leaves the house, by code that shares nothing with the recoding.

From the raw table, the study and the published table alone: no record is lost or added, no column is there that has to
be removed, every other column is as it was, every label stands in its hierarchy and covers the raw value of its record,
and every group of alike labels holds k records, the suppressed ones apart. Tables that come in pieces are checked piece
by piece.
"""

from decimal import Decimal
from operator import attrgetter
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from cra_engine.errors import CRAError
from cra_engine.raw.columns import read_column, read_numbers
from cra_engine.raw.placement import complete
from cra_engine.study.hierarchy import INTERVAL, Hierarchy
from cra_engine.study.study import Study
from cra_engine.study.tree import ROOT_LABEL
from cra_engine.words import rows_text


class ReleaseCheckError(CRAError):
    """A publisher's fault: a table failed its last check; it must not be handed out."""


def refusal(reason: str) -> ReleaseCheckError:
    """Say that a publisher's table failed its last check and is not handed out."""
    return ReleaseCheckError(
        f"The release failed its last check and is not handed out: {reason} This is a fault of the program."
    )


class ReleaseCheck:
    """The last check of what a publisher made, piece by piece: :meth:`add` each in order, then :meth:`finish`."""

    def __init__(self, study: Study) -> None:
        self.study = study
        self.records = 0
        self._labels = [_labels(attribute) for attribute in study.attributes]
        self._places = [{label: code for code, label in enumerate(labels)} for labels in self._labels]
        self._groups: dict[int, int] = {}

    def add(self, raw: pd.DataFrame, published: pd.DataFrame) -> None:
        """Check the records of one piece.

        Raises:
            ReleaseCheckError: a record, a column, a cell or a label is not as it must be.
        """
        raw = complete(raw, self.study).data
        if len(raw) != len(published):
            raise refusal(f"it has {len(published):,} records instead of {len(raw):,}.")
        raw = raw.drop(columns=[name for name in self.study.roles.remove if name in raw.columns])
        if [str(name) for name in raw.columns] != [str(name) for name in published.columns]:
            raise refusal("its columns are not those of the table.")
        group = np.zeros(len(raw), dtype=np.int64)
        for attribute, labels, places in zip(self.study.attributes, self._labels, self._places, strict=True):
            at = list(raw.columns).index(attribute.name)
            codes = _codes(published.iloc[:, at], places)
            self._refuse(codes < 0, attribute, published.iloc[:, at], "is no label of its hierarchy")
            covered = _covered(raw.iloc[:, at], attribute, labels, codes)
            self._refuse(~covered, attribute, published.iloc[:, at], "does not cover the raw value")
            group = group * len(labels) + codes
        for at, name in enumerate(raw.columns):
            if name not in self.study.names:
                changed = np.flatnonzero(~_equal(raw.iloc[:, at], published.iloc[:, at]))
                if len(changed):
                    rows = rows_text(self.records + changed[:1] + 1)
                    raise refusal(f"column {str(name)!r}, {rows}, was changed.")
        codes, sizes = np.unique(group, return_counts=True)
        for code, size in zip(codes.tolist(), sizes.tolist(), strict=True):
            self._groups[code] = self._groups.get(code, 0) + size
        self.records += len(raw)

    def join(self, other: "ReleaseCheck") -> None:
        """Take over what was found of another part of the release, checked elsewhere."""
        for group, size in other._groups.items():  # noqa: SLF001 - of the same class
            self._groups[group] = self._groups.get(group, 0) + size
        self.records += other.records

    def finish(self) -> None:
        """Check the groups of all records together.

        Raises:
            ReleaseCheckError: some group of alike records is smaller than k.
        """
        top = 0
        for labels in self._labels:
            top = top * len(labels) + labels.index(ROOT_LABEL if ROOT_LABEL in labels else labels[-1])
        small = [size for group, size in self._groups.items() if size < self.study.k and group != top]
        if small:
            raise refusal(
                f"{len(small)} of its groups hold fewer than k = {self.study.k} records, the smallest {min(small)}."
            )

    def _refuse(self, wrong: NDArray[np.bool_], attribute: Hierarchy, column: "pd.Series[Any]", why: str) -> None:
        rows = np.flatnonzero(wrong)
        if len(rows):
            label = str(column.iloc[rows[0]])[:60]
            raise refusal(f"column {attribute.name!r}, {rows_text(self.records + rows[:1] + 1)}: {label!r} {why}.")


def check_release(raw: pd.DataFrame, study: Study, published: pd.DataFrame) -> None:
    """Check in one piece what a publisher made, before it is handed out.

    Args:
        raw: the table that was recoded.
        study: hierarchies and k.
        published: the table that is to be handed out, its rows in the raw table's order.

    Raises:
        ReleaseCheckError: it must not be handed out, with the reason.
    """
    check = ReleaseCheck(study)
    check.add(raw, published)
    check.finish()


def _labels(attribute: Hierarchy) -> list[str]:
    """Every label of a hierarchy once, the root's last."""
    return list(dict.fromkeys(node.label for nodes in attribute.layer_nodes for node in nodes))


def _codes(column: "pd.Series[Any]", places: dict[str, int]) -> NDArray[np.int64]:
    codes, shown = pd.factorize(column, use_na_sentinel=False)
    known = np.array([places.get(label, -1) if isinstance(label, str) else -1 for label in shown], dtype=np.int64)
    return known[codes]


def _covered(
    raw: "pd.Series[Any]", attribute: Hierarchy, labels: list[str], codes: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """Per record whether its label covers its raw value."""
    if not attribute.numeric and not attribute.missing:
        return _listed(raw, attribute, labels, codes)
    if not attribute.plain:
        return _inside(raw, attribute, labels, codes)
    ends = [_ends(label, attribute) for label in labels]
    lower = np.array([float(low) for low, _ in ends])
    upper = np.array([float(high) for _, high in ends])
    values = read_numbers(raw, attribute)[0].astype(float)
    return np.asarray((lower[codes] <= values) & (values < upper[codes]))


def _inside(
    raw: "pd.Series[Any]", attribute: Hierarchy, labels: list[str], codes: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """As :func:`_covered` where not every cell and label is a number: by the leaves below each label."""
    leaf = read_column(raw, attribute, every=False).leaves
    nodes = [attribute.parse(label) for label in labels]
    start, stop = (np.array([-1 if n is None else end(n) for n in nodes]) for end in (_START, _STOP))
    return np.asarray((start[codes] <= leaf) & (leaf < stop[codes]))


_START, _STOP = attrgetter("start"), attrgetter("stop")


def _ends(label: str, attribute: Hierarchy) -> tuple[Decimal, Decimal]:
    """The ends of a label: those it says; of a name, those of the nodes that bear it."""
    match = INTERVAL.match(label)
    if match is not None:
        return Decimal(match[1]), Decimal(match[2])
    named = [node for nodes in attribute.layer_nodes for node in nodes if node.label == label]
    return min(node.lower for node in named), max(node.upper for node in named)


def _listed(
    raw: "pd.Series[Any]", attribute: Hierarchy, labels: list[str], codes: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """As :func:`_covered` for categories: the label stands in the value's row of the hierarchy file."""
    allowed_at = {attribute.reader.listed[row[0]]: set(row[attribute.finest :]) for row in attribute.listed_rows()}
    values, written = pd.factorize(raw, use_na_sentinel=False)
    leaves = [attribute.reader.leaf_of(str(value)) for value in written]
    allowed = [set() if leaf is None else allowed_at.get(leaf, set()) for leaf in leaves]
    pairs = values.astype(np.int64) * len(labels) + codes
    present, place = np.unique(pairs, return_inverse=True)
    holds = [labels[pair % len(labels)] in allowed[pair // len(labels)] for pair in present.tolist()]
    return np.array(holds, dtype=bool)[place]


def _equal(raw: "pd.Series[Any]", published: "pd.Series[Any]") -> NDArray[np.bool_]:
    """Per row whether two columns hold the same; gaps are the same."""
    if raw.dtype != published.dtype:
        return np.zeros(len(raw), dtype=bool)
    one, other = raw.reset_index(drop=True), published.reset_index(drop=True)
    same = (one == other).fillna(value=False).to_numpy(dtype=bool)
    return np.asarray(same | (one.isna() & other.isna()).to_numpy(dtype=bool))
