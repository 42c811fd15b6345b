"""What a prior makes of a release, against all ordered tables: every vector of counts, with the tables that have it."""

from collections import defaultdict
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import factorial, prod

import numpy as np
import pandas as pd
import pytest

from cra_engine import Attribute, CRAError, Study, StudyError, attack, read_population, recode, single_out, tight_attack
from cra_engine.assess.repeats import values_repeat
from cra_engine.audits.audit import audit
from cra_engine.counting.sums import assigned_to_cells, placed_in_cell, repeated_in_cell
from cra_engine.patience import Stopped, stoppable
from cra_engine.study import population

STUDY = Study([Attribute("a", 0, 8, 3), Attribute("b", 0, 6, 2)], 2)
CELLS = list(product(range(4), range(2)))
SHARES = b"attribute,lower,upper,share\na,0,2,0.5\na,2,4,.125\na,4,8,3e-1\nb,0,1,2\nb,1,3,1\nb,3,6,1\n"


def register(rows):
    """A population file with a row per person, whose intervals repeat."""
    lines = [f"a,{n % 8 - 1},{n % 8 + 1},1\n" if n % 2 else f"b,0,6,{n % 3 + 1}\n" for n in range(rows)]
    return ("attribute,lower,upper,share\n" + "".join(lines)).encode()


def test_a_register_of_200_000_people_is_read_with_little_work(monkeypatch):
    spread, honest = [], population._add
    monkeypatch.setattr(population, "_add", lambda *given: (spread.append(given[2]), honest(*given)))
    found = read_population(register(200_000), STUDY)
    assert len(spread) == 5  # an interval is laid over the leaves once, however many rows name it
    assert found == read_population(register(24), STUDY)
    looked = iter([False] * 10)
    with pytest.raises(Stopped), stoppable(lambda: next(looked, True)):  # a tenth of the rows at most
        read_population(register(200_000), STUDY)


def weight_of(population):
    """Per cell what a single record in it weighs."""
    if population is None:
        return dict.fromkeys(CELLS, Fraction(6))
    a = [Fraction(1, 2), Fraction(1, 8), Fraction(3, 20), Fraction(3, 20)]
    b = [Fraction(3, 4), Fraction(1, 4)]
    return {cell: a[cell[0]] * b[cell[1]] for cell in CELLS}


def releases(size):
    """Every release of tables of so many records, with the counts of the cells that give it."""
    found = defaultdict(list)
    for chosen in combinations_with_replacement(CELLS, size):
        data = pd.DataFrame([(2 * a, 3 * b) for a, b in chosen], columns=["a", "b"])
        release = recode(data, STUDY).release
        key = tuple((c.segment, c.size) for c in release.classes), release.suppressed
        counts = {cell: chosen.count(cell) for cell in set(chosen)}
        found[key].append((release, counts))
    return found


@pytest.fixture(scope="module", params=[(4, 5), pytest.param((6,), marks=pytest.mark.exhaustive)], ids=("few", "more"))
def grouped(request):
    return [group for size in request.param for group in releases(size).values()]


def ordered(sizes, counts, weight):
    """How much the ordered tables with these counts weigh whose rows are known to be in their classes."""
    ways = Fraction(prod(map(factorial, sizes)), prod(map(factorial, counts.values())))
    return ways * prod(weight[cell] ** count for cell, count in counts.items())


def test_all_classes_together_weigh_every_assignment_alike(grouped):
    for group in grouped:
        release = group[0][0]
        tight = tight_attack(release, prior="assignments")
        assert tight.status == "exact"
        assert tight.worlds == len(group)
        for view in tight.cells:
            for j, probability in enumerate(view.probabilities):
                held = sum(counts.get(view.cell, 0) == j for _, counts in group)
                assert probability == pytest.approx(held / len(group), abs=1e-12)


def test_each_class_weighs_every_assignment_of_its_own_alike(grouped):
    for group in grouped:
        release = group[0][0]
        for part in attack(release, prior="assignments").parts:
            possible = []
            for chosen in combinations_with_replacement(part.free_cells, part.size):
                counts = [chosen.count(cell) for cell in part.free_cells]
                if part.feasible(counts):
                    possible.append(counts)
            cells = len(list(release.grid.cells(part.segment)))
            assert (part.cra_solutions, part.combinations) == (len(possible), len(possible))
            assert part.lr_solutions == sum(1 for _ in combinations_with_replacement(range(cells), part.size))
            for place in range(len(part.free_cells)):
                for j, said in enumerate(part.cell_distributions()[place]):
                    true = sum(counts[place] == j for counts in possible) / len(possible)
                    assert said == pytest.approx(true, abs=1e-12)


@pytest.mark.parametrize("shares", [None, SHARES])
def test_all_classes_together_weigh_every_ordered_table(grouped, shares):
    population = None if shares is None else read_population(shares, STUDY, "shares.csv")
    weight = weight_of(population)
    assert len(grouped) >= 200
    for group in grouped:
        release = group[0][0]
        assert all(len(tied) == 1 for tied in release.lattice.undecided)
        tight = tight_attack(release, prior="independent", population=population)
        sizes = [*(c.size for c in release.classes), release.suppressed]
        weights = [ordered(sizes, counts, weight) for _, counts in group]
        total = sum(weights)
        assert tight.status == "exact"
        if shares is None:
            assert tight.worlds == total
        else:  # whole units of the shares
            unit = Fraction(tight.worlds) / total
            whole = attack(release, population=population)
            promised = prod(part.lr_solutions for part in whole.parts)
            boxes = [sum(weight[cell] for cell in release.grid.cells(part.segment)) for part in whole.parts]
            assert Fraction(promised) / unit == prod(b**part.size for b, part in zip(boxes, whole.parts, strict=True))
        for view in tight.cells:
            for j, probability in enumerate(view.probabilities):
                held = sum(w for w, (_, counts) in zip(weights, group, strict=True) if counts.get(view.cell, 0) == j)
                assert probability == pytest.approx(float(held / total), abs=1e-12)


