"""What becomes of each column, which the page Data asks about: known to others, kept, sensitive, removed."""

import random
from collections import Counter

from visitor import helps


def test_days_in_a_table_none_of_whose_columns_is_proposed_as_known_to_others(uploading):
    days = [f"{1 + row * 7 % 28:02}.{1 + row * 5 % 12:02}.{1930 + row * 17 % 70}" for row in range(40)]
    lines = [f"{day};{'kl'[row % 2]};text {row % 7}" for row, day in enumerate(days)]
    page = uploading.upload("people.csv", "\n".join(["Merkmal A;Merkmal B;Merkmal C", *lines]).encode())
    assert "Which columns may others know of a person?" in page.says("markdown")
    page.fill("multiselect", "data-roles", ["Merkmal A"])
    assert page.study.names == ("Merkmal A",)


def test_where_no_column_looks_known_to_others_that_is_the_question(uploading):
    lines = [f"{1 + row % 28:02}.{1 + row % 12:02}.{1930 + row * 7 % 70};{'kl'[row % 2]}" for row in range(60)]
    uploading.upload("people.csv", "\n".join(["A;B", *lines]).encode())
    assert uploading.study is None
    assert "Question 1" in uploading.says("caption")
    assert "All questions are answered" not in uploading.says("markdown")
    assert "others, such as a colleague, neighbour or relative, know of a person" in uploading.says("markdown")
    assert uploading.at.button(key="data-first-known-A").proto.type == "primary"
    uploading.press("data-first-known-A")
    assert uploading.study.names == ("A",)


def test_a_ward_is_asked_about_as_known_to_others_and_a_single_kept_column_by_its_name(uploading):
    rows = "".join(f"{30 + i % 9},{'AB'[i % 2]},{i // 4 % 2}\n" for i in range(40))
    uploading.upload("people.csv", f"age,Station,arm\n{rows}".encode()).fill("multiselect", "data-roles", ["age"])
    assert uploading.at.button(key="data-known-Station").proto.type == "primary"
    assert "Check asks for a reason where this one is called so." in helps(uploading)  # however few are alone by it
    uploading.press("data-known-Station")
    assert uploading.at.button(key="data-take").label == "Keep arm"
    uploading.press("data-take-known")
    assert uploading.study.names == ("age", "Station", "arm")


def test_every_column_is_named_before_all_are_kept(uploading):
    draw = random.Random(2)
    rows = b"".join(b"%d" % (30 + i % 9) + b",%d" * 9 % (*draw.choices(range(2), k=9),) + b"\n" for i in range(40))
    names = [f"item {n}" for n in range(9)]
    uploading.upload("items.csv", b"age," + ",".join(names).encode() + b"\n" + rows)
    assert uploading.study.names == ("age",)
    said = uploading.says("markdown")
    assert "9 columns without a role" in said
    assert all(name in said for name in names)
    assert "and more" not in said
    assert uploading.at.button(key="data-take").label == "Keep 9 columns"
    uploading.press("data-take")
    assert uploading.study.roles.keep == tuple(names)
    # One change, which is taken back as one.
    assert len(uploading.at.session_state["cra_before"]) == 1


def test_what_happens_to_each_column_stands_beside_the_button_for_all(uploading):
    rows = "".join(
        f"{20 + i % 30};{i * 37 % 1000},{i % 7};{20_000 + i * 137};{i * 41 % 997},{i % 9}\n" for i in range(60)
    )
    uploading.upload("people.csv", ("age;ferritin;income;points\n" + rows).encode())
    said = "Advised: known to others, made coarser: income and points; as it stands: ferritin."
    assert said in uploading.says("caption")
    uploading.press("data-advised")
    assert set(uploading.study.names) == {"age", "income", "points"}
    assert uploading.study.roles.sensitive == uploading.study.roles.only_here == ("ferritin",)
    assert len(uploading.at.session_state["cra_before"]) == 1


def test_items_of_a_questionnaire_get_one_answer(uploading):
    items = [f"item{n}" for n in range(1, 9)]
    draw = random.Random(3)
    rows = [";".join([str(20 + n % 30), *(draw.choice("12345") for _ in items)]) for n in range(60)]
    uploading.upload("survey.csv", "\n".join([";".join(["age", *items]), *rows]).encode())
    (button,) = [one for one in uploading.at.button if one.key == "data-battery"]
    assert button.label == "All 8 alike, item1 to item8, are sensitive"
    uploading.press("data-battery")
    assert set(uploading.study.roles.sensitive) == set(items)


def test_scores_that_a_practice_takes_down_are_sensitive_as_a_laboratory_s_values(uploading):
    draw = random.Random(8)
    lines = [
        f"{1 + row % 28:02}.{1 + row % 12:02}.{1929 + row % 72};{'mw'[row % 2]};{draw.randrange(11)};"
        f"{draw.randrange(11)};{draw.choice(['I10', 'E11.9', 'F32.1'])}"
        for row in range(420)
    ]
    names = "Geburtsdatum;Geschlecht;Schmerz vorher;Schmerz nachher;Diagnose"
    uploading.upload("praxis.csv", "\n".join([names, *lines]).encode()).press("data-born-years-Geburtsdatum")
    assert uploading.study.names == ("Geschlecht", "Geburtsdatum")
    assert uploading.study.roles.sensitive == ("Schmerz vorher", "Schmerz nachher", "Diagnose")
    assert not [one.value for one in uploading.at.caption if one.value.startswith(("Question ", "One question"))]


