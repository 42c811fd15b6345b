"""Choosing a table: examples, synthetic tables, uploads good and bad, roles, problems, and forgetting."""

import gc
import weakref

import pytest
from publishing import CHECK
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from visitor import COSTS, DATA, HIERARCHIES, ROOT, START, SYNTHESIZE, UPLOAD, table

from cra_dashboard.session import decisions, state
from cra_dashboard.session.datasets import NO_LINE_OF_NAMES
from cra_engine import Study
from cra_engine.raw.synthesis import synthesize
from foreign_files import ods, parquet, xlsx

GOOD = b"age,weight,name\n" + b"".join(b"%d,%d.5,p%d\n" % (20 + 7 * i % 50, 50 + 11 * i % 60, i) for i in range(30))


PEOPLE = [["age", "weight"], *([20 + row * 7 % 50, 50 + row * 11 % 60] for row in range(30))]


@pytest.mark.parametrize(
    ("name", "content", "same"),
    [
        ("people.xlsx", xlsx(PEOPLE), [".xlsx"]),
        ("people.ods", ods(PEOPLE), []),
        (
            "people.parquet",
            parquet(dict(zip(PEOPLE[0], map(list, zip(*PEOPLE[1:], strict=True)), strict=True))),
            [".parquet"],
        ),
    ],
    ids=("xlsx", "ods", "parquet"),  # the files hold the time of day, and workers have to name a test alike
)
def test_a_file_of_another_program_is_read_and_its_release_offered_in_the_same_kind(uploading, name, content, same):
    uploading.upload(name, content)
    assert f"{name} is read: 30 records, 2 columns." in uploading.says("success")
    uploading.open("pages/recode.py")
    offered = {button.proto.label: button.proto for button in uploading.at.get("download_button")}
    assert [label for label in offered if label.startswith("The same as")] == [f"The same as {one}" for one in same]
    hint = "As CSV, since nothing writes .ods."
    assert (hint in offered["Published table (CSV)"].help) == (not same)


def test_before_there_is_a_table(data):
    assert data.title == "Data"
    assert "There is no table yet" in data.says("info")
    # Who comes with a table of their own finds its field first, and the examples below it.
    assert data.at.radio(key="data-from").options[0] == data.at.radio(key="data-from").value == UPLOAD
    assert [field.label for field in data.at.file_uploader] == ["File with the table"]
    assert "data-toy" in [button.key for button in data.at.button]
    for name in ("CSV", "Excel", "LibreOffice", "SPSS", "Stata", "SAS", "Parquet"):
        assert name in data.says("caption")
    assert not data.at.dataframe


def test_where_no_file_is_taken_the_examples_come_first(session, monkeypatch):
    monkeypatch.setenv("CRA_UPLOADS", "off")
    assert session.open(DATA).at.radio(key="data-from").value == "Open an example"


@pytest.mark.parametrize(("key", "records"), [("toy", 36), ("clinic", 500), ("hospitals", 1013), ("diabetes", 442)])
def test_every_example(data, key, records):
    data.press(f"data-{key}")
    assert data.title == "Data"
    study = Study.from_toml(ROOT / "sample_data" / f"{key}.toml")
    assert data.study == study
    assert data.at.multiselect(key="data-roles").value == list(study.names)
    roles = table(data, 0).set_index("column")["role"]
    assert set(roles[list(study.names)]) == {"quasi-identifier"}
    assert set(roles.drop(list(study.names))) <= {"undecided"}
    assert "No empty cells" in data.says("markdown")
    # A histogram of each column by choice, a quasi-identifier first, with its sentence.
    columns = data.at.selectbox(key="data-shown")
    assert columns.options == [
        *(name for name in roles.index if name in study.names),
        *columns.options[len(study.names) :],
    ]
    assert sorted(columns.options) == sorted(roles.index)
    for name in (columns.options[0], columns.options[-1]):
        (alt,) = data.fill("selectbox", "data-shown", name).alts()
        assert alt.startswith(f"Histogram of {name}: ")
    preview = table(data, -1)
    assert len(preview) == min(200, records)
    assert preview.index[0] == 1


