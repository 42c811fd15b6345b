"""What single classes make certain: against listing every assignment, against the truth, and by hand."""

from types import SimpleNamespace

import pandas as pd
import pytest

from cra_engine import Attack, Attribute, Study, attack, recode, safe_recode, tight_attack
from cra_engine.raw.synthesis import synthesize
from strategies import random_case

MOST = 300


@pytest.mark.parametrize("seed", range(30))
def test_certain_counts_are_those_that_every_assignment_shares(seed):
    case = random_case(seed, most_records=25)
    for part in attack(recode(case.data, case.study).release).parts:
        if part.combinations > MOST:
            continue
        listing = part.assignments(MOST)
        assert listing.complete
        shared = {
            cell: counts.pop()
            for cell, counts in zip(listing.cells, map(set, zip(*listing.assignments, strict=True)), strict=True)
            if len(counts) == 1
        }
        assert part.certain_counts == shared


@pytest.mark.parametrize("seed", range(30))
def test_whoever_is_isolated_for_certain_is_alone_in_the_data(seed):
    case = random_case(seed, most_records=25)
    recoding = recode(case.data, case.study)
    held = recoding.cell_counts(1)
    assert all(held[cell] == 1 for cell in attack(recoding.release).isolated)


def test_some_are_isolated_by_their_own_class():
    # k = 2: had both people of [0, 4[ been in one of its halves, that half had been published. So each half has one.
    study = Study([Attribute("a", 0, 8, 3)], 2)
    recoding = recode(pd.DataFrame({"a": [0, 3, 4, 5]}), study)
    assert [(c.segment.state, c.segment.ranks, c.size) for c in recoding.release.classes] == [
        ((1,), (2,), 2),
        ((2,), (0,), 2),
    ]
    assert attack(recoding.release).isolated == [(0,), (1,)]


def test_the_toys_certain_people_are_among_those_of_all_classes_together():
    made = synthesize("toy")
    release = recode(made.data, made.study).release
    assert set(attack(release).isolated) <= set(tight_attack(release).isolated)


def part(counts, cells):
    return SimpleNamespace(certain_counts=counts, may_fill=lambda cell: cell in cells)


def test_a_cell_that_tied_classes_may_fill_needs_all_of_them():
    open_cells = [(0,), (1,), (2,), (3,)]
    parts = [
        part({(0,): 1, (1,): 1, (2,): 1, (3,): 0}, open_cells),
        part({(0,): 0, (1,): 1, (3,): 1}, open_cells),
        part({(4,): 1}, [(4,)]),
    ]
    # (0,): 1 + 0; (1,): two people; (2,): the second class may add somebody; (3,): 0 + 1; (4,): raw values beside it.
    attacked = SimpleNamespace(parts=parts, raw=[part({(4,): 2}, [(4,)])])
    assert Attack.isolated.fget(attacked) == [(0,), (3,)]


def test_halves_of_a_safe_release_may_hold_any_number():
    # Eight records in four values: some are alike. Without bounds any number of them can be in [0, 2[; five are.
    data = pd.DataFrame({"a": [0] * 5 + [2] * 3})
    release = safe_recode(data, Study([Attribute("a", 0, 4, layers=2)], k=5), epsilon=1, seed=0).release
    (part,) = attack(release).parts
    assert part.size == 8
    assert part.coincident
    assert part.certain_counts == {}
    assert part.count_ranges == {(0,): (0, 8), (1,): (0, 8)}
