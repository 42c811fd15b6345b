"""Small files of a stranger that ask for large work: each is read or refused with a sentence, and soon.

Each in a process that has no more than so much processor time and memory.
"""

import json
import os
import subprocess
import sys
from decimal import Decimal
from pathlib import Path

import pytest

from cra_dashboard.session import link
from cra_engine import Attribute, CRAError, Study, StudyError
from cra_engine.experiments.plan import Plan
from cra_engine.files.json_text import parse_json
from cra_engine.files.toml_text import parse_toml
from cra_engine.study.file_hierarchy import read_hierarchy

ROOT = Path(__file__).resolve().parents[2]
# Of processor time, where a plain loop of ten million steps takes a fifth of a second, and in proportion where it takes
# longer; of memory on top of the program.
SECONDS, MEGABYTES = 8, 500

ATTRIBUTE = '[[attribute]]\nname = "age"\nlower = 0\nupper = 80\nlayers = 3\n'
STUDY = "k = 3\n" + ATTRIBUTE
PLAN = 'samples = 1\nk = [3]\n[[dataset]]\nname = "t"\nsynthetic = "toy"\nsets = [{ attributes = ["age"] }]\n'


# One process imports once, and reads each file in a child of its own that has so much time and memory.
READER = """
import json, math, os, resource, sys, time
from pathlib import Path
from cra_engine import CRAError, Study, read_table
from cra_engine.checks.project import Project
from cra_engine.experiments.plan import Plan
from cra_engine.study.file_hierarchy import read_hierarchy
import cra_engine.files.stored
from cra_engine import Attribute, read_population, read_release
from cra_engine.experiments.results import Results
from cra_engine.files.content import content_of
from cra_engine.utility.count_queries import read_queries
from cra_dashboard.lessons.files import lesson_of
import pandas as pd
study = Study([Attribute("age", 0, 80, 3), Attribute("weight", 0, 80, 3)], 3)
people = pd.DataFrame({"age": [1, 2], "illness": ["a", "b"]})
readers = {"study": Study.from_toml, "plan": Plan.from_toml, "table": read_table,
    "hierarchy": lambda path: read_hierarchy(path, "age"), "blocks": cra_engine.files.stored.open_table,
    "release": lambda path: read_release(path, study), "population": lambda path: read_population(path, study),
    "results": Results, "project": lambda path: Project.from_toml_text(path.read_text("utf-8"), "project"),
    "lesson": lambda path: lesson_of(path.read_text("utf-8"), "lesson"),
    "queries": lambda path: read_queries(content_of(path, "queries").decode(), people, "illness")}
start = time.process_time()
for _ in range(10_000_000):
    pass
seconds = max(SECONDS, math.ceil(5 * SECONDS * (time.process_time() - start)))
for name, (kind, path) in json.load(sys.stdin).items():
    sys.stdout.flush()
    child = os.fork()
    if child:
        status = os.waitpid(child, 0)[1]
        if status:
            print(json.dumps([name, f"ended with {status}"]))
        continue
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + (MEGABYTES << 20),) * 2)
    try:
        readers[kind](Path(path))
        said = "read"
    except CRAError as error:
        said = str(error)
    print(json.dumps([name, said]), flush=True)
    os._exit(0)
"""


