"""The command compose: text, JSON, sentences."""

import json
from functools import partial

import pytest

from cra_engine import recode, safe_recode, synthesize
from json_shapes import fitting

TOY = synthesize("toy")


@pytest.fixture
def run(run, tmp_path):
    """Run the command in a folder with two releases of the toy table; exit status, stdout and stderr."""
    TOY.study.to_toml(tmp_path / "study.toml")
    for k in (4, 7):
        recode(TOY.data, TOY.study.with_k(k)).release.to_csv(tmp_path / f"k{k}.csv", keep_order=True)
        TOY.study.with_k(k).to_toml(tmp_path / f"k{k}.toml")
    recode(TOY.data.iloc[:-1], TOY.study).release.to_csv(tmp_path / "less.csv", keep_order=True)
    return partial(run, "compose")


ONE_STUDY = ["k4.csv", "k7.csv", "--study", "study.toml", "--k", 4, "--k", 7]


def test_json_has_the_keys_of_the_tight_attack_and_the_releases(run) -> None:
    status, out, _ = run(*ONE_STUDY, "--json")
    assert status == 0
    found = json.loads(out)
    assert [(one["k"], one["fixed"], one["isolated"]) for one in found["releases"]] == [(4, 4, 0), (7, 0, 0)]
    assert (found["status"], found["fixed_cells_complete"], len(found["fixed_cells"])) == ("exact", True, 12)
    assert len(found["isolated"]) == 3
    assert isinstance(found["worlds"], str)
    assert found["log10_worlds"] < min(one["log10_worlds"] for one in found["releases"])
    # Each box that is told to hold one person does.
    for box in found["isolated"]:
        inside = TOY.data
        for name, (low, high) in zip(found["attributes"], box, strict=True):
            inside = inside[inside[name].between(low, high, inclusive="left")]
        assert len(inside) == 1
    tight = {"log10_worlds_stderr", "log10_worlds_interval", "log10_worlds_per_class", "log10_worlds_intervals"}
    assert tight | {"refused", "upper_bound", "expected_isolated", "cells"} <= found.keys()


def test_a_study_for_each_says_the_same(run) -> None:
    _, one, _ = run(*ONE_STUDY, "--json")
    _, each, _ = run("k4.csv", "k7.csv", "--study", "k4.toml", "--study", "k7.toml", "--json")
    assert json.loads(each) == json.loads(one)


def test_without_a_study_the_labels_tell_and_what_is_guessed_is_said(run) -> None:
    status, out, err = run("k4.csv", "k7.csv", "--json")
    assert status == 0
    assert "k4.csv: hierarchies of age and weight guessed from the labels" in err
    for box in json.loads(out)["isolated"]:
        inside = TOY.data
        for name, (low, high) in zip(json.loads(out)["attributes"], box, strict=True):
            inside = inside[inside[name].between(low, high, inclusive="left")]
        assert len(inside) == 1
    _, text, _ = run("k4.csv", "k7.csv")
    assert "All together: " in text


def test_text_sets_each_alone_beside_all_together(run) -> None:
    status, out, _ = run(*ONE_STUDY)
    assert status == 0
    assert "Release 1 alone (k = 4): 4 of 16 cells certain, 0 people isolated" in out
    assert "All together: 12 of 16 cells certain, 3 people isolated" in out
    assert out.count("For certain exactly one record has") == 3


def test_linked_rows_of_the_same_table(run) -> None:
    status, out, _ = run(*ONE_STUDY, "--linked-rows", "--json")
    assert status == 0
    assert json.loads(out)["linked_rows"]
    assert len(json.loads(out)["fixed_cells"]) >= 12


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (
            ["k4.csv", "less.csv", "--study", "study.toml", "--k", 3],
            "Releases 1 and 2 cannot be of the same people: 36 records and 35 records",
        ),
        (["k4.csv", "k7.csv", "--study", "study.toml", "--k", 4, "--k", 7, "--k", 3], "3 values of k for 2 releases"),
        (["k4.csv", "k7.csv", "--study", "study.toml", "--k", 9], "fewer than k = 9"),
        (["k4.csv", "nowhere.csv", "--study", "study.toml"], "nowhere.csv"),
        ([*ONE_STUDY, "--id-column", "patient"], "has no column 'patient'"),
        ([*ONE_STUDY, "--seed", -1], "The seed is -1"),
        ([*ONE_STUDY, "--prior", "vague"], "prior"),
    ],
)
def test_what_is_wrong_is_one_sentence(run, arguments, sentence) -> None:
    status, out, err = run(*arguments)
    assert status == 2
    assert sentence in err
    assert len(err.strip().splitlines()) == 1
    assert not out


def test_safe_releases_are_put_together_by_their_counts(run, tmp_path) -> None:
    first, other = (safe_recode(TOY.data, TOY.study, 1, seed=seed) for seed in (1, 2))
    later = safe_recode(TOY.data, TOY.study, "0.5", seed=3, earlier=first.release)
    for name, made in (("first", first), ("other", other), ("later", later)):
        made.release.to_csv(tmp_path / f"{name}.csv")
        made.study.to_toml(tmp_path / f"{name}.toml")
    words = ["first.csv", "other.csv", "--study", "first.toml"]
    status, out, _ = run(*words, "--json")
    assert status == 0
    found = fitting("compose", out)
    assert list(found) == ["releases", "records", "k", "nested", "complete", "certain", "settled"]
    assert (found["nested"], found["complete"]) == (False, True)
    assert all(0 < one["people"] < found["k"] for one in found["settled"])
    status, out, _ = run(*words)
    assert status == 0
    assert out.startswith("2 safe releases of")
    assert "By these studies none was drawn inside another" in out
    status, out, _ = run("first.csv", "later.csv", "--study", "first.toml", "--study", "later.toml")
    assert status == 0
    assert "their choices together tell 1.5 at most" in out
    assert "leave out the prior" in run(*words, "--prior", "independent")[2]
    status, out, err = run("first.csv", "k4.csv", "--study", "first.toml", "--study", "k4.toml")
    assert status == 0
    assert "the counts of their regions are used" in err


def test_one_release_less_the_other_gives_a_sensitive_value(run, tmp_path) -> None:
    study = TOY.study.with_roles(TOY.study.roles.given("illness", "sensitive")).with_k(4)
    frame = TOY.data.assign(illness=["flu", "cold", "gout"] * 12)
    study.to_toml(tmp_path / "ill.toml")
    for name, data in (("part", frame.drop(index=7)), ("whole", frame)):
        recode(data, study).release.to_csv(tmp_path / f"{name}.csv", seed=0)
    given = ["part.csv", "whole.csv", "--study", "ill.toml", "--grown"]
    status, out, _ = run(*given)
    assert status == 0
    assert "of its 35 people" in out
    assert "All together: of all 36 people, " in out
    assert "Release 2 less release 1 gives the illness of the person whom release 2 alone has: cold." in out
    (found,) = fitting("compose", run(*given, "--json")[1])["differences"]
    assert (found["releases"], found["column"], found["people"]) == ([1, 2], "illness", {"cold": 1})
    assert [one["people"] for one in found["groups"]] == [{"cold": 1}]
