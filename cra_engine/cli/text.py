"""Prints for people what the commands found."""

import math
from collections.abc import Sequence
from decimal import Decimal
from typing import TYPE_CHECKING

import typer

from cra_engine.cli.files import note
from cra_engine.words import apart, how_many, outward, percent

if TYPE_CHECKING:
    from cra_engine import (
        Attack,
        Audit,
        Check,
        Comparison,
        Composition,
        SinglingChances,
        SinglingOut,
        TightAttack,
        WhoHasWhat,
    )
    from cra_engine.attacks.prior import Prior
    from cra_engine.attacks.refinement.class_attack import ClassAttack
    from cra_engine.attacks.tight.sorted_rows import SortedRows
    from cra_engine.counting.enumeration import Enumeration
    from cra_engine.release import Release
    from cra_engine.study.grid import Grid

FEW_OPTIONS = 24  # of a comparison; of more, the frontier and what was asked for is printed

# What stands beside every cell that is called certain: nothing in a release shows how ARX's coding model was set.
SUPPOSED = (
    "Certain supposes that ARX ran with a g/s factor of 0, as its local transformation comes; "
    "audit says what holds for another."
)


def weighed_by(prior: "Prior") -> str:
    """Return how a command prints what stands beside whatever is likely: by which prior."""
    return f"Chances and numbers of tables hold {prior.supposed}."


def print_audit(audited: "Audit") -> None:
    """Print an audit: warnings and findings."""
    note(*audited.warnings)
    print_verdict(audited.checked)
    for finding in audited.findings:
        typer.echo(finding)


def print_verdict(checked: "Check") -> None:
    """Print the verdict on a release, each demand, and what was found."""
    from cra_engine.checks.demands import demands_of
    from cra_engine.checks.report import TITLES, meaning_of

    typer.echo(f"{TITLES[checked.verdict].upper()}: {meaning_of(checked)}")
    for demand in demands_of(checked):
        typer.echo(f"  {demand.mark}: {demand.said}")
    for one in checked.findings:
        typer.echo(f"  {one.level}: {one.text}")


def print_comparison(comparison: "Comparison", chosen: Sequence[int]) -> None:
    """Print the options on the frontier, what was chosen, and the one to take."""
    from cra_engine.options.frontier import same_table
    from cra_engine.options.measures import MEASURES
    from cra_engine.options.words import (
        change,
        headline,
        hindrance,
        justification,
        recommendation,
        text_of,
        verdict_text,
    )

    best, same = comparison.frontier(), same_table(comparison.points)
    shown = {"detail": "detail lost", "query_error": "query error", "expected": "singled out", "certain": "for certain"}
    shown |= {"prosecutor": "prosecutor", "gain": "gain", "suppressed": "suppressed"}
    typer.echo(f"{'number':>6} " + " ".join(f"{title:>11}" for title in shown.values()) + "  check      option")
    few, present = len(comparison.points) <= FEW_OPTIONS, comparison.present
    for point in comparison.points:
        if point.problem:
            note(f"{hindrance(point).capitalize()}: {point.label}. {point.problem}")
        elif few or point.number in best or point.number in chosen or point in (present, comparison.recommended):
            one = same[point.number]
            on = "  (on the frontier)" if point.number in best else ""
            alike = f"  (as number {one})" if one != point.number else on
            numbers = " ".join(f"{text_of(MEASURES[key], point):>11}" for key in shown)
            typer.echo(f"{point.number:>6} {numbers}  {verdict_text(point) or '-':<9}  {point.label}{alike}")
    typer.echo(headline(comparison, present=present))
    for point in comparison.points if not few else ():
        if why := justification(comparison, point):
            typer.echo(why)
    if len(chosen) == 2:
        first, second = (comparison.point(number) for number in chosen)
        typer.echo(f"From number {first.number} to number {second.number}: {change(first, second)}.")
    typer.echo(recommendation(comparison))


def short(count: int) -> str:
    """Return a whole number as a command prints it in a column: past twelve digits with four of them."""
    return str(count) if count < 10**12 else f"{Decimal(count):.3e}".replace("e+", "e")


def span(lower: int, upper: int) -> str:
    """Return a whole number, or what it is at least and at most, as a command prints them: ``<= 592`` from 0 on."""
    if lower == upper:
        return short(upper)
    least, most = (end.replace("e+", "e") for end in apart(lower, upper))
    return f"{least}..{most}" if lower else f"<= {most}"


