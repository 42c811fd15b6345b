"""Hierarchies, k and profile: what applies, what is refused and says so, what the data are held against."""

import math

import pytest
from visitor import DATA, HIERARCHIES, START

from cra_dashboard.session import state
from cra_engine import Attribute, Study

AGES = b"age,weight\n" + b"".join(b"%d,%d\n" % (20 + 7 * i % 50, 50 + 11 * i % 60) for i in range(40))


STUDY_FILE = "Study file (TOML), with the hierarchy files that it names"


def field(name, setting):
    return f"hierarchy-{setting}-{name}"


def show(session, name):
    """Choose the quasi-identifier whose hierarchy is shown."""
    return session.fill("selectbox", "hierarchy-shown", name)


@pytest.fixture
def toy(session):
    """The toy: age in [20, 100[ and weight in [40, 120[, three layers each, k = 3, 36 records."""
    return session.open(DATA).press("data-toy").open(HIERARCHIES)


def give(session, frame, study):
    """Put a table and a study into the session, whatever way they may have come."""
    session.at.session_state["cra_dataset"] = state.make_dataset("given", "Given.", "uploaded", frame)
    session.at.session_state["cra_study"] = study
    return session.open(HIERARCHIES)


@pytest.mark.parametrize("key", ["toy", "clinic", "hospitals", "diabetes"])
def test_every_example(session, key):
    session.open(DATA).press(f"data-{key}").open(HIERARCHIES)
    study, records = session.study, len(session.dataset.frame)
    cells = math.prod(attribute.fanout ** (attribute.layers - 1) for attribute in study.attributes)
    states = math.prod(attribute.layers for attribute in study.attributes)
    assert f"{records:,} records · {cells:,} cells · {states:,} states" in session.says("markdown")
    assert not session.at.error
    # The tree of the quasi-identifier that is chosen; its root holds everybody.
    assert session.at.selectbox(key="hierarchy-shown").options == list(study.names)
    for name in study.names:
        show(session, name)
        assert f"The domain covers all {records:,} values" in session.says("markdown")
        (chart,) = session.charts()
        assert f"{records:,}\nall, shown as *" in [tile[3] for tile in chart["tiles"]]
        assert session.alts()[0].startswith(f"Hierarchy of {name}: ")


def test_what_is_changed_is_shown(toy):
    assert toy.alts()[0].startswith("Hierarchy of age: 3 layers")
    toy.fill("number_input", field("weight", "layers"), 4)
    assert toy.alts()[0].startswith("Hierarchy of weight: 4 layers")


def test_what_is_amiss_elsewhere_is_said(toy):
    show(toy.fill("text_input", field("age", "upper"), "80"), "weight")
    assert "Column 'age': " in toy.says("error")
    assert "outside the domain [20, 80[" in toy.says("error")


def test_a_valid_change_applies(toy):
    toy.fill("number_input", field("age", "layers"), 2)
    assert toy.study.attributes[0] == Attribute("age", 20, 100, 2, unit="years")
    assert toy.study.attributes[1].layers == 3
    # 2 x 4 leaves, 2 x 3 layers.
    assert "36 records · 8 cells · 6 states" in toy.says("markdown")
    assert not toy.at.error


def test_a_setting_that_does_not_divide_is_refused_and_mended(toy):
    before = toy.study
    # 80 values in 3^2 = 9 leaves: no. The next that does is 81.
    toy.fill("number_input", field("age", "fanout"), 3)
    assert "80 values cannot be split into 9 equal leaves" in toy.says("error")
    assert "The last valid setting stays in use: domain [20, 100[ in steps of 1, 3 layers, fanout 2." in toy.says(
        "markdown"
    )
    assert toy.study == before
    # The refused setting is still in its field, and so is the sentence after a look at another page.
    toy.open(START).open(HIERARCHIES)
    assert toy.at.number_input(key=field("age", "fanout")).value == 3
    assert "80 values cannot be split" in toy.says("error")
    toy.press("hierarchy-mend-age")
    assert toy.study.attributes[0] == Attribute("age", 20, 101, 3, fanout=3, unit="years")
    assert toy.at.text_input(key=field("age", "upper")).value == "101"
    assert not toy.at.error


