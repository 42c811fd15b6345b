"""Why an iteration chose its state, in plain words (paper, section 3: the loss, then c1, c2 and c3)."""

from collections.abc import Callable, Sequence
from fractions import Fraction

import pandas as pd

from cra_dashboard.texts import words
from cra_dashboard.texts.states import LOOKS, Status
from cra_engine import Recoding
from cra_engine.publish.local.rounds import Candidate
from cra_engine.words import count, how_many, listed, percent


def step_heading(recoding: Recoding, index: int, *, count: bool = True, state: bool = True) -> str:
    """Say to readers what a step of a recoding shows: 0 is the raw table, one past the last iteration the end.

    Args:
        recoding: that is stepped through.
        index: of the step.
        count: whether to say how many steps there are: the number tells whether another one follows.
        state: whether to name the state of the step, to readers who know what a state is.
    """
    steps = recoding.iterations
    if index == 0:
        return "Before the first step: the raw table"
    if index > len(steps):
        return "The end: what is left is suppressed" if recoding.suppressed else "The end: nothing is left"
    named = f": state {words.state(steps[index - 1].state)}" if state else ""
    return f"Step {index}{f' of {len(steps)}' if count else ''}{named}"


def of_step(recoding: Recoding, index: int) -> str:
    """Name a recoding's step where there is little room: ``raw table``, ``1``, .., ``end``, by iteration."""
    return "raw table" if index == 0 else "end" if index > len(recoding.iterations) else str(index)


def step_reason(recoding: Recoding, index: int, candidates: Sequence[Candidate]) -> list[str]:
    """Say to readers the reason for a recoding's step, as sentences in Markdown.

    Args:
        recoding: the recoding that is stepped through.
        index: 0 before the first iteration, then the iteration, one past the last for the end of the sweep.
        candidates: the states as this step finds them (``recoding.candidates``).
    """
    if index == 0:
        return _before(recoding, candidates)
    if index > len(recoding.iterations):
        return _stop(recoding, candidates)
    return _choice(recoding, index, candidates)


def _before(recoding: Recoding, candidates: Sequence[Candidate]) -> list[str]:
    able = sum(candidate.feasible for candidate in candidates if candidate.state != recoding.lattice.top)
    box = _box(recoding)
    sweep = (
        f"ARX searches the states by the quality model {words.plain(str(recoding.study.quality))}. At the one that it "
        f"takes, one that has {box}, it publishes every such box, and takes its people out, again and again."
        if not recoding.study.quality.plain
        else "ARX goes through the states from the lowest information loss upwards. At the first one that has "
        f"{box} it publishes every such box, and takes its people out."
    )
    return [
        f"None of the {how_many(recoding.records, 'person', 'people')} is published yet.",
        sweep,
        f"{how_many(able, 'state')} of {recoding.lattice.size:,} could publish now."
        if able
        else "No state has such a box, so nothing can be published.",
    ]


def _box(recoding: Recoding) -> str:
    text = f"a box with at least k = {recoding.study.k}"
    if recoding.study.privacy:
        text += f" that passes {words.plain(listed(list(map(str, recoding.study.privacy))))}"
    if recoding.step_minimum > recoding.study.k:
        text += f" (and at least {recoding.step_minimum:,} in all such boxes)"
    return text


def _are(number: int) -> str:
    return f"{count(number)} {'is' if number == 1 else 'are'}"


def _stop(recoding: Recoding, candidates: Sequence[Candidate]) -> list[str]:
    k, left = recoding.study.k, recoding.suppressed
    if not left:
        return ["Nobody is left: everybody is published in a box, and none is suppressed."]
    suppressed = f"{how_many(left, 'person is', 'people are')} left and suppressed (`*` in every known column)"
    if left < k:
        return [f"{suppressed}: fewer than k = {k} can never fill a box."]
    rest = [candidate for candidate in candidates if candidate.state != recoding.lattice.top]
    best = max((candidate.largest for candidate in rest), default=0)
    sentences = [f"{suppressed}: no state below the top, where every attribute is `*`, can publish any more."]
    if best:
        sentences.append(_shortage(recoding, rest, "The fullest box of any state"))
    return sentences


def _choice(recoding: Recoding, index: int, candidates: Sequence[Candidate]) -> list[str]:
    step = recoding.iterations[index - 1]
    m, taken = len(step.classes), step.before - step.after
    left = how_many(step.before, "remaining person", "remaining people")
    state, boxes = words.state(step.state), how_many(m, "box", "boxes")
    together = "" if m == 1 else " together"
    taken_by = f"is what ARX's search takes, by {words.plain(str(recoding.study.quality))}, among the states that have"
    if recoding.study.quality.plain:
        taken_by = "is the cheapest state that still has"
    sentences = [
        f"**{state}** {taken_by} {_box(recoding)} of the {left}.",
        f"It publishes {boxes} with {how_many(taken, 'person', 'people')}{together}; {_are(step.after)} left.",
    ]
    if not recoding.study.quality.plain:
        return sentences
    cheaper = candidates[: candidates.index(_taken(recoding, index, candidates))]
    cheaper = [candidate for candidate in cheaper if not candidate.feasible]
    if len(cheaper) == 1:
        text = f"The only cheaper state, {words.state(cheaper[0].state)}, could not publish: its fullest box"
        sentences.append(_shortage(recoding, cheaper, text))
    elif cheaper:
        text = f"The {len(cheaper):,} cheaper states could not publish: their fullest box"
        sentences.append(_shortage(recoding, cheaper, text))
    return sentences + _tie_in_short(recoding, index, candidates)


