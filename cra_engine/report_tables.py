"""The paper's tables from the results of an experiment: Tables 2 to 5, Figure 5, and what goes beside them.

What each column is stands with the column, and goes as help into every output.
"""

import io
import math
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Literal

import numpy as np
import pandas as pd

from cra_engine.errors import DataError
from cra_engine.experiments import (
    CLASS_COLUMNS,
    KEY_COLUMNS,
    OUTLIER_COLUMNS,
    SINGLING_COLUMNS,
    TIGHT_COLUMNS,
)

# "power": a number of any size, given by its decimal logarithm.
Kind = Literal["text", "count", "number", "percent", "power"]
Value = str | int | float | None
_SUPERSCRIPTS = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
TEXT_COLUMNS = ["plan", "dataset", "attributes", "layers", "profile", "ties", "tight_status"]
QUANTILES = {"10 %": 0.1, "median": 0.5, "90 %": 0.9, "largest": 1.0}


@dataclass(frozen=True)
class Column:
    """A column of a table: its name, the group it stands under (``k = 3``), what it is, and how it is shown."""

    name: str
    help: str
    kind: Kind = "number"
    group: str = ""

    @property
    def title(self) -> str:
        """Group and name on one line."""
        return f"{self.group}: {self.name}" if self.group else self.name


@dataclass(frozen=True)
class Table:
    """One table of the report.

    Attributes:
        key: what its files are called.
        title: its heading.
        note: what a reader must know of it.
        columns: its columns; rows hold one value for each.
    """

    key: str
    title: str
    note: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Value, ...], ...]


@dataclass(frozen=True)
class _Group:
    """All samples of one configuration with one k."""

    frame: pd.DataFrame

    def logs(self, column: str) -> list[float]:
        """The numbers of a column where there are any."""
        return [float(text) for text in self.frame[column] if text]

    def counts(self, column: str) -> list[int]:
        return [int(text) for text in self.frame[column]]

    def each(self, column: str) -> list[float]:
        """The numbers of all classes of all samples."""
        return [float(text) for cell in self.frame[column] for text in cell.split()]

    def each_log10(self, column: str) -> list[float]:
        return [log10(text) for cell in self.frame[column] for text in cell.split()]

    def class_means(self, column: str) -> list[float | None]:
        """Per sample with compound classes the logarithm of the column's mean over them."""
        countable = [
            c - u for c, u in zip(self.counts("compound_classes"), self.counts("uncountable_classes"), strict=True)
        ]
        return [
            log10(total) - math.log10(count)
            for total, count in zip(self.frame[column], countable, strict=True)
            if count
        ]