@pytest.mark.parametrize(
    ("setting", "text", "sentence"),
    [
        ("lower", "twenty", "lower is 'twenty'; give a number"),
        ("upper", "100,5", "upper is '100,5'; write decimals with a point"),
        ("upper", "20", "upper 20 is not above lower 20"),
        ("resolution", "0", "give a number above 0"),
        ("resolution", "", "resolution is ''"),
        ("lower", "NaN", "finite number"),
        ("upper", "1e400", "more than 15 digits"),
    ],
)
def test_what_is_no_setting_is_a_sentence(toy, setting, text, sentence):
    before = toy.study
    toy.fill("text_input", field("age", setting), text)
    assert sentence in toy.says("error")
    assert "stays in use" in toy.says("markdown")
    assert toy.study == before
    # The other quasi-identifier can be changed meanwhile.
    show(toy, "weight").fill("text_input", field("weight", "unit"), "stone")
    assert toy.study.attributes == (before.attributes[0], Attribute("weight", 40, 120, 3, unit="stone"))
    assert sentence in toy.says("error")


def test_values_that_the_domain_does_not_cover_are_named(toy):
    ages = toy.dataset.frame["age"].astype(int)
    toy.fill("text_input", field("age", "upper"), "80")
    outside = [(position + 1, age) for position, age in enumerate(ages) if age >= 80]
    assert outside
    sentence = f"{len(outside)} values outside the domain [20, 80[: {outside[0][1]} in row {outside[0][0]}"
    assert sentence in toy.says("error")
    assert toy.at.dataframe[0].value.to_numpy().tolist() == [[row, str(age)] for row, age in outside]
    # It is valid all the same, so it applies; recoding is what waits.
    assert toy.study.attributes[0].upper == 80
    toy.open("pages/recode.py")
    assert "outside the domain" in toy.says("error")


def test_values_finer_than_the_resolution_are_a_warning(session):
    session.open(DATA).press("data-clinic").open(HIERARCHIES)
    session.fill("text_input", field("weight", "resolution"), "1")
    assert "finer than the resolution 1" in session.says("warning")
    assert not session.at.error


def test_k(toy):
    toy.fill("number_input", "hierarchy-k", 7)
    assert toy.study.k == 7
    toy.fill("number_input", "hierarchy-k", 37)
    assert "k = 37 is more than the 36 records of the table" in toy.says("error")
    assert "k = 7 stays in use" in toy.says("error")
    assert toy.study.k == 7
    toy.fill("number_input", "hierarchy-k", 36)
    assert toy.study.k == 36
    assert not toy.at.error
    assert (toy.at.number_input(key="hierarchy-k").min, toy.at.number_input(key="hierarchy-k").max) == (2, 1_000_000)


def test_the_profile(toy):
    radio = toy.at.radio(key="hierarchy-profile")
    assert radio.value == "paper"
    toy.fill("radio", "hierarchy-profile", "arx-gui")
    assert toy.study.profile == "arx-gui"
    toy.open(START).open(HIERARCHIES)
    assert toy.at.radio(key="hierarchy-profile").value == "arx-gui"


def test_what_nothing_draws_or_attacks_is_said_before_anything_runs(session):
    session.open(DATA).press("data-hospitals").open(HIERARCHIES)
    for name in session.study.names[1:]:
        show(session, name)
        for setting, value in (("lower", "0"), ("upper", "4.096")):
            session.fill("text_input", field(name, setting), value)
        session.fill("number_input", field(name, "layers"), 9)
    # 4 leaves for the first, 256 for each of the others: 4 x 256^3 = 67,108,864 cells.
    assert [attribute.leaves for attribute in session.study.attributes] == [4, 256, 256, 256]
    assert "More than 4,000,000 cells" in session.says("warning")
    assert "recoding" not in session.at.session_state.get("cra_results", {})


def test_the_study_follows_what_comes_from_elsewhere(toy):
    toy.fill("text_input", field("age", "upper"), "nonsense")
    # Another table has another study: fields and refusals are its own.
    toy.open(DATA).press("data-diabetes").open(HIERARCHIES)
    assert toy.at.text_input(key=field("age", "upper")).value == "90"
    assert toy.at.number_input(key="hierarchy-k").value == 5
    assert not toy.at.error


