"""Mean losses compared exactly: roots that cancel, roots that nearly do, and fifty digits as the judge."""

from decimal import Decimal, localcontext
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cra_engine import Attribute, recode
from cra_engine.study.grid import Segment
from cra_engine.study.lattice import Lattice
from cra_engine.utility.loss import MeanLoss, box_growth
from strategies import random_case


def mean(root, **growths):
    """A mean of growths written as ``g2=3``: three records of growth 2; ``g9_4=1``: one of growth 9/4."""
    return MeanLoss({Fraction(name[1:].replace("_", "/")): count for name, count in growths.items()}, root)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (mean(2, g1=1, g4=1), mean(2, g9_4=1)),  # (1 + 2) / 2 = 3/2
        (mean(2, g2=1, g18=1), mean(2, g8=1)),  # (√2 + 3√2) / 2 = 2√2
        (mean(3, g2=2, g16=2), mean(3, g27_4=4)),  # (∛2 + 2∛2) / 2 = 3/2 ∛2
        (mean(1, g1=1, g2=1), mean(1, g3_2=7)),
        (mean(2, g2=1, g3=1), mean(2, g3=5, g2=5)),  # in another order, of ten times as many
    ],
)
def test_roots_that_cancel_are_equal(one, other):
    assert one == other
    assert not one < other
    assert not other < one


def pell(steps):
    p, q = 1, 1
    for _ in range(steps):
        p, q = p + 2 * q, p + q
    return p, q


@pytest.mark.parametrize("steps", [12, 13, 30, 31, 80, 81])
def test_the_closest_fractions_are_told_from_the_root_of_two(steps):
    p, q = pell(steps)
    assert p * p - 2 * q * q in (1, -1)
    close, root = MeanLoss({Fraction(p, q) ** 2: 3}, 2), mean(2, g2=3)
    assert close != root
    assert (close < root) == (p * p < 2 * q * q)
    assert (root < close) == (p * p > 2 * q * q)


growths = st.fractions(min_value=1, max_value=8, max_denominator=6)


@given(
    st.integers(1, 4),
    st.dictionaries(growths, st.integers(1, 5), min_size=1, max_size=4),
    st.dictionaries(growths, st.integers(1, 5), min_size=1, max_size=4),
)
def test_the_order_is_that_of_fifty_digits(root, first, second):
    one, other = MeanLoss(first, root), MeanLoss(second, root)
    with localcontext() as context:
        context.prec = 60

        def value(growths):
            parts = [
                n * (Decimal(g.numerator) / Decimal(g.denominator)) ** (1 / Decimal(root)) for g, n in growths.items()
            ]
            return sum(parts) / sum(growths.values())

        difference = value(first) - value(second)
    if abs(difference) > Decimal(10) ** -50:
        assert (one < other, other < one, one == other) == (difference < 0, difference > 0, False)
    else:
        assert one == other
    assert one.value == pytest.approx(float(value(first)) - 1, abs=1e-12)


def test_a_box_loses_what_its_state_loses():
    # [0, 50) in steps of 1: Q_loss of [0, 25) is 24/49. [0, 8) by itself 7/7.
    attributes = [Attribute("a", 0, 50, 2), Attribute("b", 0, 8, 1)]
    assert box_growth(attributes, Segment((1, 1), (0, 0))) == Fraction(73, 49) * 2
    assert MeanLoss.of(attributes, [(Segment((1, 1), (1, 0)), 3)], 1).growths == {Fraction(146, 49): 3, Fraction(4): 1}


@pytest.mark.parametrize("seed", range(8))
def test_a_recoded_table_loses_what_its_records_lose(seed):
    case = random_case(seed)
    recoding = recode(case.data, case.study)
    lattice = Lattice(case.study.attributes)
    by_record = [lattice.loss(c.segment.state) for c in recoding.classes for _ in range(c.size)]
    by_record += [1.0] * recoding.suppressed
    loss = MeanLoss.of(case.study.attributes, [(c.segment, c.size) for c in recoding.classes], recoding.suppressed)
    assert loss.value == pytest.approx(sum(by_record) / len(by_record))
    assert loss.records == len(case.data)


def test_tables_of_different_numbers_of_attributes_are_not_compared():
    with pytest.raises(ValueError, match="different numbers"):
        assert mean(1, g2=1) < mean(2, g2=1)
    assert mean(1, g2=1) != "a loss"
