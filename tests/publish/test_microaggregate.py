"""Microaggregation of tables: what is published, what it costs, what merging does."""

import random
from fractions import Fraction
from statistics import mean

import numpy as np
import pandas as pd
import pytest

from cra_engine.criteria.concentration import USUAL, Dominance, PRule
from cra_engine.errors import CRAError, DataError
from cra_engine.publish.microaggregation.compliance import offending
from cra_engine.publish.microaggregation.microaggregate import NotCompliantError, microaggregate, squared_error
from cra_engine.raw.exact_columns import exact_columns
from oracles import microaggregation as plain

PEOPLE = pd.DataFrame(
    {
        "name": ["Ann", "Bea", "Cem", "Dan", "Eve", "Fay"],
        "weight": ["70.5", "71", "69", "90", "92.25", "91"],
        "age": [30, 31, 29, 60, 61, 62],
    }
)


def test_what_is_published() -> None:
    result = microaggregate(PEOPLE, 3)
    assert [rows.tolist() for rows in result.clusters] == [[0, 1, 2], [3, 4, 5]]
    assert result.columns.names == ("weight", "age")
    assert result.frame["name"].tolist() == PEOPLE["name"].tolist()
    assert result.frame["age"].tolist() == [30.0] * 3 + [61.0] * 3
    assert result.frame["weight"].tolist() == [210.5 / 3] * 3 + [273.25 / 3] * 3
    assert "'name'" in result.warnings[-1]
    assert result.cells == 4
    published = result.published
    assert published.groups == result.clusters
    assert published.extents["weight"].distinct[1].lower == Fraction(27325, 300)
    assert published.extents["weight"].of_row.tolist() == [0, 0, 0, 1, 1, 1]


def test_the_input_stays_as_it_was() -> None:
    before = PEOPLE.copy()
    microaggregate(PEOPLE, 2, comply=[Dominance(1, "0.9")])
    pd.testing.assert_frame_equal(PEOPLE, before)


def test_loss_is_the_squared_error_within_over_the_total() -> None:
    rng = random.Random(1)
    for _ in range(50):
        records = [[rng.randint(0, 9) for _ in range(3)] for _ in range(rng.randint(4, 20))]
        table = pd.DataFrame(records, columns=list("abc")).astype(float) / 4
        result = microaggregate(table, 2)

        def error(clusters: list[list[int]], values: list[list[int]]) -> Fraction:
            return sum(
                (Fraction(values[i][j]) - mean(Fraction(values[i][j]) for i in rows)) ** 2
                for rows in clusters
                for j in range(3)
                for i in rows
            )

        total = error([list(range(len(records)))], records)
        assert result.squared_error == (
            float(error([c.tolist() for c in result.clusters], records) / total) if total else 0.0
        )


def test_each_cluster_has_k_records_to_2k_minus_1_and_each_record_one_cluster() -> None:
    rng = random.Random(2)
    for _ in range(60):
        table = pd.DataFrame({"x": [rng.randint(0, 30) for _ in range(rng.randint(2, 60))]})
        k = rng.randint(2, min(9, len(table)))
        for method in ("mdav", "mondrian"):
            result = microaggregate(table, k, method=method)
            assert sorted(np.concatenate(result.clusters).tolist()) == list(range(len(table)))
            assert all(k <= len(rows) < 2 * k for rows in result.clusters)


def test_standardized_distances_do_not_depend_on_units() -> None:
    rng = np.random.default_rng(3)
    table = pd.DataFrame(rng.integers(0, 40, (60, 3)), columns=list("abc"))
    other = table.assign(b=table["b"] * 1000 + 7, c=table["c"] * -3)
    plainly, scaled = (microaggregate(t, 3, standardize=True) for t in (table, other))
    assert [rows.tolist() for rows in plainly.clusters] == [rows.tolist() for rows in scaled.clusters]
    unscaled = microaggregate(other, 3)
    assert [rows.tolist() for rows in unscaled.clusters] != [rows.tolist() for rows in scaled.clusters]


def test_standardized_is_the_plain_method_over_variances() -> None:
    rng = random.Random(4)
    for _ in range(40):
        records = [[rng.randint(0, 5), rng.randint(0, 900), 7] for _ in range(rng.randint(4, 18))]
        result = microaggregate(pd.DataFrame(records, columns=list("abc")), 2, standardize=True)
        assert [rows.tolist() for rows in result.clusters] == plain.mdav(records, 2, plain.variances(records))


# ---------------------------------------------------------------- complying


def sensitive(records: list[list[int]], rows: list[int]) -> bool:
    cells = [[records[i][j] for i in rows] for j in range(len(records[0]))]
    return any(plain.dominated(cell, 2, Fraction("0.6")) or plain.close(cell, Fraction("0.6")) for cell in cells)


