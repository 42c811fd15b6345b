"""Why a state was chosen: the sentences, against cases worked out by hand (tests/dashboard/hand_recodings.py)."""

from fractions import Fraction

import pandas as pd
from hand_recodings import c1_decides, c2_decides, nothing_works, share_decides, three_decide

from cra_dashboard.charts import lattice as lattice_chart
from cra_dashboard.texts import reasons
from cra_engine import Attribute, Study, recode


def said(recoding, index):
    return " ".join(reasons.step_reason(recoding, index, recoding.candidates(max(index, 1))))


def ties(recoding, index):
    return " ".join(reasons.ties(recoding, index, recoding.candidates(max(index, 1))))


def test_the_raw_table_and_the_question():
    recoding, _ = three_decide()
    assert reasons.step_heading(recoding, 0) == "Before the first step: the raw table"
    text = said(recoding, 0)
    assert "None of the 6 people is published yet." in text
    assert "at least k = 3 " in text
    assert "4 states of 9 could publish now" in text


def test_c3_decides_between_states_that_tie():
    recoding, _ = three_decide()
    assert reasons.step_heading(recoding, 1) == "Step 1 of 2: state (1, 3)"
    text = said(recoding, 1)
    assert (
        "**(1, 3)** is the cheapest state that still has a box with at least k = 3 of the 6 remaining people." in text
    )
    assert "It publishes 1 box with 3 people; 3 are left." in text
    assert "The 4 cheaper states could not publish: their fullest box holds only 2." in text
    assert text.endswith("(3, 1) loses exactly as much: the smaller share of different values lost (**c3**) decides.")
    in_full = ties(recoding, 1)
    assert "(3, 1) (c3 = 0.75) has the same loss, c1 and c2; **c3**" in in_full
    assert "≈ 0.583 is the lowest" in in_full


def test_no_tie_is_told_where_the_rival_could_not_publish():
    recoding, _ = three_decide()
    text = said(recoding, 2)
    assert "**(3, 1)** is the cheapest" in text
    assert "c3" not in text + ties(recoding, 2)
    # (1, 3) ties with it, comes first and is spent: it counts among the cheaper ones in the order.
    assert "The 5 cheaper states could not publish" in text


def test_c1_decides():
    recoding, _ = c1_decides()
    assert recoding.iterations[0].state == (2, 1)
    text = said(recoding, 1)
    assert text.endswith(" (1, 3) loses exactly as much: the smaller sum of the layers (**c1**) decides.")
    in_full = ties(recoding, 1)
    assert (
        in_full == "(1, 3) (c1 = 4) has exactly the same loss; **c1**, the sum of the layers, decides: 3 is the lower."
    )


def test_c2_decides():
    recoding, _ = c2_decides()
    assert recoding.iterations[0].state == (1, 3)
    text = said(recoding, 1)
    assert "loses exactly as much: the smaller mean height in the hierarchies (**c2**) decides." in text
    in_full = ties(recoding, 1)
    assert "(2, 2) (c2 ≈ 0.583) has the same loss and c1; **c2**" in in_full
    assert "≈ 0.542 is the lower" in in_full
    assert "**c1**" not in in_full
    assert "**c3**" not in in_full


def test_a_share_that_a_step_must_publish_is_named():
    recoding, _ = share_decides()
    assert recoding.iterations[0].state == (2,)
    text = said(recoding, 1)
    assert "at least k = 2 (and at least 4 in all such boxes) of the 399 remaining people" in text
    assert "The only cheaper state, (1), could not publish: its fullest box holds 2, but all boxes with k = 2" in text
    assert "together only 2, and one step must publish at least 4 (1 % of 399; profile arx-gui)" in text


def test_the_end_with_nobody_left():
    recoding, _ = three_decide()
    assert reasons.step_heading(recoding, 3) == "The end: nothing is left"
    assert said(recoding, 3) == "Nobody is left: everybody is published in a box, and none is suppressed."


