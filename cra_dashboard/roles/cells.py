"""Questions of the page Data on how cells are to be read: decimals, texts that are no value, spellings; and on rows."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from functools import partial
from typing import Literal

import numpy as np
import pandas as pd
import streamlit as st

from cra_dashboard import palette
from cra_dashboard.roles.question import (
    ADVISED,
    AGES,
    APART,
    EMPTY,
    KNOWN,
    NAMED,
    RECORD,
    TWICE,
    Question,
    leave_out_label,
    noted,
)
from cra_dashboard.session import datasets, decisions, state
from cra_dashboard.session.fields import act
from cra_dashboard.session.messages import telling
from cra_dashboard.table import columns
from cra_dashboard.table.source import PLACE
from cra_dashboard.texts import words
from cra_engine.choices import DecimalSign
from cra_engine.publishable.words import REPEATS
from cra_engine.raw import contents
from cra_engine.raw.columns import find_gaps
from cra_engine.raw.missing_words import nobody_knows
from cra_engine.raw.nameless import rows_no_record
from cra_engine.raw.written import row_numbers
from cra_engine.study.coded import NO_ENTRY
from cra_engine.words import how_many, listed, rows_text

MOST_SHOWN, PAIRS_SHOWN = 100, 4  # later rows that are named, and pairs of rows side by side
DIFFERS = palette.see_through(palette.CHOSEN, 0.35)


def asked(data: state.Dataset, found: tuple[contents.Column, ...]) -> Iterator[Question]:
    """Give Data's questions on how cells are to be read."""
    if (
        data.uploaded
        and RECORD not in noted()
        and (ends := state.once("no record", data.digest, lambda: rows_no_record(data.frame)))
    ):
        rows = tuple(row_numbers(data.frame)[list(ends)].tolist())
        yield Question(f"no record {rows}", partial(ask_no_record, rows), more=True)
    unclear = [column.name for column in found for problem in column.problems if problem.asks]
    if unclear:
        yield Question("decimals", partial(ask_decimals, data, found), unclear[0], more=True)
    study, so_far = state.study(), noted()
    for name, rows in columns.no_ages(data, found, study).items():
        if AGES.format(name) not in so_far:
            yield Question(f"ages of {name}", partial(ask_ages, data, name, rows), name, more=True)
    for misfits in columns.misfits(data, study):
        name = misfits.problem.column
        yield Question(f"misfits of {name}", partial(ask_misfits, misfits), name, more=True)
    if study is not None and (unknown := columns.unknown(data, study)):
        yield Question("unknown", partial(ask_unknown, data, unknown), next(iter(unknown)), more=True)
    settled = {
        *(study.roles.remove if study else ()),
        *(one.name for one in found if APART.format(one.name) in so_far),
    }
    for column in found:
        if column.name not in settled and (several := columns.written_alike(data, column)):
            yield Question(f"spellings of {column.name}", partial(ask_spellings, column.name, several), column.name)


def asked_of_rows(data: state.Dataset, found: tuple[contents.Column, ...]) -> Iterator[Question]:
    """Give Data's question whether people stand in several rows."""
    rows = columns.repeated_rows(data)
    # Who left repeats out, perhaps on Check, was told of no other rows: a number in two of these is another question.
    if TWICE not in noted() and (said := columns.repeated(data, found)):
        ask = partial(ask_repeated, said, rows, columns.repeated_numbers(data, found), columns.pairs(data, found))
        yield Question("repeated but for repeats" if REPEATS in data.left_out else "repeated", ask, more=True)


def ask_no_record(rows: tuple[int, ...]) -> None:
    """Ask on Data whether the first or last row is no person's, but one of units, names or totals."""
    said = words.sentence(state.in_file(rows_text(rows, len(rows))))
    st.markdown(f"{said} {'looks' if len(rows) == 1 else 'look'} like units, names or totals, not like a person.")
    with st.container(horizontal=True):
        out = partial(decisions.leave_out, rows, decisions.NO_PERSON)
        act(leave_out_label(rows), propose_after, out, type="primary", key="data-no-record-out")
        act("A person: keep", decisions.decide, RECORD, key="data-no-record-in")