@pytest.mark.parametrize("shares", [None, SHARES])
def test_each_class_weighs_every_ordered_table_of_its_own(grouped, shares):
    population = None if shares is None else read_population(shares, STUDY, "shares.csv")
    weight = weight_of(population)
    for group in grouped:
        release = group[0][0]
        for part in attack(release, prior="independent", population=population).parts:
            possible = []
            for chosen in combinations_with_replacement(part.free_cells, part.size):
                counts = {cell: chosen.count(cell) for cell in part.free_cells}
                if part.feasible(list(counts.values())):
                    possible.append((counts, ordered([part.size], counts, weight)))
            total = sum(w for _, w in possible)
            box = sum(weight[cell] for cell in release.grid.cells(part.segment)) ** part.size
            if shares is None:
                assert (part.cra_solutions, part.lr_solutions) == (total, box)
                assert part.lr_solutions == release.grid.volume(part.segment) ** part.size
            if not part.basic:
                assert Fraction(part.lr_solutions, part.cra_solutions) == box / total
            for place, cell in enumerate(part.free_cells):
                for j, said in enumerate(part.cell_distributions()[place]):
                    true = sum(w for counts, w in possible if counts[cell] == j) / total
                    assert said == pytest.approx(float(true), abs=1e-12)


def test_draws_have_the_probabilities_of_the_prior():
    data = pd.DataFrame({"a": [0, 3, 4, 7, 1], "b": [0, 4, 2, 5, 5]})
    release = recode(data, STUDY).release
    population = read_population(SHARES, STUDY)
    for arguments in ({"prior": "independent"}, {"prior": "assignments"}, {"population": population}):
        for part in attack(release, **arguments).parts:
            drawn = part.draw(np.random.default_rng(1), 20_000)
            assert (drawn == 1).mean(axis=0) == pytest.approx(part.cell_probabilities(1), abs=0.02)


def test_repeated_records_spread_by_hand():
    # Two records in a union of 3 values, one of them the cell's: both in it 1/9, one 4/9, none 4/9.
    assert repeated_in_cell([0, 0, 9], 1, 2) == [4, 4, 1]
    assert placed_in_cell([0, 0, 3], 1, 2) == [1, 2, 0]


def test_assignments_by_hand():
    # Two records in three cells: 6 assignments; the first cell holds both in 1, one in 2, none in 3.
    assert assigned_to_cells([0, 0, 6], 1, 2) == [3, 2, 1]
    # Two of them hold both in 3, one in 2, none in 1.
    assert assigned_to_cells([0, 0, 6], 2, 1) == [1, 2, 3]
    assert assigned_to_cells([0, 0, 1], 1, 0) == [0, 0, 1]


def test_single_out_takes_the_prior_of_the_attack():
    study = Study(STUDY.attributes, 3)
    release = recode(pd.DataFrame({"a": [0, 3, 4], "b": [0, 4, 2]}), study).release
    apart, alike = (single_out(attack(release, prior=prior)) for prior in ("distinct", "independent"))
    assert apart.attack.prior.name == "distinct"
    assert alike.attack.prior.name == "independent"
    assert 0 < alike.expected_isolated < apart.expected_isolated


def test_the_audit_chooses_what_fits_and_says_so():
    few = Study([Attribute("a", 0, 8, 3)], 2)
    data = pd.DataFrame({"a": [0, 1, 2, 3, 4, 4, 4, 4, 5, 5, 5, 5, 6, 7]})
    audited = audit(recode(data, few).frame.astype(str), few, time_limit=5)
    assert values_repeat(audited.attack)
    assert (audited.attack.prior.name, audited.tight.prior.name) == ("assignments", "assignments")
    assert any("prior assignments" in warning for warning in audited.warnings)
    assert audit(recode(data, few).frame.astype(str), few, prior="distinct").attack.prior.name == "distinct"
    many = Study([Attribute("a", 0, 80_000, 3)], 2)
    assert audit(recode(data * 9_000, many).frame.astype(str), many).attack.prior.name == "distinct"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (b"a,b\n1,2\n", "first row must be"),
        (b"attribute,value,share\nage,3,1\n", "'age' is no attribute"),
        (b"attribute,value,share\na,9,1\n", "'9' is no value of 'a'"),
        (b"attribute,value,share\na,3,-1\n", "below 0"),
        (b"attribute,value,share\na,3,x\n", "'x' is no number"),
        (b"attribute,lower,upper,share\na,4,4,1\n", "holds no value"),
        (b"attribute,lower,upper,share\na,0,2,1\n", r"'a' has no share in \[2, 4\["),
        (b"attribute,value,share\na,3\n", "row 2"),
    ],
)
def test_population_files_that_cannot_be_used(text, says):
    with pytest.raises(StudyError, match=says):
        read_population(text, STUDY, "shares.csv")


def test_an_unknown_prior_is_one_sentence():
    release = recode(pd.DataFrame({"a": [0, 3, 4, 7], "b": [0, 4, 2, 5]}), STUDY).release
    with pytest.raises(CRAError, match="take 'distinct', 'independent' or 'assignments'"):
        attack(release, prior="uniform")
