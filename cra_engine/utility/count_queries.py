"""Count queries: how many people with these values, asked of a published table and of the raw one.

    SELECT COUNT(*) WHERE age BETWEEN 30 AND 40 AND education IN (..) AND disease IN (..)

The estimate takes the values that a published cell stands for to be equally likely, one attribute at a time (section 5
of Gkountouna et al., USENIX Security 2022).
"""

from collections.abc import Mapping, Sequence
from numbers import Real
from random import Random
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from cra_engine.errors import DataError
from cra_engine.expected import expect
from cra_engine.files.json_text import parse_json
from cra_engine.patience import checkpoint
from cra_engine.published import Categories, Extent, Interval, Published
from cra_engine.utility.coverage import Coverage

MOST_QUERIES = 10_000
MOST = 1e300  # of a number in a range
MOST_DROPPED = 10  # random queries that no record fits, per query to draw
Query = Mapping[str, Extent]
"""What is asked of each column: a closed interval of numbers, or a set of categories."""


def read_queries(text: str, data: pd.DataFrame, sensitive: str) -> list[Query]:
    """Read count queries to measure a loss: a JSON list of objects, each column a range or a list of values.

    Args:
        text: the file's text.
        data: the raw table, numeric quasi-identifiers as numbers.
        sensitive: name of the sensitive attribute, always asked by a list of values.

    Raises:
        DataError: the text is no such list; the message names the query, counted from 1.

    Examples:
        >>> data = pd.DataFrame({"age": [31, 45], "illness": ["flu", "gout"]})
        >>> read_queries('[{"age": [30, 40], "illness": ["flu"]}]', data, "illness")[0]["age"]
        Interval(lower=30, upper=40, closed=True)
    """
    asked = parse_json(text, "The queries")
    if not isinstance(asked, list):
        raise DataError('The queries must be a list of objects, such as [{"age": [30, 40], "disease": ["flu"]}].')
    if len(asked) > MOST_QUERIES:
        raise DataError(f"There are {len(asked):,} queries, more than {MOST_QUERIES:,}; take fewer.")
    return [_query(number, query, data, sensitive) for number, query in enumerate(asked, start=1)]


def _query(number: int, query: Any, data: pd.DataFrame, sensitive: str) -> Query:
    if not isinstance(query, dict) or not query:
        raise DataError(f"Query {number} is no object that names a column or more.")
    conditions: dict[str, Extent] = {}
    for name, wanted in query.items():
        if name not in data.columns:
            have = ", ".join(repr(str(column)) for column in data.columns)
            raise DataError(
                f"Query {number} asks for {name[:60]!r}, which is not published; the columns are {have[:600]}."
            )
        if not isinstance(wanted, list):
            raise DataError(f"Query {number}, column {name!r}: give a list, a range [lo, hi] or the values.")
        if name != sensitive and data[name].dtype.kind in "iuf":
            numbers = [value for value in wanted if isinstance(value, int | float) and not isinstance(value, bool)]
            ordered = len(wanted) == len(numbers) == 2 and -MOST <= numbers[0] <= numbers[1] <= MOST
            if not ordered:
                raise DataError(
                    f"Query {number}, column {name!r}: give a range of two numbers, [lo, hi] with lo <= hi."
                )
            conditions[name] = Interval(numbers[0], numbers[1], closed=True)
        else:
            if not all(isinstance(value, str | int | float) and not isinstance(value, bool) for value in wanted):
                raise DataError(f"Query {number}, column {name!r}: give a list of values, as texts.")
            conditions[name] = Categories(frozenset(str(value).strip() for value in wanted))
    return conditions


def estimates(published: Published, data: pd.DataFrame, sensitive: str, queries: Sequence[Query]) -> list[float]:
    """Estimate how many people fit each query, by the published table: 0 to its rows, best where it is the truth.

    The sum over rows that carry an asked sensitive value of the product over the asked attributes of the share of the
    row's domain values, those that occur in the column, that fit. Rows that carry no value of the column (a dummy's, a
    suppressed one) count for nobody.

    Args:
        published: the table, in whatever way it was published.
        data: the raw table, whose columns give the domains.
        sensitive: name of the sensitive column of both.
        queries: what is asked.

    Examples:
        Two rows [31, 45], one of them ill with flu, where ages 31, 40 and 45 occur: 30 to 40 is 2/3 of a row.

        >>> from cra_engine.published import Extents
        >>> data = pd.DataFrame({"age": [31, 45, 40], "illness": ["flu", "gout", "cold"]})
        >>> ages = Extents((Interval(31, 45, closed=True), Interval(40, 40, closed=True)), np.array([0, 0, 1]))
        >>> frame = pd.DataFrame({"age": ["[31, 45]"] * 2 + ["40"], "illness": ["gout", "flu", "cold"]})
        >>> table = Published(frame, {"age": ages}, (), np.array([], dtype=np.int64))
        >>> query = {"age": Interval(30, 40, closed=True), "illness": Categories(frozenset({"flu"}))}
        >>> [round(found, 3) for found in estimates(table, data, "illness", [query])], People(data).count(query)
        ([0.667], 1)
    """
    known = frozenset(data[sensitive].astype(str))
    carried = published.frame[sensitive].astype(str)
    names = {name for query in queries for name in query if name != sensitive}
    coverages = {name: Coverage(data[name], published.extents[name]) for name in names}
    # Rows that stand for the same and carry the same value are asked once.
    alike = pd.factorize(carried, use_na_sentinel=False)[0]
    for name, coverage in coverages.items():
        alike = pd.factorize(alike * len(published.extents[name].distinct) + coverage.of_row)[0]
    _, first, often = np.unique(alike, return_index=True, return_counts=True)
    shown = carried.iloc[first]
    carrying: dict[frozenset[str], NDArray[np.float64]] = {}  # queries ask for few different sets of values
    counts = []
    for query in queries:
        checkpoint()
        asked = query.get(sensitive, Categories(known))
        wanted = known & asked.values if isinstance(asked, Categories) else known  # noqa: PD011 - a set
        if wanted not in carrying:
            carrying[wanted] = np.where(shown.isin(wanted), often, 0.0)
        fits = carrying[wanted].copy()
        for name in query:
            if name != sensitive:
                fits *= coverages[name].shares_of_extents(query[name])[coverages[name].of_row[first]]
        counts.append(float(fits.sum()))
    return counts


