"""What a file carries besides its rows: nothing of removed columns, rows left out, indexes, notes or dictionaries.

Every file that a command writes, from and to CSV and Parquet: canaries planted in the raw file are in no byte of what
is meant for others, nor in anything that a reader of Parquet can get at. What is for the publisher alone says so.
"""

import inspect
from pathlib import Path
from typing import get_type_hints
from zipfile import ZipFile

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

from cra_engine import Attribute, Rule, Study, check, read_table, recode
from cra_engine.checks.project import ACCEPTED, Decision, Project
from cra_engine.cli.commands import app
from cra_engine.publishable.archive import digest_of
from cra_engine.study.roles import Roles

PEOPLE = 80
STUDY = Study(
    [Attribute("age", 0, 96, layers=4, missing="leave-out"), Attribute("weight", 40, 120, layers=3)],
    k=4,
    roles=Roles(remove=["name"], sensitive=["illness"], keep=["ward", "real"]),
)
CANARY = "CANARY"


def table():
    """People of whom the last has no age, so that nothing of the row is published; its cells are canaries."""
    draw = np.random.default_rng(5)
    last = PEOPLE - 1
    ward = [f"W{number}" for number in draw.integers(0, 3, last)] + [f"{CANARY}-WARD"]
    return pd.DataFrame(
        {
            "age": [*draw.integers(0, 96, last).astype(float), np.nan],
            "weight": draw.integers(40, 120, PEOPLE),
            "name": [f"{CANARY}-NAME-{number}" for number in range(PEOPLE)],
            "ward": pd.Categorical(ward, categories=[*sorted(set(ward)), f"{CANARY}-NEVER-USED"]),
            "illness": pd.array([*draw.choice(["flu", "gout"], last), f"{CANARY}-ILLNESS"], dtype="str"),
            "real": [0.1 + 0.2, *draw.random(last - 1).round(3), 77.777777],
        },
        index=pd.Index([f"{CANARY}-INDEX-{number}" for number in range(PEOPLE)], name=f"{CANARY}-INDEX"),
    )


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    frame = table()
    frame.attrs["note"] = f"{CANARY}-ATTRS"
    frame.to_csv("data.csv", index=False)
    arrow = pa.Table.from_pandas(frame)
    fields = [field.with_metadata({"note": f"{CANARY}-FIELD"}) for field in arrow.schema]
    arrow = arrow.cast(pa.schema(fields, {**arrow.schema.metadata, b"note": f"{CANARY}-NOTE".encode()}))
    pq.write_table(arrow, "data.parquet")
    Path("parts").mkdir()
    for number in range(2):
        part = frame.iloc[number::2].assign(weight=frame["weight"].iloc[number::2].astype("int64"))
        pq.write_table(pa.Table.from_pandas(part[part["age"].notna()]), f"parts/{number}.parquet")
    STUDY.to_toml("study.toml")
    whole = Study([attribute.with_missing("") for attribute in STUDY.attributes], STUDY.k, roles=STUDY.roles)
    whole.to_toml("whole.toml")
    frame.dropna().to_csv("whole.csv", index=False)
    # A release of another program, which had no roles: the removed column is still in it, and ages' order.
    shown = recode(frame.dropna().sort_values("age", ignore_index=True), whole.with_roles(Roles())).frame
    shown.to_csv("published.csv", index=False)
    return tmp_path


STUDIED = ("--study", "study.toml")
CALLS = {
    "recode": ["recode", "data.csv", *STUDIED, "--output", "out.csv"],
    "recode in blocks": ["recode", "data.csv", *STUDIED, "--streaming", "--output", "out.csv"],
    "recode csv to parquet": ["recode", "data.csv", *STUDIED, "--output", "out.parquet"],
    "recode parquet to csv": ["recode", "data.parquet", *STUDIED, "--output", "out.csv"],
    "recode parquet": ["recode", "data.parquet", *STUDIED, "--output", "out.parquet"],
    "recode parquet as it stands": ["recode", "data.parquet", *STUDIED, "--keep-order", "--output", "out.parquet"],
    "recode a folder": ["recode", "parts", "--study", "whole.toml", "--backend", "loky", "--output", "out"],
    "safe-recode": ["safe-recode", "data.csv", *STUDIED, "--epsilon", "1", "--output", "out.csv"],
    "safe-recode parquet": ["safe-recode", "data.parquet", *STUDIED, "--epsilon", "1", "--output", "out.parquet"],
    "global-recode": ["global-recode", "data.csv", *STUDIED, "--suppression-limit", "0.2", "--output", "out.csv"],
    "minimal": ["minimal", "data.csv", *STUDIED, "--output", "out.csv"],
    "microaggregate": ["microaggregate", "whole.csv", "--k", "4", "--study", "whole.toml", "--output", "out.csv"],
    "repair": ["repair", "published.csv", "--study", "whole.toml", "--likeliest", "0.9", "--output", "out.csv"],
    "heterogeneous": [
        *("heterogeneous", "whole.csv", "--qi", "age", "--qi", "weight", "--sensitive", "ward", "--l", "2"),
        *("--output", "out.csv"),
    ],
}


