"""A release of one state: it may come from global recoding, of which less follows than of local recoding."""

from itertools import product

from cra_engine.attacks.full_domain import NO_TABLE, GlobalView, global_view
from cra_engine.errors import CRAError, ReleaseError
from cra_engine.release import FullDomainRelease, Release
from cra_engine.study.common_states import common_states
from cra_engine.study.grid import Cell, Segment
from cra_engine.study.lattice import State


def is_read_as_global(release: Release) -> bool:
    """Return whether an assessment takes a release for one of global recoding, which would then tell less.

    A safe release says itself how it was made, and so does one of which rows were suppressed afterwards, or whose study
    says that local recoding made it. Single cells without suppressed records tell the same either way.
    """
    if release.study.says_local:
        return False
    if not release.classes and not release.raw_records:
        return True
    plain = not release.suppressed and not release.raw_records
    if plain and all(released.segment.basic for released in release.classes):
        return False
    return bool(states_of(release))


def states_of(release: Release) -> list[State]:
    """Return the states whose labels all classes of an assessed release show, layer 0 for raw values; or none."""
    if release.raw_classes:
        states = {released.segment.state for released in (*release.classes, *release.raw_classes)}
        return list(states) if len(states) == 1 else []
    if not release.classes:
        return []
    return common_states(release.attributes, (release.grid.nodes(released.segment) for released in release.classes))


def views_of_states(release: Release) -> list[tuple[FullDomainRelease, GlobalView]]:
    """Return an assessed release as one of global recoding, and what it tells; the fewest certain cells first.

    Where labels stand in several layers several states fit. Certain is what each of them tells: the cells of the first.

    Raises:
        CRAError: it shows no common state, or raw values.
        TooLargeError: more than 2,000 records are suppressed.
    """
    states = states_of(release)
    if not states:
        raise CRAError("Every record is suppressed, and by which way of recoding is not known.")
    if 0 in states[0]:
        name = release.study.names[states[0].index(0)]
        raise CRAError(f"The release shows the raw values of {name!r}; what that gives away is not counted.")
    views = []
    for state in (_as_global(release, state) for state in states):
        try:
            views.append((state, global_view(state)))
        except ReleaseError:  # of several states that fit the labels one may leave the suppressed records no place
            continue
    if not views:
        raise CRAError(NO_TABLE)
    return sorted(views, key=lambda viewed: viewed[1].certain)


def certain_cells(release: FullDomainRelease, view: GlobalView) -> tuple[Cell, ...]:
    """Return for an assessment the cells of a globally recoded release that hold exactly one person."""
    if not view.certain:
        return ()
    attributes, published = release.study.attributes, {segment.ranks for segment, _ in release.classes}
    single = [
        [
            (rank, node.start)
            for rank, node in enumerate(attribute.layer_nodes[layer - 1])
            if node.stop == node.start + 1
        ]
        for attribute, layer in zip(attributes, release.state, strict=True)
    ]
    boxes = (tuple(zip(*box, strict=True)) for box in product(*single))
    return tuple(cell for ranks, cell in boxes if ranks not in published)


def _as_global(release: Release, state: State) -> FullDomainRelease:
    classes = sorted((_raised(release, released.segment, state), released.size) for released in release.classes)
    return FullDomainRelease(release.study, state, tuple(classes), release.suppressed)


def _raised(release: Release, segment: Segment, state: State) -> Segment:
    nodes = zip(release.attributes, state, release.grid.nodes(segment), strict=True)
    return Segment(state, tuple(int(attribute.ranks[layer - 1][node.start]) for attribute, layer, node in nodes))