def propose_after(change: Callable[[], None]) -> None:
    """Change on Data which rows are left out, for what they say; hierarchies are proposed for the others."""
    data, study = state.dataset(), state.study()
    if data is not None:
        before = contents.hierarchies(state.columns_of(data), study)
        with state.one_change():
            change()
            if study is not None and (left := state.dataset()) is not None:
                state.use_study(contents.carried_over(study, before, contents.inspect(left.frame)))


def ask_ages(data: state.Dataset, name: str, rows: tuple[int, ...]) -> None:
    """Ask on Data what becomes of ages that no person has."""
    called, one = words.plain(name), len(rows) == 1
    cells = data.frame[name][np.isin(row_numbers(data.frame), rows)]
    texts = list(dict.fromkeys(str(cell).strip() for cell in cells))
    more = [f"{len(texts) - NAMED:,} more"] if len(texts) > NAMED else []
    said = words.plain(f"{listed([*texts[:NAMED], *more])} in {rows_text(rows, columns.ROWS_NAMED)}")
    slip = "A slip of the pen?" if one else "Slips of the pen?"
    st.markdown(f"**{called}** is {state.in_file(said)}: no person has such an age. {slip}")
    missing = "Leave the value out: a missing value" if one else f"Leave the {len(rows):,} values out: missing values"
    told = {name: dict.fromkeys(texts, "")}
    with st.container(horizontal=True):
        act(missing, take_meant, told, type="primary", key="data-ages-missing")
        out = partial(decisions.leave_out, rows, decisions.NO_AGE.format(name))
        act(leave_out_label(rows), propose_after, out, key="data-ages-out")
        act("It is right" if one else "They are right", decisions.decide, AGES.format(name), key="data-ages-right")
    st.caption("What the table shows in place of a missing value is asked, too, where others know the column.")


def ask_decimals(data: state.Dataset, found: tuple[contents.Column, ...]) -> None:
    """Ask on Data what marks the decimals, where numbers can be read in two ways."""
    asked = [(column, problem) for column in found for problem in column.problems if problem.asks]
    column, problem = asked[0]
    cell = str(data.frame[column.name].loc[problem.rows[0] - 1]).strip()
    names = listed([words.plain(column.name) for column, _ in asked[:NAMED]])
    more = f" and {len(asked) - NAMED} more" if len(asked) > NAMED else ""
    st.markdown(f"The numbers in **{names}**{more} can be read in two ways. What marks the decimals?")
    chosen = [column.name for column, _ in asked]
    with st.container(horizontal=True):
        for decimal, reading in datasets.readings(cell).items():
            act(words.plain(reading), take_decimal, chosen, decimal, key=f"data-decimal-{decimal}")
    st.caption("Whatever you say, a column that others do not know is published as it stands in the file.")


def take_decimal(names: list[str], decimal: DecimalSign) -> None:
    """Read the numbers of some columns as a person on Data says they are written."""
    data, study = state.dataset(), state.study()
    if data is not None:
        read = datasets.with_decimals_decided(data, names, decimal)
        state.read_otherwise(read, study or contents.proposed_study(contents.inspect(read.frame)))


def ask_misfits(misfits: columns.Misfits) -> None:
    """Ask on Data what becomes of cells that fit nowhere, such as text or dates written otherwise among dates."""
    problem, missing = misfits.problem, dict.fromkeys(misfits.texts, "")
    many, name = how_many(len(problem.rows), "cell"), words.plain(problem.column)
    if misfits.ways:
        text = next(iter(misfits.ways[0]))
        st.markdown(
            f"**{name}**: {many} written otherwise, such as “{words.plain(text)}”; the rest is like "
            f"“{words.plain(misfits.like)}”. What do they mean?"
        )
    else:
        named = words.plain(listed([f"“{text[:40]}”" for text in misfits.texts[:NAMED]]))
        one = len(problem.rows) == 1
        st.markdown(f"**{name}**: {many} that cannot be read: {named}. What becomes of {'it' if one else 'them'}?")
    clear, data = len(misfits.ways) == 1, state.dataset()
    gaps = set() if data is None else set(row_numbers(data.frame)[find_gaps(data.frame[problem.column])].tolist())
    with st.container(horizontal=True):
        for place, way in enumerate(misfits.ways):
            day = date.fromisoformat(way[text])
            act(
                words.plain(f"{text} is {day.day} {day:%B %Y}"),
                take_meant,
                {problem.column: way},
                type="primary" if clear else "secondary",
                key=f"data-misfits-day-{place}",
            )
        act(
            leave_out_label({*problem.rows, *gaps}),
            take_meant,
            {problem.column: missing},
            "leave-out",
            type="secondary" if misfits.ways else "primary",
            key="data-misfits-out",
        )
        act("Make them missing", take_meant, {problem.column: missing}, key="data-misfits-missing")
    st.caption(
        f"{words.sentence(state.in_file(rows_text(problem.rows, columns.ROWS_NAMED)))}. Missing, they count as empty "
        "cells: what the table shows there is asked next."
    )
    if gaps:
        empty, be = how_many(len(gaps), "row"), "is" if len(gaps) == 1 else "are"
        st.caption(f"{empty} where {name} is empty {be} left out, or missing, with them.")


