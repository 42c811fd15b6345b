"""What the attack means for one class, and what singling out means for a release, in sentences."""

from cra_dashboard.texts import weighing, words
from cra_dashboard.texts.chances import of_class
from cra_dashboard.texts.class_rows import ClassRow
from cra_engine import SinglingOut, TightAttack, TooLargeError
from cra_engine.attacks.refinement.class_attack import ClassAttack
from cra_engine.words import count, exactly, fewer, how_many, outward, percent


def class_story(part: ClassAttack, row: ClassRow, together: TightAttack | None = None) -> list[str]:
    """Tell the story of a class: its interval's promise, what the attack leaves, who is likely to stand alone.

    Args:
        part: the attack on it.
        row: its numbers.
        together: the attack on all classes together, where it is known: what that settles is said beside a chance.
    """
    if row.index is None:
        records = how_many(row.size, "record")
        start = f"{records} {_is(row.size)} suppressed: published without any interval."
    else:
        start = f"{how_many(row.size, 'record')} share the box {words.box(part.release.grid, row.segment)}."
    if row.remaining is None:
        return [start, _promise(part, row), row.problem, *_limited(part)]
    if row.cells == 1:
        known = "They all lie in one cell, the finest that the hierarchies have"
        return [start, f"{known}: the attack adds nothing to what is published."]
    if row.remaining == 0:
        return [start, row.problem, *(_likely(part, together) if part.coincident else [])]
    return [start, _promise(part, row), _weighed(row) if part.weighted else _cut(row), *_likely(part, together)]


def _weighed(row: ClassRow) -> str:
    """What a safe release leaves of a class."""
    taken = row.cells - row.free_cells
    there = f"{count(row.remaining or 0)} of them fit" if taken else "All of them fit"
    openly = f": {taken:,} of {row.cells:,} cells openly belong to boxes published earlier" if taken else ""
    return f"{there}{openly}. None of these is excluded; they differ only in how likely they are."


def _is(number: int) -> str:
    return "is" if number == 1 else "are"


def _promise(part: ClassAttack, row: ClassRow) -> str:
    interval = "the interval" if row.index is not None else "that"
    return f"Going by {interval} alone, {weighing.tables(part, exactly(row.promised))} are possible."


def _cut(row: ClassRow) -> str:
    if row.remaining is None:
        return ""
    if row.fillings is None:
        ways = "who shows which value decides in how many ways the records can lie"
    elif row.fillings == 1:
        ways = "there is one way only to spread the records over the cells, so the attacker knows how many lie in each"
    else:
        ways = f"there are {count(row.fillings)} ways to spread the records over {row.free_cells:,} cells"
    taken = row.cells - row.free_cells
    if taken:
        took = "belongs" if taken == 1 else "belong"
        ways = f"{taken:,} of {row.cells:,} cells {took} to earlier classes, and {ways}"
    if row.ratio == 1:
        return f"The attack leaves all of them; {ways}."
    return f"The attack leaves {exactly(row.remaining)}, {fewer(row.promised, row.remaining)}: {ways}."


def _limited(part: ClassAttack) -> list[str]:
    """What is known of single cells where a class is too large to count."""
    if part.contradiction:
        return []
    most = outward(0, max(upper for _, upper in part.cell_probability_bounds(1)), 3)[1]
    return [f"No cell of it is more than {percent(most, 1)} likely to hold exactly one person."] if most < 1 else []


def _likely(part: ClassAttack, together: TightAttack | None) -> list[str]:
    try:
        chances = of_class(part, 1)
    except TooLargeError as error:
        return [f"How likely each cell is to hold one person is not known. {error}"]
    best = max(range(len(chances)), key=chances.__getitem__)
    if not chances[best]:
        return ["No cell of it can hold exactly one person."]
    where = words.cell(part.release.grid, part.free_cells[best])
    others = sum(chance == chances[best] for chance in chances) - 1
    also = f" (as {how_many(others, 'other cell')} {_is(others)})" if others else ""
    likely = "certain" if chances[best] == 1 else f"{percent(chances[best])} likely"
    besides = ", besides those who show raw values" if part.release.raw_cells[part.free_cells[best]] else ""
    said = [f"The cell {where} is {likely} to hold exactly one person{also}{besides}."]
    settled = {} if together is None else together.fixed_cells
    if chances[best] < 1 and (people := settled.get(part.free_cells[best])) is not None:
        said.append(f"That is by this class alone; all together it holds {people:,}, for certain.")
    return said


def proven(alone: int, certain: int | None, *, complete: bool = True) -> str:
    """Say to readers how many of the people who stand alone in the raw table the release alone singles out.

    Args:
        alone: how many stand alone.
        certain: how many of them for certain; None where that is not known yet.
        complete: False where the attack might find more with more time.
    """
    if not alone:
        return "Nobody stands alone in a cell."
    start = f"{how_many(alone, 'person stands', 'people stand')} alone in truth; "
    if certain is None:
        return f"{start}the view For certain tells how many can be proven from the release."
    if not certain:
        return f"{start}{'none of them can' if complete else 'so far none of them can'} be proven from the release."
    most = "" if complete else "at least "
    return f"{start}{most}{certain:,} of them can be proven from the release."


def singling_headline(singled: SinglingOut) -> str:
    """Say to readers in how many classes somebody can be singled out, set against the classes on a single cell."""
    summary, wider = singled.outcomes, sum(singled.outcomes_compound.values())
    total, reached = sum(summary.values()), summary["one"] + summary["many"]
    if not total:
        start = "This release has no class."
    elif not reached:
        start = f"In none of {how_many(total, 'class', 'classes')} does a description single out exactly one person."
    else:
        start = (
            f"In {reached:,} of {how_many(total, 'class', 'classes')} ({percent(reached / total)}) a "
            "description singles out exactly one person"
        )
        if wider < total:
            start += f": in {reached:,} of {wider:,} wider than one cell, in none of {total - wider:,} on a single cell"
        start += "."
    results = [*singled.classes, *([singled.suppressed] if singled.suppressed else [])]
    alone = sum(len(result.isolating) for result in results)
    stand = "stands" if alone == 1 else "stand"
    people = how_many(singled.attack.release.records, "person", "people")
    return f"{start} Of {people}, {alone:,} {stand} alone in a cell."
