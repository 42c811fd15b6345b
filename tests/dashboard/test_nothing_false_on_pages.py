"""What the pages and ``attack --tight`` call certain, proven, 100 % or 0 % of small random tables is true of them."""

import re

import numpy as np
import pandas as pd
import pytest

from cra_dashboard.panels.tight_run import compute
from cra_dashboard.texts import chances, words
from cra_dashboard.texts.class_rows import class_row
from cra_dashboard.texts.class_story import class_story
from cra_dashboard.texts.tight_story import between, lead_in
from cra_engine import Attribute, CRAError, Release, Study, attack, recode, single_out
from cra_engine.cli.text import print_tight
from small_tables import published
from truth import counts_of

QUICK, ALL = 10, 2000


def of_each_class(release, held):
    """Statements about classes read one by one, and whether each is so."""
    found = attack(release)
    boxes = {
        words.box(release.grid, release.grid.cell_segment(cell)): cell
        for cell in release.grid.cells(release.grid.whole)
    }
    for part in found.parts:
        story = " ".join(class_story(part, class_row(part)))
        if said := re.search(r"The cell (.*) is certain to hold exactly one person(?!.*besides)", story):
            yield story, held[boxes[said[1]]] == 1
        if part.contradiction and not part.coincident:
            continue
        for number in (0, 1):
            for cell, chance in zip(part.free_cells, chances.of_class(part, number), strict=True):
                # How many of a cell's records are this class's is known where no other class may fill it.
                alone = sum(other.may_fill(cell) for other in (*found.parts, *found.raw)) == 1
                if alone and chance in (0, 1):
                    yield f"{part.title} {cell} {number}: {chance}", (held[cell] == number) == bool(chance)
    try:
        likely = chances.of_one_person(single_out(found))
    except CRAError:
        return
    for cell, chance in likely:
        if chance in (0, 1):
            yield f"{cell}: {chance}", (held[cell] == 1) == bool(chance)


def of_all_classes(release, held, capsys):
    """Statements about all classes together, and whether each is so."""
    try:
        result = compute(release, 5, lambda: False)
    except CRAError:
        return  # records must be alike
    tight, grid = result.tight, release.grid
    for cell, count in (result.newly | result.known).items():
        yield f"certain {cell}: {count}", held[cell] == count
    number = re.search(r"alone, (\w+) (?:person is|people are)", lead_in(tight))
    if number and number[1].isdecimal():
        yield lead_in(tight), int(number[1]) <= (held == 1).sum()
    for view in tight.cells:
        low, high = re.fullmatch(r"(?:exactly )?(\d+)(?: (?:to|or) (\d+).*)?", between(view)).groups()
        yield f"{view.cell} {between(view)}", int(low) <= held[view.cell] <= int(high or low)
    for cell, chance in chances.of_all_classes(tight):
        if chance in (0, 1):
            yield f"{cell}: {chance}", (held[cell] == 1) == bool(chance)
    boxes = {grid.describe(grid.cell_segment(cell)): cell for cell in grid.cells(grid.whole)}
    print_tight(tight)
    for box in re.findall(r"For certain exactly one record has (.*)", capsys.readouterr().out):
        yield box, held[boxes[box]] == 1


def check(seed, capsys):
    """The number of statements about one table; none of them false."""
    data, table, study = published(seed)
    try:
        release = Release(study, table)
    except CRAError:
        return 0  # raw values only
    held = counts_of(release, data)
    said = [*of_each_class(release, held), *of_all_classes(release, held, capsys)]
    assert [text for text, true in said if not true] == [], f"seed {seed}"
    return len(said)


def test_nothing_false_on_the_pages(capsys):
    assert sum(check(seed, capsys) for seed in range(QUICK)) > QUICK


@pytest.mark.exhaustive
def test_nothing_false_on_the_pages_of_many_tables(capsys):
    assert sum(check(seed, capsys) for seed in range(QUICK, ALL)) > ALL


def test_what_only_different_records_force_is_not_certain(capsys):
    # Four suppressed people, k = 4, four cells of one value each: if all differ, one is in each cell. They need not.
    study = Study([Attribute("a", 0, 2, 2), Attribute("b", 0, 2, 2)], 4)
    release = recode(pd.DataFrame({"a": [0, 0, 1, 1], "b": [0, 0, 1, 1]}), study).release
    (part,) = attack(release).parts
    assert part.cell_probabilities(1) == [1.0] * 4
    held = np.array([[2, 0], [0, 2]])
    said = [*of_each_class(release, held), *of_all_classes(release, held, capsys)]
    assert [text for text, true in said if not true] == []
    assert "certain" not in " ".join(class_story(part, class_row(part)))