class People:
    """Those of a raw table whom queries count: what a column holds is read once, for any number of queries.

    Args:
        data: the raw table, numeric columns as numbers.
    """

    def __init__(self, data: pd.DataFrame) -> None:
        """See the class."""
        self._data = data
        self._numbers: dict[str, NDArray[Any]] = {}
        self._texts: dict[str, tuple[NDArray[np.int64], list[Any]]] = {}

    def count(self, query: Query) -> int:
        """Count those who fit a query."""
        fits = np.ones(len(self._data), dtype=bool)
        for name, condition in query.items():
            if isinstance(condition, Interval):
                if name not in self._numbers:
                    self._numbers[name] = self._data[name].to_numpy()
                cells = self._numbers[name]
                below = cells <= condition.upper if condition.closed else cells < condition.upper
                fits &= (cells >= condition.lower) & below
            else:
                if name not in self._texts:
                    codes, distinct = pd.factorize(self._data[name].astype(str), use_na_sentinel=False)
                    self._texts[name] = codes, list(distinct)
                codes, held = self._texts[name]
                wanted = condition.values  # noqa: PD011 - a set of texts
                fits &= np.array([text in wanted for text in held], dtype=bool)[codes]
        return int(fits.sum())


def random_queries(
    data: pd.DataFrame, sensitive: str, attributes: int, selectivity: float, number: int, draw: Random
) -> list[Query]:
    """Draw the paper's count queries: a range of random quasi-identifiers and of the sensitive attribute.

    Each range is ``selectivity ** (1 / (attributes + 1))`` of its domain, so that were values independent and equally
    likely that share of all records would fit. Queries that no record fits are drawn again, as the paper drops them.
    Where records lie so far apart that hardly a query fits one (numbers that are 0 or 1), the rest of the queries are
    drawn among those that fit a record drawn at random.

    Args:
        data: the raw table, numeric columns as numbers; not empty.
        sensitive: name of the sensitive attribute.
        attributes: how many quasi-identifiers are asked for, lambda.
        selectivity: the share of records that should fit, Theta, above 0 up to 1.
        number: how many queries.
        draw: the source of chance.

    Raises:
        DataError: there are fewer quasi-identifiers, or the selectivity is no share.
    """
    names = [str(name) for name in data.columns if name != sensitive]
    if not 1 <= attributes <= len(names):
        raise DataError(
            f"Queries on {attributes} quasi-identifiers: there are {len(names)}; ask for 1 to {len(names)}."
        )
    if not 0 < selectivity <= 1:
        raise DataError(f"The selectivity is {selectivity}; give a share above 0, up to 1.")
    share = selectivity ** (1 / (attributes + 1))
    values = {name: _domain(data[name]) for name in (*names, sensitive)}
    people = People(data)
    queries: list[Query] = []
    dropped = 0
    while len(queries) < number:
        checkpoint()
        asked = (*draw.sample(names, attributes), sensitive)
        row = draw.randrange(len(data)) if dropped >= MOST_DROPPED * number else None
        query = {
            name: _range(values[name], share, draw, None if row is None else _cell(data[name], row)) for name in asked
        }
        if people.count(query):
            queries.append(query)
        else:
            dropped += 1
    return queries


def _domain(column: "pd.Series[Any]") -> Sequence[Any]:
    return sorted(set(column.tolist() if column.dtype.kind in "iuf" else column.astype(str)))


def _cell(column: "pd.Series[Any]", row: int) -> Any:
    value = column.iloc[row]
    return value.item() if column.dtype.kind in "iuf" else str(value)


def _range(values: Sequence[Any], share: float, draw: Random, held: Any = None) -> Extent:
    """Draws a range of a domain's values, among those that hold one value where it is given."""
    if isinstance(values[0], str):
        wanted = min(len(values), max(1, round(share * len(values))))
        first, last = 0, len(values) - wanted
        if held is not None:
            position = values.index(held)
            first, last = max(first, position - wanted + 1), min(last, position)
        start = draw.randrange(first, last + 1)
        return Categories(frozenset(values[start : start + wanted]))
    length = share * (values[-1] - values[0])
    low, high = values[0], values[-1] - length
    if held is not None:
        low, high = max(low, held - length), min(high, held)
    lower = low + draw.random() * (high - low)
    upper = lower + length
    if held is not None:  # the last digits of a sum must not leave it out
        lower, upper = min(lower, held), max(upper, held)
    return Interval(lower, upper, closed=True)


def relative_error(estimated: float, exact: int) -> float:
    """Return a count query's loss ``abs(estimated - exact) / exact``: 0 is best. ``exact`` must not be 0.

    >>> relative_error(12.0, 10)
    0.2
    """
    expect(estimated, Real, "relative_error(estimated)")
    expect(exact, Real, "relative_error(exact)")
    return abs(estimated - exact) / exact
