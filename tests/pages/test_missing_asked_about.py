"""Missing values that the page Data asks about, each answer with its price; words that mean that nobody knows."""

import pytest
from from_a_clinic import clinic
from visitor import DATA, HIERARCHIES, helps

from cra_engine import Rule
from cra_engine.publishable.space import Space


def test_a_sensitive_column_that_is_mostly_empty_is_advised_to_go(uploading):
    rows = [f"{20 + i % 30},{('pos', 'neg')[i // 20 % 2] if i % 20 == 0 else ''}" for i in range(80)]
    uploading.upload("people.csv", "\n".join(["age,HIV", *rows]).encode())
    uploading.at.multiselect(key="data-sensitive").set_value(["HIV"])
    uploading.run()
    advised = uploading.at.button(key="data-sensitive-gaps-0")
    assert (advised.label, advised.proto.type) == ("Remove HIV", "primary")
    uploading.press("data-sensitive-gaps-0")
    assert uploading.study.roles.remove == ("HIV",)


@pytest.mark.parametrize(
    ("answer", "rows", "diverse", "noted"),
    [
        (0, 58, True, "left out, with illness missing: rows 4 and 14 (5, 15 in a spreadsheet)"),
        (1, 60, True, "illness: missing values are “NA”"),
        (2, 60, False, "illness: missing values of a sensitive column go out empty"),
    ],
)
def test_missing_values_of_a_sensitive_column_are_asked_about_with_their_price(uploading, answer, rows, diverse, noted):
    cells = {3: "", 13: "NA"}
    lines = [f"{20 + i % 30},{cells.get(i, ('flu', 'gout', 'cold')[i % 3])}" for i in range(60)]
    uploading.upload("people.csv", "\n".join(["age,illness", *lines]).encode())
    uploading.at.multiselect(key="data-sensitive").set_value(["illness"])
    uploading.run()
    while "data-unknown-missing" in {button.key for button in uploading.at.button}:
        uploading.press("data-unknown-missing")
    assert "**illness** is sensitive and has 2 missing values" in uploading.says("markdown")
    uploading.press(f"data-sensitive-gaps-{answer}")
    assert not any(button.key.startswith("data-sensitive-gaps") for button in uploading.at.button)
    assert noted in [one.what for one in uploading.at.session_state["cra_decisions"][1]]
    assert len(uploading.dataset.frame) == rows
    frame, study = uploading.dataset.frame, uploading.study
    assert [str(one) for one in Space.of(frame, study, Rule()).privacy] == ["distinct 2-diversity of illness"] * diverse


def test_a_price_counts_the_rows_that_are_left_out_more(uploading):
    """Rows 1, 2 go for their age; of those asked about later, row 2 is out already."""
    lines = [f"{20 + row % 30},{50 + row % 9},{('flu', 'gout', 'cold')[row % 3]}" for row in range(60)]
    lines[:3] = ["old,50,flu", "young,heavy,", ",light,cold"]
    lines[3:5] = ["24,,", "25,51,"]
    uploading.upload("people.csv", "\n".join(["age,weight,illness", *lines]).encode())
    uploading.fill("multiselect", "data-roles", ["age", "weight"]).fill("multiselect", "data-sensitive", ["illness"])

    def label(key):
        return uploading.at.button(key=key).label

    assert label("data-misfits-out") == "Leave 3 rows out"
    assert "1 row where age is empty is left out, or missing, with them." in uploading.says("caption")
    uploading.press("data-misfits-out")
    # Of weight two cells cannot be read and one is missing: rows 2, 3 and 4, of which row 4 is in.
    assert label("data-misfits-out") == "Leave 1 more row out"
    uploading.press("data-misfits-out")
    assert "**illness** is sensitive and has 1 missing value." in uploading.says("markdown")
    assert label("data-sensitive-gaps-0") == "Leave 1 row out"
    assert "the table lacks 1 of the 56 records that are left" in uploading.says("caption")
    uploading.press("data-sensitive-gaps-0")
    assert "55 of 60" in uploading.says("markdown")


def test_of_rows_that_are_out_already_no_number_is_told(uploading):
    lines = ["old,heavy,flu", *(f"{20 + row % 30},{50 + row % 9},{('flu', 'gout')[row % 2]}" for row in range(60))]
    uploading.upload("people.csv", "\n".join(["age,weight,illness", *lines]).encode())
    uploading.fill("multiselect", "data-roles", ["age", "weight"]).press("data-misfits-out")
    assert uploading.at.button(key="data-misfits-out").label == "Leave the row out, as already"


