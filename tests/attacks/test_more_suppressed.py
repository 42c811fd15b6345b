"""A release of which rows were suppressed after its classes had formed: the attack keeps the truth possible."""

import random
from dataclasses import replace

import pytest

from cra_engine import LDiversity, Release, Study, StudyError, attack, check, recode, synthesize, who_has_what
from cra_engine.assess.attacked import assess
from cra_engine.raw.placement import locate
from cra_engine.study.tree import ROOT_LABEL
from shares import first
from strategies import finest_cells, random_case
from truth import counts_of, excluded


def pinned(seed, values=()):
    """Data, study and table of local recoding in which all rows that are wider than some layers are suppressed."""
    rng, case = random.Random(seed), random_case(seed)
    if values:
        data = case.data.assign(S=[rng.choice(values) for _ in range(len(case.data))])
        case = replace(case, data=data, study=case.study.changed(privacy=[LDiversity("S", 2)]))
    frame = recode(case.data, case.study).frame.astype(str)
    # As where a width has to stay: one attribute's labels above a layer of its own.
    wide = rng.choice(case.study.attributes)
    widest = rng.randrange(1, wide.layers) if wide.layers > 1 else 1
    narrow = {node.label for layer in wide.layer_nodes[:widest] for node in layer} - {ROOT_LABEL}
    rows = ~frame[wide.name].isin(narrow)
    frame.loc[rows, list(case.study.names)] = ROOT_LABEL
    return case, frame, int(rows.sum())


@pytest.mark.parametrize("seeds", first(1, [range(20), range(20, 1000)]), ids=str)
def test_the_truth_stays_possible_and_what_is_certain_is_so(seeds: range) -> None:
    false, certain = 0, 0
    for seed in seeds:
        case, frame, _ = pinned(seed)
        if set(frame[case.study.names[0]]) == {ROOT_LABEL}:
            continue
        told = Release(case.study.changed(more_suppressed=True), frame)
        assert excluded(told, case.data) == [], seed
        known, held = assess(told), counts_of(told, case.data)
        assert known.recoding == "local"
        assert not known.contradiction
        assert all(held[cell] == 1 for cell in known.certain_cells), seed
        certain += len(known.certain_cells)
        # By ARX-LR's own rule the truth is excluded now and then: that is what the study has to say.
        false += bool(excluded(Release(case.study, frame), case.data))
    assert false
    assert certain


@pytest.mark.parametrize("seeds", first(1, [range(20), range(20, 400)]), ids=str)
def test_nobody_s_value_is_excluded(seeds: range) -> None:
    narrowed = 0
    for seed in seeds:
        case, frame, _ = pinned(seed, ["flu", "gout", "ulcer"])
        if set(frame[case.study.names[0]]) == {ROOT_LABEL} or finest_cells(case.study) > 16:
            continue  # of more cells, who has what is not settled by any time that a test has
        told = Release(case.study.changed(more_suppressed=True), frame)
        told_of = who_has_what(attack(told))
        assert told_of.finished, seed
        known = {found.cell: set(found.possible) for found in told_of.cells}
        cells = [tuple(cell) for cell in locate(case.data, case.study).leaves.tolist()]
        for cell, value in zip(cells, case.data["S"], strict=True):
            assert value in known.get(cell, {value}), (seed, cell)
        narrowed += len(known)
    assert narrowed


def test_the_study_file_says_it_and_nothing_else_changes() -> None:
    case, _, _ = pinned(3)
    study = case.study.changed(more_suppressed=True)
    assert "more_suppressed = true" in study.to_toml_text()
    assert "more_suppressed" not in case.study.to_toml_text()
    back = Study.from_toml_text(study.to_toml_text())
    assert back == study
    assert back != case.study
    assert back.with_k(study.k).for_readers({}).more_suppressed


def test_the_study_file_says_how_its_release_was_made() -> None:
    case, _, _ = pinned(3)
    assert "recoding" not in case.study.to_toml_text()
    for made in ("local", "global", "repaired"):
        study = case.study.changed(recoding=made)
        assert f'recoding = "{made}"' in study.to_toml_text()
        assert Study.from_toml_text(study.to_toml_text()) == study != case.study
        assert study.with_k(study.k).for_readers({}).recoding == made
    with pytest.raises(StudyError, match="'swapped' is unknown"):
        case.study.changed(recoding="swapped")


@pytest.mark.parametrize("said", [{"more_suppressed": True}, {"recoding": "global"}], ids=str)
def test_what_a_study_says_of_an_earlier_release_is_not_said_of_the_next_one(said):
    """Whoever publishes by a study that came in an archive gives away as much as by any other."""
    toy = synthesize("toy")
    told = toy.study.changed(**said)
    assert attack(recode(toy.data, told).release).to_dict() == attack(recode(toy.data, toy.study).release).to_dict()
    checked, plain = check(toy.data, told), check(toy.data, toy.study)
    assert [one.text for one in checked.findings] == [one.text for one in plain.findings]
    assert checked.assessment.certain_cells == plain.assessment.certain_cells != ()
