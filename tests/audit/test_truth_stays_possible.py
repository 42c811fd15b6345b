"""The audit excludes no true table and calls nobody certain who is not: ARX's own tables and random ones."""

import random
from fractions import Fraction

import pandas as pd
import pytest
from arx_samples import FAITHFUL, SAMPLES, files_of, parts_of, published, raw, study_of

from cra_engine import (
    Attribute,
    CRAError,
    Release,
    Study,
    attack,
    recode,
    synthesize,
)
from cra_engine.attacks.refinement.formation import latest_states
from cra_engine.attacks.tight.system import TightSystem
from cra_engine.audits.audit import audit
from cra_engine.audits.report import audit_html
from cra_engine.study.file_hierarchy import FileHierarchy
from oracles.unequal import Tree, local_recoding, random_records, random_rows
from shares import first
from strategies import random_case
from truth import counts_of, excluded


def assert_nothing_false(audited, data):
    held = counts_of(audited.release, data)
    assert [cell for cell in audited.isolated if held[cell] != 1] == []
    if audited.tight is not None:
        assert [cell for cell, count in audited.tight.fixed_cells.items() if held[cell] != count] == []


@pytest.mark.parametrize("sample", FAITHFUL)
def test_the_truth_stays_possible_with_the_default_profile(sample):
    audited = audit(published(sample), study_of(sample), time_limit=2, seed=1)
    assert not audited.contradicted
    assert excluded(audited.release, raw(sample)) == []
    assert_nothing_false(audited, raw(sample))


@pytest.mark.parametrize("sample", [name for name in FAITHFUL if "ex38" in name])
def test_the_truth_stays_possible_with_the_papers_profile(sample):
    audited = audit(published(sample), study_of(sample, "paper"), time_limit=2, seed=1)
    assert excluded(audited.release, raw(sample)) == []
    assert_nothing_false(audited, raw(sample))


@pytest.mark.parametrize("sample", [name for name in SAMPLES if "gs05" not in name])
def test_nothing_false_is_said_from_the_labels_alone(sample):
    audited = audit(published(sample), time_limit=2, seed=1)
    assert audited.k_guessed
    assert audited.release.k >= parts_of(sample)[2]  # no class is smaller than k
    assert audited.profile_guessed
    assert not audited.contradicted
    assert audited.tight is None or audited.tight.relaxed
    assert any("is guessed" in warning for warning in audited.warnings)
    assert_nothing_false(audited, raw(sample))


@pytest.mark.parametrize("profile", ["paper", "arx-gui"])
def test_files_that_list_only_values_in_the_data(profile):
    sample = "clinic500_2.ex38_csvdata.k5"
    audited = audit(published(sample), hierarchies=files_of(sample), k=5, profile=profile, time_limit=2)
    assert any("'weight' lists only some values" in warning for warning in audited.warnings)
    assert any("upper bounds" in warning for warning in audited.warnings)
    assert excluded(audited.release, raw(sample)) == []
    assert_nothing_false(audited, raw(sample))


def test_a_study_of_intervals_says_that_it_supposes_all_values_listed():
    sample = "clinic500_2.ex38_csvdata.k5"
    audited = audit(published(sample), study_of(sample), time_limit=2)
    assert any("listed only the values in the data" in warning for warning in audited.warnings)
    assert_nothing_false(audited, raw(sample))


def test_a_study_that_says_how_its_table_was_made_leaves_nothing_to_suppose_of_it():
    made = synthesize("toy", 60, seed=3)
    release, study = recode(made.data, made.study).frame, made.study
    assert "it is supposed that ARX knew" in " ".join(audit(release, study, time_limit=2).warnings)
    said = " ".join(audit(release, study.changed(recoding="local"), time_limit=2).warnings)
    assert "supposed" not in said
    assert "ARX" not in said


def test_raw_values_are_named_and_not_attacked():
    sample = "clinic500dup_2.ex38_lvl0.k5"
    audited = audit(published(sample), study_of(sample), time_limit=2)
    assert audited.release.raw_records == 257
    assert any("257 records show raw values" in warning for warning in audited.warnings)
    assert_nothing_false(audited, raw(sample))


@pytest.mark.parametrize("how", ["study", "files"])
def test_another_algorithm_is_noticed_and_nothing_claimed(how):
    sample = "toy40b.gs05.k3"
    given = {"study": {"study": study_of(sample)}, "files": {"hierarchies": files_of(sample), "k": 3}}
    audited = audit(published(sample), **given[how], time_limit=2)
    assert audited.contradicted
    assert (audited.tight, audited.assessment.cell_chances, audited.isolated) == (None, [], ())
    assert any("g/s factor of 0.5" in warning for warning in audited.warnings)
    assert "Nothing is claimed" in audited.findings[-1]
    assert not any("exactly one person" in finding for finding in audited.findings)
    assert "not known" in audit_html(audited)  # in place of the numbers that do not hold


def test_bounds_of_the_desktop_program_are_implied_by_the_papers():
    # The default for a table of unknown origin must exclude nothing that the paper's profile allows.
    for seed in range(120):
        case = random_case(seed)
        release = recode(case.data, case.study).release
        other = Release(Study(case.study.attributes, case.study.k, "arx-gui"), release.table)
        system, theirs = TightSystem(release), TightSystem(other)
        for part, weaker in zip(attack(release).parts, attack(other).parts, strict=True):
            assert set(part.free_cells) <= set(weaker.free_cells)
            assert part.cap <= weaker.cap
        if not system.relaxed and not theirs.relaxed:
            assert system.cells == theirs.cells
            rng = random.Random(seed)
            for _ in range(20):
                counts = [rng.randrange(release.k + 1) for _ in system.cells]
                assert theirs.allows(counts) or not system.allows(counts)
            # Random counts hardly ever fit; what one class's own worlds give does more often.
            assert theirs.allows(true_counts(system, case.data))


