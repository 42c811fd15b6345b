"""Released tables with missing values among intervals: a value of its own, in the labels alone as with the study."""

import random
from contextlib import suppress

import pandas as pd
import pytest

from cra_engine import Attribute, CRAError, Release, Study, StudyError, audit, compose, read_hierarchy, recode
from cra_engine.audits.guessed_release import guessed_release
from cra_engine.files.csv_text import csv_text
from cra_engine.release import read_release_table
from shares import first


def with_gaps(seed):
    """A table with missing ages, and the study that publishes them as a value of their own."""
    rng = random.Random(seed)
    rows = [
        ("" if rng.random() < 0.25 else str(rng.randrange(20, 60)), str(rng.randrange(32)))
        for _ in range(rng.randrange(30, 60))
    ]
    study = Study([Attribute("age", 20, 60, 3, missing="category"), Attribute("days", 0, 32, 3)], k=rng.choice([2, 3]))
    return pd.DataFrame(rows, columns=["age", "days"]), study


def sizes(release):
    """The classes by what they are called, with their sizes."""
    return sorted((release.grid.describe(one.segment), one.size) for one in release.classes)


def inside(data, grid, cell):
    """How many people of a raw table are in a cell, read off the cell's own ends."""
    rows = pd.Series(data=True, index=data.index)
    for attribute, leaf in zip(grid.attributes, cell, strict=True):
        node, cells = attribute.layer_nodes[0][leaf], data[attribute.name]
        values = pd.to_numeric(cells, errors="coerce")
        between = (values >= float(node.lower)) & (values < float(node.upper))
        if node.missing:
            rows &= cells == ""
        elif node.label.startswith(("<", "below")):
            rows &= values < float(node.upper)
        elif node.label.startswith(">") or node.label.endswith("more"):
            rows &= values >= float(node.lower)
        else:
            rows &= between
    return int(rows.sum())


@pytest.mark.parametrize("seeds", first(1, [range(10), range(10, 60)]), ids=str)
def test_the_table_alone_has_the_classes_that_it_has_with_its_study(seeds: range) -> None:
    read = 0
    for seed in seeds:
        data, study = with_gaps(seed)
        published = recode(data, study)
        table = read_release_table(csv_text(published.frame).encode(), "release.csv")
        with suppress(StudyError):  # too few labels to guess from
            audited = audit(table, time_limit=2)
            read += "NULL" in set(table["age"])
            assert sizes(audited.release) == sizes(published.release)
            for cell in audited.isolated:
                assert inside(data, audited.release.grid, cell) == 1
    assert read >= len(seeds) / 2


@pytest.mark.parametrize("word", ["NULL", "", "NA", "n/a", "no entry", "unknown", "-"])
@pytest.mark.parametrize("labels", [("[20, 40[", "[40, 60["), ("20-39", "40-59"), ("(19, 39]", "(39, 59]")], ids=str)
def test_a_word_for_a_missing_value_is_a_value_of_its_own(word, labels):
    audited = audit(pd.DataFrame({"age": [cell for cell in (*labels, word) for _ in range(3)]}), time_limit=2)
    shown = [leaf.label for leaf in audited.release.attributes[0].layer_nodes[0]]
    assert shown == ["[20, 40[", "[40, 60[", word or "NULL"]
    assert audited.release.suppressed == 0
    assert f"'{word or 'NULL'}' among them: a missing value, read as a value of its own." in audited.proposals[0].sure


def test_of_two_words_for_a_missing_value_an_audit_says_that_they_say_the_same():
    audited = audit(pd.DataFrame({"age": [c for c in ("[20, 40[", "[40, 60[", "NULL", "no entry") for _ in range(3)]}))
    assert [leaf.label for leaf in audited.release.attributes[0].layer_nodes[0]][2:] == ["NULL", "no entry"]
    told = "'NULL' and 'no entry' among them: they say the same, a missing value; each is read as a value of its own"
    assert told in audited.proposals[0].sure


def test_a_word_that_is_none_is_still_named():
    cells = ["[20, 40["] * 3 + ["[40, 60["] * 3 + ["flu"] * 3
    with pytest.raises(StudyError, match="'flu', which is none"):
        audit(pd.DataFrame({"age": cells}), qi=["age"])


def test_a_hierarchy_file_of_intervals_has_a_place_for_missing_values():
    tree = read_hierarchy(
        "".join(f"{n};[{n // 10 * 10}, {n // 10 * 10 + 10}[;*\n" for n in range(20, 60)).encode(), "age"
    )
    table = pd.DataFrame({"age": ["[20, 30["] * 3 + ["[50, 60["] * 3 + ["NULL"] * 4})
    audited = audit(table, hierarchies={"age": tree}, time_limit=2)
    assert [one.size for one in audited.release.classes] == [3, 3, 4]


@pytest.mark.parametrize("seeds", first(1, [range(6), range(6, 40)]), ids=str)
@pytest.mark.parametrize("guessed", [False, True])
def test_people_without_a_value_are_the_same_in_all_releases(seeds: range, guessed: bool) -> None:
    """Of other domains, some with what lies beyond them: what is certain in both together is so in the table."""
    said = 0
    for seed in seeds:
        data, study = with_gaps(seed)
        age, days = study.attributes
        others = [age.changed(lower=10, upper=70), age.changed(lower=30, upper=50, layers=2, below=True, above=True)]
        releases = []
        for own in (age, others[seed % 2]):
            published = recode(data, study.changed(attributes=[own, days]))
            with suppress(CRAError):
                shown = published.frame.astype(str)
                releases.append(guessed_release(shown).release if guessed else Release(published.release.study, shown))
        if not releases:
            continue
        together = compose(releases, time_limit=3, prior="assignments")
        for cell, count in together.fixed_cells.items():
            assert inside(data, together.grid, cell) == count, (seed, together.grid.describe(cell))
            said += count > 0
    assert said or guessed
