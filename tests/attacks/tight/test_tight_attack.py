"""The attack on all classes together as a whole: what it says of each cell, cut short or not, and why."""

import json
import math
from collections import Counter
from decimal import Decimal
from functools import cache

import numpy as np
import pandas as pd
import pytest
from ortools.sat.python import cp_model
from typer.testing import CliRunner

from cra_engine import Attribute, CRAError, Release, Study, attack, recode, synthesize, tight_attack
from cra_engine.attacks.solver import reasons as reasoning
from cra_engine.attacks.solver.columns import greedy_order
from cra_engine.attacks.solver.parts import split
from cra_engine.attacks.solver.repetitions import Estimate
from cra_engine.attacks.tight import system as tight_system
from cra_engine.attacks.tight.sampler import Sampler
from cra_engine.attacks.tight.system import TightSystem
from cra_engine.cli.commands import app
from cra_engine.counting.sums import OrthantSum
from cra_engine.errors import TooLargeError
from cra_engine.raw.placement import locate
from drawn import count_nothing
from shares import first
from strategies import random_case


def held(data: pd.DataFrame, study: Study) -> Counter:
    """The true number of records per cell."""
    return Counter(map(tuple, locate(data, study).leaves.tolist()))


@cache
def random_releases(first: int, count: int):
    """Releases of random tables that have something to attack: the study, the true counts, the release."""
    found, seed = [], first
    while len(found) < count:
        case = random_case(seed)
        release = recode(case.data, case.study).release
        seed += 1
        parts = attack(release).parts
        if any(not part.basic for part in parts) and not any(p.problem and not p.basic for p in parts):
            found.append((case.study, held(case.data, case.study), release))
    return found


def toy() -> Release:
    made = synthesize("toy")
    return recode(made.data, made.study).release


def check_sound(tight, true: Counter) -> None:
    """Whatever is said of a cell holds for the data that were published."""
    for view in tight.cells:
        assert view.lowest <= true[view.cell] <= view.highest
        if view.seen is not None:
            assert view.lowest <= view.seen[0] <= view.seen[1] <= view.highest
    told = {view.cell for view in tight.cells}
    assert all(cell in told for cell in true)


# ---------------------------------------------------------------- limits of each cell


@cache
def some_releases():
    """Releases with the smallest and largest counts of each cell; the first one has ties."""
    made = synthesize("toy")
    found = [(held(made.data, made.study), toy()), *((true, release) for _, true, release in random_releases(0, 4))]
    return [(true, release, enumerated(release)) for true, release in found]


def enumerated(release: Release) -> dict:
    """Smallest and largest count per cell over all orders of tied states, by CP-SAT cell by cell."""
    system = TightSystem(release)
    limits = {cell: (size, size) for cell, size in system.settled.items()}
    for place, cell in enumerate(system.cells):
        ends = []
        for sign in (1, -1):
            best = []
            for hypothesis in system.hypotheses:
                model = cp_model.CpModel()
                counts = [model.new_int_var(0, release.records, "") for _ in system.cells]
                for bound in hypothesis.bounds:
                    assert not bound.boxes
                    model.add_linear_constraint(sum(counts[c] for c in bound.cells), bound.lower, bound.upper)
                model.minimize(sign * counts[place])
                solver = cp_model.CpSolver()
                solver.parameters.num_workers = 1
                if solver.solve(model) == cp_model.OPTIMAL:
                    best.append(solver.value(counts[place]))
            ends.append(min(best) if sign == 1 else max(best))
        limits[cell] = tuple(ends)
    return limits


