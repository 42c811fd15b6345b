"""The first page: what it says, and one click to each example."""

from collections import Counter

import pytest
from visitor import DATA, ROOT, START

from cra_engine import Study, attack, read_table, recode, tight_attack
from cra_engine.words import spoken

EXAMPLES = {"toy": 36, "ward": 36, "clinic": 500, "hospitals": 1013, "diabetes": 442}


def test_it_says_what_it_is_and_keeps_data_private(session):
    assert session.title == "CRA Explorer"
    assert "Combinatorial Refinement Attack" in session.says("markdown")
    assert "stays in the memory of this session" in session.says("markdown")


def texts_of(chart):
    """What can be read in a drawing."""
    boxes = [text for box in chart["outlines"] for text in (box["label"], box["people"])]
    return [text for text in [text for _, _, _, text, *_ in chart["tiles"]] + boxes if text]


def everything_that_can_be_read(session):
    """All words on the page and in its pictures, their summaries and tables, and what is read out of them."""
    tables = [frame.value.to_csv() for frame in session.at.dataframe]
    return "\n".join([session.says("markdown"), *session.alts(), *map(repr, session.charts()), *tables])


def test_the_first_picture_asks_before_it_tells(session):
    """A class looks at the boxes first: nothing of the solution is on the page, by whatever way it is read."""
    session.at.session_state["start-folded-0"] = session.at.session_state["start-folded-1"] = True
    session.run()
    asked, before = everything_that_can_be_read(session), session.charts()
    assert len(before) == 2
    assert "tell where a single person is?" in asked
    assert [tile[3] for tile in before[1]["tiles"]] == ["?"] * 16
    for solution in ("for certain", "certain", "alone", "exactly", "nobody", "of this box alone", "%"):
        assert solution not in asked, solution
    session.press("start-show")
    after = session.charts()
    assert "**2 people stand alone, for certain.**" in everything_that_can_be_read(session)
    # Nothing moves: the same grid with the same boxes in the same size, and the published boxes as they were.
    assert after[0] == before[0]
    assert [after[1][part] for part in ("across", "upwards", "outlines", "height")] == [
        before[1][part] for part in ("across", "upwards", "outlines", "height")
    ]
    assert "start-show" not in [button.key for button in session.at.button]
    session.open(DATA).open(START)
    assert "**2 people stand alone, for certain.**" in session.says("markdown")


def test_the_first_numbers_are_the_strongest_true_ones(session):
    """What all boxes together make certain is shown as certain; chances of one box show when they are asked for."""
    folder = ROOT / "sample_data"
    raw = read_table(folder / "toy.csv")
    release = recode(raw, Study.from_toml(folder / "toy.toml")).release
    together = tight_attack(release)
    before, after = map(texts_of, session.press("start-show").charts())
    numbers = list(map(str, range(len(release.classes))))
    assert sorted(before) == sorted([*(f"{one.size} people" for one in release.classes), *numbers])
    # By the raw table: what is called certain is so. Squares of 20 years by 20 kilograms from (20, 40) on.
    true = Counter(
        ((int(age) - 20) // 20, (int(weight) - 40) // 20) for age, weight in zip(raw.age, raw.weight, strict=True)
    )
    assert all(true[cell] == held for cell, held in together.fixed_cells.items())
    assert sum(true[cell] == 1 for cell in together.fixed_cells) == len(together.isolated) == 2
    assert all(view.lowest <= true[view.cell] <= view.highest for view in together.cells)
    told = [str(v.lowest) if v.fixed else f"{v.lowest}\N{EN DASH}{v.highest}" for v in together.cells]
    assert len(told) == 16
    assert sorted(after) == sorted(told + numbers)
    said = session.says("markdown")
    assert "**2 people stand alone, for certain.** In 11 of 16 cells the number of people is certain." in said
    assert "%" not in "".join(after) + said
    assert all(session.alts())


def test_the_pictures_as_a_table_and_one_box_by_itself_when_asked(session):
    folder = ROOT / "sample_data"
    release = recode(read_table(folder / "toy.csv"), Study.from_toml(folder / "toy.toml")).release
    together, grid = tight_attack(release), release.grid
    shown = max(attack(release).classes, key=lambda part: part.lr_solutions / part.cra_solutions)
    session.at.session_state["start-folded-0"] = session.at.session_state["start-folded-1"] = True
    session.press("start-show")
    table = session.at.dataframe[0].value
    cells = grid.cells(grid.whole)
    assert list(table["Cell"]) == [spoken(grid.describe(grid.cell_segment(cell))) for cell in cells]
    assert [told != "not certain" for told in table["What the attack finds"]] == [
        cell in together.fixed_cells for cell in cells
    ]
    alone = texts_of(session.charts()[2])
    left = len(shown.free_cells)
    assert sum(text.endswith(" %") for text in alone) == left
    assert alone.count("✕") == len(grid.cells(shown.segment)) - left > 0
    assert "of this box alone" in session.says("markdown")


def test_who_publishes_a_table_finds_the_way_in_first(session):
    (first, *others) = [button for button in session.at.button if button.key and button.key.startswith("start-")]
    assert (first.key, first.label, first.proto.type) == ("start-upload", "May my table go out?", "primary")
    assert "start-story" in [button.key for button in others if button.proto.type == "primary"]


def test_the_way_to_an_upload_opens_with_the_upload(session):
    session.press("start-upload")
    assert session.title == "Data"
    assert session.at.radio(key="data-from").value == "Upload a table"
    assert [field.label for field in session.at.file_uploader] == ["File with the table"]
    # After an example too, which would stand there otherwise.
    session.open(START).press("start-toy").open(START).press("start-upload")
    assert session.at.radio(key="data-from").value == "Upload a table"


def test_who_teaches_comes_to_what_there_is_for_a_class_opened(session):
    assert "All handouts" not in [one.proto.label for one in session.open("pages/lessons.py").at.get("download_button")]
    session.open(START).press("start-teachers")
    assert session.title == "Lessons"
    assert "All handouts" in [one.proto.label for one in session.at.get("download_button")]


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
    assert session.says("caption").splitlines()[:5] == ["Synthetic"] * 4 + ["Real"]
    for where in (session, session.open(DATA)):
        told = next(caption.help for caption in where.at.caption if caption.value == "Real")
        assert "Least Angle Regression" in told
        assert "BSD 3-Clause" in told


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