def nameless():
    """An export without a line of names: birth, sex, postcode, ward, illness; nothing tells the last two."""
    wards, ills = ("Innere", "Chirurgie", "Urologie"), ("Gallensteine", "Bruch", "Grippe")
    draw = random.Random(5)
    lines = [
        f"{1 + row % 28:02}.{1 + row % 12:02}.{1930 + draw.randrange(70)};{draw.choice('mw')};"
        f"{67060 + draw.randrange(9)};{draw.choice(wards)};{draw.choice(ills)}"
        for row in range(60)
    ]
    return "\n".join(lines).encode()


def test_of_a_file_without_names_nothing_is_advised_to_be_kept(uploading):
    uploading.upload("export.csv", nameless()).at.button(key="data-names-take").click()
    uploading.run()
    assert set(uploading.study.names) == {"Geschlecht", "PLZ"}
    pressed = []
    while asked := [one.value for one in uploading.at.caption if one.value.startswith("Question ")]:
        primary = [one for one in uploading.at.button if one.proto.type == "primary" and one.key != "data-check"]
        assert not any(one.label.startswith("Keep") for one in primary), asked
        pressed.append(primary[0].key)
        uploading.press(pressed[-1])
    assert pressed == ["data-born-years-Geburtsdatum", "data-known-Spalte 4", "data-known-Spalte 5"]
    assert set(uploading.study.names) == {"Geburtsdatum", "Geschlecht", "PLZ", "Spalte 4", "Spalte 5"}


def test_a_column_that_nothing_tells_is_asked_about_with_its_cells(uploading):
    uploading.upload("export.csv", nameless()).at.button(key="data-names-take").click()
    uploading.run().press("data-born-years-Geburtsdatum")
    said = uploading.says("markdown")
    assert "nothing in its name or its cells says what it is" in said
    assert all(ward in said for ward in ("Innere", "Chirurgie", "Urologie"))
    assert "nothing identifying is seen" not in said
    assert "Not sure? Say that others may know it." in said
    told = helps(uploading)
    assert "Nobody is to learn it of a person from the table" in told
    assert "Check asks for a reason" not in told  # nothing tells that people are found by it


def test_the_question_on_a_column_and_the_table_of_columns_advise_the_same(uploading):
    """By itself each stay is shared by several; beside what others know it tells people apart."""
    draw = random.Random(5)
    lines = [f"{18 + draw.randrange(70)};{draw.choice('mw')};{1 + row % 21}" for row in range(320)]
    uploading.upload("klinik.csv", "\n".join(["Alter;Geschlecht;Liegedauer", *lines]).encode())
    assert uploading.at.button(key="data-known-Liegedauer").proto.type == "primary"
    (table,) = [frame.value for frame in uploading.at.dataframe if "proposed" in frame.value]
    told = table.set_index("column").loc["Liegedauer"]
    assert (told["proposed"], told["role"]) == ("quasi-identifier", "undecided")
    assert told["because"] in uploading.says("markdown")
    # What each answer does is said beside them.
    said = uploading.says("caption")
    assert all(f"{answer}: " in said for answer in ("Known", "Sensitive", "Keep"))
    promised = "Check asks for a reason where this one is called so, if more than 5.0 % of the people are alone by all "
    assert f"{promised}such columns together." in helps(uploading)
    assert "Others, such as a colleague, neighbour or relative, may know it" in helps(uploading)
    uploading.press("data-kept-Liegedauer")
    (table,) = [frame.value for frame in uploading.at.dataframe if "proposed" in frame.value]
    assert table.set_index("column").loc["Liegedauer", "role"] == "kept"


def test_a_column_whose_role_is_taken_back_may_have_any_role_and_undo_names_it(uploading):
    """And a name that ends with a point stands in a sentence that ends once."""
    lines = [f"{1000 + row};{20 + row % 30};{('F32.1', 'I10', 'E11.9')[row % 3]}" for row in range(60)]
    uploading.upload("reha.csv", "\n".join(["Pat.-Nr.;Alter;ICD-10", *lines]).encode())
    assert "Proposed for removal: Pat.-Nr." in uploading.says("success")
    assert "Nr.." not in uploading.says("success")
    assert uploading.study.roles.sensitive == ("ICD-10",)
    uploading.fill("multiselect", "data-sensitive", [])
    asked = {button.key for button in uploading.at.button}
    assert {"data-take", "data-take-known", "data-removed-ICD-10", "data-kept-ICD-10"} <= asked


def test_how_many_are_alone_if_others_know_a_column_stands_beside_its_answers(uploading):
    draw = random.Random(5)
    people = [(18 + draw.randrange(40), draw.choice("mw"), 1 + row % 21) for row in range(320)]
    lines = [";".join(map(str, one)) for one in people]
    uploading.upload("klinik.csv", "\n".join(["Alter;Geschlecht;Liegedauer", *lines]).encode())
    assert "data-sensitive-Liegedauer" in {button.key for button in uploading.at.button}
    with_it, without = (
        sum(number == 1 for number in Counter(one[:columns] for one in people).values()) for columns in (3, 2)
    )
    assert without < with_it < 320
    assert (
        f"Before groups are made, {without} of 320 people are alone by what others know; "
        f"with Liegedauer, too, {with_it}." in uploading.says("caption")
    )
    # So it is said where nothing identifying is seen in a column.
    uploading.upload("arm.csv", ("age,arm\n" + "30,1\n31,1\n" * 20 + "30,0\n").encode())
    assert "data-take" in {button.key for button in uploading.at.button}
    said = "Before groups are made, 0 of 41 people are alone by what others know; with arm, too, 1."
    assert said in uploading.says("caption")
