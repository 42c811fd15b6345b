"""What the fuzzing of each reader starts from: the project's own files of that kind, small ones, and words of it."""

import io
import tempfile
import zipfile
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from targets import ARX, READERS, ROOT, RUN, STUDIES

from cra_engine import Rule
from cra_engine.checks.project import Decision, Project
from cra_engine.experiments.run import run_experiment
from cra_engine.files.zipped import packed_zip

PLANS = [
    b'samples = 1\nk = [3]\n[[dataset]]\nname = "t"\nsynthetic = "toy"\nsets = [{ attributes = ["age"] }]\n',
    b"""seed = 7
samples = 2
k = [3, 5]
profile = 0.05
tight_time_limit = 1.5
[[dataset]]
name = "own"
data = "d.csv"
study = "s.toml"
records = 20
[[dataset.sets]]
attributes = ["Q1", "Q2"]
layers = [3, 2]
""",
]
PRIVACY = b"""k = 1
[[attribute]]
name = "a"
lower = 0
upper = 8
layers = 3
[[privacy]]
model = "l-diversity"
attribute = "d"
variant = "recursive"
l = 3
c = 0.5
[[privacy]]
model = "t-closeness"
attribute = "d"
distance = "hierarchical"
t = 0.2
hierarchy = "d.csv"
[[privacy]]
model = "d-presence"
attribute = "p"
value = true
lower = 0.1
upper = 1e-1
"""


def _parquet() -> bytes:
    out = io.BytesIO()
    pq.write_table(pa.table({"age": [1, 2, 3], "town": ["Ulm", "Bonn", None]}), out)
    return out.getvalue()


def _results() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        run_experiment(RUN, Path(folder) / "results.csv")
        return (Path(folder) / "results.csv").read_bytes()


def _zipped(method: int) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as target:
        target.writestr("folder/plan.toml", PLANS[0] * 2)
        target.writestr("d.csv", b"Q1,Q2\n1,2\n" * 20)
    return out.getvalue()


DEFINITION = b"""<definition>
	<assigment>
		<name>Q1</name>
		<type>QUASI_IDENTIFYING_ATTRIBUTE</type>
		<datatype>Integer</datatype>
		<ref>hierarchies/Q1.csv</ref>
		<min>1</min>
		<max>All</max>
	</assigment>
</definition>
"""


def _project() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as target:
        target.writestr("output/definition.xml", DEFINITION)
        target.writestr("output/config.xml", b"<config>\n\t<criterion>3-anonymity</criterion>\n</config>\n")
        target.writestr("output/hierarchies/Q1.csv", b"1;[0, 2[;*\n3;[2, 4[;*\n")
    return out.getvalue()


