"""The readers' study: nothing in it that the release does not show, and every attack reads the same with it."""

import random
from decimal import Decimal
from io import StringIO

import pandas as pd
import pytest
from typer.testing import CliRunner

from cra_engine import Attribute, Release, Study, attack, audit, check, global_recode, recode, safe_recode, tight_attack
from cra_engine.cli.commands import app
from cra_engine.criteria.t_closeness import TCloseness
from cra_engine.files.row_order import release_text
from cra_engine.options.option import Option, Way
from cra_engine.options.ways import Publisher
from cra_engine.study.file_hierarchy import FileHierarchy
from cra_engine.study.roles import Roles

TOWNS = (
    ("Aue", "south"),
    ("Bonn", "west"),
    ("Celle", "north"),
    ("Dorsten", "west"),
    ("Ulm", "south"),
    ("Varel", "north"),
)
TOWN = FileHierarchy("town", tuple((town, town, part, "*") for town, part in TOWNS))
STUDY = Study([Attribute("age", 0, 80, layers=3), TOWN], k=3, roles=Roles(remove=["name"], keep=["ward"]))


def people(seed):
    """People of a few towns; one alone lives in Celle, in a part of the country with nobody else."""
    draw = random.Random(seed)
    rows = [(draw.randrange(80), draw.choice(["Aue", "Bonn", "Ulm"])) for _ in range(30)]
    table = pd.DataFrame([*rows, (5, "Celle")], columns=["age", "town"])
    return table.assign(name=[f"n{row}" for row in range(31)], ward="w")


def made(seed, *, safe):
    return safe_recode(people(seed), STUDY, 1, seed=seed) if safe else recode(people(seed), STUDY)


@pytest.mark.parametrize("safe", [False, True])
@pytest.mark.parametrize("seed", range(6))
def test_no_name_is_in_it_that_the_release_does_not_show(seed, safe):
    found = made(seed, safe=safe)
    readers = found.study_for_readers(found.frame)
    text = release_text(found.frame)
    names = {label for row in readers.attributes[1].rows for label in row if not label.startswith("not shown ")}
    assert names <= set(found.frame["town"]) | {"*"}
    assert "Celle" not in names
    assert "Varel" not in names  # nobody lives there
    for written in (readers.to_toml_text(), repr(readers)):
        assert "name" not in written.replace("name =", "")
    study = safe_recode(people(seed), STUDY, 1, seed=seed).study if safe else STUDY
    ours, theirs = (Release(one, pd.read_csv(StringIO(text), sep=";", dtype=str)) for one in (study, readers))
    assert [one.size for one in ours.classes] == [one.size for one in theirs.classes]
    assert [one.segment for one in ours.classes] == [one.segment for one in theirs.classes]
    left = [[(one.lr_solutions, one.cra_solutions) for one in attack(release).classes] for release in (ours, theirs)]
    assert left[0] == left[1]
    numbers = [tight_attack(one, time_limit=600) for one in (ours, theirs)]
    assert numbers[0].worlds == numbers[1].worlds
    assert numbers[0].fixed_cells == numbers[1].fixed_cells


def test_the_hierarchy_of_sensitive_values_names_those_that_are_shown():
    tree = FileHierarchy("illness", (("flu", "lung", "*"), ("gout", "joint", "*"), ("lupus", "skin", "*")))
    study = Study([Attribute("age", 0, 80, layers=3)], k=2, privacy=[TCloseness("illness", 1, "hierarchical", tree)])
    table = pd.DataFrame({"age": [1, 2, 3, 4], "illness": ["flu", "gout", "gout", "flu"]})
    found = recode(table, study)
    readers = found.study_for_readers(found.frame)
    assert readers.trees_of_models[0].rows == (
        ("flu", "not shown 1", "*"),
        ("gout", "not shown 2", "*"),
        ("not shown 3", "not shown 4", "*"),
    )