def ratio(part: "ClassAttack") -> str:
    """Return a class's ratio as a command prints it: at least so much where the tables left are too many to count."""
    if part.contradiction:
        return "none fits"
    if part.basic or part.counted:
        return f"{part.ratio:.6g}"
    return f">= 10^{math.log10(part.lr_solutions) - math.log10(part.cra_bounds[1]):.4g}"


def tables_left(attacked: "TightAttack | Composition", unknown: str = "unknown") -> str:
    """Return as a command prints it how many tables an attack leaves, and how sure that is."""
    if attacked.log10_worlds is None:
        return unknown
    text = f"{'at most ' if attacked.relaxed else ''}10^{attacked.log10_worlds:.3f}"
    if not attacked.counted:
        text += f" (estimate, standard error of the exponent {attacked.log10_worlds_stderr:.3f})"
    return text


def mean_ratios(result: "Attack") -> str:
    """Return the mean of the classes' ratios as a command prints it, or why there is none."""
    if any(part.contradiction for part in result.classes):
        return "No mean ratio: a class that no data set explains has none."
    if not all(part.basic or part.counted for part in result.classes):
        return "No mean ratio: a class too large to count has none."
    compound = [part for part in result.classes if not part.basic]
    beside = f", {result.mean_ratio_compound:.6g} over the compound ones" if compound else "; none is compound"
    return f"Mean ratio {result.mean_ratio:.6g} over all classes{beside}." if result.classes else "There is no class."


def print_attack(result: "Attack") -> None:
    """Print a line per class, the suppressed records last, and the mean ratios."""
    typer.echo(f"{'class':>8} {'size':>5} {'free cells':>10} {'combinations':>14} {'ratio':>12}  box")
    for part in result.parts:
        name = "suppressed" if part.index is None else str(part.index)
        typer.echo(
            f"{name:>8} {part.size:>5} {len(part.free_cells):>10} {span(*part.combinations_bounds):>14} "
            f"{ratio(part):>12}  {part.release.grid.describe(part.segment)}"
        )
    typer.echo(mean_ratios(result))
    typer.echo(weighed_by(result.prior))


def print_assignments(grid: "Grid", listing: "Enumeration") -> None:
    """Print the cells of a class, and a line per feasible assignment: how many records each holds."""
    for number, cell in enumerate(listing.cells):
        typer.echo(f"cell {number}: {grid.describe(cell)}")
    for counts in listing.assignments:
        typer.echo(" ".join(map(str, counts)))
    extent = "all of them" if listing.complete else "not all: the listing was cut short"
    typer.echo(f"{len(listing.assignments)} of {listing.combinations} feasible assignments ({extent}).")


def print_tight(tight: "TightAttack") -> None:
    """Print how many tables are left, and which cells are certain."""
    grid = tight.release.grid
    known = tables_left(tight, f"unknown: {tight.refused or 'the time ran out'}")
    typer.echo(f"Possible tables by the intervals alone: 10^{tight.log10_worlds_intervals:.3f}")
    alone = tight.log10_worlds_per_class
    most = "at most " if tight.relaxed else ""
    typer.echo(f"Each class by itself leaves:            {'unknown' if alone is None else f'{most}10^{alone:.3f}'}")
    own = " (the classes' own number: of all together more are counted)" if tight.of_classes else ""
    typer.echo(f"All classes together leave:             {known}{own}")
    why = tight.why_relaxed or "the time ran out"
    extent = "" if tight.complete else f" ({why}: there may be more)"
    typer.echo(f"Cells with a certain count: {len(tight.fixed_cells)}{extent}")
    if tight.fixed_cells and not tight.release.study.safe:
        typer.echo(SUPPOSED)
    for cell in tight.isolated:
        typer.echo(f"For certain exactly one record has {grid.describe(cell)}")


def print_sorted(found: "SortedRows") -> None:
    """Print what follows if the table was sorted."""
    grid, column = found.tight.release.grid, found.column
    typer.echo(f"{found.assumption} Rows in random order look so with a chance of {column.chance} at most.")
    if found.refuted:
        typer.echo("No table that was sorted so gives this release.")
        return
    extent = "" if found.complete else " (the time ran out: there may be more)"
    typer.echo(
        f"If so: {how_many(int(found.narrowed.sum()), 'row')} narrowed beyond what they show, "
        f"{int(column.narrowed.sum()):,} of them by the labels alone{extent}."
    )
    for cell in found.isolated:
        if cell not in found.tight.isolated:
            typer.echo(f"If so, exactly one record has {grid.describe(cell)}")


def _people_of(release: "Release") -> str:
    return how_many(release.records, "person", "people")