class Results:
    """The rows of an experiment.

    Attributes:
        frame: the rows, all text.
        unfinished: True when the last line was cut off: the experiment was stopped, or still runs.
    """

    def __init__(self, source: str | os.PathLike[str]) -> None:
        """Read the CSV file that ``run_experiment`` wrote.

        Raises:
            DataError: it cannot be read, or is something else.
        """
        path = Path(source)
        try:
            text = path.read_bytes().decode()
        except OSError as error:
            raise DataError(f"{path} cannot be read: {error.strerror}.") from None
        except UnicodeDecodeError:
            raise DataError(f"{path} does not hold results of an experiment.") from None
        whole = text[: text.rfind("\n") + 1]
        self.unfinished = whole != text
        try:
            self.frame = pd.read_csv(io.StringIO(whole), dtype=str, keep_default_na=False)
        except (pd.errors.EmptyDataError, pd.errors.ParserError):
            raise DataError(f"{path} does not hold results of an experiment.") from None
        needed = [*KEY_COLUMNS, *CLASS_COLUMNS, *OUTLIER_COLUMNS]
        for extra in (SINGLING_COLUMNS, TIGHT_COLUMNS):
            needed += extra if set(extra) & set(self.frame.columns) else []
        for name in needed:
            if name not in self.frame.columns:
                raise DataError(f"{path} does not hold results of an experiment: it has no column {name!r}.")
        if self.frame.empty:
            raise DataError(f"{path} holds no rows yet; run the experiment first.")
        if self.frame.duplicated(list(KEY_COLUMNS)).any() or len(set(self.frame["plan"])) > 1:
            raise DataError(f"{path} holds rows of several experiments; report on each by itself.")
        self._check(path)

    def _check(self, path: Path) -> None:
        for name in self.frame.columns.difference(TEXT_COLUMNS):
            for row, cell in enumerate(self.frame[name], start=1):
                try:
                    fine = all(Decimal(text).is_finite() for text in cell.split())
                except InvalidOperation:
                    fine = False
                if not fine or (not cell and name in ("k", "compound_classes", "classes")):
                    raise DataError(f"{path}, row {row}: {name!r} is {cell[:40]!r}, which is no number.")

    @cached_property
    def ks(self) -> list[int]:
        """The values of k in order."""
        return sorted({int(k) for k in self.frame["k"]})

    @cached_property
    def configurations(self) -> list[tuple[str, str, str]]:
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

    def group(self, configuration: tuple[str, str, str], k: int) -> _Group:
        """The samples of a configuration with one k."""
        frame = self.frame
        chosen = frame["k"] == str(k)
        for column, value in zip(("dataset", "attributes", "layers"), configuration, strict=True):
            chosen &= frame[column] == value
        return _Group(frame[chosen])


def log10(number: str) -> float:
    """The decimal logarithm of a whole number of any length; minus infinity of 0."""
    return float(Decimal(number).log10())


def log10_mean(logs: Sequence[float | None]) -> float | None:
    """The decimal logarithm of the mean of numbers that are given by theirs; None of none."""
    known = [log for log in logs if log is not None]
    highest = max(known, default=-math.inf)
    if highest == -math.inf:
        return -math.inf if known else None
    return highest + math.log10(math.fsum(10 ** (log - highest) for log in known) / len(known))


def mean(values: Sequence[float]) -> float | None:
    """The mean; None of none."""
    return math.fsum(values) / len(values) if values else None


def quantile(values: Sequence[float], share: float) -> float | None:
    """A quantile, interpolated between the two values next to it; None of none."""
    return float(np.quantile(values, share)) if values else None


def percent(part: int, whole: int) -> float | None:
    """A share in percent; None of nothing."""
    return 100 * part / whole if whole else None


# ---------------------------------------------------------------- the tables

_DATASET = Column("data set", "name of the data set in the plan", "text")
_QIS = Column("QIs", "number of quasi-identifiers", "count")
_K = Column("k", "the k of the releases", "count")
_SAMPLES = Column("samples", "number of samples, each published and attacked by itself", "count")

Cells = Callable[[_Group], Sequence[Value]]


def _wide(results: Results, key: str, title: str, note: str, parts: Sequence[Column], cells: Cells) -> Table:
    """The paper's layout: a line per configuration, and the same columns for each k."""
    columns = [_DATASET, _QIS]
    columns += [Column(c.name, c.help, c.kind, f"k = {k}") for k in results.ks for c in parts]
    rows = [
        (*_named(configuration), *(value for k in results.ks for value in cells(results.group(configuration, k))))
        for configuration in results.configurations
    ]
    return Table(key, title, note, tuple(columns), tuple(rows))


def _long(results: Results, key: str, title: str, note: str, parts: Sequence[Column], cells: Cells) -> Table:
    """A line per configuration and k."""
    rows = [
        (*_named(configuration), k, *cells(results.group(configuration, k)))
        for configuration in results.configurations
        for k in results.ks
    ]
    return Table(key, title, note, (_DATASET, _QIS, _K, *parts), tuple(rows))


def _named(configuration: tuple[str, str, str]) -> tuple[str, int]:
    return configuration[0], len(configuration[2].split())


