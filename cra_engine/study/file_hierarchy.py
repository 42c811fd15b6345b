"""A hierarchy as an ARX file lists it: one row per value, ``value;layer 1;..;layer h``, no header."""

import os
import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from itertools import count, pairwise
from typing import Any

from propcache.api import cached_property

from cra_engine.errors import DataError, StudyError
from cra_engine.expected import SOURCE, expect
from cra_engine.files.delimited import read_rows
from cra_engine.files.notation import MAX_DIGITS, digits_needed
from cra_engine.patience import checkpoint
from cra_engine.study.coded import MISSING_CHOICES, NULL, coded_gap, with_coded
from cra_engine.study.hierarchy import MAX_LEAVES, MAX_LISTED, Hierarchy, hierarchy_file
from cra_engine.study.labelled_intervals import LayerIntervals, all_intervals, interval_in, number_in
from cra_engine.study.tree import ROOT_LABEL, Node
from cra_engine.words import number_text

MAX_FILE_LAYERS = 64
NOT_SHOWN = "not shown {}"  # for readers a number in place of a category that no row shows

_UNNAMED = re.compile(NOT_SHOWN.format(r"\d+"))

LabelPath = tuple[str, ...]
"""A leaf's labels from layer 1 up to the root."""


@dataclass(frozen=True, init=False)
class FileHierarchy(Hierarchy):
    """A hierarchy as an ARX file lists it: intervals that need not be equal, or categories.

    Args:
        name: the column's name.
        rows: per listed value the value and its label in each layer, leaves first, the root last.
        unit: shown beside numbers.
        finest: the column of ``rows`` that is layer 1, the finest that a release may show. 1 hides the values behind
            their first label; 0 is the value itself, ARX's level 0.
        missing: what becomes of gaps, as for :class:`cra_engine.Attribute`.

    Raises:
        StudyError: the rows are no tree: a label with two parents, several roots, gaps or overlaps between intervals.
    """

    name: str
    rows: tuple[tuple[str, ...], ...]
    unit: str
    finest: int
    missing: str
    layers: int = field(compare=False, repr=False)
    lower: Decimal = field(compare=False, repr=False)
    upper: Decimal = field(compare=False, repr=False)
    resolution: Decimal = field(compare=False, repr=False)
    numeric: bool = field(compare=False, repr=False)

    def __init__(
        self, name: str, rows: tuple[tuple[str, ...], ...], unit: str = "", finest: int = 1, missing: str = ""
    ) -> None:
        """See the class."""
        if not 0 <= finest < len(rows[0]):
            raise StudyError(
                f"The hierarchy of {name!r}: finest is {finest}, and its file has {len(rows[0])} columns; take 0 or 1."
            )
        if missing and missing not in MISSING_CHOICES:
            raise StudyError(
                f"The hierarchy of {name!r}: missing is {missing[:60]!r}; take one of {', '.join(MISSING_CHOICES)}."
            )
        settings = {"name": name, "rows": rows, "unit": unit, "finest": finest, "missing": missing}
        settings["layers"] = len(rows[0]) - finest
        for key, value in settings.items():
            object.__setattr__(self, key, value)
        self._check_size()
        object.__setattr__(self, "numeric", all_intervals(row[finest] for row in rows))
        self._check_digits()
        self._check_tree()
        object.__setattr__(self, "resolution", self._resolution())
        root = self._listed_nodes[-1][0]
        object.__setattr__(self, "lower", root.lower)
        object.__setattr__(self, "upper", root.upper)
        if self.numeric:
            self._check_intervals()
        self._check_coded()
        place = {path: leaf for leaf, path in enumerate(self._paths)}
        width = (root.upper - root.lower) / len(place)
        nodes = with_coded(self._listed_nodes, (), coded_gap(missing), width, self._where)
        self._grow(nodes, None if self.numeric else {row[0]: place[self._path(row)] for row in rows})

    def _check_coded(self) -> None:
        """A gap that is a category of its own must not look like a value."""
        labels = {label for row in self.rows for label in row}
        if self.missing == "category" and NULL in labels:
            raise StudyError(
                f"{self._where} lists {NULL!r}, which is how a gap is shown that is a category of its own; "
                "give the listed value another name."
            )

    def definition(self) -> dict[str, Any]:
        """Returns what a study file writes of it; see :class:`Hierarchy`."""
        given: dict[str, Any] = {"name": self.name, "hierarchy": hierarchy_file(self)}
        if self.unit:
            given["unit"] = self.unit
        if self.finest != usual_finest(self.rows):
            given["finest"] = self.finest
        if self.missing:
            given["missing"] = self.missing
        return given

    def listed_rows(self) -> list[tuple[str, ...]]:
        """Returns the rows of its file."""
        return list(self.rows)

    def with_missing(self, missing: str) -> "FileHierarchy":
        """The same hierarchy with another choice of what becomes of gaps."""
        return FileHierarchy(self.name, self.rows, self.unit, self.finest, missing)

    def with_finest(self, finest: int) -> "FileHierarchy":
        r"""The same file with another column as the finest that a release may show.

        >>> sex = read_hierarchy(b"f;*\nm;*\n", "sex")
        >>> sex.layers, sex.with_finest(1).layers
        (2, 1)
        """
        return FileHierarchy(self.name, self.rows, self.unit, finest, self.missing)

    def as_shown_by(self, labels: Iterable[str]) -> "FileHierarchy":
        r"""The same file, read as a release shows it where nobody says which column is the finest.

        Categories that are nowhere shown by their values may have been hidden: then the first layer is the finest. That
        supposes nothing false, since no class below that layer is there to be told apart.

        >>> towns = read_hierarchy(b"Ulm;south;*\nBonn;west;*\n", "town")
        >>> towns.as_shown_by(["south", "*"]).finest, towns.as_shown_by(["Ulm", "*"]).finest
        (1, 0)
        """
        if self.finest:
            return self
        hidden = self.with_finest(1)
        shown = {str(label).strip() for label in labels}
        return hidden if all(hidden.parse(label) is not None for label in shown) else self

    def for_readers(self, shown: Collection[str]) -> "FileHierarchy":
        r"""The same tree for readers of a release: a category that it does not show has a number for a name.

        A list that was made from the table would name a town that was suppressed. Numbers stay: they are no names.

        Args:
            shown: the labels that the release shows.

        >>> towns = read_hierarchy(b"Ulm;south;*\nBonn;west;*\nTrier;west;*\n", "town")
        >>> towns.for_readers({"Bonn", "west", "*"}).rows
        (('not shown 1', 'not shown 2', '*'), ('Bonn', 'west', '*'), ('not shown 3', 'west', '*'))
        """
        if self.numeric:
            return self
        labels = dict.fromkeys(label for row in self.rows for label in row)
        kept = {*shown, ROOT_LABEL, self.rows[0][-1]}
        free = (name for name in map(NOT_SHOWN.format, count(1)) if name not in labels)
        name = {label: label if label.strip() in kept else next(free) for label in labels}
        rows = tuple(tuple(name[label] for label in row) for row in self.rows)
        return FileHierarchy(self.name, rows, self.unit, self.finest, self.missing)

    def _path(self, row: Sequence[str]) -> LabelPath:
        """The labels of a listed value, layer by layer."""
        return tuple(row[self.finest :])

    def _level(self, layer: int) -> int:
        """A layer as the file's columns are counted, the value itself as 0."""
        return layer - 1 + self.finest

    def _at(self, row: Sequence[str], layer: int) -> str:
        """The label of a listed value in a layer."""
        return row[layer - 1 + self.finest]

    @cached_property
    def partial(self) -> bool:
        """True when some leaf lists fewer values than its interval holds, such as only those that occur."""
        return self.numeric and any(
            self._listed[path] < node.values for path, node in zip(self._paths, self._listed_nodes[0], strict=True)
        )

    @cached_property
    def _unlisted(self) -> tuple[LabelPath, ...]:
        """Leaves for the parts of the domain that no row covers, where the file lists only values that occur.

        A value that does not occur needs no row, so an interval may be missing; coarser labels tell that it exists.
        """
        known = [LayerIntervals({self._at(row, layer) for row in self.rows}) for layer in range(1, self.layers + 1)]
        marks = sorted({end for layer in known for end in layer.ends})
        pieces = []
        for piece in pairwise(marks):
            if known[0].around(piece) is None:
                own = f"[{number_text(piece[0])}, {number_text(piece[1])}["
                path = [layer.around(piece) or own for layer in known]
                pieces.append((*path[:-1], self.rows[0][-1]))
        return tuple(pieces)

    def _resolution(self) -> Decimal:
        """The step of a file that lists its whole domain; else the decimals that it is written with."""
        if not self.numeric:
            return Decimal(1)
        values = sorted(n for n in (number_in(row[0]) for row in self.rows) if n is not None)
        ends = sorted({end for path in self._paths for end in interval_in(path[0]) or ()})
        steps = {after - before for before, after in pairwise(values)}
        # One value for each leaf stands for all of it, however far apart they are.
        if len(steps) == 1 and ends and len(values) > len(self._paths):
            (step,) = steps
            if values[0] == ends[0] and values[-1] + step == ends[-1]:
                return step.normalize()
        numbers = [*values, *ends]
        return Decimal(1).scaleb(min([0, *(int(n.normalize().as_tuple().exponent) for n in numbers)]))

    @cached_property
    def _listed(self) -> Counter[LabelPath]:
        listed = Counter(map(self._path, self.rows))
        if self.numeric and self.layers > 1:
            listed.update(dict.fromkeys(self._unlisted, 0))
        return listed

    @cached_property
    def _paths(self) -> list[LabelPath]:
        """One path per leaf: intervals from left to right, categories so that each node's leaves stand together."""
        if self.numeric:
            return sorted(self._listed, key=lambda path: interval_in(path[0]) or ())
        first: dict[str, int] = {}
        for path in self._listed:
            for label in path:
                first.setdefault(label, len(first))
        return sorted(self._listed, key=lambda path: [first[label] for label in reversed(path)])

    @cached_property
    def _listed_nodes(self) -> tuple[tuple[Node, ...], ...]:
        result = []
        for layer in range(1, self.layers + 1):
            nodes: list[Node] = []
            start = 0
            for stop in range(1, len(self._paths) + 1):
                if stop == len(self._paths) or self._paths[stop][layer - 1 :] != self._paths[start][layer - 1 :]:
                    nodes.append(self._node(layer, len(nodes), start, stop))
                    start = stop
            result.append(tuple(nodes))
        return tuple(result)

    def _node(self, layer: int, rank: int, start: int, stop: int) -> Node:
        label = self._paths[start][layer - 1]
        first, last = interval_in(self._paths[start][0]), interval_in(self._paths[stop - 1][0])
        if self.numeric and first is not None and last is not None:
            values = int((last[1] - first[0]) / self.resolution)
            return Node(layer, rank, start, stop, first[0], last[1], values, label)
        values = sum(self._listed[path] for path in self._paths[start:stop])
        return Node(layer, rank, start, stop, Decimal(start), Decimal(stop), values, label, category=True)

    def shares(self, layer: int) -> tuple[Fraction, ...]:
        """Per node its part of the listed values: ARX measures the loss by the rows of the file, not by lengths."""
        whole = len(self.rows) + (self.missing == "category")
        nodes = self.layer_nodes[layer - 1]
        held = [sum(self._listed[path] for path in self._paths[node.start : node.stop]) for node in nodes]
        if layer == self.layers:
            held = [whole]
        return tuple(Fraction(1 if node.coded else many, whole) for node, many in zip(nodes, held, strict=True))

    @property
    def least_share(self) -> Fraction:
        """Share of a single listed value."""
        return Fraction(1, len(self.rows) + (self.missing == "category"))

    @property
    def _where(self) -> str:
        return f"The hierarchy of {self.name!r}"

    def _check_tree(self) -> None:
        if len(self.rows) < 2:
            raise StudyError(f"{self._where} lists a single value; there is nothing to generalize.")
        listed: set[object] = set()
        for value in (row[0] for row in self.rows):
            meant = number_in(value) if self.numeric else None  # 1 and 1.0 are one number
            if (value if meant is None else meant) in listed:
                raise StudyError(f"{self._where} lists the value {value[:60]!r} twice; remove one of the rows.")
            listed.add(value if meant is None else meant)
        for layer in range(1, self.layers):
            parent: dict[str, str] = {}
            for row in self.rows:
                label, over = self._at(row, layer), self._at(row, layer + 1)
                above = parent.setdefault(label, over)
                if above != over:
                    raise StudyError(
                        f"{self._where} is not nested: {label[:60]!r} of layer {self._level(layer)} lies in "
                        f"{above[:60]!r} and in {over[:60]!r}; each label needs one label above it."
                    )
        roots = list(dict.fromkeys(row[-1] for row in self.rows))
        if len(roots) > 1:
            raise StudyError(
                f"{self._where} has no single root: its last column holds {roots[0][:60]!r} and {roots[1][:60]!r}; "
                "add a column that is the same in every row, such as *."
            )
        self._check_labels()
        self._check_leaves(len(self._listed))  # with those that no row covers

    def _check_size(self) -> None:
        """Before any work, which grows faster than the file."""
        if len(self.rows) > MAX_LISTED:
            raise StudyError(
                f"{self._where} lists {len(self.rows):,} values, more than {MAX_LISTED:,}; take a coarser resolution."
            )
        if self.layers > MAX_FILE_LAYERS:
            raise StudyError(f"{self._where} has {self.layers:,} layers, more than {MAX_FILE_LAYERS}; take fewer.")
        self._check_leaves(len(set(map(self._path, self.rows))))

    def _check_leaves(self, leaves: int) -> None:
        if leaves > MAX_LEAVES:
            raise StudyError(
                f"{self._where} has {leaves:,} leaves, more than {MAX_LEAVES:,}; take a coarser first layer{self._or}."
            )

    @property
    def _or(self) -> str:
        """A further way out where the values themselves are in the way."""
        return ", or finest = 1, which hides the values themselves" if not self.finest and self.layers > 1 else ""

    def _check_digits(self) -> None:
        """As for :class:`Attribute`: past these digits numbers of a table cannot be told apart."""
        cells = {cell for row in self.rows for cell in row} if self.numeric else set()
        ends = [end for cell in cells for end in interval_in(cell) or ()]
        if digits_needed(*ends, *(n for n in map(number_in, cells) if n is not None)) > MAX_DIGITS:
            raise StudyError(
                f"{self._where} needs numbers of more than {MAX_DIGITS} digits, which numbers in a table do not carry; "
                "take another unit."
            )

    def _check_labels(self) -> None:
        """A label that stands in several layers must mean the same values in each: a release shows nothing else."""
        meant = {ROOT_LABEL: {row[0] for row in self.rows}}  # suppressed records show it, whatever the root is called
        for layer in range(1, self.layers + 1):
            below: dict[str, set[str]] = {}
            checkpoint()
            for row in self.rows:
                below.setdefault(self._at(row, layer).strip(), set()).add(row[0])
            for label, values in below.items():
                if meant.setdefault(label, values) != values:
                    raise StudyError(
                        f"{self._where} uses the label {label[:60]!r} in several layers for different values, so that "
                        f"a release does not tell which is meant; give each group a label of its own{self._or}."
                    )

    def _check_intervals(self) -> None:
        for before, after in pairwise(sorted(ends for path in self._listed if (ends := interval_in(path[0])))):
            if before[1] > after[0]:
                raise StudyError(
                    f"{self._where} has an overlap between [{number_text(before[0])}, {number_text(before[1])}[ and "
                    f"[{number_text(after[0])}, {number_text(after[1])}[; a value must lie in one interval of a layer."
                )
        listed = [n for path, n in zip(self._paths, self._listed_nodes[0], strict=True) if self._listed[path]]
        if self._unlisted and all(self._listed[self._paths[node.start]] >= node.values for node in listed):
            raise StudyError(
                f"{self._where} has a gap: no interval of layer 1 covers {self._unlisted[0][0]}; list its values too."
            )
        for layer in self._listed_nodes[1:]:
            apart = [name for name, count in Counter(node.label for node in layer).items() if count > 1]
            if apart:
                raise StudyError(
                    f"{self._where} has a gap inside {apart[0][:60]!r} of layer {self._level(layer[0].layer)}; "
                    "list the values between its intervals too."
                )
            for node in layer:
                stated = interval_in(node.label)
                if stated is not None and stated != (node.lower, node.upper):
                    raise StudyError(
                        f"{self._where} is not nested: {node.label} of layer {self._level(node.layer)} is made of "
                        f"intervals from {number_text(node.lower)} to {number_text(node.upper)}; "
                        "let each interval be made of whole intervals of the layer below."
                    )
        for row in self.rows:
            value, leaf = number_in(row[0]), interval_in(self._at(row, 1))
            if value is None or leaf is None or not leaf[0] <= value < leaf[1]:
                raise StudyError(
                    f"{self._where}: the value {row[0][:60]!r} does not lie in its interval {self._at(row, 1)}."
                )