def test_the_real_table_names_source_and_licence(data):
    data.press("data-diabetes")
    assert data.dataset.note.startswith("Real")
    assert "Least Angle Regression" in data.dataset.note
    assert "licence" in data.dataset.note


def test_a_synthetic_table(data):
    data.fill("radio", "data-from", SYNTHESIZE).fill("selectbox", "data-kind", "clinic")
    # The usual number stands there, and can be changed.
    assert data.at.number_input(key="data-records").value == 500
    data.fill("number_input", "data-records", 120).fill("number_input", "data-seed", 9)
    data.fill("slider", "data-correlation", 0.25).press("data-make")
    wanted = synthesize("clinic", 120, 9, correlation=0.25)
    assert data.dataset.frame.equals(wanted.data)
    assert data.study == wanted.study
    assert data.dataset.note == wanted.label
    assert "synthetic table is made" in data.says("success")
    # The settings are still there after a look at another page.
    data.open(START).open(DATA)
    assert data.at.number_input(key="data-records").value == 120
    assert data.at.selectbox(key="data-kind").value == "clinic"


def test_an_upload(uploading):
    uploading.upload("people.csv", GOOD)
    assert "people.csv is read: 30 records, 3 columns." in uploading.says("success")
    assert uploading.dataset.origin == "uploaded"
    assert uploading.study.names == ("age", "weight")
    assert uploading.study.k == 5
    overview = table(uploading, 0).set_index("column")
    assert overview.loc["name", "holds"] == "text"
    assert "holds text" in overview.loc["name", "why it cannot be a quasi-identifier"]
    assert overview.loc["age", "why it cannot be a quasi-identifier"] == ""
    # Text cannot even be chosen.
    assert uploading.at.multiselect(key="data-roles").options == ["age", "weight"]


NAMELESS = GOOD.split(b"\n", 1)[1].replace(b"20,50.5,p0", b"21,50.5,p3", 1)


def test_a_file_without_a_line_of_names_gets_them_in_place_and_nothing_is_shown_before(uploading):
    """Its first patient would go out as names."""
    uploading.upload("people.csv", NAMELESS)
    assert uploading.study is None
    assert "people.csv is read: 30 lines, 3 columns." in uploading.says("success")
    assert "looks like a person's" in uploading.says("markdown")
    assert not {"data-check", "data-roles"} & {one.key for one in (*uploading.at.button, *uploading.at.multiselect)}
    columns = [[line.split(",")[place] for line in NAMELESS.decode().splitlines()] for place in range(3)]
    told = [f"Column {place}: {', '.join(list(dict.fromkeys(cells))[:3])}" for place, cells in enumerate(columns, 1)]
    assert [field.label for field in uploading.at.text_input] == told
    assert [field.value for field in uploading.at.text_input] == ["column 1", "column 2", "column 3"]
    for page in ("check", "hierarchies", "recode", "compare"):
        uploading.open(f"pages/{page}.py")
        assert "Until that is said, nothing is shown of it" in uploading.says("warning"), page
        assert "publishable-start" not in {button.key for button in uploading.at.button}, page
    uploading.open(DATA)
    for place, name in enumerate(("age", "weight", "age")):
        uploading.at.text_input[place].set_value(name)
    uploading.press("data-names-take")
    assert "the column name 'age' appears twice" in uploading.says("error")
    for place, name in enumerate(("age", "weight", "name")):
        uploading.at.text_input[place].set_value(name)
    uploading.press("data-names-take")
    assert uploading.dataset.frame.iloc[0].tolist() == ["21", "50.5", "p3"]
    assert len(uploading.dataset.frame) == 30
    assert uploading.study.names == ("age", "weight")
    assert "what pages call row 7 is its line 7, in a spreadsheet, too." in uploading.says("success")
    # Another export of the same columns is given the same names.
    uploading.upload("later.csv", NAMELESS.replace(b"27,", b"28,"))
    assert [field.value for field in uploading.at.text_input] == ["age", "weight", "name"]


