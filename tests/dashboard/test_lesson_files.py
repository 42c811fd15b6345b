"""The lessons as data: every name in them means something, every fact exists, every view stands on its page."""

import itertools
import math
import re
import string
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from pydantic import ValidationError

from cra_dashboard.lessons.facts import FACTS, PARTS, Facts, tie_step, two_draws
from cra_dashboard.lessons.files import Lesson, all_lessons
from cra_dashboard.lessons.handout import handout, solutions
from cra_dashboard.lessons.markup import STAR, bold_only, html
from cra_dashboard.lessons.paper_errors import paper_errors
from cra_dashboard.lessons.registry import CONDITIONS, VIEWS
from cra_dashboard.palette import ISOLATED
from cra_dashboard.session import datasets
from cra_engine import recode
from cra_engine.attacks.composition.safe_together import settled_counts
from cra_engine.patience import Deadline

LESSONS = list(all_lessons().values())
STEPS = [pytest.param(lesson, step, id=f"{lesson.id}-{i}") for lesson in LESSONS for i, step in enumerate(lesson.step)]
ROOT = Path(__file__).parents[2]
# What nobody can do or see on paper.
ON_A_SCREEN = re.compile(
    r"\b(press|click|slider|drag|switch|knob|reveal|tabs?|pictures?|screen|buttons?|this page|panel|toss again|"
    r"until you have|diamonds?|circles?|dashed|point at|on recode|runs again)\b",
    re.IGNORECASE,
)


def names_in(text):
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def _told(step):
    """What a step says: on the screen, where more follows than on paper, and on a handout."""
    return f"{step.text} {step.screen_text}", step.task, step.paper, f"{step.found} {step.screen_found}"


def test_lessons_of_about_five_minutes_are_numbered_without_a_gap():
    assert sorted(lesson.number for lesson in LESSONS) == list(range(1, len(LESSONS) + 1))
    assert all(4 <= lesson.minutes <= 6 for lesson in LESSONS)
    assert len({lesson.id for lesson in LESSONS}) == len(list((ROOT / "lessons").glob("[0-9]*.toml")))


@pytest.mark.parametrize(("lesson", "step"), STEPS)
def test_every_name_in_a_step_means_something(lesson, step):
    assert step.done in CONDITIONS
    assert VIEWS[step.figure].page == step.page
    assert VIEWS[step.view].page == (step.page if step.question is None else "")
    assert {name for text in _told(step) for name in names_in(text)} <= set(FACTS)
    assert step.begin.get("part", "basic") in PARTS
    assert step.given.get("part", "basic") in PARTS
    assert step.study is None or step.study in datasets.EXAMPLES
    # A step that asks is done by answering, and only such a step.
    assert (step.question is not None) == (step.done == "answered")
    assert lesson.study in datasets.EXAMPLES


def test_a_published_star_is_written_in_one_way():
    """So that it has one look, which is large."""
    steps = [step for lesson in LESSONS for step in lesson.step]
    for text in (text for step in steps for text in _told(step)):
        assert "*" not in re.sub(r"\*\*?(?=\S)(.+?)(?<=\S)\*\*?", r"\1", text.replace(STAR, "")), text
        assert set(re.findall(r"`[^`]*`", text)) <= {STAR}


def test_a_reason_keeps_its_star():
    told = bold_only("**1** is left (`*` in every column) and _b_")
    assert str(html(told)) == "<strong>1</strong> is left (<code>*</code> in every column) and _b_"


