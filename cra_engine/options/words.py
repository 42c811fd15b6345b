"""What a comparison says, in sentences for people who decide about a table."""

from collections.abc import Sequence
from math import isfinite

from cra_engine.assess.figure import Figure
from cra_engine.checks.outcome import Finding
from cra_engine.options.compare import MOST_GAIN, Comparison, is_bounded
from cra_engine.options.frontier import DETAIL, EXPECTED, Point, better, same_table, sides
from cra_engine.options.measures import GIVEN, OUT_OF_TIME, Measure
from cra_engine.words import ALMOST, how_many, listed, odds_factor, percent, power

_ASKED = {False: "k = {} or more", True: "a draw inside the earlier releases"}  # of what is advised
NO_BOUND = "nothing bounds what its choices tell a reader (\u221e)"
UNBOUNDED = (
    "No bound (\u221e): which groups a table shows depends on the people in it, so that a reader who knows the way and "
    "everybody else may rule out for certain what one person could be. Ready does not ask for a bound, but whom the "
    "attack on this very table singles out. Safe recoding has one, as it draws its groups by chance."
)
NO_CHOICE = "nothing was left to choose"  # where a gain is 0
LEAST = 1e-4  # what is smaller is not written out
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
MEANING = (
    (
        "Exact numbers stand as they are; \u2265 marks a bound (the truth is that or more), \u2248 an estimate; ? is "
        "what is not known, \u221e what has no bound."
    ),
    (
        "Detail lost counts all columns that go out, as Make it publishable does: age (or a date of birth) and sex "
        "threefold, a row that is left out as lost. Information lost counts only the columns that others know, by the "
        "steps of their hierarchies: 0 % for exact values, 100 % for nothing published and for a suppressed record."
    ),
    (
        "Risk has two sides. Who knows a person's quasi-identifiers picks the record with one in the smallest class: "
        "that is what k promises. Who has the published table alone reads it with the attack. An option is beaten "
        "only by one that keeps no less and is no worse on both sides; one of another way must not have the larger "
        "gain either."
    ),
    (
        "Singled out, expected: how many finest boxes hold exactly one person, on average over all tables that the "
        "attack cannot exclude. A finest box is a description of a person; coarser finest intervals make coarser "
        "descriptions."
    ),
    (
        "Gain: the most by which the choices of the recoding move a reader who knows the method and everybody else in"
        " the table. It is a logarithm of odds between two places of one person: 0 where nothing was left to choose, "
        "as where every box is a single finest cell."
    ),
    UNBOUNDED,
    "Gain says nothing of who is in the table, nor of what is open to read: counts, and boxes published earlier.",
    "A repaired table is measured for readers who know that it was repaired, as its study says; of no others.",
    "The verdict is that of the page Check and of the command check, by the same rule, on the same table.",
    ("No number here shows that a table gives nothing away. A small number means that this one attack finds little."),
)


def value_text(measure: Measure, figure: Figure | None) -> str:
    """Write an option's number for people: ``34.1 %``, ``∞``, ``≥ 3`` for a bound, ``≈ 0.4``, ``?`` where unknown."""
    if figure is None or (figure.value is None and None in (figure.lower, figure.upper)):
        return "?"
    if figure.value is None:
        return "..".join(_plain(measure, end) for end in (figure.lower, figure.upper) if end is not None)
    sign = "\u2248 " if figure.sure == "estimate" else ""
    if figure.sure in ("bound", "timeout"):
        sign = "\u2265 " if figure.lower == figure.value else "\u2264 " if figure.upper == figure.value else ""
    return sign + _plain(measure, figure.value)


def _plain(measure: Measure, value: float) -> str:
    if not isfinite(value):
        return "\u221e"
    if measure.unit == "power":
        return power(value)
    if measure.unit == "share":
        return percent(min(value, ALMOST), 1) if value < 1 else "100 %"
    whole = value == int(value) and abs(value) >= 1
    return f"{int(value):,}" if whole or value == 0 else f"{value:,.3g}" if abs(value) >= LEAST else "below 0.0001"


