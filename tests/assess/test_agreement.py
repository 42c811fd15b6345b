"""One release, one judgement: whoever is asked says the same number, and how sure it is in the same word."""

import pytest
from judged import LONG, QUICK, RELEASE_ALONE, WITH_DATA, judged, reference

NAMES = [*QUICK, *(pytest.param(name, marks=pytest.mark.exhaustive) for name in LONG)]


def test_there_are_twenty_releases_and_more():
    assert len(QUICK) + len(LONG) >= 20


@pytest.mark.parametrize("asked", WITH_DATA)
@pytest.mark.parametrize("name", NAMES)
def test_all_who_know_how_it_was_made_agree(name, asked):
    case = judged(name)
    answer = WITH_DATA[asked](case)
    assert answer == reference(name, local=case.local)


@pytest.mark.parametrize("asked", RELEASE_ALONE)
@pytest.mark.parametrize("name", NAMES)
def test_all_who_have_the_release_alone_agree(name, asked):
    assert RELEASE_ALONE[asked](judged(name)) == reference(name, local=False)


def test_the_releases_differ_in_what_is_asked_of_them():
    answers = [reference(name, local=judged(name).local) for name in QUICK]
    certain, expected = zip(*answers, strict=True)
    assert {0, 2} <= {figure.value for figure in certain}
    assert len({figure.value for figure in expected}) > 5
    assert {figure.sure for figure in expected} >= {"exact", "estimate"}
