"""The notebooks of docs/notebooks run from top to bottom, and show what is stored in them.

What runs them is imported where it is used: it is no part of what most tests need.
`python tests/test_notebooks.py` runs them and stores what they show.
"""

import re
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))

pytestmark = [pytest.mark.site, pytest.mark.filterwarnings("ignore")]  # of the kernel's own libraries


def ran(path):
    """A notebook as it is after all its cells were run; it holds no widget, which is made anew by who opens it."""
    import nbformat  # noqa: PLC0415
    from nbclient import NotebookClient  # noqa: PLC0415

    notebook = nbformat.read(path, as_version=4)
    NotebookClient(
        notebook, kernel_name="python3", timeout=600, resources={"metadata": {"path": str(FOLDER)}}
    ).execute()
    notebook.metadata.pop("widgets", None)
    notebook.metadata.language_info = {"name": "python"}
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
        if cell.cell_type == "code":
            cell.outputs = [one for one in cell.outputs if "application/vnd.jupyter.widget-view+json" not in data(one)]
    return notebook


def data(output):
    return output.get("data", {})


def shown(notebook):
    """What stands below each cell, as text."""
    return [
        "".join(data(one).get("text/plain", one.get("text", "")) for one in cell.outputs)
        for cell in notebook.cells
        if cell.cell_type == "code"
    ]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_it_shows_what_is_stored_in_it(path):
    import nbformat  # noqa: PLC0415

    stored = nbformat.read(path, as_version=4)
    nbformat.validate(stored)
    assert shown(ran(path)) == shown(stored)
    assert any(shown(stored))


def test_each_stands_on_the_page_of_the_notebooks():
    page = (FOLDER.parent / "notebooks.md").read_text(encoding="utf-8")
    assert set(re.findall(r"notebooks/([\w-]+\.ipynb)", page)) == {path.name for path in NOTEBOOKS}


if __name__ == "__main__":
    import nbformat

    for each in NOTEBOOKS:
        nbformat.write(ran(each), each)