def _spread(of: str) -> list[Column]:
    words = {
        "10 %": "a tenth of them is lower",
        "median": "half of them are lower",
        "90 %": "a tenth of them is higher",
    }
    return [Column(name, f"{of}: {words.get(name, 'the largest')}", "power") for name in QUANTILES]


def _quantiles(logs: Sequence[float]) -> list[float | None]:
    return [quantile(logs, share) for share in QUANTILES.values()]


_PER_SAMPLE = "mean over the compound classes of a sample (basic classes left out), then over the samples that have any"


def table_2(results: Results) -> Iterator[Table]:
    """LR solutions, CRA solutions and ratio of the classes."""
    yield _wide(
        results,
        "table2",
        "Table 2: CRA ratio for equivalence classes",
        "Means as the paper takes them. Basic classes are left out of all three: with them the mean of LR solutions "
        "grows hundreds of digits long where a single basic segment holds many records.",
        [
            Column("LR solutions", f"data sets that the published intervals seem to allow; {_PER_SAMPLE}", "power"),
            Column("CRA solutions", f"data sets that the attack leaves; {_PER_SAMPLE}", "power"),
            Column(
                "CRA ratio", f"mean of the classes' own ratios, not the ratio of the two means; {_PER_SAMPLE}", "power"
            ),
        ],
        lambda group: [
            log10_mean(group.class_means("lr_sum_compound")),
            log10_mean(group.class_means("cra_sum_compound")),
            log10_mean(group.logs("log10_ratio_mean_compound")),
        ],
    )
    yield _long(
        results,
        "table2_spread",
        "Beside Table 2: how the ratios of compound classes are spread",
        "A mean of ratios is mostly its largest one. These are the compound classes of all samples together.",
        [
            Column("samples with any", "samples that have a compound class at all", "count"),
            Column("compound classes", "of all samples together", "count"),
            Column(
                "ratio, all classes",
                "mean of the ratio over all classes of a sample, basic ones (ratio 1) included, then over all samples",
                "power",
            ),
            Column("ratio, compound", f"the ratio of Table 2: {_PER_SAMPLE}", "power"),
            *_spread("ratio of a compound class"),
            Column("median LR solutions", "median over the compound classes of all samples", "power"),
            Column("median CRA solutions", "median over the compound classes of all samples", "power"),
        ],
        lambda group: [
            len(group.class_means("lr_sum_compound")),
            sum(group.counts("compound_classes")),
            log10_mean(group.logs("log10_ratio_mean")),
            log10_mean(group.logs("log10_ratio_mean_compound")),
            *_quantiles(group.each("each_log10_ratio")),
            quantile(group.each("each_log10_lr"), 0.5),
            quantile(group.each("each_log10_cra"), 0.5),
        ],
    )


def table_3(results: Results) -> Iterator[Table]:
    """The same of the outliers."""
    over = "mean over the samples that have suppressed records"
    yield _wide(
        results,
        "table3",
        "Table 3: CRA ratio for outliers",
        "Samples without suppressed records enter no mean.",
        [
            Column("LR solutions", f"data sets that the whole domain seems to allow; {over}", "power"),
            Column("CRA solutions", f"data sets that the attack leaves; {over}", "power"),
            Column("CRA ratio", f"mean of the samples' own ratios, not the ratio of the two means; {over}", "power"),
        ],
        lambda group: [
            log10_mean(group.logs("outlier_log10_lr")),
            log10_mean(group.logs("outlier_log10_cra")),
            log10_mean(group.logs("outlier_log10_ratio")),
        ],
    )
    yield _long(
        results,
        "table3_spread",
        "Beside Table 3: how the ratios of outliers are spread",
        "",
        [
            Column("samples with any", "samples that have suppressed records at all", "count"),
            Column("outliers", "mean number of suppressed records, over all samples"),
            Column(
                "covered",
                "basic segments that some class covers, so that no outlier can lie there; mean over the samples that "
                "have suppressed records",
                "percent",
            ),
            Column("ratio", "the ratio of Table 3", "power"),
            *_spread("ratio of a sample's outliers"),
        ],
        lambda group: [
            len(group.logs("outlier_free_cells")),
            mean(group.counts("outliers")),
            mean(_covered(group)),
            log10_mean(group.logs("outlier_log10_ratio")),
            *_quantiles(group.logs("outlier_log10_ratio")),
        ],
    )