@pytest.mark.parametrize("way", ["exact", "estimate", "nothing drawn"])
def test_smallest_and_largest_counts_are_proven(way, monkeypatch):
    """The same limits, whether data sets are counted, drawn, or neither."""
    if way != "exact":
        count_nothing(monkeypatch)
    if way == "nothing drawn":
        # As when no particle ever survives.
        monkeypatch.setattr(Sampler, "estimate", lambda *_: Estimate(None, math.inf, 64, None, None))
    fixed = ranging = 0
    for true, release, expected in some_releases():
        tight = tight_attack(release)
        assert {view.cell: (view.lowest, view.highest) for view in tight.cells} == expected
        assert all(view.closed for view in tight.cells)
        assert tight.complete
        assert tight.fixed_cells == {cell: low for cell, (low, high) in expected.items() if low == high}
        assert (tight.log10_worlds is None) == (way == "nothing drawn")
        assert (tight.status == "timeout") == (way == "nothing drawn")
        check_sound(tight, true)
        fixed += sum(view.fixed and view.cell not in tight.system.settled for view in tight.cells)
        ranging += sum(not view.fixed for view in tight.cells)
    assert fixed >= 3
    assert ranging >= 20


def test_certain_cells_are_found_when_no_draw_survives(monkeypatch):
    expected = tight_attack(toy())
    count_nothing(monkeypatch)
    monkeypatch.setattr(Sampler, "estimate", lambda *_: Estimate(None, math.inf, 64, None, None))
    tight = tight_attack(toy())
    assert tight.isolated == expected.isolated
    assert tight.isolated
    assert (tight.status, tight.log10_worlds) == ("timeout", None)


@pytest.mark.parametrize("share", ["0.3", "0.5"])
def test_limits_of_unknown_cells_allow_for_skipped_steps(share):
    """A cell of a skipped state can hold k records or more, without being a class."""
    more, rng = 0, np.random.default_rng(4)
    study = Study([Attribute("a", 0, 36, 3), Attribute("b", 0, 44, 3)], 4, Decimal(share))
    for _ in range(6):
        data = pd.DataFrame({"a": rng.integers(0, 36, 20), "b": rng.integers(0, 44, 20)})
        data.loc[:3] = [[1, 1], [2, 2], [3, 3], [4, 4]]  # one crowded cell
        true, release = held(data, study), recode(data, study).release
        for limit in (0.0, 20.0):
            tight = tight_attack(release, time_limit=limit)
            check_sound(tight, true)
            more += any(
                true[view.cell] >= study.k and view.cell not in tight.system.settled and limit == 0
                for view in tight.cells
            )
    assert more >= 2


# ---------------------------------------------------------------- cut short


class Impatient:
    """Answers True from the n-th time on that it is asked, and counts how often it is asked after that."""

    def __init__(self, times: int) -> None:
        self.times, self.after = times, 0

    def __call__(self) -> bool:
        self.times -= 1
        self.after += self.times < 0
        return self.times < 0


@pytest.mark.parametrize("kind", ["toy", "clinic"])
def test_a_cancelled_run_ends_wherever_it_is_and_says_nothing_false(kind):
    made = synthesize(kind)
    release, true = recode(made.data, made.study).release, held(made.data, made.study)
    certain = tight_attack(release).fixed_cells if kind == "toy" else None
    unfinished = 0
    for times in [0, 1, 3, 10, 30, 100, 1000]:
        impatient = Impatient(times)
        tight = tight_attack(release, time_limit=600.0, cancelled=impatient)
        check_sound(tight, true)
        if certain is not None:
            assert tight.fixed_cells.items() <= certain.items()
        if not impatient.after:
            assert tight.status != "timeout"
            break
        # Each step that is still to come asks once or so, and goes home.
        assert impatient.after < 60
        unfinished += tight.status == "timeout"
        assert not (tight.status == "timeout" and tight.complete and tight.log10_worlds is not None)
    assert unfinished >= 3


def test_without_time_nothing_is_known_but_what_anybody_sees():
    tight = tight_attack(toy(), time_limit=0.0)
    assert tight.status == "timeout"
    assert (tight.log10_worlds, tight.log10_worlds_per_class, tight.worlds) == (None, None, None)
    assert tight.log10_worlds_intervals > 0
    assert not tight.complete
    assert set(tight.fixed_cells) == set(tight.system.settled)
    assert json.loads(json.dumps(tight.to_dict()))["log10_worlds_per_class"] is None


