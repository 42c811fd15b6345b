"""What is installed is what was pinned, to the byte: a package that somebody put in the place of another is refused."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
FILES = ("constraints.txt", "constraints-run.txt")
MAKE = (ROOT / "Makefile").read_text(encoding="utf-8")


@pytest.mark.parametrize("file", FILES)
def test_15_every_package_is_pinned_with_its_hashes(file):
    lines = (ROOT / file).read_text(encoding="utf-8").replace("\\\n", " ").splitlines()
    packages = [line for line in lines if line and not line.startswith("#")]
    assert len(packages) > 40
    for line in packages:
        assert re.fullmatch(r"[A-Za-z0-9._-]+==\S+( ;[^\\]*?)?( +--hash=sha256:[0-9a-f]{64})+ *", line), line[:80]


def test_15_what_is_installed_is_what_was_pinned():
    installs = re.findall(r"pip install (?:--quiet )?(.*)", MAKE[MAKE.index("\n$(RUNTIME):") : MAKE.index("\ntest:")])
    hashed = [f"--require-hashes -r {file}" for file in ("constraints-run.txt", "constraints.txt")]
    assert installs == [hashed[0], "--no-deps --no-build-isolation -e .", hashed[1]]
    assert "\ntest: $(STAMP)" in MAKE
    assert "\nrun: $(RUNTIME)" in MAKE


def test_15_a_package_with_another_hash_is_refused(tmp_path):
    wheel = tmp_path / "nothing-1.0-py3-none-any.whl"
    wheel.write_bytes(b"not what was pinned")
    (tmp_path / "pins.txt").write_text(f"nothing==1.0 --hash=sha256:{'0' * 64}\n", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "pip", "install", "--dry-run", "--no-index", "--find-links", str(tmp_path), "--no-deps",
         "--require-hashes", "-r", str(tmp_path / "pins.txt")],
        capture_output=True, text=True, check=False, env={"PATH": "/usr/bin:/bin", "PIP_CONFIG_FILE": "/dev/null"},
    )  # fmt: skip
    assert done.returncode != 0
    assert "DO NOT MATCH THE HASHES" in done.stderr
