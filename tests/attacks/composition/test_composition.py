"""Several releases together on random tables: the truth stays possible, other people are not claimed, limits hold."""

import json
import math
import random
import re
from collections import Counter
from functools import cache
from itertools import islice, pairwise
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from cra_engine import (
    Attribute,
    ContradictionError,
    CRAError,
    Release,
    Study,
    compose,
    read_release,
    recode,
    synthesize,
    tight_attack,
)
from cra_engine.attacks.composition.refined import refine
from cra_engine.attacks.composition.system import JointSystem
from cra_engine.attacks.prior import DISTINCT, Prior
from cra_engine.attacks.solver import solving, walks
from cra_engine.attacks.solver.counting import count_by_layers
from cra_engine.attacks.solver.layers import TooManyStates
from cra_engine.attacks.solver.parts import split
from cra_engine.attacks.solver.walks import Walker
from cra_engine.attacks.tight import system as tight_system
from cra_engine.attacks.tight.attack import attack_arx_release
from cra_engine.audits.guessed_release import guessed_release
from cra_engine.raw.placement import locate
from shares import first
from strategies import random_case

ARX = Path(__file__).parents[2] / "data" / "arx"


def true_counts(data: pd.DataFrame, together) -> Counter:
    """The true number of records per common cell."""
    study = Study(list(together.releases[-1].attributes), 2)
    leaves = locate(data, study).leaves
    edges = together.grid.attributes
    if [a.leaves for a in study.attributes] == [a.leaves for a in edges]:
        return Counter(map(tuple, leaves.tolist()))
    columns = [
        np.searchsorted([float(n.upper) for n in a.layer_nodes[0]], data[a.name].astype(float), side="right")
        for a in edges
    ]
    return Counter(map(tuple, np.stack(columns, axis=1).tolist()))


def check_sound(together, true: Counter) -> None:
    """Whatever is said of a cell holds for the table that was published."""
    told = {view.cell: view for view in together.cells}
    assert all(cell in told for cell in true)
    for cell, view in told.items():
        assert view.lowest <= true[cell] <= view.highest
        if view.seen is not None:
            assert view.lowest <= view.seen[0] <= view.seen[1] <= view.highest
    for one in together.alone if not together.grown else ():
        for cell, count in one.fixed_cells.items():
            assert together.fixed_cells[cell] == count == true[cell]


def pair(seed: int, *, small: bool = True) -> tuple[pd.DataFrame, list[Release]]:
    """A random table, published twice: with two k, or two profiles, or either way to break ties."""
    rng = random.Random(seed)
    case = random_case(seed, count=1 + seed % 2, most_records=22) if small else random_case(seed)
    ways = [
        {"k": case.study.k},
        {"k": rng.randint(2, max(2, min(8, len(case.data))))},
    ]
    releases = []
    for way in ways:
        profile = rng.choice(["paper", "paper", "arx-gui", 0.1])
        study = Study(case.study.attributes, way["k"], profile)
        releases.append(recode(case.data, study, ties=rng.choice(["paper", "arx"])).release)
    return case.data, releases


@pytest.mark.parametrize("start", first(1, [5, 0, *range(10, 500, 5)]))
def test_the_truth_is_never_excluded(start):
    more = 0
    for seed in range(start, start + 5):
        data, releases = pair(seed, small=start < 10)
        together = compose(releases, prior="independent", time_limit=600 if start < 10 else 10)
        check_sound(together, true_counts(data, together))
        more += len(together.fixed_cells) > max(len(one.fixed_cells) for one in together.alone)
    assert more


@pytest.mark.parametrize("start", first(1, range(0, 300, 10)))
def test_releases_of_other_people_contradict_each_other_or_nothing_false_is_said(start):
    """Two tables of the same size and domain, each published: no cell is told that is false of either."""
    refused = 0
    for seed in range(start, start + 10):
        case = random_case(seed + 5000, most_records=22) if start == 0 else random_case(seed + 5000)
        rng = np.random.default_rng(seed)
        other = pd.DataFrame({a.name: rng.permutation(case.data[a.name].to_numpy()) for a in case.study.attributes})
        releases = [recode(case.data, case.study).release, recode(other, case.study).release]
        try:
            together = compose(releases, prior="independent", time_limit=600 if start == 0 else 10)
        except ContradictionError as error:
            refused += str(error).startswith("Releases 1 and 2 cannot be of the same people")
            continue
        # Then some table gives both. What is certain must hold of it, and of no release is less told than alone.
        for one in together.alone:
            assert all(together.fixed_cells[cell] == count for cell, count in one.fixed_cells.items())
        for table in (case.data, other):
            if _gives(table, releases, case.study):
                check_sound(together, true_counts(table, together))
    assert refused