def test_names_that_look_like_a_persons_stay_names_where_somebody_says_so(uploading):
    uploading.upload("people.csv", NAMELESS).press("data-names-keep")
    assert list(uploading.dataset.frame.columns) == ["21", "50.5", "p3"]
    assert len(uploading.dataset.frame) == 29
    assert uploading.at.session_state["cra_rule"].names_meant
    uploading.open("pages/check.py")
    assert "like the values of a record" not in uploading.says("markdown", "error")


@pytest.mark.parametrize("first", [b"21,,p3", b"21,21,p3"])
def test_a_first_person_with_a_blank_or_with_equal_cells_is_no_line_of_names(uploading, first):
    uploading.upload("people.csv", NAMELESS.replace(b"21,50.5,p3", first, 1))
    assert len(uploading.at.text_input) == 3
    assert "data-names-keep" not in {button.key for button in uploading.at.button}
    uploading.press("data-names-take")
    assert uploading.dataset.frame.iloc[0].tolist() == first.decode().split(",")


@pytest.mark.parametrize(
    ("title", "said"),
    [
        ("Clinic export", "line 1 has one cell for 2 columns; if line 3 names the columns, delete the lines above it."),
        ("Clinic, export", "if a line further down names the columns, delete the lines above it; else complete"),
    ],
)
def test_names_below_a_title_are_a_sentence_and_no_table_of_one_column(uploading, title, said):
    uploading.upload("export.csv", "\n".join([title, "", "age;sex", *["34;m", "51;w"] * 9]).encode())
    assert said in uploading.says("error")
    assert uploading.dataset is None


def test_a_table_that_was_replaced_comes_back_by_one_button_until_something_is_decided(uploading):
    uploading.upload("people.csv", GOOD).fill("multiselect", "data-roles", ["weight"])
    before = uploading.dataset, uploading.study, uploading.at.session_state["cra_decisions"]
    uploading.upload("costs.csv", COSTS.encode())
    assert "It takes the place of people.csv" in uploading.says("success")
    uploading.press("data-back")
    assert (uploading.dataset, uploading.study, uploading.at.session_state["cra_decisions"]) == before
    assert uploading.at.button(key="data-back").label.replace("\\", "") == "Go back to costs.csv"
    told = "Only until the next answer or change: then no row of costs.csv stays here."
    assert told in uploading.says("caption")
    uploading.press("data-back").press("data-decimal-point")
    assert "data-back" not in {button.key for button in uploading.at.button}
    assert "Only until" not in uploading.says("caption")
    assert "cra_replaced" not in uploading.at.session_state


def test_another_file_of_the_same_name_is_not_told_as_if_it_were_about_itself(uploading):
    uploading.upload("people.csv", GOOD).upload("people.csv", GOOD + GOOD.splitlines(keepends=True)[-1])
    before, said = "the people.csv that was open before", uploading.says("success")
    assert f"It takes the place of {before}. Its columns are the same, so" in said
    assert f"then no row of {before} stays here." in uploading.says("caption")
    assert uploading.at.button(key="data-back").label.replace("\\", "") == f"Go back to {before}"


def test_what_came_of_a_file_is_said_until_the_first_answer_or_change(uploading):
    """What stands beside the number of records that are left must not be another number."""
    file = GOOD + GOOD.splitlines(keepends=True)[-1]
    uploading.upload("people.csv", file.replace(b"age", "größe".encode("cp1252")))
    assert "people.csv is read: 31 records" in uploading.says("success")
    uploading.press("data-repeated-out")
    assert "30 of 31 records" in uploading.says("markdown")
    assert not uploading.at.success
    # How the file was read is still to be found.
    assert "was read as Windows-1252" in uploading.says("caption")
    # The same file again says again what stays, and lets somebody begin anew, until something is decided.
    uploading.upload("people.csv", file.replace(b"age", "größe".encode("cp1252")))
    assert "the table you work on already" in uploading.says("success")
    assert "data-anew" in {button.key for button in uploading.at.button}
    uploading.fill("multiselect", "data-roles", ["weight"])
    assert not uploading.at.success
    assert "data-anew" not in {button.key for button in uploading.at.button}