def test_a_dashed_frame_is_around_what_is_pressed():
    """A picture is framed only where somebody clicks in it."""
    pictures = {step.figure for lesson in LESSONS for step in lesson.step}
    framed = [step for lesson in LESSONS for step in lesson.step if step.view in pictures]
    assert all("lick" in step.task for step in framed), [step.task for step in framed]


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.id)
def test_a_handout_needs_nothing_else_and_keeps_solutions_apart(lesson):
    page, apart = handout(lesson), solutions(lesson)
    facts = Facts.of_table(*_frame_and_study(lesson.study))
    assert len(re.findall('<div class="step[" ]', page)) == len(lesson.step)
    for text in (page, apart):
        assert "{" not in text.split("</style>")[1]
        assert "http" not in text.replace("http://www.w3.org/2000/svg", "")
        assert "<script" not in text
    for exercise in lesson.exercise:
        assert names_in(exercise.question) | names_in(exercise.solution) <= set(FACTS)
        said = facts.fill(exercise.solution).split("\\")[0].split("*")[0].split("'")[0][:60]
        assert said in apart
        assert said not in page


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.id)
def test_the_picture_on_a_handout_shows_the_study(lesson):
    # A sketch of what is asked for stands with the solutions.
    picture, *_ = re.findall("<svg.*</svg>", handout(lesson) if lesson.picture else solutions(lesson))
    drawn = [element.tag.split("}")[1] for element in ET.fromstring(picture).iter()]  # noqa: S314 - our own
    frame, study = _frame_and_study(lesson.study)
    facts = Facts.of_table(frame, study)
    if lesson.picture == "records":
        assert drawn.count("circle") == len(frame)
    elif lesson.picture == "states":
        # Layers 0 to 3 of two attributes; each state but those on an upper border has a coarser one beside it.
        assert drawn.count("circle") == 4 * 4
        assert drawn.count("line") == 2 * 3 * 4
    elif lesson.picture == "coarse":
        # Two halves of each attribute of the toy, and its 36 records.
        assert drawn.count("circle") == 36
        assert 0 < drawn.count("rect") <= 2 * 4
    elif lesson.picture == "mean":
        # One cell of a cluster of the study's k: its numbers, and the one that is published.
        assert drawn.count("circle") >= study.k
        assert drawn.count("path") == 1
        assert _mean_is_right(picture)
    elif lesson.picture == "buckets":
        # One person, and a line to one row in each of five buckets.
        assert (drawn.count("circle"), drawn.count("line")) == (1, 5)
    elif lesson.picture is None:
        assert lesson.step[0].solved == "minimal"
        assert "<svg" not in handout(lesson)
        assert drawn.count("circle") == 5
    elif lesson.picture == "boxes":
        assert len(re.findall("<rect [^>]*stroke=", picture)) == len(facts.attacked.classes)
    else:
        # Each cell of the box is filled with its sign, on paper; the other rectangles are borders.
        part = facts.of("deepest").part
        cells = facts.recoding.grid.cells(part.segment)
        assert len(re.findall("<rect (?![^>]*(?:stroke=|var))", picture)) == len(cells)
        signs = re.findall(">([✔✕?])[0-9?]*</text>", picture)
        assert signs.count("✔") + signs.count("?") == len(part.free_cells)
        assert signs.count("✕") == len(cells) - len(part.free_cells)


@pytest.mark.parametrize("name", ["intervals", "stealing", "singling-out"])
def test_each_step_has_what_is_known_then_and_its_solution_what_is_known_after(name):
    lesson = all_lessons()[name]
    begun, done = handout(lesson), solutions(lesson)
    assert begun.count("<figure>") >= 1
    assert 1 <= done.count("<figure>") <= len(lesson.step)
    # A grid to draw into is given once more.
    shown = [one for one in re.split('<div class="step', begun) if "Your answer" in one]
    drawn = re.findall("<figure>.*?</figure>", "".join(shown), re.DOTALL)
    assert all(one != other for one, other in itertools.pairwise(drawn))
    facts = Facts.of_table(*_frame_and_study(lesson.study))
    for place, step in enumerate(lesson.step):
        part = step.given.get("part", step.begin.get("part"))
        told = facts.of(part) if part else facts
        assert str(html(told.fill(step.found))) in done, place
        assert str(html(told.fill(step.found))) not in begun, place
    if name == "singling-out":
        # Two cells hold one person for certain, and the legend says what that is.
        assert done.count(f'fill="{ISOLATED}"') == 2 + 1


