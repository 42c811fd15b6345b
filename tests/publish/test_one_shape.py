"""Whoever published it: every publisher's result answers the same questions in the same way, and stays as it is."""

import dataclasses
import json

import numpy as np
import pandas as pd
import pytest

from cra_engine import (
    Attribute,
    Study,
    global_recode,
    heterogeneous,
    microaggregate,
    minimal_release,
    minimal_releases,
    recode,
    repair,
    safe_recode,
    synthesize,
)
from cra_engine.published import Published
from cra_engine.release import FullDomainRelease, Release
from cra_engine.results import Result

TOY = synthesize("toy")
PEOPLE = TOY.data.assign(
    illness=["flu", "cold", "ulcer", "asthma"] * (len(TOY.data) // 4) + ["flu"] * (len(TOY.data) % 4)
)
FLAG = [("0", "0", "*"), ("1", "1", "*")]
FOUR = Study([Attribute.from_hierarchy(name, FLAG) for name in ("Old", "Rich")], k=2)
FOUR_PEOPLE = pd.DataFrame([("1", "1"), ("0", "0"), ("1", "0"), ("0", "0")], columns=FOUR.names)

RESULTS = {
    "local": lambda: recode(PEOPLE, TOY.study),
    "safe": lambda: safe_recode(PEOPLE, TOY.study, epsilon=2, seed=3),
    "global": lambda: global_recode(PEOPLE, TOY.study, suppression_limit=0.2),
    "global, raw values": lambda: global_recode(PEOPLE, TOY.study.with_k(2), suppression_limit=1),
    "repaired": lambda: repair(recode(PEOPLE, TOY.study).release),
    "minimal": lambda: minimal_release(PEOPLE, TOY.study, seed=1),
    "each minimal": lambda: minimal_releases(FOUR_PEOPLE, FOUR)[0],
    "microaggregation": lambda: microaggregate(PEOPLE, 4),
    "heterogeneous": lambda: heterogeneous(PEOPLE, TOY.study.names, "illness", l=3, seed=1),
}


@pytest.fixture(scope="module", params=RESULTS)
def result(request):
    return RESULTS[request.param]()


def test_the_published_table_is_one_whoever_asks(result):
    table = result.published
    assert isinstance(table, Published)
    assert table.frame is result.frame
    assert table.release is result.release
    assert table.loss == result.loss
    assert set(table.extents) <= set(result.frame.columns)
    assert all(len(extents.of_row) == len(result.frame) for extents in table.extents.values())


def test_what_a_reader_gets_is_a_release_or_there_is_a_reason(result):
    if result.release is None:
        assert result.published.no_release.endswith(".")
    else:
        assert isinstance(result.release, Release | FullDomainRelease)
        assert result.published.no_release == ""
        assert result.release.suppressed == result.suppressed


def test_each_row_is_in_one_class_or_suppressed_or_stands_for_itself(result):
    table = result.published
    rows = np.sort(np.concatenate([*table.groups, table.suppressed])).astype(int).tolist()
    assert rows == (list(range(len(result.frame))) if table.groups else [])
    assert result.suppressed == len(table.suppressed)
    names = list(table.extents)
    for group in table.groups:
        assert len(result.frame.iloc[group][names].astype(str).drop_duplicates()) == 1


def test_classes_are_the_groups_each_with_its_size(result):
    sizes = sorted(formed.size for formed in result.classes)
    groups = sorted(map(len, result.published.groups))
    # By Definition 3.3 records at the root of a minimal release are a class like every other.
    at_root = [result.suppressed] if type(result).__name__ == "MinimalRelease" and result.suppressed else []
    assert sizes == sorted([*groups, *at_root])


def test_the_loss_is_a_record_s_mean_by_the_hierarchies_or_none(result):
    if result.loss is None:
        assert type(result).__name__ in {"Microaggregation", "Heterogeneous"} or 0 in result.state
        return
    losses = []
    study = result.release.study if hasattr(result.release, "study") else result.study
    for row in result.frame[list(study.names)].astype(str).itertuples(index=False):
        grown = [1 + _share(attribute, label) for attribute, label in zip(study.attributes, row, strict=True)]
        losses.append(float(np.prod(grown)) ** (1 / len(grown)) - 1)
    assert result.loss == pytest.approx(sum(losses) / len(losses))


def _share(attribute, label):
    """How much of the domain a label leaves open (paper, equation (2)): 0 for a single value, 1 for the root."""
    node = attribute.parse(label)
    inside = sum(attribute.leaf_values[node.start : node.stop])
    return (inside - 1) / (sum(attribute.leaf_values) - 1)


def test_it_shows_itself_in_a_line_a_table_and_plain_data(result):
    assert isinstance(result, Result)
    assert len(repr(result)) < 160
    assert repr(result).startswith(type(result).__name__ + "(")
    assert len(result.to_frame())
    assert "<table" in result._repr_html_()
    written = json.loads(json.dumps(result.to_dict(), allow_nan=False))
    assert written["records"] == len(PEOPLE) or written["records"] == len(FOUR_PEOPLE)
    assert "warnings" in written or "limits" in written


def test_nothing_of_it_can_be_set(result):
    for field in dataclasses.fields(result):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(result, field.name, None)
