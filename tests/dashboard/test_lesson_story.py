"""The eight-minute story: what it calls certain is so, by counting every way; and each click it calls right is."""

import itertools
import re
import string
from xml.etree import ElementTree as ET

import pytest

from cra_dashboard.lessons.argument import argument
from cra_dashboard.lessons.story.steps import steps, story
from cra_dashboard.session import datasets
from cra_dashboard.session.attacks import toy

STEPS = steps()
# The toy's release, written down by hand: ages and weights in steps of 20 from (20, 40) on, so that the square of
# ages 40 to 60 and weights 40 to 60 is (1, 0). What was published before the quarters, in three states:
EARLIER = {(1, 1), (1, 3), (2, 1), (2, 2), (0, 0), (0, 1), (0, 2), (1, 2)}
# and the two boxes after them, of three people each, where nothing was published before.
TOP, RIGHT = [(0, 3), (2, 3), (3, 3)], [(3, 0), (3, 1), (3, 2), (3, 3)]


@pytest.fixture(scope="module")
def shown():
    return argument()


@pytest.fixture(scope="module")
def told(shown):
    return story(shown)


def cells_of_the_raw_table():
    data, _ = datasets.example("toy")
    return [
        ((int(age) - 20) // 20, (int(weight) - 40) // 20)
        for age, weight in zip(data.frame.age, data.frame.weight, strict=True)
    ]


def test_seven_people_in_four_quarters_leave_one_square():
    # Every way to put three people into each long box and one where no box is; at most two of them in a quarter.
    everywhere = itertools.product(range(4), range(4))
    nowhere = [cell for cell in everywhere if cell not in {*EARLIER, *TOP, *RIGHT}]
    assert nowhere == [(1, 0), (2, 0)]
    ways = 0
    for top in itertools.combinations_with_replacement(TOP, 3):
        for right in itertools.combinations_with_replacement(RIGHT, 3):
            for alone in nowhere:
                quarters = [(x // 2, y // 2) for x, y in (*top, *right, alone)]
                if max(map(quarters.count, quarters)) <= 2:
                    ways += 1
                    assert alone == (1, 0)
    assert ways > 1


def test_what_is_certain_covers_no_word_of_the_last_question(told):
    # Later groups are drawn over earlier ones.
    layers = re.findall(r'data-layer="([a-z]+)"', told["picture"])
    asked = told["steps"][-1]["before"]
    assert layers.index("certain") < min(layers.index(name) for name in asked if name in {"pairs", "more"})
    assert "certain" in asked


def test_the_pair_that_holds_one_for_certain_has_room_for_one_more_once_that_is_the_answer(told):
    """Its label still said "room for 2" beside the answer that one more fits."""
    picture = ET.fromstring(told["picture"])  # noqa: S314 - our own
    groups = {group.get("data-layer"): group for group in picture.iter() if group.get("data-layer")}

    def rooms(layers):
        return sorted(text for name in layers for text in groups[name].itertext() if text.startswith("room for"))

    asked, last = told["steps"][7], told["steps"][8]
    assert rooms(asked["before"]) == ["room for 2"]  # of the pair in which nobody else is
    assert rooms(asked["after"]) == rooms(last["before"]) == ["room for 1 more", "room for 2"]


def test_no_dashed_line_runs_along_the_border_of_a_box(told):
    """Two lines at one place look torn."""
    drawn = ET.fromstring(told["picture"])  # noqa: S314 - our own
    layers = [one for one in drawn.iter() if one.get("data-layer") in {"tall", "pairs"}]
    assert len(layers) == 2
    found = [one for layer in layers for one in layer.iter() if one.tag.endswith("rect")]
    rects = [one for one in found if one.get("fill") != "transparent"]
    dashed = [edges(one) for one in rects if one.get("stroke-dasharray")]
    (box,) = [
        edges(one) for one in rects if one.get("stroke") and not one.get("stroke-dasharray") and one.get("rx") != "13"
    ]
    assert len(dashed) == 2
    for pair in dashed:
        assert all(abs(one - other) > 6 for one, other in zip(pair, box, strict=True))


def edges(rect):
    """Left, right, top and bottom."""
    x, y, width, height = (float(rect.get(name)) for name in ("x", "y", "width", "height"))
    return x, x + width, y, y + height


def test_the_frame_did_not_come_before_the_pairs(shown):
    # The frame is a box of state (1, 2), the pairs are of (2, 1). Before the frame the four people of a box of (2, 1)
    # were left, in two cells that lie in two boxes of (1, 2): with others they would be more than these had room for.
    assert shown.beside.segment.state == (1, 2)
    assert {pair.state for pair in shown.pairs} == {(2, 1)}
    for cell in toy().tight.isolated:
        orders = toy().tight.explain(cell, 60.0)
        assert {order.possible for order in orders} == {True, False}
        for order in orders:
            assert order.possible != any("state (1, 2)" in text for text in order.texts)


def test_tall_boxes_first_would_crowd_a_quarter(shown):
    # Box 4 of four people, in (0, 2) and (1, 2); above these cells (0, 3), of box 6, and (1, 3), published before.
    assert (shown.facts["split"], shown.facts["above"], shown.facts["above_size"]) == ("4", "6", "three")
    split, above = [(0, 2), (1, 2)], TOP
    ways = [
        (low, high)
        for low in itertools.combinations_with_replacement(split, 4)
        for high in itertools.combinations_with_replacement(above, 3)
    ]

    def room(way, column):
        """Whether a tall box would not have been published: two of its people at most."""
        return sum(cell in {(column, 2), (column, 3)} for cell in (*way[0], *way[1])) <= 2

    first = [way for way in ways if room(way, 0) and room(way, 1)]
    assert {tuple(map(way[0].count, split)) for way in first} == {(2, 2)}
    assert {way[1].count((0, 3)) for way in first} == {0}
    # So the three of box 6 are in the quarter at the top right, where two at most were left.
    assert {sum(x >= 2 and y >= 2 for x, y in way[1]) for way in first} == {3}
    # The step says so in a half step of its own, as its question rests on it, and lights what it speaks of.
    step = story(shown)["steps"][8]
    assert "Its turn came after the pairs." in step["text"]
    assert "Then box 4 would hold two and two, and nobody of box 6 would be above it." in step["why"]
    assert "So all three of box 6 would be in the shaded quarter." in step["why"]
    assert step["lit"] == ("crammed",)
    grid = shown.attack.release.grid
    assert set(grid.cells(shown.crammed)) == {(x, y) for x in (2, 3) for y in (2, 3)}
    assert [set(grid.cells(box)) for box in shown.splitting] == [{(0, 2), (0, 3)}, {(1, 2), (1, 3)}]


def test_which_long_box_came_first_would_make_one_more_cell_certain(shown):
    """Box 6 is the row at the top, box 7 the column on the right; whichever came first has the corner (3, 3)."""
    assert shown.if_first == {6: (3, 2), 7: (2, 3)}
    assert shown.facts["tied_1_place"] == "age from 80 to under 100 years and weight from 80 to under 100 kg"
    corner, held = (3, 3), {}
    for first, row, column in ((6, TOP, RIGHT[:3]), (7, TOP[:2], RIGHT)):
        for top in itertools.combinations_with_replacement(row, 3):
            for right in itertools.combinations_with_replacement(column, 3):
                people = [*top, *right, (1, 0)]
                quarters = [(x // 2, y // 2) for x, y in people]
                if max(map(quarters.count, quarters)) <= 2:
                    for cell in ((3, 2), (2, 3), corner):
                        held.setdefault((first, cell), set()).add(people.count(cell))
    assert held[6, (3, 2)] == {1}
    assert held[7, (2, 3)] == {1}
    assert all(held[6, cell] | held[7, cell] == {0, 1} for cell in ((3, 2), (2, 3), corner))
    assert {shown.spans[cell] for cell in ((3, 2), (2, 3), corner)} == {(0, 1)}


def test_the_argument_is_the_one_that_was_counted(shown):
    assert shown.cell == (1, 0)
    assert {quarter.ranks for quarter in shown.quarters} == set(itertools.product(range(2), repeat=2))
    assert {cell for part in shown.long for cell in part.free_cells} == {*TOP, *RIGHT}
    assert [part.size for part in shown.long] == [3, 3]
    assert {quarter.ranks for quarter in shown.crowded} == {(0, 1), (1, 0), (1, 1)}
    # All places of the crowded quarters are needed: that is what makes it certain.
    assert sum(part.size for part in shown.long) == len(shown.crowded) * (shown.k - 1)
    assert shown.facts["left"] == "seven"
    assert shown.facts["place"] == "age from 40 to under 60 years and weight from 40 to under 60 kg"


def test_what_is_shown_as_certain_is_so_in_the_raw_table(shown):
    raw = cells_of_the_raw_table()
    for cell, number in shown.numbers.items():
        assert raw.count(cell) == number
    assert tuple(int(place) for place in shown.truth) == shown.cell
    assert shown.others == {(0, 0)}


def test_the_second_certainty_follows_from_the_two_pairs(shown):
    # Three people in two squares; at most two in the upper pair, and one more in the lower one beside the first.
    assert {segment.ranks for segment in shown.pairs} == {(0, 0), (0, 1)}
    ways = [low for low in range(4) if low + 1 <= 2 and 3 - low <= 2]
    assert ways == [1]


def test_what_else_is_certain_at_the_end_is_so_for_the_reasons_that_are_told(shown):
    """Four people in two squares, each with fewer than k; and the full quarter around them, one square of it taken."""
    grid, found = shown.attack.release.grid, STEPS[8].found.format_map(shown.facts)
    assert "Box 4: neither of its two cells was a box by itself, so two in each." in found
    pair = grid.cells(shown.split.segment)
    assert [shown.numbers[cell] for cell in pair] == [shown.k - 1] * len(pair)
    assert shown.split.size == 2 * (shown.k - 1)
    (around,) = [set(grid.cells(one)) for one in shown.quarters if set(pair) <= set(grid.cells(one))]
    assert any(set(grid.cells(one)) == around for one in shown.crowded)
    corner, beside = sorted(around - set(pair))
    assert "in the corner: an earlier box took the cell beside" in found
    assert shown.numbers[corner] == shown.k - 1
    assert beside in {part.free_cells[0] for part in shown.attack.classes if part.basic}


def test_the_grey_half_of_the_upper_pair_was_published_before(shown):
    (upper,) = [one for one in shown.pairs if shown.cell not in shown.attack.release.grid.cells(one)]
    outside = set(shown.attack.release.grid.cells(upper)) - set(shown.beside.free_cells)
    (grey,) = outside
    assert shown.numbers[grey] == 6
    assert "nobody is known" not in STEPS[7].found
    assert "its grey half was published before" in STEPS[7].found


def test_what_can_be_read_at_once_is_shown_by_its_number_as_on_every_grid(shown, told):
    picture = ET.fromstring(told["picture"])  # noqa: S314 - our own
    (layer,) = [group for group in picture.iter() if group.get("data-layer") == "plain"]
    sizes = [str(part.size) for part in shown.attack.classes if part.basic]
    assert [one.text for one in layer] == sizes
    assert not [one for one in layer.iter() if one.get("fill") not in (None, "currentColor")]


# Read off the release by hand: the certain square, the four boxes of one square, what no box covers, the long boxes
# (the last two in the attack's order), k - 1, the quarter of the young and light, the certain square, k - 2, its
# neighbour.
RIGHT_BY_HAND = ["c1.0", "c1.1 c1.3 c2.1 c2.2", "c1.0 c2.0", "b6 b7", "n2", "q0", "c1.0", "n1", "c0.0"]


def test_a_step_argues_only_with_what_was_told(shown):
    # Of a box of one square the number is plain only by the rule, since a long box covers such a square, too ..
    plain = {part.free_cells[0] for part in shown.attack.classes if part.basic}
    covered = {cell for part in shown.long for cell in shown.attack.release.grid.cells(part.segment)}
    assert plain & covered
    # .. so that rule is told before it is asked; and each other idea where it is first used, or before.
    first_told = {"everybody": 1, "suppressed": 0, "fine box": 3, "quarter": 4, "room for": 4, "raw table": 6}
    for word, place in first_told.items():
        used = [
            at
            for at, step in enumerate(STEPS)
            for said in (step.text, step.ask, step.against, step.found)
            if word in said.lower()
        ]
        assert min(used) == place, word
        if word != "raw table":  # only to check what was concluded
            assert word in f"{STEPS[place].text} {STEPS[place].found}".lower()
    # The last frame is named by what tells it from all others: it alone has its colour, and a square in either pair.
    grid = shown.attack.release.grid
    assert [len(set(shown.beside.free_cells) & set(grid.cells(pair))) for pair in shown.pairs] == [1, 1]
    assert "beside" not in STEPS[8].text.replace("{beside}", "")


def test_what_is_called_right_was_worked_out_by_hand(told):
    assert [" ".join(step["right"]) for step in told["steps"]] == RIGHT_BY_HAND


@pytest.mark.parametrize("place", range(len(STEPS)))
def test_each_step_can_be_clicked_and_is_short(shown, told, place):
    step, given = STEPS[place], told["steps"][place]
    picture = ET.fromstring(told["picture"])  # noqa: S314 - our own
    groups = {group.get("data-layer"): group for group in picture.iter() if group.get("data-layer")}
    offered = {choice.get("data-choice"): choice for choice in groups[f"choices-{place}"]}
    assert set(given["right"]) < set(offered)
    assert given["right"]
    assert all(choice.get("aria-label") and choice.get("role") == "button" for choice in offered.values())
    for layer in (*step.before, *step.after, *step.lit):
        assert len(groups[layer])
    names = {
        name for part in ("title", "text", "why", "ask", "against", "found") for name in fields(getattr(step, part))
    }
    assert names <= set(shown.facts)
    words = re.sub("<[^>]*>", "", " ".join(given[part] for part in ("title", "text", "ask", "against", "found")))
    assert len(words.split()) <= 150
    assert len(given["why"].split()) <= 70
    assert "{" not in words


def fields(text):
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def test_whose_the_numbers_of_the_boxes_are_is_said_where_the_boxes_are_first_drawn():
    first = next(step for step in steps() if "boxes" in (*step.before, *step.after))
    assert "the boxes' numbers are ours" in first.text
    assert not any("Box {" in step.text for step in steps()[: steps().index(first)])


def test_the_main_line_ends_with_the_proof_and_the_tie_is_folded():
    last = steps()[-1]
    assert last.found.endswith("numbers are certain.**")
    assert "tall boxes" in last.why.lower()
    assert "whichever came first" in last.doubt
    assert not any(step.doubt for step in steps()[:-1])


def test_there_are_nine_steps_and_the_answer_is_not_in_sight_before_it_is_asked():
    assert len(STEPS) == 9
    for step in STEPS[:7]:
        assert not {"certain", "truth", "numbers"} & set(step.before)
    assert not any("c3" in step.text + step.found for step in STEPS[:7])
