"""The first page: what it says, and one click to each example."""

import pytest
from visitor import DATA, ROOT, START

from cra_engine import Study, attack, read_table, recode, tight_attack

EXAMPLES = {"toy": 36, "clinic": 500, "hospitals": 1013, "diabetes": 442}


def test_it_says_what_it_is_and_keeps_data_private(session):
    assert session.title == "CRA Explorer"
    assert "Combinatorial Refinement Attack" in session.says("markdown")
    assert "stays in the memory of this session" in session.says("caption")


def test_the_picture_is_the_toys_attack(session):
    folder = ROOT / "sample_data"
    release = recode(read_table(folder / "toy.csv"), Study.from_toml(folder / "toy.toml")).release
    shown = max(attack(release).classes, key=lambda part: part.lr_solutions / part.cra_solutions)
    before, after = ([text for trace in chart["data"] for text in trace["text"]] for chart in session.charts())
    # A question mark per cell of the published box; then a chance on each cell that is left, nobody on the others.
    cells, left = len(release.grid.cells(shown.segment)), len(shown.free_cells)
    assert before.count("?") == cells
    assert sum(text.endswith("%") for text in after) == left
    assert after.count("nobody") == cells - left > 0
    assert f"{shown.size} people" in session.says("markdown")
    assert all(session.alts())
    # The same beside the pictures, for those who read rather than see them.
    table = session.at.dataframe[0].value
    assert list(table["Cell"]) == [
        release.grid.describe(release.grid.cell_segment(cell)) for cell in release.grid.cells(shown.segment)
    ]
    assert [text.split(":")[0] for text in table["What the attack leaves"]] == [
        text for text in after if text == "nobody" or text.endswith("%")
    ]
    # One box by itself tells less than all together, and says so.
    alone = len(tight_attack(release).isolated)
    assert f"All boxes together give away {alone} people for certain" in session.says("markdown")


def test_the_way_to_an_upload_opens_with_the_upload(session):
    session.press("start-upload")
    assert session.title == "Data"
    assert session.at.radio(key="data-from").value == "Upload a CSV file"
    assert [field.label for field in session.at.file_uploader] == ["CSV file"]
    # After an example too, which would stand there otherwise.
    session.open(START).press("start-toy").open(START).press("start-upload")
    assert session.at.radio(key="data-from").value == "Upload a CSV file"


@pytest.mark.parametrize("key", EXAMPLES)
def test_one_click_loads_an_example_and_goes_to_recode(session, key):
    session.press(f"start-{key}")
    assert session.title == "Recode"
    assert len(session.dataset.frame) == EXAMPLES[key]
    assert session.study == Study.from_toml(ROOT / "sample_data" / f"{key}.toml")
    assert session.dataset.note.startswith("Real" if key == "diabetes" else "Synthetic")


def test_the_button_on_top_opens_the_toy(session):
    session.press("start-at-once")
    assert session.title == "Recode"
    assert len(session.dataset.frame) == EXAMPLES["toy"]


def test_the_real_table_names_its_source_and_licence(session):
    assert session.says("caption").splitlines()[:4] == ["Synthetic", "Synthetic", "Synthetic", "Real"]
    told = session.at.button(key="start-diabetes").help
    # The Data page has it without pointing at anything.
    for where in (told, session.open(DATA).says("caption")):
        assert "Least Angle Regression" in where
        assert "BSD 3-Clause" in where


def test_coming_back_keeps_the_table(session):
    session.press("start-clinic").open(START)
    assert session.title == "CRA Explorer"
    assert session.dataset.name == "Clinic"


def test_a_broken_example_is_a_sentence(session, monkeypatch, tmp_path):
    monkeypatch.setattr("cra_dashboard.session.datasets.SAMPLES", tmp_path)
    session.press("start-clinic")
    assert session.title == "CRA Explorer"
    assert "clinic.csv cannot be read" in session.says("error")
    assert session.dataset is None
