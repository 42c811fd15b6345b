"""What the page Data asks of a table, one question at a time, what each answer costs, and what was decided."""

import random

import pytest
from visitor import COSTS, DATA, table

from cra_dashboard.panels.frame import left_out_said
from cra_engine import Rule
from cra_engine.publishable.space import Space
from cra_engine.raw.nameless import rows_no_record

UNITS, TOTALS = "years,kg,-,d.m.y", "sum,2345.5,,"
VISITS = [f"{20 + i % 50},{50 + i % 40}.5,p{i},{1 + i % 28}.{1 + i % 12}.2024" for i in range(40)]


@pytest.mark.parametrize(
    ("lines", "row"), [([UNITS, *VISITS], "Row 1 (2 in a spreadsheet)"), ([*VISITS, TOTALS], "Row 41 (42 in a spread")]
)
def test_a_second_line_of_names_or_a_line_of_totals_is_left_out_by_a_button(uploading, lines, row):
    uploading.upload("visits.csv", "\n".join(["age,weight,name,day", *lines]).encode())
    assert row in uploading.says("markdown")
    assert "not like a person" in uploading.says("markdown")
    uploading.press("data-no-record-out")
    assert uploading.dataset.frame["weight"].tolist() == [line.split(",")[1] for line in VISITS]
    (weight,) = [one for one in uploading.study.attributes if one.name == "weight"]
    assert weight.upper < 200, "proposed for the people alone"
    assert "data-no-record-out" not in {button.key for button in uploading.at.button}


def test_rows_of_people_are_no_line_of_totals(uploading):
    uploading.upload("visits.csv", "\n".join(["age,weight,name,day", *VISITS, ",,,"]).encode())
    assert rows_no_record(uploading.dataset.frame.iloc[:-1]) == ()
    uploading.press("data-no-record-in")
    assert "data-no-record-in" not in {button.key for button in uploading.at.button}
    assert len(uploading.dataset.frame) == 41


def test_later_rows_of_a_patient_number_are_left_out_by_a_button(uploading):
    rows = [f"{1000 + i % 50},{20 + i % 30},{i % 7}" for i in range(60)]
    uploading.upload("visits.csv", "\n".join(["patient number,age,arm", *rows]).encode())
    assert "patient number has 50 different values in 60 rows" in uploading.says("markdown")
    uploading.press("data-repeated-patient number")
    assert uploading.dataset.left_out == {"with a patient number that stands in a row above": tuple(range(51, 61))}
    assert len(uploading.dataset.frame) == 50
    assert "patient number has" not in uploading.says("markdown")


def test_a_later_row_that_repeats_another_is_counted_once_for_the_reason_that_comes_first(uploading):
    rows = [f"{1000 + i % 50},{20 + i % 30},{i % 7}" for i in range(60)]
    rows[59] = rows[9]
    uploading.upload("visits.csv", "\n".join(["patient number,age,arm", *rows]).encode())
    uploading.press("data-repeated-patient number")
    # So do the cards of Make it publishable, which are given these reasons.
    assert left_out_said(uploading.dataset, None) == (
        "Left out: 1 row, repeating another; 9 rows, with a patient number that stands in a row above."
    )


def test_rows_that_were_left_out_stay_out_when_their_very_file_comes_back(uploading):
    """All that was decided comes back with it; only another file's rows are other people."""
    rows = [f"{1000 + i % 50},{20 + i % 30},{i % 7}" for i in range(60)]
    content = "\n".join(["patient number,age,arm", *rows]).encode()
    uploading.upload("visits.csv", content).press("data-repeated-patient number")
    out = uploading.dataset.left_out
    uploading.upload("other.csv", COSTS.encode()).upload("visits.csv", content)
    assert uploading.dataset.left_out == out
    assert len(uploading.dataset.frame) == 50
    assert "are in again" not in uploading.says("success")
    uploading.upload("later.csv", content + b"\n1050,30,1")
    assert uploading.dataset.left_out == {}
    assert "with a patient number that stands in a row above, are in again" in uploading.says("success")


