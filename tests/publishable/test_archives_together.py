"""Two tables of the same people from what the program hands out alone: their studies leave other names out."""

import random
from io import StringIO
from pathlib import PurePosixPath

import pandas as pd
import pytest
from searched import archive_of

from cra_engine import Attribute, Release, Roles, Rule, Study, StudyError, compose, recode, safe_recode
from cra_engine.attacks.composition.safe_together import compose_safe
from cra_engine.files.row_order import release_text
from cra_engine.publishable import Choice, Space
from cra_engine.publishable.making import Maker
from cra_engine.study.file_hierarchy import FileHierarchy

TOWNS = (
    ("Aue", "south"),
    ("Bonn", "west"),
    ("Celle", "north"),
    ("Ulm", "south"),
    ("Trier", "west"),
    ("Varel", "north"),
)
KS = ((2, 3), (3, 5), (4, 2), (2, 6))


def town(rows=TOWNS, missing=""):
    return FileHierarchy("town", tuple((own, own, part, "*") for own, part in rows), missing=missing)


def people(seed, *, gaps=False):
    """Thirty people of towns of very different sizes, so that some are shown in no release, others in one."""
    draw = random.Random(seed)
    names = [name for name, _ in draw.sample(TOWNS, 6)]
    rows = [(draw.randrange(40), draw.choices(names, [9, 6, 3, 2, 1, 1])[0], draw.choice("ab")) for _ in range(30)]
    table = pd.DataFrame(rows, columns=["age", "town", "illness"])
    if gaps:
        table.loc[draw.sample(range(30), 6), "town"] = None
    return table


def study(k, missing=""):
    return Study([Attribute("age", 0, 40, 3), town(missing=missing)], k=k, roles=Roles(sensitive=["illness"]))


def read(text, files):
    """A release by what stands in a ZIP, and by nothing else."""
    own = Study.from_toml_text(files["study.toml"], find=lambda name: files[name].encode())
    return Release(own, pd.read_csv(StringIO(text), sep=";", dtype=str, keep_default_na=False))


def of_recode(table, k, missing=""):
    made = recode(table, study(k, missing))
    return read(release_text(made.frame), made.study_for_readers(made.frame).files("study.toml"))


def of_archive(table, k):
    space = Space.of(table, study(k), Rule())
    maker = Maker(space, Rule())
    way = next(way for way in space.ways if way.name == "local")
    made = maker.make(Choice(tuple(column.heights[0] for column in space.columns), k, way, ""))
    files = archive_of(maker.outcome(made, maker.checked(made, 10.0)), table)
    readers = {
        PurePosixPath(name).name: str(text) for name, text in files.items() if name.startswith("hand-out/study/")
    }
    return read(str(files["hand-out/release.csv"]).lstrip("\ufeff"), readers)


def truth_of(found, table, missing=""):
    """How many people each common cell holds, by the publisher's own hierarchy, which knows every name."""
    own = town(missing=missing)
    places = dict(own.reader.listed) | {None: own.missing_leaf}
    refinement = found.system.refinement
    held = {}
    for age, name in zip(table["age"], table["town"], strict=True):
        (at,) = {
            rank
            for rank in range(found.grid.shape[1])
            if all(leaves[1][rank] == places[name if isinstance(name, str) else None] for leaves in refinement.leaf_in)
        }
        held[age // 10, at] = held.get((age // 10, at), 0) + 1
    return held


def check_truth(found, table, missing=""):
    truth = truth_of(found, table, missing)
    told = {view.cell: view for view in found.cells}
    assert truth.keys() <= told.keys()
    for cell, view in told.items():
        assert view.lowest <= truth.get(cell, 0) <= view.highest, view


@pytest.mark.parametrize("ks", KS)
@pytest.mark.parametrize("missing", ["", "category"])
@pytest.mark.parametrize("seed", range(2))
def test_two_downloads_of_recode_say_what_the_publishers_studies_say(seed, missing, ks):
    table = people(seed, gaps=bool(missing))
    found = compose([of_recode(table, k, missing) for k in ks], time_limit=600)
    check_truth(found, table, missing)
    ours = compose([recode(table, study(k, missing)).release for k in ks], time_limit=600)
    assert found.fixed_cells == ours.fixed_cells
    assert found.worlds == ours.worlds


@pytest.mark.parametrize("seed", range(3))
def test_archives_hold_the_truth_beside_each_other_and_beside_a_download(seed):
    table = people(seed)
    for pair in ((of_archive(table, 2), of_archive(table, 4)), (of_recode(table, 3), of_archive(table, 2))):
        found = compose(pair, time_limit=600)
        check_truth(found, table)
        assert "names of town out; supposed is that their lists" in " ".join(found.warnings)


def test_what_is_supposed_is_not_said_where_all_names_are_known():
    table = people(0)
    assert "supposed" not in " ".join(compose([recode(table, study(k)).release for k in (2, 3)]).warnings)


@pytest.mark.parametrize(
    "other",
    [
        pytest.param((*TOWNS, ("Wesel", "west")), id="one more"),
        pytest.param(tuple(reversed(TOWNS)), id="another order"),
        pytest.param((*TOWNS[1:], ("Zeitz", "south")), id="another place"),
        pytest.param(((TOWNS[0][0], "east"), *TOWNS[1:]), id="another group"),
    ],
)
def test_other_hierarchies_with_names_left_out_are_refused_and_no_contradiction_is_claimed(other):
    table = people(1)
    readers = of_recode(table, 3)
    assert any(label.startswith("not shown") for row in readers.attributes[1].rows for label in row)
    table = table.assign(town=table["town"].replace({"Aue": other[0][0]}))
    beside = recode(table, study(2).changed(attributes=[study(2).attributes[0], town(other)])).release
    with pytest.raises(StudyError, match="leaves names of 'town' out, and the hierarchies are not the same"):
        compose([readers, beside])


def test_safe_releases_of_one_hierarchy_are_told_by_their_downloads_alike():
    table = people(2)
    made = [safe_recode(table, study(2), 1, seed=seed) for seed in (1, 2)]
    theirs = [read(release_text(one.frame), one.study_for_readers(one.frame).files("study.toml")) for one in made]
    assert theirs[0].attributes != theirs[1].attributes
    found, ours = compose_safe(theirs), compose_safe([one.release for one in made])
    assert found.settled == ours.settled
    assert (found.lowest == ours.lowest).all()
