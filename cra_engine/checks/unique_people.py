"""Who is alone in the published file, by all its columns together: those published as they stand and the intervals."""

import math
from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from cra_engine.checks.findings import quoted
from cra_engine.checks.labels import as_text
from cra_engine.checks.outcome import CheckedColumn, Finding, UniquePeople
from cra_engine.checks.rule import Rule
from cra_engine.patience import Deadline, Stopped, checkpoint
from cra_engine.risk.uniques import (
    MOST_COLUMNS,
    alone_by_gaps,
    cell_codes,
    minimal_uniques,
    removed_until_few,
    twice_at_most,
    unique_records,
)
from cra_engine.study.study import Study
from cra_engine.words import how_many, listed, percent

SETS_KEPT, SETS_NAMED = 12, 3


def count_unique_people(
    frame: pd.DataFrame,
    columns: Sequence[CheckedColumn],
    study: Study,
    rule: Rule,
    deadline: Deadline,
    times: NDArray[np.int64],
) -> UniquePeople:
    """Count for the check who is alone in a published file.

    Columns that say by themselves who somebody is have a finding of their own, and would hide what all others tell.

    Args:
        frame: the published file.
        columns: its columns with their roles.
        study: whose quasi-identifiers are published in it.
        rule: how many may be alone.
        deadline: of the sets of two columns or more, of empty cells and of columns to remove; what was not counted by
            then is said, or left out.
        times: how many records each row stands for.
    """
    records = int(times.sum())
    frame = twice_at_most(frame, times)
    given = [column for column in columns if column.published and column.name not in study.names]
    sensitive = [column.name for column in given if _is_sensitive(column)]
    plain = [column.name for column in given if not (_is_sensitive(column) or column.direct)]
    codes = {name: cell_codes(frame[name]) for name in (*study.names, *plain, *sensitive)}
    by_intervals, by_columns, with_sensitive = (
        int(unique_records([codes[name] for name in names], len(frame)).sum())
        for names in (study.names, plain, (*study.names, *plain, *sensitive))
    )
    doubted = [column for column in given if column.doubted]
    by_known = [codes[name] for name in (*study.names, *(column.name for column in doubted))]
    by_doubted = int(unique_records(by_known, len(frame)).sum()) if doubted else by_intervals
    names = [*study.names, *plain]
    open_codes, most = [codes[name] for name in names], math.floor(rule.alone * records)
    by_gaps, removed, left = None, tuple[int, ...](), 0
    try:
        with deadline.after(1 / 2).limit():
            empty = [(as_text(frame[name]) == "").to_numpy() for name in names]
            by_gaps = int(alone_by_gaps(open_codes, empty, len(frame)).sum())
            removable = range(len(study.names), len(names))
            removed, left = removed_until_few(open_codes, removable, len(frame), most) or (removed, left)
    except Stopped:
        checkpoint()
    uniques = minimal_uniques(frame, names, MOST_COLUMNS, deadline)
    sets = sorted(uniques.minimal.items(), key=lambda item: (len(item[0]), -len(item[1]), item[0]))
    return UniquePeople(
        records,
        tuple(plain),
        by_intervals,
        by_columns,
        uniques.people,
        by_gaps,
        tuple(names[place] for place in removed),
        left,
        with_sensitive,
        tuple(column.name for column in doubted),
        by_doubted,
        bool(doubted) and not (by_doubted <= rule.alone * records and all(column.few_share for column in doubted)),
        {names[0]: len(rows) for names, rows in uniques.minimal.items() if len(names) == 1},
        uniques.by_size,
        tuple((names, len(rows)) for names, rows in sets[:SETS_KEPT]),
    )


def _is_sensitive(column: CheckedColumn) -> bool:
    """Whether a column is sensitive, or looks so and nobody has decided."""
    return column.role == "sensitive" or (column.role == "undecided" and column.proposed == "sensitive")


def find_unique_people(unique: UniquePeople, rule: Rule, *, guessed: bool = False) -> Iterator[Finding]:
    """Check for people who are alone by columns that go out as they stand, beside those alone by class.

    Args:
        unique: who is alone.
        rule: how many may be.
        guessed: whether nobody said which columns others know: then nobody is sure that these are known, and none stop.
    """
    if unique.people <= unique.by_intervals:
        return
    stops = unique.people > rule.alone * unique.records
    people = how_many(unique.people, "person", "people")
    are = "is" if unique.people == 1 else "are"
    most = percent(float(rule.alone))
    allowed = f"the rule allows {most}" if stops else f"up to {most} the rule asks somebody to look"
    todo = f"call known to others what they may know of a person, or remove it{_cure(unique)}, and call sensitive what "
    todo += "nobody can be found by"
    if guessed:
        allowed = f"more than {most} would stop if somebody had said which columns are sensitive" if stops else allowed
        todo = f"without a study all of these count as known to others{_cure(unique)}; the study, or the ZIP of the "
        todo += "release, says which of them are sensitive, and these do not count"
    yield Finding(
        "stop" if stops and not guessed else "attention",
        "alone",
        f"{people} ({percent(unique.share)}; {allowed}) {are} alone by "
        f"the published columns together, to whoever knows all of these of a person. "
        f"Counted are what others know and {quoted(unique.columns)}"
        f"{by_sizes(unique)}{_only_by_gaps(unique)}; {todo}.",
    )