def test_the_same_file_again_keeps_the_study(uploading):
    uploading.upload("people.csv", GOOD).fill("multiselect", "data-roles", ["weight"])
    study = uploading.study
    assert study.names == ("weight",)
    uploading.upload("copy.csv", GOOD)
    assert "the table you work on already" in uploading.says("success")
    assert uploading.study is study


OTHER_ROWS = GOOD.replace(b"31,", b"33,") + b"94,120,x\n"


def test_a_mended_file_keeps_what_was_decided_until_somebody_begins_anew(uploading):
    uploading.upload("people.csv", GOOD).fill("multiselect", "data-roles", ["weight"])
    noted = uploading.at.session_state["cra_decisions"][1]
    uploading.upload("mended.csv", OTHER_ROWS)
    said = uploading.says("success")
    assert "mended.csv is read: 31 records" in said
    assert "all that was decided stays" in said
    assert len(uploading.dataset.frame) == 31
    assert uploading.study.names == ("weight",)
    (weight,) = uploading.study.attributes
    assert weight.upper > 120, "proposed for the table that is there"
    assert uploading.at.session_state["cra_decisions"] == (uploading.dataset.file, noted)
    uploading.press("data-anew")
    assert uploading.study.names == ("age", "weight")
    assert all(button.key != "data-anew" for button in uploading.at.button)


def test_whoever_begins_anew_is_asked_everything_again_and_undo_takes_that_back_in_one_step(uploading, above):
    lines = [
        f"{20 + row % 30};{'mw'[row % 2]};{'unknown' if row == 9 else ('flu', 'gout')[row % 2]}" for row in range(60)
    ]
    lines[3], lines[4] = "212;W;flu", "x;m;flu"
    file = "\n".join(["age;sex;illness", *lines, lines[0]]).encode()
    uploading.upload("people.csv", file)

    def questions():
        return [one.value for one in uploading.at.caption if one.value.startswith("Question ")]

    asked, as_given, roles = questions(), uploading.dataset.frame, uploading.study.roles
    while questions():
        advised = [b.key for b in uploading.at.button if b.proto.type == "primary" and b.key != "data-check"]
        uploading.press(advised[0])
    answered = uploading.dataset, uploading.study, uploading.at.session_state["cra_decisions"]
    assert answered[0].read_as
    assert answered[0].left_out
    uploading.upload("people.csv", file).press("data-anew")
    now = uploading.dataset
    assert now.frame.equals(as_given)
    assert (now.read_as, now.left_out, uploading.study.roles) == ({}, {}, roles)
    assert not [one.label for one in uploading.at.expander if one.label.startswith("Decided")]
    assert questions() == asked
    undone = []
    uploading.open(CHECK)
    above(lambda: undone.append(decisions.last_change()), state.undo)
    assert undone == [f"asked again: {len(answered[2][1])} answers"]
    assert (uploading.dataset, uploading.study, uploading.at.session_state["cra_decisions"]) == answered


