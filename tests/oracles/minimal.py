"""Minimality by its definition: every table of nodes that refines a release, one record after the other.

Nodes are sets of leaves here, taken from the hierarchies' layers; nothing is shared with the program's search.
"""

from collections import Counter
from itertools import product

Box = tuple[frozenset[int], ...]


def nodes(attribute):
    """The nodes of a hierarchy as sets of leaves."""
    return {frozenset(range(node.start, node.stop)) for layer in attribute.layer_nodes for node in layer}


def finer(record, box, trees):
    """Every box that holds a record and lies in a box."""
    return list(
        product(
            *(
                [node for node in tree if leaf in node <= shown]
                for leaf, shown, tree in zip(record, box, trees, strict=True)
            )
        )
    )


def how_refined(records, boxes, trees, k, free=None):
    """What it takes to refine a release: None where nothing does, so that it is minimal.

    "one" when some refinement moves rows to one box only; else "several others" when some refinement moves rows to
    boxes that the release shows already, and "several new" when every refinement needs others. Any number of records
    may show ``free``.
    """
    options = [finer(record, box, trees) for record, box in zip(records, boxes, strict=True)]
    found = set()
    for table in _tables(options, (), Counter(), k, free):
        reached = {new for new, old in zip(table, boxes, strict=True) if new != old}
        if len(reached) == 1:
            return "one"
        if reached:
            found.add("several others" if reached <= set(boxes) else "several new")
    return min(found, default=None, key=["several others", "several new"].index)


def _tables(options, chosen, counts, k, free=None):
    left = len(options) - len(chosen)
    if sum(k - count for box, count in counts.items() if count < k and box != free) > left:
        return  # classes that were begun can no longer be filled
    if not left:
        yield chosen
        return
    for box in options[len(chosen)]:
        counts[box] += 1
        yield from _tables(options, (*chosen, box), counts, k, free)
        counts[box] -= 1
        if not counts[box]:
            del counts[box]


def minimal_tables(records, trees, k):
    """Every minimal table, from all k-anonymous ones that generalize the records."""
    everything = tuple(frozenset().union(*tree) for tree in trees)
    options = [finer(record, everything, trees) for record in records]
    tables = list(_tables(options, (), Counter(), k))
    return {table for table in tables if not any(other != table and refines(other, table) for other in tables)}


def refines(inner, outer):
    """Whether each box of one table lies in that of the other."""
    return all(a <= b for one, two in zip(inner, outer, strict=True) for a, b in zip(one, two, strict=True))
