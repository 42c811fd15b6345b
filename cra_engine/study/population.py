"""Knowledge of a population: per attribute the share of people in intervals, with certain values or categories."""

import math
import os
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import ClassVar

from cra_engine.errors import DataError, StudyError
from cra_engine.expected import SOURCE, expect
from cra_engine.files.delimited import read_rows
from cra_engine.files.notation import decimal_in
from cra_engine.patience import checkpoint
from cra_engine.study.hierarchy import Hierarchy
from cra_engine.study.study import Study

INTERVALS, VALUES = ("attribute", "lower", "upper", "share"), ("attribute", "value", "share")


@dataclass(frozen=True)
class Population:
    """The shares of a population per attribute of a study and leaf.

    Attributes:
        weights: per attribute of the study and leaf a whole number, in proportion to the leaf's share.
    """

    COME_BY: ClassVar = "a file is read with read_population(path, study)"

    weights: tuple[tuple[int, ...], ...]


def read_population(source: str | os.PathLike[str] | bytes, study: Study, name: str = "") -> Population:
    r"""Read a population's shares per attribute of a study and leaf.

    The file has the columns ``attribute,lower,upper,share`` (an interval, its upper end outside) or
    ``attribute,value,share``. Shares need not add up to 1. An interval over several leaves is spread by the number of
    values; an attribute that the file does not name has all its values alike likely.

    Args:
        source: the file's path, or its bytes.
        study: the attributes with their leaves.
        name: the file's name for messages, where ``source`` is bytes.

    Raises:
        StudyError: the file is none, names something unknown, or leaves a leaf without a share.

    >>> from cra_engine import Attribute
    >>> study = Study([Attribute("age", 0, 40, layers=2)], k=2)
    >>> read_population(b"attribute,lower,upper,share\nage,0,20,0.75\nage,20,40,0.25\n", study)
    Population(weights=((3, 1),))
    """
    expect(source, SOURCE, "read_population(source)")
    expect(study, Study, "read_population(study)")
    try:
        rows, name, _ = read_rows(source, name)
    except DataError as error:
        raise StudyError(str(error)) from None
    head = tuple(cell.strip().lower() for cell in rows[0]) if rows else ()
    if head not in (INTERVALS, VALUES):
        raise StudyError(f"{name}: the first row must be {','.join(INTERVALS)} or {','.join(VALUES)}.")
    # A register has a row per person: of rows that name the same place the shares are added first.
    shares: dict[tuple[str, ...], Fraction] = {}
    first: dict[tuple[str, ...], str] = {}
    by_name = {attribute.name: attribute for attribute in study.attributes}
    for number, row in enumerate(rows[1:], start=2):
        where = f"{name}, row {number}"
        if number % 1000 == 0:
            checkpoint()
        if not any(cell.strip() for cell in row):
            continue
        if len(row) != len(head):
            raise StudyError(f"{where}: {len(row)} columns where the first row has {len(head)}.")
        *place, share = (cell.strip() for cell in row)
        if place[0] not in by_name:
            raise StudyError(f"{where}: {place[0][:60]!r} is no attribute of the study ({', '.join(by_name)}).")
        key = tuple(place)
        first.setdefault(key, where)
        shares[key] = shares.get(key, Fraction(0)) + _share(share, where)
    by_leaf: dict[str, list[Fraction]] = {}
    for (column, *place), added in shares.items():
        held = by_leaf.setdefault(column, [Fraction(0)] * by_name[column].leaves)
        _add(held, by_name[column], place, added, first[column, *place])
    weights = []
    for attribute in study.attributes:
        own = by_leaf.get(attribute.name, [Fraction(values) for values in attribute.leaf_values])
        empty = [node.interval for node, share in zip(attribute.layer_nodes[0], own, strict=True) if not share]
        if empty:
            raise StudyError(
                f"{name}: {attribute.name!r} has no share in {empty[0]}; a reader who is sure that nobody is there is "
                "easily wrong, so give every finest interval a share, if a small one."
            )
        scale = math.lcm(*(share.denominator for share in own))
        whole = [int(share * scale) for share in own]
        common = math.gcd(*whole)
        weights.append(tuple(share // common for share in whole))
    return Population(tuple(weights))


def _share(text: str, where: str) -> Fraction:
    share = _number(text, where)
    if share < 0:
        raise StudyError(f"{where}: the share {text} is below 0.")
    return Fraction(share)


def _number(text: str, where: str) -> Decimal:
    value = decimal_in(text)
    if value is None:
        raise StudyError(f"{where}: {text[:60]!r} is no number.")
    if abs(value.adjusted()) > 30:
        raise StudyError(f"{where}: {text[:60]!r} is no number that can be used here.")
    return value


def _add(held: list[Fraction], attribute: Hierarchy, place: Sequence[str], share: Fraction, where: str) -> None:
    """Add a row's share to the leaves that it speaks of."""
    if len(place) == 1:
        leaf = attribute.reader.leaf_of(place[0])
        if leaf is None:
            raise StudyError(f"{where}: {place[0][:60]!r} is no value of {attribute.name!r}.")
        held[leaf] += share
        return
    if not attribute.numeric:
        raise StudyError(f"{where}: {attribute.name!r} holds categories; give {','.join(VALUES)}.")
    lower, upper = (_number(end, where) for end in place)
    parts = [max(Decimal(0), min(node.upper, upper) - max(node.lower, lower)) for node in attribute.layer_nodes[0]]
    if lower >= upper or not any(parts):
        raise StudyError(f"{where}: [{place[0]}, {place[1]}[ holds no value of {attribute.name!r}.")
    whole = Fraction(upper - lower)
    for leaf, part in enumerate(parts):
        held[leaf] += share * Fraction(part) / whole