def test_coming_back_keeps_table_and_study(uploading):
    uploading.upload("people.csv", GOOD).fill("multiselect", "data-roles", ["weight"])
    kept = uploading.dataset, uploading.study
    uploading.open(HIERARCHIES).open(START).open(DATA)
    assert uploading.at.radio(key="data-from").value == UPLOAD
    assert (uploading.dataset, uploading.study) == kept


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("empty.csv", b"", "is empty"),
        ("blank.csv", b"\n\n", "is empty"),
        ("table.xlsx", b"PK\x03\x04" + bytes(40), "is no .xlsx file that can be read"),
        ("zipped.csv", b"PK\x03\x04" + bytes(40), "is an Excel or zip file"),
        ("binary.csv", b"a,b\n1,\x002\n", "is not text"),
        ("twice.csv", b"age,age\n1,2\n", "'age' appears twice"),
        ("unnamed.csv", b"age,\n1,2\n", "column 2 has no name"),
        ("short.csv", b"age,weight\n1,2\n3\n", "row 2"),
        ("header.csv", b"age,weight\n", "holds no record"),
    ],
)
@pytest.mark.parametrize("before", [False, True])
def test_a_bad_file_is_a_sentence(uploading, name, content, sentence, before):
    if before:
        uploading.upload("people.csv", GOOD)
    kept = uploading.dataset, uploading.study
    uploading.upload(name, content)
    assert name in uploading.says("error")
    assert sentence in uploading.says("error")
    assert (uploading.dataset, uploading.study) == kept
    assert ("You still work on people.csv" in uploading.says("error")) == before


def test_gaps_and_text_are_listed_with_their_rows(uploading):
    uploading.upload("gaps.csv", b"age,weight\n" + b"31,60\n" * 8 + b",70\nold,80\n44,\n")
    rows = table(uploading, 1)
    # Rows count from 1 below the header: eight good ones, then no age, an age in letters, no weight.
    assert rows[["column", "rows"]].to_numpy().tolist() == [
        ["age", "row 9 (10 in a spreadsheet)"],
        ["age", "row 10 (11 in a spreadsheet)"],
        ["weight", "row 11 (12 in a spreadsheet)"],
    ]
    assert "1 missing value" in rows["what"][0]
    assert "'old' in row 10" in rows["what"][1]
    assert "complete or remove" in rows["how to mend"][0]
    # Both are the only numbers there are, so they are proposed, and must be mended; while Data asks, nothing alarms.
    assert set(rows["stops the recoding"]) == {"yes"}
    assert "age: 1 cell" in uploading.says("markdown").replace("**", "")
    assert not uploading.at.error
    # Gaps are drawn, and said.
    assert "1 without a value" in uploading.alts()[0]


def test_problems_of_columns_that_are_kept_stop_nothing(uploading):
    good = b"".join(b"%d,%d,%s\n" % (20 + i, 50 + 3 * i % 40, b"" if i == 4 else b"%d" % i) for i in range(20))
    uploading.upload("kept.csv", b"age,weight,score\n" + good)
    assert "score" not in uploading.study.names
    rows = table(uploading, 1)
    assert rows[["column", "rows", "stops the recoding"]].to_numpy().tolist() == [
        ["score", "row 5 (6 in a spreadsheet)", "no"]
    ]
    assert not uploading.at.error


def test_values_outside_the_domain_are_listed(uploading):
    uploading.upload("people.csv", GOOD).open(HIERARCHIES)
    study = uploading.study
    oldest = uploading.dataset.frame["age"].astype(int)
    # Leaves of two years less, so that the oldest are outside.
    age = study.attributes[study.names.index("age")]
    upper = int(age.upper) - 2 * age.leaves
    uploading.fill("text_input", "hierarchy-upper-age", str(upper)).open(DATA)
    assert uploading.study != study
    rows = table(uploading, 1)
    (row,) = rows.to_dict("records")
    outside = [position + 1 for position, age in enumerate(oldest) if age >= upper]
    assert len(outside) > 1
    assert row["column"] == "age"
    lines = ", ".join(str(number + 1) for number in outside)
    assert row["rows"] == f"rows {', '.join(map(str, outside[:-1]))} and {outside[-1]} ({lines} in a spreadsheet)"
    assert f"{len(outside)} values outside the domain" in row["what"]
    assert row["stops the recoding"] == "yes"