def test_what_leaving_rows_out_costs_does_not_count_those_that_are_out_already(uploading):
    lines = [
        f"{'' if i in (3, 7) else 20 + i % 30},{'' if i in (3, 13) else ('flu', 'gout')[i % 2]}" for i in range(60)
    ]
    uploading.upload("people.csv", "\n".join(["age,illness", *lines]).encode())
    uploading.at.multiselect(key="data-sensitive").set_value(["illness"])
    uploading.run().press("data-missing-leave-out-age")
    assert "the table lacks 1 of the 58 records that are left" in uploading.says("caption")


def test_words_that_say_that_nobody_knows_are_one_thing_with_empty_cells_by_one_button(uploading):
    uploading.upload("klinik.csv", clinic(["17.04.2023", "05.11.2024"]))
    said = uploading.says("markdown").replace("**", "")
    both = "stands in 4 cells of Familienstand and 4 of Diagnose"
    assert f"“unbekannt” {both}; “k.A.” {both}. Are these missing values?" in said
    said = uploading.says("caption")
    assert "Advised: they count as empty cells: 24 missing values in 20 rows" in said
    assert "What the table shows there is asked next" in helps(uploading)
    assert "The table shows the word, a group of its own like any value" in said
    uploading.press("data-unknown-missing")
    assert set(uploading.dataset.frame["Diagnose"]) == {"Grippe", "Asthma", "Migräne", ""}
    assert "data-unknown-missing" not in [button.key for button in uploading.at.button]
    # What becomes of them where others know them is one question, as of any gap.
    assert "Familienstand has 12 missing values" in uploading.says("markdown").replace("**", "")
    assert uploading.at.session_state["cra_before"]


def test_words_that_mean_different_things_get_an_answer_each(uploading):
    uploading.upload("klinik.csv", clinic(["17.04.2023"])).press("data-unknown-values-unbekannt")
    # The other word is asked about alone, and what was said of the first holds.
    said = uploading.says("markdown").replace("**", "")
    assert "“k.A.” stands in 4 cells of Familienstand and 4 of Diagnose." in said
    assert "Each word by itself" not in [fold.label for fold in uploading.at.expander]
    uploading.press("data-unknown-missing")
    assert set(uploading.dataset.frame["Diagnose"]) == {"Grippe", "Asthma", "Migräne", "unbekannt", ""}
    assert "Are these missing values" not in uploading.says("markdown")


def test_the_picture_of_a_column_counts_a_word_as_it_was_decided(uploading):
    lines = [f"{20 + row % 30},{'NULL' if row % 12 == 0 else 'AB'[row % 2]}" for row in range(60)]
    uploading.upload("wards.csv", "\n".join(["age,ward", *lines]).encode())

    def told():
        uploading.fill("selectbox", "data-shown", "ward")
        (bars,) = [one.value[["values", "records"]] for one in uploading.at.dataframe if "records" in one.value]
        (summary,) = [one.value for one in uploading.at.markdown if one.value.startswith("**ward** ·")]
        problems = [one.label for one in uploading.at.expander if one.label.startswith("Problems")]
        return dict(bars.to_numpy().tolist()), "5 missing values" in summary, problems

    bars, missing, problems = told()
    assert (bars, missing) == ({"B": 30, "A": 25, "none": 5}, True)
    assert problems != ["Problems: none"]
    uploading.press("data-unknown-values")
    assert told() == ({"B": 30, "A": 25, "NULL": 5}, False, ["Problems: none"])


def test_problems_are_counted_once_the_questions_on_them_are_answered(uploading):
    """A number beside open questions reads as so many faults on top of them."""
    lines = [f"{'' if row % 20 == 0 else f'{20 + row % 30},5'};{row % 2}" for row in range(60)]
    uploading.upload("people.csv", "\n".join(["age;arm", *lines]).encode())

    def fold():
        (label,) = [one.label for one in uploading.at.expander if one.label.startswith("Problems")]
        (rows,) = [len(one.value) for one in uploading.at.dataframe if "how to mend" in one.value]
        return label, rows

    assert fold() == ("Problems, and what was read how", 2)  # no age in 3 rows, a decimal comma in the rest
    uploading.press("data-missing-leave-out-age").press("data-take")
    assert "All questions are answered" in uploading.says("markdown")
    assert fold() == ("Problems, and what was read how: 1", 1)


def test_words_that_stay_values_are_not_asked_about_again(uploading):
    """Neither as words nor, where their column is sensitive, as missing values; groups have to be diverse by them."""
    uploading.upload("klinik.csv", clinic(["17.04.2023"])).press("data-unknown-values")
    assert "unbekannt" in set(uploading.dataset.frame["Diagnose"])
    uploading.fill("multiselect", "data-sensitive", ["Diagnose"])
    while "data-sensitive-gaps-0" not in {button.key for button in uploading.at.button}:
        uploading.press(next(button.key for button in uploading.at.button if button.proto.type == "primary"))
    assert "data-unknown-missing" not in [button.key for button in uploading.at.button]
    # Four cells are empty, and eight more hold a word.
    assert "**Diagnose** is sensitive and has 4 missing values" in uploading.says("markdown")
    uploading.press("data-sensitive-gaps-0")
    frame, study = uploading.dataset.frame, uploading.study
    assert study.roles.as_values == ("unbekannt", "k.A.")
    assert "distinct 2-diversity of Diagnose" in [str(one) for one in Space.of(frame, study, Rule()).privacy]


