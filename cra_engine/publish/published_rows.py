"""A table published from hierarchies, by local or full-domain recoding, as criteria, losses and queries read it."""

from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd

from cra_engine.blocks import combined
from cra_engine.published import Categories, Extent, Extents, Interval, Published
from cra_engine.study.hierarchy import Hierarchy
from cra_engine.study.study import Study
from cra_engine.study.tree import Node


def published_rows(frame: pd.DataFrame, study: Study, **known: Any) -> Published:
    """Return what each row of a recoded table stands for, from its labels.

    Args:
        frame: the published table: nodes' labels in the quasi-identifiers, suppressed rows ``*`` throughout.
        study: whose hierarchies the labels are of.
        known: what else is known of the table: its release, its loss, notes; as :class:`Published` has them.

    Raises:
        KeyError: a cell shows no label of its hierarchy; frames that a publisher of this program made have none.

    Examples:
        >>> from cra_engine import Attribute, recode
        >>> study = Study([Attribute("age", 0, 8, 3)], k=2)
        >>> recoded = recode(pd.DataFrame({"age": [0, 1, 5]}), study)
        >>> table = published_rows(recoded.frame, study)
        >>> table.extents["age"].distinct[table.extents["age"].of_row[0]]
        Interval(lower=Fraction(0, 1), upper=Fraction(2, 1), closed=False)
        >>> [rows.tolist() for rows in table.groups], table.suppressed.tolist()
        ([[0, 1]], [2])
    """
    extents = {}
    shown = np.empty((len(frame), len(study.attributes)), dtype=np.int64)
    hidden = np.ones(len(frame), dtype=bool)
    for position, attribute in enumerate(study.attributes):
        nodes = {node.label: node for layer in attribute.layer_nodes for node in layer}
        codes, labels = pd.factorize(frame[attribute.name].astype(str))
        extents[attribute.name] = Extents(tuple(extent_of(attribute, nodes[str(label)]) for label in labels), codes)
        shown[:, position] = codes
        hidden &= np.array([nodes[str(label)].layer == attribute.layers for label in labels], dtype=bool)[codes]
    published = np.flatnonzero(~hidden)
    sizes_of = [len(extents[name].distinct) for name in study.names]
    group = pd.factorize(combined(list(shown[published].T), sizes_of), sort=True)[0]
    by_group = np.argsort(group, kind="stable")
    sizes = np.bincount(group)
    groups = tuple(np.split(published[by_group], np.cumsum(sizes)[:-1])) if len(published) else ()
    return Published(frame, extents, groups, np.flatnonzero(hidden), **known)


def extent_of(attribute: Hierarchy, node: Node) -> Extent:
    """Return what a node of a hierarchy stands for in a published table: an interval, or a set of categories."""
    if attribute.numeric:
        return Interval(Fraction(node.lower), Fraction(node.upper))
    leaves = attribute.reader.listed.items()
    return Categories(frozenset(value for value, leaf in leaves if node.start <= leaf < node.stop))
