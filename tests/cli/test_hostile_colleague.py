"""What a colleague may do to the command line, by mistake or not: files named twice, odd names, ends in the middle."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from cra_engine.cli import commands
from cra_engine.files import whole

ROOT = Path(__file__).resolve().parents[2]
TREE = "".join(f"{age};[{age // 20 * 20}, {age // 20 * 20 + 20}[;*\n" for age in range(80))
STUDY = 'k = 3\n[[attribute]]\nname = "age"\nhierarchy = "trees/age.csv"\n'
DATA = "age;note\n" + "".join(f"{row % 80};{'x' * 30}\n" for row in range(300))
PLAN = 'samples = 1\nk = [3]\n[[dataset]]\nname = "own"\ndata = "data.csv"\nstudy = "study.toml"\n'
PLAN += 'sets = [{ attributes = ["age"] }]\n'


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "trees").mkdir()
    (tmp_path / "trees" / "age.csv").write_text(TREE, encoding="utf-8")
    (tmp_path / "study.toml").write_text(STUDY, encoding="utf-8")
    (tmp_path / "data.csv").write_text(DATA, encoding="utf-8")
    (tmp_path / "plan.toml").write_text(PLAN, encoding="utf-8")
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
        ("what-if", "data.csv", *WITH),
    ]
    those += [("audit", "release.csv", *WITH)]
    those += [
        ("experiment", "plan.toml", "--output"),
        ("experiment", "plan.toml", "--output", "new.csv", "--timings"),
    ]
    those += [("audit", "release.csv", "--hierarchies", "trees", "--output")] if output.startswith("trees") else []
    for command in those if output in {"trees/age.csv", "hard"} else those[:1]:
        assert_one_sentence(run(folder, *command, output), "is named twice; give the output a file of its own.")
        assert files(folder) == before, command


def test_07_it_is_checked_before_the_work(folder, run):
    (folder / "data.csv").write_text("no table at all\x00", encoding="utf-8")
    assert_one_sentence(run(folder, "recode", "data.csv", *WITH, "trees/age.csv"), "is named twice")


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
        print("writing", flush=True)
        time.sleep(60)
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
    process = start(folder, *(["--named"] if named else []), code=WRITING)
    assert process.stdout.readline() == b"writing\n"
    process.send_signal(ending)
    process.communicate(timeout=60)
    assert process.returncode != 0
    if named and ending == signal.SIGKILL:  # nobody can clean up after that but the next run
        assert len(files(folder)) == len(before) + 1
        whole.write_whole((folder / "release.csv", "new\n"))
        (folder / "release.csv").unlink()
    elif not named and not hasattr(os, "O_TMPFILE"):
        pytest.skip("this system knows no files without a name")
    assert files(folder) == before


def test_08_what_another_run_is_writing_stays(folder):
    process = start(folder, "--named", code=WRITING)
    assert process.stdout.readline() == b"writing\n"
    there = set(files(folder))
    whole.write_whole((folder / "release.csv", "new\n"))
    assert set(files(folder)) == there | {Path("release.csv")}
    process.terminate()
    process.communicate(timeout=60)


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
        ("report", "ring", "--output", "report"),
        ("report", "data.csv", "--output", "ring"),
    ):
        assert_one_sentence(run(folder, *command))
    # A name that is no UTF-8 is a name all the same.
    status, out, err = run(folder, "what-if", odd, *WITH, "out.html")
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
        ("report", "/dev/zero", "--output", "report"),
        ("experiment", "/dev/zero", "--output", "out.csv"),
        ("experiment", "plan.toml", "--output", "pipe"),
        ("recode",),
        ("recode", "data.csv", "--study", "study.toml", "--nothing"),
        ("nothing",),
        ("attack", "data.csv", "--study", "study.toml", "--k", "five"),
    ):
        assert_one_sentence(run(folder, *command))
