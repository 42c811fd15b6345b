"""Questions of the page Data on missing values: of what others know, and of sensitive columns."""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from cra_dashboard.roles.cells import call_missing
from cra_dashboard.roles.question import ADVISED, EMPTY, Question, noted
from cra_dashboard.session import decisions, state
from cra_dashboard.session.fields import act
from cra_dashboard.session.messages import telling
from cra_dashboard.table.source import PLACE
from cra_dashboard.texts import words
from cra_engine.checks.labels import said_in
from cra_engine.raw.first_study import advised_missing
from cra_engine.raw.missing_words import MISSING, nobody_knows
from cra_engine.raw.written import Written, row_numbers
from cra_engine.study.coded import NO_ENTRY
from cra_engine.study.tree import ROOT_LABEL
from cra_engine.words import how_many, listed

# What may become of missing values, what that means for the release, and more of it.
GAPS = {
    "leave-out": (
        "Leave the rows out",
        "the table lacks at most {rows:,} of {of}",
        "Where Check removes such a column its missing values count no longer, and fewer rows are left out.",
    ),
    "category": (
        "Show NULL, the sign for missing",
        "{gaps} NULL, a value like others, so that groups may get wider",
        "{k} rows must look alike in what others know, NULL among it.",
    ),
    "*": (
        "Show *, as if hidden",
        "{gaps} *; they share groups only with others that show it",
        "Where * stands it may be any value.",
    ),
}


def asked(data: state.Dataset) -> Iterator[Question]:
    """Give Data's question on the gaps in what others know."""
    if gaps := decisions.open_gaps():
        yield Question("gaps", partial(ask_gaps, data, gaps), next(iter(gaps)))


def asked_of_sensitive(data: state.Dataset) -> Iterator[Question]:
    """Give Data's questions on the gaps of sensitive columns of an uploaded table, which no criterion reads."""
    study, so_far = state.study(), noted()
    if study is None or not data.uploaded:
        return
    for name in study.roles.sensitive:
        find = partial(_without_value, data, name, study.roles.as_values)
        every = state.once(f"sensitive gaps of {name}", (data.digest, study.roles.as_values), find)
        rows = decisions.still_in(every)
        if rows and EMPTY.format(name) not in so_far:
            yield Question(f"sensitive gaps of {name}", partial(ask_sensitive_gaps, data, name, rows), name)


def _without_value(data: state.Dataset, name: str, values: Collection[str]) -> tuple[int, ...]:
    if name not in data.frame:
        return ()
    hidden = ROOT_LABEL in data.read_as.get(name, {}).values()  # a person hid these values: none of them is missing
    without = ~said_in(data.frame[name], values) & ~(hidden & (data.frame[name].astype(str) == ROOT_LABEL).to_numpy())
    return tuple(row_numbers(data.frame)[without].tolist())


def ask_sensitive_gaps(data: state.Dataset, name: str, rows: tuple[int, ...]) -> None:
    """Ask on Data what becomes of a sensitive column's missing values, each answer with its price."""
    called, many = words.plain(name), how_many(len(rows), "missing value")
    them = "it" if len(rows) == 1 else "them"
    st.markdown(f"**{called}** is sensitive and has {many}. What becomes of {them}?")
    at, (_, records) = np.isin(row_numbers(data.frame), rows), decisions.rows_with_open_gaps()
    texts = data.frame.loc[at, name].astype("object").fillna("").astype(str).str.strip().unique().tolist()
    word = _own_word(data.given.get(name, data.whole[name])) or NO_ENTRY
    most, few = 2 * len(rows) > records, advised_missing(len(rows), records) == "leave-out"
    answers: tuple[tuple[str, str, Callable[[], None]], ...] = (
        (
            f"Remove {called}",
            "most of it is missing; as a value of its own that would make all other columns much coarser",
            partial(decisions.give, {name: "removed"}),
        )
        if most
        else (
            f"Leave {how_many(len(rows), 'row')} out",
            f"the table lacks {len(rows):,} of {_records(data, records)}",
            partial(decisions.leave_out, rows, decisions.WITHOUT.format(name)),
        ),
        (
            f"Call them “{words.plain(word)}”",
            f"the table shows “{words.plain(word)}” there; groups have to show different values, and this is none",
            partial(call_missing, name, texts, word),
        ),
        (
            "Publish them empty",
            f"groups are made as if there were no {called}; only Check looks whether in one all have the same",
            partial(decisions.decide, EMPTY.format(name)),
        ),
    )
    for place, (label, price, do) in enumerate(answers):
        with st.container(gap="xxsmall"):  # what an answer costs stands nearer to it than to the next
            advised = place == (0 if most or few else 1)
            act(label, do, type="primary" if advised else "secondary", key=f"data-sensitive-gaps-{place}")
            st.caption(f"{ADVISED * advised}{price}", width="content")