def print_composition(together: "Composition") -> None:
    """Print what each of several releases says alone, and what all of them say together."""
    grid, told = together.grid, len(together.cells)
    for number, one in enumerate(together.alone, start=1):
        whom = f"of its {_people_of(one.release)}, " if together.grown else ""
        typer.echo(
            f"Release {number} alone (k = {one.release.k}): {whom}{len(one.fixed_cells)} of {told} cells certain, "
            f"{how_many(len(one.isolated), 'person', 'people')} isolated, tables left: {tables_left(one.tight)}"
        )
    why = together.why_relaxed or "the time ran out"
    extent = "" if together.complete else f" ({why}: there may be more)"
    whole = f"of all {_people_of(together.releases[-1])}, " if together.grown else ""
    typer.echo(
        f"All together: {whole}{len(together.fixed_cells)} of {told} cells certain, "
        f"{how_many(len(together.isolated), 'person', 'people')} isolated{extent}; "
        f"tables left: {tables_left(together, 'unknown: the time ran out')}"
    )
    if together.fixed_cells and not all(release.study.safe for release in together.releases):
        typer.echo(SUPPOSED)
    for cell in together.isolated:
        typer.echo(f"For certain exactly one record has {grid.describe(cell)}")
    for (release, cell), count in together.wider.items():
        own = together.releases[release].grid
        if count == 1:
            typer.echo(f"For certain exactly one record has {own.describe(cell)}")
    for difference in together.differences:
        typer.echo(str(difference))
    typer.echo(weighed_by(together.prior))
    who = (
        "each release is of part of the people of the next" if together.grown else "all releases are of the same people"
    )
    rows = ", and that the rows that are linked are of one person" if together.linked else ""
    typer.echo(f"Supposed: that {who}{rows}. Of other people it says nothing.")


def print_chances(result: "SinglingChances") -> None:
    """Print the cells that most likely isolate one person."""
    grid = result.attack.release.grid
    if result.assumption:
        note(result.assumption)
    for chance in result.cells[:20]:
        typer.echo(f"{chance.probability:8.4f}  {grid.describe(chance.cell)}")
    if len(result.cells) > 20:
        typer.echo(f"... and {len(result.cells) - 20} more cells (--json lists all)")
    if result.bounded:
        typer.echo(
            f"{how_many(len(result.bounded), 'cell')} of classes that are too large to count"
            f"{'' if result.complete else ', or for which the time ran out'}; between which limits the "
            "probability lies:"
        )
    for limits in result.bounded[:20]:
        low, high = outward(limits.lower, limits.upper, 4)
        typer.echo(f"{low:8.4f} to {high:.4f}  {grid.describe(limits.cell)}")
    if len(result.bounded) > 20:
        typer.echo(f"... and {len(result.bounded) - 20} more cells (--json lists all)")
    lower, upper = result.expected_bounds
    expected = f"{lower:.4f}"
    if result.bounded:
        expected = "between {:.4f} and {:.4f}".format(*outward(lower, upper, 4))
    typer.echo(f"Expected number of cells that isolate one person: {expected}")
    typer.echo(weighed_by(result.attack.prior))


def print_values(result: "WhoHasWhat") -> None:
    """Print who has what, those first of whom most is known."""
    told = [found for found in result.cells if found.alone or found.excluded or found.gain]
    for found in told[:20]:
        typer.echo(result.sentence(found))
    if len(told) > 20:
        typer.echo(f"... and {len(told) - 20} more cells (--json lists all)")
    mean = "not known" if result.mean_gain is None else percent(result.mean_gain, 1)
    numbers = result.in_numbers()
    typer.echo(f"{numbers[0].upper()}{numbers[1:]}.")
    typer.echo(f"Mean gain in the likelihood of a value over its share in the class: {mean}")
    typer.echo(weighed_by(result.attack.prior))


def print_singled(result: "SinglingOut") -> None:
    """Print per class the cells that isolate one person in the data."""
    grid = result.attack.release.grid
    for singled in (*result.classes, *([result.suppressed] if result.suppressed else [])):
        who = "suppressed" if singled.index is None else f"class {singled.index}"
        for cell in singled.isolating:
            typer.echo(f"{who}: exactly one record has {grid.describe(cell)}")
        if not singled.valid:
            typer.echo(f"{who}: the true counts are not among the feasible assignments")
    counts = result.outcomes
    typer.echo(f"Classes: {counts['failed']} failed, {counts['one']} with one isolated, {counts['many']} with more.")
