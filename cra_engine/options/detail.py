"""The detail that a published table loses: of all columns that go out, as what makes a table publishable counts it."""

from collections.abc import Collection, Iterable, Mapping
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from cra_engine.published import Extents, Interval
from cra_engine.raw.column_looks import Look
from cra_engine.study.tree import ROOT_LABEL
from cra_engine.utility.certainty_penalty import extent_penalties, mean_over_rows
from cra_engine.utility.coverage import Coverage
from cra_engine.words import listed, percent

BASIC_WEIGHT = 3.0  # of age, which a date of birth tells, and sex, which hardly any analysis does without


def detail_weights(names: Iterable[str], basic: Collection[str]) -> dict[str, float]:
    """Return what each column counts of an option's detail: age, a date of birth and sex more than any other.

    Args:
        names: the columns.
        basic: those that hold one of these; see :func:`basic_in`.

    >>> detail_weights(["Geschl.", "ward"], basic=["Geschl."])
    {'Geschl.': 3.0, 'ward': 1.0}
    """
    return {name: BASIC_WEIGHT if name in basic else 1.0 for name in names}


def counted_threefold(weights: Mapping[str, float]) -> list[str]:
    """Return the columns that count threefold of an option's detail.

    >>> counted_threefold({"age": 0.6, "ward": 0.2, "plan": 0.2}), counted_threefold({"age": 3.0})
    (['age'], [])
    """
    return [name for name, weight in weights.items() if weight > min(weights.values())]


def threefold_text(weights: Mapping[str, float]) -> str:
    """Say which columns count threefold of an option's detail and why; empty where none counts more than another.

    >>> threefold_text({"age": 0.6, "ward": 0.2, "plan": 0.2}), threefold_text({"age": 3.0})
    ('age counts threefold, as hardly any analysis does without it', '')
    """
    names = counted_threefold(weights)
    if not names:
        return ""
    count, them = ("counts", "it") if len(names) == 1 else ("count", "them")
    return f"{listed(names)} {count} threefold, as hardly any analysis does without {them}"


def weights_text(weights: Mapping[str, float]) -> str:
    """Say what share of all detail each column is, as a sentence that begins small.

    >>> weights_text({"ward": 1.0, "plan": 1.0})
    'of all detail ward is 50.0 % and plan is 50.0 %; all count alike'
    """
    shares = sorted(weights.items(), key=lambda one: -one[1])
    named = [f"{name} is {percent(weight / sum(weights.values()), 1)}" for name, weight in shares]
    alike = "; all count alike" if len(named) > 1 else ""
    but = f", but {told}" if (told := threefold_text(weights)) else ""
    return f"of all detail {listed(named)}{alike}{but}"


def basic_in(looks: Iterable[Look]) -> frozenset[str]:
    """Return the columns that count most of an option's detail, by their names or, whatever they are called, cells."""
    return frozenset(look.name for look in looks if look.basic)


def column_detail_lost(extents: Extents, values: "pd.Series[Any]", times: NDArray[np.int64] | None = None) -> float:
    """Return what of a column's detail an option loses: GCP, where an interval that holds one raw value is free.

    Args:
        extents: what each row of the published table shows of it.
        values: the column's values in the raw table, each once, missing ones left out.
        times: how many records each row stands for; one when left out.
    """
    return mean_over_rows(extent_detail_lost(extents, values), extents, times)


def extent_detail_lost(extents: Extents, values: "pd.Series[Any]") -> NDArray[np.float64]:
    """Return what an option loses of a column's detail in a row, by what the row shows of it: per distinct extent.

    Args:
        extents: what each row of the published table shows of it.
        values: the column's values in the raw table, each once, missing ones left out.
    """
    holds = Coverage(values, extents).sizes()
    narrow = [
        Interval(one.lower, one.lower, closed=True) if isinstance(one, Interval) and many <= 1 else one
        for one, many in zip(extents.distinct, holds, strict=True)
    ]
    return extent_penalties(Extents(tuple(narrow), extents.of_row), values)


def hidden_share(values: "pd.Series[Any]", times: NDArray[np.int64] | None = None) -> float:
    """Return what of its detail a column loses that goes out as it is: the share of records that show ``*``.

    Args:
        values: the column, a row each.
        times: how many records each row stands for; one when left out.
    """
    hidden = values.isin([ROOT_LABEL]).to_numpy()
    return float(np.average(hidden, weights=times)) if len(hidden) else 0.0


def detail_lost(
    extents: Mapping[str, Extents],
    domains: Mapping[str, "pd.Series[Any]"],
    weights: Mapping[str, float],
    hidden: Mapping[str, float],
    left_out: float,
) -> float:
    """Return the share of all detail that an option loses, 0 to 1; a row that is left out loses all of it.

    Args:
        extents: per column that is published coarser what each row shows of it.
        domains: per such column its values in the raw table, each once, missing ones left out.
        weights: what each column that goes out counts; see :func:`detail_weights`.
        hidden: per column that goes out as it is the share of its cells that are hidden.
        left_out: the share of the raw table's rows that are left out.
    """
    shares = {**hidden, **{name: column_detail_lost(extents[name], domain) for name, domain in domains.items()}}
    lost = sum(weights[name] * share for name, share in shares.items())
    return (1 - left_out) * lost / sum(weights.values()) + left_out
