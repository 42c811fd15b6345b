"""What a comparison of choices says, in sentences for people who decide about a table."""

from collections.abc import Sequence
from decimal import Decimal

from cra_engine.study.study import FLOORED, SAFE
from cra_engine.what_ifs.choices import Choice
from cra_engine.what_ifs.measures import GIVEN, KEPT, Measure, better, frontier, same_table, sides
from cra_engine.what_ifs.outcome import Kept, Point, Together, WhatIf
from cra_engine.words import ALMOST, how_many, listed, percent, power

WHY_NOT_GLOBAL = (
    "The attack on local recoding rests on the order in which classes were published: a class is wide because nothing "
    "narrower in it held enough people. Global recoding shows one state for all records, so there is no such order, no "
    "class took records from another, and these conclusions do not hold. What is counted instead: the people in a "
    "published box may be anywhere in it, and suppressed people lie in boxes that were not published, fewer than k in "
    "each."
)
NOT_PROTECTED = (
    "Global recoding keeps the other weaknesses of k-anonymity: a class whose people all share a diagnosis tells it; "
    "somebody who knows more about a person, or holds another table with the same people, can combine the two; and who "
    "knows that the state was chosen as the best can exclude tables under which a better one had been possible. None "
    "of this is counted."
)
LOST = (
    "Information lost is the mean over all records: 0 % for exact values, 100 % for nothing published. A suppressed "
    "record counts as 100 %."
)
EXPECTED = (
    "People singled out, expected: how many finest boxes hold exactly one person, on average over all tables that the "
    "attack cannot exclude, each class read by itself. A finest box is a description of a person; coarser finest "
    "intervals make coarser descriptions."
)
KNOWN = (
    "Risk has two sides. Who knows a person's quasi-identifiers picks the record with one in the smallest class: that "
    "is what k promises, and a smaller k promises less. Who has the published table alone reads it with the attack. A "
    "choice is beaten only by one that keeps no less and is no worse on both sides."
)
CERTAIN = (
    "For certain: boxes that hold exactly one person in every such table. Reading all classes together may show more."
)
LIMITS = "No number here shows that a table gives nothing away. A small number means that this one attack finds little."
MEANING = (KNOWN, LOST, EXPECTED, CERTAIN, WHY_NOT_GLOBAL, NOT_PROTECTED, LIMITS)


def rule_text(choice: Choice) -> str:
    """How a choice recodes: ``local, as in the paper``; ``global, at most 5 % suppressed``."""
    if choice.limit is not None:
        return f"global, at most {share_text(choice.limit)} suppressed" if choice.limit else "global, none suppressed"
    if choice.profile == "paper":
        return "local, as in the paper"
    if choice.profile == "arx-gui":
        return "local, as the ARX desktop program"
    if choice.profile in (SAFE, FLOORED):
        return "local, by safe recoding"
    return f"local, steps of {share_text(Decimal(str(choice.profile)))}"


def short_rule(choice: Choice) -> str:
    """How a choice recodes, for a table: ``local``, ``global, 5 %``."""
    if choice.limit is not None:
        return f"global, {share_text(choice.limit)}"
    if choice.profile == "paper":
        return "local"
    if choice.profile in (SAFE, FLOORED):
        return "safe"
    share = Decimal("0.01") if choice.profile == "arx-gui" else Decimal(str(choice.profile))
    return f"local, {share_text(share)}"


def share_text(share: Decimal) -> str:
    """A share as a percentage: ``5 %``, ``0.5 %``."""
    return f"{format((share * 100).normalize() + 0, 'f')} %"


def choice_text(result: WhatIf, choice: Choice) -> str:
    """A choice in one line: ``k = 5, local, as in the paper; finest: age 10 years, weight 20 kg``."""
    widths = zip(result.study.names, result.heights.finest(choice), strict=True)
    return f"k = {choice.k}, {rule_text(choice)}; finest: {', '.join(f'{name} {width}' for name, width in widths)}"