def ask_unknown(data: state.Dataset, unknown: Mapping[str, tuple[str, ...]]) -> None:
    """Ask on Data whether words such as “unknown” are missing values, in all columns at once, with what it makes."""
    every = tuple(dict.fromkeys(word for of in unknown.values() for word in of))
    study = state.study()
    removed = frozenset[str]() if study is None else frozenset(study.roles.remove)
    about = data.digest, removed, tuple(sorted(unknown.items()))
    stands, missing, rows = state.once("words for nothing", about, lambda: _standing(data, unknown, every, removed))
    anyway = sorted({name for of in stands.values() for name in of} - set(unknown))
    cells = sum(sum(of.values()) for of in stands.values())
    said = "; ".join(f"“{words.plain(word)}” stands in {_cells_of(stands[word])}" for word in every)
    st.markdown(f"{said}. {'Are these missing values' if cells > 1 else 'Is this a missing value'}?")
    with st.container(gap="xxsmall"):
        act("Read them as missing", take_meant, _missing(unknown, every), type="primary", key="data-unknown-missing")
        st.caption(
            f"{ADVISED}they count as empty cells: {how_many(missing, 'missing value')} in {how_many(rows, 'row')} of "
            "these columns.",
            help="What the table shows there is asked next, where others know the column or it is sensitive.",
        )
    with st.container(gap="xxsmall"):
        act("Leave them as values", leave_as_values, every, key="data-unknown-values")
        st.caption(
            "The table shows the word, a group of its own like any value; in a sensitive column it protects nobody."
            + f" In {words.plain(listed(anyway))} it is missing either way, as among all numbers, dates and codes."
            * bool(anyway)
        )
    if len(every) > 1:
        with st.expander("Each word by itself"):
            for word in every:
                with st.container(horizontal=True):
                    one, told = f"“{words.plain(word)}”", _missing(unknown, [word])
                    act(f"{one} is missing", take_meant, told, key=f"data-unknown-missing-{word}")
                    act(f"{one} is a value", leave_as_values, [word], key=f"data-unknown-values-{word}")


def _standing(
    data: state.Dataset, unknown: Mapping[str, tuple[str, ...]], every: Sequence[str], removed: Collection[str]
) -> tuple[dict[str, dict[str, int]], int, int]:
    """In how many cells of which columns each word stands, and how many values, in how many rows, are missing with it.

    Every cell of the table is looked at, which is for once.
    """
    texts = {
        name: data.frame[name].astype(str).str.strip() for name in map(str, data.frame.columns) if name not in removed
    }

    def says_nothing(word: str, of: "pd.Series[str]") -> int:
        many = int((of == word).sum())
        return many if many and word.lower() in nobody_knows(of.unique()) else 0  # among codes it can be one

    stands = {word: {name: many for name, of in texts.items() if (many := says_nothing(word, of))} for word in every}
    here = dict.fromkeys([*unknown, *(name for of in stands.values() for name in of)])
    blank = pd.DataFrame({name: texts[name].isin(unknown.get(name, ())) | find_gaps(data.frame[name]) for name in here})
    return stands, int(blank.to_numpy().sum()), int(blank.any(axis=1).sum())


