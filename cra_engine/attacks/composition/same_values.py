"""Which values of several releases' hierarchies are the same: by their names, or by places where a study hides names.

A study for readers has a number in place of a category that its release does not show, and every study counts for
itself. Such a number names nothing beside another release, but a category keeps its place in the publisher's list.
"""

from collections import defaultdict
from collections.abc import Sequence
from itertools import combinations

from cra_engine.errors import StudyError
from cra_engine.study.coded import NULL
from cra_engine.study.file_hierarchy import unnamed
from cra_engine.study.hierarchy import Hierarchy
from cra_engine.words import listed


def values_alike(hierarchies: Sequence[Hierarchy]) -> list[tuple[int | None, ...]]:
    """Return per value that a hierarchy lists its leaf in each of them, None where it is none.

    Raises:
        StudyError: names are left out, and the lists are not the same, so that nobody can say which values are.
    """
    if by_place(hierarchies):
        if _other_lists(hierarchies):
            raise StudyError(
                f"The study of a release leaves names of {hierarchies[0].name!r} out, and the hierarchies are not the "
                "same, so that nobody can say which values are; give each release with the publisher's hierarchy."
            )
        found: list[tuple[int | None, ...]] = [*zip(*(own.reader.listed.values() for own in hierarchies), strict=True)]
    else:
        names = dict.fromkeys(value for own in hierarchies for value in own.reader.listed if value != NULL)
        found = [tuple(own.reader.leaf_of(value) for own in hierarchies) for value in names]
    missing = [own.reader.leaf_of(NULL) if own.missing_leaf is None else own.missing_leaf for own in hierarchies]
    return found if missing == [None] * len(missing) or tuple(missing) in found else [*found, tuple(missing)]


def by_place(hierarchies: Sequence[Hierarchy]) -> bool:
    """Return whether values of several hierarchies of one column are known by their places: some have no name."""
    return len(hierarchies) > 1 and any(unnamed(value) for own in hierarchies for value in own.reader.listed)


def places_supposed(releases: Sequence[Sequence[Hierarchy]]) -> str:
    """Say of which columns values are known by their places, which is supposed; empty for none."""
    own: dict[str, list[Hierarchy]] = {}
    for hierarchy in (hierarchy for hierarchies in releases for hierarchy in hierarchies):
        own.setdefault(hierarchy.name, []).append(hierarchy)
    names = [name for name, hierarchies in own.items() if by_place(hierarchies)]
    if not names:
        return ""
    return (
        f"Studies leave names of {listed(names)} out; supposed is that their lists hold the same values in the same "
        "order, so that a value without a name is known by its place."
    )


def same_tree(one: Hierarchy, other: Hierarchy) -> bool:
    r"""Return whether two hierarchies are the same but for names that are left out.

    >>> from cra_engine.study.file_hierarchy import read_hierarchy
    >>> towns = read_hierarchy(b"Ulm;south;*\nBonn;west;*\n", "town")
    >>> same_tree(towns.for_readers({"Ulm"}), towns.for_readers({"west"}))
    True
    >>> same_tree(towns.for_readers({"Ulm"}), read_hierarchy(b"Bonn;west;*\nUlm;south;*\n", "town"))
    False
    """
    if one == other:
        return True
    if one.name != other.name or one.missing != other.missing or not by_place([one, other]):
        return False
    shapes = [[[(node.start, node.stop) for node in nodes] for nodes in own.layer_nodes] for own in (one, other)]
    return shapes[0] == shapes[1] and not _other_lists([one, other])


def _other_lists(hierarchies: Sequence[Hierarchy]) -> bool:
    """Whether lists that leave names out cannot be one: of other lengths, or their names contradict each other."""
    if len({len(own.reader.listed) for own in hierarchies}) > 1:
        return True
    at_place = zip(*(own.reader.listed for own in hierarchies), strict=True)
    if any(len({name for name in names if not unnamed(name)}) > 1 for names in at_place):
        return True
    pairs = combinations(map(_places_of_names, hierarchies), 2)
    return any(one[name] != other[name] for one, other in pairs for name in one.keys() & other.keys())


def _places_of_names(hierarchy: Hierarchy) -> dict[str, list[int]]:
    """The places in the list that each name stands for, of values and of groups."""
    found, of_leaf = {}, defaultdict[int, list[int]](list)
    for place, (value, leaf) in enumerate(hierarchy.reader.listed.items()):
        found[value] = [place]
        of_leaf[leaf].append(place)
    for node in (node for nodes in hierarchy.layer_nodes for node in nodes):
        found[node.label] = sorted(place for leaf in range(node.start, node.stop) for place in of_leaf[leaf])
    return {name: places for name, places in found.items() if not unnamed(name)}