def test_a_table_of_text_alone(uploading):
    uploading.upload("names.csv", b"name,town\nAnn,Oslo\nBen,Rome\n")
    assert uploading.study is None
    assert "No column of this table holds numbers" in uploading.says("warning")
    assert uploading.alts() == ["Histogram of name: 2 values, the highest bar, Ann, holds 1."]
    uploading.open(HIERARCHIES)
    assert "No column is a quasi-identifier yet" in uploading.says("info")


def test_roles_change_the_study(data):
    data.press("data-diabetes")
    before = {attribute.name: attribute for attribute in data.study.attributes}
    data.fill("multiselect", "data-roles", ["age", "bp", "s6"])
    # Those that stay keep their hierarchy; the new one gets a proposal that covers it (58 to 124).
    assert data.study.names == ("age", "bp", "s6")
    assert data.study.attributes[:2] == (before["age"], before["bp"])
    assert data.study.attributes[2].lower <= 58
    assert data.study.attributes[2].upper > 124


def test_the_last_quasi_identifier_stays(data):
    data.press("data-toy").fill("multiselect", "data-roles", ["age"])
    study = data.study
    data.fill("multiselect", "data-roles", [])
    assert data.study == study
    assert data.at.multiselect(key="data-roles").value == ["age"]
    # Which other one is asked; it takes this one's place, and one Undo brings it back.
    assert "**age** is the only column that others know, and one is needed." in data.says("markdown")
    data.press("data-instead-last")
    assert "is the only column that others know" not in data.says("markdown")
    data.fill("multiselect", "data-roles", []).press("data-instead-weight")
    assert data.study.names == ("weight",)
    assert data.study.roles.of("age") == "undecided"
    assert len(data.at.session_state["cra_before"]) == 2


def test_the_only_column_that_can_be_known_stays(uploading):
    uploading.upload("people.csv", b"age;text\n" + b"".join(b"%d;text no. %d\n" % (20 + n, n) for n in range(40)))
    uploading.fill("multiselect", "data-roles", [])
    assert uploading.study.names == ("age",)
    assert "At least one column that others know is needed" in uploading.says("warning")


def test_the_only_known_column_is_asked_about_anew_where_its_answer_is_listed(uploading):
    lines = [f"{1 + row % 28:02}.{1 + row % 12:02}.{1930 + row * 7 % 70};{'kl'[row % 2]}" for row in range(60)]
    uploading.upload("people.csv", "\n".join(["A;B", *lines]).encode()).press("data-first-known-A")
    (place,) = [
        n for n, one in enumerate(uploading.at.session_state["cra_decisions"][1]) if one.what.startswith("A is")
    ]
    uploading.press(f"data-again-{place}").press("data-instead-B")
    assert uploading.study.names == ("B",)


HEADLESS = "".join(f"{20 + n % 40};{'mw'[n % 2]};{('Bonn', 'Kiel')[n // 2 % 2]}\n" for n in range(50))


def test_once_columns_are_named_the_way_back_leads_where_it_led_while_they_were_asked_for(uploading):
    uploading.upload("people.csv", GOOD).fill("multiselect", "data-roles", ["weight"])
    before = uploading.dataset, uploading.study

    def back():
        return uploading.at.button(key="data-back").label.replace("\\", "")

    uploading.upload("headless.csv", HEADLESS.encode())
    assert back() == "Go back to people.csv"
    uploading.press("data-names-take")
    assert not uploading.dataset.first_line
    assert back() == "Go back to people.csv"
    uploading.press("data-back")
    assert (uploading.dataset, uploading.study) == before
    # Of the same file: to the columns as they were, with all that was decided about them.
    uploading.press("data-names-anew").press("data-names-take")
    assert back() == "Go back to the columns as they were"
    uploading.press("data-back")
    assert (uploading.dataset, uploading.study) == before


