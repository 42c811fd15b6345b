"""What was chosen, in the words of people who publish tables."""

import re
from collections.abc import Sequence

from cra_engine.checks.demands import demand_of
from cra_engine.checks.findings import NO_NAMES
from cra_engine.checks.outcome import Finding
from cra_engine.options.option import finest, with_layers
from cra_engine.publishable.choice import AS_IT_IS, REMOVED, Choice, Pin
from cra_engine.publishable.columns import ChosenColumn
from cra_engine.publishable.outcome import HIDDEN
from cra_engine.publishable.space import Space
from cra_engine.raw.column_words import folded
from cra_engine.study.file_hierarchy import FileHierarchy
from cra_engine.study.study import Study
from cra_engine.words import how_many, listed, percent, spoken

GAP_TEXTS = {
    "category": "missing values as a category of their own",
    "*": "missing values shown as *",
    "leave-out": "rows with missing values left out",
}
_AGE = re.compile(r"\b(age|ages|alter)\b")  # in years, whether or not somebody says so
FEW_GROUPS = 3  # of a column of numbers: so few say little
MONTHS = ", as fine as the study has it"  # of dates in months or years, of which nothing is lost then
_COUNTED = re.compile(r"category|categorie|interval")
# What becomes of rows and values: a row is left out, or stays with * in all that others may know; a value is hidden.
WORDS = "Left out is what is not in the table; hidden is a value in whose place * stands."
REPEATS, MISSING = "repeating another", "left out for missing values"
IN_THE_WAY = "so that all others show more"  # rows are left out by the search, of people who are in the way
WAY_TEXTS = {
    "safe": "groups drawn by chance (safe recoding)",
    "global": "the same groups for all rows",
    "repaired": "groups repaired afterwards",
}


def label_of(space: Space, choice: Choice, silent: Sequence[str] = ()) -> str:
    """Returns how a choice publishes in words: ``age in groups of 20 years, groups repaired afterwards``.

    Args:
        space: what there was to choose.
        choice: the choice.
        silent: columns that show the same in every row, and so nothing.
    """
    shown = list(zip(space.columns, choice.heights, strict=True))
    removed = [column.name for column, height in shown if height == REMOVED or column.name in silent]
    parts = [
        f"{column.name} in {width_text(column, height)}"
        for column, height in shown
        if column.name not in removed and height != AS_IT_IS and column.hierarchy and not single_values(column, height)
    ]
    if choice.k != space.ks[0]:
        parts.append(f"at least {choice.k} people who look alike")
    if choice.gaps:
        parts.append(gap_text(choice.gaps))
    parts.append(WAY_TEXTS.get(choice.way.name, ""))
    return ", ".join(filter(None, parts)) or "groups as fine as they may be"


def single_values(column: ChosenColumn, height: int) -> bool:
    """Returns whether the finest that a choice shows of a column are its values."""
    hierarchy = column.hierarchy
    if hierarchy is None or height != hierarchy.layers:
        return False
    if hierarchy.numeric:  # a month or a year is one of the hierarchy's values, and no day
        return set(hierarchy.leaf_values) == {1} and (not hierarchy.dates or hierarchy.unit == "day")
    return isinstance(hierarchy, FileHierarchy) and all(row[0] == row[hierarchy.finest] for row in hierarchy.rows)


def width_text(column: ChosenColumn, height: int) -> str:
    """Returns how fine a choice shows a column at its finest: ``groups of 10 years``, ``groups 0.5 wide``.

    Without a unit a number alone would be taken for a number of people.
    """
    if column.hierarchy is None or single_values(column, height):
        return "single values"
    width = finest(column.hierarchy, height)
    counted = width.endswith(("category", "categories", "interval", "intervals"))
    if counted:
        return _COUNTED.sub("group", width)
    if column.hierarchy.unit:
        return f"groups of {width}"
    return _groups(column.name, width)


