"""The table of an archive as people open it, and a page that says how to read it; nothing that the release hides."""

import re
from collections.abc import Collection, Sequence
from datetime import date, timedelta

import pandas as pd

from cra_engine.checks.demands import accepted_told
from cra_engine.checks.labels import as_text, said_in
from cra_engine.errors import MissingLibraryError
from cra_engine.files.foreign import workbook
from cra_engine.publishable.outcome import Outcome
from cra_engine.reports.filed import day_text
from cra_engine.study.coded import NO_ENTRY, NULL
from cra_engine.study.tree import ROOT_LABEL
from cra_engine.words import how_many, listed, spoken

MOST_NAMED = 12  # groups of a column that are named
MOST_ROWS = 100_000  # of a table that is handed out for Excel, too
# Which groups stand behind * or are left out is not said here: of how many people they are is what that hides.
_NOBODY = "that no row shows one does not say that nobody was in it."
HIDDEN_GROUPS = f" Whole groups of people may stand behind it: {_NOBODY}"
_DAYS = re.compile(r"\[(\d{4}-\d\d-\d\d), (\d{4}-\d\d-\d\d)\[")
MARK = "\ufeff"  # without it Excel takes UTF-8 for the letters of one country


def for_programs(text: str) -> str:
    r"""Returns a published table's CSV text so that Excel reads its letters, too.

    >>> for_programs("ward\nsouth\n") == "ward\nsouth\n", for_programs("ward\nS\u00fcd\n")[0] == MARK
    (True, True)
    """
    return text if text.isascii() else MARK + text


def for_excel(text: str, notes: list[str], on: date | None) -> bytes | None:
    """Returns a published table as a workbook that any Excel opens, in any language; None where there is none.

    Args:
        text: the table as CSV.
        notes: how to read it, a line each, on a sheet of its own.
        on: the day to write into it.
    """
    if text.count("\n") > MOST_ROWS:
        return None
    try:
        return workbook(text, notes, on)
    except MissingLibraryError:
        return None


def how_to_read(outcome: Outcome) -> list[str]:
    """Returns how to read a published table, a line each: its notation, and what each column shows."""
    study, frame = outcome.study, outcome.frame
    names = [name for name in study.names if name in frame.columns]
    others = [str(name) for name in frame.columns if name not in names]
    rule = outcome.checked.rule
    sensitive = [name for name in others if rule.l > 1 and study.roles.of(name) == "sensitive"]
    alike = f"Every row that shows any of it is like at least {study.k - 1:,} others there (k = {study.k:,})."
    whole = outcome.checked.whole_rows
    if whole is not None:
        stand = "stands as in the table" if len(whole.columns) == 1 else "stand as in the table"
        alike += f" With {listed(list(whole.columns))}, which {stand}, at least {whole.smallest:,} rows are alike."
    lines = [
        "How to read this table",
        "",
        f"{how_many(len(frame), 'row')} in random order.{_gone(outcome)}",
        f"{listed(names)}: what others may know of a person, in groups. {alike}",
    ]
    if sensitive:
        others_none = "; a group of which no value is known shows none" if _some_none(outcome, names, sensitive) else ""
        lines.append(f"Each such group shows at least {rule.l} different values of {listed(sensitive)}{others_none}.")
    cells = {cell for name in frame.columns for cell in as_text(frame[name]).unique()}
    if ROOT_LABEL in cells:
        told = f"{outcome.stars_told}{_stars(outcome)}{HIDDEN_GROUPS}"
        lines.append(f"{ROOT_LABEL} stands for: hidden. {told}")
    examples = _examples(outcome, names)
    lines += [f"{label} stands for: {_in_days(label) or spoken(label)}." for label in examples]
    if half_open := [label for label in examples if label.endswith("[")]:
        end = half_open[0][:-1].rpartition(", ")[2]
        lines.append(
            f"The sign [ at the end of a group says that the value before it, such as {end} in {half_open[0]}, is no "
            "longer in the group."
        )
    if said := missing_told(cells, grouped={cell for name in names for cell in as_text(frame[name]).unique()}):
        lines.append(said)
    if "" in cells:
        lines.append("An empty cell stands for: the table holds no value.")
    if accepted := accepted_told(outcome.checked, named=False):
        lines.append(accepted)
    lines += ["", "The columns"]
    lines += [f"{name}: {_groups(outcome, name)}" for name in names]
    if others:
        hidden = f", or {ROOT_LABEL}" if any((as_text(frame[name]) == ROOT_LABEL).any() for name in others) else ""
        lines.append(f"{listed(others)}: as in the table{hidden}.")
    if here := outcome.checked.only_here:
        its = "values of it" if len(here) == 1 else "values of them"
        lines.append(f"{listed(list(here))}: the publisher decided that nobody has exact {its} from elsewhere.")
    return lines


