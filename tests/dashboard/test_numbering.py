"""The numbers of classes on the pages: as they were formed, where somebody knows."""

import re
from pathlib import Path

import pandas as pd
import pytest
from hand_recodings import three_decide

from cra_dashboard import palette
from cra_dashboard.charts.recoding import class_table
from cra_dashboard.texts.class_rows import by_number, class_rows
from cra_dashboard.texts.numbering import colour_of, in_order, name_of, number_as_formed, number_of, numbered
from cra_engine import attack, compose, recode, synthesize
from cra_engine.scenes.colours import colours
from cra_engine.sentences import ClassNumber, Sentence


@pytest.fixture
def toy():
    """Its states (1, 2) and (2, 1) tie, and so do others: the attacker's order is not that of the iterations."""
    made = synthesize("toy")
    return recode(made.data, made.study)


def test_without_the_recoding_the_attackers_order_counts(toy):
    assert [number_of(toy.release, index) for index in range(8)] == list(range(8))
    assert name_of(toy.release, None) == "the suppressed records"


def test_whatever_a_page_recodes_is_numbered_as_it_was_formed():
    """One door to the publisher: a page that went past it would number the same boxes otherwise."""
    root = Path(__file__).parents[2]
    files = [*(root / "cra_dashboard").rglob("*.py"), *(root / "pages").glob("*.py")]
    calls = {one.name for one in files if re.search(r"(?<![\w.])(safe_)?recode\(", one.read_text("utf-8"))}
    assert calls == {"numbering.py"}


def test_later_iterations_make_later_numbers(toy):
    number_as_formed(toy)
    iterations = {number_of(toy.release, index): formed.iteration for index, formed in enumerate(toy.classes)}
    assert sorted(iterations) == list(range(len(toy.classes)))
    assert [iterations[number] for number in range(len(iterations))] == sorted(iterations.values())
    # It makes a difference here, and within an iteration the attacker's order stays.
    assert [formed.iteration for formed in toy.classes] != sorted(iterations.values())
    first = [number_of(toy.release, index) for index, formed in enumerate(toy.classes) if formed.iteration == 1]
    assert first == list(range(len(first)))


def test_a_class_is_called_the_same_in_tables_sentences_and_colours(toy):
    number_as_formed(toy)
    found = attack(toy.release)
    rows = class_rows(found)
    assert [rows[place].number for place in by_number(rows)] == [*range(len(toy.classes)), None]
    table = class_table(toy, len(toy.iterations))
    assert list(table["class"]) == list(range(len(table)))
    assert list(table["formed in step"]) == sorted(table["formed in step"])
    for index, part in enumerate(found.classes):
        number = number_of(toy.release, index)
        assert rows[index].title == name_of(toy.release, index) == f"class {number}"
        assert colour_of(toy.release, index) == palette.of_class(number)
        for constraint in part.constraints():
            assert {f"class {i}" in constraint.text for i, _ in part.earlier} == {
                name_of(toy.release, i) in numbered(constraint.text, toy.release) for i, _ in part.earlier
            }
    assert colour_of(toy.release, None) == colour_of(toy.release, -1) == palette.SUPPRESSED


def test_the_reasons_of_several_releases_name_each_class_by_its_own_release(toy):
    number_as_formed(toy)
    other = recode(pd.DataFrame({"age": [30] * 8, "weight": [50] * 8}), toy.study.with_k(7))
    number_as_formed(other)
    # The attacker's fifth class was formed sixth, and the sixth fifth; with all in one cell there is one class.
    assert [number_of(toy.release, index) for index in (4, 5)] == [5, 4]
    releases = [toy.release, other.release]
    for text, said in (
        (Sentence("Release 1: Class ", ClassNumber(4), " (age): 3 records."), "Release 1: Class 5 (age): 3 records."),
        (Sentence("Release 2: Class ", ClassNumber(0, 1), ": 3 records."), "Release 2: Class 0: 3 records."),
        (Sentence("In class ", ClassNumber(5), ", then class ", ClassNumber(0, 1)), "In class 4, then class 0"),
        (Sentence("In the suppressed ones, then class ", ClassNumber(0, 1)), "In the suppressed ones, then class 0"),
    ):
        assert numbered(text, *releases) == said


def test_the_reasons_of_linked_rows_carry_their_classes_as_data():
    """A class of a box label that looks like another number keeps its own: sentences are not read again."""
    made = synthesize("toy")
    releases = [recode(made.data, made.study.with_k(k)).release for k in (4, 7)]
    together = compose(releases, linked_rows=False)
    texts = [text for cell in together.isolated for reason in together.explain(cell) for text in reason.texts]
    named_classes = [piece for text in texts for piece in text.pieces if isinstance(piece, ClassNumber)]
    assert {one.release for one in named_classes} == {0, 1}
    for text in texts:
        assert text.with_numbers(lambda one: one.index) == text
        assert text.with_numbers(lambda one: 100 + one.index).count("lass 10") == len(
            [piece for piece in text.pieces if isinstance(piece, ClassNumber)]
        )


def test_the_playground_colours_a_class_as_recode_does(toy):
    number_as_formed(toy)
    # The script gives its colours to the boxes in turn.
    boxes = colours()["boxes"]
    for index in range(len(toy.classes)):
        number = number_of(toy.release, index)
        assert boxes[number % len(boxes)] == colour_of(toy.release, index)


def test_only_numbers_of_classes_are_replaced(toy):
    number_as_formed(toy)
    last = ClassNumber(in_order(toy.release, range(len(toy.classes)))[-1])
    number = len(toy.classes) - 1
    # A label of a hierarchy may read like a class.
    text = Sentence("Class ", last, ": 3 records in ward class 1; class ", last, " again, and 12 classes of 4.")
    assert numbered(text, toy.release) == (
        f"Class {number}: 3 records in ward class 1; class {number} again, and 12 classes of 4."
    )


def test_the_case_worked_out_by_hand_is_numbered_as_it_was_formed():
    recoding, _ = three_decide()
    number_as_formed(recoding)
    formed = {name_of(recoding.release, index): one.segment.state for index, one in enumerate(recoding.classes)}
    # (1, 3) publishes three, then (3, 1) the other three.
    assert formed == {"class 0": (1, 3), "class 1": (3, 1)}