def _covered(group: _Group) -> list[float]:
    frame = group.frame
    return [
        100 * (1 - int(free) / int(cells))
        for free, cells in zip(frame["outlier_free_cells"], frame["cells"], strict=True)
        if free
    ]


_OUTCOMES = ("failed", "one", "many")


def _outcomes(group: _Group) -> list[int]:
    return [sum(group.counts(f"singled_{outcome}")) for outcome in _OUTCOMES]


def table_4(results: Results) -> Iterator[Table]:
    """Outcomes of singling out."""
    share = "share of the compound classes of all samples together"
    yield _wide(
        results,
        "table4",
        "Table 4: CRA with fuzzy predicate singling out",
        "Of all compound classes. A class on a single basic segment never singles anybody out.",
        [
            Column("failed", f"no basic segment of the class holds exactly one record; {share}", "percent"),
            Column("1 record", f"exactly one does: one person is singled out; {share}", "percent"),
            Column("> 1 record", f"several do; {share}", "percent"),
        ],
        lambda group: [percent(count, sum(_outcomes(group))) for count in _outcomes(group)],
    )
    yield _long(
        results,
        "table4_spread",
        "Beside Table 4: numbers of classes",
        "",
        [
            Column("compound classes", "of all samples together", "count"),
            Column("failed", "classes of which no basic segment holds exactly one record", "count"),
            Column("1 record", "classes with exactly one such segment", "count"),
            Column("> 1 record", "classes with several", "count"),
            Column("singled out", "share of the compound classes with at least one, all samples together", "percent"),
            Column(
                "singled out, by sample",
                "the same share in each sample, then the mean over the samples that have a compound class",
                "percent",
            ),
            Column(
                "invalid", "classes and outliers whose true counts the attack excludes: 0 when it is sound", "count"
            ),
        ],
        lambda group: [
            sum(_outcomes(group)),
            *_outcomes(group),
            percent(sum(_outcomes(group)[1:]), sum(_outcomes(group))),
            mean(_shares_by_sample(group)),
            sum(group.counts("singled_invalid")),
        ],
    )


def _shares_by_sample(group: _Group) -> list[float]:
    rows = zip(*(group.counts(f"singled_{outcome}") for outcome in _OUTCOMES), strict=True)
    return [100 * (one + many) / (failed + one + many) for failed, one, many in rows if failed + one + many]


def table_5(results: Results) -> Iterator[Table]:
    """Numbers of feasible assignments."""
    yield _wide(
        results,
        "table5",
        "Table 5: CRA combinations for equivalence classes",
        "Feasible assignments of counts to basic segments, counted exactly.",
        [Column("combinations", f"feasible assignments of a class; {_PER_SAMPLE}", "power")],
        lambda group: [log10_mean(group.class_means("combinations_sum_compound"))],
    )
    yield _long(
        results,
        "table5_spread",
        "Beside Table 5: how they are spread",
        "",
        [
            Column("compound classes", "of all samples together", "count"),
            Column("mean", f"the number of Table 5: {_PER_SAMPLE}", "power"),
            *_spread("feasible assignments of a compound class, all samples together"),
        ],
        lambda group: [
            sum(group.counts("compound_classes")),
            log10_mean(group.class_means("combinations_sum_compound")),
            *_quantiles(group.each_log10("each_combinations")),
        ],
    )


