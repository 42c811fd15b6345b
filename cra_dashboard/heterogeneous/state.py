"""The table of the page Heterogeneous, its settings, and what follows from them; kept in this session only."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from random import Random
from typing import get_args

import numpy as np
import pandas as pd
import streamlit as st

from cra_dashboard.session import state
from cra_dashboard.session.runs import Runs, counted
from cra_engine import Heterogeneous, heterogeneous
from cra_engine.attacks.naive_bayes import NaiveBayes, naive_bayes
from cra_engine.choices import Extraction, MatchMethod
from cra_engine.publish.heterogeneous.result import homogeneous_gcp
from cra_engine.publish.heterogeneous.scheme import with_extraction
from cra_engine.published import Categories, Extent, Extents, Interval, Published
from cra_engine.utility.count_queries import People, estimates, random_queries
from cra_engine.words import how_many

AT_ONCE = 2500  # records that are matched while the page waits
IN_PARTS = 10_000  # records from which the table is split
MOST_L = 30  # values behind each row
MOST_VALUES = 60  # different values of a column that is offered as the sensitive one
EXAMPLE_QIS = ("sex", "age", "race", "marital-status", "education", "workclass")
_DRAWN = "cra_heterogeneous_drawn"
MATCHINGS: Runs[Heterogeneous] = Runs("heterogeneous", counted("bucket pairs"), stop="Stop")


@dataclass(frozen=True)
class Settings:
    """The controls of Heterogeneous; the arguments of :func:`cra_engine.heterogeneous`, either ``l`` or ``beta``.

    With a seed the same settings give the same table: for teaching, not for publishing.
    """

    quasi_identifiers: tuple[str, ...]
    sensitive: str
    categorical: tuple[str, ...]
    l: int | None  # noqa: E741 - its name in the field
    beta: float | None
    method: MatchMethod
    extraction: Extraction
    seed: int | None = None


def sensitive_columns(table: state.Dataset) -> dict[str, int]:
    """Return the columns that Heterogeneous can protect, with the largest l that each admits (1: none)."""

    def compute() -> dict[str, int]:
        found = {}
        for name in table.frame.columns:
            supports = table.frame[name].astype(str).value_counts()
            if 1 < len(supports) <= MOST_VALUES:
                found[str(name)] = len(table.frame) // int(supports.iloc[0])
        return found

    return state.once("het-sensitive", table.digest, compute)


def _usual_columns(table: state.Dataset) -> tuple[tuple[str, ...], str | None]:
    """Return the quasi-identifiers and the sensitive attribute that Heterogeneous begins with."""
    if not table.own:
        return EXAMPLE_QIS, "occupation"
    study = state.study()
    named = () if study is None else study.names
    offered = sensitive_columns(table)
    rest = [name for name in offered if name not in named]
    sensitive = max(rest, key=lambda name: (offered[name] >= 2, rest.index(name)), default=None)
    columns = [str(name) for name in table.frame.columns]
    return tuple(named) or tuple(name for name in columns if name != sensitive)[:6], sensitive


def most_l(table: state.Dataset, sensitive: str) -> tuple[int, int]:
    """Return the most values that can stand behind each row of Heterogeneous's table, and how many do at first."""
    most = min(MOST_L, sensitive_columns(table)[sensitive])
    return most, min(5, most)


def usual(table: state.Dataset) -> Settings:
    """Return the settings with which Heterogeneous begins, of a table that has a column to protect."""
    columns, named = _usual_columns(table)
    offered = sensitive_columns(table)
    sensitive = named if named in offered else next(iter(offered))
    proposed = tuple(name for name in columns if name in table.frame.columns and name != sensitive)
    first, way = get_args(MatchMethod)[0], get_args(Extraction)[0]
    return Settings(proposed, sensitive, (), max(most_l(table, sensitive)[1], 2), None, first, way)


def _key(table: state.Dataset, settings: Settings) -> Hashable:
    # The two extractions are drawn on the same buckets and matches.
    return table.digest, replace(settings, extraction="permutation"), drawn()


def drawn() -> int:
    """Count how often somebody asked Heterogeneous for another draw."""
    return int(st.session_state.get(_DRAWN, 0))