def carried(path):
    """All that stands in a file, in the parts of a workbook, and in a Parquet file's dictionaries and statistics."""
    texts = [path.read_bytes()]
    if path.suffix == ".parquet":
        with pq.ParquetFile(path) as file:
            schema = file.schema_arrow
            texts += [str(schema.metadata).encode(), *(str(field.metadata).encode() for field in schema)]
            for number in range(file.num_row_groups):
                group = file.read_row_group(number)
                for column in group.columns:
                    for chunk in column.chunks:
                        cells = chunk.dictionary if pa.types.is_dictionary(chunk.type) else chunk
                        texts.append("\n".join(map(str, cells.to_pylist())).encode())
                own = file.metadata.row_group(number)
                for place in range(own.num_columns):
                    texts.append(str(own.column(place).statistics).encode())
    if path.suffix == ".xlsx":
        with ZipFile(path) as book:
            texts += map(book.read, book.namelist())
    return b"\n".join(texts)


@pytest.mark.parametrize("name", CALLS)
def test_no_canary_is_in_anything_that_is_handed_out(folder, name):
    done = CliRunner().invoke(app, CALLS[name])
    assert done.exit_code == 0, (done.output, done.exception)
    outputs = [path for path in folder.glob("out*") if path.is_file()] + list(folder.glob("out/*"))
    assert outputs
    for path in outputs:
        found = carried(path)
        assert CANARY.encode() not in found
        assert b"77.777777" not in found
        assert b"index" not in found.lower() or name == "heterogeneous"
        rows = pd.read_parquet(path) if path.suffix == ".parquet" else pd.read_csv(path, sep=";")
        assert not [column for column in rows.columns if column not in table().columns]
        assert "name" not in rows.columns
        assert type(rows.index) is pd.RangeIndex
        assert not rows.attrs
        assert not path.read_bytes().startswith(b"\xef\xbb\xbf")


@pytest.mark.parametrize("name", CALLS)
def test_the_canaries_are_there_to_be_found(folder, name):
    source = folder / CALLS[name][1]
    sources = list(source.iterdir()) if source.is_dir() else [source]
    assert all(CANARY.encode() in carried(path) for path in sources)


# Beside a release, or made from one, or from tables as a whole: tables, studies and reports that others may get.
PLAN = """
k = [3, 4]
samples = 2
[[dataset]]
name = "ward"
data = "whole.csv"
study = "whole.toml"
records = 40
sets = [{ attributes = ["age", "weight"] }]
"""
BESIDE = {
    "the readers' study": [
        *("safe-recode", "data.csv", "--study", "study.toml", "--epsilon", "1"),
        *("--output", "release.csv", "--study-output", "out.toml"),
    ],
    "the study of a later release": [
        *("safe-recode", "data.csv", "--study", "study.toml", "--epsilon", "1"),
        *("--earlier", "first.csv", "--earlier-study", "first.toml"),
        *("--output", "release.csv", "--study-output", "out.toml"),
    ],
    "audit": ["audit", "first.csv", "--study", "first.toml", "--output", "out.html"],
    "audit without a study": [
        "audit",
        "first.csv",
        "--qi",
        "age",
        "--qi",
        "weight",
        "--k",
        "4",
        "--output",
        "out.html",
    ],
    "downcode": [
        *("downcode", "least.csv", "--study", "pairs.toml", "--data", "pairs.csv", "--output", "out.csv"),
    ],
    "publishable": ["publishable", "data.csv", "--settings", "settings.toml", "--way", "local", "--output", "out"],
    "experiment": ["experiment", "plan.toml", "--jobs", "1", "--output", "out.csv", "--timings", "out.seconds.csv"],
}
PUBLISHERS = {  # what tells of the table itself, to whoever publishes it
    ("check", "output"),
    ("compare", "output"),
    ("effective-anonymity", "output"),
    ("global-recode", "lattice"),
    ("heterogeneous", "graph"),
    ("roles", "output"),
}
NOBODYS = {("synthesize", "output"), ("synthesize", "study")}  # of made-up people


