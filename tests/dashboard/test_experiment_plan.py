"""Plans on the page Experiments: what was chosen, and what was uploaded, is what the command line would run."""

import io
import re
import zipfile
from decimal import Decimal

import pandas as pd
import pytest
import tomlkit

from cra_dashboard.experiments.plan import (
    PLAN,
    STUDY,
    TABLE,
    built_plan,
    possible_layers,
    read_plan,
    session_table,
)
from cra_dashboard.session import uploads
from cra_dashboard.session.uploads import File
from cra_engine import Attribute, CRAError, Study
from cra_engine.experiments.plan import Plan
from cra_engine.files.zipped import packed_zip
from cra_engine.raw.synthesis import synthetic_study
from cra_engine.study.file_hierarchy import FileHierarchy, read_hierarchy

SIMPLE = """
k = [2]
[[dataset]]
name = "own"
data = "folder/table.csv"
study = "study.toml"
sets = [{ attributes = ["x"] }]
"""
STUDY_FILE = 'k = 9\n[[attribute]]\nname = "x"\nlower = 0\nupper = 8\nlayers = 3\n'
DATA = "x\n0\n2\n4\n5\n7\n"


def chosen(sets, *, records=50, drawn=None, **settings):
    """A plan as the form puts it together."""
    usual = {"seed": 5, "profile": "paper", "ties": "paper", "samples": 2, "k": [3, 4], "singling_out": True}
    held = [{"attributes": list(each), "layers": list(each.values())} for each in sets]
    source = drawn or {"name": "clinic", "synthetic": "clinic"}
    return usual | settings | {"dataset": [{**source, "records": records, "sets": held}]}


TWO = [{"weight": 4, "bp_systolic": 3}, {"weight": 3}]


def sexes():
    return read_hierarchy(b"f;f;*\nm;m;*\n", "sex: f/m")


def of_session():
    frame = pd.DataFrame(
        {
            "weight, lb": ["1.50", "2", "3.5", "7", "6"],
            "sex: f/m": ["f", " m", "m", "f", "f"],
            "secret": ["Ann", "Bob", "Cid", "Dot", "Eve"],
        }
    )
    study = Study([Attribute("weight, lb", 0, 8, 3, resolution=Decimal("0.01")), sexes()], 2, Decimal("0.02"))
    return session_table("own", frame, study)


OWN = chosen(
    [{"weight, lb": 2, "sex: f/m": 2}, {"weight, lb": 3}],
    drawn={"name": "own", "data": TABLE, "study": STUDY},
    k=[2],
    samples=1,
    records=5,
    profile=0.02,
    ties="arx",
    tight_time_limit=7.5,
)
POOLED = chosen(TWO, drawn={"name": "clinic", "synthetic": "clinic", "pool": 80}, tight_time_limit=3.0)


@pytest.mark.parametrize("document", [chosen(TWO), POOLED, OWN], ids=["clinic", "pool", "own"])
def test_the_files_that_are_downloaded_are_the_plan_that_runs(document, tmp_path):
    own, text = of_session(), tomlkit.dumps(document)
    plan = built_plan(text, own)
    for name, content in {PLAN: text.encode(), **own.files}.items():
        (tmp_path / name).write_bytes(content)
    read = Plan.from_toml(tmp_path / PLAN)
    assert read.fingerprint == plan.fingerprint
    assert (plan.ks, plan.samples, plan.seed, plan.ties) == (
        tuple(document["k"]),
        document["samples"],
        document["seed"],
        document["ties"],
    )
    assert (plan.singling_out, plan.tight_time_limit) == (True, document.get("tight_time_limit"))
    (dataset,) = document["dataset"]
    assert [[(a.name, a.layers) for a in c.study.attributes] for c in plan.configurations] == [
        list(zip(each["attributes"], each["layers"], strict=True)) for each in dataset["sets"]
    ]
    profile = document["profile"] if document["profile"] == "paper" else Decimal("0.02")
    assert {c.study.profile for c in plan.configurations} == {profile}
    assert {c.source.records for c in plan.configurations} == {dataset["records"]}


def test_no_other_column_than_the_quasi_identifiers_goes_along():
    own = of_session()
    assert list(own.table.columns) == ["weight, lb", "sex: f/m"]
    assert not any(b"Ann" in content for content in own.files.values())


def test_hierarchies_that_would_share_a_file_are_refused():
    frame = pd.DataFrame({"a b": ["f"], "a_b": ["m"]})
    study = Study([FileHierarchy(name, sexes().rows) for name in frame], 2)
    with pytest.raises(CRAError, match=re.escape("Two columns would have the hierarchy file a_b.csv")):
        session_table("own", frame, study)


