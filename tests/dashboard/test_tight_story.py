"""What is said of the tight attack: never more than was found."""

import math
from types import SimpleNamespace

import pytest

from cra_dashboard.texts.singled import singled_out
from cra_dashboard.texts.tight_story import (
    between,
    comparison,
    distinct,
    holds,
    how_sure,
    lead_in,
    order_of,
)
from cra_engine import audit, recode, synthesize, tight_attack
from cra_engine.attacks.prior import DISTINCT
from cra_engine.attacks.solver.views import CellView, Explanation

FOUND = {
    "status": "exact",
    "of_classes": False,
    "counted": True,
    "log10_worlds": 1.0,
    "log10_worlds_stderr": 0.0,
    "log10_worlds_per_class": 2.0,
    "log10_worlds_intervals": 3.0,
    "relaxed": False,
    "complete": True,
    "refused": "",
    "isolated": [],
}
ESTIMATE = {"status": "estimate", "counted": False, "log10_worlds_stderr": 0.04 / math.log(10)}
TIMEOUT = {"status": "timeout", "counted": False, "log10_worlds": None, "log10_worlds_stderr": None, "complete": False}


def toy():
    made = synthesize("toy")
    return tight_attack(recode(made.data, made.study).release)


def found(**changed):
    return SimpleNamespace(prior=DISTINCT, **FOUND | changed)


def test_an_exact_comparison():
    text = comparison(found())
    assert "The intervals alone allow 1,000 tables." in text
    assert "Each class by itself, the paper's attack, leaves 100: 10 times fewer." in text
    assert text.endswith("All classes together leave 10: 10 times fewer again.")
    assert "estimate" not in text
    assert comparison(found(log10_worlds=2.0)).endswith("All classes together leave 100: as many as before.")


def test_an_estimate_has_its_standard_error():
    assert "about 10 (an estimate, standard error 4.0 %): about 10 times fewer again." in comparison(found(**ESTIMATE))
    # 6,341 times, of which an estimate knows two digits.
    rounded = comparison(found(**ESTIMATE | {"log10_worlds_per_class": 1 + math.log10(6341)}))
    assert rounded.endswith("about 6,300 times fewer again.")
    within = comparison(found(**ESTIMATE | {"log10_worlds": 1.99}))
    assert within.endswith("no fewer, as far as the estimate can tell.")


def test_an_upper_bound_is_said_to_be_one():
    text = comparison(found(relaxed=True))
    assert "All classes together leave at most 10, at least 10 times fewer." in text
    assert "This is an upper bound" in text
    text = comparison(found(relaxed=True, log10_worlds=2.0, of_classes=True))
    assert "All classes together leave at most 100, the number of the classes by themselves; of all together" in text


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


def test_time_is_the_reason_only_where_it_ran_out():
    made = synthesize("toy")
    table = recode(made.data, made.study).frame[list(made.study.names)]
    guessed = audit(table, k=3).assessment
    assert guessed.certain.sure != "timeout"
    assert singled_out(guessed).startswith("nobody known for certain, about ")


def test_the_order_of_tied_states():
    two = (((1, 2), (2, 1)), ((1, 3), (3, 1)))
    assert order_of(Explanation((), (), minimal=True, order=two)) == "(1, 2) before (2, 1) and (1, 3) before (3, 1)"
    assert order_of(Explanation((), (), minimal=True)) == ""
    orders = [explanation.order for explanation in toy().explain(toy().isolated[0])]
    assert len(set(orders)) == len(orders) > 1


def test_what_a_cell_can_hold():
    def view(lowest, highest, seen):
        return CellView((0,), lowest, highest, seen, (), exact=False)

    assert between(view(0, 4, (0, 4))) == "0 to 4"
    assert between(view(1, 1, (1, 1))) == "exactly 1"
    assert between(view(1, 1, None)) == "exactly 1"
    assert between(view(0, 4, (1, 3))) == "0 to 4 at most; 1 to 3 seen"
    assert between(view(0, 4, None)) == "0 to 4 at most"


def test_classes_too_large_to_count_are_not_called_a_lack_of_time():
    tight = found(**TIMEOUT | {"refused": "Class 3 is too large."})
    assert how_sure(tight, 2.0).startswith("How many tables are left is not known. Class 3 is too large.")
    assert "ran out" not in how_sure(tight, 2.0)
    assert comparison(tight).endswith("is not known: the classes are too large to count.")
    unknown = comparison(found(log10_worlds_per_class=None))
    assert unknown == "The intervals alone allow 1,000 tables. All classes together leave 10."


def test_explanations_that_say_the_same_count_once():
    one, same, other = (Explanation((), texts, minimal=True) for texts in (("a",), ("a",), ("b",)))
    assert [explanation.texts for explanation in distinct([one, same, other])] == [("a",), ("b",)]
    late, later = (Explanation((), (), minimal=False, order=(order,)) for order in (((1, 2), (2, 1)), ((2, 1), (1, 2))))
    assert distinct([one, late, later]) == [one, late, later]


def test_what_a_cell_holds():
    assert [holds(count) for count in (0, 1, 2)] == ["nobody", "exactly one person", "exactly 2 people"]