def value_text(measure: Measure, point: Point) -> str:
    """A measure of a point as it stands in sentences and tables; ``not known`` where it is missing."""
    number = measure.shown(point)
    if number is None:
        return "not looked at" if measure.key == "certain" else "not known"
    if measure.key == "loss":
        return percent(number, 1)
    if measure.key == "known":
        return percent(number)
    if measure.key == "likeliest":
        certain = point.given is not None and bool(point.given.certain)
        return "certain" if certain else percent(min(number, ALMOST))
    if measure.key == "left":
        return power(number)
    if measure.key in {"expected", "average_size"}:
        return f"{number:,.1f}" if number == 0 or number >= 0.05 else "less than 0.1"
    return f"{number:,.0f}"


def headline(result: WhatIf, kept: Measure, given: Measure, present: Point | None) -> str:
    """What the picture says, in a sentence or two; ``present`` is the choice in use, where it was tried."""
    local = [p for p in result.points if p.choice.local and kept.value(p) is not None and given.value(p) is not None]
    if not local:
        return "None of the choices with local recoding could be published and counted; the table says why."
    best, same = frontier(result.points, kept, given), same_table(result.points)
    tables = [point for point in local if same[point.number] == point.number]
    on = sum(point.number in best for point in tables)
    beaten = len(tables) - on
    start = f"Of {how_many(len(local), 'choice')} with local recoding"
    if len(tables) < len(local):
        start += f" ({how_many(len(tables), 'different table')})"
    start += f", {on:,} {'is' if on == 1 else 'are'} on the frontier"
    if beaten:
        others = "the other one is" if beaten == 1 else f"each of the other {beaten:,} is"
        start += (
            f"; {others} beaten by one of these, which keeps no less and is no worse on either side: for whom somebody "
            "knows, and by the table alone"
        )
    if present is None or present not in local:
        return f"{start}."
    own = result.point(same[present.number])
    alike = "" if own is present else f", the same table as number {own.number}"
    if own.number in best:
        return f"{start}. The present choice, number {present.number}{alike}, is on the frontier."
    rivals = better(local, present, kept, given)
    rival = min(rivals, key=lambda point: (given.value(point), point.number))
    compared = "; ".join(_against(measure, rival, present) for measure in (kept, *sides(given)))
    return (
        f"{start}. The present choice, number {present.number}{alike}, is beaten: number {rival.number}, for one, is "
        f"worse in nothing ({compared})."
    )


def recommended(result: WhatIf, present: Point | None = None) -> Point | None:
    """The choice to take, where anything can be said for one.

    Among the local choices that no other beats and whose k is not below that of the choice in use: those that single
    out fewest for certain, and of them the one that loses least. A smaller k is never taken for the attack's sake.
    """
    least = (present.choice.k if present is not None else result.study.k) if result.points else 0
    best = frontier(result.points, KEPT["loss"], GIVEN["expected"])
    fit = [
        point
        for point in result.points
        if point.number in best
        and point.choice.local
        and point.choice.k >= least
        and point.kept is not None
        and point.kept.classes
        and GIVEN["certain"].value(point) is not None
    ]
    return min(
        fit, key=lambda point: (GIVEN["certain"].value(point), KEPT["loss"].value(point), point.number), default=None
    )