def _shortage(recoding: Recoding, states: Sequence[Candidate], start: str) -> str:
    """Why none of some states could publish; ``start`` ends in "fullest box"."""
    k, best = recoding.study.k, max(candidate.largest for candidate in states)
    if best < k:
        return f"{start} holds only {best:,}." if best else f"{start} is empty: their people are all published."
    most = max(candidate.records for candidate in states)
    if recoding.study.privacy:
        return f"{start} holds {best:,}, and those that pass hold {most:,} together: too few for a step."
    return (
        f"{start} holds {best:,}, but all boxes with k = {k} or more together only {most:,}, and one step must publish "
        f"at least {recoding.step_minimum:,} (1 % of {recoding.records:,}; profile {recoding.study.profile})."
    )


# What decides between states of equal loss, each where those before it tie as well.
CRITERIA = {"c1": "sum of the layers", "c2": "mean height in the hierarchies", "c3": "share of different values lost"}


def _tied(recoding: Recoding, index: int, candidates: Sequence[Candidate]) -> dict[str, list[Candidate]]:
    """The states that lose exactly as much as the one that a step took, by the criterion that stands against each."""
    chosen = _taken(recoding, index, candidates)
    growth = recoding.lattice.key(chosen.state)[0]
    tied = {candidate.state: candidate for candidate in recoding.iterations[index - 1].tied}
    rivals = [
        candidate
        for candidate in candidates
        if candidate.feasible
        and candidate.state not in (chosen.state, recoding.lattice.top)
        and recoding.lattice.key(candidate.state)[0] == growth
    ]
    return {
        "c1": [rival for rival in rivals if rival.c1 != chosen.c1],
        "c2": [rival for rival in rivals if rival.c1 == chosen.c1 and rival.c2 != chosen.c2],
        "c3": [tied[rival.state] for rival in rivals if rival.state in tied],
    }


def _taken(recoding: Recoding, index: int, candidates: Sequence[Candidate]) -> Candidate:
    return next(candidate for candidate in candidates if candidate.state == recoding.iterations[index - 1].state)


def _c3_taken(recoding: Recoding, index: int) -> Fraction | None:
    step = recoding.iterations[index - 1]
    return next(candidate.c3 for candidate in step.tied if candidate.state == step.state)


def _tie_in_short(recoding: Recoding, index: int, candidates: Sequence[Candidate]) -> list[str]:
    """A short sentence on what broke a tie, where there was one."""
    found = _tied(recoding, index, candidates)
    rivals = [words.state(rival.state) for those in found.values() for rival in those]
    if not rivals:
        return []
    told = [f"the smaller {what} (**{name}**)" for name, what in CRITERIA.items() if found[name]]
    if found["c3"] and all(rival.c3 == _c3_taken(recoding, index) for rival in found["c3"]):
        told[-1] = "the order of the states"
    which = rivals[0] if len(rivals) == 1 else f"{len(rivals):,} other states"
    lose, decide = "loses" if len(rivals) == 1 else "lose", "decides" if len(told) == 1 else "decide"
    return [f"{which} {lose} exactly as much: {listed(told)} {decide}."]


def ties(recoding: Recoding, index: int, candidates: Sequence[Candidate]) -> list[str]:
    """Say to readers in numbers how a step's tie was broken, a sentence per criterion that had to; none without one."""
    if not recoding.study.quality.plain or not 1 <= index <= len(recoding.iterations):
        return []
    chosen, found = _taken(recoding, index, candidates), _tied(recoding, index, candidates)
    by_c1, by_c2, by_c3 = found.values()
    sentences = []
    if by_c1:
        losers = _against(by_c1, "c1", [str(rival.c1) for rival in by_c1])
        sentences.append(
            f"{losers} exactly the same loss; **c1**, the {CRITERIA['c1']}, decides: {chosen.c1} is the lower."
        )
    if by_c2:
        losers = _against(by_c2, "c2", [criterion_text(rival.c2) for rival in by_c2])
        sentences.append(
            f"{losers} the same loss and c1; **c2**, the {CRITERIA['c2']}, decides: "
            f"{criterion_text(chosen.c2)} is the lower."
        )
    if by_c3:
        own = _c3_taken(recoding, index)
        own_text, *texts = criterion_texts([own, *(rival.c3 for rival in by_c3)])
        losers = _against(by_c3, "c3", texts)
        same = all(rival.c3 == own for rival in by_c3)
        sentences.append(
            f"{losers} the same loss, c1 and c2; **c3**, the {CRITERIA['c3']} of the people who remain, "
            f"{'cannot decide' if same else 'decides'}: {own_text} "
            + ("for all of them, so the first state in lattice order is taken." if same else "is the lowest.")
            + " An attacker who has only the release cannot compute c3."
        )
    return sentences


