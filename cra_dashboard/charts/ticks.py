"""What stands at the ends of intervals on an axis that counts leaves."""

from collections.abc import Sequence
from decimal import Decimal

from cra_engine.study.hierarchy import Hierarchy
from cra_engine.study.tree import Node


def ticks_of(attribute: Hierarchy, nodes: Sequence[Node]) -> tuple[list[float], list[str]]:
    """Return where a figure's axis shows the ends of a layer's intervals, and as what; codes stand over their place."""
    plain = [node for node in nodes if not node.coded]
    ends = [node.ends or (node.lower, node.upper) for node in plain]
    places: list[float] = [*(node.start for node in plain), plain[-1].stop]
    texts = [_text(attribute, end) for end in (*(lower for lower, _ in ends), ends[-1][1])]
    # Where a guessed domain ends nobody knows.
    first, last = plain[0].interval.startswith("below "), plain[-1].interval.endswith(" or more")
    places, texts = places[first : len(places) - last], texts[first : len(texts) - last]
    coded = [node for node in nodes if node.coded]
    return [*places, *(node.start + 0.5 for node in coded)], [*texts, *(node.interval for node in coded)]


def _text(attribute: Hierarchy, end: Decimal | str) -> str:
    return end if isinstance(end, str) else attribute.text(end)
