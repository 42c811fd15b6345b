"""Hierarchies read off a released table: what its labels show of the publisher's hierarchy, and what is a guess.

Layers that no label shows are left out. That is the safe side: a bound on a box that the publisher never looked at
would be wrong, a missing one only makes the attack weaker. Likewise a domain is rather taken too wide than too narrow.
"""

import re
from collections import deque
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from itertools import pairwise

import pandas as pd

from cra_engine.audits.label_families import is_group
from cra_engine.errors import ReleaseError, StudyError
from cra_engine.files.notation import decimal_in
from cra_engine.raw.missing_words import MISSING
from cra_engine.study.attribute import Attribute
from cra_engine.study.coded import NO_ENTRY
from cra_engine.study.file_hierarchy import MAX_FILE_LAYERS, FileHierarchy
from cra_engine.study.hierarchy import INTERVAL, MAX_LEAVES, Hierarchy
from cra_engine.study.periods import first_day
from cra_engine.study.tree import ROOT_LABEL
from cra_engine.words import how_many, listed, number_text

Interval = tuple[Decimal, Decimal]
MOST_IRREGULAR = 1000
UNSHOWN = "not shown"
_RAW = re.compile(r"^[-+]?[0-9.]+([eE][-+]?[0-9]+)?$")


@dataclass(frozen=True)
class GuessedHierarchy:
    """A hierarchy that an audit guesses from labels.

    Attributes:
        hierarchy: the proposal.
        sure: a sentence or two on how sure it is, and what is guessed.
        certain: True when the labels leave no other hierarchy of equal intervals: every leaf and every layer was seen.
    """

    hierarchy: Hierarchy
    sure: str
    certain: bool


@dataclass(frozen=True)
class Labels:
    """The different labels of an audited column, sorted into kinds.

    Attributes:
        intervals: ascending, the wider of two that begin together first.
        raw: the numbers among them, ascending.
        texts: what is neither an interval nor a number.
        missing: beside intervals, words such as ``NULL`` that stand for a missing value: a value of its own, as ARX and
            this program publish it, since suppressed is ``*``. They are not among ``texts``.
        root: whether ``*`` occurs.
        plain: numbers and texts as they are written, numbers first.
    """

    intervals: tuple[Interval, ...]
    raw: tuple[Decimal, ...]
    texts: tuple[str, ...]
    root: bool
    plain: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()


def recognise(table: pd.DataFrame) -> tuple[str, ...]:
    """Return an audited table's columns that look like quasi-identifiers: they hold ``[a, b[`` labels or ``*``.

    Raises:
        ReleaseError: there is none.
    """
    names = []
    for position, name in enumerate(table.columns):
        labels = read_labels(table.iloc[:, position].astype("object").dropna().unique())
        if labels.root or any(map(is_group, labels.texts)) or (labels.intervals and not labels.texts):
            names.append(str(name))
    if not names:
        raise ReleaseError(
            "No column of this table holds intervals such as [20, 40[ or *, so no quasi-identifier can be recognised; "
            "take the table that ARX published, or give its study."
        )
    return tuple(names)


def propose_hierarchy(labels: Iterable[str], name: str, *, named: bool = False, period: str = "") -> GuessedHierarchy:
    """Guess the hierarchy of an audited column from its labels.

    Args:
        labels: the column's cells; ``*``, intervals, raw values (layer 0) or categories.
        name: the column's name.
        named: True when somebody said that it is a quasi-identifier: then numbers without intervals are categories.
        period: of dates what its numbers count; empty for numbers.

    Raises:
        StudyError: the labels are of no single hierarchy, or show nothing of it.
    """
    column = read_labels(labels)
    where = f"Column {name!r}"
    if column.intervals and column.texts:
        raise StudyError(
            f"{where} holds intervals and also {column.texts[0][:60]!r}, which is none; "
            "correct that cell, or give the column's hierarchy file."
        )
    if not column.intervals:
        return _flat(column, name, named=named)
    for lower, upper in column.intervals:
        if lower >= upper:
            raise StudyError(f"{where}: the interval {label_of((lower, upper))} is empty; correct it.")
    _check_nested(column.intervals, where)
    guess = _tiled(column, name, period) or _irregular(column, name, period)
    if column.missing:
        says = "a missing value, read as a value of its own"
        if len(column.missing) > 1:
            says = "they say the same, a missing value; each is read as a value of its own, as they stand apart"
        said = f"{listed(list(map(repr, column.missing)))} among them: {says}."
        guess = replace(guess, sure=f"{guess.sure} {said}")
    return guess


