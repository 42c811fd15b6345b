"""The results of an experiment, read back: its configurations, and the statistics that are taken of them."""

import io
import math
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

import numpy as np
import pandas as pd
from propcache.api import cached_property

from cra_engine.errors import DataError
from cra_engine.experiments.rows import CLASS_COLUMNS, KEY_COLUMNS, SINGLING_COLUMNS, SUPPRESSED_COLUMNS, TIGHT_COLUMNS
from cra_engine.files.content import content_of
from cra_engine.files.csv_text import restored

TEXT_COLUMNS = ["plan", "dataset", "attributes", "layers", "profile", "ties", "tight_status"]
OUTCOMES = ("failed", "one", "many")
_COUNTED = ("compound_classes", "uncountable_classes", "cells")
# What the columns hold; those that are named nowhere hold a number or none.
_COLUMNS = {
    "count": {"sample", "k", "records", "classes", "basic_classes", *_COUNTED, "suppressed", "singled_invalid"}
    | {f"singled_{one}" for one in OUTCOMES},
    "count or none": {"suppressed_free_cells", "tight_fixed_cells", "tight_isolated"},
    "whole": {"lr_sum_compound", "cra_sum_compound", "combinations_sum_compound"},
    "wholes": {"each_combinations", "suppressed_lr", "suppressed_cra", "suppressed_combinations"},
    "numbers": {"each_log10_lr", "each_log10_cra", "each_log10_ratio"},
}
_NUMBER = r"-?[0-9]{1,18}(?:\.[0-9]{1,18})?(?:e[+-][0-9]{2,3})?"
_FORMS = {
    "count": (re.compile(r"[0-9]{1,18}"), "no whole number"),
    "count or none": (re.compile(r"[0-9]{0,18}"), "no whole number"),
    "whole": (re.compile(r"[0-9]+"), "no whole number"),
    "wholes": (re.compile(r"(?:[0-9]+(?: [0-9]+)*)?"), "no whole number"),
    "number": (re.compile(f"(?:{_NUMBER})?"), "no number"),
    "numbers": (re.compile(f"(?:{_NUMBER}(?: {_NUMBER})*)?"), "no number"),
}
_DIGITS = 18  # more do not change a float
# Data set, attributes and layers, as the columns of these names hold them.
Configuration = tuple[str, str, str]


@dataclass(frozen=True)
class Group:
    """All samples of an experiment's configuration with one k.

    Attributes:
        frame: their rows, all text.
    """

    frame: pd.DataFrame

    def logs(self, column: str) -> list[float]:
        """The numbers of a column where there are any."""
        return [float(text) for text in self.frame[column] if text]

    def counts(self, column: str) -> list[int]:
        """A column of whole numbers, one per sample."""
        return [int(text) for text in self.frame[column]]

    def each(self, column: str) -> list[float]:
        """The numbers of all classes of all samples."""
        return [float(text) for cell in self.frame[column] for text in cell.split()]

    def each_log10(self, column: str) -> list[float]:
        """The decimal logarithms of the whole numbers of all classes of all samples."""
        return [log10_of_digits(text) for cell in self.frame[column] for text in cell.split()]

    def class_means(self, column: str) -> list[float | None]:
        """Per sample with compound classes the logarithm of the column's mean over them."""
        countable = [
            c - u for c, u in zip(self.counts("compound_classes"), self.counts("uncountable_classes"), strict=True)
        ]
        return [
            log10_of_digits(total) - math.log10(count)
            for total, count in zip(self.frame[column], countable, strict=True)
            if count
        ]

    def outcomes(self) -> list[int]:
        """Compound classes of all samples that single out nobody, one person, and more."""
        return [sum(self.counts(f"singled_{outcome}")) for outcome in OUTCOMES]

    def singled_share(self) -> float | None:
        """Share of the compound classes of all samples that single out at least one person."""
        return percent(sum(self.outcomes()[1:]), sum(self.outcomes()))

    def singled_shares(self) -> list[float]:
        """The same share in each sample that has a compound class."""
        rows = zip(*(self.counts(f"singled_{outcome}") for outcome in OUTCOMES), strict=True)
        return [100 * (one + many) / (failed + one + many) for failed, one, many in rows if failed + one + many]

    def basic_shares(self) -> list[float]:
        """Share of the classes of each sample, where it has any, that lie on a single basic segment."""
        pairs = zip(self.counts("basic_classes"), self.counts("classes"), strict=True)
        return [100 * basic / classes for basic, classes in pairs if classes]

    def compound_share(self) -> float | None:
        """Mean over the samples of the share of classes that are wider than that."""
        basic = mean(self.basic_shares())
        return None if basic is None else 100 - basic

    def covered(self) -> list[float]:
        """Share of the basic segments that classes cover, in each sample with suppressed records."""
        return [
            100 * (1 - int(free) / int(cells))
            for free, cells in zip(self.frame["suppressed_free_cells"], self.frame["cells"], strict=True)
            if free
        ]

    def where_tight_is_known(self) -> "Group":
        """The samples where the attack on all classes together knows the number of possible data sets."""
        return Group(self.frame[self.frame["tight_log10_worlds"] != ""])


