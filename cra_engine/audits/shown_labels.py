"""The hierarchy that an attack may work with when only labels are known: their boxes, and no others.

A bound on a box that the publisher never looked at would be false. So what no label shows is a gap: a place where
records can be, never bounded by itself. Where ``*`` occurs records may also lie beyond every label; two more gaps,
below and above all labels, hold them.
"""

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from itertools import pairwise

from cra_engine.audits.guessed_hierarchies import (
    UNSHOWN,
    GuessedHierarchy,
    Interval,
    Labels,
    end_text,
    label_of,
    read_labels,
)
from cra_engine.audits.label_families import LabelPiece, family
from cra_engine.study.coded import Coded, with_coded
from cra_engine.study.hierarchy import Hierarchy
from cra_engine.study.tree import ROOT_LABEL, Node
from cra_engine.words import number_text


def shown_labels(proposal: GuessedHierarchy, labels: Iterable[object], period: str = "") -> Hierarchy:
    """Make an audited column's hierarchy with just the boxes that its labels show.

    A layer counts how many labels lie inside one another, which is all that they tell; ``Node.gap`` marks what no label
    shows.

    Args:
        proposal: what was guessed from the labels; it says how far values are apart, and how wide the domain may be.
        labels: the column's cells.
        period: of dates what their numbers count, whose first days the labels are to show; empty for numbers.
    """
    column = read_labels(labels)
    return (
        _intervals(column, proposal.hierarchy, period) if column.intervals else _categories(column, proposal.hierarchy)
    )


def _categories(column: Labels, guess: Hierarchy) -> Hierarchy:
    texts = column.plain
    pieces, height = family(texts, f"Column {guess.name!r}") or (
        tuple(LabelPiece(text, (text,), 1) for text in texts),
        dict.fromkeys(texts, 1),
    )
    if column.root or len(texts) == 1:
        pieces = (*pieces, LabelPiece(UNSHOWN, (), 1))
    layers = [_categories_of(layer, pieces, height) for layer in range(1, max(height.values()) + 1)]
    many, values = len(pieces), sum(piece.values for piece in pieces)
    root = Node(len(layers) + 1, 0, 0, many, Decimal(0), Decimal(many), values, ROOT_LABEL, category=True)
    place = {node.label: node.start for node in layers[0] if not node.gap}
    return Hierarchy(guess.name, (*layers, (root,)), listed=place)


def _categories_of(layer: int, pieces: Sequence[LabelPiece], height: Mapping[str, int]) -> tuple[Node, ...]:
    """The nodes of a layer; a piece that no label of it holds is a gap."""
    holders = [next((text for text in reversed(piece.chain) if height[text] <= layer), None) for piece in pieces]
    nodes: list[Node] = []
    start = 0
    for stop in range(1, len(pieces) + 1):
        if stop < len(pieces) and holders[stop] is not None and holders[stop] == holders[start]:
            continue
        label, gap = holders[start] or pieces[start].name, holders[start] is None
        values = sum(piece.values for piece in pieces[start:stop])
        nodes.append(
            Node(layer, len(nodes), start, stop, Decimal(start), Decimal(stop), values, label, category=True, gap=gap)
        )
        start = stop
    return tuple(nodes)


def _intervals(column: Labels, guess: Hierarchy, period: str) -> Hierarchy:
    step = guess.resolution
    labelled = set(column.intervals)
    ends_shown = {end for ends in labelled for end in ends}
    first, last = min(ends_shown), max(ends_shown)
    # Raw values may lie outside the labels.
    marks = sorted({*ends_shown, min([first, *column.raw]), max([last, *(value + step for value in column.raw)])})
    lower, upper = marks[0], marks[-1]
    pieces = list(pairwise(marks))
    if column.root:
        # How far records may lie beyond is not known: rather too far, so on each side three times all that is shown.
        wide = 3 * (upper - lower)
        pieces = [
            (min(guess.lower, lower - wide), lower),
            *pieces,
            (upper, max(guess.upper, upper + wide)),
        ]
    height: dict[Interval, int] = {}
    for ends in sorted(labelled, key=lambda e: e[1] - e[0]):
        inside = [height[e] for e in height if ends[0] <= e[0] and e[1] <= ends[1]]
        height[ends] = max(inside, default=0) + 1
    chains = [sorted((e for e in labelled if e[0] <= a and b <= e[1]), key=lambda e: e[1] - e[0]) for a, b in pieces]
    # A piece that is no label itself is a gap as long as no label of the layer holds it.
    tallest = max(height.values())
    layers = [_layer(layer, pieces, chains, height, column, step, period) for layer in range(1, tallest + 1)]
    many, ends = len(pieces), (pieces[0][0], pieces[-1][1])
    if len(layers[-1]) > 1 or column.root or column.missing:
        values, named = int((ends[1] - ends[0]) / step), _named(ends, period)
        layers.append((Node(tallest + 1, 0, 0, many, *ends, values, ROOT_LABEL, ends=named),))
    missing, width = tuple(map(Coded, column.missing)), (ends[1] - ends[0]) / many
    return Hierarchy(guess.name, with_coded(layers, (), missing, width, f"Column {guess.name!r}"), step)


def _layer(
    layer: int,
    pieces: Sequence[Interval],
    chains: Sequence[Sequence[Interval]],
    height: Mapping[Interval, int],
    column: Labels,
    step: Decimal,
    period: str,
) -> tuple[Node, ...]:
    nodes: list[Node] = []
    start = 0
    holders = [next((e for e in reversed(chain) if height[e] <= layer), None) for chain in chains]
    for stop in range(1, len(pieces) + 1):
        if stop < len(pieces) and holders[stop] is not None and holders[stop] == holders[start]:
            continue
        ends, gap = holders[start] or pieces[start], holders[start] is None
        beyond = column.root and (start == 0 or stop == len(pieces))
        label = label_of(ends, period)
        if beyond:
            label = f"below {end_text(ends[1], period)}" if start == 0 else f"{end_text(ends[0], period)} or more"
        values, named = int((ends[1] - ends[0]) / step), _named(ends, period)
        nodes.append(Node(layer, len(nodes), start, stop, *ends, values, label, category=beyond, gap=gap, ends=named))
        start = stop
    return tuple(nodes)


def _named(ends: Interval, period: str) -> tuple[str, str] | None:
    return (end_text(ends[0], period), end_text(ends[1], period)) if period else None


def ends_guessed(attribute: Hierarchy) -> bool:
    """Return whether an attribute is one of an audit whose values may go on beyond all labels, how far nobody knows."""
    return attribute.numeric and len(shown_leaves(attribute)) < len(_values(attribute))


def shown_leaves(attribute: Hierarchy) -> list[Node]:
    """Return the leaves of an attribute's intervals without those that hold what lies beyond all labels of an audit."""
    values = _values(attribute)
    first, last = values[0].interval.startswith("below "), values[-1].interval.endswith(" or more")
    return values[first : len(values) - last]


def _values(attribute: Hierarchy) -> list[Node]:
    return [leaf for leaf in attribute.layer_nodes[0] if not leaf.coded]


def extent(attribute: Hierarchy) -> str:
    """Write an audited domain's ends: ``0 to 80``, or ``below 20 to 84 or more`` where no label tells.

    A guessed domain is taken rather too wide; its ends are no numbers that anybody published.
    """
    values = _values(attribute)
    first, last = values[0], values[-1]
    lower = first.label if first.gap else (first.ends or (number_text(attribute.lower),))[0]
    return f"{lower} to {last.label if last.gap else (last.ends or (number_text(attribute.upper),))[-1]}"
