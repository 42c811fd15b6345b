"""The search counts rows that are alike together: each choice is what it is of every row, and so is what it finds."""

from collections import Counter
from collections.abc import Callable
from itertools import product
from random import Random

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from cra_engine import Attribute, CRAError, Roles, Rule, Study, compare
from cra_engine.publishable import publishable, space
from cra_engine.publishable.choice import Decided
from cra_engine.publishable.crowds import Crowds
from cra_engine.publishable.making import Maker
from cra_engine.publishable.space import Space
from cra_engine.raw.column_looks import Look
from cra_engine.raw.proposed_roles import propose_roles


def people(seed: int, records: int) -> tuple[pd.DataFrame, Study]:
    """Some people with age and weight as fine as they are written, a ward that is kept; now and then a missing age."""
    rng = np.random.default_rng(seed)
    data = pd.DataFrame(
        {
            "age": rng.integers(200, 600, records) / 10,
            "weight": rng.integers(40, 120, records),
            "ward": rng.choice(["north", "south", "east"][: 2 + seed % 2], records),
            "diagnosis": rng.choice(["flu", "gout", "ulcer"], records),
        }
    ).astype(str)
    if seed % 3 == 2:
        data.loc[rng.random(records) < 0.1, "age"] = ""
    study = Study(
        [Attribute("age", 20, 60, 3, resolution=0.1), Attribute("weight", 40, 120, 2 + seed % 2)], 2 + seed % 3
    )
    return data, study.with_roles(Roles(sensitive=["diagnosis"], keep=["ward"]))


@settings(max_examples=1)
@given(st.integers(0, 10**6), st.integers(20, 120))
@example(380, 106)  # without the rows whose age is missing the wards of ages written in whole years look determined
def test_a_choice_is_what_it_is_of_every_row(seed: int, records: int) -> None:
    compare_choices(seed, records)


@pytest.mark.exhaustive
@settings(max_examples=40)
@given(st.integers(0, 10**6), st.integers(20, 120))
def test_a_choice_of_many_tables_is_what_it_is_of_every_row(seed: int, records: int) -> None:
    compare_choices(seed, records)


def compare_choices(seed: int, records: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(space, "MOST_DIFFERENT", 1.0)
        every = Space.of(*people(seed, records), Rule())
        few = every.alike()
    assert few.counted is not None
    assert few.people == every.people == records
    makers, crowds = [Maker(one, Rule()) for one in (every, few)], [Crowds(one, Rule()) for one in (every, few)]
    choices = list(every.choices())
    for choice in Random(seed).sample(choices, 8):
        heights, gaps = choice.heights, choice.gaps
        assert few.bound(heights, gaps) == every.bound(heights, gaps)
        for count in (Crowds.in_the_way, Crowds.stuck):
            assert count(crowds[1], heights, gaps) == count(crowds[0], heights, gaps)
        try:
            whole = makers[0].make(choice)
        except CRAError as error:
            with pytest.raises(type(error)):
                makers[1].make(choice)
            continue
        counted = makers[1].make(choice)
        for what in ("cost", "suppressed", "left_out"):
            assert getattr(counted, what) == getattr(whole, what), (choice, what)
        for name in few.sensitive:
            assert counted.stars(counted.frame, name) == whole.stars(whole.frame, name), (choice, name)
        expected, told = (makers[at].checked(table, 3600.0) for at, table in enumerate((whole, counted)))
        assert (told.verdict, told.records, told.suppressed) == (
            expected.verdict,
            expected.records,
            expected.suppressed,
        )
        assert {one.code for one in told.findings} == {one.code for one in expected.findings}


@pytest.mark.parametrize(("seed", "records"), [(0, 60), (4, 40), (8, 200)])
def test_a_search_finds_what_it_finds_of_every_row(seed: int, records: int, monkeypatch: pytest.MonkeyPatch) -> None:
    found = []
    for most in (0.0, 1.0):
        monkeypatch.setattr(space, "MOST_DIFFERENT", most)
        found.append(publishable(*people(seed, records), time_limit=3600))
    every, few = found
    assert every.complete
    assert few.to_dict() == every.to_dict()
    assert every.outcomes
    for one, other in zip(few.outcomes, every.outcomes, strict=True):
        pd.testing.assert_frame_equal(one.frame, other.frame)
        pd.testing.assert_frame_equal(one.data, other.data)
        assert one.checked.columns == other.checked.columns
        assert one.checked.utility == other.checked.utility
        assert [rows.tolist() for rows in one.checked.groups] == [rows.tolist() for rows in other.checked.groups]


@pytest.mark.parametrize("work", [publishable, compare])
def test_every_raw_column_is_looked_at_once(work: Callable[..., object], monkeypatch: pytest.MonkeyPatch) -> None:
    data, study = people(3, 60)
    study = study.with_roles(Roles(sensitive=["diagnosis"], remove=["ward"]))
    looked, look_of = Counter[str](), Look.of

    def counted(column: "pd.Series[str]", times: NDArray[np.int64] | None = None) -> Look:
        looked[str(column.name)] += 1
        return look_of(column, times)

    monkeypatch.setattr(Look, "of", counted)
    work(data, study)
    assert looked == dict.fromkeys(data.columns, 1)


@pytest.mark.parametrize("without", [(), (1, 5)])
def test_what_is_proposed_is_that_of_the_rows_that_are_left(without: tuple[int, ...]) -> None:
    data, study = people(1, 60)
    data.loc[0, "ward"] = "west"
    own = Space.of(data, study, Rule(), decided=Decided(without_rows=without))
    left = data.drop(index=[row - 1 for row in without])
    assert [one.distinct for one in own.looks] == [left[name].nunique() for name in data.columns]
    for heights in product(*(column.heights for column in own.columns)):
        if own.fits(heights):
            base = own.base(heights, own.gaps_of(heights)[0])
            assert own.proposed(base) == own.alike().proposed(base) == propose_roles(left, base.names)
