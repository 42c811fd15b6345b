"""Who is alone in the published file, by all its columns together: those published as they stand and the intervals."""

from collections.abc import Iterator, Sequence

import pandas as pd

from cra_engine.checks.findings import quoted
from cra_engine.checks.outcome import CheckedColumn, Finding, UniquePeople
from cra_engine.checks.rule import Rule
from cra_engine.patience import Deadline
from cra_engine.risk.uniques import MOST_COLUMNS, cell_codes, minimal_uniques, unique_records
from cra_engine.study.study import Study
from cra_engine.words import how_many, listed, percent

SETS_KEPT, SETS_NAMED = 12, 3


def count_unique_people(
    frame: pd.DataFrame, columns: Sequence[CheckedColumn], study: Study, deadline: Deadline
) -> UniquePeople:
    """Counts who is alone in a published file.

    Columns that say by themselves who somebody is have a finding of their own, and would hide what all others tell.

    Args:
        frame: the published file.
        columns: its columns with their roles.
        study: whose quasi-identifiers are published in it.
        deadline: of the sets of two columns or more; which ones were not counted by then is said.
    """
    given = [column for column in columns if column.published and column.name not in study.names]
    sensitive = [column.name for column in given if _is_sensitive(column)]
    plain = [column.name for column in given if not (_is_sensitive(column) or column.direct)]
    codes = {name: cell_codes(frame[name]) for name in (*study.names, *plain, *sensitive)}
    by_intervals, by_columns, with_sensitive = (
        int(unique_records([codes[name] for name in names], len(frame)).sum())
        for names in (study.names, plain, (*study.names, *plain, *sensitive))
    )
    uniques = minimal_uniques(frame, [*study.names, *plain], MOST_COLUMNS, deadline)
    sets = sorted(uniques.minimal.items(), key=lambda item: (len(item[0]), -len(item[1]), item[0]))
    return UniquePeople(
        len(frame),
        tuple(plain),
        by_intervals,
        by_columns,
        uniques.people,
        with_sensitive,
        {names[0]: len(rows) for names, rows in uniques.minimal.items() if len(names) == 1},
        uniques.by_size,
        tuple((names, len(rows)) for names, rows in sets[:SETS_KEPT]),
    )


def _is_sensitive(column: CheckedColumn) -> bool:
    """Whether a column is sensitive, or looks so and nobody has decided."""
    return column.role == "sensitive" or (column.role == "undecided" and column.proposed == "sensitive")


def find_unique_people(unique: UniquePeople, rule: Rule) -> Iterator[Finding]:
    """People who are alone by columns that go out as they stand; those alone by their class are the rule of k's."""
    if unique.people <= unique.by_intervals:
        return
    stops = unique.people > rule.alone * unique.records
    yield Finding(
        "stop" if stops else "attention",
        "alone",
        f"{how_many(unique.people, 'person', 'people')} ({percent(unique.share)}) "
        f"{'is' if unique.people == 1 else 'are'} alone with what the release shows in its quasi-identifiers and "
        f"{quoted(unique.columns)}{by_sizes(unique)}; make what others may know of a person a quasi-identifier, or "
        "remove it, and call sensitive what nobody else can know.",
    )


def by_sizes(unique: UniquePeople) -> str:
    """By how few columns people are alone, as words that follow a sentence; empty where nobody is by so few."""
    said = [
        f"{people:,} by {'one column' if size == 1 else f'{size} columns'}{' together' if size > 1 else ''}"
        for size, people in enumerate(unique.by_size, 1)
        if people
    ]
    uncounted = not_counted(unique)
    if not said:
        return f" ({uncounted})" if uncounted else ""
    sets = "; ".join(
        f"{listed([name[:60] for name in names])}: {people:,}" for names, people in unique.sets[:SETS_NAMED]
    )
    more = "and more" if len(unique.sets) > SETS_NAMED else ""
    return f", {listed(said)} ({'; '.join(filter(None, (sets, more, uncounted)))})"


def not_counted(unique: UniquePeople) -> str:
    """Which sets of columns were not counted, as they are too many for the time; empty where all were."""
    first = len(unique.by_size) + 1
    if first > MOST_COLUMNS:
        return ""
    sizes = f"of {first}" if first == MOST_COLUMNS else f"of {first} to {MOST_COLUMNS}"
    return f"sets {sizes} columns are too many and were not counted"


def unique_figures(unique: UniquePeople) -> list[tuple[str, str, str]]:
    """The figures of a report: name, value, what it means."""
    if not unique.columns:
        return []
    figures = [
        (
            "Alone in the release",
            f"{unique.people:,} ({percent(unique.share)})",
            "people who are the only one with their published quasi-identifiers and columns published as they stand",
        ),
        (
            "Alone by those columns, by the quasi-identifiers",
            f"{unique.by_columns:,}, {unique.by_intervals:,}",
            "the same by each alone",
        ),
        ("Alone with the sensitive columns", f"{unique.with_sensitive:,}", "for somebody who knows these, too"),
    ]
    uncounted = not_counted(unique)
    if any(unique.by_size) or uncounted:
        sizes = ", ".join(f"{people:,} by {size}" for size, people in enumerate(unique.by_size, 1))
        sets = "; ".join(f"{listed(names)} {people:,}" for names, people in unique.sets)
        meaning = f"smallest sets of columns, the first with most people: {sets}" if sets else ""
        figures.append(("By how few columns", sizes or "not known", "; ".join(filter(None, (meaning, uncounted)))))
    return figures
