"""What several releases say, in words and as a table."""

from collections.abc import Sequence

import pandas as pd

from cra_dashboard.charts.picture import Picture
from cra_dashboard.charts.tight import COUNTED, marks_new
from cra_dashboard.charts.tiled import behind_tiles
from cra_dashboard.charts.view import View
from cra_dashboard.palette import BOX
from cra_dashboard.texts import weighing, words
from cra_engine import Composition, Release, Repair, TightAttack
from cra_engine.attacks.composition.compose import Alone
from cra_engine.words import how_many, listed, percent, power

IN_ORDER = (
    "Supposes that row i of each release is of the same person; where the table has grown or rows were left out, that "
    "the rows that only the later release has come last in it. Where one of them stands in the middle, the rows below "
    "are taken for other people's, and what is said can be false."
)


def second_made(shown: str) -> str:
    """Say on Several releases where a second release comes from, and which table is shown until then, if one is."""
    until = f" Until then {words.plain(shown)} is shown." if shown else ""
    return f"Two releases of the same people, or more. Each k below makes one; so does Check.{until}"


def headline(steps: tuple[Composition, ...]) -> str:
    """Say on Several releases in one sentence what each says alone, and what all say together."""
    last = steps[-1]
    told, whom = len(last.cells), _of_whom(last, last.releases[-1])
    alone = [len(one.fixed_cells) for one in last.alone_of_all]
    isolated = [len(one.isolated) for one in last.alone_of_all]
    if len(steps) == 1:
        settled = _found(alone[0], all_found=last.alone_of_all[0].all_found)
        return f"Alone it settles {settled} of {told} cells{whom}{_singled('singles', last.alone_of_all[0])}."
    each, most = (f"release {len(last.alone)}", "") if last.grown else ("each release", "at most ")
    settles = f"settles {most}{max(alone)} of {told} cells" if any(alone) else f"settles none of {told} cells"
    singles = f"singles out {most}{_people(max(isolated))}" if any(isolated) else "singles nobody out"
    known = "" if all(one.all_found for one in last.alone_of_all) else "as far as found, "
    besides = " Their difference gives away more, below." if last.differences else ""
    return (
        f"Alone, {known}{each} {singles} and {settles}{whom}. Together they settle {last.fixed_text} of {told}"
        f"{_singled('single', last)}.{besides}"
    )


def _found(number: int, *, all_found: bool) -> str:
    """A number of what is certain, a lower bound where not all of it was found."""
    return str(number) if all_found else f"{number} or more" if number else "none found"


def _singled(verb: str, found: Alone | Composition) -> str:
    """Whom releases single out, as the end of a sentence: nobody only where there is nobody, not where time ran out."""
    people = len(found.isolated)
    if found.all_found:
        return f", and {verb} {_people(people)} out"
    return f", and {verb} out {_people(people)} or more" if people else "; nobody was found singled out"


def _of_whom(last: Composition, release: Release) -> str:
    """Name the people of whom a release speaks, where not all speak of the same."""
    return f" of its {release.records:,} people" if last.grown else ""


def _people(number: int) -> str:
    return how_many(number, "person", "people") if number else "nobody"


def step_told(steps: tuple[Composition, ...], number: int, view: View, drawn: Picture) -> str:
    """Say what the picture on Several releases shows with so many put together.

    Args:
        steps: what the first release says, the first two, and so on.
        number: of releases that are put together.
        view: the part of the grid that is shown.
        drawn: what is drawn of it.
    """
    counted = behind_tiles(steps[number - 1].grid, view, COUNTED)
    if number == 1:
        return f"Release 1 alone. {counted}".rstrip()
    which = "Releases 1 and 2" if number == 2 else f"Releases 1 to {number}"
    marked = ", marked new" if marks_new(drawn) else ""
    new = len(steps[number - 1].newly)
    said = f"{which}: {how_many(new, 'cell')} became certain only by putting them together{marked}."
    if not new:
        said = f"{which}: putting them together makes no more cells certain."
    if any(one.name == BOX.name for one in drawn.outlines):
        said += f" Drawn: the boxes of release {number}."
    return f"{said} {counted}".rstrip()


def table(steps: tuple[Composition, ...], labels: list[str]) -> pd.DataFrame:
    """Return for Several releases a row per release alone, and the last one for all of them."""
    last = steps[-1]
    rows = [
        {
            "Release": f"{number}: {label}{',' * last.grown}{_of_whom(last, one.release)}",
            **_figures(one),
        }
        for number, (one, label) in enumerate(zip(last.alone, labels, strict=True), start=1)
    ]
    rows.append(
        {
            "Release": f"together{f', of all {last.releases[-1].records:,} people' if last.grown else ''}",
            **_figures(last),
        }
    )
    return pd.DataFrame(rows)