@pytest.mark.parametrize("name", BESIDE)
def test_no_canary_is_in_what_goes_beside_a_release(folder, name):
    first = ["safe-recode", "data.csv", *STUDIED, "--epsilon", "1", "--output", "first.csv", "--study-output"]
    assert CliRunner().invoke(app, [*first, "first.toml"]).exit_code == 0
    # Hierarchies of a shape that downcoding is about.
    (folder / "tree.csv").write_text("0;0-1;*\n1;0-1;*\n2;2-3;*\n3;2-3;*\n", encoding="utf-8")
    pairs = [f'[[attribute]]\nname = "{name}"\nhierarchy = "tree.csv"\n' for name in ("old", "rich")]
    (folder / "pairs.toml").write_text("k = 2\n[roles]\nremove = ['name']\n" + "".join(pairs), encoding="utf-8")
    people = [f"{row % 4};{row // 3 % 4};{CANARY}-NAME-{row}\n" for row in range(24)]
    (folder / "pairs.csv").write_text("old;rich;name\n" + "".join(people), encoding="utf-8")
    least = ["minimal", "pairs.csv", "--study", "pairs.toml", "--output", "least.csv"]
    assert CliRunner().invoke(app, least).exit_code == 0
    data = read_table("data.csv")
    rule = Rule(l=1, alone=1, nobody_certain=False)
    asked = [one.text for one in check(data, STUDY, rule=rule).findings if one.level == "attention"]
    why = "Seen by the board, decided by Ada Fictitious"
    seen = [Decision("2026-01-01", f"{ACCEPTED}{text}", why) for text in asked]
    lax = Project("data.csv", digest_of(data), STUDY, rule, seen)
    (folder / "settings.toml").write_text(lax.to_toml_text(), encoding="utf-8")
    (folder / "plan.toml").write_text(PLAN, encoding="utf-8")
    done = CliRunner().invoke(app, BESIDE[name])
    assert done.exit_code == 0, (done.output, done.exception)
    handed = "out/hand-out/**/*" if name == "publishable" else "out*"
    outputs = [path for path in folder.glob(handed) if path.is_file()]
    assert len(outputs) == {"experiment": 2, "publishable": 4}.get(name, 1)
    for path in outputs:
        found = carried(path)
        assert len(found) > 50
        assert CANARY.encode() not in found
        assert b"77.777777" not in found
        assert b"'name'" not in found  # nor what columns were taken out


def written():
    """All files that a command can write: the command, its parameter, and its help."""
    for info in app.registered_commands:
        made = inspect.getclosurevars(info.callback).nonlocals
        kinds = get_type_hints(made["function"], include_extras=True)
        for own in made["writes"]:
            if own in kinds:
                option = next(part for part in kinds[own].__metadata__ if hasattr(part, "help"))
                yield info.name, own, option.help


def test_every_file_that_a_command_writes_is_asked_or_said_to_be_for_the_publisher_alone():
    calls = [*CALLS.values(), *BESIDE.values()]
    for name, own, said in written():
        asked = any(call[0] == name and f"--{own.replace('_', '-')}" in call for call in calls)
        assert asked or (name, own) in PUBLISHERS | NOBODYS, (name, own)
        assert ("for the publisher alone" in said) == ((name, own) in PUBLISHERS), (name, own)
    assert {(name, own) for name, own, _ in written()} >= PUBLISHERS | NOBODYS


def test_microaggregation_says_what_is_published_beside_its_means(folder):
    without = CliRunner().invoke(app, ["microaggregate", "whole.csv", "--k", "4", "--output", "named.csv"])
    assert without.exit_code == 0
    assert "The column 'name' is published" in without.stderr
    assert CANARY.encode() in (folder / "named.csv").read_bytes()
    asked = CliRunner().invoke(app, CALLS["microaggregate"])
    assert "'name'" not in asked.stderr
    header = (folder / "out.csv").read_text().splitlines()[0]
    assert header == "age;weight;ward;illness;real"
    kept = pd.read_csv(folder / "out.csv", sep=";")["real"]
    assert sorted(kept) == sorted(table().dropna()["real"])  # kept, so not replaced by means