def _gives(table: pd.DataFrame, releases: list[Release], study: Study) -> bool:
    """Whether a table can have led to all releases: whether its own release is each of them."""
    own = recode(table, study).release
    shown = [(c.segment, c.size) for c in own.classes]
    return all([(c.segment, c.size) for c in release.classes] == shown for release in releases)


# ---------------------------------------------------------------- estimates and limits


@cache
def countable(number: int, most_states: int = 1500):
    """Parts of random pairs that are not trivial and can be counted: seed, part, exact weight."""
    return list(islice(_countable(most_states), number))


def _countable(most_states: int):
    for seed in range(9000, 14_000):
        case = random_case(seed, most_records=30)
        if len(case.data) < case.study.k + 2:
            continue
        ks = (case.study.k, case.study.k + 1 + (seed % 3 == 0))
        releases = [recode(case.data, case.study.with_k(k)).release for k in ks]
        # Without time: the parts are those of the bounds alone.
        alone = [attack_arx_release(release, 0.0, 0, lambda: False, Prior("independent")) for release in releases]
        system = JointSystem(alone, refine(releases, grown=False), Prior())
        for part in split(system, system.limits):
            if len(part.atoms) < 6:
                continue
            try:
                found = count_by_layers(part, DISTINCT, max_states=most_states)
            except TooManyStates:
                continue
            if found is not None and found.total:
                yield seed, part, found


def errors(cases, states: int, monkeypatch) -> list[float]:
    """How many standard errors each estimate is off; those that drew nothing are left out."""
    monkeypatch.setattr(walks, "STATES", states)
    found = []
    for seed, part, exact in cases:
        guess = Walker(part, DISTINCT).estimate(seed)
        off = guess.log - math.log(exact.total)
        if abs(off) > 1e-9:
            found.append(off / guess.error)
        for atom, (low, high) in enumerate(exact.supports):
            assert low <= guess.seen[atom][0] <= guess.seen[atom][1] <= high
    return found


def test_estimates_lie_near_the_exact_number(monkeypatch):
    found = errors(countable(4, 600), 6, monkeypatch)
    assert len(found) >= 2
    assert all(abs(z) < 5 for z in found)


@pytest.mark.exhaustive
def test_the_exact_number_lies_within_three_standard_errors(monkeypatch):
    found = errors(countable(240, 4000), 15, monkeypatch)
    assert len(found) >= 100
    assert sum(abs(z) <= 3 for z in found) >= 0.97 * len(found)
    assert abs(np.mean(found)) < 5 / math.sqrt(len(found))
    assert np.std(found) < 1.6


def test_few_states_are_unbiased():
    """The mean of many repetitions with so few states that most are dropped."""
    checked = 0
    for seed, part, exact in countable(4, 600)[:2]:
        walker = Walker(part, DISTINCT)
        ratios = []
        for repetition in range(200):
            log = walker.run(np.random.default_rng([seed, repetition]), 4).log
            ratios.append(math.exp(log - math.log(exact.total)))
        mean, deviation = np.mean(ratios), np.std(ratios) / math.sqrt(len(ratios))
        assert abs(mean - 1) <= 4.5 * deviation + 1e-9
        checked += deviation > 0
    assert checked


@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_chances_are_numbers_however_much_the_walks_differ_in_weight():
    """On the way back through 200 layers weights used to grow past the largest float, and chances were none."""
    made = synthesize("hospitals")
    release = recode(made.data, made.study.with_k(10)).release
    alone = attack_arx_release(release, 0.0, 0, lambda: False, Prior("independent"))
    system = JointSystem([alone], refine([release], grown=False), DISTINCT)
    (part,) = (part for part in split(system, system.limits) if len(part.atoms) > 200)
    walker = Walker(part, DISTINCT)
    for seed in (0, 2):
        found = walker.run(np.random.default_rng([seed, 1]), 20)
        assert math.isfinite(found.log)
        assert all(share.sum() == pytest.approx(1) and share.min() >= 0 for share in found.shares)


