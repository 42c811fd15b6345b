"""Privacy criteria on groups worked out by hand, and at the very edge of their limits."""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest

from cra_engine import DataError, StudyError
from cra_engine.criteria.d_presence import DPresence
from cra_engine.criteria.groups import Groups
from cra_engine.criteria.k_anonymity import KAnonymity
from cra_engine.criteria.l_diversity import LDiversity
from cra_engine.criteria.t_closeness import TCloseness
from cra_engine.study.file_hierarchy import FileHierarchy


def groups(*columns, name="s"):
    """Groups with these values of one column; together they are the whole table."""
    values = [value for column in columns for value in column]
    ends = np.cumsum([0, *map(len, columns)])
    rows = [list(range(start, stop)) for start, stop in pairwise(ends)]
    return Groups.of(rows, {name: pd.Series(values)})


def test_k_anonymity_counts_records():
    assert KAnonymity(3).passes(groups("ab", "abc", "aaaa")).tolist() == [False, True, True]
    assert not KAnonymity(3).holds(groups("ab", "abc"))


def test_distinct_l_counts_values():
    # 002, Table 1: both published classes show two diagnoses.
    diagnoses = groups(["colon cancer", "stroke"], ["stroke", "colon cancer"], ["stroke", "stroke"])
    assert LDiversity("s", 2).passes(diagnoses).tolist() == [True, True, False]


def test_entropy_l_at_the_edge():
    # Equal shares of three values have exactly the entropy ln 3; one record more of one value has less.
    made = groups("abc" * 7, "abc" * 7 + "a", "abcd")
    assert LDiversity("s", 3, "entropy").passes(made).tolist() == [True, False, True]
    # Shares 1/2, 1/4, 1/4 have entropy 3/2 ln 2: exactly that of l = 2^(3/2), between 2.828 and 2.829.
    skewed = groups("aabc" * 5)
    assert LDiversity("s", 2.828, "entropy").holds(skewed)
    assert not LDiversity("s", 2.829, "entropy").holds(skewed)


def test_entropy_l_of_a_large_even_class_is_decided_exactly():
    # 30,003 records in three equal shares: the floats of both sides differ, the whole numbers do not.
    made = groups("abc" * 10_001, "abc" * 10_000 + "aab")
    assert LDiversity("s", 3, "entropy").passes(made).tolist() == [True, False]


def test_recursive_is_strict_and_needs_l_values():
    # Counts 4, 2, 1, 1: 4 < c * (1 + 1) needs c above 2; 4 < c * (2 + 1 + 1) needs c above 1.
    made = groups("aaaabbcd")
    assert not LDiversity("s", 3, "recursive", 2).holds(made)
    assert LDiversity("s", 3, "recursive", "2.0001").holds(made)
    assert not LDiversity("s", 2, "recursive", 1).holds(made)
    assert LDiversity("s", 2, "recursive", Fraction(10001, 10000)).holds(made)
    assert not LDiversity("s", 5, "recursive", 100).holds(made)
    assert LDiversity("s", 1, "recursive", Fraction(3, 5)).holds(made)  # 4 < 3/5 * 8


def test_recursive_with_a_factor_of_many_digits():
    c = Fraction(10**30 + 1, 10**30)
    assert LDiversity("s", 2, "recursive", c).holds(groups("aaabbc"))  # 3 < c * 3
    assert not LDiversity("s", 2, "recursive", 1).holds(groups("aaabbc"))


def test_equal_distance_by_hand():
    # The table has a 3, b 3. Shares of the first group 2/3, 1/3: distance 1/6 from 1/2, 1/2.
    made = groups("aab", "abb")
    assert TCloseness("s", Fraction(1, 6)).holds(made)
    assert not TCloseness("s", Fraction(1, 6) - Fraction(1, 10**40)).holds(made)
    assert not TCloseness("s", "0.166").holds(made)


def test_ordered_distance_by_hand():
    # Li and others, section 4: salaries 3k to 11k, nine values; {3k, 4k, 5k} is 0.375 from all of them, {6k, 8k, 11k}
    # 0.167.
    made = groups([3000, 4000, 5000], [6000, 8000, 11000], [7000, 9000, 10000])
    assert TCloseness("s", "0.375", "ordered").passes(made).tolist() == [True, True, True]
    assert TCloseness("s", "0.374", "ordered").passes(made).tolist() == [False, True, True]
    assert TCloseness("s", Fraction(1, 6), "ordered").passes(made).tolist() == [False, True, False]
    assert TCloseness("s", "0.166", "ordered").passes(made).tolist() == [False, False, False]