def _against(rivals: Sequence[Candidate], criterion: str, values: Sequence[str]) -> str:
    told = [f"{criterion} {value}" if "\u2248" in value else f"{criterion} = {value}" for value in values]
    shown = [f"{words.state(rival.state)} ({value})" for rival, value in zip(rivals[:4], told, strict=False)]
    if len(rivals) > 4:
        shown.append(f"{len(rivals) - 4} more")
    return f"{listed(shown)} {'has' if len(rivals) == 1 else 'have'}"


def criterion_text(value: Fraction | None, digits: int = 3) -> str:
    """Write for pages a criterion of a step to some digits, marked where rounded; a dash where it was not needed."""
    if value is None:
        return "-"
    text = f"{float(value):.{digits}f}"
    return text.rstrip("0").rstrip(".") or "0" if Fraction(text) == value else f"≈ {text}"


def criterion_texts(values: Sequence[Fraction | None]) -> list[str]:
    """Write for pages criteria of a step with as many digits as it takes to tell them apart."""
    return _told_apart(lambda digits: [criterion_text(value, digits) for value in values], 3, len(set(values)))


def _told_apart(texts_of: Callable[[int], list[str]], digits: int, different: int) -> list[str]:
    """Texts of numbers with as many digits as it takes to tell so many of them apart, but not endlessly many."""
    texts = texts_of(digits)
    if digits == 15 or len({text.removeprefix("≈ ") for text in texts}) == different:
        return texts
    return _told_apart(texts_of, digits + 1, different)


def candidate_table(
    recoding: Recoding, index: int, candidates: Sequence[Candidate], status: dict[tuple[int, ...], Status]
) -> pd.DataFrame:
    """Return the states as a recoding's step finds them as a table to read; equal losses are exact ties."""
    steps = recoding.iterations
    tied = {c.state: c.c3 for c in steps[index - 1].tied} if 1 <= index <= len(steps) else {}
    return pd.DataFrame(
        {
            "state": [words.state(c.state) for c in candidates],
            "what became of it": [LOOKS[status[c.state]][0] for c in candidates],
            "information loss": _losses(recoding, candidates),
            "can publish": ["yes" if c.feasible else "no" for c in candidates],
            f"boxes with {recoding.study.k} or more": [c.boxes for c in candidates],
            "people in them": [c.records for c in candidates],
            "fullest box": [c.largest for c in candidates],
            "c1": [c.c1 for c in candidates],
            "c2": [criterion_text(c.c2) for c in candidates],
            "c3": criterion_texts([tied.get(c.state) for c in candidates]),
        }
    )


def _losses(recoding: Recoding, candidates: Sequence[Candidate]) -> list[str]:
    different = len({recoding.lattice.key(c.state)[0] for c in candidates})
    return _told_apart(lambda digits: [f"{c.loss:.{digits}f}" for c in candidates], 4, different)


def nearby_rows(candidates: Sequence[Candidate], status: dict[tuple[int, ...], Status], rows: int = 8) -> slice:
    """Return the rows of the candidate table around the chosen state; the first ones where none is chosen."""
    place = next((i for i, c in enumerate(candidates) if status[c.state] == "chosen"), 0)
    first = min(max(place - rows // 2, 0), max(len(candidates) - rows, 0))
    return slice(first, first + rows)


def hovers(
    recoding: Recoding, candidates: Sequence[Candidate], status: dict[tuple[int, ...], Status]
) -> dict[tuple[int, ...], str]:
    """Write for pages what the pointer shows at each state of the lattice."""
    formed = {step.state: step for step in recoding.iterations}
    result = {}
    for c in candidates:
        lines = [
            f"{words.state(c.state)} {LOOKS[status[c.state]][0]}",
            f"information loss {c.loss:.4f}",
            f"c1 = {c.c1}, c2 = {criterion_text(c.c2)}",
            f"boxes with {recoding.study.k} or more of the people who are left: {c.boxes:,}",
            f"fullest box: {c.largest:,}",
        ]
        if status[c.state] == "published":
            step = formed[c.state]
            lines.append(f"published {how_many(len(step.classes), 'class', 'classes')} in step {step.index}")
        result[c.state] = "\n".join(lines)
    return result


def result(recoding: Recoding) -> str:
    """Say on Recode how many boxes there are in the end, of which kind, and how many records are suppressed."""
    basic = sum(formed.segment.basic for formed in recoding.classes)
    boxes, people = how_many(len(recoding.classes), "box", "boxes"), how_many(recoding.records, "person", "people")
    return (
        f"{recoding.records - recoding.suppressed:,} of {people} in **{boxes}** (equivalence classes): {basic:,} of a "
        f"single cell (basic), {len(recoding.classes) - basic:,} wider (compound). "
        f"**{recoding.suppressed:,} suppressed** ({percent(recoding.suppressed / recoding.records)})."
    )