def refuse(*_, **__):
    raise TooManyStates


@pytest.mark.parametrize(("name", "ks", "settings"), [("toy40b", (3, 5), "ex38"), ("hospital800_3", (3, 7), "ex38")])
def test_limits_are_the_same_whether_tables_are_counted_or_drawn(name, ks, settings, monkeypatch):
    releases = arx(name, ks, settings)
    expected = compose(releases)
    monkeypatch.setattr(solving, "count_part", refuse)
    drawn = compose(releases)
    assert (expected.status, drawn.status) == ("exact", "estimate")
    assert [(v.cell, v.lowest, v.highest) for v in drawn.cells] == [
        (v.cell, v.lowest, v.highest) for v in expected.cells
    ]
    assert abs(drawn.log10_worlds - expected.log10_worlds) <= 5 * drawn.log10_worlds_stderr
    chances = expected.cell_probabilities(1)
    for cell, chance in drawn.cell_probabilities(1).items():
        assert chance == pytest.approx(chances[cell], abs=0.1)


# ---------------------------------------------------------------- cut short


class Impatient:
    """Answers True from the n-th time on that it is asked."""

    def __init__(self, times: int) -> None:
        self.times = times

    def __call__(self) -> bool:
        self.times -= 1
        return self.times < 0


def test_a_cancelled_run_says_nothing_false():
    made = synthesize("toy")
    releases = [recode(made.data, made.study.with_k(k)).release for k in (4, 7)]
    full = compose(releases)
    true = true_counts(made.data, full)
    statuses = []
    for times in (0, 1, 3, 10, 30, 100, 300):
        together = compose(releases, time_limit=600, cancelled=Impatient(times))
        check_sound(together, true)
        assert together.fixed_cells.items() <= full.fixed_cells.items()
        assert not (together.status == "timeout" and together.complete and together.log10_worlds is not None)
        json.dumps(together.to_dict(), allow_nan=False)
        statuses.append(together.status)
    assert statuses[0] == "timeout"


# ---------------------------------------------------------------- reasons


def arx(name: str, ks: tuple[int, ...], settings: str = "ex38") -> list[Release]:
    profile = "arx-gui" if settings == "gui" else "paper"
    study = Study.from_toml(ARX / "studies" / f"{name}.{profile}.toml")
    return [read_release(ARX / "outputs" / f"{name}.{settings}.k{k}.csv", study.with_k(k)) for k in ks]


def test_reasons_name_their_release_and_none_can_be_left_out():
    together = compose(arx("toy40b", (3, 5)))
    (cell,) = together.isolated
    assert all(cell not in one.fixed_cells for one in together.alone)
    (reason,) = together.explain(cell)
    assert reason.minimal
    # Neither release says it alone, so both are needed.
    assert {text.split(":")[0] for text in reason.texts} == {"Release 1", "Release 2"}


@pytest.mark.parametrize("name", ["toy40b", "clinic500_2"])
def test_every_certain_cell_has_a_reason(name):
    together = compose(arx(name, (3, 5)))
    for cell in islice(together.fixed_cells, 0, None, 3):
        assert all(reason.texts and reason.minimal for reason in together.explain(cell))


# ---------------------------------------------------------------- what ARX itself published


TOGETHER = [
    ("toy40b", (3, 5), "ex38"),
    ("clinic500_2", (3, 5), "ex38"),
    ("clinic500_2", (3, 5), "gui"),
    ("hospital800_3", (3, 7), "ex38"),
    ("hospital800_3", (3, 5), "gui"),
]


@pytest.mark.parametrize(("name", "ks", "settings"), TOGETHER)
def test_what_arx_published_together_holds_for_the_raw_table(name, ks, settings):
    together = compose(arx(name, ks, settings), prior="independent")
    raw = pd.read_csv(ARX / "raw" / f"{name}.csv", sep=None, engine="python", dtype=str)
    check_sound(together, true_counts(raw, together))
    assert together.status == "exact"
    assert bool(together.newly) == (settings == "ex38")


# ---------------------------------------------------------------- one release, or the same again