def read_labels(labels: Iterable[object]) -> Labels:
    """Sort the different labels of an audited column into kinds."""
    intervals: set[Interval] = set()
    raw: dict[str, Decimal] = {}
    texts: dict[str, None] = {}
    root = False
    for text in dict.fromkeys(str(label).strip() for label in labels):
        ends = _interval(text)
        if text == ROOT_LABEL:
            root = True
        elif ends is not None:
            intervals.add(ends)
        elif _RAW.match(text) and (value := _number(text)) is not None:
            raw[text] = value
        elif text:
            texts[text] = None
    missing = tuple(text for text in texts if intervals and stands_for_missing(text))
    return Labels(
        tuple(sorted(intervals, key=lambda ends: (ends[0], -ends[1]))),
        tuple(sorted(set(raw.values()))),
        tuple(text for text in texts if text not in missing),
        root,
        (*sorted(raw, key=lambda text: raw[text]), *texts),
        missing,
    )


def stands_for_missing(text: str) -> bool:
    """Return whether a label beside intervals says that the value is missing.

    >>> [stands_for_missing(text) for text in ("NULL", "n/a", "no entry", "flu")]
    [True, True, True, False]
    """
    return text.lower() in MISSING or text == NO_ENTRY


def _interval(text: str) -> Interval | None:
    match = INTERVAL.match(text)
    if match is None:
        return None
    lower, upper = _number(match[1]), _number(match[2])
    return None if lower is None or upper is None else (lower, upper)


def _number(text: str) -> Decimal | None:
    value = decimal_in(text)
    return value if value is not None and abs(value.adjusted()) < 40 else None


def number_of(text: str) -> Decimal | None:
    """Return the number that an audited column's label is; None for everything else."""
    return _number(text) if _RAW.match(text) else None


def meaning(label: object) -> Hashable:
    """Return what an audited label stands for, however it is written; None for an empty one.

    >>> meaning("[20,40[") == meaning("[20, 40[ "), meaning("7") == meaning("7.0"), meaning("flu")
    (True, True, 'flu')
    """
    text = str(label).strip()
    ends, number = _interval(text), number_of(text)
    return ends or (text or None if number is None else number)


def nested(labels: Iterable[str]) -> bool:
    """Return whether of any two intervals that labels show one lies inside the other, or they are apart."""
    intervals = read_labels(labels).intervals
    try:
        _check_nested(intervals, "")
    except StudyError:
        return False
    return all(lower < upper for lower, upper in intervals)


def label_of(ends: Interval, period: str = "") -> str:
    """Write an interval of a guessed hierarchy as a release shows it; of dates by the first days of its periods."""
    return f"[{end_text(ends[0], period)}, {end_text(ends[1], period)}["


def _check_nested(intervals: Sequence[Interval], where: str) -> None:
    """Two intervals of one hierarchy are apart, or one lies inside the other."""
    open_: list[Interval] = []
    for ends in intervals:  # ascending, the wider of two that begin together first
        while open_ and open_[-1][1] <= ends[0]:
            open_.pop()
        if open_ and open_[-1][1] < ends[1]:
            raise StudyError(
                f"{where}: {label_of(open_[-1])} and {label_of(ends)} overlap and neither lies inside the other, so "
                "they are of two different hierarchies; take one release at a time."
            )
        open_.append(ends)


# ---------------------------------------------------------------- equal intervals