def read(files):
    """Let each file be read as one of a kind; by its name what was said."""
    done = subprocess.run(
        [sys.executable, "-c", READER.replace("SECONDS", str(SECONDS)).replace("MEGABYTES", str(MEGABYTES))],
        input=json.dumps(files),
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    return dict(json.loads(line) for line in done.stdout.splitlines())


# ---------------------------------------------------------------- numbers as text


@pytest.mark.parametrize(
    "number", ["1e99999999", "-1e99999999", "1e5000", "1e-9999999", "0e99999999", "9" * 5000, "inf"]
)
@pytest.mark.parametrize("setting", ["k", "profile", "layers", "fanout", "lower", "upper", "resolution"])
def test_02_a_number_out_of_all_proportion_is_refused_as_text(setting, number):
    text = STUDY if setting in STUDY else STUDY + f"{setting} = 2\n"
    lines = [f"{setting} = {number}" if line.startswith(f"{setting} =") else line for line in text.splitlines()]
    if setting == "profile":
        lines = [f"profile = {number}", *STUDY.splitlines()]
    with pytest.raises(StudyError) as caught:
        Study.from_toml_text("\n".join(lines))
    assert str(caught.value).endswith(".")


@pytest.mark.parametrize("number", ["1e99999999", "1e5000", "0x" + "f" * 50_000, "9" * 4000])
@pytest.mark.parametrize(
    "place",
    [
        "seed = {}\n" + PLAN,
        PLAN.replace("samples = 1", "samples = {}"),
        PLAN.replace("[3]", "[{}]"),
        PLAN.replace('"toy"\n', '"toy"\npool = {}\n'),
        PLAN.replace('"toy"\n', '"toy"\nrecords = {}\n'),
    ],
)
def test_02_so_it_is_in_a_plan(place, number):
    with pytest.raises(CRAError) as caught:
        Plan.from_toml_text(place.replace("{}", number))
    assert str(caught.value).endswith(".")


def test_02_from_python_too():
    for wrong in (Decimal("1e99999999"), Decimal("1e-9999999")):
        with pytest.raises(StudyError):
            Study([Attribute("age", 0, 80, 3)], 3, wrong)
        with pytest.raises(StudyError):
            Attribute("age", 0, wrong, 3)
    with pytest.raises(StudyError, match=r"k is above "):
        Study([Attribute("age", 0, 80, 3)], 10**5000)


LONG = ("1e99999999", "1E99999999", "9" * 5000, "-" * 10**6, "9" * 10**6)


@pytest.mark.parametrize("text", LONG, ids=lambda text: f"{text[:10]}, {len(text)} long")
def test_02_so_it_is_in_a_link(text):
    given = {
        name: [text] for name in ("k", "records", "seed", "correlation", "profile", "step", "class", "view", "hide")
    }
    given |= {"example": ["toy"], "attribute": [f"age,0,{text},3,2,1", f"age,0,80,{text},2,1", f"age,0,80,3,{text},1"]}
    found, problems = link.parse(given)
    assert found.example == "toy"
    assert len(problems) >= len(given) - 2
    assert all(len(problem) < 400 for problem in problems)


# ---------------------------------------------------------------- small files, large work

PROJECT = '[project]\ntable = "t"\ndigest = "0"\nsaved = 2026-11-22\nstudy = "k = 3"\n'
POOL = '[[dataset]]\nname = "t{}"\nsynthetic = "toy"\npool = 9000000\nsets = [{{ attributes = ["age"] }}]\n'


def small():
    """Files by what they are, each with its reader; made when asked for, since every worker reads this module."""
    layers = ";".join(f"{layer}-{{}}" for layer in range(58))
    deep = "".join(f"{n};{layers.format(*[n] * 58)};*\n" for n in range(1_500))
    whole = "".join(ATTRIBUTE.replace("age", f"a{n}") for n in range(5_000))
    leaves = "".join(f"{n};[{n}, {n + 1}[;[0, 100000[;*\n" for n in range(0, 60_000, 2))
    return {
        "a name of 40,000 parts": ("study", "a." * 40_000 + "b = 1\n"),
        "a name of 40,000 quoted parts": ("study", '"a" . ' * 40_000 + "b = 1\n"),
        "a table's name of 40,000 parts": ("study", "[" + "a." * 40_000 + "b]\n"),
        "many names of many parts": ("study", "".join(f"{'a.' * 190}b{n} = 1\n" for n in range(700))),
        "20,000 attributes": ("study", "k = 2\n" + "[[attribute]]\n" * 20_000),
        "5,000 whole attributes": ("study", "k = 2\n" + whole),
        "a list in a list in a list": ("study", "k = " + "[" * 900 + "]" * 900),
        "100,000 brackets": ("study", "k = " + "[" * 100_000),
        "100,000 values of k": ("plan", PLAN.replace("[3]", str(list(range(2, 60_000))).replace(" ", ""))),
        "10,000 data sets": ("plan", "k = [3]\n" + '[[dataset]]\nname = "t"\n' * 10_000),
        "pools of records": ("plan", "k = [3]\n" + "".join(POOL.format(n) for n in range(100))),
        "a plan of 1 MB": ("plan", PLAN + "# " + "x" * 10**6),
        "a million rows": ("hierarchy", "".join(f"{n};[0, 2000000[;*\n" for n in range(1_000_100))),
        "1 MB of leaves": ("hierarchy", leaves),
        "4,000 leaves with gaps": ("hierarchy", "".join(f"{n};[{n}, {n + 1}[;*\n" for n in range(0, 8_000, 2))),
        "200,000 layers": ("hierarchy", ";".join(["a"] * 200_000) + "\n" + ";".join(["b"] + ["a"] * 199_999) + "\n"),
        "1,500 rows of 60 layers": ("hierarchy", deep),
        "1 MB of commas": ("table", "," * 10**6),
        "1 MB of quotes": ("table", '"' * 10**6),
        "1 MB of blank lines": ("table", "a,b\n" + "\n" * 10**6),
        "a cell of 1 MB": ("table", "a\n" + "x" * 10**6),
        "1 MB of queries": ("queries", "[" + '{"age": [1, 2]},' * 60_000 + '{"age": [1, 2]}]'),
        "queries in queries": ("queries", '[{"age": ' * 100_000),
        "1 MB of brackets": ("queries", "[" * 10**6),
        "a query of 1 MB": ("queries", '[{"illness": [' + '"a",' * 250_000 + '"b"]}]'),
        "half a MB of shares": ("population", "attribute,lower,upper,share\n" + "age,0,80,0.1\n" * 30_000),
        "shares of many digits": (
            "population", "attribute,lower,upper,share\n" + "".join(f"age,0,80,0.{n:029d}\n" for n in range(20_000)),
        ),
        "1 MB of classes": ("release", "age;weight\n" + "".join(f"[0, {n}[;*\n" for n in range(70_000))),
        "1 MB of results": ("results", "plan,k\n" + "x,3\n" * 250_000),
        "a project of 20,000 decisions": ("project", PROJECT + "[[decision]]\n" * 20_000),
        "a project's study of many parts": (
            "project", PROJECT + "[project.hierarchies]\n" + "".join(f'"a{n}.csv" = "{n};*"\n' for n in range(15_000)),
        ),
        "a lesson of many parts": ("lesson", "id.a." + "b." * 10_000 + "c = 1\n"),
        "a lesson of 40,000 steps": ("lesson", "[[step]]\n" * 40_000),
    }  # fmt: skip


def test_03_small_files_make_no_large_work(tmp_path):
    files = {}
    for place, (case, (kind, text)) in enumerate(small().items()):
        path = tmp_path / str(place)
        path.write_text(text, encoding="utf-8")
        files[case] = (kind, str(path))
    for case, said in read(files).items():
        assert said == "read" or (said.endswith(".") and len(said) <= 1100), case


def attributes(number):
    return "k = 3\n" + "".join(ATTRIBUTE.replace("age", f"a{place}") for place in range(number))


def rows(number, layers=1):
    return "".join(f"{place};{';'.join(f'{layer} {place}' for layer in range(layers))};*\n" for place in range(number))


@pytest.mark.parametrize(
    ("read_it", "within", "beyond", "says"),
    [
        (Study.from_toml_text, attributes(100), attributes(101), "names 101 attributes, more than 100"),
        (
            Plan.from_toml_text,
            PLAN.replace("[3]", str([*range(2, 22)])),
            PLAN.replace("[3]", str([*range(2, 203)])),
            "at most 200 items",
        ),
        (lambda text: read_hierarchy(text.encode(), "a"), rows(3, 58), rows(3, 70), "72 layers, more than 64"),
        (lambda text: read_hierarchy(text.encode(), "a"), rows(800), rows(40_000), "leaves, more than"),
        (lambda text: parse_toml(text, "f"), f"a = [{'1.5, ' * 200}]", f"a = [{'1.5, ' * 201}]", "more than 200 dots"),
        (lambda text: parse_toml(text, "f"), "a = " + "[" * 15 + "]" * 15, "a = " + "[" * 30 + "]" * 30, "proportion"),
        (lambda text: parse_json(text, "They"), "[" * 49 + "]" * 49, "[" * 60 + "]" * 60, "deeper than 50"),
    ],
    ids=("attributes", "values of k", "layers", "leaves", "dots", "lists", "brackets"),
)
def test_03_each_bound_is_said(read_it, within, beyond, says):
    read_it(within)
    with pytest.raises(CRAError, match=says):
        read_it(beyond)


def test_03_what_people_write_is_still_read():
    assert parse_toml("a.b.c = 1\nx = [\n" + "1.5,\n" * 5_000 + "]\n", "plan")["a"] == {"b": {"c": 1}}
    names = "".join(ATTRIBUTE.replace("age", f"a column of the table, number {n}") for n in range(100))
    assert len(Study.from_toml_text("k = 3\n" + names).attributes) == 100


# ---------------------------------------------------------------- what is no file


def test_14_devices_pipes_and_endless_files_get_a_sentence(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    with (tmp_path / "endless").open("wb") as file:
        file.truncate(1 << 40)
    wrong = [str(tmp_path / name) for name in ("pipe", "folder", "loop", "endless", "no\0name", "nothing")]
    wrong += ["/dev/zero", "/dev/tty"]
    kinds = ("study", "plan", "table", "hierarchy", "blocks")
    files = {
        f"{kind} {path}": (kind, path) for kind in kinds for path in wrong if "endless" not in path or kind != "blocks"
    }
    for name in ("pipe", "folder", "loop", "endless", "no\\u0000name"):
        path = tmp_path / f"{len(files)}.toml"
        path.write_text(f'k = 3\n[[attribute]]\nname = "age"\nhierarchy = "{name}"\n', encoding="utf-8")
        files[f"study with {name}"] = ("study", str(path))
    said = read(files)
    assert set(said) == set(files)
    for what, sentence in said.items():
        assert sentence.endswith("."), (what, sentence)