def _figures(of: Alone | Composition) -> dict[str, str]:
    """What is certain, as two cells of the table."""
    figures = {"Cells certain": of.fixed_cells, "People singled out": of.isolated}
    return {name: _found(len(cells), all_found=of.all_found) for name, cells in figures.items()}


def left(last: Composition) -> str:
    """Say on Several releases how many tables each leaves, and all of them, of those that count the same; and what."""
    alone = last.log10_worlds_alone
    several = len(alone) > 1
    known = [
        f"{_tables(own.tight, log10)} by release {number}"
        for number, (own, log10) in enumerate(zip(last.alone, alone, strict=True), start=1)
        if several and log10 is not None
    ]
    told = listed([*known, f"{_tables(last, last.log10_worlds)} by {'all together' if several else 'release 1'}"])
    apart = (
        ""
        if not several or known or last.grown
        else " Alone, no release tells these cells apart, so its number is of others."
    )
    return f"Tables left: {told}. A table here is {weighing.one_table(last, 'the people')}.{apart}"


def _tables(found: TightAttack | Composition, log10: float | None) -> str:
    if log10 is None:
        return "not known"
    most, sure = "at most " if found.relaxed else "", " (estimate)" if not found.counted else ""
    return f"{most}{power(log10)}{sure}"


def notes(last: Composition) -> list[str]:
    """Say on Several releases what weakens the result."""
    found = [words.plain(warning) for warning in last.warnings]
    for (release, cell), count in last.wider.items():
        if count == 1:
            grid = last.releases[release].grid
            found.append(f"Exactly one person, too: {words.cell(grid, cell)}.")
    if not last.complete and not last.relaxed and last.status != "timeout":
        found.append("The time ran out, so there may be more than is told here.")
    return found


def other_numbers(releases: Sequence[Release], labels: Sequence[str]) -> str:
    """Say on Several releases that releases of other numbers of rows are not of the same people; empty for the same."""
    if len({release.records for release in releases}) < 2:
        return ""
    rows = [f"{label} has {release.records:,} rows" for label, release in zip(labels, releases, strict=True)]
    return (
        f"{listed(rows)}, so they are not of the same people. Were rows left out, or has the table grown? Then all "
        "people of the smaller one are among those of the larger."
    )


MEND = (
    "Classes of the last release are merged or suppressed, the cheapest ones, until nobody stands alone for certain: "
    "neither by it alone, nor by all of them together."
)


def beyond_repair(people: int) -> str:
    """Say on Several releases what to know where the earlier ones single so many people out by themselves."""
    are = "is" if people == 1 else "are"
    return (
        f"A repair of the last release cannot help: {_people(people)} {are} certain without it, and nothing that is "
        "published now takes that back."
    )


def mended(found: Repair) -> str:
    """Say on Several releases what a repair beside the others did, or why it cannot help."""
    before, now = found.together_before, found.together
    if not found.met or before is None or now is None:
        return words.plain(found.why_not)
    if not found.steps:
        return "Nothing has to be done: the targets hold already."
    sure = "" if now.exact else ", estimated"
    return (
        f"{how_many(len(found.steps), 'step')}: together {_people(len(before.certain))} certain before, "
        f"{_people(len(now.certain))} now; the likeliest cell with exactly one person {percent(now.likeliest)}{sure}. "
        f"Information lost {percent(found.loss_before, 1)} before, {percent(found.loss, 1)} now; "
        f"{found.release.suppressed:,} suppressed."
    )


def suppositions(last: Composition, columns: Sequence[str]) -> str:
    """Say on Several releases what the result rests on.

    Args:
        last: all releases together.
        columns: of the uploaded tables; those that take no part are named.
    """
    who = "each release is of part of the people of the next" if last.grown else "all releases are of the same people"
    stay = list(dict.fromkeys(one.column for one in last.differences))
    who += f" and shows the same {listed(stay)} of them" if stay else ""
    rows = f", and that row i of each is of the same person{', new rows last' * last.grown}" if last.linked else ""
    names = [attribute.name for attribute in last.grid.attributes]
    others = [name for name in columns if name not in (*names, *stay)]
    none = f"; {listed(others)} {'takes' if len(others) == 1 else 'take'} no part" if others else ""
    return f"Supposed: that {who}{rows}. Cells are cut by {words.plain(listed(names) + none)}."