def test_classes_that_are_too_large_to_count_do_not_keep_cells_from_being_certain(monkeypatch):
    expected = tight_attack(toy())

    def refuse(*_):
        raise TooLargeError("Too large.")

    release = toy()
    monkeypatch.setattr(OrthantSum, "__init__", refuse)
    count_nothing(monkeypatch)
    tight = tight_attack(release)
    assert tight.log10_worlds is None
    # Counted by sets of violated bounds instead, which needs no such table: the same number.
    assert tight.log10_worlds_per_class == pytest.approx(expected.log10_worlds_per_class)
    assert tight.refused == "Too large."
    assert tight.fixed_cells == expected.fixed_cells
    assert tight.complete


def test_without_time_a_grid_of_one_cell_may_hold_everybody():
    """Its only cell is the top, which is never a class: all of them are suppressed there."""
    study = Study([Attribute("a", 0, 4, 1)], 2)
    release = recode(pd.DataFrame({"a": [0, 1, 2]}), study).release
    (view,) = tight_attack(release, time_limit=0.0).cells
    assert view.lowest <= 3 <= view.highest


# ---------------------------------------------------------------- an order that is not known


def test_a_relaxed_system_is_never_called_complete(monkeypatch):
    exact = tight_attack(toy())
    monkeypatch.setattr(tight_system, "MAX_HYPOTHESES", 0)
    tight = tight_attack(toy())
    assert tight.relaxed
    assert tight.status == "exact"  # of the relaxed system: an upper bound, counted to the last digit
    assert tight.worlds >= exact.worlds
    assert not tight.complete
    written = tight.to_dict()
    assert (written["fixed_cells_complete"], written["upper_bound"]) == (False, True)
    assert tight.fixed_cells.items() <= exact.fixed_cells.items()
    # Which data sets are possible is not known, so none was met.
    assert all(view.seen is None for view in tight.cells if view.cell not in tight.system.settled)
    wide = {view.cell: view for view in tight.cells}
    for view in exact.cells:
        assert wide[view.cell].lowest <= view.lowest <= view.highest <= wide[view.cell].highest


# ---------------------------------------------------------------- wrong input


@pytest.mark.parametrize(
    ("setting", "value"), [("seed", -1), ("seed", 1.5), ("time_limit", -1), ("time_limit", math.nan)]
)
def test_settings_that_make_no_sense(setting, value):
    with pytest.raises(CRAError, match=f"{setting.replace('_', ' ')} is {value}; give"):
        tight_attack(toy(), **{setting: value})


@pytest.mark.parametrize("command", [["attack", "--tight"], ["audit", "--output", "report.html"]])
def test_a_negative_seed_is_answered_in_a_sentence(command, tmp_path, monkeypatch):
    made = synthesize("clinic")
    made.study.to_toml(tmp_path / "study.toml")
    recode(made.data, made.study).release.to_csv(tmp_path / "release.csv")
    monkeypatch.chdir(tmp_path)
    name, *options = command
    result = CliRunner().invoke(app, [name, "release.csv", "--study", "study.toml", *options, "--seed", "-1"])
    assert isinstance(result.exception, CRAError)
    assert str(result.exception) == "The seed is -1; give a whole number of 0 or more."
    assert not (tmp_path / "report.html").exists()


def test_grids_that_are_too_large_for_all_classes_at_once():
    # 4,096 leaves each: 4 records in the whole domain leave all of 16,777,216 cells open; 3 x 1,024 leave fewer.
    study = Study([Attribute("a", 0, 2048, 12), Attribute("b", 0, 1024, 11)], 2)
    release = Release(study, pd.DataFrame([["*", "*"]] * 3, columns=["a", "b"]))
    with pytest.raises(TooLargeError, match="too many combinations of values"):
        tight_attack(release)


def test_orders_too_many_to_try_are_not_refused(monkeypatch):
    assert not TightSystem(toy()).relaxed
    orders = len(TightSystem(toy()).hypotheses)
    assert orders > 1
    looks = len(TightSystem(toy()).cells) * toy().lattice.size
    monkeypatch.setattr(tight_system, "MAX_LOOKS_IN_ALL", looks)
    assert TightSystem(toy()).relaxed
    monkeypatch.setattr(tight_system, "MAX_LOOKS", looks - 1)
    with pytest.raises(TooLargeError, match="fewer columns that others know, or coarser groups, make fewer"):
        TightSystem(toy())


