"""What is called certain, and why, against listing every count vector."""

import random

import pytest
from ortools.sat.python import cp_model

from cra_engine.attacks.solver import proofs
from cra_engine.attacks.solver.ends import at_the_ends
from cra_engine.attacks.solver.parts import narrowed
from cra_engine.attacks.solver.proofs import close_ranges, known_ranges, minimal_set, sum_forced
from oracles.parts import RandomPart


def plenty() -> float:
    return 60.0


def parts(seeds, **settings):
    """Random components that allow something."""
    found = (RandomPart(seed, **settings) for seed in seeds)
    return [listed for listed in found if listed.counts]


def seen(listed: RandomPart, rng: random.Random) -> tuple[list[int], list[int]]:
    """Smallest and largest counts of one to three of the data sets, as a sampler might have met them."""
    some = rng.choices(sorted(listed.counts), k=rng.randint(1, 3))
    return [min(counts) for counts in zip(*some, strict=True)], [max(counts) for counts in zip(*some, strict=True)]


def asked(listed: RandomPart, seen, seconds=plenty, *, certain_only=False):
    ranges = known_ranges(listed.part)
    ranges.seen = seen
    close_ranges(listed.part, ranges, seconds, certain_only=certain_only)
    return ranges


def true_range(listed: RandomPart, atom: int) -> tuple[int, int]:
    held = {counts[atom] for counts in listed.counts}
    return min(held), max(held)


@pytest.mark.parametrize("skipping", [False, True])
@pytest.mark.parametrize("sampled", [False, True])
def test_smallest_and_largest_counts_are_those_of_the_list(skipping, sampled):
    rng, moved, fixed = random.Random(0), 0, 0
    for listed in parts(range(60), skipping=skipping):
        before = seen(listed, rng) if sampled else None
        ranges = asked(listed, before)
        atoms = range(len(listed.volumes))
        expected = [true_range(listed, atom) for atom in atoms]
        assert list(zip(ranges.lowest, ranges.highest, strict=True)) == expected
        assert list(zip(*ranges.seen, strict=True)) == expected
        assert ranges.fixed == listed.fixed
        assert not ranges.doubtful
        moved += before is not None and ranges.seen != before
        fixed += len(listed.fixed)
    assert fixed >= 20
    assert moved >= 20 * sampled


@pytest.mark.parametrize("skipping", [False, True])
def test_fixed_atoms_can_be_asked_for_alone(skipping):
    rng, unasked = random.Random(5), 0
    for listed in parts(range(150), skipping=skipping):
        ranges = asked(listed, seen(listed, rng), certain_only=True)
        assert ranges.fixed == listed.fixed
        assert not ranges.doubtful
        unasked += bool(ranges.sides)
    assert unasked >= 10  # ends of atoms that vary are left open


def test_what_single_bounds_say_holds():
    tight = 0
    for skipping in (False, True):
        for listed in parts(range(900, 1000), skipping=skipping):
            known = known_ranges(narrowed(listed.part))
            assert known.seen is None
            assert known.possible
            for atom, limits in enumerate(zip(known.lowest, known.highest, strict=True)):
                low, high = true_range(listed, atom)
                assert limits[0] <= low <= high <= limits[1]
                tight += limits == (low, high)
    assert tight >= 50


def test_a_component_without_any_data_set_is_known_to_be_impossible():
    empty = [c for c in (RandomPart(seed) for seed in range(200)) if not c.counts]
    assert len(empty) >= 5
    for listed in empty:
        assert not asked(listed, None).possible


def test_without_time_nothing_false_is_said():
    rng = random.Random(1)
    for listed in parts(range(200, 300)):
        for before in (None, seen(listed, rng)):
            calls = iter(range(rng.randrange(60)))  # the time runs out somewhere on the way
            ranges = asked(listed, before, lambda calls=calls: 60.0 if next(calls, None) is not None else 0.0)
            assert ranges.possible
            assert ranges.fixed.items() <= listed.fixed.items()
            assert not listed.fixed.keys() - ranges.fixed.keys() - ranges.doubtful
            for atom in range(len(listed.volumes)):
                low, high = true_range(listed, atom)
                assert ranges.lowest[atom] <= low <= high <= ranges.highest[atom]
                if ranges.seen is not None:
                    assert low <= ranges.seen[0][atom] <= ranges.seen[1][atom] <= high


@pytest.mark.parametrize("skipping", [False, True])
def test_data_sets_of_linear_programs_are_possible_and_lie_at_the_ends(skipping):
    reached = beyond = 0
    for listed in parts(range(200, 300), skipping=skipping):
        atoms = len(listed.volumes)
        for option, possible in zip(listed.options, listed.by_option, strict=True):
            ends = [(atom, direction) for atom in range(atoms) for direction in (-1, 1)]
            for (atom, direction), limit, found in at_the_ends(option.sums, listed.part.limits, ends, plenty):
                most = max((direction * counts[atom] for counts in possible), default=None)
                assert found is None or tuple(found) in possible
                assert most is None or direction * limit >= most - 1e-6
                reached += found is not None and direction * found[atom] == most
                beyond += found is None
    assert reached > 500
    assert beyond > 5 * skipping