def _cells_of(many: Mapping[str, int]) -> str:
    """In how many cells of which columns something stands: ``4 cells of sex, 2 of ward``."""
    (first, number), *others = list(many.items())[:NAMED]
    said = [f"{how_many(number, 'cell')} of **{words.plain(first)}**"]
    said += [f"{number:,} of **{words.plain(name)}**" for name, number in others]
    return listed([*said, *[f"more of {how_many(len(many) - NAMED, 'other column')}"] * (len(many) > NAMED)])


def _missing(unknown: Mapping[str, tuple[str, ...]], these: Sequence[str]) -> dict[str, dict[str, str]]:
    """What reads these words as missing, by column."""
    found = {name: {word: "" for word in said if word in these} for name, said in unknown.items()}
    return {name: told for name, told in found.items() if told}


def leave_as_values(said: Sequence[str]) -> None:
    """Take words which say that nobody knows for values, as a person on Data says, wherever sensitive cells count."""
    study = state.study()
    if study is not None:
        with state.one_change():
            _use_as_values((*study.roles.as_values, *said))
            for word in said:
                decisions.note(KNOWN.format(word))


def _use_as_values(said: Sequence[str]) -> None:
    """Take these words for values; hierarchies that are as they were proposed list them."""
    data, study = state.dataset(), state.study()
    if data is not None and study is not None:
        found = state.columns_of(data)
        chosen = study.with_roles(replace(study.roles, as_values=tuple(said)))
        state.use_study(contents.carried_over(chosen, contents.hierarchies(found, study), found))


def ask_spellings(column: str, several: dict[str, str]) -> None:
    """Ask on Data whether texts that differ in capitals, blanks or accents, or mean the same sex, are one value."""
    st.markdown(
        f"**{words.plain(column)}** seems to write one value in several ways. Apart, they are groups of their own. "
        f"Read {words.plain(columns.said_alike(several))}?"
    )
    with st.container(horizontal=True):
        act("Merge them", take_meant, {column: several}, type="primary", key="data-alike-merge")
        act("Leave them apart", decisions.decide, APART.format(column), key="data-alike-apart")


def ask_repeated(
    said: str, rows: tuple[int, ...], later: Mapping[str, tuple[int, ...]], two: Sequence[tuple[int, int]]
) -> None:
    """Ask on Data what becomes of rows that repeat another one, or that are later ones of a number's."""
    st.markdown(words.plain(said))
    later = {name: those for name, those in later.items() if set(those) != set(rows)}  # one button for the same rows
    whole = next((name for name, those in later.items() if set(rows) <= set(those)), None)  # one row a person stays
    with st.container(horizontal=True):
        if rows:
            act(
                leave_out_label(rows, "repeat"),
                decisions.leave_out,
                rows,
                type="secondary" if whole else "primary",
                key="data-repeated-out",
            )
        for name, those in later.items():
            if those:
                label = leave_out_label(those, "later row")
                kind: Literal["primary", "secondary"] = "primary" if name == whole else "secondary"
                act(label, leave_out_later, name, those, type=kind, key=f"data-repeated-{name}")
        act("Leave them in", decisions.decide, TWICE, key="data-repeated-in")
    if later:
        st.caption(f"Of each {words.plain(listed(list(later)))} the row that stands first in the file stays.")
    data = state.dataset()
    if data is not None:
        _show_pairs(data, two)


def leave_out_later(name: str, later: Sequence[int]) -> None:
    """Leave rows out from a question on Data whose number stands above; what repeats another is noted as such."""
    data = state.dataset()
    if data is None:
        return
    repeating = set(row_numbers(data.frame)[data.frame.duplicated()].tolist()).intersection(later)
    apart = {REPEATS: repeating, f"with a {name} that stands in a row above": set(later) - repeating}
    with state.one_change():
        for why, rows in apart.items():
            if rows:
                decisions.leave_out(sorted(rows), why)


