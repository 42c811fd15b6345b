"""Results of attacks: frozen, each with one line, a table, plain data and a view for notebooks."""

import dataclasses
import json

import pandas as pd
import pytest

from cra_engine import attack, compose, recode, safe_recode, synthesize, tight_attack
from cra_engine.results import Result


@pytest.fixture(scope="module")
def releases():
    toy = synthesize("toy")
    return [recode(toy.data, toy.study.with_k(k)).release for k in (4, 7)]


def results(releases):
    toy = synthesize("toy")
    safe = safe_recode(toy.data, toy.study.with_epsilon("1"), seed=1).release
    return [attack(releases[0]), tight_attack(releases[0]), compose(releases), attack(safe), tight_attack(safe)]


def test_nothing_of_a_result_can_be_set(releases):
    for result in results(releases):
        assert isinstance(result, Result)
        for field in dataclasses.fields(result):
            with pytest.raises(dataclasses.FrozenInstanceError):
                setattr(result, field.name, None)


def test_each_shows_itself_in_a_line_a_table_and_plain_data(releases):
    for result in results(releases):
        assert repr(result).startswith(f"{type(result).__name__}(")
        assert "\n" not in repr(result)
        assert isinstance(result.to_frame(), pd.DataFrame)
        json.dumps(result.to_dict(), allow_nan=False)
        shown = result._repr_html_()
        assert all(warning[:20] in shown.replace("&#x27;", "'") for warning in result.warnings)
        assert "<table" in shown