def _tiled(column: Labels, name: str, period: str) -> GuessedHierarchy | None:
    """Layers of equal intervals, one per width that was seen; None where the labels do not fit such layers."""
    starts: dict[Decimal, list[Decimal]] = {}
    for lower, upper in column.intervals:
        starts.setdefault(upper - lower, []).append(lower)
    widths = sorted(starts)
    anchors = {width: begun[0] % width for width, begun in starts.items()}
    if any((start - begun[0]) % width for width, begun in starts.items() for start in begun):
        return None
    if any(wide % narrow or (anchors[wide] - anchors[narrow]) % narrow for narrow, wide in pairwise(widths)):
        return None
    if len(column.intervals) == 1 and column.root:
        # How far suppressed records may lie from it nothing tells: any domain could be too narrow.
        raise StudyError(
            f"Column {name!r} shows the single interval {label_of(column.intervals[0])} beside *, which tells too "
            "little of its hierarchy; give its hierarchy file."
        )
    lower, upper = _domain(column, anchors[widths[-1]], widths)
    if (upper - lower) / widths[0] > MAX_LEAVES:
        raise StudyError(
            f"Column {name!r}: intervals of width {number_text(widths[0])} over {label_of((lower, upper))} are more "
            f"than {MAX_LEAVES:,}; give the column's hierarchy file."
        )
    # A label that covers everything is the root itself.
    layers = [width for width in widths if width < upper - lower]
    steps = [wide / narrow for narrow, wide in pairwise([*layers, upper - lower])]
    complete = all(len(starts[width]) == (upper - lower) / width for width in layers)
    resolution = _resolution(column)
    fanout = steps[0] if steps else Decimal(2)
    hierarchy: Hierarchy
    if len(set(steps)) <= 1 and fanout == int(fanout) and 2 <= fanout <= 10:
        hierarchy = Attribute(name, lower, upper, len(layers) + 1, int(fanout), resolution)
    else:
        hierarchy = FileHierarchy(name, tuple(_rows(lower, upper, layers)))
    binary = set(steps) <= {Decimal(2)}
    certain = complete and binary and bool(layers)
    return GuessedHierarchy(
        hierarchy, _say_tiled(hierarchy, layers, period, certain=certain, open_ended=column.root), certain
    )


def _domain(column: Labels, anchor: Decimal, widths: Sequence[Decimal]) -> Interval:
    """The labels from the first to the last; where ``*`` may hide more, widened to the next full tree."""
    width = widths[-1]
    lowest = min([column.intervals[0][0], *column.raw[:1]])
    highest = max(
        [*(upper for _, upper in column.intervals), *(value + _resolution(column) for value in column.raw[-1:])]
    )
    first = int(((lowest - anchor) / width).to_integral_value(ROUND_FLOOR))
    last = int(((highest - anchor) / width).to_integral_value(ROUND_CEILING))
    if column.root and last - first > 1:
        ratios = {int(wide / narrow) for narrow, wide in pairwise(widths)}
        fanout = ratios.pop() if len(ratios) == 1 else 2
        if fanout & (fanout - 1) == 0:  # a power of 2 may be layers of 2 of which some do not appear
            fanout = 2
        nodes = fanout
        while nodes < last - first:
            nodes *= fanout
        # A domain likes to begin at 0, or at a multiple of its length; else it is taken to begin with the labels.
        start = anchor + first * width
        shift = int(start % (nodes * width) / width) if start % width == 0 else 0
        shift = shift % nodes
        if last - first + shift <= nodes:
            first -= shift
        last = first + nodes
    return anchor + first * width, anchor + last * width


def _resolution(column: Labels) -> Decimal:
    numbers = [*(end for ends in column.intervals for end in ends), *column.raw]
    exponents = [exponent for n in numbers if isinstance(exponent := n.normalize().as_tuple().exponent, int)]
    return Decimal(1).scaleb(min(0, *exponents))


def _rows(lower: Decimal, upper: Decimal, widths: Sequence[Decimal]) -> Iterable[tuple[str, ...]]:
    """One row per leaf: its first value stands for all, since all leaves are equal."""
    leaf = lower
    while leaf < upper:
        path = []
        for width in widths:
            start = lower + (leaf - lower) // width * width
            path.append(label_of((start, start + width)))
        yield (number_text(leaf), *path, ROOT_LABEL)
        leaf += widths[0]


def _ends(lower: Decimal, upper: Decimal, period: str) -> str:
    return f"{end_text(lower, period)} to {end_text(upper, period)}"


def end_text(end: Decimal, period: str) -> str:
    """Write an end of an interval of an audited column: a number, or the first day of a period."""
    return first_day(int(end), period) if period else number_text(end)


def _say_tiled(hierarchy: Hierarchy, widths: Sequence[Decimal], period: str, *, certain: bool, open_ended: bool) -> str:
    if not widths:
        only = label_of((hierarchy.lower, hierarchy.upper), period)
        return f"The labels show one interval only, {only}; it is taken for the whole domain, with nothing inside."
    layers = " and ".join(
        [", ".join(number_text(width) for width in widths[:-1]), number_text(widths[-1])][-len(widths) :]
    )
    layers += f" {period}s" if period else ""
    start = f"Intervals of width {layers} from {_ends(hierarchy.lower, hierarchy.upper, period)}"
    counted = f"Values are taken to be {number_text(hierarchy.resolution)}{f' {period}' if period else ''} apart."
    if certain:
        return (
            f"{start}: every interval of every layer appears in the table, so only a domain that goes on where nobody "
            f"is would be another. {counted}"
        )
    guessed = ["where the domain ends"] if open_ended else []
    guessed.append("that the publisher has no finer layer")
    return (
        f"{start}: guessed from the labels that appear. A guess is {' and '.join(guessed)}; layers that no label shows "
        f"are left out, which makes the attack weaker, not wrong. {counted}"
    )


