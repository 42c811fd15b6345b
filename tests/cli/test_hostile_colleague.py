"""What a colleague may do to the command line, by mistake or not: files named twice, odd names, ends in the middle."""

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import typer

from cra_engine import Study
from cra_engine.cli import commands, guard
from cra_engine.files import whole
from every_command import CALLS, DATA, PLAN, STUDY, begin, fill
from json_shapes import assert_shape

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def folder(tmp_path):
    begin(tmp_path)
    return tmp_path


def start(folder, *arguments, code=None, **how):
    command = [sys.executable, "-m", "cra_engine"] if code is None else [sys.executable, "-c", code]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.Popen(
        [*command, *map(os.fsencode, map(str, arguments))],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        **how,
    )


@pytest.fixture
def run(folder, monkeypatch, capfdbinary):
    """Run a command as people do, in this process."""
    monkeypatch.chdir(folder)

    def command(_, *arguments):
        monkeypatch.setattr(sys, "argv", ["cra-engine", *arguments])
        capfdbinary.readouterr()
        with pytest.raises(SystemExit) as ended:
            commands.main()
        out, err = capfdbinary.readouterr()
        return ended.value.code or 0, out.decode(), err.decode()

    return command


def files(folder):
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def assert_one_sentence(done, says=""):
    status, out, err = done
    assert (status, out) == (2, ""), err
    assert says in err
    assert err.endswith(".\n")
    assert err.count("\n") == 1


# ---------------------------------------------------------------- 7: nothing that is read is written onto

PROMISE = ("--qi", "age", "--sensitive", "note", "--l", "2")
WITH = ("--study", "study.toml", "--output")


@pytest.mark.parametrize(
    "output", ["data.csv", "study.toml", "trees/age.csv", "trees/../trees/age.csv", "soft", "hard"]
)
def test_07_no_command_writes_onto_a_file_that_it_reads(folder, run, output):
    (folder / "soft").symlink_to("trees/age.csv")
    os.link(folder / "trees" / "age.csv", folder / "hard")
    (folder / "release.csv").write_text("age;note\n*;x\n*;x\n*;x\n", encoding="utf-8")
    before = files(folder)
    those = [
        ("recode", "data.csv", *WITH),
        ("recode", "data.csv", "--streaming", *WITH),
        ("compare", "data.csv", *WITH),
    ]
    those += [("audit", "release.csv", *WITH)]
    those += [
        ("experiment", "plan.toml", "--output"),
        ("experiment", "plan.toml", "--output", "new.csv", "--timings"),
    ]
    those += [("audit", "release.csv", "--hierarchies", "trees", "--output")] if output.startswith("trees") else []
    for command in those if output in {"trees/age.csv", "hard"} else those[:1]:
        says = "lies in the folder trees, which is read" if "trees" in command else "is named twice; give the output"
        assert_one_sentence(run(folder, *command, output), says)
        assert files(folder) == before, command


def test_07_it_is_checked_before_the_work(folder, run):
    (folder / "data.csv").write_text("no table at all\x00", encoding="utf-8")
    assert_one_sentence(run(folder, "recode", "data.csv", *WITH, "trees/age.csv"), "is named twice")


# ---------------------------------------------------------------- 7: every command, also one that comes later


@pytest.fixture
def workshop(folder, run):
    fill(folder)
    assert run(folder, "recode", "--keep-order", "people.csv", *WITH, "release.csv")[0] == 0
    assert run(folder, "experiment", "plan.toml", "--output", "results.csv", "--jobs", "1")[0] == 0
    return folder


opened = []  # what Python has opened since somebody looked; an audit hook can never be taken out again
sys.addaudithook(lambda event, given: event == "open" and opened.append(given[0]))


def read_by(folder, names, there):
    """Those of the files of a folder whose names were opened, by whatever link."""
    places = {(folder / path).resolve(): path for path in there}
    found = ((folder / os.fsdecode(name)).resolve() for name in names if isinstance(name, str | bytes))
    return {places[path] for path in found if path in places}


# The one vocabulary of JSON, and the keys under which names and numbers of the data stand.
WORDS = set(
    re.findall(
        r"`(\w+)`",
        "".join(
            line.split("|")[1]
            for line in (ROOT / "docs" / "json.md").read_text(encoding="utf-8").splitlines()
            if line.startswith("| `")
        ),
    )
)
NAMED_BY_DATA = {"by_column", "by_number_of_columns"}


def keys(value):
    """The keys of a JSON value, however deep."""
    if isinstance(value, list):
        return set().union(*map(keys, value))
    if not isinstance(value, dict):
        return set()
    return set(value).union(*(keys(inner) for key, inner in value.items() if key not in NAMED_BY_DATA))