def test_a_sensitive_column_that_is_mostly_empty_is_advised_to_go(uploading):
    rows = [f"{20 + i % 30},{('pos', 'neg')[i // 20 % 2] if i % 20 == 0 else ''}" for i in range(80)]
    uploading.upload("people.csv", "\n".join(["age,HIV", *rows]).encode())
    uploading.at.multiselect(key="data-sensitive").set_value(["HIV"])
    uploading.run()
    advised = uploading.at.button(key="data-sensitive-gaps-0")
    assert (advised.label, advised.proto.type) == ("Remove HIV", "primary")
    uploading.press("data-sensitive-gaps-0")
    assert uploading.study.roles.remove == ("HIV",)


def test_what_the_program_supposed_is_not_counted_as_decided(uploading):
    rows = "".join(f"{1000 + i},m{i}@x.org,{20 + i % 30},{i // 4 % 2}\n" for i in range(60))
    uploading.upload("people.csv", f"patient number,mail,age,arm\n{rows}".encode())
    folds = [fold.label for fold in uploading.at.expander]
    assert "Supposed by the program: 2" in folds
    uploading.press("data-take")
    folds = [fold.label for fold in uploading.at.expander]
    assert "Decided about columns and rows: 1; supposed by the program: 2" in folds


@pytest.mark.parametrize(
    ("answer", "rows", "diverse", "noted"),
    [
        (0, 58, True, "left out, with illness missing: rows 4 and 14 (5, 15 in a spreadsheet)"),
        (1, 60, True, "illness: missing values are “no entry”"),
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
    assert "1 of the 56 records that are left not published" in uploading.says("caption")
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
    assert "1 of the 58 records that are left not published" in uploading.says("caption")


def test_questions_are_counted_anew_for_another_file_of_the_same_columns(uploading):
    lines = [f"{'' if i in (3, 7) else 20 + i % 30},{'' if i == 13 else ('flu', 'gout')[i % 2]}" for i in range(60)]
    uploading.upload("people.csv", "\n".join(["age,illness", *lines]).encode())
    uploading.at.multiselect(key="data-sensitive").set_value(["illness"])
    uploading.run().press("data-missing-leave-out-age")
    assert "Question 2 of 2" in uploading.says("caption")
    uploading.upload("others.csv", "\n".join(["age,illness", *lines[1:]]).encode())
    assert "One question" in uploading.says("caption")


def test_decimals_that_somebody_told_stay_told_of_the_same_file(uploading):
    uploading.upload("costs.csv", COSTS.encode()).press("data-decimal-point")
    kept = uploading.dataset.digest, uploading.study
    uploading.upload("costs.csv", COSTS.encode())
    assert "the table you work on already" in uploading.says("success")
    assert (uploading.dataset.digest, uploading.study) == kept


def test_days_in_a_table_none_of_whose_columns_is_proposed_as_known_to_others(uploading):
    days = [f"{1 + row * 7 % 28:02}.{1 + row * 5 % 12:02}.{1930 + row * 17 % 70}" for row in range(40)]
    lines = [f"{day};{'kl'[row % 2]};text {row % 7}" for row, day in enumerate(days)]
    page = uploading.upload("people.csv", "\n".join(["Merkmal A;Merkmal B;Merkmal C", *lines]).encode())
    assert "Which columns may others know of a person?" in page.says("markdown")
    page.fill("multiselect", "data-roles", ["Merkmal A"])
    assert page.study.names == ("Merkmal A",)


def test_check_says_that_data_still_asks_something(uploading):
    lines = [f"{20 + row % 30};{'' if row < 3 else row % 9};text {row % 4}" for row in range(60)]
    uploading.upload("people.csv", "\n".join(["age;weight;illness", *lines]).encode())
    assert "One question" in uploading.says("caption")
    assert "Data still asks 1 question." in uploading.open("pages/check.py").says("markdown")
    uploading.open(DATA).press("data-missing-leave-out-weight")
    assert "Data still asks" not in uploading.open("pages/check.py").says("markdown")


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


def test_the_proposals_are_worded_as_such_and_their_button_says_what_it_does(uploading):
    rows = "".join(f"{30 + i % 9},{'ja' if i % 3 else 'nein'},{i % 2},m{i}@x.org,{i % 7}.5\n" for i in range(40))
    uploading.upload("people.csv", f"age,Allergie,arm,mail,score\n{rows}".encode())
    shown = {column.name: column.proposed for column in uploading.at.session_state["cra_results"]["column roles"][1]}
    assert shown == {
        "age": "quasi-identifier", "Allergie": "sensitive", "arm": "kept", "mail": "removed",
        "score": "quasi-identifier",
    }  # fmt: skip
    # What goes without saying has its role from the start; taken out of its list, it is proposed with the others.
    uploading.fill("multiselect", "data-sensitive", []).press("data-removed-score")
    assert "Proposed: keep arm; call Allergie sensitive." in uploading.says("markdown")
    assert uploading.at.button(key="data-take").label == "Keep 1 column, call 1 column sensitive"
    # Whoever knows better says so at once, of all that would be kept or of each.
    assert uploading.at.button(key="data-take-known").label == "Others may know arm"
    labels = [button.label for button in uploading.at.button]
    assert {"Others may know Allergie", "Keep Allergie", "Allergie is sensitive", "arm is sensitive"} <= {*labels}
    # Nothing is taken yet, and the lists say so too.
    assert uploading.study.roles.keep == uploading.study.roles.sensitive == ()
    assert uploading.at.multiselect(key="data-kept").placeholder == "None yet"
    uploading.press("data-take")
    assert (uploading.study.roles.keep, uploading.study.roles.sensitive) == (("arm",), ("Allergie",))
    assert uploading.study.roles.of("score") == "removed"


def test_an_answer_is_asked_again_where_it_is_listed_and_what_was_decided_says_what_holds(uploading):
    rows = "".join(f"{30 + i % 9 if i else ''},{'AB'[i % 2]},{i // 4 % 2},{i // 5 % 2}\n" for i in range(40))
    uploading.upload("people.csv", f"age,Station,arm,side\n{rows}".encode())
    uploading.fill("multiselect", "data-roles", ["age"]).press("data-known-Station")
    uploading.press("data-missing-leave-out-age").press("data-take")

    def noted():
        return [one.what for one in uploading.at.session_state["cra_decisions"][1]]

    everything = ["Station is known to others", "age: 1 missing value, their rows are left out"]
    assert noted() == [*everything, "arm is kept", "side is kept"]
    for place, key in ((0, "data-kept-Station"), (0, "data-missing-category-age"), (0, "data-sensitive-arm")):
        uploading.press(f"data-again-{place}")
        assert len(noted()) == 3
        uploading.press(key)
    assert noted() == ["side is kept", "Station is kept", *noted()[2:3], "arm is sensitive"]
    assert noted()[2] == "age: 1 missing value, published as a category of their own"
    assert uploading.study.names == ("age",)
    # Asking again is one change, which the bar's Undo takes back as one.
    before, study, decided = uploading.at.session_state["cra_before"], uploading.study, noted()
    uploading.press("data-again-1")
    assert uploading.at.session_state["cra_before"][:-1] == before
    last = uploading.at.session_state["cra_before"][-1]
    assert (last.study, [one.what for one in last.decided[1]]) == (study, decided)


def test_a_ward_is_asked_about_as_known_to_others_and_a_single_kept_column_by_its_name(uploading):
    rows = "".join(f"{30 + i % 9},{'AB'[i % 2]},{i // 4 % 2}\n" for i in range(40))
    uploading.upload("people.csv", f"age,Station,arm\n{rows}".encode()).fill("multiselect", "data-roles", ["age"])
    assert uploading.at.button(key="data-known-Station").proto.type == "primary"
    uploading.press("data-known-Station")
    assert uploading.at.button(key="data-take").label == "Keep arm"
    uploading.press("data-take-known")
    assert uploading.study.names == ("age", "Station", "arm")


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


def test_questions_stand_in_one_place_one_at_a_time_and_are_counted(uploading):
    rows = "".join(
        f"{('1,250', '3,500')[row % 2]};{('w', 'W', 'm')[row % 3]};m{row}@x.org;{20 + row % 30};{row // 4 % 2}\n"
        for row in range(60)
    )
    uploading.upload("people.csv", ("cost;sex;mail;age;arm\n" + rows).encode())
    counted, advised = [], []
    while asked := [caption.value for caption in uploading.at.caption if caption.value.startswith("Question ")]:
        (one,) = asked
        counted.append(one)
        primary = [b.key for b in uploading.at.button if b.proto.type == "primary" and b.key != "data-check"]
        assert len(primary) <= 2, primary
        advised.append(next(iter(primary), "data-decimal-comma"))
        uploading.press(advised[-1])
        assert len(counted) < 12
    assert len(set(advised)) == len(advised)
    numbers = [int(one.split()[1].rstrip(",")) for one in counted]
    assert numbers == list(range(1, len(counted) + 1))
    # How many more there are is said as of now, where an answer may raise others.
    assert counted[0].endswith(" more so far")
    assert counted[-1] == f"Question {len(counted)} of {len(counted)}"
    # Nothing is left to answer: the way on is what stands out.
    assert uploading.at.button(key="data-check").proto.type == "primary"


def test_what_happens_to_each_column_stands_beside_the_button_for_all(uploading):
    rows = "".join(
        f"{20 + i % 30};{i * 37 % 1000},{i % 7};{20_000 + i * 137};{i * 41 % 997},{i % 9}\n" for i in range(60)
    )
    uploading.upload("people.csv", ("age;ferritin;income;score\n" + rows).encode())
    said = "3 columns are asked about. Advised: known to others, made coarser: score; sensitive: ferritin and income."
    assert said in uploading.says("caption")
    uploading.press("data-advised")
    assert set(uploading.study.names) == {"age", "score"}
    assert set(uploading.study.roles.sensitive) == {"ferritin", "income"}


def test_items_of_a_questionnaire_get_one_answer(uploading):
    items = [f"item{n}" for n in range(1, 9)]
    draw = random.Random(3)
    rows = [";".join([str(20 + n % 30), *(draw.choice("12345") for _ in items)]) for n in range(60)]
    uploading.upload("survey.csv", "\n".join([";".join(["age", *items]), *rows]).encode())
    (button,) = [one for one in uploading.at.button if one.key == "data-battery"]
    assert button.label == "All 8 alike, item1 to item8, are sensitive"
    uploading.press("data-battery")
    assert set(uploading.study.roles.sensitive) == set(items)


TWICE = [f"{n % 7};{20 + n % 40};{'mfMF'[n % 4]};{n * 37 % 1000}" for n in range(120)]
TWICE_CSV = "\n".join(["ward;age;sex;score", *TWICE, *TWICE[:3]]).encode()


def without_twice(uploading):
    """Answers up to the question about rows that repeat, and leaves these out."""
    uploading.upload("twice.csv", TWICE_CSV)
    keys = []
    while "data-repeated-out" not in keys:
        keys = [button.key for button in uploading.at.button if button.proto.type == "primary"]
        uploading.press(keys[0])
    return uploading


def test_rows_left_out_are_left_out_on_every_page_and_counted_once(uploading):
    without_twice(uploading)
    assert (len(uploading.dataset.frame), len(uploading.dataset.whole)) == (120, 123)
    assert "twice.csv: 120 of 123 records" in uploading.says("markdown")
    assert left_out_said(uploading.dataset, None) == "Left out: 3 rows, repeating another."
    for page in ("recode", "attack", "all_classes", "single_out", "who_has_what", "together", "check", "compare"):
        uploading.open(f"pages/{page}.py")
        assert "123" not in uploading.says("markdown", "caption", "info", "success", "warning"), page
    assert len(uploading.at.session_state["cra_results"]["recoding"][1].frame) == 120


def test_a_corrected_file_says_what_changed_and_asks_nothing_anew(uploading):
    without_twice(uploading)
    rows = [*TWICE, *TWICE[:2]]
    rows[4] = rows[4].replace(";24;", ";25;")
    uploading.upload("mended.csv", "\n".join(["ward;age;sex;score", *rows]).encode())
    assert set(uploading.dataset.frame["sex"]) == {"m", "f"}
    assert uploading.dataset.left_out == {"repeating another": (121, 122)}
    said = uploading.says("success")
    assert "mended.csv is read: 122 records" in said
    assert "Since then: 1 row gone; age changed in row 5 (6 in a spreadsheet)." in said
    assert not {"data-repeated-in", "data-alike-merge"} & {button.key for button in uploading.at.button}


def clinic(dates):
    """A clinic's table as it comes from a German spreadsheet, with three ways to say that nobody knows."""
    nothing = {3: "unbekannt", 8: "k.A.", 15: ""}
    rows = [
        f"{20 + n % 40};{nothing.get(n % 30, ('ledig', 'verheiratet')[n % 2])};"
        f"{nothing.get((n + 5) % 30, ('Grippe', 'Asthma', 'Migräne')[n % 3])};{dates[n % len(dates)]}"
        for n in range(120)
    ]
    return "\n".join(["Alter;Familienstand;Diagnose;Aufnahme", *rows]).encode("cp1252")


def test_words_that_say_that_nobody_knows_are_one_thing_with_empty_cells_by_one_button(uploading):
    uploading.upload("klinik.csv", clinic(["17.04.2023", "05.11.2024"]))
    said = uploading.says("markdown").replace("**", "")
    both = "stands in 4 cells of Familienstand and 4 of Diagnose"
    assert f"“unbekannt” {both}; “k.A.” {both}. Are these missing values?" in said
    assert "24 missing values in 20 rows" in uploading.says("caption")
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


def answered_as_advised(session):
    """Answers all questions of Data as advised."""
    while any(one.value.startswith("Question ") for one in session.at.caption):
        advised = [one.key for one in session.at.button if one.proto.type == "primary" and one.key != "data-check"]
        session.press(advised[-1] if "data-advised" in advised else advised[0])


def test_after_the_last_question_it_is_said_that_there_is_none_and_what_comes_next(uploading):
    uploading.upload("klinik.csv", clinic(["17.04.2023", "05.11.2024"]))
    assert "All questions are answered" not in uploading.says("markdown")
    answered_as_advised(uploading)
    assert "All questions are answered.** Next: May it go out?" in uploading.says("markdown")
    assert uploading.at.button(key="data-check").proto.type == "primary"


def test_what_is_drawn_and_told_of_columns_counts_the_records_that_the_bar_counts(uploading):
    rows = "".join(f"{'' if n % 20 == 7 else 20 + n % 40},{50 + n % 90}\n" for n in range(100))
    uploading.upload("gaps.csv", ("age,weight\n" + rows).encode()).fill("multiselect", "data-roles", ["age", "weight"])
    uploading.press("data-missing-leave-out-age")
    assert "gaps.csv: 95 of 100 records" in uploading.says("markdown")
    for column in ("age", "weight"):
        uploading.fill("selectbox", "data-shown", column)
        bars = next(one.value for one in uploading.at.dataframe if "records" in one.value.columns)
        assert bars["records"].sum() == 95, column
    assert "of 95 rows" in uploading.says("caption")
    assert table(uploading, 0)["missing values"].sum() == 0


def test_words_that_stay_values_are_not_asked_about_again(uploading):
    uploading.upload("klinik.csv", clinic(["17.04.2023"])).press("data-unknown-values")
    assert "unbekannt" in set(uploading.dataset.frame["Diagnose"])
    assert "data-unknown-missing" not in [button.key for button in uploading.at.button]


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
    assert set(uploading.study.names) == {"sex", "postal code"}
    pressed = []
    while asked := [one.value for one in uploading.at.caption if one.value.startswith("Question ")]:
        primary = [one for one in uploading.at.button if one.proto.type == "primary" and one.key != "data-check"]
        assert not any(one.label.startswith("Keep") for one in primary), asked
        pressed.append(primary[0].key)
        uploading.press(pressed[-1])
    assert pressed == ["data-born-years-date of birth", "data-known-column 4", "data-known-column 5"]
    assert set(uploading.study.names) == {"date of birth", "sex", "postal code", "column 4", "column 5"}


def test_a_column_that_nothing_tells_is_asked_about_with_its_cells(uploading):
    uploading.upload("export.csv", nameless()).at.button(key="data-names-take").click()
    uploading.run().press("data-born-years-date of birth")
    said = uploading.says("markdown")
    assert "nothing in its name or its cells says what it is" in said
    assert all(ward in said for ward in ("Innere", "Chirurgie", "Urologie"))
    assert "nothing identifying is seen" not in said
    assert "What no colleague, neighbour or relative can know of a person" in said


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


def test_later_rows_stand_below_the_earlier_ones_with_what_differs(uploading):
    lines = [f"P{1000 + row},{20 + row % 30},{row % 7}" for row in range(60)]
    lines += [lines[11], "P1004,24,6"]
    uploading.upload("visits.csv", "\n".join(["patient number,age,arm", *lines]).encode())
    said = uploading.says("markdown")
    assert "Row 61 (62 in a spreadsheet) says all that row 12 (13 in a spreadsheet) says." in said
    assert "Row 62 (63 in a spreadsheet) differs from row 5 (6 in a spreadsheet) in arm." in said
    shown = next(one.value for one in uploading.at.dataframe if one.value.index.name == "pair")
    assert shown.index.tolist() == [
        "1: row 12 (13 in a spreadsheet)",
        "1: row 61 (62 in a spreadsheet)",
        "2: row 5 (6 in a spreadsheet)",
        "2: row 62 (63 in a spreadsheet)",
    ]
    assert shown.columns.tolist() == ["arm", "patient number", "age"], "what differs stands first"
    assert shown["arm"].tolist() == ["4", "4", "4", "6"]


def test_of_many_pairs_the_rest_is_told_by_number(uploading):
    lines = [f"{1000 + i % 50},{20 + i % 30},{i % 7}" for i in range(60)]
    uploading.upload("visits.csv", "\n".join(["patient number,age,arm", *lines]).encode())
    shown = next(one.value for one in uploading.at.dataframe if one.value.index.name == "pair")
    assert len(shown) == 8
    assert "Not shown: rows 55, 56, 57, 58, 59 and 60" in uploading.says("caption")


def test_a_question_that_is_asked_again_has_the_number_that_it_had(uploading):
    def number():
        (counted,) = [one.value for one in uploading.at.caption if one.value.startswith("Question ")]
        return int(counted.split()[1].rstrip(","))

    uploading.upload("klinik.csv", clinic(["17.04.2023", "05.11.2024"]))
    numbers = [number()]
    uploading.press("data-unknown-values")
    numbers.append(number())
    # The first one is asked again, before the one that was open.
    uploading.press("data-again-0")
    numbers.append(number())
    assert numbers == [1, 2, 1]


def test_missing_values_of_one_column_asked_again_have_the_number_of_the_question_about_all(uploading):
    lines = [f"{'' if row == 3 else 20 + row % 30};{'' if row == 9 else 'mw'[row % 2]};{row % 2}" for row in range(60)]
    uploading.upload("people.csv", "\n".join(["age;sex;arm", *lines]).encode())
    while asked := [one.value for one in uploading.at.caption if one.value.startswith(("Question ", "One question"))]:
        advised = [b.key for b in uploading.at.button if b.proto.type == "primary" and b.key != "data-check"]
        if any("missing" in key for key in advised):
            before = asked[0]
        uploading.press(advised[0])
    again = [b.key for b in uploading.at.button if (b.key or "").startswith("data-again")]
    uploading.press(again[-1])
    (after,) = [one.value for one in uploading.at.caption if one.value.startswith("Question ")]
    assert after.split()[1].rstrip(",") == before.split()[1].rstrip(",")