def _own_word(column: "pd.Series[Any]") -> str:
    """The word by which cells of a column, as its file has them, say most often that nobody knows; empty for none."""
    said = Counter[str]()
    for text, many in column.value_counts().items():
        said[str(text).strip()] += many
    nothing = nobody_knows(list(said))
    words_of_it = (text for text, many in said.most_common() if many and text.lower() in nothing)
    return next((text for text in words_of_it if any(map(str.isalpha, text))), "")


def ask_gaps(data: state.Dataset, gaps: Mapping[str, int]) -> None:
    """Ask on Data what becomes of missing values that nobody decided about: all columns at once, with its price."""
    one, many = len(gaps) == 1, sum(gaps.values())
    rows, left = decisions.rows_with_open_gaps()
    of = _records(data, left)
    named = listed([f"**{words.plain(name)}**" for name in gaps])
    said = Counter[str]()
    for column in (Written.of(data.frame[name]) for name in gaps):
        of_file = Written.of(data.given.get(column.name, data.whole[column.name]))  # before words were read as missing
        said.update(of_file.cells(column.rows(column.empty)))
    told = Counter({text: cells for text, cells in said.items() if text.lower() in MISSING})
    ways = [f"“{text}” ({cells:,})" if text else how_many(cells, "empty cell") for text, cells in told.most_common()]
    if by_you := said.total() - told.total():
        ways.append(f"{how_many(by_you, 'value')} that you called missing")
    written = f": {words.plain(listed(ways))}" * (len(ways) > 1 or any(told))  # empty cells alone are what they are
    st.markdown(
        f"{named} {'has' if one else 'have'} {how_many(many, 'missing value')}{written}. "
        f"What becomes of {'it' if many == 1 else 'them'}?"
    )
    _ask_gaps(of, tuple(gaps), next(iter(gaps)) if one else "all", rows, advised_missing(rows, left))
    if not one:
        with st.expander("Each column by itself"):
            for name, number in gaps.items():
                _ask_gaps(of, (name,), name, number)


def _records(data: state.Dataset, left: int) -> str:
    """Of how many records a price is a part: those that no answer leaves out already."""
    return how_many(left, "record") if left == len(data.frame) else f"the {how_many(left, 'record')} that are left"


def _ask_gaps(of: str, names: tuple[str, ...], called: str, rows: int, advised: str = "") -> None:
    """The answers for some columns, each with what it costs, of so many records, and what a cell shows then."""
    study = state.study()
    if study is None:
        return
    for missing, (label, consequence, more) in GAPS.items():
        with st.container(gap="xxsmall"):  # what an answer costs stands nearer to it than to the next
            gaps = how_many(rows, "record shows", "records show")
            act(
                f"{label}: {words.plain(called)}",
                choose_gaps,
                names,
                missing,
                type="primary" if missing == advised else "secondary",
                key=f"data-missing-{missing}-{called}",
            )
            said = consequence.format(gaps=gaps, rows=rows, of=of)
            st.caption(f"{ADVISED * (missing == advised)}{said}", width="content", help=more.format(k=study.k))


def choose_gaps(names: tuple[str, ...], missing: str) -> None:
    """Set from a question on Data what becomes of the missing values of some quasi-identifiers."""
    study = state.study()
    if study is not None:
        with telling(PLACE):
            attributes = [a.with_missing(missing) if a.name in names else a for a in study.attributes]
            state.use_study(study.changed(attributes=attributes))
            for name in names:
                decisions.note_gaps(name, missing)
