"""docs/r.md prints what it says. Needs R with reticulate (Debian: r-cran-reticulate)."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parents[1] / "docs"
PAGE = (DOCS / "r.md").read_text(encoding="utf-8")
R = shutil.which("Rscript")

pytestmark = [pytest.mark.site, pytest.mark.skipif(R is None, reason="R is not installed")]


def test_the_page_prints_what_it_says(tmp_path):
    for path in (DOCS / "worked-case").iterdir():
        shutil.copy(path, tmp_path)
    (script,) = re.findall(r"```r\n(.*?)```", PAGE, re.DOTALL)
    said = re.findall(r"```text\n(.*?)```", PAGE, re.DOTALL)[-1]
    (tmp_path / "page.R").write_text(script.replace('use_virtualenv("cra")\n', ""), encoding="utf-8")
    done = subprocess.run(
        [R, "page.R"],
        cwd=tmp_path,
        env=os.environ | {"RETICULATE_PYTHON": sys.executable},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert re.sub(r" +\n", "\n", done.stdout) == said