def test_a_first_line_that_was_taken_for_names_becomes_a_row_and_names_are_changed(uploading):
    """Its only cell that is a number looks like a name, and so does any text that is in no other row."""
    file = ("Alter ab 17;divers;Ulm\n" + HEADLESS).encode()
    uploading.upload("people.csv", file)
    assert list(uploading.dataset.frame.columns) == ["Alter ab 17", "divers", "Ulm"]
    before = uploading.dataset.digest, uploading.study
    uploading.press("data-names-anew")
    assert "Is the first line of people.csv a person's? Then say what the columns are called." in uploading.says(
        "markdown"
    )
    uploading.press("data-names-keep")
    assert (uploading.dataset.digest, uploading.study) == before
    assert not uploading.at.session_state["cra_rule"].names_meant
    uploading.press("data-names-anew")
    assert uploading.at.button(key="data-back").label == "Go back to the columns as they were"
    uploading.press("data-back")
    assert (uploading.dataset.digest, uploading.study) == before
    uploading.press("data-names-anew")
    for place, name in enumerate(("age", "sexx", "town")):
        uploading.at.text_input[place].set_value(name)
    uploading.press("data-names-take")
    assert uploading.dataset.frame.iloc[0].tolist() == ["Alter ab 17", "divers", "Ulm"]
    assert len(uploading.dataset.frame) == 51
    # A name that was mistyped is changed as well, and nothing is read twice.
    uploading.press("data-names-anew")
    assert [field.value for field in uploading.at.text_input] == ["age", "sexx", "town"]
    uploading.at.text_input[1].set_value("sex")
    uploading.press("data-names-take")
    assert list(uploading.dataset.frame.columns) == ["age", "sex", "town"]
    assert len(uploading.dataset.frame) == 51
    assert uploading.dataset.notes.count(NO_LINE_OF_NAMES) == 1
    # The same file has these names when it comes again.
    uploading.upload("costs.csv", COSTS.encode()).upload("people.csv", file)
    assert list(uploading.dataset.frame.columns) == ["age", "sex", "town"]
    # A file that says itself what its columns are called has no such line.
    uploading.upload("people.parquet", parquet({"age": [20, 30] * 9, "weight": [70, 80] * 9}))
    assert "data-names-anew" not in {one.key for one in uploading.at.button}


def test_names_with_signs_of_markdown(uploading):
    uploading.upload("a_*b*.csv", b"a*b*,c_d\n" + b"".join(b"%d,%d\n" % (i, i * i) for i in range(12)))
    # Nobody says that others may know any of them, so none is proposed and the page asks.
    assert uploading.study is None
    assert "Which columns may others know of a person?" in uploading.says("markdown")
    uploading.fill("multiselect", "data-roles", ["c_d"])
    assert uploading.study.names == ("c_d",)
    said = [element.value for element in uploading.at.markdown]
    assert any(text.startswith(r"**a\_\*b\*.csv\: 12 records") for text in said)
    uploading.fill("selectbox", "data-shown", "a*b*")
    assert any(element.value.startswith(r"**a\*b\*** · ") for element in uploading.at.markdown)


def test_forgetting_drops_the_table(uploading):
    uploading.upload("people.csv", GOOD)
    frame = weakref.ref(uploading.dataset.frame)
    # Every page has had the table in its hands.
    for page in (HIERARCHIES, "pages/recode.py", "pages/attack.py", "pages/single_out.py", "pages/check.py", DATA):
        uploading.open(page)
    assert frame() is not None
    uploading.press("data-forget")
    assert uploading.dataset is None
    assert uploading.study is None
    assert "There is no table yet" in uploading.says("info")
    assert "Your data is forgotten" in uploading.says("success")
    gc.collect()
    assert frame() is None


def test_the_bytes_of_an_upload_are_dropped_at_once(monkeypatch, session):
    managers = []

    class Watched(MemoryUploadedFileManager):
        def __init__(self, endpoint):
            super().__init__(endpoint)
            self.seen = 0
            managers.append(self)

        def add_file(self, session_id, file):
            self.seen += len(file.data)
            super().add_file(session_id, file)

    monkeypatch.setattr("streamlit.testing.v1.local_script_runner.MemoryUploadedFileManager", Watched)
    session.open(DATA).fill("radio", "data-from", UPLOAD).upload("people.csv", GOOD).run()
    assert sum(manager.seen for manager in managers) == len(GOOD)
    assert not any(manager.file_storage[key] for manager in managers for key in list(manager.file_storage))


