"""ARX's own choice among tied states: its arithmetic by hand, its search against every rule of it, its own tables."""

import random
from collections import Counter
from decimal import Decimal
from fractions import Fraction
from itertools import product
from math import prod
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from typer.testing import CliRunner

from cra_engine.attacks.refinement.attack import attack
from cra_engine.cli.commands import app
from cra_engine.files.tables import read_table
from cra_engine.publish.flash import Flash, Queue
from cra_engine.publish.local.recoding import Recoding, recode
from cra_engine.release import read_release
from cra_engine.risk.singling import single_out
from cra_engine.study.attribute import Attribute
from cra_engine.study.file_hierarchy import FileHierarchy
from cra_engine.study.step_rule import least_published
from cra_engine.study.study import Study
from oracles.arx import LiteralARX
from oracles.flash import LiteralFlash
from shares import first
from strategies import Case, cases, random_case

ARX = Path(__file__).parents[1] / "data" / "arx"
PROFILES = {"ex38": "paper", "gui": "arx-gui"}
SAMPLES = sorted(path.stem for path in (ARX / "outputs").glob("*.csv"))
FOLLOWED = [name for name in SAMPLES if name.split(".")[1] in PROFILES]

# ---------------------------------------------------------------- how many records a step must publish


@pytest.mark.parametrize(
    ("records", "left", "needed"),
    [
        (500, 500, 5),  # floor(0.99 * 500) = 495 may stay
        (500, 6, 6),  # 5/6 as a float, 1 minus it and times 6 is a little less than 1: nothing may stay
        (500, 10, 5),  # half of them
        (500, 5, 5),
        (500, 4, 4),  # more than all cannot be asked for
        (40, 40, 1),  # 0.4 of a record
        (40, 3, 1),
    ],
)
def test_a_share_of_all_records_becomes_a_number_through_floats(records, left, needed):
    assert least_published(Fraction(1, 100), records, left) == needed