def test_a_study_of_other_columns_is_refused():
    with pytest.raises(CRAError, match="no column 'x'"):
        session_table("own", pd.DataFrame({"y": [1]}), Study([Attribute("x", 0, 8, 3)], 2))


@pytest.mark.parametrize(
    ("document", "says"),
    [
        (chosen([{"weight": 4}, {"weight": 4}]), "weight (4 layers) is planned twice"),
        (chosen(TWO, records=3), "k = 4 is more than the 3 records"),
        (chosen(TWO, samples=6000), "has 24,000 runs and this page does at most 20,000"),
    ],
)
def test_choices_that_do_not_go_together_are_one_sentence(document, says):
    with pytest.raises(CRAError, match=re.escape(says)):
        built_plan(tomlkit.dumps(document), None)


# ---------------------------------------------------------------- uploads


def zipped(files, name="all.zip"):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as target:
        for inside, content in files.items():
            target.writestr(inside, content)
    return File(name, out.getvalue())


FILES = {"my plan.toml": SIMPLE.encode(), "study.toml": STUDY_FILE.encode(), "table.csv": DATA.encode()}


def test_a_plan_comes_with_its_files_or_in_a_zip_file():
    text, given, plan = read_plan([File(name, content) for name, content in FILES.items()])
    assert text == SIMPLE
    assert set(given) == {"study.toml", "table.csv"}
    assert plan.table(0, 0)["x"].tolist() == [0, 2, 4, 5, 7]
    again = read_plan([zipped({f"folder/{name}": content for name, content in FILES.items()})])[2]
    own = read_plan([File("plan.zip", packed_zip(FILES))])[2]
    assert again.fingerprint == own.fingerprint == plan.fingerprint


def test_what_was_downloaded_can_be_uploaded():
    own = of_session()
    text = tomlkit.dumps(OWN)
    plan = built_plan(text, own)
    packed = packed_zip({PLAN: text} | own.files)
    assert packed == packed_zip({PLAN: text} | own.files)
    assert read_plan([File("plan.zip", packed)])[2].fingerprint == plan.fingerprint


def without(name):
    return [File(other, content) for other, content in FILES.items() if other != name]


@pytest.mark.parametrize(
    ("files", "says"),
    [
        ([File("table.csv", b"x\n1\n")], "There is no plan among these files"),
        ([File("a.toml", SIMPLE.encode()), File("b.toml", SIMPLE.encode())], "There are 2 plans"),
        ([File("study.toml", STUDY_FILE.encode())], "There is no plan among these files"),
        ([File("plan.toml", b"k = [3")], "plan.toml is not valid TOML"),
        ([File("plan.toml", b"\xff\xfe")], "not UTF-8 text"),
        (without("study.toml"), "The file 'study.toml' that the plan names is not there; upload it"),
        (without("table.csv"), "The file 'table.csv' that the plan names is not there; upload it"),
        ([File("plan.zip", b"PK not really")], "plan.zip cannot be unpacked"),
        ([zipped({"readme.txt": b""})], "There is no plan among these files"),
    ],
)
def test_what_is_no_plan_is_one_sentence(files, says):
    with pytest.raises(CRAError, match=re.escape(says)) as caught:
        read_plan(files)
    assert "\n" not in str(caught.value)


def test_a_plan_never_reads_a_file_of_this_computer(tmp_path):
    (tmp_path / "table.csv").write_text(DATA, encoding="utf-8")
    text = SIMPLE.replace("folder/table.csv", str(tmp_path / "table.csv"))
    with pytest.raises(CRAError, match=re.escape("The file 'table.csv' that the plan names is not there")):
        read_plan([File("plan.toml", text.encode()), File("study.toml", STUDY_FILE.encode())])


def test_a_zip_file_that_would_fill_the_memory_is_refused(monkeypatch):
    monkeypatch.setattr(uploads, "MOST_UNPACKED", 2**20)
    with pytest.raises(CRAError, match=re.escape("all.zip holds more than 1 MB")):
        read_plan([zipped({**FILES, "more.csv": b"0" * 2**20})])


def test_layers_that_a_domain_can_be_cut_into():
    # 12 values halve twice: leaves of 12, 6 and 3 values.
    assert possible_layers(Attribute("x", 0, 12, 2)) == [1, 2, 3]
    assert possible_layers(sexes()) == [2]
    for attribute in synthetic_study("clinic").attributes:
        assert attribute.layers in possible_layers(attribute)