def _groups(name: str, width: str) -> str:
    """Groups of a width of a column whose hierarchy has no unit."""
    if not _AGE.search(folded(name)):
        return f"groups {width} wide"
    return f"groups of {width} year{'' if width.rsplit(maxsplit=1)[-1] == '1' else 's'}"


def pin_text(pin: Pin, study: Study) -> str:
    """Returns in words what has to stay: ``age in groups of at most 10 years``, ``weight in groups at most 10 wide``.

    Args:
        pin: what has to stay.
        study: whose hierarchies tell the unit.
    """
    if pin.widest is None:
        return pin.name
    hierarchy, width = next((one for one in study.attributes if one.name == pin.name), None), f"at most {pin.widest:f}"
    if hierarchy is None or not hierarchy.unit:
        return f"{pin.name} in {_groups(pin.name, width)}"
    return f"{pin.name} in groups of {width} {hierarchy.unit}{'s' * (hierarchy.dates and pin.widest != 1)}"


def _example(column: ChosenColumn, height: int) -> str:
    """One of a column's finest groups in words that follow, where its numbers have no unit and are not whole."""
    hierarchy = column.hierarchy
    if hierarchy is None or not hierarchy.numeric or hierarchy.unit or single_values(column, height):
        return ""
    nodes = [node for node in with_layers(hierarchy, height).layer_nodes[0] if not node.coded]
    node = nodes[len(nodes) // 2]
    return "" if node.lower % 1 == node.upper % 1 == 0 else f", such as {spoken(node.label)}"


def less_text(wider: int, hidden: int, suppressed: int = 0) -> str:
    """Returns in words how many rows of a choice show less of a column than its finest groups; empty for none.

    Args:
        wider: number of rows that show a wider group.
        hidden: number of rows that show ``*``.
        suppressed: number of those of them that show it in all that others may know.

    >>> less_text(1, 6), less_text(0, 0), less_text(0, 9, 4)
    ('less detail in 1 row, hidden in 6 rows', '', 'hidden in 9 rows, in 4 of them with all else that others may know')
    """
    told = ("less detail", wider), ("hidden", hidden)
    along = f", in {suppressed:,} of them with all else that others may know" if 0 < suppressed < hidden else ""
    return ", ".join(f"{what} in {how_many(many, 'row')}" for what, many in told if many) + along


def shown_text(column: ChosenColumn, height: int, less: str, *, silent: bool, groups: int) -> str:
    """Returns what a choice makes of a column: ``groups of 20 years (finest allowed: 10 years), hidden in 6``.

    Args:
        column: the column.
        height: how it goes out.
        less: of the rows that show less of it than its finest groups.
        silent: whether it shows the same in every row.
        groups: how many different groups, or values, the table shows of it.
    """
    if height == REMOVED:
        return "left out"
    if silent:
        return "hidden: the same in every row"
    plain = height == AS_IT_IS or single_values(column, height)
    own = "as it is" if plain else f"{width_text(column, height)}{_example(column, height)}"
    if height > 0 and column.hierarchy is not None and column.hierarchy.numeric and groups <= FEW_GROUPS:
        own += f", {how_many(groups, 'group')} in all"
    if column.hierarchy is not None and column.hierarchy.dates and height == column.hierarchy.layers and not plain:
        own += MONTHS * (set(column.hierarchy.leaf_values) == {1})
    if height != AS_IT_IS and column.known and column.hierarchy is not None and height < column.hierarchy.layers:
        agreed = width_text(column, column.hierarchy.layers)
        own += f" (finest allowed: {agreed.removeprefix('groups ').removeprefix('of ')})"
    return f"{own}, {less}" if less else own


def hidden_text(hidden: int, decided: int) -> str:
    """Returns what becomes of a sensitive column that shows ``*`` in so many rows, in some of them as decided.

    >>> hidden_text(8, 4), hidden_text(4, 0)
    ('as it is, hidden in 8 rows, of them 4 hidden as decided', 'as it is, hidden in 4 rows')
    """
    if hidden == decided:
        return f"as it is (sensitive), {how_many(decided, 'value')}{HIDDEN}" if decided else "as it is (sensitive)"
    return f"as it is, hidden in {how_many(hidden, 'row')}" + (f", of them {decided:,}{HIDDEN}" if decided else "")


def gap_text(gaps: str) -> str:
    """Returns what a choice makes of missing values."""
    return GAP_TEXTS[gaps]


def counts_kept(
    cost: float, suppressed: int, hidden: str, left_out: int, records: int, gone: Sequence[str], columns: int
) -> str:
    """Returns what a choice keeps, first what anybody can count: columns and rows, then the share of the detail.

    Args:
        cost: the share that is lost.
        suppressed: number of rows that show nothing of what others may know.
        hidden: what becomes of these.
        left_out: number of rows that do not go out.
        records: number of rows of the raw table.
        gone: columns that would have gone out and of which nothing is shown.
        columns: number of columns that would have gone out.

    >>> counts_kept(0.457, 2, "with * in age", 13, 320, ["plan"], 4)
    '3 of 4 columns (without plan), 307 of 320 rows (2 with * in age), 54.3 % of the detail of all 4 columns kept'
    """
    without = f" (without {listed(list(gone))})" if gone else ""
    stars = f" ({suppressed:,} {hidden})" if suppressed else ""
    of = f"all {columns} columns" if columns > 1 else "the column"
    return (
        f"{columns - len(gone)} of {how_many(columns, 'column')}{without}, "
        f"{records - left_out:,} of {how_many(records, 'row')}{stars}, "
        f"{percent(1 - cost, 1)} of the detail of {of} kept"
    )


_UNPROVEN = {"attack-not-looked-at", "attack-out-of-time"}


def why_not(
    space: Space,
    findings: Sequence[Finding],
    problem: str,
    people: int,
    without: Sequence[tuple[str, int]],
    *,
    complete: bool,
) -> str:
    """Returns why nothing passes, in a sentence that names the rule and the column, and how far the nearest misses.

    Args:
        space: what there was to choose.
        findings: what stands in the way of the table that comes closest.
        problem: why the last table could not be published, where none could.
        people: how many stand in too small or too much alike a group of the nearest, before rows are joined.
        without: columns that put them there, with how many are left without, the fewest first.
        complete: whether all choices were tried.
    """
    begin = "Nothing that may be chosen passes" if complete else "Nothing was found that passes"
    names = [*(column.name for column in space.columns), *space.sensitive]
    if not findings:
        return f"{begin}. {problem}".strip()
    first = next((one for one in findings if one.code == NO_NAMES), findings[0])
    if first.code == NO_NAMES:  # no other choice mends the file
        return first.text
    if first.code in _UNPROVEN:
        return f"{begin}: whom the nearest table singles out was not proven. {first.text}"
    rule = demand_of(first)
    if first.code == "all-suppressed" and space.privacy:
        columns = list(dict.fromkeys(name for model in space.privacy for name in model.columns))
        rule = "different sensitive values in every group"
        told = f"no groups have {listed(list(map(str, space.privacy)))}."
    else:
        columns = [name for name in names if repr(name) in first.text]
        told = first.text
    of = f" (column {listed(columns)})" if columns else ""
    begin += f". What stands in the way of the nearest table is the rule of {rule}{of}"
    return f"{begin}: {told}{_missed(people, without)}"


def _missed(people: int, without: Sequence[tuple[str, int]]) -> str:
    """How many people stand in the way, and by which column, as sentences that follow; empty where nobody does."""
    if not people:
        return ""
    said = f" {how_many(people, 'person', 'people')} would share a row with too few or too similar people"
    if not without:
        return f"{said}."
    name, left = without[0]
    return f"{said}; without {name} {'nobody' if not left else how_many(left, 'person', 'people')} would."