def test_a_word_for_nothing_is_asked_about_with_its_cells_of_every_column(uploading):
    """Among postal codes it is missing whatever is answered; both columns are told, and what is noted counts alike."""
    lines = [
        f"{20 + n % 40};{'unbekannt' if n % 30 == 3 else 'mw'[n % 2]};{'unbekannt' if n % 60 == 5 else 68000 + n % 9}"
        for n in range(120)
    ]
    uploading.upload("klinik.csv", "\n".join(["Alter;Geschlecht;PLZ", *lines]).encode())
    said = uploading.says("markdown").replace("**", "")
    assert "“unbekannt” stands in 4 cells of Geschlecht and 2 of PLZ. Are these missing values?" in said
    assert "In PLZ it is missing either way" in uploading.says("caption")
    assert "6 missing values in 6 rows" in uploading.says("caption")
    uploading.press("data-unknown-missing")
    assert "Geschlecht: 4 cells read as missing" in [one.what for one in uploading.at.session_state["cra_decisions"][1]]
    assert "Geschlecht and PLZ have 6 missing values" in uploading.says("markdown").replace("**", "")


def test_of_codes_that_are_spelled_like_a_word_for_nothing_nothing_is_asked(uploading):
    """Karlsruhe among plates; beside the sexes the same letters are asked about."""
    lines = [
        f"{20 + n % 40};{('KA', 'HD', 'MA', 'S', 'PF')[n % 5]};{'KA' if n % 20 == 3 else 'mw'[n % 2]}"
        for n in range(120)
    ]
    uploading.upload("klinik.csv", "\n".join(["Alter;Kreis;Geschlecht", *lines]).encode())
    said = uploading.says("markdown").replace("**", "")
    assert "“KA” stands in 6 cells of Geschlecht. Are these missing values?" in said


def test_a_word_spelled_with_blanks_is_asked_about_in_a_sensitive_column_of_numbers(uploading):
    """And is no sensitive value then, of which every group would have to show different ones."""
    lines = [f"{20 + row % 30};{'n. b.' if row % 6 == 0 else row % 5}" for row in range(60)]
    uploading.upload("reha.csv", "\n".join(["Alter;Pflegegrad", *lines]).encode())
    said = "“n. b.” stands in 10 cells of **Pflegegrad**. Are these missing values?"
    assert said in uploading.says("markdown")
    uploading.press("data-unknown-missing")
    assert "**Pflegegrad** is sensitive and has 10 missing values. What becomes of them?" in uploading.says("markdown")


@pytest.mark.parametrize("first", ["edited", "answered"])
def test_a_hierarchy_of_a_persons_own_holds_a_question_mark_that_is_a_value_too(session, first):
    """Recode refuses a table that has values which its hierarchy lacks."""
    lines = [f"{20 + row % 30};{'?' if row % 10 == 3 else 'AB'[row % 2]};{row % 7}" for row in range(60)]
    page = session.open(DATA).fill("radio", "data-from", "Upload a table")
    page.upload("people.csv", "\n".join(["age;ward;visits", *lines]).encode())

    def edit():
        page.open(HIERARCHIES).fill("selectbox", "hierarchy-shown", "ward")
        page.upload("wards.csv", b"A;A or B;*\nB;A or B;*\n", "Use a file for ward")

    if first == "edited":
        edit()
    page.open(DATA).press("data-unknown-values")
    if first == "answered":
        edit()
    ward = page.study.attributes[page.study.names.index("ward")]
    assert [row for row in ward.rows if row[0] == "?"] == [("?", "?", "*")]
    assert ("A", "A or B", "*") in ward.rows
    page.open("pages/recode.py")
    assert not page.at.error
    assert page.at.session_state["cra_study"] == page.study


