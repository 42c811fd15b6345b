"""The name of a data set is a stranger's text: no CSV file that people open runs it as a formula."""

import csv
import io

import pytest

from cra_engine.experiments.plan import Plan
from cra_engine.experiments.report import report_files
from cra_engine.experiments.results import Results
from cra_engine.experiments.run import run_experiment
from cra_engine.files.csv_text import defused_cell, restored_cell

NAMES = ("=HYPERLINK(1)", "+1+1", "-2+3", "@SUM(1)", "\uff1d1+1", "'=1", "plain", "-5")


def plan(name):
    """A small experiment on a data set of this name."""
    return Plan.from_toml_text(
        "samples = 1\nk = [3]\n"
        f'[[dataset]]\nname = "{name}"\nsynthetic = "toy"\nrecords = 30\n'
        'sets = [{ attributes = ["weight"], layers = [2] }]\n'
    )


def runs(cell):
    """Whether a spreadsheet would run the cell."""
    return cell.lstrip(" \n")[:1] in {"=", "+", "@", "-", "\uff1d"} and not cell.lstrip("+-").replace(".", "").isdigit()


@pytest.mark.parametrize("name", NAMES)
def test_11_no_result_and_no_report_runs_the_name_of_a_data_set(tmp_path, name):
    path = tmp_path / "results.csv"
    run_experiment(plan(name), path)
    assert run_experiment(plan(name), path) == 1  # its own rows are known again
    results = Results(path)
    assert set(results.frame["dataset"]) == {name}
    texts = [path.read_text(encoding="utf-8")]
    texts += [text for file, text in report_files(results).items() if file.endswith(".csv")]
    assert any(name in text for text in texts)
    for text in texts:
        cells = [cell for row in csv.reader(io.StringIO(text)) for cell in row]
        assert not [cell for cell in cells if len(cell) > 1 and runs(cell)]


@pytest.mark.parametrize("name", NAMES)
def test_11_a_cell_comes_back_as_it_was(name):
    assert restored_cell(defused_cell(name)) == name