def test_complying_leaves_no_sensitive_cell_or_says_why_nobody_can() -> None:
    rng = random.Random(7)
    complied = refused = 0
    for _ in range(220):
        columns = rng.randint(1, 3)
        records = [[int(rng.lognormvariate(2, 1)) for _ in range(columns)] for _ in range(rng.randint(4, 40))]
        table = pd.DataFrame(records, columns=list("abc")[:columns])
        k = rng.randint(2, 4)
        method = rng.choice(["mdav", "mondrian"])
        if sensitive(records, list(range(len(records)))):
            with pytest.raises(NotCompliantError, match="one cluster of all"):
                microaggregate(table, k, method=method, comply=USUAL)
            refused += 1
            continue
        result = microaggregate(table, k, method=method, comply=USUAL)
        complied += 1
        assert not any(sensitive(records, rows.tolist()) for rows in result.clusters)
        assert sorted(np.concatenate(result.clusters).tolist()) == list(range(len(records)))
        assert min(map(len, result.clusters)) >= k
        assert result.squared_error_unmerged <= result.squared_error <= 1
        # Nobody is merged for nothing.
        before = {tuple(rows.tolist()) for rows in result.unmerged}
        for rows in result.clusters:
            parts = [part for part in before if set(part) <= set(rows.tolist())]
            assert sorted(i for part in parts for i in part) == rows.tolist()
            assert len(parts) == 1 or any(sensitive(records, list(part)) for part in parts)
    assert complied > 100
    assert refused > 5


def test_nobody_can_comply_where_all_records_together_are_sensitive() -> None:
    """Every partition of small tables into clusters of two or more, by brute force."""

    def partitions(rows: list[int]):
        if not rows:
            yield []
            return
        first, rest = rows[0], rows[1:]
        for mask in range(1, 2 ** len(rest)):
            part = [first, *(row for bit, row in enumerate(rest) if mask >> bit & 1)]
            for others in partitions([row for row in rest if row not in part]):
                yield [part, *others]

    rng = random.Random(8)
    hopeless = 0
    for _ in range(60):
        records = [[int(rng.lognormvariate(1, 1.3))] for _ in range(rng.randint(4, 7))]
        if sensitive(records, list(range(len(records)))):
            hopeless += 1
            for parts in partitions(list(range(len(records)))):
                assert any(sensitive(records, part) for part in parts)
    assert hopeless > 10


def test_negative_numbers_cannot_be_shown_to_comply() -> None:
    table = pd.DataFrame({"x": [1, 2, 3, -4]})
    with pytest.raises(NotCompliantError, match="row 4 \\(5 in a spreadsheet\\): -4 is negative"):
        microaggregate(table, 2, comply=USUAL)
    assert microaggregate(table, 2).clusters


def test_offending_clusters_are_those_with_a_sensitive_cell() -> None:
    values = exact_columns(pd.DataFrame({"a": [1, 9, 5, 5, 5], "b": [3, 3, 3, 3, 3]})).whole
    clusters = (np.array([0, 1]), np.array([2, 3, 4]))
    assert offending(clusters, values, [Dominance(1, "0.6")]).tolist() == [True, False]
    assert offending(clusters, values, [PRule("0.6")]).tolist() == [True, False]


# ---------------------------------------------------------------- bad input


@pytest.mark.parametrize(
    ("table", "settings", "match"),
    [
        (PEOPLE, {"k": 1}, "k is 1"),
        (PEOPLE, {"k": 7}, "no more than the 6 records"),
        (PEOPLE, {"k": True}, "k is True"),
        (PEOPLE, {"k": 2, "columns": ["name"]}, "text where a number is needed"),
        (PEOPLE, {"k": 2, "columns": ["height"]}, "no column 'height'"),
        (PEOPLE, {"k": 2, "columns": ["age", "age"]}, "named twice"),
        (PEOPLE, {"k": 2, "method": "kmeans"}, "no method 'kmeans'"),
        (PEOPLE[["name"]], {"k": 2}, "no column of numbers"),
        (PEOPLE.iloc[:0], {"k": 2}, "no record"),
        (PEOPLE.iloc[:1], {"k": 2}, "k is 2"),
        (PEOPLE.assign(age=[1, 2, None, 4, 5, 6]), {"k": 2}, "missing value"),
        (PEOPLE.assign(age=["1", "2", "three", "4", "5", "6"]), {"k": 2}, "text where a number is needed"),
        (PEOPLE.assign(age=["1", "2", "inf", "4", "5", "6"]), {"k": 2}, "row 3"),
        (PEOPLE.assign(age=["1", "2", "1e400", "4", "5", "6"]), {"k": 2}, "row 3"),
        (PEOPLE.assign(age=["1,250", "1,300", "2,125", "4,000", "5,500", "6,125"]), {"k": 2}, "comma or a point"),
    ],
)
def test_bad_input_is_one_sentence(table: pd.DataFrame, settings: dict, match: str) -> None:
    with pytest.raises(CRAError, match=match):
        microaggregate(table, **settings)


def test_a_column_twice_in_the_table() -> None:
    with pytest.raises(DataError, match="several columns"):
        microaggregate(pd.DataFrame([[1, 2], [3, 4]], columns=["a", "a"]), 2)


def test_loss_of_records_that_are_all_alike_is_none() -> None:
    columns = exact_columns(pd.DataFrame({"a": [3, 3, 3]}))
    assert squared_error(columns, (np.array([0, 1, 2]),)) == 0.0