def recommendation(result: WhatIf, present: Point | None = None) -> str:
    """Which choice to take, why, and what it costs; what a smaller k would cost where the attack alone is for it."""
    present = result.present if present is None else present
    chosen = recommended(result, present)
    if chosen is None:
        return "No choice is recommended: none with this k or a larger one could be published and attacked."
    least = present.choice.k if present is not None else result.study.k
    text = (
        f"Recommended is number {chosen.number} ({choice_text(result, chosen.choice)}). Among the choices that no "
        f"other beats and that keep k at {least} or more, it singles out fewest for certain "
        f"({value_text(GIVEN['certain'], chosen)}), and of those it loses least ({value_text(KEPT['loss'], chosen)}); "
        f"somebody who knows a person picks the record with at most {value_text(GIVEN['known'], chosen)}."
    )
    own = None if present is None else result.point(same_table(result.points)[present.number])
    if own is not None and own.number != chosen.number and own.kept is not None:
        text += f" Against the present choice: {_change(own, chosen)}."
    smaller = [
        point
        for point in result.points
        if point.choice.local
        and point.choice.k < least
        and point.choice.layers == chosen.choice.layers
        and _less(point, chosen, GIVEN["expected"])
    ]
    if smaller:
        rival = min(smaller, key=GIVEN["expected"].value)
        text += (
            f" A smaller k looks better to the attack alone, and costs protection: {_change(chosen, rival)} "
            f"(number {rival.number}, k = {rival.choice.k})."
        )
    return text


def justification(result: WhatIf, point: Point, kept: Measure, given: Measure) -> str:
    """Why a choice is on the frontier, in a sentence that can be filed; empty where it is not.

    It names what the choice keeps and gives away, and what the next choices would cost: the one that keeps more, and
    the one that gives less away.
    """
    best = frontier(result.points, kept, given)
    if point.number not in best:
        return ""
    others = [p for p in result.points if p.number in best and p is not point and p.choice.local == point.choice.local]
    text = (
        f"Number {point.number} (k = {point.choice.k}): {_told(point, kept, given)}; no choice is as good in all of it"
    )
    looser = [p for p in others if kept.value(p) < kept.value(point)]
    safer = [p for p in others if kept.value(p) > kept.value(point)]
    if looser:
        nearest = max(looser, key=lambda p: (kept.value(p), -p.number))
        text += f". Number {nearest.number} keeps more, with {_change(point, nearest, kept, given)}"
    if safer:
        nearest = min(safer, key=lambda p: (kept.value(p), p.number))
        text += f". Number {nearest.number} keeps less, with {_change(point, nearest, kept, given)}"
    return f"{text}."


_SHORT = {
    "loss": "loss",
    "known": "risk for whom somebody knows",
    "expected": "expected singled out",
    "certain": "singled out for certain",
}


def _short(measure: Measure) -> str:
    return _SHORT.get(measure.key, _small(measure))


def _told(point: Point, kept: Measure, given: Measure) -> str:
    return ", ".join(f"{_short(measure)} {value_text(measure, point)}" for measure in (kept, *sides(given)))


def _less(one: Point, other: Point, measure: Measure) -> bool:
    first, second = measure.value(one), measure.value(other)
    return first is not None and second is not None and bool(first < second)


def _change(one: Point, other: Point, kept: Measure = KEPT["loss"], given: Measure = GIVEN["expected"]) -> str:
    """What changes from one choice to another, measure by measure; equal ones are left out."""
    parts = []
    for measure in (kept, *sides(given)):
        if measure.value(one) == measure.value(other):
            continue
        before, after = value_text(measure, one), value_text(measure, other)
        if before == after:  # they differ in digits that are not shown
            before, after = (f"{measure.shown(point):.4g}" for point in (one, other))
        parts.append(f"{_short(measure)} {after} instead of {before}")
    return listed(parts) or "no change"


def _small(measure: Measure) -> str:
    return measure.title[0].lower() + measure.title[1:]


def _against(measure: Measure, one: Point, other: Point) -> str:
    first, second = value_text(measure, one), value_text(measure, other)
    return f"{_small(measure)}: {first}" + ("" if first == second else f" instead of {second}")