def text_of(measure: Measure, point: Point) -> str:
    """Write an option's number of a measure for people; see :func:`value_text`."""
    return value_text(measure, point.figures.get(measure.key))


def verdict_text(point: Point) -> str:
    """Say what the check says of an option: ``Ready``; empty where it was not checked; else what hindered it."""
    return hindrance(point) or (point.verdict or "").capitalize()


def hindrance(point: Point) -> str:
    """Say in two words why an option has no numbers; empty where it has some."""
    if not point.problem:
        return ""
    return "out of time" if point.problem == OUT_OF_TIME else "not possible"


def name_of(point: Point) -> str:
    """Name an option by its number and in words."""
    return f"{point.number}: {point.label}"


def headline(
    comparison: Comparison, kept: Measure = DETAIL, given: Measure = EXPECTED, present: Point | None = None
) -> str:
    """Say what the picture of options shows; ``present`` is the option in use, where it was tried."""
    drawn = [p for p in comparison.points if p.rank(kept) is not None and p.rank(given) is not None]
    if not drawn:
        return "None of the options could be published and counted; the table says why."
    best, same = comparison.frontier(kept, given), same_table(comparison.points)
    tables = [point for point in drawn if same[point.number] == point.number]
    beaten = len(tables) - len(best)
    text = how_many(len(drawn), "option")
    if len(tables) < len(drawn):
        text += f" give{'s' if len(drawn) == 1 else ''} {how_many(len(tables), 'different table')}"
    text = f"{text}: {len(best):,} {'is' if len(best) == 1 else 'are'} on the frontier"
    if beaten:
        text += f", {'the other one is' if beaten == 1 else f'each of the other {beaten:,} is'} beaten by one of these"
    if present is None or present not in drawn:
        return f"{text}."
    own = comparison.point(same[present.number])
    alike = "" if own is present else f", the same table as number {own.number}"
    text += f". The present option, number {present.number}{alike}, "
    if own.number in best:
        return f"{text}is on the frontier."
    rival = min(better(drawn, present, kept, given), key=lambda p: (p.rank(given), p.number))
    return f"{text}is beaten: number {rival.number}, for one, is worse in nothing ({change(own, rival, kept, given)})."


def recommendation(comparison: Comparison) -> str:
    """Say which option to take and why; where none passes the check, which is nearest and what stops it."""
    named, ready, nearest = worth_taking(comparison), comparison.ready, comparison.nearest
    asked, best = _ASKED[bool(comparison.study.earlier)].format(comparison.study.k), comparison.recommended
    if not named:
        if nearest is None:
            return "No option is recommended: none could be published and checked."
        return (
            f"No option {f'with {asked}' if ready else 'that was tried'} passes the check; nearest to passing, with "
            f"the fewest findings, is number {nearest.number}, {nearest.short} ({verdict_text(nearest)}). "
            f"{' '.join(finding.text for finding in _asking(nearest)[:2])}"
        )
    first, *others = named
    passing = f"number {first.number}, {first.short}"
    text = (
        f"Best is {passing}: {_best_by(comparison, first)}"
        if best
        else f"None with {asked} passes the check; with k = {first.option.k} {passing} does, with "
        f"{text_of(DETAIL, first)} of the detail lost"
    )
    if others:
        text += f". {losing_less(comparison)[:-1]}"
    many = how_many(len(comparison.points), "option")
    text += f". Of the {many} compared here {len(ready):,} pass{'es' if len(ready) == 1 else ''} the check"
    text += "".join(f". Number {point.number} ({point.label}): {_told(point)}" for point in named)
    if any(point.option.way.name == "safe" for point in named):
        text += ". A safe recoding was checked as one draw; what is handed out is drawn, and checked, anew"
    present = comparison.present
    if best and present is not None and present is not best and not present.problem:
        said = f"{verdict_text(present)}; " if present.verdict else ""
        text += f". The present option, {present.label}, beside number {best.number}: {said}{change(best, present)}"
    return f"{text}."