def true_counts(system, data):
    held = counts_of(system.release, data)
    return [int(held[cell]) for cell in system.cells]


@pytest.mark.parametrize("seeds", first(1, [range(25), range(25, 130)]), ids=["few", "many"])
@pytest.mark.parametrize("profile", ["paper", "arx-gui", 0.1, 0.25])
@pytest.mark.parametrize("ties", ["paper", "arx"])
def test_random_tables_never_exclude_the_truth(profile, ties, seeds):
    for seed in seeds:
        case = random_case(seed, equal=seed % 2 == 0, most_records=60)
        recoding = recode(case.data, Study(case.study.attributes, case.study.k, profile), ties=ties)
        release = Release(recoding.study, recoding.release.table)
        assert excluded(release, case.data) == [], f"seed {seed}"


def test_a_step_that_publishes_all_that_is_left_may_come_late():
    # With 3 of 59 records left, fewer than the 15 of a quarter, ARX takes (1, 2, 1) after (2, 1, 2) of higher loss.
    case = random_case(222, equal=True, most_records=60)
    study = Study(case.study.attributes, case.study.k, 0.25)
    recoding = recode(case.data, study, ties="arx")
    assert [step.state for step in recoding.iterations] == [(1, 1, 1), (2, 1, 2), (1, 2, 1)]
    assert excluded(Release(study, recoding.release.table), case.data) == []


@pytest.mark.parametrize("seeds", first(1, [range(80), range(80, 300)]), ids=str)
def test_trees_of_unequal_nodes_never_exclude_the_truth(seeds):
    compound = 0
    for seed in seeds:
        rng = random.Random(f"unequal {seed}")
        attributes = rng.choice([1, 2, 2, 3])
        rows = [random_rows(rng, numeric=rng.random() < 0.6, name="abc"[i]) for i in range(attributes)]
        records = random_records(rng, rows, rng.randint(6, 40))
        names = ["Q1", "Q2", "Q3"][:attributes]
        if seed % 4 == 0:  # files that list only values that occur, where they still are hierarchies
            listed = [[row for row in tree if row[0] in {r[i] for r in records}] for i, tree in enumerate(rows)]
            rows = [few if readable(few) else tree for few, tree in zip(listed, rows, strict=True)]
        share = rng.choice([None, None, Fraction(1, 10), Fraction(1, 4)])
        hierarchies = [FileHierarchy(name, tuple(tree)) for name, tree in zip(names, rows, strict=True)]
        study = Study(hierarchies, rng.choice([2, 3, 4]), "paper" if share is None else float(share))
        labels = local_recoding([Tree(tree) for tree in rows], study.k, records, share, rng)
        release = Release(study, pd.DataFrame(labels, columns=names))
        compound += sum(not c.segment.basic for c in release.classes)
        found = excluded(release, pd.DataFrame(records, columns=names))
        if share is not None and latest_states(release):
            found = [part for part in found if part != "together"]  # the audit does not attack these together
        assert found == [], f"seed {seed}"
    assert compound > len(seeds)


def readable(rows):
    try:
        FileHierarchy("q", tuple(rows))
    except CRAError:
        return False
    return True


def test_records_alike_are_never_called_alone():
    # Two values per leaf: distinct records would have to spread, records alike need not.
    study = Study([Attribute("a", 0, 8, 3)], k=3)
    for seed in range(60):
        rng = random.Random(seed)
        data = pd.DataFrame({"a": [rng.choice([0, 0, 1, 3, 4, 6, 6, 7]) for _ in range(rng.randint(6, 20))]})
        audited = audit(recode(data, study).frame.astype(str), study, time_limit=5)
        assert_isolated_true(audited, data)


def test_categories_of_single_values_are_never_called_alone_by_mistake():
    groups = {"flu": "lung", "cough": "lung", "cut": "skin", "burn": "skin"}
    rows = [(illness, illness, group, "*") for illness, group in groups.items()]
    tree = FileHierarchy("illness", tuple(rows))
    for seed in range(60):
        rng = random.Random(seed)
        data = pd.DataFrame({"illness": [rng.choice(["flu", "flu", "cough", "cut", "burn"]) for _ in range(12)]})
        study = Study([tree], k=3)
        audited = audit(recode(data, study).frame.astype(str), study, time_limit=5)
        assert_isolated_true(audited, data)


def assert_isolated_true(audited, data):
    held = counts_of(audited.release, data)
    assert [cell for cell in audited.isolated if held[cell] != 1] == []


def test_a_person_known_for_certain_is_found_and_named():
    # Two suppressed records and two leaves that were not published, k = 2: two in one leaf would have been.
    study = Study([Attribute("a", 0, 60, 2, fanout=3)], k=2)
    data = pd.DataFrame({"a": [45, 5, 25, 46]})
    table = recode(data, study).frame.astype(str)
    assert table["a"].tolist() == ["[40, 60[", "*", "*", "[40, 60["]
    audited = audit(table, study, gs_factor=0)
    assert audited.isolated == ((0,), (1,))
    assert "2 cells of the grid hold exactly one person for certain, known from the table alone." in audited.findings
    assert "Exactly one person has a in [0, 20[." in audited.findings