def figure_5(results: Results) -> Table:
    """Shares of basic and compound classes per data set, and per number of quasi-identifiers."""
    rows: list[tuple[Value, ...]] = []
    for dataset in dict.fromkeys(name for name, _, _ in results.configurations):
        own = [c for c in results.configurations if c[0] == dataset]
        for label, chosen in [("all", own), *((str(len(c[2].split())), [c]) for c in own)]:
            for k in results.ks:
                shares = [share for c in chosen for share in _basic_shares(results.group(c, k))]
                basic = mean(shares)
                rows.append((dataset, label, k, basic, None if basic is None else 100 - basic))
    over = "share of a sample's classes, then the mean over samples"
    return Table(
        "figure5",
        "Figure 5: basic and compound segments",
        "For each data set the mean over all its numbers of quasi-identifiers, as drawn, then each by itself.",
        (
            _DATASET,
            Column("QIs", "number of quasi-identifiers; all: the mean over all of them", "text"),
            _K,
            Column("basic", f"classes on a single basic segment; {over}", "percent"),
            Column("compound", f"all other classes; {over}", "percent"),
        ),
        tuple(rows),
    )


def _basic_shares(group: _Group) -> list[float]:
    pairs = zip(group.counts("basic_classes"), group.counts("classes"), strict=True)
    return [100 * basic / classes for basic, classes in pairs if classes]


def tight_table(results: Results) -> Table:
    """What the attack on all classes together adds."""
    known = "mean over the samples where the number of possible data sets is known"
    return _long(
        results,
        "tight",
        "All classes attacked together",
        "Beyond the paper. Logarithms of the numbers of possible data sets; a difference of 1 is a factor of 10.",
        [
            _SAMPLES,
            Column("exact", "samples counted exactly", "count"),
            Column("estimate", "samples estimated, with a standard error", "count"),
            Column("timeout", "samples where the time ran out; what was certain by then is counted", "count"),
            Column("refused", "samples where this attack could not be made", "count"),
            Column("log10, intervals", f"data sets that the published intervals seem to allow; {known}"),
            Column("log10, class by class", f"data sets that the attacks class by class leave; {known}"),
            Column("log10, together", f"data sets that the attack on all classes together leaves; {known}"),
            Column(
                "further reduction",
                "how many times fewer data sets than class by class, in each sample, then the median over the samples "
                "where it is known",
                "power",
            ),
            Column(
                "certain cells", "basic segments whose number of records is certain; mean over all samples not refused"
            ),
            Column(
                "isolated",
                "basic segments that hold exactly one record for certain, from the release alone; mean over all "
                "samples not refused",
            ),
        ],
        _tight_cells,
    )


def _tight_cells(group: _Group) -> list[Value]:
    frame = group.frame
    statuses = list(frame["tight_status"])
    known = _Group(frame[frame["tight_log10_worlds"] != ""])
    names = ("tight_log10_intervals", "tight_log10_per_class", "tight_log10_worlds")
    gains = [a - b for a, b in zip(known.logs(names[1]), known.logs(names[2]), strict=True)]
    return [
        len(frame),
        *(statuses.count(status) for status in ("exact", "estimate", "timeout", "refused")),
        *(mean(known.logs(name)) for name in names),
        quantile(gains, 0.5),
        mean(group.logs("tight_fixed_cells")),
        mean(group.logs("tight_isolated")),
    ]


# ---------------------------------------------------------------- what the paper says of them