SMALL: dict[str, list[bytes]] = {
    "data": [
        b"a,b\n1,2\n",
        b"sep=;\nage;town\n3,5;Ulm\n1.000,25;Bonn\n",
        '\ufeff"a b"\t"c"\r\n"1"\t"x\ny"\r\n'.encode(),
        "age|w\n1|-999\nNA|inf\n1e308|2\n".encode("utf-16"),
        "alter;größe\n3;1,5\n4;1,75\n".encode("cp1252"),
    ],
    "cells": [
        b"weight\n75,9 kg\n81 kg\n\n64,25 kg\nNA\n",
        b"age\n34\n90+\n<18\n>= 85\nunder 20\n57\n41\n",
        b"admitted\n31.12.2024\n01.02.2023\n17.05.2013\n?\n",
        b"seen\n2013-05-17 10:30\n2013-Q2\n2014-01-31T08:00:00\n",
        b"share\n5%\n12,5 %\n<0,5 %\n1.250 %\n",
        b"plz\n01067\n99084\n01187\n01067\n",
        b"icd\nE11.9\nI10\nE11.2\nJ45.0\n",
    ],
    "release": [
        b"age;town\n[0, 20[;Ulm\n[0, 20[;Ulm\n*;*\n",
        b'Q1,Q2\n"[0, 40[",*\n"[0, 40[",*\n"[0, 40[",*\n',
        b"town;age\nwest;[40, 80)\nwest;[40, 80)\n'=1;*\n",
    ],
    "study": [
        b'k = 2\nprofile = "arx-gui"\n[[attribute]]\nname = "a"\nlower = 0\nupper = 8\nlayers = 3\n',
        b'k = 3\nprofile = 0.05\n[[attribute]]\nname = "Q1"\nhierarchy = "Q1.csv"\nunit = "kg"\n',
        b'k = 2\n[[attribute]]\nname = "t"\nlower = -1.5\nupper = 4.5\nlayers = 2\nfanout = 3\nresolution = 0.5\n',
    ],
    "hierarchy": [
        b"1;[0, 2[;[0, 4[;*\n3;[2, 4[;[0, 4[;*\n",
        b"Ulm;south;*\nBonn;west;*\n",
        b'0.5,"[0, 1[",*\n1.5,"[1, 2[",*\n',
    ],
    "plan": PLANS,
    "results": [_results()],
    "population": [
        b"attribute,lower,upper,share\nage,0,20,0.75\nage,20,80,1e-2\n",
        b"attribute;value;share\ntown;Ulm;3\ntown;K\xc3\xb6ln;.5\ntown;Bonn;1\n",
        b"attribute,lower,upper,share\nQ1,0,40,1\nQ1,40,80,3\n",
    ],
    "queries": [
        b'[{"age": [30, 40], "illness": ["1"]}, {"town": ["Ulm", 1], "weight": [60.5, 1e2]}]',
        b'[{"age": [-1e308, 1e308]}, {"illness": []}]',
    ],
    "address": [
        b"example=toy&k=4&step=2&class=1&profile=.05&ties=paper&view=0,1",
        b"kind=clinic&records=200&seed=7&correlation=0.5&attribute=age,0,80,3,2,1,years&attribute=w,40,120,2&hide=menu,bar",
        b"lesson=first&lesson_step=3&size=large&scene=toy-k3-m12.7-d4-a9~steps",
    ],
    "question": [
        b'{"id": 1, "scene": "toy-k3-m12.7-d4-a9", "panel": "w3", "solved": ["six"]}',
        b'{"id": 2, "begin": true}',
        b"toy-k3-d1-d2-d3-a1-a1-a1-m40.0",
    ],
    "options": [
        b"3-7\x00Q1=2-3\x00.05\x000,0.05", b"3,5,8-10\x00Q2=2\x00arx-gui\x00none", b"2,0.6", b"1,+6e-1",
        b"0.6", b"60E-2",
    ],
    "labels": [
        b'age,town\n"[0, 20[",*\n"[20, 40[",Ulm\n"[0, 40[",Bonn\n*,*\n',
        b"w\n[1.5, 2.5)\n[2.5, 4.5)\n<1.5\n>=4.5\n",
        b"zip;age\n81***;20-29\n8166*;(29, 39]\n*****;20 to 29\n81***;40+\n",
        b'town\n"{a, b}"\n"{a}"\na\n*\n',
    ],
    "headers": [
        b"host: localhost:8501\norigin: http://localhost:8501\ncookie: cra_holder_8501=" + b"0a" * 32,
        b"host: 127.0.0.1\norigin: null", b"host: [::1]:8501", b"host: evil.example\nhost: localhost",
    ],
    "zipped": [
        _zipped(method) for method in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)
    ],
    "arx_project": [DEFINITION, _project()],
    "uploaded_plan": [*PLANS, packed_zip({"plan.toml": PLANS[0]})],
}  # fmt: skip
SMALL["study"].append(PRIVACY)
SMALL["blocks"] = [*SMALL["data"], _parquet()]
SMALL["lesson"] = []
SMALL["project"] = [
    Project("people.csv", "2f1a", study, Rule(3, 2, 0.2, 0.5), (Decision("2026-11-22", "name is removed", "a name"),))
    .to_toml_text()
    .encode()
    for study in STUDIES
]
# The kind of file, whether its lines are numbered, and the file; its last line is the one that is repeated.
SMALL["grown"] = [
    bytes([place, numbered]) + content
    for place, kind in enumerate(READERS)
    for content in SMALL[kind][:2]
    for numbered in (0, 1)
] + [
    bytes([list(READERS).index(kind), 1]) + content
    for kind, content in (
        ("study", b'k = 2\n[[attribute]]\nname = "a#"'),
        ("study", b"k.a#.b = 1"),
        ("study", b"[a#.b]"),
        ("study", b"k = 2\nx = [#,#,#"),
        ("hierarchy", b"1;a;*\n#;b#;*"),
        ("hierarchy", b"#;[#, 9999999[;*"),
        ("data", b"a;b\n#,5;t#"),
        ("release", b"age;town\n[#, 2#[;Ulm"),
        ("labels", b"age;town\n[#, 9999999[;*"),
        ("population", b"attribute,lower,upper,share\nage,0,80,0.#"),
        ("queries", b'[{"age": [#, 99]},\n{"age": [#, 9999999]},'),
        ("plan", b"k = [\n#,"),
    )
]

