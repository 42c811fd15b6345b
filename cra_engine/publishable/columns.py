"""A column about which the search has something to choose: how fine it may go out, and whether at all."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from cra_engine.errors import CRAError, StudyError
from cra_engine.files.tables import column_of
from cra_engine.options.measures import read_as_numbers
from cra_engine.options.option import possible_layers, with_layers
from cra_engine.publishable.choice import AS_IT_IS, REMOVED, Heights, Pin
from cra_engine.raw.columns import gaps_in
from cra_engine.raw.placement import LEFT_OUT, locate
from cra_engine.study.attribute import Attribute
from cra_engine.study.file_hierarchy import FileHierarchy
from cra_engine.study.hierarchy import Hierarchy
from cra_engine.study.periods import as_day
from cra_engine.study.study import Study


@dataclass(frozen=True, eq=False)
class ChosenColumn:
    """A column about which a search has something to choose.

    Attributes:
        name: of the column.
        hierarchy: what it is published by where it is made coarser, as fine as may be; None where it cannot be.
        heights: how it may go out, what costs least first.
        open_gaps: True where it has missing values that nobody decided about.
        known: True where it is a quasi-identifier of the study.
        domain: where it may be made coarser its values, each once, numbers as numbers, none missing; what is lost is a
            share of these. None for a column that cannot be.
        leaves_out: True where it has missing values whose rows are left out, as decided, once the column is shown.
    """

    name: str
    hierarchy: Hierarchy | None
    heights: Heights
    open_gaps: bool
    known: bool
    domain: "pd.Series[Any] | None" = None
    leaves_out: bool = False


def quasi_identifier(data: pd.DataFrame, attribute: Hierarchy, pin: Pin | None) -> ChosenColumn:
    """Returns what may be chosen of a quasi-identifier; one that says nothing in any row can only go.

    Raises:
        StudyError: it is to stay, and says nothing, or not as finely as that.
    """
    if gaps_in(column_of(data, attribute.name), attribute).all():
        if pin is not None:
            raise StudyError(f"{attribute.name!r} is to stay, and no row has a value of it.")
        return ChosenColumn(attribute.name, None, (REMOVED,), open_gaps=False, known=True)
    attribute = _fine_enough(attribute, pin)
    said = _Said.of(data, attribute)
    return ChosenColumn(
        attribute.name,
        attribute,
        _heights(said, attribute, pin),
        said.missing and not attribute.missing,
        known=True,
        domain=said.domain,
        leaves_out=said.missing and attribute.missing == LEFT_OUT,
    )


def kept(
    data: pd.DataFrame, name: str, hierarchy: Hierarchy | None, pin: Pin | None, *, as_it_is: bool
) -> ChosenColumn:
    """Returns what may be chosen of a column that may stay as it is, become coarser, or go.

    What says who somebody is, or what others may know, can only become coarser or go.
    """
    said: _Said | None = None
    if hierarchy is not None:
        hierarchy = _fine_enough(hierarchy, pin)
        try:
            said = _Said.of(data, hierarchy)
        except CRAError:  # some cells are none of it; nobody asked for it, so nobody is told
            hierarchy = None
    coarser = _heights(said, hierarchy, pin) if said and hierarchy else () if pin else (REMOVED,)
    heights = (*((AS_IT_IS,) if as_it_is or not coarser else ()), *coarser)
    missing, domain = (said.missing, said.domain) if said else (False, None)
    return ChosenColumn(name, hierarchy, heights, missing, known=False, domain=domain)


@dataclass(frozen=True, eq=False)
class _Said:
    """What a column to choose about says by a hierarchy, read once.

    Attributes:
        missing: whether some cells say nothing.
        domain: see :class:`ChosenColumn`.
        leaves: the leaves on which they stand, each once.
    """

    missing: bool
    domain: "pd.Series[Any]"
    leaves: NDArray[np.integer]

    @classmethod
    def of(cls, data: pd.DataFrame, hierarchy: Hierarchy) -> "_Said":
        """Reads a column.

        Raises:
            DataError: it says nothing at all, or some cells are none of the hierarchy.
        """
        gaps = gaps_in(column_of(data, hierarchy.name), hierarchy)
        filled = data.loc[~gaps, [hierarchy.name]]
        (column,) = locate(filled, Study([hierarchy], 2)).columns
        values = filled.assign(**{hierarchy.name: read_as_numbers(hierarchy, column)})[hierarchy.name]
        return cls(bool(gaps.any()), values.drop_duplicates(), np.unique(column.leaves))

    def tells(self, hierarchy: Hierarchy, height: int) -> bool:
        """Whether the column shows more than one value at a height, missing ones left out."""
        return len(np.unique(np.asarray(hierarchy.ranks[hierarchy.layers - height])[self.leaves])) > 1


def _heights(said: _Said, hierarchy: Hierarchy, pin: Pin | None) -> Heights:
    """Heights that a hierarchy may have, the finest first, and to be removed unless pinned.

    One at which all people look alike shows as little as no column at all, and is none of them.

    Raises:
        StudyError: a pin asks for finer intervals than the hierarchy has.
    """
    may_change = isinstance(hierarchy, Attribute | FileHierarchy)
    most = hierarchy.layers
    heights = [n for n in possible_layers(hierarchy) if 2 <= n <= most][::-1] if may_change else [most]
    telling = [height for height in heights if said.tells(hierarchy, height)] or heights[:1]
    if pin is None:
        return (*telling, REMOVED)
    if not telling:
        raise StudyError(f"{pin.name!r} is to stay, and its hierarchy has one layer, which tells nothing; give more.")
    if pin.widest is not None:
        telling = [n for n in telling if _width(hierarchy, n) <= pin.widest]
        if not telling:
            raise StudyError(
                f"{pin.name!r} is to stay in intervals of {pin.widest}, and the finest of its hierarchy are of "
                f"{_width(hierarchy, most)}; give a hierarchy with finer ones, on Hierarchies or in the study."
            )
    return tuple(telling)


def _fine_enough(hierarchy: Hierarchy, pin: Pin | None) -> Hierarchy:
    """The same hierarchy, with intervals as wide as a pin asks for, where its own are wider."""
    width = None if pin is None else pin.widest
    if width is None or not isinstance(hierarchy, Attribute) or _width(hierarchy, hierarchy.layers) <= width:
        return hierarchy
    if width % hierarchy.resolution:
        return hierarchy  # no interval is so wide, and who asks is told so
    lower, intervals = hierarchy.lower // width * width, 2
    while lower + intervals * width < hierarchy.upper:
        intervals *= 2
    ends = lower, lower + intervals * width
    low, high = (as_day(end, hierarchy.unit) for end in ends) if hierarchy.dates else ends
    return hierarchy.changed(lower=low, upper=high, layers=intervals.bit_length(), fanout=2)


def _width(hierarchy: Hierarchy, layers: int) -> Decimal:
    if not hierarchy.numeric:
        raise StudyError(f"{hierarchy.name!r} holds categories, which have no width; keep it without one.")
    nodes = with_layers(hierarchy, layers).layer_nodes[0]
    return max(Decimal(node.upper) - Decimal(node.lower) for node in nodes if not node.coded)
