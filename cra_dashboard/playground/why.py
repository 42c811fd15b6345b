"""Why a cell is as it is: the smallest set of facts that forces it, each with its box and its equation."""

from collections.abc import Iterable
from typing import Any

from cra_dashboard.playground.outcome import Outcome
from cra_dashboard.texts import words
from cra_dashboard.texts.spoken import spoken
from cra_dashboard.texts.tight_story import between, distinct, holds
from cra_engine.attacks.refinement.class_attack import ClassAttack
from cra_engine.attacks.solver.bounds import Bound
from cra_engine.attacks.solver.views import Explanation
from cra_engine.words import how_many, listed, percent

SECONDS = 5.0  # for the search of a smallest set
_LETTERS = "abcdefghijklmnopqrstuvwyz"  # x is the cell asked for


def why(outcome: Outcome, number: int) -> dict[str, Any]:
    """What is known of a cell and why, as plain data for the page.

    Args:
        outcome: of the scene.
        number: of the cell.
    """
    cell = outcome.base.cell(number)
    grid = outcome.attack.release.grid
    asked = {
        "cell": number,
        "title": words.sentence(spoken(grid.describe(cell))),
        "verdict": "",
        "plainly": "",
        "chances": [],
        "ways": [],
        "tied": False,
        "conclusion": "",
    }
    tight = outcome.tight
    view = next((view for view in tight.cells if view.cell == cell), None) if tight is not None else None
    low, high, chance = outcome.cells[number]
    if tight is None or view is None:
        asked["verdict"] = _said(low, high, chance)
        asked["ways"] = [] if low == high == 0 else _owners(outcome, cell)
        if low == high == 0 and tight is not None:
            asked["conclusion"] = "No published box reaches this cell, and nobody is suppressed who could be here."
        return asked
    if cell in tight.settled:
        index = outcome.owners[number]
        asked["verdict"] = f"Exactly {how_many(view.lowest, 'person', 'people')} are here: box {index} is this cell."
        asked["conclusion"] = "A box of a single cell hides nobody's cell; with k or more in it, nobody stands alone."
        return asked
    if view.fixed:
        asked["verdict"] = f"This cell holds {holds(view.lowest)}, for certain."
        # Orders that did not happen come last: what contradicts itself explains nothing of the cell.
        found = sorted(distinct(tight.explain(cell, SECONDS)), key=lambda explanation: not explanation.possible)
        asked["plainly"] = _plainly(outcome, cell, view.lowest, found)
        asked["ways"] = [_way(outcome, explanation, number) for explanation in found[:4]]
        asked["tied"] = any(explanation.order for explanation in found)
        minimal = all(explanation.minimal for explanation in found)
        asked["conclusion"] = (
            f"No other whole number than {view.lowest} fits all of these at once"
            + (", and without any one of them another would." if minimal else ".")
            + (" Several people together hide each other; only a cell of exactly one glows." if view.lowest > 1 else "")
        )
        return asked
    asked["verdict"] = f"This cell holds {between(view)} people; " + (
        f"exactly one with a chance of {'' if view.exact else 'about '}{percent(chance)}."
        if chance is not None
        else "how likely which number is was not finished in time."
    )
    asked["chances"] = [[held, percent(share)] for held, share in enumerate(view.probabilities) if held <= view.highest]
    asked["ways"] = _owners(outcome, cell)
    asked["conclusion"] = "What other boxes add on top is counted in the chances."
    return asked


def _plainly(outcome: Outcome, cell: tuple[int, int], held: int, found: list[Explanation]) -> str:
    """In plain words why a cell's number is certain: who could be here, and what rules all else out."""
    able = [part for part in outcome.attack.parts if part.may_fill(cell)]
    if not able or outcome.tight is None or outcome.tight.system is None:
        return "No box reaches this cell."
    if len(able) == 1:
        (part,) = able
        people, cells = how_many(part.size, "person", "people"), how_many(len(part.free_cells), "cell")
        who = f"{_name(outcome, part)} holds {people} in {cells}."
        if part.index is None:
            who = f"{people} {'is' if part.size == 1 else 'are'} in no box, and {cells} could hold them."
    else:
        named = listed([_name(outcome, part) for part in able]).replace("and The", "and the")
        who = f"{named} could all have people here."
    bounds = [bound for explanation in found if explanation.possible for bound in explanation.bounds]
    near = {place for part in able for place in part.free_cells}
    places = [{outcome.tight.system.cells[position] for position in bound.cells} for bound in bounds]
    rule = ""
    if any(bound.part is None for bound in bounds):
        rule = " Enough people in one place would have been published as a box of their own"
        rule += "." if all(place & near for place in places) else ", and the other boxes' people need room, too."
    return f"{who}{rule} That leaves {holds(held)} here."


def _said(low: int, high: int, chance: float | None) -> str:
    if low == high:
        return f"This cell holds {holds(low)}, for certain."
    likely = "" if chance is None else f" Exactly one with a chance of {percent(chance)}."
    return f"This cell holds {low} to {high} people.{likely}"