def advice(comparison: Comparison) -> tuple[str, ...]:
    """Say the same in at most three short sentences, where no list of the options stands beside them.

    The option to take, and after it those that lose less, each with what speaks against it.
    """
    named, nearest = worth_taking(comparison), comparison.nearest
    if not named:
        if nearest is None:
            return ("None of the options could be published and checked.",)
        return (f"No option passes the check; nearest to it is {nearest.label} ({verdict_text(nearest)}).",)
    first, *others = named
    said = [f"Best is {first.label}: {_best_by(comparison, first)}."]
    for point in others:
        why = _told(point) if comparison.is_asked(point) else f"k is {point.option.k}"
        said.append(f"{point.label} loses less, {text_of(DETAIL, point)}; but {why}.")
    return tuple(said)


def worth_taking(comparison: Comparison) -> list[Point]:
    """Return the options that pass the check and are worth a word, the one that is recommended first.

    After it comes what loses less detail: of those that may be advised, then, but for a table beside earlier releases,
    of all.
    """
    ready = comparison.ready
    asked = [point for point in ready if comparison.is_asked(point)]
    least = [comparison.recommended, *asked[:1], *([] if comparison.study.earlier else ready[:1])]
    return [point for point in dict.fromkeys(least) if point is not None]


def _best_by(comparison: Comparison, best: Point) -> str:
    """By what an option that passes the check is the best, and of which."""
    lost, of = text_of(DETAIL, best), []
    asked = [point for point in comparison.ready if comparison.is_asked(point)]
    if not asked:
        of.append(f"k = {best.option.k}")
    elif len(asked) < len(comparison.ready):
        of.append(_ASKED[bool(comparison.study.earlier)].format(comparison.study.k))
    if is_bounded(best) and not all(map(is_bounded, asked)):
        of.append(f"a gain up to {MOST_GAIN:g} (the most that choices tell about one person)")
    which = f", with {listed(of)}," if of else ""
    if len(comparison.ready) == 1:
        return f"it alone passes the check (Ready){which or ','} with {lost} of the detail lost"
    return f"of those that pass (Ready){which} it loses least detail, {lost}"


def losing_less(comparison: Comparison) -> str:
    """Say which options that pass the check lose less than the best, and why none of them is it; empty if none do."""
    parts = [
        f"number {point.number} ({text_of(DETAIL, point)}), {_cost(comparison, point)}"
        for point in worth_taking(comparison)[1:]
    ]
    return f"Less is lost by {', and by '.join(parts)}." if parts else ""


def _cost(comparison: Comparison, point: Point) -> str:
    """Why an option that loses less is not the one to take."""
    best, gain = comparison.recommended, GIVEN["gain"]
    if best is None or not comparison.is_asked(point):
        return f"with k = {point.option.k}"
    none = f": {NO_CHOICE}" if best.value("gain") == 0 else ""
    return f"whose choices tell a reader more (gain {text_of(gain, point)} instead of {text_of(gain, best)}{none})"


def _told(point: Point) -> str:
    """What an option's choices tell a reader who knows the method."""
    gain = point.value("gain")
    if gain is None:
        return "what its choices tell a reader who knows the method is not known"
    if not isfinite(gain):
        return NO_BOUND
    if not is_bounded(point):
        return f"its choices change odds by a factor of up to {odds_factor(gain)}"
    here = f"{odds_factor(gain)}{'' if gain else f': {NO_CHOICE}'}"
    return f"its choices change nobody's odds by more than a factor of {odds_factor(MOST_GAIN)} (here {here})"