# ---------------------------------------------------------------- the order of counting


def test_each_atom_is_the_cheapest_of_those_left():
    for _, _, release in random_releases(0, 4):
        system = TightSystem(release)
        for part in split(system, system.limits):
            sums = [set(s.counts) for option in part.sources[0] for s in option.sums]
            left, opened = set(range(len(part.atoms))), set()
            for atom in greedy_order([sorted(atoms) for atoms in sums], len(part.atoms)):

                def cost(a, left=left, opened=opened, sums=sums):
                    mine = [n for n, atoms in enumerate(sums) if a in atoms]
                    return sum(n not in opened for n in mine) - sum(sums[n] & left == {a} for n in mine), a

                assert atom == min(left, key=cost)
                left.remove(atom)
                opened |= {n for n, atoms in enumerate(sums) if atom in atoms}
            assert not left


# ---------------------------------------------------------------- why a cell is certain


def leaves(system, bounds, place: int, value: int, most: int) -> tuple[bool, bool]:
    """Whether bounds on cells allow a cell to hold a value, and another one: by CP-SAT, cell by cell."""
    answers = []
    for same in (True, False):
        model = cp_model.CpModel()
        counts = [model.new_int_var(0, most, "") for _ in system.cells]
        for bound in bounds:
            model.add_linear_constraint(sum(counts[c] for c in bound.cells), bound.lower, bound.upper)
        model.add(counts[place] == value if same else counts[place] != value)
        solver = cp_model.CpSolver()
        solver.parameters.num_workers = 1
        answers.append(solver.solve(model) in (cp_model.OPTIMAL, cp_model.FEASIBLE))
    return answers[0], answers[1]


def test_the_reason_of_a_certain_cell_fixes_it_and_needs_every_bound():
    several = with_orders = contradicting = 0
    for release in [toy(), *(release for _, _, release in random_releases(0, 3))]:
        tight = tight_attack(release)
        system = tight.system
        for cell, value in tight.fixed_cells.items():
            if cell in system.settled:
                assert tight.explain(cell) == []
                continue
            explanations, place = tight.explain(cell), system.cells.index(cell)
            assert explanations
            for explanation in explanations:
                bounds = explanation.bounds
                assert explanation.found
                assert explanation.minimal
                assert len(explanation.texts) == len(bounds)
                assert any(set(bounds) <= set(h.bounds) for h in system.hypotheses if h.order == explanation.order)
                most = release.records
                # A set that contradicts itself is never called a reason, nor the other way round.
                assert leaves(system, bounds, place, value, most) == (explanation.possible, False)
                for left_out in range(len(bounds)):
                    rest = bounds[:left_out] + bounds[left_out + 1 :]
                    same, other = leaves(system, rest, place, value, most)
                    assert other if explanation.possible else same or other
                several += len(bounds) > 2
                contradicting += not explanation.possible
            assert any(explanation.possible for explanation in explanations)
            with_orders += len(explanations) > 1
    assert several >= 5
    assert with_orders >= 2
    assert contradicting  # in the toy, two of the four orders did not happen


def late_for_the_second(monkeypatch):
    """Let no answer come in time for the second of the orders that are explained."""
    explained, searched, orders = reasoning._reason, reasoning.minimal_set, []

    def explain(*arguments):
        orders.append(1)
        return explained(*arguments)

    monkeypatch.setattr(reasoning, "_reason", explain)
    monkeypatch.setattr(reasoning, "minimal_set", lambda *given: None if len(orders) == 2 else searched(*given))