def _claims(drawn):
    """What a picture answers: the borders that are drawn, the cells that are said to be taken, the numbers."""
    looks = [(e.tag.split("}")[1], e) for e in ET.fromstring(drawn).iter()]  # noqa: S314 - our own
    borders = {
        tuple(e.get(name) for name in ("x", "y", "width", "height"))
        for tag, e in looks
        if tag == "rect" and e.get("stroke")
    }
    return borders | {("taken", e.get("x"), e.get("y")) for tag, e in looks if tag == "text" and e.text == "\u2715"}


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.id)
def test_no_picture_on_a_handout_solves_what_the_sheet_still_asks(lesson):
    """A picture shows no border that an earlier step or its own asks for, and no cell taken where that is asked."""
    pictures = [_claims(one) for one in re.findall("<svg.*?</svg>", handout(lesson), re.DOTALL)]
    if any(step.page == "recode" for step in lesson.step) and lesson.picture == "records":
        assert not any(pictures), "boxes are asked for"
    for step in lesson.step:
        if "Shade" in step.paper or "Mark" in step.paper:
            assert not any("taken" in claim for picture in pictures for claim in picture)


def test_the_lesson_on_a_larger_k_is_drawn_and_solved_with_the_k_that_each_step_has():
    frame, study = _frame_and_study("toy")
    three, five = (recode(frame, study.with_k(k)) for k in (3, 5))
    lesson = all_lessons()["larger-k"]
    first, last = re.findall("<svg.*?</svg>", handout(lesson), re.DOTALL)
    assert [len(re.findall("<rect [^>]*stroke=", one)) for one in (first, last)] == [
        len(three.classes),
        len(five.classes),
    ]
    # What its second step asks of the first boxes, the second ones answer: they are on the next leaf.
    (leaf,) = re.findall('<div class="step leaf">(.*?)</div>', handout(lesson), re.DOTALL)
    assert last in leaf
    told = re.sub("<[^>]+>", " ", solutions(lesson))
    # The numbers are those in the picture: 0 to 7, as the boxes were formed.
    assert "hold 6, 5, 6, 5, 4, 3, 3 and 3 people: none below 5" in told
    assert sorted(one.size for one in three.classes) == [3, 3, 3, 4, 5, 5, 6, 6]
    cells = [[len(made.grid.cells(one.segment)) for one in made.classes] for made in (three, five)]
    wide = [[number for number in own if number > 1] for own in cells]
    single = [own.count(1) for own in cells]
    assert f"With k = 5, {single[1]} classes are on a single cell (with k = 3: {single[0]})" in told
    assert f"and {len(wide[1])} on more than one (with k = 3: {len(wide[0])})" in told
    means = [f"{sum(own) / len(own):.1f} cells" for own in wide]
    assert f"With k = 5 the box of a wider class covers {means[1]} on average" in told
    assert f"With k = 3 it was {means[0]}" in told


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.id)
def test_no_solution_rules_out_what_stays(lesson):
    told = re.sub("<[^>]+>", " ", solutions(lesson))
    assert [one for one in re.findall(r"[^.]*rule out[^.]*\.[^.]*\.", told) if "as many as before" in one] == []
    facts = Facts.of_table(*_frame_and_study("toy"))
    if lesson.id == "intervals":
        # Paper asks of the class that the program asks for; a later lesson asks of the one that loses most.
        assert facts.of("next_deepest").fill("{fewer}") in told
        assert facts.of("deepest").fill("{fewer}") not in told
        assert facts.of("next_deepest").fill("{box}") in handout(lesson)


def test_the_class_that_loses_most_but_one():
    facts = Facts.of_table(*_frame_and_study("toy"))
    ratios = sorted((row.ratio for row in facts.rows if row.kind != "suppressed"), reverse=True)
    assert ratios[0] > ratios[1] > ratios[2]
    assert facts.of("next_deepest").row.ratio == ratios[1]


def test_the_step_on_a_tie_speaks_of_the_one_rule_that_decides_here():
    frame, study = _frame_and_study("toy")
    made = recode(frame, study)
    step = all_lessons()["greedy"].step[1]
    (taken, *others) = sorted(made.iterations[tie_step(made) - 1].tied, key=lambda one: one.c3)
    assert {(one.loss, one.c1, one.c2) for one in others} == {(taken.loss, taken.c1, taken.c2)}
    assert all(taken.c3 < one.c3 for one in others)
    assert re.findall("c[123]", step.text) == ["c3"]
    assert re.findall("c[123]", step.found)[:2] == ["c1", "c2"]