# ---------------------------------------------------------------- numbers in two readings, and what was left out


def test_a_decimal_comma_that_is_clear_is_read_without_a_question(uploading):
    uploading.upload("clear.csv", COSTS.replace("1,0", "1,7").encode() + b"p;0,5;20\n")
    assert not uploading.at.warning
    assert table(uploading, 0).set_index("column")["smallest"]["cost"] == "0.5"
    assert table(uploading, -1)["cost"].tolist()[:2] == [1.71, 1.711]


def test_what_is_no_record_or_guessed_is_told(uploading):
    uploading.upload("gaps.csv", "größe;b\n1;2\n\n3;4\n".encode("cp1252"))
    told = uploading.says("success")
    assert "gaps.csv is read: 2 records, 2 columns." in told
    assert "read as Windows-1252" in told
    assert "1 blank line of gaps.csv (the first after row 1) held no record" in told


HOSTILE = [
    "<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "**x** $y$ :red[z]", "[a](javascript:b)", "=1+1",
    "\u202eabc", "\u05e9\u05dc\u05d5\u05dd", "a\nb", "\U0001f600", "  ", "'\"", "{{ x }}",
]  # fmt: skip


def test_html_and_script_in_names_and_cells_stay_text(uploading):
    names = [name if name.strip() == name else "blank" for name in HOSTILE]
    rows = [",".join('"' + cell.replace('"', '""') + '"' for cell in line) for line in (names, HOSTILE, HOSTILE)]
    numbers = [",".join(str(7 * row % 13 + position) for position in range(len(names))) for row in range(30)]
    uploading.upload("<b>x</b>.csv", "\n".join([*rows[:1], *numbers]).encode())
    assert uploading.title == "Data"
    assert not any(element.allow_html for element in uploading.at.markdown)
    assert "<b>x</b>.csv is read: 30 records" in uploading.says("success")
    overview = next(frame.value for frame in uploading.at.dataframe if "column" in frame.value)
    assert list(overview["column"]) == names
    for figure in uploading.charts():  # Plotly takes a few tags for layout: none may come from a name
        assert "<script" not in str(figure)
        assert "<img" not in str(figure)
    for page in (HIERARCHIES, "pages/recode.py", "pages/attack.py", "pages/single_out.py"):
        uploading.open(page)
        assert not any(element.allow_html for element in uploading.at.markdown)
    uploading.open(DATA).fill("radio", "data-from", UPLOAD)
    uploading.upload("cells.csv", "\n".join(["n," + rows[0], *(f"{row}," + rows[1] for row in range(9))]).encode())
    assert "10 lines" in uploading.says("success")


@pytest.mark.parametrize("between", ["another file", "an example"])
def test_what_was_decided_about_a_table_stays_when_another_one_stood_between(uploading, between):
    uploading.upload("people.csv", GOOD).fill("multiselect", "data-roles", ["weight"])
    noted = uploading.at.session_state["cra_decisions"][1]
    if between == "an example":
        uploading.fill("radio", "data-from", "Open an example").press("data-toy")
        uploading.fill("radio", "data-from", UPLOAD)
    else:
        uploading.upload("costs.csv", COSTS.encode())
    assert uploading.study.names != ("weight",)
    uploading.upload("mended.csv", OTHER_ROWS)
    assert "It has the columns of people.csv, so all that was decided stays." in uploading.says("success")
    assert uploading.study.names == ("weight",)
    assert uploading.at.session_state["cra_decisions"] == (uploading.dataset.file, noted)
    # Of a table that gave way no row stays.
    assert not any(len(left.data.frame) for left in uploading.at.session_state["cra_left"].values())