def _show_pairs(data: state.Dataset, two: Sequence[tuple[int, int]]) -> None:
    """Show the later rows under the earlier ones, what differs marked; of many the first, the rest by number."""
    shown, rest = two[:PAIRS_SHOWN], two[PAIRS_SHOWN:]
    with st.expander(f"Compare them: {how_many(len(two), 'pair')} of rows", expanded=len(two) == 1):
        table, differ = columns.side_by_side(data, shown)
        for (first, later), of in zip(shown, differ[1::2], strict=True):
            names = [words.plain(name) for name, is_so in zip(table.columns, of, strict=True) if is_so]
            other = rows_text([first])
            same = f"differs from {other} in {listed(names)}." if names else f"says all that {other} says."
            st.markdown(state.in_file(f"{words.sentence(rows_text([later]))} {same}"))
        st.dataframe(
            table.style.apply(lambda _: np.where(differ, f"background-color: {DIFFERS}", ""), axis=None),
            alt="Each earlier row with the later one below it; what differs is marked",
        )
        if rest:
            st.caption(state.in_file(f"Not shown: {rows_text([later for _, later in rest], MOST_SHOWN)}."))


def take_meant(told: Mapping[str, Mapping[str, str]], gaps: str = "", noted_as: str = "") -> None:
    """Read cells of columns as a person on Data says; where they are missing now, say what becomes of the gaps."""
    data, study = state.dataset(), state.study()
    if data is None:
        return
    with telling(PLACE):
        before = contents.hierarchies(state.columns_of(data), study)
        read = data
        for name, meant in told.items():
            read = datasets.with_cells_read_as(read, name, meant)
        if study is not None:
            study = contents.carried_over(study, before, state.columns_of(read))
            attributes = [one.with_missing(gaps) if gaps and one.name in told else one for one in study.attributes]
            study = study.changed(attributes=attributes)
        state.read_otherwise(read, study)
        # No cell is named: what is noted is filed.
        for name, meant in told.items():
            read_so = decisions.READ_OTHERWISE if any(meant.values()) else decisions.READ_MISSING
            written = data.frame[name].astype("object").fillna("").astype(str).str.strip()
            cells = how_many(int(written.isin(list(meant)).sum()), "cell")
            decisions.note(f"{name}: {noted_as or f'{cells} {read_so}'}")
            if gaps:
                decisions.note_gaps(name, gaps)


def call_missing(name: str, texts: Collection[str], word: str) -> None:
    """Call missing values of a column by a word, as a person on Data says; the file's own word is a value then."""
    with state.one_change():
        study = state.study()
        if study is not None and word != NO_ENTRY and word not in study.roles.as_values:
            _use_as_values((*study.roles.as_values, word))
        take_meant({name: dict.fromkeys(texts, word)}, noted_as=decisions.CALLED.format(word))


def ask_again_of_cells(name: str) -> None:
    """Take back on Data all that a person said cells of a column mean, and what became of the gaps that were made."""
    data, study = state.dataset(), state.study()
    if data is None or study is None or name not in data.given:
        return
    before, why = contents.hierarchies(state.columns_of(data), study), decisions.WITHOUT.format(name)
    read = datasets.with_cells_as_given(data, name)
    # A word is a value no more that was one only as missing values of this column were called so.
    called = {one: f"{name}: {decisions.CALLED.format(one)}" for one in study.roles.as_values}
    word = next((one for one, what in called.items() if what in noted()), "")
    others = noted() - {called.get(word, "")}
    if word and not any(one.endswith((KNOWN.format(word), decisions.CALLED.format(word))) for one in others):
        left = tuple(one for one in study.roles.as_values if one != word)
        study = study.with_roles(replace(study.roles, as_values=left))
    read = datasets.with_rows_left_out(read, {other: rows for other, rows in read.left_out.items() if other != why})
    study = contents.carried_over(study, before, state.columns_of(read))
    attributes = [one.with_missing("") if one.name == name else one for one in study.attributes]
    state.read_otherwise(read, study.changed(attributes=attributes))
    of_cells, of_gaps = decisions.on_cells(name), decisions.on_gaps(name)
    of_others = (EMPTY.format(name), f"{decisions.LEFT_ROWS}{why}:")
    decisions.drop(lambda what: of_cells(what) or of_gaps(what) or what.startswith(of_others))


def ask_again_of_word(word: str) -> None:
    """Take back on Data that a word which says that nobody knows stays a value."""
    study = state.study()
    if study is not None:
        _use_as_values([one for one in study.roles.as_values if one != word])
        decisions.drop(KNOWN.format(word).__eq__)
