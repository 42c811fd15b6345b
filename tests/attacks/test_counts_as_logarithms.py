"""Numbers of tables of large classes: logarithms and chances are those of exact numbers, which are not written out."""

import math
from datetime import date
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cra_engine import Attribute, Release, Study, attack, audit, compose, tight_attack
from cra_engine.attacks import prior as priors
from cra_engine.attacks.composition import compose as composing
from cra_engine.attacks.intervals import none_and_one
from cra_engine.attacks.prior import Prior, log10_comb
from cra_engine.attacks.refinement import class_attack
from cra_engine.attacks.tight import attack as attacking
from cra_engine.audits import report
from cra_engine.audits.report import audit_html

places = st.integers(1, 40) | st.integers(1, 10**4) | st.integers(1, 10**40)


@given(places, st.data())
def test_logarithms_of_binomials_are_those_of_the_numbers(total, data):
    size = data.draw(st.integers(0, min(total, 400)) | st.integers(max(0, total - 400), total))
    smaller = min(size, total - size)
    exact = math.log10(math.comb(total, smaller))
    assert log10_comb(total, size) == pytest.approx(exact, rel=1e-12, abs=1e-12)
    assert log10_comb(total, total + 1) == -math.inf


@pytest.mark.parametrize("name", ["distinct", "independent", "assignments"])
@pytest.mark.parametrize(("measure", "size"), [(10**13, 1500), (2000, 1999), (10**400, 1200), (1200, 1300), (0, 2)])
def test_logarithms_of_tables_are_those_of_their_numbers(name, measure, size):
    exact = Prior(name).tables(measure, size)
    expected = math.log10(exact) if exact else -math.inf
    assert Prior(name).log10_tables(measure, size) == pytest.approx(expected, rel=1e-13)


@given(places, st.data())
def test_chances_of_nobody_and_of_one_are_those_of_counting_sets(total, data):
    size = data.draw(st.integers(1, min(total, 400)))
    volume = data.draw(st.integers(0, total))
    ways = math.comb(total, size)
    exact = (
        Fraction(math.comb(total - volume, size), ways),
        Fraction(volume * math.comb(total - volume, size - 1), ways),
    )
    assert none_and_one(volume, total, size) == pytest.approx(tuple(map(float, exact)), rel=1e-10, abs=1e-300)


@pytest.fixture
def release():
    """Two classes on a cell of their own, one wider, and two suppressed."""
    study = Study([Attribute("age", 0, 4000, layers=3), Attribute("weight", 0, 4000, layers=2)], k=3)
    rows = [("[0, 1000[", "[0, 2000[")] * 30 + [("[1000, 2000[", "[2000, 4000[")] * 7
    rows += [("[2000, 4000[", "[0, 2000[")] * 4 + [("*", "*")] * 2
    return Release(study, pd.DataFrame(rows, columns=["age", "weight"]))


@pytest.mark.parametrize("prior", ["distinct", "independent", "assignments"])
def test_the_number_of_tables_is_written_out_only_for_who_asks(release, prior, monkeypatch):
    exact = tight_attack(release, prior=prior)
    monkeypatch.setattr(priors, "WRITTEN_OUT", 0)
    for module, name in ((attacking, "_of_settled"), (composing, "_of_known")):
        monkeypatch.setattr(module, name, lambda *_: pytest.fail("the number itself was worked out"))
    by_logarithms = tight_attack(release, prior=prior)
    assert by_logarithms.status == exact.status == "exact"
    assert exact.log10_worlds == pytest.approx(math.log10(exact.worlds), rel=1e-13)
    for name in ("log10_worlds", "log10_worlds_per_class", "log10_worlds_intervals"):
        assert getattr(by_logarithms, name) == pytest.approx(getattr(exact, name), rel=1e-12)
    together = compose([release, release], prior=prior)
    assert together.log10_worlds == pytest.approx(exact.log10_worlds, rel=1e-12)


def test_each_number_of_a_class_is_written_out_once(release, monkeypatch):
    honest, written = class_attack.digits, []
    monkeypatch.setattr(class_attack, "digits", lambda number: written.append(number) or honest(number))
    for part in attack(release).parts:
        told = part.to_dict()
        assert len(set(written)) == len(written)
        assert {*told["cra_bounds"], *told["combinations_bounds"], told["lr_solutions"]} == {*map(str, written)}
        written.clear()


def test_a_report_works_out_no_number_of_which_it_shows_two_digits(release, monkeypatch):
    audited = audit(release.table, release.study)
    as_counted = audit_html(audited, on=date(2026, 1, 1))
    monkeypatch.setattr(report, "WRITTEN_OUT", 0)
    monkeypatch.setattr(report, "count", lambda _: pytest.fail("the number itself was worked out"))
    assert audit_html(audited, on=date(2026, 1, 1)) == as_counted


def test_expected_people_alone_need_no_number_of_millions_of_digits():
    # 200,000 records in 10^12 places, of which 10^6 are one cell: nearly a Poisson law of mean 0.2.
    nobody, somebody = none_and_one(10**6, 10**12, 200_000)
    assert np.allclose([nobody, somebody], [math.exp(-0.2), 0.2 * math.exp(-0.2)], rtol=1e-5)