def test_one_release_says_what_the_tight_attack_says():
    for (release,) in (arx("toy40b", (3,)), arx("clinic500_2", (5,)), arx("hospital800_3", (7,))):
        tight = tight_attack(release, prior="independent")
        for releases in ([release], [release, release]):
            together = compose(releases, prior="independent")
            assert (together.status, together.worlds) == (tight.status, tight.worlds)
            assert together.fixed_cells == tight.fixed_cells
            assert [(v.cell, v.lowest, v.highest) for v in together.cells] == [
                (v.cell, v.lowest, v.highest) for v in tight.cells
            ]


# ---------------------------------------------------------------- releases that do not belong together


def ages(values: list[int], k: int, **settings) -> Release:
    study = Study([Attribute("age", 0, 40, layers=3)], k, **settings)
    return recode(pd.DataFrame({"age": values}), study).release


PEOPLE = [3, 5, 12, 25, 31, 34, 38]


def test_other_numbers_of_people_are_a_contradiction_that_names_the_pair():
    releases = [ages(PEOPLE, 2), ages(PEOPLE, 3), ages([*PEOPLE, 7], 2)]
    with pytest.raises(ContradictionError, match=r"Releases 1 and 3 cannot be of the same people: 7 records and 8"):
        compose(releases)
    with pytest.raises(ContradictionError, match=r"Releases 1 and 2 cannot .* name the one of fewer people first"):
        compose(releases[::-1], grown=True)
    assert compose(releases, grown=True).status == "exact"


def test_a_row_left_out_is_said_to_be_a_way_out_and_is_one():
    """Whichever row it is, and whatever both k are."""
    whole = ages(PEOPLE, 2)
    for row in range(len(PEOPLE)):
        less = ages(PEOPLE[:row] + PEOPLE[row + 1 :], 3)
        with pytest.raises(ContradictionError, match="rows were left out of one, or the table has grown"):
            compose([whole, less])
        check_sound(compose([less, whole], grown=True), Counter((age // 10,) for age in PEOPLE))


def test_a_contradiction_says_where_two_releases_do_not_fit():
    """Five and four people alone in one cell: two bounds, by hand, and no other is needed."""
    one, other = ages([1, 2, 3, 4, 5, 31, 32, 33, 34], 2), ages([1, 2, 3, 4, 31, 32, 33, 34, 35], 2)
    with pytest.raises(ContradictionError) as refused:
        compose([one, other])
    where = str(refused.value).split("What does not fit: ")[1]
    assert where.count("Release 1: ") == where.count("Release 2: ") == 1
    box = re.findall(r"Release (\d): (\d) records in a class of their own: age in \[(\d+), (\d+)\[", where)
    assert {number: int(size) for number, size, _, _ in box} in ({"1": 5, "2": 4}, {"1": 4, "2": 5})
    assert box[0][2:] == box[1][2:]


def test_k_is_named_where_another_makes_them_fit_and_only_there():
    toy = synthesize("toy")
    beside = recode(toy.data, toy.study.with_k(4)).release
    named = 0
    for k in (3, 4, 5, 6, 7):
        made = recode(toy.data, toy.study.with_k(k)).release
        smallest = min(released.size for released in made.classes)
        for stated in range(2, k):
            read = Release(toy.study.with_k(stated), made.table)
            try:
                compose([read, beside])
            except CRAError as error:
                said = f"Read with k = {smallest}, the size of its smallest class, nothing contradicts it."
                if said in str(error):
                    compose([Release(toy.study.with_k(smallest), made.table), beside])
                    named += 1
    assert named > 5
    other = toy.data.assign(weight=toy.data["weight"].to_numpy()[::-1])
    with pytest.raises(ContradictionError) as refused:
        compose([beside, recode(other, toy.study.with_k(4)).release])
    assert "Read with k" not in str(refused.value)


def test_a_contradiction_names_the_pair_among_many():
    other = ages([3, 5, 12, 15, 17, 34, 38], 2)
    with pytest.raises(ContradictionError, match="Releases 2 and 3 cannot be of the same people"):
        compose([ages(PEOPLE, 7), ages(PEOPLE, 2), other])


def test_domains_with_nothing_in_common():
    low = recode(pd.DataFrame({"age": [1, 2, 3]}), Study([Attribute("age", 0, 8, layers=2)], 2)).release
    high = recode(pd.DataFrame({"age": [51, 52, 53]}), Study([Attribute("age", 50, 58, layers=2)], 2)).release
    with pytest.raises(CRAError, match="Releases 1 and 2 cannot be of the same people: no value of 'age'"):
        compose([low, high])


def named(values: list[int], names: list[str], k: int = 2) -> Release:
    study = Study([Attribute("age", 0, 40, layers=3)], k)
    return recode(pd.DataFrame({"age": values, "who": names}), study).release


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["a", "b", "b"], r"Release 2, row 3 \(4 in a spreadsheet\): the id in column 'who' stands twice"),
        (["a", "b", " "], r"Release 2, row 3 \(4 in a spreadsheet\): the id in column 'who' is empty"),
        (["a", "b", "d"], r"an id in column 'who' of release 1 is missing in release 2"),
    ],
)
def test_ids_that_do_not_fit(names, message):
    with pytest.raises(CRAError, match=message) as caught:
        compose([named([1, 2, 3], ["a", "b", "c"]), named([1, 2, 3], names)], id_column="who")
    assert "'b'" not in str(caught.value)
    assert "'d'" not in str(caught.value)


