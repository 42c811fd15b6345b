"""What is said of the tight attack: never more than was found."""

import math
from types import SimpleNamespace

import pytest
from certain import FRAME, STUDY

from cra_engine import Explanation, recode, tight_attack
from dashboard.tight_story import comparison, distinct, holds, how_sure, lead_in, order_of, tables, times_fewer

FOUND = {
    "status": "exact",
    "worlds": 10,
    "log10_worlds": 1.0,
    "log10_worlds_stderr": 0.0,
    "log10_worlds_per_class": 2.0,
    "log10_worlds_intervals": 3.0,
    "relaxed": False,
    "complete": True,
    "isolated": [],
}
ESTIMATE = {"status": "estimate", "worlds": None, "log10_worlds_stderr": 0.04 / math.log(10)}
TIMEOUT = {"status": "timeout", "worlds": None, "log10_worlds": None, "log10_worlds_stderr": None, "complete": False}


def found(**changed):
    return SimpleNamespace(**FOUND | changed)


def test_numbers_from_logarithms():
    assert tables(math.log10(112)) == "112"
    assert tables(0) == "1"
    assert tables(3445.30103) == "2.0 × 10³⁴⁴⁵"
    assert tables(11.99) == "9.8 × 10¹¹"
    assert tables(11.9999) == "1.0 × 10¹²"
    assert times_fewer(2, 1) == "10 times fewer"
    assert times_fewer(1, 1) == "as many as before"
    assert times_fewer(1020.30103, 10) == "2.0 × 10¹⁰¹⁰ times fewer"


def test_an_exact_comparison():
    text = comparison(found())
    assert "The intervals alone allow 1,000 tables." in text
    assert "Each class by itself, the paper's attack, leaves 100: 10 times fewer." in text
    assert text.endswith("All classes together leave 10: 10 times fewer again.")
    assert "estimate" not in text
    assert comparison(found(log10_worlds=2.0)).endswith("All classes together leave 100: as many as before.")


def test_an_estimate_has_its_standard_error():
    assert "about 10 (an estimate, standard error 4.0%): about 10 times fewer again." in comparison(found(**ESTIMATE))
    # 6,341 times, of which an estimate knows two digits.
    rounded = comparison(found(**ESTIMATE | {"log10_worlds_per_class": 1 + math.log10(6341)}))
    assert rounded.endswith("about 6,300 times fewer again.")
    within = comparison(found(**ESTIMATE | {"log10_worlds": 1.99}))
    assert within.endswith("no fewer, as far as the estimate can tell.")


def test_an_upper_bound_is_said_to_be_one():
    text = comparison(found(relaxed=True))
    assert "All classes together leave at most 10, at least 10 times fewer." in text
    assert "This is an upper bound" in text


def test_an_unfinished_run_knows_no_number():
    assert comparison(found(**TIMEOUT)).endswith("is not known: the run did not finish.")


@pytest.mark.parametrize("stopped", [True, False])
def test_an_unfinished_run_is_never_called_exact(stopped):
    text = how_sure(found(**TIMEOUT), 3.0, stopped=stopped)
    assert text.startswith("You stopped the run" if stopped else "The time ran out")
    assert "not finished" in text
    assert "xact" not in text
    assert how_sure(found(), 3.0).startswith("Exact:")
    assert how_sure(found(**ESTIMATE), 3.0).startswith("An estimate:")
    assert ("You stopped the run" in how_sure(found(**ESTIMATE), 3.0, stopped=stopped)) is stopped


def test_who_is_singled_out():
    assert lead_in(found(isolated=[(0,)])) == "From the release alone, one person is singled out for certain."
    assert "2 people are singled out for certain. There may be more" in lead_in(
        found(**TIMEOUT | {"isolated": [(0,), (1,)]})
    )
    assert "That is no protection" in lead_in(found())
    for doubtful in (found(**TIMEOUT), found(relaxed=True, complete=False)):
        assert lead_in(doubtful).endswith("there may be somebody.")


def test_the_order_of_tied_states():
    early, late = object(), object()
    system = SimpleNamespace(
        hypotheses=[
            SimpleNamespace(bounds=(early,), order=(((1, 2), (2, 1)),)),
            SimpleNamespace(bounds=(early, late), order=(((2, 1), (1, 2)),)),
        ]
    )
    tight = SimpleNamespace(system=system)
    assert order_of(tight, Explanation((early,), ("e",), minimal=True)) == "(1, 2) before (2, 1)"
    assert order_of(tight, Explanation((late,), ("l",), minimal=True)) == "(2, 1) before (1, 2)"
    assert order_of(tight_attack(recode(FRAME, STUDY).release), Explanation((), (), minimal=True)) == ""


def test_explanations_that_say_the_same_count_once():
    one, same, other = (Explanation((), texts, minimal=True) for texts in (("a",), ("a",), ("b",)))
    assert [explanation.texts for explanation in distinct([one, same, other])] == [("a",), ("b",)]


def test_what_a_cell_holds():
    assert [holds(count) for count in (0, 1, 2)] == ["nobody", "exactly one person", "exactly 2 people"]
