"""The states that all boxes of a table can be of, where one state was chosen for the whole table.

A node may be labelled like its only child, so that a label stands in several layers. Labels of a table of one state
then read as if they were of several.
"""

from collections.abc import Iterable, Sequence
from itertools import product

from cra_engine.study.hierarchy import Hierarchy
from cra_engine.study.lattice import State
from cra_engine.study.tree import Node


def layers_labelled(attribute: Hierarchy, node: Node) -> list[int]:
    """Return the layers of a hierarchy where a node's label stands for it, or for one above, from its own up.

    >>> from cra_engine import Attribute
    >>> age = Attribute("age", 0, 40, layers=3)
    >>> layers_labelled(age, age.node(2, 1))
    [2]
    """
    above = (attribute.node(layer, int(attribute.ranks[layer - 1][node.start])) for layer in _up(attribute, node))
    return [node_above.layer for node_above in above if node_above.label == node.label]


def _up(attribute: Hierarchy, node: Node) -> range:
    return range(node.layer, attribute.layers + 1)


def common_states(attributes: Sequence[Hierarchy], boxes: Iterable[Sequence[Node]]) -> list[State]:
    """Return the states of a study that fit all boxes, ascending; empty where none does.

    Args:
        attributes: the hierarchies.
        boxes: per box a node of each of them.
    """
    fitting = [set(range(1, attribute.layers + 1)) for attribute in attributes]
    for nodes in {tuple((node.layer, node.rank) for node in box): box for box in boxes}.values():
        for layers, attribute, node in zip(fitting, attributes, nodes, strict=True):
            layers &= set(layers_labelled(attribute, node))
    return sorted(product(*fitting))