@pytest.mark.parametrize("finest", [0, 1])
def test_hierarchical_distance_by_hand(finest):
    # Height 2, whether a release may show the values or not. All of a moved to b costs 1/2, across the root 1.
    tree = FileHierarchy("s", (("a", "x", "*"), ("b", "x", "*"), ("c", "y", "*"), ("d", "y", "*")), finest=finest)
    made = groups("aa", "bb", "ccdd")
    # q = 1/4 each. The first: 3/4 too much of a, 1/4 to b inside x (cost 1/2), 1/2 to c and d over the root (cost 1).
    exact = Fraction(1, 4) * Fraction(1, 2) + Fraction(1, 2)
    assert TCloseness("s", exact, "hierarchical", tree).passes(made).tolist() == [True, True, True]
    assert TCloseness("s", exact - Fraction(1, 10**9), "hierarchical", tree).passes(made).tolist() == [
        False,
        False,
        True,
    ]
    assert TCloseness("s", Fraction(1, 2), "hierarchical", tree).passes(made).tolist() == [False, False, True]


def test_presence_bounds_are_inclusive_and_need_the_population():
    made = Groups.of([[0], [1, 2], [3]], population=[10, 10, 2])
    assert DPresence("m", 1, "0.1", "0.2").passes(made).tolist() == [True, True, False]
    assert DPresence("m", 1, "0.2", "0.5").passes(made).tolist() == [False, True, True]
    with pytest.raises(ValueError, match="population"):
        DPresence("m", 1, 0, 1).passes(Groups.of([[0]]))


def test_no_groups_at_all():
    none = Groups.of([], {"s": pd.Series(["a", "b"])})
    for criterion in (KAnonymity(2), LDiversity("s", 2), LDiversity("s", 2, "entropy"), TCloseness("s", 0)):
        assert criterion.passes(none).tolist() == []


@pytest.mark.parametrize(
    ("build", "said"),
    [
        (lambda: KAnonymity(0), "whole number of 1 or more"),
        (lambda: LDiversity("s", 0), "whole number of 1 or more"),
        (lambda: LDiversity("s", "2.5"), "whole number of 1 or more"),
        (lambda: LDiversity("s", "0.5", "entropy"), "1 or more"),
        (lambda: LDiversity("s", 2, "recursive"), "needs c"),
        (lambda: LDiversity("s", 2, "recursive", 0), "above 0"),
        (lambda: LDiversity("s", 2, "recursive", -1), "above 0"),
        (lambda: LDiversity("s", 2, "distinct", 3), "recursive variant only"),
        (lambda: LDiversity("s", 2, "probabilistic"), "distinct, entropy or recursive"),
        (lambda: LDiversity("s", True), "give a number"),
        (lambda: TCloseness("s", "1.2"), "from 0 to 1"),
        (lambda: TCloseness("s", -1), "from 0 to 1"),
        (lambda: TCloseness("s", float("nan")), "give a number"),
        (lambda: TCloseness("s", 1, "euclidean"), "equal, ordered or hierarchical"),
        (lambda: TCloseness("s", 1, "hierarchical"), "needs a hierarchy file"),
        (lambda: DPresence("m", 1, "0.5", "0.4"), "exchange them"),
        (lambda: DPresence("m", 1, "-0.5", "0.4"), "from 0 to 1"),
    ],
)
def test_unusable_parameters_are_refused_in_a_sentence(build, said):
    with pytest.raises(StudyError, match=said):
        build()


def test_distances_need_values_that_have_one():
    with pytest.raises(DataError, match="holds text"):
        TCloseness("s", 1, "ordered").passes(groups("ab"))
    tree = FileHierarchy("s", (("a", "*"), ("b", "*")))
    with pytest.raises(DataError, match="'c' of 's' is not listed"):
        TCloseness("s", 1, "hierarchical", tree).passes(groups("abc"))


def test_one_group_by_itself_and_among_others_is_judged_alike():
    rng = np.random.default_rng(5)
    table = pd.Series(rng.choice(list("abcde"), 60))
    rows = np.array_split(rng.permutation(60), 12)
    together = Groups.of(rows, {"s": table})
    for criterion in (LDiversity("s", 3), LDiversity("s", 3, "entropy"), LDiversity("s", 2, "recursive", 2)):
        alone = [criterion.holds(Groups.of([part], {"s": table})) for part in rows]
        assert criterion.passes(together).tolist() == alone
        assert 0 < sum(alone) < 12
