"""Scenes as the engine sees them: what the playground's script says is compared with direct calls of the engine."""

import random
from decimal import Decimal

import pandas as pd

from cra_dashboard.texts.numbering import in_order, number_as_formed, number_of
from cra_engine import Attribute, CRAError, Study, attack, recode, tight_attack
from cra_engine.study.file_hierarchy import FileHierarchy
from cra_engine.words import shortest_number, stated_chance


def rows_of(scene, table, study, frame=None):
    """The raw table of a scene such as ``toy-k3-m12.7-d4-a9``: who is moved keeps the place inside the cell."""
    moved, gone, added = {}, set(), []
    for part in scene.split("-")[2:]:
        numbers = [int(one) for one in part[1:].split(".")]
        if part[0] == "m":
            moved[numbers[0]] = numbers[1]
        elif part[0] == "d":
            gone.add(numbers[0])
        else:
            added.append(numbers[0])
    rows = []
    for who, person in enumerate(table["people"]):
        if who in gone:
            continue
        if frame is not None and moved.get(who, person["cell"]) == person["cell"]:
            rows.append(tuple(frame.iloc[who]))
        else:
            rows.append(raw_of(study, moved.get(who, person["cell"]), person["place"]))
    rows += [raw_of(study, cell, one["place"]) for cell, one in zip(added, table["added"], strict=False)]
    return pd.DataFrame(rows, columns=study.names)


def raw_of(study, cell, place):
    """The raw values at a place inside a cell; the last one where the leaf has fewer."""
    leaves = divmod(cell, study.attributes[1].leaves)
    found = []
    for attribute, leaf, at in zip(study.attributes, leaves, place, strict=True):
        node = attribute.node(1, leaf)
        if node.coded:
            found.append(node.label)
        elif attribute.numeric:
            found.append(shortest_number(node.lower + min(at, attribute.leaf_values[leaf] - 1) * attribute.resolution))
        else:
            inside = [value for value, of in attribute.reader.listed.items() if of == leaf]
            found.append(inside[min(at, len(inside) - 1)])
    return found


def expected(frame, study, seconds=60):
    """What the engine says of a table: boxes in the order in which they formed, counts, cells, who is certain."""
    recoding = recode(frame, study)
    number_as_formed(recoding)
    release, attacked = recoding.release, attack(recoding.release)
    try:
        tight = tight_attack(release, time_limit=seconds)
    except CRAError:
        tight = None
    order = in_order(release, range(len(attacked.classes)))
    columns = study.attributes[1].leaves
    if tight is not None and tight.relaxed:
        tight = None  # where the order is open the script reads each box by itself
    found = {
        "status": "alone" if tight is None else tight.status,
        "boxes": [_box(release.grid, release.classes[index].segment) for index in order],
        "sizes": [release.classes[index].size for index in order],
        "stole": [[number_of(release, rival) for rival, _ in attacked.classes[index].earlier] for index in order],
        "suppressed": release.suppressed,
        "counts": [[str(p.lr_solutions), str(p.cra_solutions), str(p.combinations)] for p in attacked.parts],
    }
    cells = [divmod(cell, columns) for cell in range(study.attributes[0].leaves * columns)]
    if tight is None:
        found["cells"] = [_alone(attacked.parts, cell) for cell in cells]
    else:
        views = {view.cell: view for view in tight.cells}
        found["cells"] = [_together(views.get(cell)) for cell in cells]
        found["tables"] = None if tight.worlds is None else str(tight.worlds)
    certain = attacked.isolated if tight is None else tight.isolated
    return found | {"certain": sorted(one * columns + other for one, other in certain)}


def _box(grid, segment):
    across, upwards = grid.nodes(segment)
    return [across.start, across.stop, upwards.start, upwards.stop]


def _together(view):
    if view is None:
        return [0, 0, 0.0]
    if view.fixed:
        return [view.lowest, view.highest, float(view.lowest == 1)]
    if not view.probabilities:
        return [view.lowest, view.highest, None]
    chance = view.probabilities[1] if len(view.probabilities) > 1 else 0.0
    return [view.lowest, view.highest, stated_chance(chance, view.lowest, view.highest)]


def _alone(parts, cell):
    able = [part for part in parts if part.may_fill(cell)]
    if len(able) != 1:
        return [0, sum(part.size for part in able), None if able else 0.0]
    low, high = able[0].count_ranges[cell]
    return [low, high, stated_chance(able[0].cell_probabilities(1)[able[0].free_cells.index(cell)], low, high)]


SHAPES = ((2, 2), (3, 2), (3, 3), (3, 3), (4, 3), (4, 4), (2, 4), (1, 4))