def test_a_lesson_says_why_somebody_stands_alone_in_the_numbers_of_the_table():
    frame, study = _frame_and_study("toy")
    facts = Facts.of_table(frame, study)
    told = facts.fill(all_lessons()["singling-out"].step[0].found)
    long = [one for one in facts.recoding.classes if max(one.segment.state) == study.attributes[0].layers]
    assert sum(one.size for one in long) == 6  # and each of them is drawn from one side of the grid to the other
    assert facts.recoding.suppressed == 1
    assert "seven people were left when the four quarters" in told
    assert "each has room for two. The long boxes hold six, which fill three quarters." in told
    # The place is where the suppressed person is in truth, which no reader sees.
    place = re.search(r"age from (\d+) to under (\d+) years and weight from (\d+) to under (\d+) kg", told)
    low, high, light, heavy = map(int, place.groups())
    (alone,) = frame[facts.recoding.iteration_of_record == 0].itertuples()
    assert low <= int(alone.age) < high
    assert light <= int(alone.weight) < heavy


def test_whoever_is_to_draw_has_something_to_draw_into():
    page = handout(all_lessons()["defend-anna"])
    first, last = page.index("<svg"), page.rindex("<svg")
    assert first < page.index("<h2>Steps") < page.index("Inside the first") < last


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.id)
def test_a_task_to_draw_has_a_grid_of_its_own_in_place_of_lines(lesson):
    drawing = re.compile(r"\b(Draw|draw|Shade|Mark|Write into)\b(?! in the grid above)")
    steps = re.split('<div class="step', handout(lesson).split("<h2>Questions")[0])[1:]
    seen = False
    for step, printed in zip(lesson.step, steps, strict=True):
        draws = bool(drawing.search(step.paper))
        assert ('class="line"' in printed) != draws, step.title
        if draws:
            # Nothing stands between the task and the grid; what goes on in the grid of another step says so.
            own = re.search(r'<p class="task">.*?</p>\s*<figure>', printed, re.DOTALL)
            assert own or (seen and "In the same grid" in step.paper), step.title
            seen = True


def test_words_in_a_picture_on_paper_are_nearly_as_large_as_the_text_beside_it():
    """In the 672 pixels of a page's text, where a picture is at most 400 high."""
    for lesson in LESSONS:
        for drawn in re.findall("<svg.*?</svg>", handout(lesson) + solutions(lesson), re.DOTALL):
            wide, high = map(float, re.search('viewBox="0 0 ([0-9.]+) ([0-9.]+)"', drawn).groups())
            smallest = min(map(float, re.findall('font-size="([0-9.]+)"', drawn)))
            assert smallest * min(672 / wide, 400 / high) >= 13, lesson.id


def test_the_lesson_on_coins_names_the_largest_number_of_its_picture_beside_the_promise():
    frame, study = _frame_and_study("toy")
    first, _ = two_draws(frame, study.with_epsilon("1"))
    largest = math.exp(max(first.gains))  # what the page shows of a class, rounded upwards
    lesson = all_lessons()["defend-anna"]
    (said,) = re.findall(
        r"largest number here is ([0-9.]+); the promise is ([0-9.]+)",
        Facts.of_table(frame, study).fill(lesson.step[1].found),
    )
    assert largest <= float(said[0]) < largest + 0.01
    assert said[1] == "2.72"


def _mean_is_right(picture):
    """The published number is the mean of those on the line."""
    texts = re.findall(">([^<>]+)</text>", picture)
    numbers = [float(text) for text in texts if re.fullmatch(r"-?[0-9.]+", text)]
    (published,) = [float(text.removeprefix("published: ")) for text in texts if text.startswith("published: ")]
    return published == pytest.approx(sum(numbers) / len(numbers), rel=1e-3)