def test_a_study_file_goes_down_and_up(toy):
    toy.fill("number_input", "hierarchy-k", 4).fill("number_input", field("age", "layers"), 2)
    wanted = toy.study
    assert "Download study.toml" in [button.label for button in toy.at.get("download_button")]
    # Back to the example's own study, then up again with the file.
    toy.open(DATA).press("data-toy").open(HIERARCHIES)
    assert toy.study != wanted
    toy.upload("mine.toml", wanted.to_toml_text().encode(), STUDY_FILE)
    assert toy.study == wanted
    assert "The study is read" in toy.says("success")
    assert toy.at.number_input(key="hierarchy-k").value == 4
    assert toy.at.number_input(key=field("age", "layers")).value == 2


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"k = ", "is not valid TOML"),
        (b"\xff\xfe\x00", "is not UTF-8 text"),
        (b"", "'k' is missing"),
        (
            Study([Attribute("height", 0, 256, 3)], 3).to_toml_text().encode(),
            "names 'height', a column that Toy does not",
        ),
        (Study([Attribute("age", 0, 128, 3)], 40).to_toml_text().encode(), "k = 40 is more than the 36 records"),
        (b'k = 1\n[[attribute]]\nname = "age"\nlower = 0\nupper = 128\nlayers = 3\n', "k is 1"),
    ],
)
def test_a_bad_study_file_is_a_sentence(toy, content, sentence):
    before = toy.study
    toy.upload("mine.toml", content, STUDY_FILE)
    assert "mine.toml" in toy.says("error") or "k is 1" in toy.says("error")
    assert sentence in toy.says("error")
    assert "The study stays as it was." in toy.says("error")
    assert toy.study == before


def test_what_the_data_suggest(session):
    session.open(DATA).fill("radio", "data-from", "Upload a table").upload("ages.csv", AGES).open(HIERARCHIES)
    proposed = session.study.attributes[0]
    assert "The data run from 20 to 69" in session.says("markdown")
    assert session.at.button(key="hierarchy-propose-age").disabled
    # A lower end that the four leaves divide, so that it applies.
    session.fill("text_input", field("age", "lower"), str(proposed.lower - 4)).fill(
        "text_input", field("age", "unit"), "years"
    )
    assert session.study.attributes[0].lower == proposed.lower - 4
    session.press("hierarchy-propose-age")
    # Everything is as proposed again, but for the unit, which the data cannot know.
    lower, upper, layers = proposed.lower, proposed.upper, proposed.layers
    assert session.study.attributes[0] == Attribute("age", lower, upper, layers, unit="years")


def test_more_than_k_records_were_never_there(session, toy):
    frame = toy.dataset.frame.head(2)
    give(session, frame, toy.study)
    assert "k = 3 is more than the 2 records" in session.says("error")
    assert len(session.charts()) == 1


def test_a_study_of_another_table(session, toy):
    give(session, toy.dataset.frame[["age"]], toy.study)
    assert "has no column 'weight'" in session.says("error")
    assert len(session.charts()) == 1


def test_no_study(session, toy):
    give(session, toy.dataset.frame, None)
    assert "No column is a quasi-identifier yet" in session.says("info")
    assert not session.charts()


@pytest.mark.parametrize(
    "attributes",
    [
        [Attribute("age", 0, 100, 1)],
        [Attribute("age", 0, 100, 1), Attribute("weight", 0, 128, 1)],
        [Attribute("age", 0, 4096, 12)],
    ],
)
def test_one_layer_and_very_many(session, toy, attributes):
    give(session, toy.dataset.frame, Study(attributes, 60))
    # From a file: shown as it is, and refused for 36 records.
    assert session.at.number_input(key="hierarchy-k").value == 60
    assert "k = 60 is more than the 36 records" in session.says("error")
    for attribute in attributes:
        assert show(session, attribute.name).alts()[0].startswith(f"Hierarchy of {attribute.name}: ")


# ---------------------------------------------------------------- hierarchies from ARX files

PEOPLE = b"age,town,sex\n" + b"".join(
    b"%d,%s,%d\n" % (20 + i, (b"Oslo", b"Rome", b"Bern", b"Oslo")[i % 4], 1 + i % 2) for i in range(24)
)
TOWNS = b"Oslo;north;*\nBern;south;*\nRome;south;*\n"
MORE = "Another column, with an ARX hierarchy file"


@pytest.fixture
def people(session):
    session.open(DATA).fill("radio", "data-from", "Upload a table").upload("people.csv", PEOPLE)
    return session.fill("multiselect", "data-roles", ["age"]).open(HIERARCHIES)


