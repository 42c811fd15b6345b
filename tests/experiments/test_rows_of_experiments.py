"""A row of an experiment: its numbers, against hand-worked ones and against the attack itself."""

import math
import re
from fractions import Fraction

import pytest
from small_plans import ROOT, rows

from cra_engine.attacks.refinement import ratios
from cra_engine.attacks.refinement.attack import attack
from cra_engine.experiments import run as experiments
from cra_engine.experiments.rows import (
    CLASS_COLUMNS,
    KEY_COLUMNS,
    SINGLING_COLUMNS,
    SUPPRESSED_COLUMNS,
    TIGHT_COLUMNS,
    TIMING_COLUMNS,
)
from cra_engine.publish.local.recoding import recode


def test_a_row_worked_out_by_hand(by_hand):
    (row,) = rows(by_hand)
    expected_text = {
        "dataset": "by hand",
        "attributes": "x",
        "layers": "3",
        "sample": "0",
        "k": "2",
        "profile": "paper",
        "ties": "paper",
        "records": "5",
        "cells": "4",
        "classes": "2",
        "basic_classes": "1",
        "compound_classes": "1",
        "uncountable_classes": "0",
        "lr_sum_compound": "6",  # two of the four values of [0, 4)
        "cra_sum_compound": "4",  # one in each half
        "combinations_sum_compound": "1",
        "ratio_mean": "1.25",  # of 1.5 and, for the basic class, 1
        "ratio_mean_compound": "1.5",
        "each_combinations": "1",
        "suppressed": "1",
        "suppressed_free_cells": "1",
        "suppressed_lr": "8",
        "suppressed_cra": "2",
        "suppressed_combinations": "1",
        "suppressed_ratio": "4",
        "singled_failed": "0",
        "singled_one": "0",
        "singled_many": "1",
        "singled_invalid": "0",
        "tight_status": "exact",
        "tight_fixed_cells": "4",  # every cell: 1, 1, 2, and the suppressed record
        "tight_isolated": "3",
    }
    assert {name: row[name] for name in expected_text} == expected_text
    logs = {
        "log10_lr_mean": (6 + 1) / 2,
        "log10_cra_mean": (4 + 1) / 2,
        "log10_ratio_mean": 1.25,
        "each_log10_lr": 6,
        "each_log10_cra": 4,
        "each_log10_ratio": 1.5,
        "suppressed_log10_ratio": 4,
        "tight_log10_intervals": 6 * 1 * 8,
        "tight_log10_per_class": 4 * 1 * 2,
        "tight_log10_worlds": 4 * 1 * 2,
    }
    for name, number in logs.items():
        assert float(row[name]) == pytest.approx(math.log10(number), abs=1e-11), name


def test_every_row_agrees_with_recoding_and_attacking_the_sample(small, expected, tmp_path):
    path = tmp_path / "results.csv"
    path.write_bytes(expected)
    compound_seen = 0
    for run, row in zip(small.runs, rows(path), strict=True):
        study = small.configurations[run.configuration].study.with_k(run.k)
        result = attack(recode(small.table(run.configuration, run.sample), study).release)
        compound = [c for c in result.classes if not c.basic]
        compound_seen += len(compound)
        assert int(row["classes"]) == len(result.classes)
        assert int(row["lr_sum_compound"]) == sum(c.lr_solutions for c in compound)
        assert int(row["cra_sum_compound"]) == sum(c.cra_solutions for c in compound)
        ratios = [Fraction(c.lr_solutions, c.cra_solutions) for c in compound]
        everybody = float((sum(ratios) + len(result.classes) - len(compound)) / len(result.classes))
        assert float(row["ratio_mean"]) == pytest.approx(everybody, rel=1e-9)
        if ratios:
            assert float(row["ratio_mean_compound"]) == pytest.approx(float(sum(ratios) / len(ratios)), rel=1e-9)
        else:
            assert row["ratio_mean_compound"] == ""
        assert sum(int(row[f"singled_{name}"]) for name in ("failed", "one", "many")) == len(compound)
        assert row["singled_invalid"] == "0"
    assert compound_seen > 20


def test_a_mean_past_the_largest_float_is_left_empty_with_its_logarithm():
    mean = ratios.mean_ratio([Fraction(10**400), Fraction(1)])
    assert experiments._number(ratios.as_float(mean)) == ""
    assert float(experiments._number(ratios.log10_of_ratio(mean))) == pytest.approx(400 - math.log10(2))
    assert (
        experiments._number(ratios.as_float(ratios.mean_ratio([])))
        == experiments._number(ratios.log10_of_ratio(ratios.mean_ratio([])))
        == ""
    )


def test_every_column_is_explained_in_the_documentation():
    text = (ROOT / "docs" / "reproduction.md").read_text(encoding="utf-8")
    explained = dict(re.findall(r"^\| `(\w+)` \| (.+) \|$", text, re.MULTILINE))
    parts = (KEY_COLUMNS, CLASS_COLUMNS, SUPPRESSED_COLUMNS, SINGLING_COLUMNS, TIGHT_COLUMNS, TIMING_COLUMNS)
    assert explained == {name: meaning for part in parts for name, meaning in part.items()}
