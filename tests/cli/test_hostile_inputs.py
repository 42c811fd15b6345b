"""Whatever the files and options of a command hold, it ends with an answer, a verdict or one sentence: 0, 1 or 2."""

import shutil
import sys
from random import Random

import pytest
import typer

from cra_engine import Study
from cra_engine.cli import commands, guard
from every_command import CALLS, fill

COMMANDS = typer.main.get_command(commands.app).commands
LIMIT = ("--time-limit", "1")
WORDS = [
    *("", "*", "nan", "inf", "-inf", "-1", "0", "1e400", "-1e-400", "9" * 5000, "1_000", "0x10", "1,5", "1.000,5", "?"),
    *("[0, 20[", "[20, 0[", "[, [", "{a, b}", "=1+1", "'", '"', "\x00", "\r", "\n;", "ü" * 300, "true", "2024-02-31"),
    *("2", "3", "0.5", "age", "town", "local", "arx", "no.csv", ".", "people.csv", "study.toml", "="),
    *("age=1", "1-9999999"),
]  # fmt: skip
DELIMITERS = b";,\n=[] "


def cell(content: bytes, random: Random) -> bytes:
    """Put a word in the place of a cell."""
    cuts = [-1, *(place for place, byte in enumerate(content) if byte in DELIMITERS), len(content)]
    first = random.randrange(len(cuts) - 1)
    return content[: cuts[first] + 1] + random.choice(WORDS).encode() + content[cuts[first + 1] :]


def lines(content: bytes, random: Random) -> bytes:
    """Leave lines out, say one often, or put them into another order."""
    rows = content.splitlines(keepends=True) or [b""]
    place, size = random.randrange(len(rows)), random.choice([1, 2, 30])
    way = random.randrange(4)
    if way == 0:
        del rows[place : place + size]
    elif way == 1:
        rows[place:place] = rows[place : place + 1] * random.choice([1, 5, 500])
    elif way == 2:
        random.shuffle(rows)
    else:
        rows = rows[: place + 1]
    return b"".join(rows)


def noise(content: bytes, random: Random) -> bytes:
    """Put bytes of any kind into the place of some, or end early."""
    first = random.randrange(len(content) + 1)
    last = first + random.choice([0, 1, 4, 100_000])
    return content[:first] + random.randbytes(random.choice([0, 1, 4])) + content[last:]


def written_otherwise(content: bytes, random: Random) -> bytes:
    """Write the same with another delimiter, line end or encoding."""
    text = content.decode("utf-8", "replace")
    other = random.choice([";", ",", "\t", "|"])
    text = text.replace(random.choice(";,"), other).replace("\n", random.choice(["\n", "\r\n", "\r"]))
    return text.encode(random.choice(["utf-8", "utf-8-sig", "utf-16", "cp1252"]), "replace")


MUTATIONS = (cell, cell, cell, lines, noise, written_otherwise)


def mutated(content: bytes, random: Random) -> bytes:
    """Change what a file holds in one to four places."""
    for _ in range(random.choice([1, 1, 2, 4])):
        content = random.choice(MUTATIONS)(content, random)
    return content


def with_option(name: str, call: tuple[str, ...], random: Random) -> tuple[str, ...]:
    """Give one option another value, or one that was not there."""
    values = [place for place, word in enumerate(call) if place and call[place - 1].startswith("--")]
    values = [place for place in values if not call[place].startswith("new-")]
    if values and random.random() < 0.5:
        place = random.choice(values)
        return (*call[:place], random.choice(WORDS), *call[place + 1 :])
    options = [one for one in COMMANDS[name].params if one.opts[0].startswith("--") and "output" not in one.opts[0]]
    chosen = random.choice(options)
    return (*call, chosen.opts[0], *([] if getattr(chosen, "is_flag", False) else [random.choice(WORDS)]))


@pytest.fixture
def workshop(tmp_path, monkeypatch, capfdbinary):
    """A folder with all that commands read; runs a command there as people do and returns how it ended."""
    monkeypatch.chdir(tmp_path)
    fill(tmp_path)

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["cra-engine", *arguments])
        capfdbinary.readouterr()
        with pytest.raises(SystemExit) as ended:
            commands.main()
        return ended.value.code or 0, capfdbinary.readouterr().err.decode()

    for command in (
        "recode --keep-order people.csv --study study.toml --output release.csv",
        "experiment plan.toml --output results.csv --jobs 1",
    ):
        assert run(*command.split())[0] == 0
    return tmp_path, run


@pytest.fixture
def reached(monkeypatch):
    """What the last command has got to: its options were understood; its study was read."""
    passed = set()
    running, from_toml = guard.running, Study.from_toml

    def begun(*given, **settings):
        passed.add("options")
        return running(*given, **settings)

    def read(*given, **settings):
        study = from_toml(*given, **settings)
        passed.add("study")
        return study

    monkeypatch.setattr(guard, "running", begun)
    monkeypatch.setattr(Study, "from_toml", read)
    return passed


@pytest.mark.parametrize(
    ("first", "cases"),
    [(0, 40), *(pytest.param(first, 250, marks=pytest.mark.exhaustive) for first in range(40, 3040, 250))],
)
def test_hostile_inputs_end_in_an_answer_or_a_sentence(first, cases, workshop, reached):
    folder, run = workshop
    whole = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    further = 0
    for seed in range(first, first + cases):
        random = Random(seed)
        name = random.choice(list(CALLS))
        call = CALLS[name]
        read = [path for path in whole if str(path.relative_to(folder)) in call]
        apart = [path for path in read if path.suffix != ".toml"] or read
        if random.random() < 0.2 or not read:
            call = with_option(name.split()[0], call, random)
        else:
            path = random.choice(apart if random.random() < 0.8 else read)
            path.write_bytes(mutated(path.read_bytes(), random))
        reached.clear()
        status, said = run(*name.split(), *call, *LIMIT)
        assert status in (0, 1, 2), (seed, name, call, said)
        assert status != 2 or said.rstrip().endswith((".", "?")), (seed, name, call, said)
        assert len(said.splitlines()[-1] if said else "") <= 1010, (seed, name, call)
        further += ("study" if "study.toml" in call or "models.toml" in call else "options") in reached
        for path in folder.iterdir():
            if path.name.startswith("new-"):
                shutil.rmtree(path) if path.is_dir() else path.unlink()
        for path, content in whole.items():
            path.write_bytes(content)
    assert further >= cases / 2