# ---------------------------------------------------------------- other trees


def _irregular(column: Labels, name: str, period: str) -> GuessedHierarchy:
    """A tree of nested intervals of any widths; parts of the domain that no label shows become leaves of their own."""
    if len(column.intervals) > MOST_IRREGULAR:
        raise StudyError(f"Column {name!r} holds too many different intervals; give its hierarchy file.")
    lower = min([column.intervals[0][0], *column.raw[:1]])
    upper = max([*(end for _, end in column.intervals), *(value + _resolution(column) for value in column.raw[-1:])])
    known = set(column.intervals)
    pieces = list(pairwise(sorted({lower, upper, *(end for ends in known for end in ends)})))
    chains: list[list[Interval]] = []  # of each piece the labels that hold it, the narrowest first
    height: dict[Interval, int] = {}
    waiting = deque(column.intervals)  # ascending, the wider of two that begin together first
    open_: list[Interval] = []
    filled = 0
    for piece in pieces:
        while open_ and open_[-1][1] <= piece[0]:
            open_.pop()
        while waiting and waiting[0][0] == piece[0]:
            open_.append(waiting.popleft())
        if len(open_) > MAX_FILE_LAYERS:
            raise StudyError(
                f"Column {name!r} holds more than {MAX_FILE_LAYERS} intervals one inside the other; "
                "give its hierarchy file."
            )
        chain = open_[::-1]
        if not chain or chain[0] != piece:
            # A piece that is no label lies between the children of a node, or between labels.
            chain.insert(0, piece)
            filled += 1
        chains.append(chain)
        height[piece] = 1
        for inner, outer in pairwise(chain):
            height[outer] = max(height.get(outer, 0), height[inner] + 1)
    tallest = max(height.values())
    rows = []
    for chain in chains:
        path, reached = [], 0
        for layer in range(1, tallest + 1):
            while reached + 1 < len(chain) and height[chain[reached + 1]] <= layer:
                reached += 1
            path.append(label_of(chain[reached]))  # the widest that is low enough
        if (lower, upper) not in known:
            path.append(ROOT_LABEL)
        rows.append((number_text(chain[0][0]), *path))
    if len(rows) < 2:
        raise StudyError(f"Column {name!r} shows a single interval; give its hierarchy file.")
    parts = f"{how_many(filled, 'part')} of it that no label shows taken as one interval each"
    return GuessedHierarchy(
        FileHierarchy(name, tuple(rows)),
        f"Nested intervals of different widths from {_ends(lower, upper, period)}, guessed from the labels that appear"
        f"{f', with {parts}' if filled else ''}. Which layer an interval belongs to and where the domain ends is a "
        "guess; the column's hierarchy file would settle it.",
        certain=False,
    )


def _flat(column: Labels, name: str, *, named: bool) -> GuessedHierarchy:
    """Categories without a file: every label a leaf, and the root."""
    if column.raw and not column.texts and not named:
        raise StudyError(
            f"Column {name!r} shows numbers and no interval; it was published as it is, "
            "or is no quasi-identifier: give its hierarchy file, or the study."
        )
    labels = column.plain
    if not labels:
        raise StudyError(
            f"Column {name!r} shows nothing but *, so its hierarchy cannot be seen; give its hierarchy file."
        )
    if len(labels) >= MAX_LEAVES:
        raise StudyError(
            f"Column {name!r} shows {len(labels):,} different values, more than {MAX_LEAVES:,}; "
            "give the column's hierarchy file, or leave the column out."
        )
    others = () if len(labels) > 1 else (UNSHOWN,)
    rows = tuple((label, label, ROOT_LABEL) for label in (*labels, *others))
    if others:
        return GuessedHierarchy(
            FileHierarchy(name, rows),
            f"The only label is {labels[0][:60]!r}{' beside *' if column.root else ''}: nothing can be read from it, "
            "and what else there may be is not known. The column's hierarchy file would settle it.",
            certain=False,
        )
    return GuessedHierarchy(
        FileHierarchy(name, rows),
        f"{how_many(len(labels), 'category', 'categories')} below one root, guessed from the labels: if one of them is "
        "a group of others, or groups several values, or some category does not appear, this is not the publisher's "
        "hierarchy. The column's hierarchy file would settle it.",
        certain=False,
    )
