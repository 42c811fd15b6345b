"""Numbers of a release that is known in part are upper bounds, and say so wherever they stand."""

import json
import math
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

from cra_dashboard.texts.tight_story import tables_left
from cra_engine import Attribute, LDiversity, Study, attack, compose, recode, synthesize, tight_attack
from cra_engine.attacks.composition import compose as composing
from cra_engine.attacks.prior import Prior
from cra_engine.attacks.solver.repetitions import Estimate
from cra_engine.attacks.tight.attack import attack_arx_release
from cra_engine.audits.guessed_release import guessed_release
from cra_engine.cli.commands import app

ROWS = [
    ("Aarau", "AG", "north", "*"),
    ("Baden", "AG", "north", "*"),
    ("Bern", "BE", "north", "*"),
    ("Lugano", "TI", "south", "*"),
    ("Geneva", "GE", "west", "*"),
]
PRIORS = ["distinct", "independent", "assignments"]


def published(seed: int, ks: tuple[int, ...] = (3,), records: int = 60):
    """A table with regions of unequal shares, published with each k: the order of its states depends on the data."""
    rng = np.random.default_rng(seed)
    region = rng.choice([row[0] for row in ROWS], records)
    data = pd.DataFrame({"age": rng.integers(0, 80, records), "region": region})
    attributes = [Attribute("age", 0, 80, layers=4), Attribute.from_hierarchy("region", ROWS)]
    return data, [recode(data, Study(attributes, k=k)) for k in ks]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A release with its study, in files."""
    _, (made,) = published(0)
    made.study.to_toml(tmp_path / "study.toml")
    made.release.to_csv(tmp_path / "release.csv")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_an_upper_bound_is_called_one_in_python():
    _, (made,) = published(0)
    tight, together = tight_attack(made.release), compose([made.release])
    assert tight.relaxed
    assert tight.status == "exact"
    for found in (tight, together):
        assert "log10_worlds=at most " in repr(found)
        assert f"fixed_cells={len(found.fixed_cells)} or more" in repr(found)
        assert any("upper bound" in warning for warning in found.warnings)
        assert any("differ in share" in warning for warning in found.warnings)
    assert any("differ in share" in warning for warning in attack(made.release).warnings)


def test_under_privacy_models_the_reason_is_said_wherever_a_number_stands(run, tmp_path):
    """Of models besides k both use numbers of records only."""
    study = Study([Attribute("age", 0, 40, 3)], 2, privacy=[LDiversity("illness", 2)])
    ill = ["flu", "cold", "flu", "flu", "flu", "flu", "cold"]
    data = pd.DataFrame({"age": [1, 2, 12, 13, 14, 25, 35], "illness": ill})
    release = recode(data, study).release
    reason = "privacy models are used only to bound how many records a box can have held"
    for found in (tight := tight_attack(release), compose([release, release])):
        assert found.why_relaxed == reason
        assert "log10_worlds=at most " in repr(found)
        assert any(f"is an upper bound, since {reason}" in warning for warning in found.warnings)
        told = found.to_dict()
        assert (told["upper_bound"], told["why_upper_bound"]) == (True, reason)
    assert tables_left(tight)["Tables left"].str.startswith("at most ").tolist() == [False, True, True]
    study.to_toml(tmp_path / "study.toml")
    release.to_csv(tmp_path / "release.csv")
    made = ("--study", tmp_path / "study.toml")
    for asked in (("attack", tmp_path / "release.csv", *made, "--tight"), ("compose", tmp_path / "release.csv", *made)):
        said = run(*asked).out
        assert "at most 10^" in said
        assert f"({reason}: there may be more)" in said


@pytest.mark.usefixtures("folder")
def test_an_upper_bound_is_called_one_by_the_commands():
    given = ["release.csv", "--study", "study.toml"]
    shown = CliRunner().invoke(app, ["attack", *given, "--tight"])
    assert "All classes together leave:             at most 10^" in shown.stdout
    assert "Each class by itself leaves:            at most 10^" in shown.stdout
    assert "upper bound" in shown.stderr
    shown = CliRunner().invoke(app, ["compose", *given, *given[:1]])
    assert shown.stdout.count("tables left: at most 10^") == 3
    assert "upper bound" in shown.stderr
    written = json.loads(CliRunner().invoke(app, ["attack", *given, "--tight", "--json"]).stdout)["tight"]
    assert (written["status"], written["upper_bound"]) == ("exact", True)
    assert any("upper bound" in warning for warning in written["warnings"])


def test_an_order_that_is_known_is_not_called_in_doubt():
    people = pd.DataFrame({"a": [*range(16), 16, 17, 20, 21]})  # the last four need a state of their own
    release = recode(people, Study([Attribute("a", 0, 32, layers=4)], k=3)).release
    tight, together = tight_attack(release), compose([release])
    assert "at most" not in repr(tight) + repr(together)
    assert (tight.warnings, together.warnings) == ((), ())


def test_what_is_recoded_as_arx_does_says_so():
    _, (made,) = published(0)
    assert made.ties == "arx"
    assert recode(pd.DataFrame({"a": range(20)}), Study([Attribute("a", 0, 32, layers=4)], k=3)).ties == "paper"


@pytest.mark.parametrize("prior", PRIORS)
@pytest.mark.parametrize("ks", [(3,), (3, 4), (4, 3)])
@pytest.mark.parametrize("seed", range(2))
def test_releases_together_leave_no_more_than_one_alone(seed, ks, prior):
    _, made = published(seed, ks)
    releases = [one.release for one in made]
    together = compose(releases, prior=prior, time_limit=600)
    known = together.log10_worlds
    assert known is not None
    for number, release in enumerate(releases):
        tight = attack_arx_release(release, 600, 0, lambda: False, Prior(prior))
        assert tight.worlds is not None
        # Ordered tables have the rows of a release: as many orders as its classes have, of which the first ones count.
        orders = [orders_of(release) for release in releases] if prior == "independent" else [0.0] * len(releases)
        for most in (tight.log10_worlds, tight.log10_worlds_per_class):
            assert known <= most + orders[0] - orders[number] + 1e-9
            assert together.log10_worlds_interval[1] <= most + orders[0] - orders[number] + 1e-9
    if len(releases) == 1:
        assert together.worlds == tight.worlds
        assert together.expected_isolated == pytest.approx(tight.expected_isolated)


def orders_of(release) -> float:
    """The logarithm of the number of orders of the rows within all classes."""
    sizes = [*(one.size for one in release.classes), release.suppressed]
    return sum(math.lgamma(size + 1) for size in sizes) / math.log(10)


def test_an_estimate_is_cut_at_what_a_release_alone_leaves(monkeypatch):
    """Whatever the draws say: every table that gives both releases gives each."""
    toy = synthesize("toy")
    releases = [recode(toy.data, toy.study.with_k(k)).release for k in (4, 7)]
    exact = compose(releases)
    assert not exact.relaxed
    assert exact.worlds is not None
    least = min(tight_attack(release).log10_worlds for release in releases)

    def far_too_many(*given):
        solved = solve(*given)
        for one in solved.parts:
            one.count, one.estimate = None, Estimate(500.0, 0.2, 16, None, None)
        return solved

    solve = composing.solve
    monkeypatch.setattr(composing, "solve", far_too_many)
    found = compose(releases)
    assert found.worlds is None
    assert found.log10_worlds == pytest.approx(least)
    assert found.log10_worlds_interval[1] == pytest.approx(least)
    assert found.log10_worlds_interval[0] < least


def test_releases_of_other_columns_bound_nothing():
    """Somebody who publishes one column only counts tables of one column: fewer than there are of both."""
    people = pd.DataFrame({"a": range(16), "b": [value * 5 % 16 for value in range(16)]})
    a, b = Attribute("a", 0, 16, layers=3), Attribute("b", 0, 16, layers=3)
    narrow, wide = (recode(people, Study(names, k=4)).release for names in ([a], [a, b]))
    alone = tight_attack(wide).log10_worlds_per_class
    assert compose([narrow, wide]).log10_worlds_per_class == pytest.approx(alone)
    assert tight_attack(narrow).log10_worlds_per_class < alone


def test_what_is_counted_too_widely_gives_way_to_what_a_release_alone_leaves(monkeypatch):
    """An upper bound of the releases together that lies above one alone is none: the exact one of that release is."""
    _, made = published(0, (3, 4))
    releases = [one.release for one in made]
    least = min((tight_attack(release) for release in releases), key=lambda tight: tight.log10_worlds)

    def far_too_many(*given):
        solved = solve(*given)
        assert solved.parts
        for one in solved.parts:
            one.count, one.estimate = None, Estimate(5000.0, 0.2, 16, None, None)
        return solved

    solve = composing.solve
    monkeypatch.setattr(composing, "solve", far_too_many)
    found = compose(releases)
    assert (found.relaxed, found.worlds) == (True, least.worlds)
    assert found.log10_worlds_interval == (pytest.approx(least.log10_worlds), pytest.approx(least.log10_worlds))


def test_only_numbers_of_the_same_tables_are_set_beside_each_other() -> None:
    """A release that does not tell the common cells apart counts tables of cells of its own: 1 beside 20 of theirs."""
    cut = [[0, 20, 40], [0, 30, 40]]
    data = pd.DataFrame({"age": [5] * 4 + [25] * 5 + [35] * 6})
    tables = [
        data.assign(age=[next(f"[{a}, {b}[" for a, b in pairwise(ends) if a <= age < b) for age in data["age"]])
        for ends in cut
    ]
    other = compose([guessed_release(table).release for table in tables], prior="assignments")
    assert [own.tight.worlds for own in other.alone] == [1, 1]
    assert other.log10_worlds_alone == (None, None)
    # With the same leaves no release leaves fewer than all together.
    toy = synthesize("toy")
    same = compose([recode(toy.data, toy.study.with_k(k)).release for k in (4, 7)])
    assert same.log10_worlds_alone == tuple(own.tight.log10_worlds for own in same.alone)
    assert all(same.log10_worlds <= log10 for log10 in same.log10_worlds_alone)