def draw_again(seed: str) -> None:
    """Let Heterogeneous fill the buckets and choose the values anew; to be called from a widget's callback.

    Args:
        seed: the key of the seed; the next one is taken where there is one.
    """
    if st.session_state.get(seed) is None:
        st.session_state[_DRAWN] = drawn() + 1
    else:
        st.session_state[seed] += 1


def _compute(table: state.Dataset, settings: Settings, tell: Callable[[int, int], None] | None = None) -> Heterogeneous:
    return heterogeneous(
        table.frame,
        settings.quasi_identifiers,
        settings.sensitive,
        l=settings.l,
        beta=settings.beta,
        method=settings.method,
        categorical=settings.categorical,
        seed=settings.seed,
        partition=IN_PARTS if len(table.frame) > IN_PARTS else None,
        progress=tell,
    )


def result(table: state.Dataset, settings: Settings) -> Heterogeneous:
    """Return the table on Heterogeneous by our extraction: at once, or where matching takes long once it was asked for.

    Raises:
        CRAError: the settings do not fit the table.
    """
    split = f", in parts of {IN_PARTS:,}," if len(table.frame) > IN_PARTS else ""
    return MATCHINGS.offered(
        _key(table, settings),
        lambda progress: _compute(table, settings, progress.tell),
        f"To match {how_many(len(table.frame), 'record')}{split} takes a while; go on meanwhile.",
        "Match the records",
        heavy=len(table.frame) > AT_ONCE,
    )


def both(table: state.Dataset, settings: Settings, made: Heterogeneous) -> dict[Extraction, Heterogeneous]:
    """Return the table on Heterogeneous with the values carried by our extraction and by the paper's."""
    by_paper = state.once("het-paper", _key(table, settings), lambda: with_extraction(made, "paper", settings.seed))
    return {"permutation": made, "paper": by_paper}


def losses(table: state.Dataset, settings: Settings) -> pd.DataFrame:
    """Return GCP of Heterogeneous's three methods, and of homogeneous groups on the same buckets.

    Raises:
        CRAError: the settings do not fit the table.
    """

    def compute() -> pd.DataFrame:
        rows = []
        for method in get_args(MatchMethod):
            made = _compute(table, replace(settings, method=method))
            rows.append((method, made.gcp, homogeneous_gcp(made)))
        return pd.DataFrame(rows, columns=["Method", "Each row its own matches", "Groups that publish alike"])

    return state.once("het-losses", _key(table, replace(settings, method="HG")), compute)


def learned(table: state.Dataset, settings: Settings, made: Heterogeneous) -> dict[str, NaiveBayes]:
    """Return for the page Heterogeneous what naive Bayes guesses from its release, and from the raw table."""

    def compute() -> dict[str, NaiveBayes]:
        names, raw = list(settings.quasi_identifiers), _as_it_is(made)
        return {
            "From the release": naive_bayes(made.published, made.data, names, made.sensitive),
            "From the release, with Laplace's correction": naive_bayes(
                made.published, made.data, names, made.sensitive, alpha=1
            ),
            "From the raw table": naive_bayes(raw, made.data, names, made.sensitive),
        }

    return state.once("het-learned", (_key(table, settings), settings.extraction), compute)


def _as_it_is(made: Heterogeneous) -> Published:
    extents = {}
    for name in made.cells:
        known, codes = np.unique(made.data[name].to_numpy(), return_inverse=True)
        distinct: list[Extent] = [
            Interval(value, value, closed=True) if isinstance(value, int | float) else Categories(frozenset({value}))
            for value in known.tolist()
        ]
        extents[name] = Extents(tuple(distinct), codes)
    return Published(made.data, extents, (), np.empty(0, dtype=np.int64))


def queried(
    table: state.Dataset, settings: Settings, made: Heterogeneous, attributes: int, selectivity: float, number: int
) -> pd.DataFrame:
    """Ask the release on Heterogeneous random count queries: its answers, and what is true.

    Raises:
        CRAError: the queries cannot be drawn.
    """

    def compute() -> pd.DataFrame:
        queries = random_queries(made.data, made.sensitive, attributes, selectivity, number, Random(0))
        estimated = estimates(made.published, made.data, made.sensitive, queries)
        exact = list(map(People(made.data).count, queries))
        return pd.DataFrame({"Estimate": estimated, "Exact": exact})

    key = (_key(table, settings), settings.extraction, attributes, selectivity, number)
    return state.once("het-queried", key, compute)