def why_not(comparison: Comparison, point: Point) -> str:
    """Say what the check says of an option and why, and of one that passes what speaks against it."""
    if point.problem or not point.verdict:
        return verdict_text(point) or "not looked at: its rows show no groups of the hierarchies."
    if point.verdict != "ready":
        return f"{verdict_text(point)}. {_asking(point)[0].text.partition('. ')[0].removesuffix('.')}."
    best = comparison.recommended
    if not comparison.is_asked(point):
        return f"Ready, but asked is {_ASKED[bool(comparison.study.earlier)].format(comparison.study.k)}."
    if best is not None and is_bounded(best) and not is_bounded(point):
        return f"Ready, but {_told(point)}."
    return f"{verdict_text(point)}."


def _asking(point: Point) -> list[Finding]:
    return [finding for finding in point.findings if finding.level != "note"]


def justification(comparison: Comparison, point: Point, kept: Measure = DETAIL, given: Measure = EXPECTED) -> str:
    """Say why an option is on the frontier, in a sentence that can be filed; empty where it is not.

    It names what the option keeps and gives away, and what the next options would cost: the one that keeps more, and
    the one that gives less away.
    """
    best = comparison.frontier(kept, given)
    if point.number not in best:
        return ""
    others = [p for p in comparison.points if p.number in best and p is not point]
    numbers = ", ".join(f"{_small(m)} {text_of(m, point)}" for m in (kept, *sides(given)))
    text = f"Number {point.number} ({point.label}): {numbers}; no option is as good in all of it"
    looser = [p for p in others if p.rank(kept) < point.rank(kept)]
    safer = [p for p in others if p.rank(kept) > point.rank(kept)]
    if looser:
        nearest = max(looser, key=lambda p: (p.rank(kept), -p.number))
        text += f". Number {nearest.number} keeps more, with {change(point, nearest, kept, given)}"
    if safer:
        nearest = min(safer, key=lambda p: (p.rank(kept), p.number))
        text += f". Number {nearest.number} keeps less, with {change(point, nearest, kept, given)}"
    return f"{text}."


def change(before: Point, after: Point, kept: Measure = DETAIL, given: Measure = EXPECTED) -> str:
    """Say what changes from one option to another, measure by measure; equal ones are left out."""
    parts = []
    for measure in (kept, *sides(given), GIVEN["gain"]):
        first, second = before.rank(measure), after.rank(measure)
        if first == second or first is None or second is None:
            continue
        told = [text_of(measure, point) for point in (before, after)]
        if told[0] == told[1]:  # they differ in digits that are not shown
            told = [f"{point.value(measure.key):.6g}" for point in (before, after)]
        parts.append(f"{_small(measure)} {told[1]} instead of {told[0]}")
    return listed(parts) or "no change"


def _small(measure: Measure) -> str:
    what = " (what choices tell)" if measure.key == "gain" else ""
    return measure.title if measure.title.isupper() else f"{measure.title[0].lower()}{measure.title[1:]}{what}"


def listed_points(comparison: Comparison, always: Sequence[int], most: int) -> list[Point]:
    """Return the options worth a row: those that must be there, and the frontier, of equal ones the first.

    Args:
        comparison: the comparison.
        always: numbers of points that must be there.
        most: how many rows there may be; of a longer frontier every so many is taken.
    """
    if len(comparison.points) <= most:
        return list(comparison.points)
    best = comparison.frontier(DETAIL, EXPECTED)
    chosen = [point for point in comparison.points if point.number in always]
    seen = {(text_of(DETAIL, p), text_of(EXPECTED, p)) for p in chosen}
    rest = []
    for point in comparison.points:
        place = (text_of(DETAIL, point), text_of(EXPECTED, point))
        if point.number in best and place not in seen:
            seen.add(place)
            rest.append(point)
    rest.sort(key=lambda point: point.rank(DETAIL))
    room = max(0, most - len(chosen))
    if len(rest) > room:
        rest = [rest[round(i * (len(rest) - 1) / max(1, room - 1))] for i in range(room)]
    numbers = {point.number for point in [*chosen, *rest]}
    return [point for point in comparison.points if point.number in numbers]