def test_text_becomes_a_quasi_identifier_by_a_file(people):
    people.fill("selectbox", "hierarchy-column", "town").upload("towns.csv", TOWNS, "ARX hierarchy file")
    assert "towns.csv is the hierarchy of town now." in people.says("success")
    assert people.study.names == ("age", "town")
    # 24 people: every second one is from Oslo, every fourth from Rome or Bern.
    assert "The domain covers all 24 values" in people.says("markdown")
    assert "Listed values, as in an ARX hierarchy file: 3 values in 3 layers." in people.says("markdown")
    table = people.at.dataframe[-1].value
    towns = [["Oslo", 12], ["Bern", 6], ["Rome", 6]]
    regions = [["*", 24], ["north", 12], ["south", 12]]
    assert table[["interval", "records"]].to_numpy().tolist() == [*regions, *towns]
    # Each town is shown by six people or more, so ARX's level 0 is proposed; it can be hidden.
    people.fill("selectbox", "hierarchy-finest-town", 1)
    assert people.study.attributes[1].finest == 1
    table = people.at.dataframe[-1].value
    assert table[["interval", "records"]].to_numpy().tolist() == regions
    assert "Proposed: the values themselves, since each of the 3 values is shown by 6 records" in people.says("caption")
    # The Data page knows, and lets it be given up again.
    people.open(DATA)
    assert people.at.multiselect(key="data-roles").value == ["age", "town"]
    overview = people.at.dataframe[0].value.set_index("column")
    assert overview.loc["town", "role"] == "quasi-identifier"
    people.fill("multiselect", "data-roles", ["age"])
    assert people.study.names == ("age",)


def test_a_layer_has_one_number_in_the_picture_the_field_and_the_groups(people):
    people.fill("selectbox", "hierarchy-column", "town").upload("towns.csv", TOWNS, "ARX hierarchy file")
    people.fill("selectbox", "hierarchy-shown", "town")

    def called():
        (field,) = [one for one in people.at.selectbox if one.key == "hierarchy-group-layer-town"]
        (chart,) = people.charts()
        return list(field.options), chart["upwards"]["labels"], len(people.study.attributes[1].layer_nodes)

    # Towns, regions, the root. Published by themselves the towns are layer 1, else what lies below it.
    assert "town: layer 1 holds" in [one.label for one in people.at.selectbox]
    assert called() == (["Layer 1: single values", "Layer 2"], ["layer 1", "layer 2", "layer 3"], 3)
    people.fill("selectbox", "hierarchy-finest-town", 1)
    assert called() == (["Layer 0: single values, not published", "Layer 1"], ["layer 1", "layer 2"], 2)
    helped = [one.help for one in people.at.selectbox if one.label == "town: layer 1 holds"]
    assert "layer 0" in helped[0]


def test_a_file_of_values_and_a_root_hides_nothing_unless_somebody_says_so(people):
    people.fill("selectbox", "hierarchy-column", "town")
    people.upload("towns.csv", b"Oslo;*\nRome;*\nBern;*\n", "ARX hierarchy file")
    assert "Nothing of this column" not in people.says("warning")
    assert [node.label for node in people.study.attributes[1].layer_nodes[0]] == ["Oslo", "Rome", "Bern"]
    people.fill("selectbox", "hierarchy-finest-town", 1)
    assert "Nothing of this column can be published" in people.says("warning")
    people.open("pages/recode.py")
    assert "Column 'town' is published as '*' in every row" in people.says("warning")


def test_near_unique_values_of_a_file_are_hidden_and_it_is_said(people):
    rows = "".join(f"{age};{'young' if age < 45 else 'old'};*\n" for age in range(120)).encode()
    people.upload("ages.csv", rows, "Use a file for age")
    assert people.study.attributes[0].finest == 1
    assert "Its values are not shown by themselves: " in people.says("success")


def test_what_becomes_of_missing_values_is_chosen(people):
    people.fill("selectbox", "hierarchy-missing-age", "category")
    assert people.study.attributes[0].missing == "category"
    people.fill("text_input", field("age", "unit"), "years")
    assert (people.study.attributes[0].missing, people.study.attributes[0].unit) == ("category", "years")