def unnamed(label: str) -> bool:
    """Return whether a label is a number that stands for a name which a study for readers leaves out.

    >>> unnamed("not shown 12"), unnamed("Ulm")
    (True, False)
    """
    return _UNNAMED.fullmatch(label) is not None


def usual_finest(rows: Sequence[Sequence[str]]) -> int:
    """Return the first column of a hierarchy file that a release may show if nobody says otherwise, as in ARX.

    0 for a file of categories: its values may be shown. 1 for intervals of numbers, and where the second column repeats
    the values, which says the same with a layer less.

    >>> usual_finest([("f", "*"), ("m", "*")]), usual_finest([("5", "[0, 10[", "*"), ("12", "[10, 20[", "*")])
    (0, 1)
    """
    return int(all_intervals(row[1] for row in rows) or all(row[0] == row[1] for row in rows))


def read_hierarchy(
    source: str | os.PathLike[str] | bytes,
    attribute: str,
    unit: str = "",
    name: str = "",
    finest: int | None = None,
    missing: str = "",
) -> FileHierarchy:
    r"""Read an ARX hierarchy file.

    Args:
        source: the file's path, or its bytes.
        attribute: the quasi-identifier that it belongs to.
        unit: shown beside numbers.
        name: the file's name for messages, where ``source`` is bytes.
        finest: the first column that a release may show, 0 or 1; None for :func:`usual_finest`.
        missing: what becomes of gaps, as for :class:`cra_engine.Attribute`.

    Raises:
        StudyError: the file is no hierarchy.

    >>> sex = read_hierarchy(b"f;*\nm;*\n", "sex")
    >>> [node.label for node in sex.layer_nodes[0]]
    ['f', 'm']
    """
    expect(source, SOURCE, "read_hierarchy(source)")
    try:
        rows, name, _ = read_rows(source, name, MAX_LISTED)
    except DataError as error:
        raise StudyError(str(error)) from None
    return made_hierarchy(attribute, rows, name, unit, finest, missing)


