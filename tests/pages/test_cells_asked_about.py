"""Cells that can be read in several ways, which the page Data asks about: numbers, dates, spellings."""

import pytest
from from_a_clinic import clinic
from visitor import COSTS, DATA, table


def test_numbers_that_can_be_read_in_two_ways_are_asked_about(uploading):
    uploading.upload("costs.csv", COSTS.encode())
    assert "The numbers in cost can be read in two ways" in uploading.says("markdown").replace("**", "")
    assert uploading.study.names == ("age",)
    labels = [
        button.label.replace("\\", "") for button in uploading.at.button if button.key.startswith("data-decimal-")
    ]
    assert labels == ["A comma: 1,010 is 1.01", "A point: 1,010 is 1010"]
    uploading.press("data-decimal-point")
    assert not uploading.at.warning
    overview = table(uploading, 0).set_index("column")
    assert (overview["smallest"]["cost"], overview["largest"]["cost"]) == ("1010", "1039")
    # Published as it is, it stands as it was written; its numbers count where it is a quasi-identifier.
    uploading.press("data-kept-cost").at.switch_page("pages/recode.py")
    assert uploading.run().at.get("download_button")
    rows = uploading.at.session_state["cra_results"]["release-csv"][1].splitlines()[1:]  # in random order
    assert "1,010" in {row.split(";")[0] for row in rows}
    uploading.open(DATA).fill("multiselect", "data-roles", ["cost", "age"])
    assert set(uploading.study.names) == {"cost", "age"}
    uploading.at.switch_page("pages/recode.py")
    assert "1,010" not in uploading.run().at.session_state["cra_results"]["release-csv"][1]


def test_decimals_that_somebody_told_stay_told_of_the_same_file(uploading):
    uploading.upload("costs.csv", COSTS.encode()).press("data-decimal-point")
    kept = uploading.dataset.digest, uploading.study
    uploading.upload("costs.csv", COSTS.encode())
    assert "the table you work on already" in uploading.says("success")
    assert (uploading.dataset.digest, uploading.study) == kept


@pytest.mark.parametrize(
    ("other", "ways"),
    [(["12/08/2024"], ["12 August 2024", "8 December 2024"]), (["12/08/2024", "25/08/2024"], ["12 August 2024"])],
)
def test_dates_written_in_two_ways_are_asked_about_with_a_cell_of_each(uploading, other, ways):
    uploading.upload("klinik.csv", clinic([f"{28 - n % 28:02d}.{1 + n % 12:02d}.2023" for n in range(118)] + other))
    assert "written otherwise, such as “12/08/2024”; the rest is like “28.01.2023”" in uploading.says("markdown")
    named = [b.label for b in uploading.at.button if (b.key or "").startswith("data-misfits-day")]
    assert named == [f"12/08/2024 is {day}" for day in ways]
    assert not uploading.at.error
    uploading.press(f"data-misfits-day-{len(ways) - 1}")
    assert set(uploading.dataset.frame["Aufnahme"]) >= {"2024-12-08" if len(ways) > 1 else "2024-08-12", "28.01.2023"}
    assert not [button for button in uploading.at.button if (button.key or "").startswith("data-misfits")]


def messy():
    days = [f"{1 + row % 28:02d}.{1 + row % 12:02d}.{1940 + row % 40}" for row in range(60)]
    days[6], days[40] = "soon", "31.02.1960x"
    sexes = ["w", "m"] * 30
    sexes[3] = sexes[5] = "W"
    sexes[9] = "weiblich"
    rows = [f"{day};{sex};{20 + row % 50}" for row, (day, sex) in enumerate(zip(days, sexes, strict=True))]
    return "\n".join(["visited;sex;age", *rows]).encode()


def test_cells_that_are_no_dates_are_left_out_or_missing_by_a_button(uploading):
    uploading.upload("visits.csv", messy()).fill("multiselect", "data-roles", ["visited", "age"])
    assert "visited: 2 cells that cannot be read" in uploading.says("markdown").replace("**", "")
    assert uploading.at.selectbox(key="data-shown").value == "visited"
    assert not uploading.at.error
    uploading.press("data-misfits-out")
    assert uploading.at.selectbox(key="data-shown").value == "sex"  # the next question is of it
    uploading.fill("selectbox", "data-shown", "age")
    assert uploading.at.selectbox(key="data-shown").value == "age"  # whoever looks at another one may
    assert not uploading.at.error
    assert {one.name: one.missing for one in uploading.study.attributes}["visited"] == "leave-out"
    page_rows = (
        [row for row in table(uploading, 1)["what"] if "no date" in row] if len(uploading.at.dataframe) > 1 else []
    )
    assert page_rows == []
    uploading.open("pages/recode.py")
    assert "58" in uploading.says("markdown", "caption", "info", "success", "warning")


def test_missing_ones_are_asked_about_like_any_gap(uploading):
    uploading.upload("visits.csv", messy()).fill("multiselect", "data-roles", ["visited", "age"])
    uploading.press("data-misfits-missing").press("data-alike-merge")
    uploading.press("data-known-sex")
    assert "visited has 2 missing values" in uploading.says("markdown").replace("**", "")


def test_spellings_of_one_value_are_merged_by_a_button_only(uploading):
    uploading.upload("visits.csv", messy()).press("data-misfits-out")
    assert "W and weiblich as w" in uploading.says("markdown")
    assert set(uploading.dataset.frame["sex"]) == {"w", "m", "W", "weiblich"}
    uploading.press("data-alike-merge")
    assert set(uploading.dataset.frame["sex"]) == {"w", "m"}
    assert "W and weiblich as w" not in uploading.says("markdown")
    assert any("3 cells read as other spellings" in one.what for one in uploading.at.session_state["cra_decisions"][1])


def test_spellings_that_stay_apart_are_not_asked_about_again(uploading):
    uploading.upload("visits.csv", messy()).press("data-misfits-out").press("data-alike-apart")
    assert set(uploading.dataset.frame["sex"]) == {"w", "m", "W", "weiblich"}
    assert not [button for button in uploading.at.button if button.key == "data-alike-merge"]