def test_a_question_mark_that_others_know_is_a_value_where_a_person_says_so_and_asked_about_again_by_change(uploading):
    lines = [f"{20 + row % 30};{'?' if row % 10 == 3 else 'AB'[row % 2]};{row % 7}" for row in range(60)]
    uploading.upload("people.csv", "\n".join(["age;ward;visits", *lines]).encode())

    def listed():
        return set(uploading.study.attributes[uploading.study.names.index("ward")].reader.listed)

    assert "“?” stands in 6 cells of **ward**. Are these missing values?" in uploading.says("markdown")
    assert listed() == {"A", "B"}
    uploading.press("data-unknown-values")
    assert listed() == {"A", "B", "?"}
    assert "missing" not in uploading.says("markdown")
    (place,) = [n for n, one in enumerate(uploading.at.session_state["cra_decisions"][1]) if "“?” stays" in one.what]
    uploading.press(f"data-again-{place}")
    assert "“?” stands in 6 cells of **ward**. Are these missing values?" in uploading.says("markdown")
    assert listed() == {"A", "B"}
    uploading.press("data-unknown-missing")
    uploading.press(next(button.key for button in uploading.at.button if button.proto.type == "primary"))
    assert "**ward** has 6 missing values: “?” (6). What becomes of them?" in uploading.says("markdown")


def test_missing_values_of_a_sensitive_column_are_called_as_its_file_calls_them(uploading):
    """A word of the file's own language; a word that is none there would stand among German ones."""
    cells = {3: "", 13: "k.A.", 23: "k.A.", 33: "unbekannt"}
    lines = [f"{20 + i % 30};{cells.get(i, ('Grippe', 'Asthma', 'Bruch')[i % 3])}" for i in range(60)]
    uploading.upload("klinik.csv", "\n".join(["Alter;Diagnose", *lines]).encode()).press("data-unknown-missing")
    assert uploading.at.button(key="data-sensitive-gaps-1").label.replace("\\", "") == "Call them “k.A.”"
    assert "the table shows “k.A.” there" in uploading.says("caption")
    uploading.press("data-sensitive-gaps-1")
    assert set(uploading.dataset.frame["Diagnose"]) == {"Grippe", "Asthma", "Bruch", "k.A."}
    assert (uploading.dataset.frame["Diagnose"] == "k.A.").sum() == 4
    assert "All questions are answered" in uploading.says("markdown")
    frame, study = uploading.dataset.frame, uploading.study
    assert study.roles.as_values == ("k.A.",)
    assert "distinct 2-diversity of Diagnose" in [str(one) for one in Space.of(frame, study, Rule()).privacy]
    # Asked again, all is as the file has it, and no word is a value.
    noted = [one.what for one in uploading.at.session_state["cra_decisions"][1]]
    uploading.press(f"data-again-{noted.index('Diagnose: missing values are “k.A.”')}")
    assert set(uploading.dataset.frame["Diagnose"]) == {"Grippe", "Asthma", "Bruch", "k.A.", "unbekannt", ""}
    assert uploading.study.roles.as_values == ()
    assert "data-unknown-missing" in {button.key for button in uploading.at.button}


def test_missing_values_are_named_the_commonest_first_and_a_slip_is_no_word_for_missing(uploading):
    ages = {3: "178", 11: "", 17: "", 23: "", 31: "NULL"}
    lines = [f"{ages.get(row, 20 + row % 30)},{row % 2}" for row in range(60)]
    uploading.upload("people.csv", "\n".join(["Alter,arm", *lines]).encode())
    uploading.press("data-ages-missing")
    told = "**Alter** has 5 missing values: 3 empty cells, “NULL” (1) and 1 value that you called missing."
    assert told in uploading.says("markdown")


def test_missing_values_are_counted_as_the_file_has_them_after_words_were_read_as_missing(uploading):
    words = {0: "NULL", 5: "k.A.", 9: "NULL", 14: "", 20: "k.A.", 33: "NULL"}
    weights = {2: "NULL", 7: "", 41: "NULL"}
    lines = [
        f"{20 + row % 30},{words.get(row, ('Maler', 'Koch', 'Arzt')[row % 3])},{weights.get(row, 60 + row % 20)}"
        for row in range(60)
    ]
    uploading.upload("people.csv", "\n".join(["Alter,Beruf,Gewicht", *lines]).encode())
    uploading.fill("multiselect", "data-roles", ["Alter", "Beruf", "Gewicht"])
    uploading.press("data-unknown-missing")
    said = uploading.says("markdown").replace("**", "")
    assert "Beruf and Gewicht have 9 missing values: “NULL” (5), “k.A.” (2) and 2 empty cells." in said


@pytest.mark.parametrize("answered", [False, True])
def test_a_file_of_the_same_columns_says_that_decisions_stay_where_there_are_some(uploading, answered):
    lines = [f"{20 + row % 30},{row % 2}" for row in range(60)]
    uploading.upload("people.csv", "\n".join(["age,arm", *lines]).encode())
    if answered:
        uploading.press("data-kept-arm")
    uploading.upload("more.csv", "\n".join(["age,arm", *lines, "33,1"]).encode())
    stays = "all that was decided stays" if answered else "roles and groups stay as they were"
    assert f"It takes the place of people.csv. Its columns are the same, so {stays}." in uploading.says("success")