def test_the_number_is_the_share_rounded_up_or_one_more_never_less():
    more = 0
    for records in (*range(2, 300, 7), *range(100, 1300, 100)):
        for left in range(2, records + 1):
            exact = min(-(-records // 100), left)
            needed = least_published(Fraction(1, 100), records, left)
            assert exact <= needed <= min(exact + 1, left)
            more += needed > exact
    assert more >= 10


def test_without_a_share_every_class_is_enough():
    for records in range(2, 400):
        for left in range(2, records + 1):
            assert least_published(None, records, left) in (1, 2)  # a class has k, two at least


# ---------------------------------------------------------------- the queue


def test_equal_states_leave_the_queue_as_a_binary_heap_moves_them():
    queue = Queue(lambda place: (place[0], 0.0, 0.0))
    for place in [(1, 0), (1, 1), (1, 2), (1, 3), (0, 4)]:
        queue.push(place)
    # (0,4) rises from the end: over (1,1), over (1,0). The array is now (0,4) (1,0) (1,2) (1,3) (1,1). The first goes,
    # the last takes its place and stays, since nothing below is less; and so on.
    assert [queue.pop() for _ in range(len(queue))] == [(0, 4), (1, 1), (1, 3), (1, 2), (1, 0)]


# ---------------------------------------------------------------- the search


def test_a_search_by_hand():
    # Two attributes of two layers. The second keeps more of its values apart, so its layers are tried first.
    flash = Flash((2, 2), [[1.0, 0.2], [1.0, 0.5]])
    looked_at = []

    def feasible(place):
        looked_at.append(place)
        return place in [(0, 1), (1, 0), (1, 1)]

    # Path (0,0), (0,1), (1,1); its middle is (0,1), one of the two that are wanted.
    assert flash.first_visited([(1, 0), (0, 1)], feasible, sum, prune=True) == (0, 1)
    assert looked_at == []
    # If only (1,0) is: (0,1) is infeasible, and so (1,0) and (1,1) are put off; (1,1) ends the path; then (1,0).
    assert flash.first_visited([(1, 0)], lambda p: feasible(p) and p != (0, 1), sum, prune=True) == (1, 0)
    assert looked_at == [(0, 1), (1, 1)]


def random_search(rng):
    """A lattice with a loss that often ties, and some states that are feasible with all above them."""
    count = rng.choice([1, 2, 3, 3, 4])
    heights = [rng.randint(1, 5 if count < 4 else 3) for _ in range(count)]
    alike = rng.random() < 0.7
    if alike:
        heights = [heights[0]] * count
    steps = [sorted(rng.sample(range(1, 30), 5)) for _ in range(count)]
    losses = [steps[0]] * count if alike else steps
    distinct = [sorted((rng.choice([0.1, 0.2, 0.3, 0.5, 1.0]) for _ in range(h)), reverse=True) for h in heights]
    places = list(product(*map(range, heights)))
    loss = {p: prod((1 + losses[i][layer] / 30) ** (1 / count) for i, layer in enumerate(p)) - 1 for p in places}
    chosen = rng.choice(places)
    lowest = [rng.choice(places) for _ in range(rng.randint(0, 5))] + [tuple(h - 1 for h in heights)]
    lowest += [p for p in places if sorted(p) == sorted(chosen) and rng.random() < 0.7]
    feasible = {p: any(all(a <= b for a, b in zip(low, p, strict=True)) for low in lowest) for p in places}
    return heights, distinct, feasible, loss


@pytest.mark.parametrize("prune", [True, False])
def test_the_search_equals_the_one_with_all_its_rules(prune):
    seen = Counter()
    for seed in range(1000):
        heights, distinct, feasible, loss = random_search(random.Random(f"search {seed}"))
        literal = LiteralFlash(heights, distinct, feasible.__getitem__, loss.__getitem__, suppression=prune)
        flash = Flash(heights, distinct)
        least = min((loss[p], sum(p)) for p in loss if feasible[p])
        tied = [p for p in loss if feasible[p] and (loss[p], sum(p)) == least]
        found = flash.first_visited(tied, feasible.__getitem__, loss.__getitem__, prune=prune)
        assert found == literal.optimum, (seed, heights, distinct, tied)
        seen["tied"] += len(tied) > 1
        seen["not the preferred one"] += found != min(tied, key=lambda p: (flash.preference(p), p[::-1]))
    assert seen["tied"] >= 100, seen
    assert seen["not the preferred one"] >= 5, seen  # or sorting would do


# ---------------------------------------------------------------- ARX's own tables


def sample(name: str, profile: str | None = None) -> tuple[pd.DataFrame, Study, pd.DataFrame]:
    """The raw table, the study and what ARX published."""
    data, how, k = name.split(".")
    profile = profile or PROFILES.get(how, "paper")
    study = Study.from_toml(ARX / "studies" / f"{data}.{profile}.toml").with_k(int(k[1:]))
    return read_table(ARX / "raw" / f"{data}.csv"), study, read_table(ARX / "outputs" / f"{name}.csv")


def rows(table: pd.DataFrame) -> list[tuple[str, ...]]:
    return list(table.astype(str).itertuples(index=False, name=None))


def test_there_are_samples():
    assert len(FOLLOWED) == 12
    assert len(SAMPLES) == 18


@pytest.mark.parametrize("name", FOLLOWED)
def test_our_table_is_arxs_table(name):
    data, study, published = sample(name)
    ours = recode(data, study, ties="arx")
    assert list(ours.frame.columns) == list(published.columns)
    assert rows(ours.frame) == rows(published)


def test_the_papers_rule_gives_other_tables():
    other = [name for name in FOLLOWED if rows(recode(*sample(name)[:2]).frame) != rows(sample(name)[2])]
    # A tie that c3 breaks differently; twice a limit for which ARX's floats ask for one record more.
    assert other == ["clinic500_2.gui.k3", "hospital800_3.ex38.k7", "hospital800_3.gui.k3"]


@pytest.mark.parametrize("name", [name for name in SAMPLES if "rootint" in name])
def test_a_root_shown_as_an_interval_changes_labels_only(name):
    data, study, published = sample(name)
    for attribute in study.attributes:
        root = f"[{attribute.lower}, {attribute.upper}["
        published[attribute.name] = published[attribute.name].replace(root, "*")
    assert rows(recode(data, study, ties="arx").frame) == rows(published)


def listed(attribute: Attribute, values: list[int], *, raw: bool) -> FileHierarchy:
    """The attribute's hierarchy as a file that lists some values, with the values themselves as finest layer or not."""
    leaves = attribute.reader.locate(np.array(values))
    paths = [
        [attribute.node(layer, int(attribute.ranks[layer - 1][leaf])).label for layer in range(1, attribute.layers + 1)]
        for leaf in leaves
    ]
    listing = [(str(v), *([str(v)] if raw else []), *path) for v, path in zip(values, paths, strict=True)]
    return FileHierarchy(attribute.name, tuple(listing))


@pytest.mark.parametrize("name", [name for name in SAMPLES if "csvdata" in name])
def test_hierarchies_that_list_occurring_values_only(name):
    data, study, published = sample(name)
    files = [listed(a, sorted(set(data[a.name].astype(int))), raw=False) for a in study.attributes]
    assert not any(hierarchy.uniform for hierarchy in files)  # the loss then counts values, so it depends on the data
    assert rows(recode(data, Study(files, study.k), ties="arx").frame) == rows(published)


@pytest.mark.parametrize("name", [name for name in SAMPLES if "lvl0" in name])
def test_raw_values_as_finest_layer(name):
    data, study, published = sample(name)
    files = [listed(a, list(range(int(a.lower), int(a.upper))), raw=True) for a in study.attributes]
    assert rows(recode(data, Study(files, study.k), ties="arx").frame) == rows(published)
    # The same by the study's own setting, and the release is attacked whole: no record is left aside.
    shown = study.changed(attributes=[a.with_finest(0) for a in study.attributes])
    assert rows(recode(data, shown, ties="arx").frame) == rows(published)
    release = read_release(ARX / "outputs" / f"{name}.csv", shown)
    assert release.raw_records == 0
    found = single_out(attack(release), data)
    assert [c.index for c in found.classes if not c.valid] == []


@pytest.mark.parametrize("name", ["toy40b.ex38.k3", "hospital800_3.gui.k3"])
def test_the_command_writes_arxs_file(name, tmp_path):
    _, study, _ = sample(name)
    study.to_toml(tmp_path / "study.toml")
    data = name.split(".")[0]
    run = ["recode", "--keep-order", str(ARX / "raw" / f"{data}.csv"), "--study", str(tmp_path / "study.toml")]
    out = tmp_path / "release.csv"
    result = CliRunner().invoke(app, [*run, "--ties", "arx", "--output", str(out)])
    assert result.exit_code == 0, result.output
    assert out.read_bytes() == (ARX / "outputs" / f"{name}.csv").read_bytes()


# ---------------------------------------------------------------- which constraints hold for ARX's tables


@pytest.mark.parametrize("name", FOLLOWED)
@pytest.mark.parametrize("ties", ["sound", "paper"])
def test_the_profile_that_arx_ran_with_keeps_the_truth_possible(name, ties):
    data, study, _ = sample(name)
    found = single_out(attack(read_release(ARX / "outputs" / f"{name}.csv", study), ties=ties), data)
    assert [c.index for c in found.classes if not c.valid] == []
    assert found.suppressed is None or found.suppressed.valid


@pytest.mark.parametrize(("name", "wrong"), [("hospital800_3.gui.k3", 2), ("hospital800_3.gui.k5", 1)])
def test_the_papers_constraints_exclude_the_truth_on_the_desktop_programs_table(name, wrong):
    data, study, _ = sample(name, "paper")
    found = single_out(attack(read_release(ARX / "outputs" / f"{name}.csv", study)), data)
    invalid = [c for c in found.classes if not c.valid]
    assert len(invalid) == wrong
    for c in invalid:
        # In words: a half of the class holds k records, which the paper rules out; ARX skipped that half's state,
        # since all its boxes of k hold fewer than 8 of the 800 records together.
        part = found.attack.classes[c.index]
        filled = Counter({cell: count for cell, count in zip(part.free_cells, c.counts, strict=True) if count})
        halves = Counter(
            (i, study.attributes[i].ranks[layer - 2][cell[i]])
            for cell in filled.elements()
            for i, layer in enumerate(part.segment.state)
            if layer > 1
        )
        assert study.k <= max(halves.values()) <= 8


# ---------------------------------------------------------------- against ARX taken word for word


def in_column_order(case: Case) -> list[int]:
    columns = list(case.data.columns)
    return sorted(range(len(case.study.names)), key=lambda i: columns.index(case.study.names[i]))


def assert_same_steps(case: Case, recoding: Recoding) -> None:
    study, order = case.study, in_column_order(case)
    share = None if study.share is None else float(study.share)
    records = [tuple(record[i] for i in order) for record in case.records]
    literal = LiteralARX([study.attributes[i] for i in order], study.k, records, share)
    assert [
        (
            tuple(step.state[i] for i in order),
            {tuple(segment.ranks[i] for i in order): size for segment, size in step.classes},
        )
        for step in recoding.iterations
    ] == [(step.state, {ranks: len(rows) for ranks, rows in step.classes.items()}) for step in literal.steps], case


@pytest.mark.parametrize("batch", first(1, range(5)))
def test_recode_equals_arx_taken_word_for_word(batch):
    differ = 0
    for seed in range(60 * batch, 60 * batch + 60):
        rng = random.Random(f"arx {seed}")
        case = random_case(seed, equal=rng.random() < 0.8, count=rng.choice([2, 3, 3, 4]))
        shares = [Decimal(share) for share in ("0.05", "0.1", "0.25", "0.37")]
        study = Study(case.study.attributes, case.study.k, rng.choice(["paper", "paper", "arx-gui", *shares]))
        case = Case(study, case.data, case.records)
        recoding = recode(case.data, study, ties="arx")
        assert_same_steps(case, recoding)
        differ += recoding.release.classes != recode(case.data, study).release.classes
    assert differ >= 5  # the paper's rule would not do


def test_losses_that_arx_rounds_according_to_the_order_of_the_rows():
    # 81 values in thirds: the normalised losses 2/80, 8/80 and 26/80 are whole numbers of ten-thousandths, so the last
    # bit of a sum of thirds decides what is cut off, and by that between states that tie.
    reordered = 0
    for seed in range(60):
        rng = random.Random(f"thirds {seed}")
        attributes = [Attribute(name, 0, 81, 3, 3) for name in "ab"]
        records = [tuple(Fraction(int(rng.gauss(40, 20)) % 81) for _ in attributes) for _ in range(rng.randint(15, 60))]
        data = pd.DataFrame([[int(value) for value in record] for record in records], columns=["a", "b"])
        case = Case(Study(attributes, rng.choice([2, 3, 4])), data, tuple(records))
        recoding = recode(data, case.study, ties="arx")
        assert_same_steps(case, recoding)
        backwards = recode(data[::-1], case.study, ties="arx")
        reordered += recoding.release.classes != backwards.release.classes
    assert reordered > 0


# ---------------------------------------------------------------- what holds for any table


@given(case=cases())
@settings(max_examples=100, derandomize=True)
def test_the_release_is_k_anonymous_and_every_row_lies_in_its_box(case):
    recoding = recode(case.data, case.study, ties="arx")
    published = rows(recoding.frame[list(case.study.names)])
    sizes = Counter(published)
    suppressed = sizes.pop(("*",) * len(case.study.names), 0)
    assert all(size >= case.study.k for size in sizes.values())
    assert suppressed == recoding.suppressed
    for record, row in zip(case.records, published, strict=True):
        for value, label, attribute in zip(record, row, case.study.attributes, strict=True):
            node = attribute.parse(label)
            assert node is not None
            assert node.lower <= value < node.upper
    # Why it stopped: nothing is left but the top.
    left = [c.state for c in recoding.candidates(len(recoding.iterations) + 1) if c.feasible]
    assert set(left) <= {recoding.lattice.top}


@given(case=cases())
@settings(max_examples=75, derandomize=True)
def test_without_ties_the_paper_says_the_same(case):
    recoding = recode(case.data, case.study, ties="arx")
    assume(len({recoding.lattice.key(state)[0] for state in recoding.lattice.states}) == recoding.lattice.size)
    paper = recode(case.data, case.study)
    assert recoding.iterations == paper.iterations
    assert rows(recoding.frame) == rows(paper.frame)


@given(case=cases(fanouts=(2,)))
@settings(max_examples=60, derandomize=True)
def test_the_order_of_the_rows_and_of_the_study_does_not_matter(case):
    recoding = recode(case.data, case.study, ties="arx")
    backwards = recode(case.data[::-1], case.study, ties="arx")
    assert rows(backwards.frame[::-1]) == rows(recoding.frame)
    turned = recode(case.data, Study(case.study.attributes[::-1], case.study.k), ties="arx")
    assert rows(turned.frame) == rows(recoding.frame)


def test_the_order_of_the_columns_does():
    # ARX multiplies and searches in the order of the columns.
    def differs(seed: int) -> bool:
        case = random_case(seed, equal=True, count=3)
        names = list(case.study.names)
        tables = [recode(case.data[order], case.study, ties="arx").release.classes for order in (names, names[::-1])]
        return tables[0] != tables[1]

    assert any(map(differs, range(100)))


def test_which_rule_was_taken_is_said():
    # Leaves [0, 1), [1, 2) and [2, 4): a layer of two widths.
    uneven = FileHierarchy("a", (("0", "0-0", "*"), ("1", "1-1", "*"), ("2", "2-3", "*"), ("3", "2-3", "*")))
    data = pd.DataFrame({"a": [0, 0, 1, 1, 2, 3]})
    assert recode(data, Study([uneven], 2)).warnings == ()
    assert any("follows ARX" in text for text in recode(data, Study([uneven], 2, "arx-gui")).warnings)
    assert recode(data, Study([uneven], 2, "arx-gui"), ties="arx").warnings == ()
    even = Study([Attribute("a", 0, 4, 3)], 2, "arx-gui")
    assert recode(data, even).warnings == ()