def made_hierarchy(
    attribute: str,
    given: Sequence[Sequence[str]],
    name: str,
    unit: str = "",
    finest: int | None = None,
    missing: str = "",
) -> FileHierarchy:
    """Make a hierarchy from rows that nobody has looked at yet; as :func:`read_hierarchy` from a file."""
    rows = checked_rows(given, name)
    return FileHierarchy(attribute, rows, unit, usual_finest(rows) if finest is None else finest, missing)


def checked_rows(given: Sequence[Sequence[str]], name: str) -> tuple[tuple[str, ...], ...]:
    """Return the rows of a hierarchy, blanks around labels taken off, if each has a label in every layer.

    Args:
        given: per value the value and its labels.
        name: what messages call the hierarchy.

    Raises:
        StudyError: there are no rows, or no layers, or rows of another length.
    """
    rows = [[cell.strip() for cell in row] for row in given if row]
    if not rows:
        raise StudyError(
            f"{name} is empty; a hierarchy has one row per value: the value, then its label in each layer."
        )
    if len(rows[0]) < 2:
        raise StudyError(f"{name} has a single column; a hierarchy has the value, then its label in each layer.")
    for position, row in enumerate(rows, start=1):
        if len(row) != len(rows[0]):
            raise StudyError(
                f"{name}, row {position}: {len(row)} columns where the first row has {len(rows[0])}; "
                "every value needs a label in every layer."
            )
    return tuple(map(tuple, rows))