def test_a_name_that_looks_like_ours_is_no_other_category():
    tree = FileHierarchy("town", (("not shown 1", "*"), ("Ulm", "*"), ("Aue", "*")), finest=0)
    assert tree.for_readers({"not shown 1"}).rows == (("not shown 1", "*"), ("not shown 2", "*"), ("not shown 3", "*"))


def test_numbers_stay():
    tree = FileHierarchy("age", tuple((str(n), f"[{n // 10 * 10}, {n // 10 * 10 + 10}[", "*") for n in range(20)))
    assert tree.for_readers(()) is tree


@pytest.mark.parametrize("streaming", [False, True])
def test_the_command_writes_it_and_says_what_it_left_out(tmp_path, monkeypatch, streaming):
    monkeypatch.chdir(tmp_path)
    people(1).to_csv("data.csv", index=False)
    STUDY.to_toml("study.toml")
    (tmp_path / "readers").mkdir()
    given = ["safe-recode", "data.csv", "--study", "study.toml", "--epsilon", "1", "--seed", "1", "--output", "out.csv"]
    more = ["--study-output", "readers/study.toml", *(["--streaming"] if streaming else [])]
    done = CliRunner().invoke(app, [*given, *more])
    assert done.exit_code == 0, (done.output, done.exception)
    assert "numbers the categories of town that the release does not show" in done.stderr
    for path in (tmp_path / "readers").iterdir():
        assert b"Celle" not in path.read_bytes()
    read = CliRunner().invoke(app, ["attack", "out.csv", "--study", "readers/study.toml", "--json"])
    assert read.exit_code == 0, read.output


def test_words_left_as_values_are_told_where_the_release_shows_them():
    roles = Roles(remove=["note"], sensitive=["illness"], as_values=["unknown", "k.A."])
    study = Study([Attribute("age", 0, 80, 3)], 2, roles=roles)
    told = study.for_readers({"age": {"*"}, "illness": {"flu", "unknown"}}).roles
    assert told == Roles(sensitive=["illness"], as_values=["unknown"])


def test_it_says_how_the_release_was_made():
    """As the archive of Make it publishable does; safe recoding says it by its epsilon."""
    told = {safe: made(1, safe=safe).study_for_readers() for safe in (False, True)}
    assert (told[False].recoding, told[True].recoding) == ("local", "")
    assert told[True].safe


def test_check_and_audit_judge_by_it_alike():
    """Of one state or of several: who has release and study supposes nothing that the publisher knows."""
    one_state = 0
    for seed in range(12):
        data = pd.DataFrame({"age": [random.Random(f"{seed} {row}").randrange(40) for row in range(14)]})
        study = Study([Attribute("age", 0, 40, layers=3)], k=3)
        found = recode(data, study)
        readers = found.study_for_readers(found.frame)
        ours, theirs = check(data, study), audit(found.frame, readers)
        one_state += len({one.segment.state for one in found.classes}) == 1
        assert ours.assessment.recoding == theirs.assessment.recoding == "local"
        assert ours.assessment.certain_cells == theirs.assessment.certain_cells
        assert ours.verdict == theirs.checked.verdict
        assert not theirs.gs_factor_supposed
        assert check(data, readers, found.frame).verdict == ours.verdict
    assert one_state > 0


@pytest.mark.parametrize("said", [{"recoding": "local"}, {"recoding": "repaired", "more_suppressed": True}], ids=str)
def test_who_publishes_another_table_by_it_says_nothing_of_the_first(said):
    told = STUDY.changed(**said)
    table = people(3)
    publisher = Publisher(table, told)
    for way in (Way("global", Decimal("0.05")), Way("local", "paper"), Way("safe", Decimal(1))):
        made_so = publisher.publish(Option(told.k, tuple(one.layers for one in told.attributes), way))
        assert (made_so.study.recoding, made_so.study.more_suppressed) == ("", False)
    assert safe_recode(table, told, 1, seed=1).study == safe_recode(table, STUDY, 1, seed=1).study
    assert global_recode(table, told).release.study == STUDY