def _owners(outcome: Outcome, cell: tuple[int, int]) -> list[dict[str, Any]]:
    """What the boxes that may fill a cell say of it, each by itself."""
    able = [part for part in outcome.attack.parts if part.may_fill(cell)]
    return [{"when": _name(outcome, part), "facts": _facts(outcome, part), "possible": True} for part in able]


def _name(outcome: Outcome, part: ClassAttack) -> str:
    return "The suppressed people" if part.index is None else f"Box {outcome.number_of(part.index)}"


def _facts(outcome: Outcome, part: ClassAttack) -> list[dict[str, Any]]:
    """The constraints of one class in words, with their boxes."""
    grid, release = outcome.attack.release.grid, outcome.attack.release
    people = how_many(part.size, "person", "people")
    cells = [outcome.base.number((cell[0], cell[1])) for cell in part.free_cells]
    facts = [_fact(f"{people}, in {how_many(len(cells), 'cell')}.", outcome.box(part.segment), cells)]
    for index, segment in part.stolen if part.index is not None else ():
        facts.append(
            _fact(
                f"Box {outcome.number_of(index)} was formed earlier and took everybody where the two overlap.",
                outcome.box(segment),
                [],
            )
        )
    if part.size <= part.cap:
        return facts
    for bounded in part.generalized:
        attribute = release.attributes[bounded.attribute]
        halves = "half" if len(bounded.children) == 2 else "part"
        for child in bounded.children:
            inside = [outcome.base.number((c[0], c[1])) for c in grid.cells(child) if part.may_fill(c)]
            facts.append(
                _fact(
                    f"At most {part.cap} in the {halves} with {attribute.name} in "
                    f"{attribute.node(child.state[bounded.attribute], child.ranks[bounded.attribute]).interval}: "
                    f"one with {part.cap + 1} would have been published instead.",
                    outcome.box(child),
                    inside,
                )
            )
    return facts


def _fact(text: str, box: list[int], cells: Iterable[int], equation: str = "") -> dict[str, Any]:
    return {"text": spoken(text), "box": box, "cells": sorted(cells), "equation": equation}


def _way(outcome: Outcome, explanation: Explanation, number: int) -> dict[str, Any]:
    """One explanation: its facts, and under which order of formation it holds."""
    tight = outcome.tight
    if tight is None or tight.system is None:  # this page publishes by ARX-LR
        return {"when": "", "facts": [], "possible": True}
    places = sorted({position for bound in explanation.bounds for position in bound.cells})
    cells = {position: outcome.base.number(tight.system.cells[position][:2]) for position in places}  # type: ignore[arg-type]
    others = [cell for cell in dict.fromkeys(cells[position] for position in places) if cell != number]
    letters = {number: "x"} | dict(zip(others, _LETTERS, strict=False))
    order = listed([" before ".join(_formed_at(outcome, state) for state in group) for group in explanation.order])
    facts = [_of_bound(outcome, bound, cells, letters) for bound in explanation.bounds]
    if not facts:
        facts = [_fact("The time for finding the reasons ran out; that it is certain is proven all the same.", [], [])]
    return {
        "when": order,
        "possible": explanation.possible,
        "facts": facts,
        "letters": [[cell, letter] for cell, letter in letters.items()],
    }


def _formed_at(outcome: Outcome, state: tuple[int, ...]) -> str:
    """The boxes of a state: ``box 5``, ``boxes 5 and 6``."""
    classes = outcome.attack.release.classes
    numbers = [outcome.number_of(index) for index in outcome.formed if classes[index].segment.state == state]
    return f"box{'' if len(numbers) == 1 else 'es'} {listed([str(found) for found in numbers])}"


def _of_bound(outcome: Outcome, bound: Bound, cells: dict[int, int], letters: dict[int, str]) -> dict[str, Any]:
    """A bound of the tight system as a sentence with its box, its cells and its equation."""
    inside = sorted({cells[position] for position in bound.cells})
    terms = " + ".join(letters.get(cell, "?") for cell in inside)
    box = outcome.box(bound.segment)
    where = how_many(len(inside), "cell")
    if bound.part is not None:
        people = how_many(bound.upper, "person", "people")
        if bound.part == -1:
            verb = "is" if bound.upper == 1 else "are"
            text = f"{words.sentence(people)} {verb} suppressed (in no box), in {where} that can hold them."
        else:
            text = f"Box {outcome.number_of(bound.part)} holds {people}, in {where} that can hold them."
        return _fact(text, box, inside, f"{terms} = {bound.upper}")
    if bound.boxes:
        text = (
            f"State {words.state(bound.state or ())} was skipped: its full boxes held at most {bound.upper} together."
        )
        return _fact(text, box, inside, "")
    text = (
        f"{words.sentence(outcome.attack.release.grid.describe(bound.segment))} was not published as a box: at most "
        f"{bound.upper} of those left at its turn, in {where}."
    )
    return _fact(text, box, inside, f"{terms} ≤ {bound.upper}")
