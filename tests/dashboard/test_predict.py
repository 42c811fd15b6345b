"""Predictions: the answer that is called right is right by a computation of its own."""

import itertools
import re
from fractions import Fraction

import pandas as pd
import pytest

from cra_dashboard.lessons.pages import attack as of_attack
from cra_dashboard.lessons.pages import recode as of_recoding
from cra_dashboard.lessons.pages import single_out as of_singling
from cra_dashboard.lessons.pages import together as of_releases
from cra_dashboard.lessons.question import Question
from cra_dashboard.session import datasets
from cra_dashboard.texts import words
from cra_engine import Attribute, Study, attack, compose, recode, single_out, tight_attack
from cra_engine.words import spoken


@pytest.mark.parametrize("option", ["3", "It rules out more", "A table."])
def test_an_answer_is_said_after_a_colon_whatever_it_is(option):
    question = Question("?", ("other", option), 1, ())
    assert question.said(1) == f"The answer: {option.rstrip('.')}."
    assert question.said(0, "You said") == "You said: other."


def test_whoever_guesses_a_cell_hears_of_that_cell_and_of_every_right_one():
    """“The answer: Age 20 to 40, weight 40 to 60. 0 or 1 people can be there” read as if there were the right cell."""
    _, _, recoding = study_of("toy", 3)
    question = of_singling.certain(tight_attack(recoding.release))
    assert question.answer == "The answer: Age 20 to 40, weight 40 to 60, and also Age 40 to 60, weight 40 to 60."
    cells = [why for place, why in question.against.items() if question.options[place] != of_singling.NOWHERE]
    assert len(cells) == 3
    assert all(why.startswith("In your cell ") for why in cells)


def test_the_ratio_is_explained_where_it_is_asked():
    frame, study, _ = study_of("toy", 3)
    asked = of_attack.larger_k(frame, study, 5).text
    assert asked.index("2.2 times fewer tables") < asked.index("ratio")


def study_of(name, k=None):
    data, study = datasets.example(name)
    study = Study(study.attributes, k or study.k, study.profile)
    return data.frame, study, recode(data.frame, study)


CASES = [("toy", 3), ("toy", 5), ("clinic", 5)]


def answer(question):
    assert len(set(question.options)) == len(question.options) >= 2
    assert question.right not in question.against
    assert question.why
    return question.options[question.right]


def widths(attribute, layer):
    return (attribute.upper - attribute.lower) / 2 ** (attribute.layers - layer)