def test_an_id_column_that_is_not_there():
    with pytest.raises(CRAError, match="Release 2: The table has no column 'who'"):
        compose([named([1, 2, 3], ["a", "b", "c"]), ages([1, 2, 3], 2)], id_column="who")


def test_releases_of_other_attributes_of_the_same_people():
    """What one release shows of age and the other of weight; each person has both."""
    data = pd.DataFrame({"age": [1, 2, 3, 30, 31, 32], "weight": [1, 2, 35, 36, 37, 38]})
    age, weight = Attribute("age", 0, 40, layers=3), Attribute("weight", 0, 40, layers=3)
    releases = [
        recode(data, Study([age, weight], 2)).release,
        recode(data, Study([weight], 3)).release,
    ]
    together = compose(releases)
    true = Counter((a // 10, w // 10) for a, w in data.to_numpy().tolist())
    check_sound(together, true)


def test_categories_are_cut_where_either_hierarchy_cuts_them():
    one = Attribute.from_hierarchy("town", [("a", "north", "*"), ("b", "north", "*"), ("c", "south", "*")], finest=1)
    other = Attribute.from_hierarchy("town", [("a", "coast", "*"), ("b", "hills", "*"), ("c", "hills", "*")], finest=1)
    data = pd.DataFrame({"town": ["a", "a", "b", "c", "c"]})
    together = compose([recode(data, Study([town], 2)).release for town in (one, other)], prior="independent")
    labels = {together.grid.attributes[0].node(1, cell[0]).label: n for cell, n in together.fixed_cells.items()}
    assert labels == {"coast": 2, "north and hills": 1, "south": 2}
    assert len(together.isolated) == 1


def test_a_release_more_never_leaves_more_tables():
    """Whatever is certain stays certain, and the number of tables only shrinks."""
    made = synthesize("toy")
    releases = [recode(made.data, made.study.with_k(k)).release for k in (7, 4, 6, 5, 3)]
    steps = [compose(releases[:number]) for number in range(1, len(releases) + 1)]
    for before, after in pairwise(steps):
        assert before.fixed_cells.items() <= after.fixed_cells.items()
        assert after.worlds <= before.worlds
    assert [len(step.fixed_cells) for step in steps][:2] == [0, 12]


def test_records_that_must_all_differ_and_cannot():
    """Two domains of which few values are common, and more people there than values."""
    low = Attribute("age", 0, 12, layers=2)
    high = Attribute("age", 10, 22, layers=2)
    data = pd.DataFrame({"age": [10, 11, 10, 11]})
    releases = [recode(data, Study([age], 2)).release for age in (low, high)]
    together = compose(releases, prior="independent")
    assert together.fixed_cells == {(0,): 4}
    assert together.worlds == 2**4  # each of four rows may show either value


# ---------------------------------------------------------------- releases that are known in part


def test_raw_values_weaken_what_is_said_but_nothing_false_is_said():
    releases = [*arx("clinic500dup_2", (5,)), *arx("clinic500dup_2", (5,), "ex38_lvl0")]
    assert releases[1].raw_records
    together = compose(releases, prior="independent")
    raw = pd.read_csv(ARX / "raw" / "clinic500dup_2.csv", sep=None, engine="python", dtype=str)
    check_sound(together, true_counts(raw, together))
    assert (together.relaxed, together.complete) == (True, False)
    assert together.warnings


@pytest.mark.parametrize("linked", [False, True])
@pytest.mark.parametrize("seed", first(3, range(60)))
def test_an_order_that_is_not_known_weakens_what_is_said(seed, linked, monkeypatch):
    data, releases = pair(seed)
    if linked:
        ids = [f"p{row}" for row in range(len(data))]
        releases = [Release(release.study, release.table.assign(who=ids)) for release in releases]
    settings = {"prior": "independent", "time_limit": 2, "id_column": "who" if linked else None}
    full = compose(releases, **settings)
    monkeypatch.setattr(tight_system, "MAX_HYPOTHESES", 0)
    weak = compose(releases, **settings)
    assert (weak.relaxed, weak.complete) == (True, False)
    true = true_counts(data, weak)
    check_sound(full, true)
    check_sound(weak, true)
    if full.worlds is not None and weak.worlds is not None:
        assert weak.worlds >= full.worlds


@pytest.mark.parametrize("linked", [False, True])
@pytest.mark.parametrize("seed", first(3, range(100)))
def test_the_truth_is_in_where_tables_have_grown(seed, linked):
    rng, case = random.Random(seed), random_case(seed, count=1 + seed % 2, most_records=20)
    k = case.study.k
    if len(case.data) <= k:
        return
    part = rng.randint(k, len(case.data) - 1)
    releases = [
        recode(case.data.iloc[:part], case.study).release,
        recode(case.data, case.study.with_k(rng.randint(2, k + 1))).release,
    ]
    together = compose(releases, grown=True, linked_rows=linked, prior="independent", time_limit=3)
    check_sound(together, true_counts(case.data, together))


@settings(max_examples=25, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    left_out=st.integers(0, 3),
    orders=st.sampled_from([0, tight_system.MAX_HYPOTHESES]),
    time_limit=st.sampled_from([0.02, 5.0]),
)
def test_together_no_cell_is_told_more_widely_than_alone(seed, left_out, orders, time_limit):
    """Of the same people, whether the time suffices and the order is known or not; of part of them, no fewer."""
    rng, case = random.Random(seed), random_case(seed, count=1 + seed % 2, most_records=20)
    k = case.study.k
    assume(len(case.data) > k)
    rest = case.data.drop(index=rng.sample(range(len(case.data)), min(left_out, len(case.data) - k)))
    releases = [recode(rest, case.study).release, recode(case.data, case.study.with_k(rng.randint(2, k + 1))).release]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tight_system, "MAX_HYPOTHESES", orders)
        together = compose(releases, grown=left_out > 0, prior="independent", time_limit=time_limit)
    check_sound(together, true_counts(case.data, together))
    all_told = {view.cell: (view.lowest, view.highest) for view in together.cells}
    for own in together.alone:
        for view in own.tight.cells:
            lowest, highest = all_told.get(view.cell, (0, 0))
            assert lowest >= view.lowest
            assert highest <= view.highest or own not in together.alone_of_all
    for own in together.alone_of_all:
        assert set(own.fixed_cells.items()) <= set(together.fixed_cells.items())
        assert set(own.isolated) <= set(together.isolated)
    assert all(cell not in own.fixed_cells for cell in together.newly for own in together.alone_of_all)


def test_of_a_guess_that_no_table_gives_it_is_said_that_it_was_guessed():
    """The six of age [20, 40[ would all have weight [10, 20[ once a class had taken the other half, a class there."""
    rows = [("[20, 40[", "[0, 10["), ("[40, 60[", "[10, 20["), ("[20, 40[", "[0, 20[")]
    table = pd.DataFrame([rows[0]] * 3 + [rows[1]] * 3 + [rows[2]] * 6, columns=["age", "weight"])
    read = guessed_release(table).release
    with pytest.raises(CRAError) as told:
        compose([read, read])
    assert str(told.value).startswith("Release 1: Class ")
    assert str(told.value).endswith(
        ". Its hierarchies were guessed from its labels: give its study, or the ZIP that it came in."
    )
    assert "check that k" not in str(told.value)
    with pytest.raises(CRAError, match="check that k"):
        compose([Release(read.study, table)] * 2)