def test_values_that_a_file_does_not_list_are_named(people):
    people.fill("selectbox", "hierarchy-column", "town")
    people.upload("towns.csv", TOWNS.replace(b"Rome", b"Roma"), "ARX hierarchy file")
    assert "6 values not listed in its hierarchy: 'Rome' in row 2" in people.says("error")


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "towns.csv is empty"),
        (b"Oslo\nRome\n", "has a single column"),
        (b"Oslo;north;*\nRome;south\n", "towns.csv, row 2"),
        (b"Oslo;north;*\nRome;south;all\n", "no single root"),
        (b"PK\x03\x04" + bytes(40), "Excel or zip"),
    ],
)
def test_a_bad_hierarchy_file_is_a_sentence(people, content, sentence):
    before = people.study
    people.fill("selectbox", "hierarchy-column", "town").upload("towns.csv", content, "ARX hierarchy file")
    assert sentence in people.says("error")
    assert "Nothing has changed." in people.says("error")
    assert people.study == before


def test_a_file_for_a_column_of_numbers_and_back(people):
    before = people.study.attributes[0]
    lines = "".join(f"{age};[20, 32[;*\n" if age < 32 else f"{age};[32, 44[;*\n" for age in range(20, 44))
    people.upload("ages.csv", lines.encode(), "Use a file for age")
    assert "ages.csv is the hierarchy of age now." in people.says("success")
    assert [node.label for node in people.study.attributes[0].layer_nodes[0]] == ["[20, 32[", "[32, 44["]
    assert people.at.dataframe[0].value["records"].tolist() == [24, 12, 12]
    people.press("hierarchy-propose-age")
    assert people.study.attributes[0] == before
    assert people.at.text_input(key=field("age", "lower")).value == "20"


def test_a_study_with_files_goes_down_and_up(people):
    people.fill("selectbox", "hierarchy-column", "town").upload("towns.csv", TOWNS, "ARX hierarchy file")
    wanted = people.study
    labels = [button.label for button in people.at.get("download_button")]
    # That of the hierarchy which is shown; the study, with the file that it names.
    assert labels == ["Download town.csv", "Download study.toml", "Download town.csv"]
    assert "It names town.csv" in people.says("caption")
    people.open(DATA).fill("multiselect", "data-roles", ["age"]).open(HIERARCHIES)
    files = {"study.toml": wanted.to_toml_text().encode()}
    people.upload_all(files, STUDY_FILE)
    assert "names the hierarchy file 'town.csv'; upload it together with the study" in people.says("error")
    people.upload_all(files | {"town.csv": TOWNS}, STUDY_FILE)
    assert people.study == wanted
    people.upload_all({"town.csv": TOWNS}, STUDY_FILE)
    assert "0 of these files end in .toml" in people.says("error")
    assert people.study == wanted


def test_a_share_of_its_own(toy):
    toy.upload("s.toml", Study(toy.study.attributes, 3, 0.05).to_toml_text().encode(), STUDY_FILE)
    assert toy.at.radio(key="hierarchy-profile").options[-1] == "With its own share"
    toy.fill("number_input", "hierarchy-k", 4)
    assert toy.study == Study(toy.study.attributes, 4, 0.05)
    toy.fill("radio", "hierarchy-profile", "paper")
    assert toy.study.profile == "paper"


def test_a_first_hierarchy_for_a_table_of_text(session):
    session.open(DATA).fill("radio", "data-from", "Upload a table")
    session.upload("towns.csv", b"town,name\n" + b"Oslo,a\nRome,b\nBern,c\nOslo,d\n").open(HIERARCHIES)
    session.upload("h.csv", TOWNS, "ARX hierarchy file")
    assert session.study.names == ("town",)
    assert session.study.k == 4
    assert "The domain covers all 4 values" in session.says("markdown")


def test_rows_that_are_left_out_are_no_values_that_are_published(session):
    page = session.open(DATA).fill("radio", "data-from", "Upload a table")
    page.upload("gaps.csv", b"age,weight\n" + b"31,60\n44,70\n" * 6 + b",70\n")
    page.press("data-missing-leave-out-age")
    assert "gaps.csv: 12 of 13 records" in page.says("markdown")
    page.open(HIERARCHIES)
    assert "The domain covers all 12 values that are published; 1 row is left out." in page.says("markdown")
    assert "12 of 13 records · " in page.says("markdown")
    page.fill("selectbox", "hierarchy-shown", "weight")
    (nodes,) = [one.value for one in page.at.dataframe if "records" in one.value]
    assert nodes.groupby("layer")["records"].sum().unique().tolist() == [12]