class Results:
    """The rows of an experiment's results.

    Attributes:
        frame: the rows, all text.
        unfinished: True when the last line was cut off: the experiment was stopped, or still runs.
    """

    def __init__(self, source: str | os.PathLike[str] | bytes, name: str = "The file") -> None:
        """Read the rows that ``run_experiment`` wrote, or ``run_rows`` gave.

        Args:
            source: the CSV file's path, or its bytes.
            name: what messages call it, where ``source`` is bytes.

        Raises:
            DataError: it cannot be read, or is something else.
        """
        if not isinstance(source, bytes):
            name = str(Path(source))
            source = content_of(source, name)
        try:
            text = source.decode()
        except UnicodeDecodeError:
            raise DataError(f"{name} does not hold results of an experiment.") from None
        whole = text[: text.rfind("\n") + 1]
        self.unfinished = whole != text
        try:
            self.frame = restored(pd.read_csv(io.StringIO(whole), dtype=str, keep_default_na=False))
        except (pd.errors.EmptyDataError, pd.errors.ParserError):
            raise DataError(f"{name} does not hold results of an experiment.") from None
        needed = [*KEY_COLUMNS, *CLASS_COLUMNS, *SUPPRESSED_COLUMNS]
        for extra in (SINGLING_COLUMNS, TIGHT_COLUMNS):
            needed += extra if set(extra) & set(self.frame.columns) else []
        for column in needed:
            if column not in self.frame.columns:
                raise DataError(f"{name} does not hold results of an experiment: it has no column {column!r}.")
        if self.frame.empty:
            raise DataError(f"{name} holds no rows yet; run the experiment first.")
        if self.frame.duplicated(list(KEY_COLUMNS)).any() or len(set(self.frame["plan"])) > 1:
            raise DataError(f"{name} holds rows of several experiments; report on each by itself.")
        self._check(name)

    def _check(self, source: str) -> None:
        for name in self.frame.columns.difference(TEXT_COLUMNS):
            form, what = _FORMS[next((kind for kind, names in _COLUMNS.items() if name in names), "number")]
            for row, cell in enumerate(self.frame[name], start=1):
                if not form.fullmatch(cell):
                    raise DataError(f"{source}, row {row}: {name!r} is {cell[:40]!r}, which is {what}.")
        for row, (compound, uncountable, cells) in enumerate(
            zip(*(map(int, self.frame[name]) for name in _COUNTED), strict=True), start=1
        ):
            if uncountable > compound or not cells:
                raise DataError(f"{source}, row {row}: its numbers of classes and segments do not go together.")

    @cached_property
    def ks(self) -> list[int]:
        """The values of k in order."""
        return sorted({int(k) for k in self.frame["k"]})

    @cached_property
    def configurations(self) -> list[Configuration]:
        """Data set, attributes and layers of each configuration, in the plan's order."""
        return list(dict.fromkeys(zip(*(self.frame[c] for c in ("dataset", "attributes", "layers")), strict=True)))

    @property
    def singled(self) -> bool:
        """True when singling out was part of the plan."""
        return "singled_one" in self.frame.columns

    @property
    def tight(self) -> bool:
        """True when the attack on all classes together was part of the plan."""
        return "tight_status" in self.frame.columns

    @cached_property
    def told_apart(self) -> bool:
        """True when the configurations of each data set differ in their number of quasi-identifiers."""
        sizes = {(dataset, len(layers.split())) for dataset, _, layers in self.configurations}
        return len(sizes) == len(self.configurations)

    @cached_property
    def _groups(self) -> dict[tuple[str, ...], pd.DataFrame]:
        grouped = self.frame.groupby(["dataset", "attributes", "layers", "k"], sort=False)
        return {tuple(map(str, key)): rows for key, rows in grouped}

    def group(self, configuration: Configuration, k: int) -> Group:
        """The samples of a configuration with one k; none where it was not run yet."""
        return Group(self._groups.get((*configuration, str(k)), self.frame.iloc[:0]))


def described(configuration: Configuration) -> str:
    """Name an experiment's quasi-identifiers with their layers: ``weight, bp_systolic (4, 3 layers)``."""
    _, attributes, layers = configuration
    return f"{attributes.replace(' ', ', ')} ({layers.replace(' ', ', ')} layer{'' if layers == '1' else 's'})"


def log10_of_digits(number: str) -> float:
    """Return the decimal logarithm of a result's whole number of any length; minus infinity of 0."""
    if not number.isdecimal():
        return float(Decimal(number).log10())
    first = int(number[:_DIGITS])
    return math.log10(first) + max(len(number) - _DIGITS, 0) if first else -math.inf


def log10_mean(logs: Sequence[float | None]) -> float | None:
    """Return the decimal logarithm of the mean of an experiment's numbers, given by theirs; None of none."""
    known = [log for log in logs if log is not None]
    highest = max(known, default=-math.inf)
    if highest == -math.inf:
        return -math.inf if known else None
    return highest + math.log10(math.fsum(10 ** (log - highest) for log in known) / len(known))


def mean(values: Sequence[float]) -> float | None:
    """Return the mean of an experiment's numbers; None of none."""
    return math.fsum(values) / len(values) if values else None


def quantile(values: Sequence[float], share: float) -> float | None:
    """Return a quantile of an experiment's numbers, between the two values next to it; None of none."""
    return float(np.quantile(values, share)) if values else None


def percent(part: int, whole: int) -> float | None:
    """Return a share of an experiment's numbers in percent; None of nothing."""
    return 100 * part / whole if whole else None