def test_a_handout_asks_for_nothing_that_paper_has_not():
    buttons = re.compile(r"\*\*|" + ON_A_SCREEN.pattern, re.IGNORECASE)
    assert any(buttons.search(step.task) for _, step in (one.values for one in STEPS))
    assert [step.paper for _, step in (one.values for one in STEPS) if buttons.search(step.paper)] == []


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.id)
@pytest.mark.parametrize("sheet", [handout, solutions])
def test_no_sheet_of_paper_speaks_of_a_screen(lesson, sheet):
    """Of what only the screen has a step speaks in sentences of their own, which the panel adds."""
    body = re.sub("<svg.*?</svg>", " ", sheet(lesson).split("</style>")[1], flags=re.DOTALL)
    assert [found[0] for found in ON_A_SCREEN.finditer(re.sub("<[^>]+>", " ", body))] == []
    for step in lesson.step:
        for told in filter(None, (step.screen_text, step.screen_found)):
            assert str(html(told)) not in body


@pytest.mark.parametrize(("name", "asks"), [("singling-out", 0), ("suppressed", 2)])
def test_no_record_is_drawn_above_a_question_on_the_release_alone(name, asks):
    lesson = all_lessons()[name]
    page = handout(lesson)
    question = str(html(Facts.of_table(*_frame_and_study(lesson.study)).fill(lesson.step[asks].paper)))
    above, below = page.split(question)
    drawn = re.findall("<svg.*?</svg>", above, re.DOTALL)
    assert drawn
    assert "<circle" not in "".join(drawn)
    if name == "singling-out":  # whoever then takes the raw table has it, in the end with the boxes of the classes
        raw, with_boxes = re.findall("<svg.*?</svg>", below, re.DOTALL)
        assert [raw.count("<circle"), with_boxes.count("<circle")] == [len(_frame_and_study("toy")[0])] * 2
        assert "not published" not in raw
        assert (raw.count("<rect"), with_boxes.count("<rect")) == (0, drawn[-1].count("<rect"))
        assert below.index('"step leaf"') < below.index("<svg")  # on paper it begins a page


@pytest.mark.parametrize(("lesson", "step"), STEPS)
def test_what_the_panel_says_is_short_enough_for_a_projector(lesson, step):
    facts = Facts.of_table(*_frame_and_study(step.study or lesson.study))
    facts = facts.of(step.begin["part"]) if "part" in step.begin else facts
    for text in _told(step):
        assert len(facts.fill(text).replace("\\", "")) <= 420


def _frame_and_study(key):
    data, study = datasets.example(key)
    return data.frame, study


def test_facts_are_those_of_the_study_they_are_asked_of():
    frame, study = _frame_and_study("toy")
    facts = Facts.of_table(frame, study)
    assert facts.fill("{k} {k:5} {records} {states} {cells}") == "3 5 36 9 16"
    with pytest.raises(KeyError):
        facts.fill("{nonsense}")


def test_the_two_draws_of_the_lesson_on_coins_leave_one_person_by_a_subtraction():
    frame, study = _frame_and_study("toy")
    first, second = two_draws(frame, study.with_epsilon("1"))
    (settled,) = settled_counts((first.release.regions, second.release.regions), Deadline(60)).settled
    # Ages from 40 to 60, weights from 40 to 60: in the first release with the cell above, which the second has alone.
    assert (settled.cells, settled.people) == (((1, 0),), 1)
    ages, weights = frame["age"].astype(float).between(40, 59.99), frame["weight"].astype(float)
    both, above = (ages & weights.between(low, 79.99) for low in (40, 60))
    assert Facts.of_table(frame, study).fill("{draw_outer} {draw_inner} {draw_left}") == (
        f"{both.sum()} {above.sum()} {both.sum() - above.sum()} person"
    )