def test_an_order_without_an_answer_in_time_is_not_left_out(monkeypatch):
    tight = tight_attack(toy())
    cell = tight.isolated[0]
    whole = tight.explain(cell)
    assert len(whole) > 1
    late_for_the_second(monkeypatch)
    cut = tight.explain(cell)
    assert [explanation.order for explanation in cut] == [explanation.order for explanation in whole]
    assert [explanation.found for explanation in cut] == [True, False, *[True] * (len(whole) - 2)]
    assert (cut[1].bounds, cut[1].texts, cut[1].minimal) == ((), (), False)
    assert [e.found for e in tight.explain(cell, cancelled=lambda: True)] == [False] * len(whole)


def test_reasons_name_whose_records_a_box_held():
    tight = tight_attack(toy())
    texts = [text for cell in tight.isolated for e in tight.explain(cell) for text in e.texts]
    boxes = [text for text in texts if "had its turn" in text]
    assert boxes
    assert all(" records, those of class " in text or " record, those of class " in text for text in boxes)
    assert any(" and the suppressed ones taken together (" in text for text in boxes)


# ---------------------------------------------------------------- the truth is never excluded


@pytest.mark.parametrize("batch", first(1, range(5)))
def test_the_true_data_satisfy_the_system(batch):
    """100 random releases each: ties as in the paper and as in ARX, steps that must publish a share, or not."""
    known = Counter()
    for seed in range(20_000 + 100 * batch, 20_100 + 100 * batch):
        case = random_case(seed)
        share = "paper" if seed % 3 else Decimal("0.15")
        study = Study(case.study.attributes, case.study.k, share)
        release = recode(case.data, study, ties="arx" if seed % 2 else "paper").release
        system = TightSystem(release)
        cells = list(map(tuple, locate(case.data, study).leaves.tolist()))
        if system.relaxed:
            # A cell stands there once per class that may fill it.
            owner = system.hypotheses[0].owner.tolist()
            slots = Counter(zip(cells, release.class_of_row.tolist(), strict=True))
            counts = [slots[cell, part] for cell, part in zip(system.cells, owner, strict=True)]
        else:
            counts = [cells.count(cell) for cell in system.cells]
        assert system.allows(counts), seed
        assert all(cells.count(cell) == size for cell, size in system.settled.items())
        assert sum(counts) + sum(system.settled.values()) == release.records
        known["relaxed" if system.relaxed else "tied" if len(system.hypotheses) > 1 else "plain"] += 1
        known["skipping"] += any(bound.boxes for h in system.hypotheses for bound in h.bounds)
        known["open"] += bool(system.cells)
    assert min(known["plain"], known["open"]) >= 50
    assert min(known["tied"], known["skipping"]) >= 1


@pytest.mark.exhaustive
def test_cells_given_a_probability_isolate_in_that_share_of_all_worlds():
    """Tables drawn uniformly among all, published and attacked: of cells given the probability p, a share p isolates.

    Per release the errors of its cells hang together, so each release counts as one observation.
    """
    study = Study([Attribute("a", 0, 20, 3), Attribute("b", 0, 24, 3)], 3)
    rng, off, seen = np.random.default_rng(11), [], Counter()
    for _ in range(1000):
        drawn = rng.choice(20 * 24, size=14, replace=False)
        data = pd.DataFrame({"a": drawn // 24, "b": drawn % 24})
        true = held(data, study)
        tight = tight_attack(recode(data, study).release)
        assert tight.status == "exact"
        errors = [0.0] * 10
        for view in tight.cells:
            chance = view.probabilities[1] if len(view.probabilities) > 1 else 0.0
            if 0 < chance < 1:
                errors[min(int(10 * chance), 9)] += (true[view.cell] == 1) - chance
                seen[min(int(10 * chance), 9)] += 1
            else:
                assert (true[view.cell] == 1) == (chance == 1)
        off.append(errors)
    off = np.array(off)
    assert sum(seen[ten] >= 100 for ten in range(10)) >= 5
    scores = off.sum(axis=0) / np.sqrt((off**2).sum(axis=0).clip(1e-12))
    assert np.abs([scores[ten] for ten in range(10) if seen[ten] >= 100]).max() < 3.5
    assert abs(off.sum()) / np.sqrt((off.sum(axis=1) ** 2).sum()) < 3.5