def test_an_answer_that_does_not_come_in_time_is_no_certainty(monkeypatch):
    def unknown(*_):
        return cp_model.CpSolver(), cp_model.UNKNOWN

    monkeypatch.setattr(proofs, "solve_model", unknown)
    monkeypatch.setattr(proofs, "at_the_ends", lambda *_: iter(()))
    rng, doubted = random.Random(2), 0
    for listed in parts(range(300, 320)):
        known, before = known_ranges(listed.part), seen(listed, rng)
        ranges = asked(listed, before)
        assert (ranges.lowest, ranges.highest, ranges.seen) == (known.lowest, known.highest, before)
        assert asked(listed, None).possible
        doubted += bool(ranges.doubtful)
        assert reason(listed, listed.options[0], 0, 0) is None
    assert doubted >= 5


def reason(listed: RandomPart, option, atom: int, value: int, seconds=plenty):
    """A minimal set of an option's bounds that force a count, as positions; whether it is known to be minimal."""
    return minimal_set(
        len(option.sums),
        lambda chosen: sum_forced(listed.part.limits, [option.sums[p] for p in chosen], [atom], value, seconds),
        lambda p: atom in option.sums[p].counts,
    )


@pytest.mark.parametrize("skipping", [False, True])
def test_reasons_force_the_count_and_need_every_bound(skipping):
    reasons = with_several = 0
    for listed in parts(range(400, 420), skipping=skipping):
        atoms = len(listed.volumes)
        most = max(s.upper for option in listed.options for s in option.sums)
        # A data set within some bounds stays within them when an atom without total is cut to one past the largest sum.
        vectors = listed.vectors(most)
        for option, allowed in zip(listed.options, listed.by_option, strict=True):
            for atom in range(atoms):
                values = {x[atom] for x in allowed}
                for value in values | {0, 1}:
                    found = reason(listed, option, atom, value)
                    assert (found is not None) == (values <= {value})
                    if found is None:
                        continue
                    positions, minimal = found
                    assert minimal
                    others = vectors[vectors[:, atom] != value]
                    assert not listed.kept([option.sums[p] for p in positions], others).any()
                    for position in positions:
                        rest = [option.sums[p] for p in positions if p != position]
                        assert listed.kept(rest, others).any()
                    reasons += 1
                    with_several += len(positions) > 2
    assert reasons >= 50
    assert with_several >= 10


def test_a_reason_is_called_minimal_only_when_every_step_had_its_answer(monkeypatch):
    listed = next(c for c in parts(range(600, 900)) if c.fixed and len(c.options[0].sums) > 3)
    (atom, value), option = next(iter(listed.fixed.items())), listed.options[0]
    real, calls = proofs.solve_model, 0

    def undecided_once(model, left, most):
        nonlocal calls
        calls += 1
        return (cp_model.CpSolver(), cp_model.UNKNOWN) if calls == 3 else real(model, left, most)

    monkeypatch.setattr(proofs, "solve_model", undecided_once)
    found = reason(listed, option, atom, value)
    assert calls == 1 + len(option.sums)
    assert found is not None
    assert not found[1]


def test_a_reason_without_time_says_so(monkeypatch):
    listed = next(c for c in parts(range(600, 900)) if c.fixed and len(c.options[0].sums) > 3)
    (atom, value), option = next(iter(listed.fixed.items())), listed.options[0]
    real, solved = proofs.solve_model, []

    def solve(*arguments):
        answer = real(*arguments)
        solved.append(1)
        return answer

    monkeypatch.setattr(proofs, "solve_model", solve)
    # The time is over after the first solve.
    found = reason(listed, option, atom, value, lambda: 0.0 if solved else 60.0)
    assert len(solved) == 1
    assert found is not None
    assert found[0] == list(range(len(option.sums)))
    assert not found[1]


def hard_model() -> cp_model.CpModel:
    """A market split: far beyond what any solver settles in a minute, and without a solution to stumble on."""
    rng, model = random.Random(0), cp_model.CpModel()
    buyers = [model.new_bool_var("") for _ in range(60)]
    for _ in range(7):
        demand = [rng.randrange(100) for _ in buyers]
        model.add(sum(d * b for d, b in zip(demand, buyers, strict=True)) == sum(demand) // 2)
    return model


def test_a_solve_ends_without_an_answer_once_it_is_cancelled():
    asked = iter([60.0] * 3)
    assert proofs.solve_model(hard_model(), lambda: next(asked, 0.0), 60.0)[1] == cp_model.UNKNOWN
    assert next(asked, None) is None  # it ran until the answer was that no time is left
