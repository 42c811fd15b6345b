"""Whether a release can be downcoded, against every table that can have given it."""

import itertools
import json
from collections import defaultdict

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

from cra_engine import Attribute, ReleaseError, Study, StudyError, minimal_releases, read_table, recode
from cra_engine.attacks.downcoding.forced import forced_refinement
from cra_engine.cli.commands import app
from cra_engine.study.boxes import Space, boxes_of

LETTERS = Attribute.from_hierarchy("x", [("a", "a", "*"), ("b", "b", "*"), ("c", "c", "*")])
LINE, PAIR = Attribute("x", 0, 4, 3), Attribute("y", 0, 2, 2)
ANSWERS = {
    "minimal": lambda data, study: [one.frame for one in minimal_releases(data, study)],
    "arx": lambda data, study: [recode(data, study).frame],
}


def tables_of_releases(study, records, supposing):
    """Per release, as a multiset of boxes, every table that gives it: the leaf and the box of each record."""
    space = Space.of_study(study)
    known = defaultdict(list)
    finest = [[a.node(1, leaf).label if not a.numeric else leaf for leaf in range(a.leaves)] for a in study.attributes]
    cells = list(itertools.product(*(range(a.leaves) for a in study.attributes)))
    for table in itertools.combinations_with_replacement(cells, records):
        rows = [[finest[place][leaf] for place, leaf in enumerate(cell)] for cell in table]
        for frame in ANSWERS[supposing](pd.DataFrame(rows, columns=study.names), study):
            boxes = [tuple(box) for box in boxes_of(frame, study, space).tolist()]
            known[tuple(sorted(boxes))].append((table, boxes))
    return space, known


def truly_forced(space, release, tables):
    """Per class, attribute and child the fewest records of the class that any of the tables has in the child."""
    found = {}
    for box in set(release):
        for place, node in enumerate(box):
            tree = space.tree(place)
            for child in tree.children(node):
                inside = range(tree.start[child], tree.stop[child])
                found[box, place, tree.labels[child]] = min(
                    sum(own == box and cell[place] in inside for cell, own in zip(table, boxes, strict=True))
                    for table, boxes in tables
                )
    return {key: number for key, number in found.items() if number}


@pytest.mark.parametrize(
    ("study", "records", "supposing"),
    [
        (Study([LINE], 2), 4, "minimal"),
        (Study([LINE], 3), 6, "minimal"),
        (Study([Attribute("x", 0, 2, 2), PAIR], 2), 4, "minimal"),
        (Study([LETTERS, PAIR], 2), 4, "minimal"),
        (Study([LETTERS], 3), 6, "minimal"),
        (Study([LINE], 2), 4, "arx"),
        (Study([LINE], 3), 6, "arx"),
        (Study([Attribute("x", 0, 2, 2), PAIR], 2), 4, "arx"),
        pytest.param(Study([LINE, PAIR], 2), 4, "arx", marks=pytest.mark.exhaustive),
    ],
    ids=str,
)
def test_what_is_refined_holds_in_every_table_and_no_release_is_missed(study, records, supposing):
    space, known = tables_of_releases(study, records, supposing)
    answers = set()
    for release, tables in known.items():
        boxes = np.array(release)
        found = forced_refinement(pd.DataFrame(space.labels(boxes), columns=study.names), study, supposing=supposing)
        said = {(release[one.rows[0]], study.names.index(one.attribute), one.label): one.least for one in found.forced}
        true = truly_forced(space, release, tables)
        assert all(number <= true.get(key, 0) for key, number in said.items())
        assert bool(said) == bool(true) == bool(found.refined)
        answers.add(bool(said))
        for table, own in tables:  # each class's records fit its finer rows, one into each
            for box in set(release):
                rows = [row for row, shown in enumerate(release) if shown == box]
                cells = [cell for cell, shown in zip(table, own, strict=True) if shown == box]
                assert fit(space, found.boxes[rows], cells)
    assert answers == ({False} if study == Study([LETTERS], 2) else {True, False})


def fit(space, boxes, cells):
    """Whether records can be put into boxes, one into each, by trying all orders."""
    return any(
        all(space.holds(box, np.array(cell)) for box, cell in zip(boxes, order, strict=True))
        for order in itertools.permutations(cells)
    )


def test_a_class_that_is_too_large_is_of_no_minimal_release():
    study = Study([LINE], 3)
    with pytest.raises(
        ReleaseError,
        match=r"The class of row 1 \(2 in a spreadsheet\) has 6 records, so many that some would have been",
    ):
        forced_refinement(pd.DataFrame({"x": ["[0, 2["] * 6}), study, supposing="minimal")
    with pytest.raises(StudyError):
        forced_refinement(pd.DataFrame({"x": ["[0, 2["] * 6}), Study([LINE], 1), supposing="minimal")


def test_the_command_writes_what_is_certain(tmp_path):
    study = Study([Attribute("age", 0, 80, 3)], 2)
    study.to_toml(tmp_path / "study.toml")
    release = pd.DataFrame({"age": ["[0, 40["] * 3, "sex": ["f", "m", "m"]})
    release.to_csv(tmp_path / "release.csv", index=False)
    command = ["downcode", tmp_path / "release.csv", "--study", tmp_path / "study.toml", "--output", tmp_path / "z.csv"]

    def run(*more):
        return CliRunner().invoke(app, [str(one) for one in (*command, *more)])

    found = json.loads(run("--supposing", "minimal", "--json").stdout)
    assert (found["refined"], found["records"]) == (2, 3)
    assert found["forced"] == [
        {"rows": [0, 1, 2], "attribute": "age", "label": label, "least": 1} for label in ("[0, 20[", "[20, 40[")
    ]
    assert read_table(tmp_path / "z.csv")["age"].tolist() == ["[0, 20[", "[20, 40[", "[0, 40["]
    # k = 2 and three records: ARX's halves hold one record at most, so that no table gives this release.
    assert "no data satisfy its constraints" in str(run("--supposing", "arx").exception)
    assert "can be downcoded: 2 records of 3" in run("--supposing", "minimal").stdout
    assert "leave out --data" in str(run("--supposing", "minimal", "--data", tmp_path / "release.csv").exception)