def takes_json(name):
    """Whether a command prints JSON where it is asked to; of experiment the simulations alone do."""
    if name in {"experiment", "experiment --report"}:
        return False
    options = typer.main.get_command(commands.app).commands[name.split()[0]].params
    return any("--json" in option.opts for option in options)


def test_07_every_command_there_is_is_known_here():
    registered = {command.name for command in commands.app.registered_commands}
    assert registered == {name.split()[0] for name in CALLS}


@pytest.mark.parametrize("name", CALLS)
def test_07_no_command_at_all_writes_onto_a_file_that_it_reads(workshop, run, name):
    call, before = CALLS[name], files(workshop)
    opened.clear()
    asked = ("--json",) if takes_json(name) else ()
    status, out, err = run(workshop, *name.split(), *call, *asked)
    inputs = read_by(workshop, tuple(opened), before)
    assert status == 0, err
    assert keys(json.loads(out) if asked else {}) - WORDS == set(), "a key of JSON is not in docs/json.md"
    if asked:
        assert_shape(name.split()[0], out)
    after = files(workshop)
    assert {path: after[path] for path in before} == before
    # What it has written is just what its call names as new.
    outputs = [word for word in call if word.startswith("new-")]
    written = {str(path) for path in set(after) - set(before)}
    assert all(any(path.startswith(word) for word in outputs) for path in written), written
    assert all(any(path.startswith(word) for path in written) for word in outputs)
    for path in written:
        (workshop / path).unlink()
    assert inputs or not any(word in map(str, before) for word in call)
    for output in outputs:
        for path in sorted(inputs):
            if name == "experiment --report":
                continue  # its output is a folder
            again = [str(path) if word == output else word for word in call]
            assert_one_sentence(
                run(workshop, *name.split(), *again), "is named twice; give the output a file of its own."
            )
            assert files(workshop) == before, again


def test_07_a_command_that_says_nothing_of_its_files_is_held_to_it_too(folder, run, monkeypatch):
    def later(data: Path, output: Path) -> None:
        """Stand for a command that somebody adds."""
        output.write_bytes(data.read_bytes() + b"more")

    held = guard.Commands()
    held.command("later")(later)
    held.command("other")(later)
    monkeypatch.setattr(commands, "app", held)
    before = files(folder)
    assert_one_sentence(run(folder, "later", "study.toml", "trees/age.csv"), "is named twice")
    assert_one_sentence(run(folder, "later", "trees", "trees/age.csv"), "lies in the folder trees, which is read")
    assert files(folder) == before
    assert run(folder, "later", "study.toml", "new.csv")[0] == 0


def test_07_what_a_command_writes_beside_its_output_is_held_to_it_too(folder, run, monkeypatch):
    def later(data: Path, study: Path, output: Path) -> None:  # noqa: ARG001 - it would read its data
        """Stand for a command that writes a study with its hierarchy files: age.csv beside it."""
        Study.from_toml(study).to_toml(output)

    held = guard.Commands()
    held.command("later")(later)
    held.command("other")(later)
    monkeypatch.setattr(commands, "app", held)
    (folder / "data.csv").rename(folder / "age.csv")
    before = files(folder)
    assert_one_sentence(run(folder, "later", "age.csv", "study.toml", "new.toml"), "age.csv is named twice")
    assert files(folder) == before


def test_07_the_report_does_not_write_onto_its_results(workshop, run):
    (workshop / "results.csv").rename(workshop / "figure5.csv")
    before = files(workshop)
    assert_one_sentence(run(workshop, "experiment", "--report", "figure5.csv", "--output", "."), "is named twice")
    assert files(workshop) == before


# ---------------------------------------------------------------- 8: ends in the middle

WRITING = """
import signal, sys, time
from pathlib import Path
signal.signal(signal.SIGHUP, signal.SIG_DFL)  # whoever runs the tests may have it ignored, and that is inherited
from cra_engine.files import whole
if "--named" in sys.argv:
    whole._without_a_name = lambda folder: None
import cra_engine.cli.commands as commands
def slow(*outputs):
    with whole.whole_file(Path("release.csv")) as file:
        file.write(b"a patient's value\\n")
        file.flush()
        print("writing", flush=True, file=sys.__stdout__)
        time.sleep(900)
import cra_engine.cli.files as files
files.write_whole = slow
sys.argv = ["cra-engine", "recode", "data.csv", "--study", "study.toml", "--output", "release.csv"]
commands.main()
"""