def test_the_end_with_too_few_left():
    # Three at 0, one at 3: the box of the three is published, one record cannot fill a box of 3.
    recoding = recode(pd.DataFrame({"a": [0, 0, 0, 3]}), Study([Attribute("a", 0, 4, 2)], 3))
    assert "1 person is left and suppressed" in said(recoding, 2)
    assert "fewer than k = 3 can never fill a box" in said(recoding, 2)


def test_the_end_with_nothing_published():
    recoding, _ = nothing_works()
    text = said(recoding, 1)
    assert "6 people are left and suppressed" in text
    assert "no state below the top" in text
    assert "holds only 3" in text
    assert "No state has such a box" in said(recoding, 0)


def test_numbers_have_the_digits_that_tell_them_apart():
    assert reasons.criterion_texts([Fraction(1, 2), None]) == ["0.5", "-"]
    assert reasons.criterion_texts([Fraction(7, 12)]) == ["≈ 0.583"]
    close = [Fraction(98854, 100_000), Fraction(988_542, 1_000_000)]
    # With five digits both read 0.98854, one of them rounded.
    assert reasons.criterion_texts(close) == ["0.98854", "0.988542"]
    assert reasons.criterion_texts([Fraction(1, 3), Fraction(1, 3)]) == ["≈ 0.333", "≈ 0.333"]


def test_the_candidate_table_is_the_sweep_with_its_numbers():
    recoding, _ = three_decide()
    candidates = recoding.candidates(1)
    table = reasons.candidate_table(recoding, 1, candidates, lattice_chart.statuses(recoding, 1, candidates))
    assert list(table["state"][:4]) == ["(1, 1)", "(1, 2)", "(2, 1)", "(2, 2)"]
    row = table.set_index("state").loc["(1, 3)"].to_dict()
    # Loss of leaf x root: sqrt((1 + 99/399) * 2) - 1 = 0.5798...
    assert row == {
        "what became of it": "chosen now",
        "information loss": "0.5799",
        "can publish": "yes",
        "boxes with 3 or more": 1,
        "people in them": 3,
        "fullest box": 3,
        "c1": 4,
        "c2": "≈ 0.667",
        "c3": "≈ 0.583",
    }
    assert table.set_index("state").loc["(1, 1)", "can publish"] == "no"


def test_losses_have_the_digits_that_tell_them_apart():
    # (1 + 999/1999) * 2 = 2.99950 and (1 + 1000/2001) * 2 = 2.99950: no tie, though both have the root 1.7319.
    recoding = recode(
        pd.DataFrame({"a": [0, 1], "b": [0, 1]}), Study([Attribute("a", 0, 2000, 2), Attribute("b", 0, 2002, 2)], 2)
    )
    candidates = recoding.candidates(1)
    table = reasons.candidate_table(recoding, 1, candidates, lattice_chart.statuses(recoding, 1, candidates))
    losses = [float(text) for text in table["information loss"]]
    assert losses == sorted(set(losses))
    assert [round(loss, 4) for loss in losses[1:3]] == [0.7319, 0.7319]


def test_the_short_table_shows_the_chosen_state_wherever_it_stands():
    recoding, _ = three_decide()
    for index in range(4):
        candidates = recoding.candidates(max(index, 1))
        status = lattice_chart.statuses(recoding, index, candidates)
        rows = candidates[reasons.nearby_rows(candidates, status, 4)]
        assert len(rows) == 4
        chosen = [state for state, what in status.items() if what == "chosen"]
        assert set(chosen) <= {candidate.state for candidate in rows}


def test_the_pointer_is_told_what_a_state_published():
    recoding, _ = three_decide()
    candidates = recoding.candidates(2)
    hovers = reasons.hovers(recoding, candidates, lattice_chart.statuses(recoding, 2, candidates))
    assert "published 1 class in step 1" in hovers[1, 3]
    assert "fullest box: 3" in hovers[3, 1]
    assert "published 1 class" not in hovers[3, 1]
