"""docs/worked-case.md says what its commands print, line by line, from the files beside it."""

import re
import shlex
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from cra_engine.cli.commands import app

DOCS = Path(__file__).resolve().parents[1] / "docs"
PAGE = (DOCS / "worked-case.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```console\n(.*?)```", PAGE, re.DOTALL)

pytestmark = pytest.mark.site


def test_every_command_prints_what_the_page_says(tmp_path, monkeypatch):
    for path in (DOCS / "worked-case").iterdir():
        shutil.copy(path, tmp_path)
    monkeypatch.chdir(tmp_path)
    ran = 0
    for block in BLOCKS:
        for command, said in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE):
            program, *arguments = shlex.split(command)
            if program == "mkdir":
                Path(*arguments).mkdir()
                continue
            assert program == "cra-engine"
            done = CliRunner().invoke(app, arguments, catch_exceptions=False)
            assert done.exit_code == (1 if "STOP:" in said else 0), done.stderr
            parts = said.split("...\n")
            assert len(parts) > 1 or done.stdout == said
            assert done.stdout.startswith(parts[0])
            assert done.stdout.endswith(parts[-1])
            at = 0
            for part in parts:
                at = done.stdout.index(part, at) + len(part)
            ran += 1
    assert ran == 7
    assert not any(name.encode() in Path("verdict.html").read_bytes() for name in ("Pohl", "H257627256"))


def test_the_study_that_the_page_shows_is_the_file():
    (shown,) = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    assert shown == (DOCS / "worked-case" / "study.toml").read_text(encoding="utf-8")