def random_table(seed):
    """A study of up to 8 by 8 cells and a table for it.

    States tie in some, people are suppressed or alike, values lie between the steps, a hierarchy is a tree of wards. In
    every fourth nodes of a layer differ in share or labels stand in several layers.
    """
    rng = random.Random(f"scene {seed}")
    layers = rng.choice(SHAPES)
    widths = [2 ** max(1, one - 1) * rng.choice([1, 2, 5, 10, 20]) for one in layers]
    if rng.random() < 0.4 and layers[0] <= layers[1]:  # domains of one width, so that states tie
        widths[1] = widths[0] * 2 ** (max(1, layers[1] - 1) - max(1, layers[0] - 1))
    k = rng.randint(2, 6)
    people = rng.choice([k, k + 1, *(rng.randint(k, most) for most in (20, 60, 150, 300))])
    profile = "paper" if rng.random() < 0.8 else rng.choice(["arx-gui", Decimal("0.02"), Decimal("0.05")])
    attributes = [Attribute(name, 0, width, layers=one) for name, width, one in zip("ab", widths, layers, strict=True)]
    kind = rng.random()
    if kind < 0.15:
        attributes[1] = FileHierarchy("ward", _wards(rng.choice([2, 4]), 2, rng.choice([1, 3])))
    shape = rng.random()

    def value(attribute):
        share = rng.random() ** (2 if shape < 0.4 else 1) if shape < 0.7 else min(0.999, max(0, rng.gauss(0.5, 0.15)))
        if not attribute.numeric:
            return attribute.rows[int(share * len(attribute.rows))][0]
        found = share * float(attribute.upper)
        return int(10 * found) / 10 if kind > 0.85 else int(found)

    rows = [[value(attribute) for attribute in attributes] for _ in range(people)]
    study, frame = Study(attributes, k, profile), pd.DataFrame(rows, columns=[a.name for a in attributes])
    return (study, frame) if seed % 4 else _uneven(random.Random(f"uneven {seed}"), study, frame)


def _uneven(rng, study, frame):
    """The same people under hierarchies whose nodes differ in share, or whose layers show labels twice."""
    attributes = list(study.attributes)
    for axis in rng.choice([(0,), (1,), (0, 1)]):
        attribute, kind = attributes[axis], rng.random()
        if not attribute.numeric or kind < 0.2:
            attributes[axis] = FileHierarchy(attribute.name, _tree(rng), finest=rng.choice([0, 1]))
            listed = [row[0] for row in attributes[axis].rows]
            frame[attribute.name] = [rng.choice(listed) for _ in range(len(frame))]
        elif kind < 0.4:  # values outside the domain have a leaf of their own, labelled alike in all layers
            attributes[axis] = Attribute(
                attribute.name, attribute.lower, attribute.upper, layers=max(2, attribute.layers - 1), above=True
            )
            far = [attribute.upper + 1 if rng.random() < 0.1 else value for value in frame[attribute.name]]
            frame[attribute.name] = [float(value) for value in far]
        else:
            attributes[axis] = FileHierarchy(attribute.name, _intervals(rng, int(attribute.upper)))
    if attributes[0].leaves * attributes[1].leaves > 64:
        attributes = [a.with_finest(1) if isinstance(a, FileHierarchy) else a for a in attributes]
    if rng.random() < 0.3:
        frame = frame[frame.columns[::-1]]
    return Study(attributes, study.k, study.profile), frame


def _intervals(rng, upper):
    """Unequal intervals of the numbers below ``upper``, in up to four layers; some are all there is of their parent."""
    inner = range(1, upper)
    cuts = [sorted({0, upper, *rng.sample(inner, min(len(inner), rng.randint(1, 7)))})]
    for _ in range(rng.randint(0, 2)):
        cuts.append(sorted({0, upper, *(cut for cut in cuts[-1] if rng.random() < 0.6)}))

    return tuple((str(value), *(labelled_interval(ends, value) for ends in cuts), "*") for value in range(upper))


def labelled_interval(ends, value):
    """The interval between two neighbouring ends that a value lies in."""
    at = max(cut for cut in ends if cut <= value)
    return f"[{at}, {ends[ends.index(at) + 1]}["


def _tree(rng):
    """A tree of wards of unequal size, some houses of a single ward and called like it."""
    rows = []
    for house in range(rng.randint(2, 4)):
        wards = rng.randint(1, 2)
        for ward in range(wards):
            called = f"ward {house}{ward}"
            above = called if wards == 1 and rng.random() < 0.7 else f"house {house}"
            rows += [(f"bed {house}{ward}{bed}", called, above, "*") for bed in range(rng.randint(1, 3))]
    return tuple(rows)


def _wards(groups, members, values):
    """A tree of three layers: so many houses, each of so many wards, each of so many beds."""
    return tuple(
        (f"bed {house}{ward}{bed}", f"ward {house}{ward}", f"house {house}", "*")
        for house in range(groups)
        for ward in range(members)
        for bed in range(values)
    )