FILES: dict[str, list[Path]] = {
    "data": [*(ROOT / "sample_data").glob("toy.csv"), *(ARX / "raw").glob("toy*.csv")],
    "release": [*(ARX / "outputs").glob("toy*.csv")],
    "study": [*(ROOT / "sample_data").glob("*.toml"), *(ARX / "studies").glob("*.toml")],
    "hierarchy": [*(ARX / "hierarchies").glob("toy*.csv")],
    "plan": [*(ROOT / "plans").glob("*.toml")],
    "blocks": [*(ARX / "raw").glob("toy*.csv")],
    "labels": [*(ARX / "outputs").glob("toy*.csv")],
    "lesson": [*(ROOT / "lessons").glob("[0-9]*.toml")],
}

WORDS: dict[str, list[str]] = {
    "data": [",", ";", "\\x09", "|", '\\"', "sep=", "NA", "-999", "1e308", "inf", "nan", "1,5", "1.000,5", "\\x0a"],
    "cells": [
        "kg", "%", "+", "<", ">=", "under ", " and over", ",", ".", "'", "-", "31.12.2024", "2024-02-31", "2013-Q2",
        "05/06/2013", "May 2013", "T10:30", "01067", "E11.9", "NA", "?", "inf", "nan", "1e400", "\\x0a", "\\xc2\\xa0",
    ],
    "release": ["*", "[0, 20[", "[20, 40[", "[0, 80)", "Ulm", "west", ";", ",", '\\"', "age", "town", "Q1", "Q2"],
    "study": [
        "k = ", "profile", "arx-gui", "paper", "[[attribute]]", "[attribute]", "name", "lower", "upper", "layers",
        "fanout", "resolution", "unit", "hierarchy", "inf", "nan", "1e400", "-1e-400", "0x10", "true", "1979-05-27",
        '\\"\\"\\"', "[[", "{", "}",
    ],
    "hierarchy": ["*", "[0, 2[", "[2, 4[", "[0, 4[", ";", ",", '\\"', "1e400", "-1E-400", "inf", "[,[", "\\x0a"],
    "plan": [
        "seed = ", "samples", "k = [", "[[dataset]]", "[[dataset.sets]]", "synthetic", "pool", "records", "attributes",
        "layers", "ties", "singling_out", "tight_time_limit", "profile", "study", "data", "1e99999999", "inf", "0x10",
    ],
    "population": ["attribute", "lower", "upper", "share", "value", "Ulm", "town", "age", "Q1", "1e30", "1e-30", "nan"],
    "queries": ["[[", "{}", "null", "true", "NaN", "Infinity", "1e400", "age", "town", "illness", "\\\\ud800"],
    "address": [
        "example=", "kind=", "records=", "seed=", "correlation=", "attribute=", "k=", "profile=",
        "ties=", "step=", "class=", "view=", "lesson=", "lesson_step=", "size=", "hide=", "scene=", "nan", "inf", "%00",
        "\\xef\\xbc\\x91", "1_0",
    ],
    "question": [
        "id", "scene", "begin", "solved", "panel", "toy", "-k3", "-m1.2", "-d4", "-a9",
        "true", "null", "1e999", "\\\\ud800",
    ],
    "options": ["paper", "arx-gui", "none", "Q1=", "Q2=", "-", ",", "1e-99", "9999999", "\\xd9\\xa1"],
    "results": [";", ",", "\\x0a", "1e999999", "-1", "1.5", "exact", "timeout", "inf", " "],
    "headers": [
        "host", "origin", "cookie", "localhost", "127.0.0.1", ":8501", "http://", "null", "[::1]", "cra_holder_8501=",
    ],
    "lesson": [
        "id", "number", "title", "aim", "minutes", "study", "[[step]]", "[[exercise]]", "given", "begin", "{x}", "inf",
    ],
}  # fmt: skip
for _, _same in (("data", "blocks"), ("release", "labels"), ("plan", "uploaded_plan")):
    WORDS[_same] = WORDS[_]