def comparison(one: Point, other: Point) -> list[str]:
    """Two choices against each other, a sentence per matter; empty where one of them could not be published."""
    if one.kept is None or other.kept is None or one.given is None or other.given is None:
        return []
    a, b = f"number {one.number}", f"number {other.number}"
    result = [
        f"N{a[1:]} loses {value_text(KEPT['loss'], one)} of the information, {b} {value_text(KEPT['loss'], other)}.",
        f"N{a[1:]} shows {_classes(one.kept)}; {b} shows {_classes(other.kept)}.",
    ]
    if one.given.expected is not None and other.given.expected is not None:
        result.append(
            f"Expected to be singled out, from the table alone: {value_text(GIVEN['expected'], one)} people under {a}, "
            f"{value_text(GIVEN['expected'], other)} under {b}."
        )
    if one.given.certain is not None and other.given.certain is not None:
        result.append(
            f"Singled out for certain, each class read by itself: {one.given.certain:,} under {a}, "
            f"{other.given.certain:,} under {b}."
        )
    result.append(
        "Somebody who knows a person's quasi-identifiers picks the record with at most "
        f"{value_text(GIVEN['known'], one)} under {a}, {value_text(GIVEN['known'], other)} under {b}."
    )
    if one.choice.layers != other.choice.layers:
        result.append(
            "The two describe people by finest boxes of different width, so the same number means less under the "
            "coarser one."
        )
    return result


def _classes(kept: Kept) -> str:
    if kept.average_size is None:
        return "no class at all"
    suppressed = "one suppressed record" if kept.suppressed == 1 else f"{kept.suppressed:,} suppressed records"
    return f"{how_many(kept.classes, 'class', 'classes')} of {kept.average_size:,.1f} people on average, {suppressed}"


def together_text(found: Together) -> str:
    """The attack on all classes together in a sentence or two that say how sure they are."""
    people = (
        "nobody is" if not found.certain else "one person is" if found.certain == 1 else f"{found.certain:,} people are"
    )
    if found.status == "timeout":
        text = f"All classes together, the time ran out before all was counted: {people} singled out for certain"
    elif found.status == "estimate":
        text = f"All classes together, certain people proven, the rest estimated: {people} singled out for certain"
    elif found.upper_bound:
        text = f"All classes together, tables counted that may be impossible: {people} singled out for certain"
    else:
        text = f"All classes together, exact: {people} singled out for certain"
    if not found.complete:
        text += ", and there may be more"
    elif found.status == "timeout":
        text += " (this much is proven)"
    if found.expected is not None:
        about = "" if found.status == "exact" and not found.upper_bound else "about "
        text += f"; {about}{found.expected:,.1f} expected"
    if found.log10_left is not None:
        most = "at most " if found.upper_bound else "" if found.status == "exact" else "about "
        text += f"; {most}{power(found.log10_left)} tables left"
        if found.stderr:
            text += f" (standard error of the exponent {found.stderr:.2f})"
    return text + "."


def listed_rows(result: WhatIf, kept: Measure, given: Measure, always: Sequence[int], most: int) -> list[Point]:
    """The points worth a row: those that must be there, and the frontier, of equal ones the first.

    Args:
        result: the comparison.
        kept: one measure.
        given: the other.
        always: numbers of points that must be there.
        most: how many rows there may be; of a longer frontier every so many is taken.
    """
    best = frontier(result.points, kept, given)
    chosen = [point for point in result.points if point.number in always]
    seen = {(p.choice.local, value_text(kept, p), value_text(given, p)) for p in chosen}
    rest = []
    for point in result.points:
        place = (point.choice.local, value_text(kept, point), value_text(given, point))
        if point.number in best and place not in seen:
            seen.add(place)
            rest.append(point)
    rest.sort(key=kept.value)
    room = max(0, most - len(chosen))
    if len(rest) > room:
        rest = [rest[round(i * (len(rest) - 1) / max(1, room - 1))] for i in range(room)]
    numbers = {point.number for point in [*chosen, *rest]}
    shown = [point for point in result.points if point.number in numbers]
    return sorted(shown, key=lambda point: (not point.choice.local, kept.value(point) is None, kept.value(point) or 0))