def test_the_worlds_of_a_class_add_up():
    # Class 7 of the toy: three free cells of 20 years by 20 kg, of which two make up one half, and three people.
    facts = Facts.of_table(*_frame_and_study("toy")).of("robbed")
    terms, total = facts.fill("{terms}").split(" = ")
    one, two = 400, 400 * 399 // 2
    known = {"C(400, 1)": one, "C(400, 2)": two}
    added = 0
    for term in terms.split(" + "):
        product = 1
        for factor in term.split(" · "):
            product *= known[factor]
        added += product
    # A half never holds all three: (1, 2) and (2, 1) people on the sides of 400 and of 800 places.
    assert added == 400 * (800 * 799 // 2) + two * 800
    assert added == facts.part.cra_solutions
    assert total == facts.fill("{remaining}")


def test_a_lesson_with_a_name_nobody_knows_is_refused():
    lesson = LESSONS[0].model_dump()
    with pytest.raises(ValidationError):
        Lesson.model_validate(lesson | {"colour": "red"})
    with pytest.raises(ValidationError):
        Lesson.model_validate(lesson | {"minutes": 90})


# ---------------------------------------------------------------- the paper's errors


def test_the_document_holds_the_exercises_as_they_are():
    told = " ".join((ROOT / "docs" / "exercises.md").read_text("utf-8").split())
    questions, solutions = told.split(" ## Solutions ")
    for number, error in enumerate(paper_errors(), 1):
        assert f" {number}. *{error.where}*: {' '.join(error.question.split())} " in f"{questions} "
        assert f" {number}. {' '.join(error.solution.split())} " in f" {solutions} "
    assert questions.count("*: ") == len(paper_errors())


def test_the_solutions_say_what_a_reader_can_check_by_hand():
    solutions = [error.solution for error in paper_errors()]
    assert len(solutions) == 8
    # 2^(3-1) * 2^(3-1) against 2^3 * 2^3.
    assert "16 cells, not 64" in solutions[0]
    # One row of a 4 by 4 grid that is numbered row by row, against one column.
    assert "B1, B2, B3 and B4" in solutions[1]
    assert "B1, B5, B9 and B13, belongs to the state (1, 3)" in solutions[1]
    assert "T(1,0) = [0, 25[ and T(1,1) = [25, 50[" in solutions[2]
    # 2 + 2 + 0 = 4 people, at most k - 1 = 2 in each child.
    assert "2, 2 and 0 records" in solutions[3]
    assert "published with 4 records. A child can hold 0 to 2" in solutions[3]
    # 1.58 / 2.21 = 0.715
    assert "0.7, below" in solutions[5]
    assert "5 records or 4" in solutions[6]


def test_the_example_of_epsilon_is_right():
    """A chance of 1 in 4 is odds of 1 to 3, which grow at most by e to the power of epsilon."""
    (step,) = [step for lesson in LESSONS for step in lesson.step if "1 in 4" in step.text]
    for epsilon, told in ((1, "epsilon 1, that chance is at most **48 %**"), (0.25, "epsilon 0.25, at most **30 %**")):
        odds = math.exp(epsilon) / 3
        assert told in " ".join(step.text.split())
        assert told.endswith(f"**{math.ceil(100 * odds / (1 + odds))} %**")


def test_a_text_of_two_paragraphs_has_two_on_paper():
    assert html("One.\n\nTwo *more*.") == "One.<br/><br/>Two <em>more</em>."


def test_where_layer_0_is_published_the_lesson_says_that_elsewhere_it_is_not():
    """Lesson 2 calls layer 1 the finest, and Global recode has 16 states where Recode has 9."""
    said = all_lessons()["pruning"].step[0].text
    assert "Here layer 0 are the exact values, which local recoding never publishes" in said


@pytest.mark.parametrize("lesson", all_lessons().values(), ids=lambda lesson: lesson.id)
def test_a_lesson_says_what_a_state_is_where_it_first_speaks_of_one(lesson):
    """A text that led with states lost whoever came without the lesson before."""
    told = [said for step in lesson.step for said in (step.text, step.task, step.found)]
    first = next((said for said in told if re.search(r"\bstates?\b", said)), "layer")
    assert "layer" in first
    asked = next((place for place, step in enumerate(lesson.step) if step.question == "next_state"), None)
    assert asked is None or any(re.search(r"\bstate\b", step.text) for step in lesson.step[: asked + 1])
