"""Frames, notebooks and single lines say how sure their numbers are."""

import math
import re

import pandas as pd
import pytest

from cra_engine import (
    Attribute,
    CRAError,
    Release,
    Study,
    TooLargeError,
    attack,
    recode,
    single_out,
    synthesize,
    tight_attack,
)
from cra_engine.attacks.tight import system as tight_system
from cra_engine.cli.text import span
from cra_engine.patience import Stopped, stoppable
from cra_engine.words import apart, between
from drawn import count_nothing

LARGE = (3 * 10**30, 5 * 10**40)


@pytest.fixture
def release():
    made = synthesize("toy")
    return recode(made.data, made.study).release


def too_large(release):
    """An attack with a class of which limits are known only: of its tables, and of its assignments."""
    result = attack(release)
    part = next(one for one in result.classes if not one.basic)
    part.__dict__["cra_bounds"] = part.__dict__["combinations_bounds"] = LARGE
    return result, part


def test_whole_numbers_stay_whole_beside_limits(release):
    result, part = too_large(release)
    frame = result.to_frame().set_index("class")
    large = frame.loc[part.title.lower()]
    assert large["combinations"] is None
    assert (large["combinations_least"], large["combinations_most"]) == LARGE
    assert large["status"] == "bounds"
    assert math.isnan(large["ratio"])
    least, most = (math.log10(part.lr_solutions) - math.log10(end) for end in (LARGE[1], LARGE[0]))
    assert (large["log10_ratio_least"], large["log10_ratio_most"]) == (pytest.approx(least), pytest.approx(most))
    for other in result.parts:
        if other is not part:
            row = frame.loc[other.title.lower()]
            assert type(row["combinations"]) is int
            assert (row["combinations"], row["status"]) == (other.combinations, "exact")
            assert row["log10_ratio_least"] == row["log10_ratio"] == row["log10_ratio_most"]


def test_a_class_too_large_to_count_is_named_and_the_mean_is_at_least_so_much(release):
    result, part = too_large(release)
    least = [part.lr_solutions / LARGE[1] if one is part else one.ratio for one in result.classes]
    assert f"mean_ratio=at least {sum(least) / len(least):.6g})" in repr(result)
    assert any(f"Too large to count exactly is {part.title};" in warning for warning in result.warnings)
    assert "Too large to count" in result._repr_html_()
    with pytest.raises(TooLargeError, match=re.escape("lies between 3.000e+30 and 5.000e+40.")):
        _ = part.cra_solutions


def test_a_contradiction_is_no_class_that_is_too_large():
    people = pd.DataFrame({"a": ["[0, 4["] * 3 + ["[4, 8["] * 3 + ["*"] * 9})
    study = Study([Attribute("a", 0, 8, layers=3)], k=3)
    frame = attack(Release(study, people)).to_frame()
    # Nine people in all of it: each half would have held 3 or more, and been published.
    assert frame.iloc[-1]["status"] == "impossible"
    assert frame.iloc[-1][["ratio", "log10_ratio_least", "log10_ratio_most"]].isna().all()
    assert "bounds" not in set(frame["status"])


def test_limits_that_agree_in_many_digits_are_still_told_apart():
    lower, upper = 1_111_074 * 10**3082, 1_111_076 * 10**3082
    down, up = apart(lower, upper)
    assert down != up
    assert int(float(down.split("e")[0]) * 10**6) <= 1_111_074
    assert span(lower, upper) == f"{down}..{up}".replace("e+", "e")
    assert apart(3, 10**6) == ("3", "1,000,000")


def test_where_nothing_is_known_to_be_left_it_is_said_how_many_at_most():
    assert (span(0, 592), span(0, 0), span(1, 592)) == ("<= 592", "0", "1..592")
    assert (between(0, 592), between(0, 0), between(1, 592)) == ("at most 592", "0", "between 1 and 592")


def test_without_time_nothing_reads_as_nobody(release):
    tight = tight_attack(release, time_limit=0.0)
    assert tight.status == "timeout"
    assert set(tight.to_frame()["status"]) <= {"certain", "unknown"}
    assert any("The time ran out" in warning for warning in tight.warnings)
    assert "The time ran out" in tight._repr_html_()
    assert " or more" in repr(tight)


def test_an_estimate_has_its_error_and_its_cells_say_so(release, monkeypatch):
    count_nothing(monkeypatch)
    tight = tight_attack(release)
    assert tight.status == "estimate"
    assert f" ± {tight.log10_worlds_stderr:.2g}," in repr(tight)
    frame = tight.to_frame()
    assert set(frame["status"]) == {"certain", "estimate"}
    assert ((frame["lowest"] == frame["highest"]) == (frame["status"] == "certain")).all()


def test_chances_over_impossible_tables_are_not_called_exact(release, monkeypatch):
    assert "exact" in set(tight_attack(release).to_frame()["status"])
    monkeypatch.setattr(tight_system, "MAX_HYPOTHESES", 0)
    tight = tight_attack(release)
    assert tight.status == "exact"
    assert set(tight.to_frame()["status"]) == {"certain", "relaxed"}
    assert "upper bound" in tight._repr_html_()


def test_singling_out_ends_in_time_with_limits_that_hold(release):
    found = single_out(attack(release))
    cut = single_out(attack(release), time_limit=0)
    assert found.complete
    assert not cut.complete
    assert cut.cells == ()
    assert {(limits.lower, limits.upper) for limits in cut.bounded} == {(0.0, 1.0)}
    assert {limits.cell: limits.parts for limits in cut.bounded}.items() >= {
        chance.cell: chance.parts for chance in found.cells
    }.items()
    lower, upper = cut.expected_bounds
    assert lower <= found.expected_isolated <= upper
    assert "complete=False" in repr(cut)
    assert cut.to_dict()["complete"] is False
    with pytest.raises(TooLargeError, match="or were not in the given time; the number lies between 0"):
        _ = cut.expected_isolated
    with pytest.raises(CRAError, match="The time limit is -1; give"):
        single_out(attack(release), time_limit=-1)


def test_somebody_outside_still_ends_all_of_it(release):
    with pytest.raises(Stopped), stoppable(lambda: True):
        single_out(attack(release))
