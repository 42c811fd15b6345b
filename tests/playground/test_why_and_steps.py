"""The reasons for a cell, and the stops of the elimination, against the engine and by hand."""

import math
import re
from itertools import product

import pytest

from cra_dashboard.playground.challenges import toy
from cra_dashboard.playground.elimination import elimination
from cra_dashboard.playground.outcome import ALL, SUPPRESSED, outcome_of
from cra_dashboard.playground.scene import Scene, read
from cra_dashboard.playground.why import why
from cra_dashboard.texts.spoken import spoken
from cra_dashboard.texts.tight_story import holds
from cra_engine import words

BASE = toy()
TOY = outcome_of(BASE, Scene("toy", 3), patience=600)
OTHERS = [outcome_of(BASE, read(text, BASE), patience=600) for text in ("toy-k2", "toy-k4-m3.0", "toy-k3-d7-m30.9-a5")]


def solutions(equations, letters, most=8):
    """Every value of x that fits the equations, by trying all whole numbers."""
    names = sorted(set(letters) - {"x"})
    found = set()
    for values in product(range(most), repeat=len(names) + 1):
        given = dict(zip(["x", *names], values, strict=True))
        total = {e: sum(given[n] for n in re.findall(r"[a-z]", e.rsplit(" ", 2)[0])) for e in equations}
        if all(t == int(e.split()[-1]) if " = " in e else t <= int(e.split()[-1]) for e, t in total.items()):
            found.add(given["x"])
    return found


def test_the_equations_force_the_count_and_each_is_needed():
    tried = impossible = 0
    for outcome in (TOY, *OTHERS):
        for number, (low, high, _) in enumerate(outcome.cells):
            told = why(outcome, number)
            if low != high or not told["ways"]:
                continue
            assert "for certain" in told["verdict"]
            for way in told["ways"]:
                equations = [fact["equation"] for fact in way["facts"]]
                letters = {letter for _, letter in way["letters"]}
                if len(letters) > 6 or not all(equations):
                    continue
                if not way["possible"]:
                    # An order that did not happen: its facts fit no numbers at all.
                    assert solutions(equations, letters, 5) == set()
                    impossible += 1
                    continue
                assert solutions(equations, letters) == {low}
                for left_out in equations:
                    rest = [equation for equation in equations if equation != left_out]
                    assert solutions(rest, letters) != {low}
                tried += 1
            # What is shown first is a reason; the sentence before it says the same number.
            assert told["ways"][0]["possible"]
            assert told["plainly"].endswith(f"That leaves {holds(low)} here.")
    assert tried >= 3
    assert impossible


def test_a_sentence_lights_up_the_cells_of_its_equation():
    told = why(TOY, TOY.certain[0])
    for way in told["ways"]:
        letters = {letter: cell for cell, letter in way["letters"]}
        assert letters["x"] == TOY.certain[0]
        for fact in way["facts"]:
            named = {letters[name] for name in re.findall(r"[a-z]", fact["equation"].rsplit(" ", 2)[0])}
            assert named == set(fact["cells"])
            left, right, low, high = fact["box"]
            assert all(left <= c // 4 < right and low <= c % 4 < high for c in fact["cells"])


def test_every_kind_of_cell_is_told():
    kinds = {why(outcome, number)["verdict"].split(":")[0] for outcome in (TOY, *OTHERS) for number in range(16)}
    assert any(kind.startswith("Exactly") for kind in kinds)
    assert any("exactly one with a chance" in kind for kind in kinds)
    assert any("nobody, for certain" in kind for kind in kinds)
    open_cell = next(n for n, (low, high, _) in enumerate(TOY.cells) if low != high)
    told = why(TOY, open_cell)
    assert told["ways"][0]["when"].startswith("Box ")
    assert sum(float(share.rstrip("%")) for _, share in told["chances"]) == pytest.approx(100, abs=1.5)


@pytest.mark.parametrize("outcome", [TOY, *OTHERS])
def test_the_stops_of_a_box_are_the_engines_numbers(outcome):
    for index, part in enumerate([*outcome.attack.classes]):
        number = outcome.number_of(index)
        steps = elimination(outcome, number)
        free = math.comb(sum(part.cell_volumes), part.size)
        expected = [part.lr_solutions, part.lr_solutions, free, part.cra_solutions]
        assert [stop["count"] for stop in steps["stops"][:4]] == [words.count(count) for count in expected]
        for narrow, wide in zip(steps["stops"][1:], steps["stops"], strict=False):
            spans = {cell: (low, high) for cell, low, high in wide["spans"]}
            assert all(spans[cell][0] <= low <= high <= spans[cell][1] for cell, low, high in narrow["spans"])
        if steps["ghosts"]:
            cells = len(steps["cells"])
            assert len(steps["ghosts"]) == math.comb(part.size + cells - 1, part.size)
            assert sum(ghost["stop"] > 3 for ghost in steps["ghosts"]) == part.combinations
            # The truth survives every stop.
            true = [
                sum(1 for row in outcome.attack.release.rows_of(index) if _cell(outcome, row) == c)
                for c in steps["cells"]
            ]
            assert next(g["stop"] for g in steps["ghosts"] if g["counts"] == true) == 5


def _cell(outcome, row):
    from cra_dashboard.playground.scene import people  # noqa: PLC0415 - of this helper alone

    return BASE.number(people(BASE, outcome.scene)[row][1])


@pytest.mark.parametrize("outcome", [TOY, *OTHERS])
def test_the_stops_of_all_are_products_that_end_at_the_tight_attack(outcome):
    steps = elimination(outcome, ALL)
    parts = outcome.attack.parts
    assert steps["stops"][0]["count"] == words.count(math.prod(part.lr_solutions for part in parts))
    assert steps["stops"][3]["count"] == words.count(math.prod(part.cra_solutions for part in parts))
    assert steps["stops"][4]["count"] == words.count(outcome.tight.worlds)
    assert steps["stops"][4]["spans"] == [[n, low, high] for n, (low, high, _) in enumerate(outcome.cells)]


def test_the_suppressed_have_stops_too():
    steps = elimination(TOY, SUPPRESSED)
    assert steps["title"] == "The suppressed people"
    assert [ghost["stop"] for ghost in steps["ghosts"]].count(5) == 1


def test_what_is_not_counted_is_called_a_bound(monkeypatch):
    monkeypatch.setattr("cra_dashboard.playground.elimination.fillings_left", lambda *_: None)
    stop = elimination(TOY, 6)["stops"][4]
    assert stop["count"].startswith("at most ")
    assert not stop["exact"]


def test_the_steps_speak_of_one_box_or_of_all():
    one, every = elimination(TOY, 6)["stops"], elimination(TOY, ALL)["stops"]
    assert (one[0]["name"], every[0]["name"]) == ("The box", "The boxes")
    # The order alone rules out nothing, and is said not to.
    for stops in (one, every):
        assert stops[1]["count"] == stops[0]["count"]
        assert stops[1]["fewer"] == "as many as before"
        assert "The next step uses that." in stops[1]["text"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("age in [20, 40) years", "age from 20 to under 40 years"),
        ("[-5, 0.5) and [1,000, 2,000]", "-5 to under 0.5 and 1,000 to 2,000"),
        ("Box 1 [sic], in [a, b)", "Box 1 [sic], in [a, b)"),
    ],
)
def test_intervals_in_words(text, said):
    assert spoken(text) == said