@pytest.mark.parametrize(
    ("ending", "named"),
    [(signal.SIGTERM, True), (signal.SIGHUP, False), (signal.SIGKILL, True), (signal.SIGKILL, False)],
)
def test_08_a_run_that_is_ended_leaves_no_file(folder, ending, named):
    before = files(folder)
    handle = None if named else whole._without_a_name(folder)
    if handle is None:  # the system knows no files without a name
        named = True
    else:
        os.close(handle)
    process = start(folder, *(["--named"] if named else []), code=WRITING)
    assert process.stdout.readline() == b"writing\n"
    process.send_signal(ending)
    process.communicate(timeout=300)
    assert process.returncode != 0
    if named and ending == signal.SIGKILL:  # nobody can clean up after that but the next run
        assert len(files(folder)) == len(before) + 1
        whole.write_whole((folder / "release.csv", "new\n"))
        (folder / "release.csv").unlink()
    assert files(folder) == before


def test_08_what_another_run_is_writing_stays(folder):
    process = start(folder, "--named", code=WRITING)
    assert process.stdout.readline() == b"writing\n"
    there = set(files(folder))
    whole.write_whole((folder / "release.csv", "new\n"))
    assert set(files(folder)) == there | {Path("release.csv")}
    process.terminate()
    process.communicate(timeout=300)


# ---------------------------------------------------------------- 13 and 14: names, links, devices, usage


def test_13_foreseeable_failures_are_sentences(folder, run):
    (folder / "ring").symlink_to("ring")
    odd = os.fsdecode(b"patient-\xff.csv")
    (folder / odd).write_text(DATA, encoding="utf-8")
    (folder / "nul.toml").write_text(STUDY.replace("trees/age.csv", "a\\u0000b"), encoding="utf-8")
    (folder / "plan.toml").write_text(PLAN.replace("data.csv", "a\\u0000b"), encoding="utf-8")
    for command in (
        ("recode", "ring", *WITH, "out.csv"),
        ("recode", "data.csv", "--study", "ring", "--output", "out.csv"),
        ("recode", "data.csv", *WITH, "ring/out.csv"),
        ("recode", "data.csv", *WITH, "study.toml/out.csv"),
        ("recode", "data.csv", *WITH, "x" * 300),
        ("recode", "data.csv", "--study", "nul.toml", "--output", "out.csv"),
        ("recode", os.fsdecode(b"no-\xff.csv"), *WITH, "out.csv"),
        ("attack", "ring", "--study", "study.toml"),
        ("audit", "ring", "--output", "out.html"),
        ("audit", "data.csv", "--hierarchies", "ring", "--output", "out.html"),
        ("experiment", "plan.toml", "--output", "out.csv"),
        ("experiment", "--report", "ring", "--output", "report"),
        ("experiment", "--report", "data.csv", "--output", "ring"),
    ):
        assert_one_sentence(run(folder, *command))
    # A name that is no UTF-8 is a name all the same.
    status, out, err = run(folder, "compare", odd, *WITH, "out.html")
    assert status == 0, err
    assert "patient-\\udcff.csv" in (folder / "out.html").read_text(encoding="utf-8")
    status, out, err = run(folder, "recode", odd, *WITH, os.fsdecode(b"out-\xff.csv"))
    assert status == 0, err
    assert "Release in out-\\udcff.csv." in out


def test_14_devices_and_pipes_are_refused_and_usage_errors_are_one_sentence(folder, run):
    os.mkfifo(folder / "pipe")
    for command in (
        ("recode", "pipe", *WITH, "out.csv"),
        ("recode", "pipe", "--streaming", *WITH, "out.csv"),
        ("recode", "/dev/zero", *WITH, "out.csv"),
        ("audit", "/dev/zero", "--output", "out.html"),
        ("global-recode", "pipe", *WITH, "out.csv"),
        ("microaggregate", "/dev/zero", "--k", "3", "--output", "out.csv"),
        ("heterogeneous", "pipe", *PROMISE, "--output", "out.csv"),
        ("heterogeneous", "data.csv", *PROMISE, "--output", "out.csv", "--queries", "/dev/zero"),
        ("heterogeneous", "data.csv", *PROMISE, "--output", "out.csv", "--queries", "pipe"),
        ("sensitive-cells", "data.csv", "--release", "/dev/zero", "--by", "age"),
        ("experiment", "--report", "/dev/zero", "--output", "report"),
        ("experiment", "/dev/zero", "--output", "out.csv"),
        ("experiment", "plan.toml", "--output", "pipe"),
        ("recode",),
        ("recode", "data.csv", "--study", "study.toml", "--nothing"),
        ("nothing",),
        ("attack", "data.csv", "--study", "study.toml", "--k", "five"),
    ):
        assert_one_sentence(run(folder, *command))