def fullest(frame, study, state):
    """The most records that share a box of a state, straight from the raw values."""
    if frame.empty:
        return 0
    boxes = [
        tuple(
            int((row[a.name] - float(a.lower)) // float(widths(a, layer)))
            for a, layer in zip(study.attributes, state, strict=True)
        )
        for _, row in frame.iterrows()
    ]
    return max(boxes.count(box) for box in boxes)


@pytest.mark.parametrize(("name", "k"), CASES[:2])
def test_the_next_state_is_the_cheapest_with_a_full_box(name, k):
    frame, study, recoding = study_of(name, k)
    top = tuple(a.layers for a in study.attributes)
    states = list(itertools.product(*(range(1, a.layers + 1) for a in study.attributes)))
    names = [a.name for a in study.attributes]

    def loss(state):
        result = 1.0
        for a, layer in zip(study.attributes, state, strict=True):
            length, whole = float(widths(a, layer)), float(a.upper - a.lower)
            result *= 1 + (length - 1) / (whole - 1)
        return result

    for index in range(len(recoding.iterations) + 1):
        question = of_recoding.next_state(recoding, index)
        left = frame.astype(float)[(recoding.iteration_of_record == 0) | (recoding.iteration_of_record > index)]
        able = [s for s in states if s != top and fullest(left[names], study, s) >= k]
        said = answer(question)
        if not able:
            assert said.startswith("None")
            continue
        least = min(loss(s) for s in able)
        cheapest = {f"({', '.join(map(str, s))})": s for s in able if loss(s) <= least * (1 + 1e-9)}
        assert said in cheapest
        # What differs in nothing that can be known without the raw table, c1 and c2 included, is not wrong either.
        known = {name: (sum(s), sum(map(Fraction, s, top))) for name, s in cheapest.items()}
        alike = {name for name in known if known[name] == known[said]} - {said}
        assert {question.options[place] for place in question.also} == alike & set(question.options)
        assert not set(question.also) & set(question.against)
        assert "None" in question.options[-1]
    assert of_recoding.next_state(recoding, len(recoding.iterations) + 1) is None


@pytest.mark.parametrize(("name", "k"), CASES)
def test_a_half_holds_what_the_listed_fillings_say(name, k):
    _, _, recoding = study_of(name, k)
    asked = 0
    for part in attack(recoding.release).parts:
        question = of_attack.half(part)
        if question is None or part.combinations > 1000:
            continue
        listed = part.assignments(2000, 30)
        assert listed.complete
        grid = part.release.grid
        (half,) = [
            child
            for split in part.bounded_attributes
            for child in split.children
            if question.text.endswith(f"can lie in {spoken(grid.describe(child))}?")
        ]
        inside = [grid.contains(half, grid.cell_segment(cell)) for cell in listed.cells]
        held = [sum(n for n, take in zip(z, inside, strict=True) if take) for z in listed.assignments]
        numbers = [int(number) for number in re.findall(r"\d+", answer(question))]
        assert {numbers[0], numbers[-1]} == {min(held), max(held)}
        # No other answer is right as well.
        assert len({tuple(re.findall(r"\d+", option)) for option in question.options}) == len(question.options)
        asked += 1
    assert asked


@pytest.mark.parametrize(("name", "k"), CASES)
def test_owner_free_cells_kind_and_ratio(name, k):
    _, _, recoding = study_of(name, k)
    attacked = attack(recoding.release)
    kinds = set()
    for part in attacked.parts:
        grid = part.release.grid
        inside = set(grid.cells(part.segment))
        if question := of_attack.compound(part):
            assert answer(question).startswith("Basic" if len(inside) == 1 else "Compound")
            kinds.add("compound")
        if question := of_attack.free_cells(part):
            earlier = attacked.classes if part.index is None else attacked.classes[: part.index]
            taken = {
                cell
                for other in earlier
                for cell in grid.cells(other.segment)
                if part.index is None or not attacked.undecided(other.index, part.index)
            }
            assert answer(question) == f"{len(inside - taken)}"
            kinds.add("free_cells")
        if question := of_attack.owner(part, attacked):
            first = int(answer(question).split()[1])
            named = {int(n) for option in question.options for n in re.findall(r"Class (\d+)", option)}
            iterations = {i: recoding.classes[i].iteration for i in named}
            assert iterations[first] == min(iterations.values())
            kinds.add("owner")
        if (question := of_attack.ratio(part)) and part.lr_solutions // part.cra_solutions < 10**6:
            exact = part.lr_solutions / part.cra_solutions
            said = float(answer(question).split()[0].replace(",", ""))
            assert said == pytest.approx(exact, rel=0.05)
            kinds.add("ratio")
    assert kinds == {"compound", "free_cells", "owner", "ratio"}


def test_whoever_used_all_boxes_together_is_told_that_this_asks_of_each_by_itself():
    _, _, recoding = study_of("toy", 3)
    question = of_attack.free_cells(attack(recoding.release).suppressed)
    assert "nothing yet of what was **not** published" in question.text
    assert "box of the suppressed" not in question.text
    assert "All boxes together can settle that" in question.against[question.options.index("1")]


def test_a_reason_says_of_which_number_it_speaks():
    """After "The answer: 8" a "that" would be the 8."""
    _, _, recoding = study_of("toy", 3)
    question = of_recoding.segments(recoding.grid, (2, 1))
    assert question.against[question.options.index("6")].startswith("6 is the sum")
    asked = [question]
    for part in attack(recoding.release).parts:
        asked += [of_attack.half(part), of_attack.free_cells(part), of_attack.ratio(part)]
    two = compose([recode(study_of("toy")[0], study_of("toy", k)[1]).release for k in (4, 7)])
    asked.append(of_releases.together(two))
    said = {(q.options[place], why) for q in asked if q is not None for place, why in q.against.items()}
    assert [why for _, why in said if why.startswith(("That is", "That would", "It is"))] == []


def test_of_two_releases_it_is_asked_whether_they_settle_more_than_one_alone():
    """A number of people could only be guessed: nothing on the screen leads to it."""
    two = compose([recode(study_of("toy")[0], study_of("toy", k)[1]).release for k in (4, 7)])
    alone = max(len(one.fixed_cells) for one in two.alone)
    question = of_releases.together(two)
    assert question.options == (f"Fewer than {alone}", f"As many: {alone}", f"More than {alone}")
    assert question.right == 2
    assert len(two.fixed_cells) > alone


def test_a_larger_k_and_another_profile():
    frame, study, recoding = study_of("toy", 3)

    def mean(k):
        made = attack(recode(frame, Study(study.attributes, k)).release)
        wider = [part.ratio for part in made.classes if not part.basic]
        return sum(wider) / len(wider)

    assert mean(5) > mean(3)
    assert answer(of_attack.larger_k(frame, study, 5)) == "It rules out more"
    _, five, _ = study_of("toy", 5)
    assert answer(of_attack.larger_k(frame, five, 3)) == "It rules out less"
    assert answer(of_recoding.more_steps(recoding, frame)) == "As many as now"
    hospitals, own, made = study_of("hospitals")
    with_gui = recode(hospitals, Study(own.attributes, own.k, "arx-gui"))
    # The publisher's own record of the steps: none may take fewer than 1 % of 1,013 records.
    assert min(step.before - step.after for step in with_gui.iterations) >= 11
    assert len(with_gui.iterations) < len(made.iterations)
    assert answer(of_recoding.more_steps(made, hospitals)) == "Fewer than now"


def test_segments_are_counted_by_hand():
    _, _, recoding = study_of("toy", 3)
    # Two intervals of age on layer 2, four of weight on layer 1.
    assert answer(of_recoding.segments(recoding.grid, (2, 1))) == "8"


@pytest.mark.parametrize(("name", "k"), CASES)
def test_whoever_stands_alone_is_counted_in_the_raw_table(name, k):
    frame, study, recoding = study_of(name, k)
    question = of_singling.isolating(single_out(attack(recoding.release), frame), recoding)
    numbers = frame.astype(float)
    cells = pd.DataFrame(
        {a.name: (numbers[a.name] - float(a.lower)) * a.leaves // float(a.upper - a.lower) for a in study.attributes}
    )
    assert answer(question) == f"{(cells.value_counts() == 1).sum():,}"


def test_how_many_are_certain_by_trying_every_table():
    study = Study([Attribute("a", 0, 80, 3), Attribute("b", 0, 40, 2)], 3)
    cells = list(itertools.product(range(4), range(2)))

    def frame(counts):
        rows = [(20 * i + t, 20 * j + t) for (i, j), n in zip(cells, counts, strict=True) for t in range(n)]
        return pd.DataFrame(rows, columns=["a", "b"])

    def made(counts):
        return recode(frame(counts), study)

    def published(recoding):
        return [(c.segment, c.size) for c in recoding.release.classes], recoding.suppressed

    truth = (1, 0, 1, 2, 2, 0, 0, 2)
    recoding = made(truth)
    # Who owns a cell, literally: the first class whose box covers it.
    boxes = [set(recoding.grid.cells(c.segment)) for c in recoding.classes]
    owners = [next((i for i, box in enumerate(boxes) if cell in box), None) for cell in cells]
    sizes = {**{i: c.size for i, c in enumerate(recoding.classes)}, None: recoding.suppressed}
    worlds = []
    for counts in itertools.product(range(4), repeat=len(cells)):
        sums = dict.fromkeys(sizes, 0)
        for owner, n in zip(owners, counts, strict=True):
            sums[owner] += n
        if sums == sizes and published(made(counts)) == published(recoding):
            worlds.append(counts)
    assert truth in worlds
    alone = [cell for place, cell in enumerate(cells) if all(world[place] == 1 for world in worlds)]
    assert alone
    question = of_singling.certain(tight_attack(recoding.release, time_limit=600))
    named = {words.sentence(words.cell_by_ends(recoding.grid, cell)): cell for cell in cells}
    assert named[answer(question)] in alone
    # Every certain cell among the answers counts as right, and no other.
    told = {place for place, option in enumerate(question.options) if named.get(option) in alone}
    assert told == {question.right, *question.also}
    nobody = study_of("toy", 5)
    assert answer(of_singling.certain(tight_attack(nobody[2].release, time_limit=600))) == of_singling.NOWHERE


def test_the_toy_offers_both_certain_cells():
    question = of_singling.certain(tight_attack(study_of("toy", 3)[2].release, time_limit=600))
    assert {question.options[place] for place in (question.right, *question.also)} == {
        "Age 20 to 40, weight 40 to 60",
        "Age 40 to 60, weight 40 to 60",
    }