def trends(results: Results) -> Table:
    """What grows with k and with the number of quasi-identifiers, and what does not."""
    rows: list[tuple[Value, ...]] = []
    measures: list[tuple[str, Callable[[_Group], float | None], Kind]] = [
        ("ratio of classes, mean", lambda g: log10_mean(g.logs("log10_ratio_mean_compound")), "power"),
        ("ratio of classes, median", lambda g: quantile(g.each("each_log10_ratio"), 0.5), "power"),
        ("ratio of outliers, mean", lambda g: log10_mean(g.logs("outlier_log10_ratio")), "power"),
        ("ratio of outliers, median", lambda g: quantile(g.logs("outlier_log10_ratio"), 0.5), "power"),
        ("combinations, mean", lambda g: log10_mean(g.class_means("combinations_sum_compound")), "power"),
        ("compound share", _compound_share, "percent"),
    ]
    if results.singled:
        measures.append(("singled out", lambda g: percent(sum(_outcomes(g)[1:]), sum(_outcomes(g))), "percent"))
    datasets = dict.fromkeys(name for name, _, _ in results.configurations)
    for name, measure, kind in measures:
        for configuration in results.configurations:
            values = [measure(results.group(configuration, k)) for k in results.ks]
            rows.append(
                (name, *_named(configuration)[:1], f"{_named(configuration)[1]} QIs, k grows", *course(values, kind))
            )
        for dataset in datasets:
            own = sorted((c for c in results.configurations if c[0] == dataset), key=lambda c: _named(c)[1])
            for k in results.ks if len(own) > 1 else ():
                values = [measure(results.group(configuration, k)) for configuration in own]
                rows.append((name, dataset, f"k = {k}, QIs grow", *course(values, kind)))
    return Table(
        "trends",
        "What grows, and with what",
        "The paper finds that ratios of classes grow with k and with the number of quasi-identifiers, that those of "
        "outliers grow with k only, that compound classes become more frequent with k, and that 20 to 90 % of classes "
        "single somebody out.",
        (
            Column(
                "measure",
                "ratios and combinations over compound classes; singled out: share of compound classes "
                "with at least one person singled out",
                "text",
            ),
            _DATASET,
            Column("course", "what is held and what grows", "text"),
            Column("values", "the values in that order", "text"),
            Column("steps up", "steps at which the value grows, of all steps where both values exist", "text"),
            Column("first to last", "whether the last value is above the first", "text"),
        ),
        tuple(rows),
    )


def _compound_share(group: _Group) -> float | None:
    basic = mean(_basic_shares(group))
    return None if basic is None else 100 - basic


def course(values: Sequence[float | None], kind: Kind) -> tuple[str, str, str]:
    """Values in their order as text, at how many steps they grow, and whether the last is above the first."""
    pairs = [(a, b) for a, b in pairwise(values) if a is not None and b is not None]
    known = [value for value in values if value is not None]
    ends = "-"
    if len(known) > 1:
        ends = "grows" if known[-1] > known[0] else "falls" if known[-1] < known[0] else "stays"
    listed = " → ".join(shown(value, kind) for value in values)
    return listed, f"{sum(b > a for a, b in pairs)} of {len(pairs)}", ends


def all_tables(results: Results) -> list[Table]:
    """Every table that the results have columns for."""
    tables = [*table_2(results), *table_3(results)]
    if results.singled:
        tables += table_4(results)
    tables += table_5(results)
    tables.append(figure_5(results))
    if results.tight:
        tables.append(tight_table(results))
    tables.append(trends(results))
    return tables


# ---------------------------------------------------------------- values as text


def shown(value: Value, kind: Kind) -> str:
    """A value as a person reads it: ``1,886.2``, ``3.26 × 10²¹``, ``74.1 %``, ``-`` where there is none."""
    if value is None:
        return "-"
    if isinstance(value, str):
        return value
    if kind == "percent":
        return f"{value:.1f} %"
    if kind == "power":
        return _power(float(value))
    if kind == "count":
        return f"{value:,}"
    return f"{value:,.2f}"


def _power(exponent: float) -> str:
    if exponent == -math.inf:
        return "0"
    if exponent < 6:
        number = 10**exponent
        return f"{number:,.2f}" if number < 1000 else f"{number:,.0f}"
    whole = math.floor(exponent)
    mantissa = f"{10 ** (exponent - whole):.2f}"
    if mantissa == "10.00":
        mantissa, whole = "1.00", whole + 1
    return f"{mantissa} × 10{str(whole).translate(_SUPERSCRIPTS)}"


def plain(value: Value, kind: Kind) -> str:
    """A value as a program reads it: 9 significant digits, nothing where there is none or a float cannot hold it."""
    if value is None or (kind == "power" and float(value) > 308):
        return ""
    if isinstance(value, str | int):
        return str(value)
    return format(10**value if kind == "power" else value, ".9g")
