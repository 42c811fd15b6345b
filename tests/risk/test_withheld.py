"""How sure a match is where people were left out: the paper's r p q."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binom
from typer.testing import CliRunner

from cra_engine import DataError
from cra_engine.cli.commands import app
from cra_engine.risk.withheld import withheld_matches

PEOPLE = pd.DataFrame({"born": ["1986"] * 8 + ["1990", ""], "sex": ["F", "M"] * 5, "courses": ["1"] * 7 + ["2"] * 3})


def test_each_bound_is_where_so_few_would_be_seen_with_half_a_percent():
    found = withheld_matches(PEOPLE, ["born", "sex", "courses"], "courses", 1)
    # Born in 1990 and F is the row itself alone, since the one without a year is M; courses 2: three of ten.
    p, q = (bound(fit, 10) for fit in (1, 3))
    assert found[8] == pytest.approx(p * q)
    assert (found <= 1).all()
    # Four F of 1986, and 1990 not; the gap is M: with F four fit, courses 1 seven.
    assert found[0] == pytest.approx(min(bound(4, 10) * bound(7, 10), 1))
    assert (withheld_matches(PEOPLE, ["born", "sex", "courses"], "courses", 3) >= found).all()


def bound(fit, people):
    """The share at which so few or fewer fit with a chance of .005, by halving."""
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if binom.cdf(fit, people, middle) > 0.005 else (low, middle)
    return low


def test_everybody_fits_where_all_are_alike():
    alike = pd.DataFrame({"a": [1] * 4, "b": [1] * 4})
    assert withheld_matches(alike, ["a", "b"], "b", 1).tolist() == [1.0] * 4


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((["sex"], "sex", 1), "not the only one"),
        ((["sex"], "born", 1), "one of the columns"),
        ((["sex", "born"], "born", 0), "0 people are withheld"),
    ],
)
def test_what_cannot_be_asked_is_refused(arguments, said):
    with pytest.raises(DataError, match=said):
        withheld_matches(PEOPLE, *arguments)
    with pytest.raises(DataError, match="The confidence is 1"):
        withheld_matches(PEOPLE, ["sex", "born"], "born", 1, confidence=1)


def test_the_command_says_it_of_those_who_are_alone(tmp_path):
    many = pd.DataFrame({"born": np.r_[np.arange(3), np.zeros(997, int)], "courses": np.arange(1000) % 50})
    many.to_csv(tmp_path / "t.csv", index=False)
    command = ["effective-anonymity", str(tmp_path / "t.csv"), "--qi", "born", "--qi", "courses"]
    done = CliRunner().invoke(app, [*command, "--withheld", "10", "--apart", "courses"], catch_exceptions=False)
    own = withheld_matches(many, ["born", "courses"], "courses", 10)[1:3]
    assert own[0] == own[1] == pytest.approx(10 * bound(1, 1000) * bound(20, 1000))
    assert f"one of 10 people who are left out: a chance of at most {100 * own[0]:.2f} % to " in done.stdout
    wrong = CliRunner().invoke(app, [*command, "--withheld", "10"])
    assert "--withheld and --apart go together" in str(wrong.exception)