def missing_told(cells: Collection[str], grouped: Collection[str] = ()) -> str:
    """Say what the words stand for by which a published table tells that a value is missing; empty without one.

    Args:
        cells: what the table shows.
        grouped: what it shows in the columns that make the groups.

    >>> missing_told(["30", "NULL"], ["NULL"])
    'NULL stands for: the value is missing in the table, a group like any other.'
    >>> missing_told(["flu", "no entry"])
    'no entry stands for: the value is missing in the table.'
    >>> missing_told(["NULL", "no entry"], ["NULL"])
    'NULL and no entry stand for the same: the value is missing in the table. NULL is a group like any other.'
    """
    stand = [word for word in (NULL, NO_ENTRY) if word in cells]
    if not stand:
        return ""
    if len(stand) == 1:
        group = ", a group like any other" if NULL in grouped else ""
        return f"{stand[0]} stands for: the value is missing in the table{group}."
    group = f" {NULL} is a group like any other." if NULL in grouped else ""
    return f"{NULL} and {NO_ENTRY} stand for the same: the value is missing in the table.{group}"


def _some_none(outcome: Outcome, names: Sequence[str], sensitive: Sequence[str]) -> bool:
    """Whether the table shows a group in which nobody has a value of a sensitive column."""
    groups = outcome.frame[list(names)].astype(str)
    shown = (groups != ROOT_LABEL).any(axis=1)
    values = outcome.study.roles.as_values
    told = pd.DataFrame({name: said_in(outcome.frame[name], values) for name in sensitive}, index=groups.index)[shown]
    return not told.groupby([groups.loc[shown, name] for name in names]).any().all(axis=None)


def _in_days(label: str) -> str:
    """A group of days by its first and its last; empty for any other.

    >>> _in_days("[1930-01-01, 1950-01-01["), _in_days("[20, 40[")
    ('1 January 1930 to 31 December 1949', '')
    """
    found = _DAYS.fullmatch(label)
    if found is None:
        return ""
    first, end = map(date.fromisoformat, found.groups())
    return f"{day_text(first)} to {day_text(end - timedelta(days=1))}"


def _examples(outcome: Outcome, names: Sequence[str]) -> list[str]:
    """Cells that people would ask about: of each way to write a group that a column has the first one."""
    found: dict[tuple[str, str, str], str] = {}
    for name in names:
        for label in _cells(outcome, name):
            if spoken(label) != label:
                found.setdefault((name, label[0], label[-1]), label)
    return list(found.values())


def _stars(outcome: Outcome) -> str:
    """How many rows show nothing else of what others may know, and which other columns all of them hide."""
    if not outcome.suppressed:
        return ""
    rows = how_many(outcome.suppressed, "row stays", "rows stay")
    why = "too few are like them, or all of these share a sensitive value"
    if outcome.choice.way.name == "safe":
        why = "which groups are shown is drawn by chance, small ones seldom"
    return f" {rows} {outcome.suppressed_told}, as {why}."


def _gone(outcome: Outcome) -> str:
    """What a reader has to know of rows that are not there, for they are not left out at random."""
    if not outcome.left_out:
        return ""
    return (
        f" Of the {len(outcome.frame) + outcome.left_out:,} rows that there were {outcome.left_out:,} "
        f"{'is' if outcome.left_out == 1 else 'are'} left out: "
        "rows that repeat another, that lack a value, whose people would stand out, or that the publisher left out for "
        f"another reason, such as a second stay of a person. Whole groups may be among them: {_NOBODY}"
    )


def _cells(outcome: Outcome, name: str) -> list[str]:
    shown = set(outcome.frame[name].astype(str))
    layers = next(one for one in outcome.study.attributes if one.name == name).layer_nodes
    return [node.label for nodes in layers for node in nodes if node.label in shown]


def _groups(outcome: Outcome, name: str) -> str:
    groups = list(dict.fromkeys(_cells(outcome, name)))
    if not groups:
        return "not in the hierarchy"
    wider = f", {told}" if (told := wider_text(outcome, name)) else ""
    if len(groups) <= MOST_NAMED:
        return f"{'; '.join(groups)}{wider}"
    return f"{len(groups):,} different groups, such as {'; '.join(groups[:3])}{wider}"


def wider_text(outcome: Outcome, name: str) -> str:
    """Returns in how many rows a published table shows wider groups of a column than its finest; empty for none."""
    hierarchy = next((one for one in outcome.study.attributes if one.name == name), None)
    if hierarchy is None or name not in outcome.frame:
        return ""
    finest = {node.label for node in hierarchy.layer_nodes[0]}
    cells = as_text(outcome.frame[name])
    wider = [label for label in dict.fromkeys(_cells(outcome, name)) if label not in {*finest, ROOT_LABEL}]
    rows = int(cells.isin(wider).sum())
    named = f"{'; '.join(wider[:3])}{' and others' if len(wider) > 3 else ''}"
    return f"wider in {how_many(rows, 'row')}: {named}" if rows else ""