def find_doubted(unique: UniquePeople, rule: Rule) -> Iterator[Finding]:
    """Check for sensitive columns that others may know by what their cells are like: they go out as they stand.

    Args:
        unique: who is alone if others know them.
        rule: up to whose share of people alone it is said why few ask for attention, too.
    """
    if not unique.doubted or not (unique.asks or unique.by_doubted):
        return
    one = len(unique.doubted) == 1
    (go, its), it = ("it goes", "its") if one else ("they go", "their"), "it" if one else "them"
    of, share = how_many(unique.records, "person", "people"), percent(unique.by_doubted / max(unique.records, 1))
    told = f"If others know {quoted(unique.doubted)}, {unique.by_doubted:,} of {of} ({share}) would be alone"
    if not unique.asks:
        most = percent(float(rule.alone))
        yield Finding(
            "note",
            "known-to-others",
            f"{told}, and the rule allows {most}: called sensitive, {go} out as in the table.",
        )
        return
    few = 0 < unique.by_doubted <= rule.alone * unique.records
    why = " (few, too, ask for attention: a person who is found is found)" if few else ""
    yield Finding(
        "attention",
        "known-to-others",
        f"{told}{why}: {go} out as in the table, called sensitive, though by {its} looks others may know {it} of a "
        f"person; call {it} known to others, remove {it}, or write down why nobody can be found by {it}.",
    )


def _only_by_gaps(unique: UniquePeople) -> str:
    """How many are alone only since a cell of theirs is empty, as words that follow; empty where nobody is."""
    if not unique.by_gaps:
        return ""
    return f"; {unique.by_gaps:,} of them only by empty cells: others show the same where these show anything"


def _cure(unique: UniquePeople) -> str:
    return f" (without {quoted(unique.removed)} {unique.left:,} would be alone)" if unique.removed else ""


def by_sizes(unique: UniquePeople) -> str:
    """Say for the check by how few columns people are alone, to follow a sentence; empty where nobody is by so few."""
    said = [
        f"{people:,} by {'one column' if size == 1 else f'{size} columns'}{' together' if size > 1 else ''}"
        for size, people in enumerate(unique.by_size, 1)
        if people
    ]
    uncounted = not_counted(unique)
    if said and not uncounted and (others := unique.people - sum(unique.by_size)):
        said.append(f"{others:,} by more columns together")  # so that the numbers add up
    if not said:
        return f" ({uncounted})" if uncounted else ""
    sets = "; ".join(
        f"{listed([name[:60] for name in names])}: {people:,}" for names, people in unique.sets[:SETS_NAMED]
    )
    more = "and more" if len(unique.sets) > SETS_NAMED else ""
    return f": {listed(said)} ({'; '.join(filter(None, (sets, more, uncounted)))})"


def not_counted(unique: UniquePeople) -> str:
    """Say which sets of columns the check did not count, as they are too many for the time; empty where all were."""
    first = len(unique.by_size) + 1
    if first > MOST_COLUMNS:
        return ""
    sizes = f"of {first}" if first == MOST_COLUMNS else f"of {first} to {MOST_COLUMNS}"
    return f"sets {sizes} columns are too many and were not counted"


def unique_figures(unique: UniquePeople, rule: Rule) -> list[tuple[str, str, str]]:
    """Return the check report's figures on people alone: name, value, meaning; the rule reads the first."""
    name = "If others know what is called sensitive"
    meaning = f"for somebody who knows {listed(list(unique.doubted))} beside the published quasi-identifiers"
    doubted = [(name, f"{unique.by_doubted:,}", meaning)] if unique.doubted else []
    if not unique.columns:
        return doubted
    figures = [
        (
            "Alone: this number decides",
            f"{unique.people:,} ({percent(unique.share)}; allowed: {percent(float(rule.alone))})",
            "people whom no other equals in the published quasi-identifiers and the columns published as they stand",
        ),
        (
            "Only by empty cells",
            "not known" if unique.by_gaps is None else f"{unique.by_gaps:,}",
            "those of them whom others equal wherever their own cells are filled",
        ),
        (
            "By quasi-identifiers, by other columns",
            f"{unique.by_intervals:,}, {unique.by_columns:,}",
            "for comparison: the same by either alone",
        ),
        (
            "With the sensitive columns",
            f"{unique.with_sensitive:,}",
            "for comparison: for somebody who knows these, too",
        ),
        *doubted,
    ]
    uncounted = not_counted(unique)
    if any(unique.by_size) or uncounted:
        sizes = ", ".join(f"{people:,} by {size}" for size, people in enumerate(unique.by_size, 1))
        sets = "; ".join(f"{listed(names)} {people:,}" for names, people in unique.sets)
        meaning = f"smallest sets of columns, the first with most people: {sets}" if sets else ""
        figures.append(("By how few columns", sizes or "not known", "; ".join(filter(None, (meaning, uncounted)))))
    return figures
