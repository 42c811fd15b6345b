"""Real columns on the pages: from a CSV file to the attack, without any other file."""

from pathlib import Path

import pytest
from publishing import last_found
from support import let_run
from visitor import helps

from cra_engine import Study
from cra_engine.words import how_many

DATA, HIERARCHIES = "pages/data.py", "pages/hierarchies.py"


def csv(rows, *names):
    return "\n".join([",".join(names), *(",".join(map(str, row)) for row in rows)]).encode()


def upload(session, content):
    return session.open(DATA).fill("radio", "data-from", "Upload a table").upload("people.csv", content)


def knowing(session, *names):
    """Others know these columns; the rest that is asked about is removed."""
    session.fill("multiselect", "data-roles", list(names))
    while asked := [button.key for button in session.at.button if (button.key or "").startswith("data-removed-")]:
        session.press(asked[0])
    return session


PEOPLE = csv(
    [
        (
            f"{2012 + i % 9}-0{1 + i % 9}-1{i % 10}",
            "90+" if i % 17 == 0 else "<18" if i % 19 == 1 else 18 + i * 7 % 72,
            f"{60 + i % 40} kg",
            "" if i % 11 == 3 else ("teacher", "nurse", "farmer", "smith")[i % 4],
        )
        for i in range(120)
    ],
    "admitted",
    "age",
    "weight",
    "job",
)


def test_dates_codes_units_and_categories_get_a_hierarchy(session):
    upload(session, PEOPLE).fill("multiselect", "data-roles", ["admitted", "age", "weight", "job"])
    admitted, age, weight, job = (
        next(a for a in session.study.attributes if a.name == name) for name in ("admitted", "age", "weight", "job")
    )
    assert (admitted.dates, admitted.unit) == (True, "year")
    assert [node.label for node in age.layer_nodes[0]][::9] == ["<18", ">=90"]
    assert (weight.unit, weight.plain) == ("kg", True)
    assert sorted({node.label for node in job.layer_nodes[0]}) == ["farmer", "nurse", "smith", "teacher"]
    overview = session.at.dataframe[0].value.set_index("column")
    assert list(overview["holds"]) == ["dates", "numbers", "numbers", "text"]
    # The gaps of job are asked about, and answered with one click.
    assert "**job** has 11 missing values" in session.says("markdown")
    session.press("data-missing-category-job")
    assert {a.name: a.missing for a in session.study.attributes}["job"] == "category"
    assert "missing values. What" not in session.says("markdown")
    session.open("pages/recode.py")
    assert (
        "Column 'job': 11 missing values in rows 4, 15, 26, 37, 48 and 6 more (5, 16, 27, 38, 49 in a spreadsheet), "
        in session.says("warning")
    )
    session.open("pages/attack.py")
    assert not session.at.error


def test_categories_are_put_into_groups_without_a_file(session, tmp_path):
    knowing(upload(session, PEOPLE), "weight", "job")
    session.press("data-missing-leave-out-job").open(HIERARCHIES).fill("selectbox", "hierarchy-shown", "job")
    session.fill("multiselect", "hierarchy-group-values-job", ["nurse", "teacher"])
    session.fill("text_input", "hierarchy-group-name-job", "service").press("hierarchy-group-job")
    assert "2 values put into service." in session.says("success")
    job = session.study.attributes[1]
    assert (job.layers, job.finest, job.missing) == (3, 0, "leave-out")
    assert {(row[0], row[1]) for row in job.rows} == {
        ("nurse", "service"),
        ("teacher", "service"),
        ("farmer", "farmer"),
        ("smith", "smith"),
    }
    # A name that belongs to another value is refused in a sentence.
    session.fill("multiselect", "hierarchy-group-values-job", ["nurse", "teacher"])
    session.fill("text_input", "hierarchy-group-name-job", "smith").press("hierarchy-group-job")
    assert "Nothing has changed." in session.says("error")
    assert session.study.attributes[1] == job
    # Nothing chosen, nothing done.
    session.fill("multiselect", "hierarchy-group-values-job", []).press("hierarchy-group-job")
    assert "No value is chosen" in session.says("error")
    # As an ARX file beside a study it is read back as it is.
    session.study.to_toml(tmp_path / "study.toml")
    assert Study.from_toml(tmp_path / "study.toml") == session.study
    assert "nurse;service;*" in (Path(tmp_path) / "job.csv").read_text(encoding="utf-8")


def test_what_was_said_of_a_change_goes_with_the_change(session):
    knowing(upload(session, PEOPLE), "weight", "job")
    session.press("data-missing-leave-out-job").open(HIERARCHIES).fill("selectbox", "hierarchy-shown", "job")
    before = session.study
    session.fill("multiselect", "hierarchy-group-values-job", ["nurse"])
    session.fill("text_input", "hierarchy-group-name-job", "care").press("hierarchy-group-job")
    assert "1 value put into care." in session.says("success")
    # What the bar's Undo does, which AppTest does not see.
    session.at.session_state["cra_study"] = before
    session.at.session_state["cra_before"] = session.at.session_state["cra_before"][:-1]
    assert "put into" not in session.run().says("success")


def test_ends_of_a_domain_are_written_as_the_file_writes_its_dates(session):
    rows = [(f"{1 + i % 28:02d}.{1 + i % 12:02d}.{2010 + i % 14}", 50 + i % 40) for i in range(120)]
    upload(session, csv(rows, "admitted", "weight")).fill("multiselect", "data-roles", ["admitted", "weight"])
    session.open(HIERARCHIES).fill("selectbox", "hierarchy-shown", "admitted")
    lower, upper = ("hierarchy-lower-admitted", "hierarchy-upper-admitted")
    first = next(a for a in session.study.attributes if a.name == "admitted").settings()["lower"]
    assert session.at.text_input(key=lower).value == f"01.01.{first.year}"
    assert "Written as 31.12.2010 or 2010-12-31." in session.at.text_input(key=lower).help

    def ends():
        found = next(a for a in session.study.attributes if a.name == "admitted").settings()
        return found["lower"].isoformat(), found["upper"].isoformat()

    # 8 leaves of whole years: both ends move by 8 years, one written either way.
    years = int(ends()[1][:4]) - int(ends()[0][:4])
    session.fill("text_input", upper, f"01.01.{first.year + 2 * years}")
    session.fill("text_input", lower, f"{first.year}-01-01")
    assert ends() == (f"{first.year}-01-01", f"{first.year + 2 * years}-01-01")
    for text, said in (
        ("31.02.2024", "is '31.02.2024'; there is no such day in the calendar"),
        ("2024-02-31", "is '2024-02-31'; there is no such day in the calendar"),
        ("soon", "is 'soon'; give a date as 31.12.2010 or 2010-12-31"),
    ):
        session.fill("text_input", lower, text)
        assert said in session.says("error")


def test_an_end_of_a_domain_of_dates_is_a_date(session):
    upload(session, PEOPLE).fill("multiselect", "data-roles", ["admitted", "weight"]).open(HIERARCHIES)
    session.fill("selectbox", "hierarchy-shown", "admitted")
    key = "hierarchy-lower-admitted"
    before = session.study

    def admitted():
        return next(a for a in session.study.attributes if a.name == "admitted").settings()

    session.fill("text_input", key, "12.3.2004")
    assert "give a date as 2010-12-31" in session.says("error")
    session.fill("text_input", key, "2004-03-01")
    assert "not the first day of a year; take 2004-01-01" in session.says("error")
    assert session.study == before
    session.fill("text_input", key, admitted()["lower"].replace(year=2004).isoformat())
    assert admitted()["lower"].year == 2004


POSTAL = csv([(f"{1067 + 17 * (i % 12):05d}", 20 + i % 60) for i in range(120)], "plz", "age")
CODES = csv([(f"{'EIJ'[i % 3]}{10 + i % 4}.{i % 2}", 20 + i % 60) for i in range(120)], "icd", "age")


def test_postal_codes_keep_their_zeros_and_are_grouped_by_their_beginning(session):
    upload(session, POSTAL).fill("multiselect", "data-roles", ["plz", "age"])
    plz = next(a for a in session.study.attributes if a.name == "plz")
    assert ("01067", "010**", "01***", "*") in plz.rows
    overview = session.at.dataframe[0].value.set_index("column")
    assert overview["holds"]["plz"] == "text"
    problems = session.at.dataframe[1].value
    assert problems[["column", "stops the recoding"]].to_numpy().tolist() == [["plz", "no"]]
    assert "120 cells with a leading zero, such as '01067': read as codes, not as numbers" in problems["what"][0]
    session.open("pages/recode.py").open("pages/attack.py")
    assert not session.at.error


def test_a_proposed_hierarchy_of_codes_is_grouped_further_by_hand(session):
    upload(session, CODES).fill("multiselect", "data-roles", ["icd", "age"]).open(HIERARCHIES)
    session.fill("selectbox", "hierarchy-shown", "icd").fill("selectbox", "hierarchy-group-layer-icd", 2)
    session.fill("multiselect", "hierarchy-group-values-icd", ["E--", "I--"])
    session.fill("text_input", "hierarchy-group-name-icd", "heart and sugar").press("hierarchy-group-icd")
    assert "2 groups put into heart and sugar." in session.says("success")
    icd = next(a for a in session.study.attributes if a.name == "icd")
    paths = {row[0]: row[1:] for row in icd.rows}
    assert paths["E10.0"] == ("E10.-", "E--", "heart and sugar", "*")
    assert paths["J12.0"] == ("J12.-", "J--", "J--", "*")
    # Single values of different chapters leave them, and stay together up to the root.
    session.fill("selectbox", "hierarchy-group-layer-icd", 0)
    session.fill("multiselect", "hierarchy-group-values-icd", ["E10.0", "J12.0"])
    session.fill("text_input", "hierarchy-group-name-icd", "rare").press("hierarchy-group-icd")
    icd = next(a for a in session.study.attributes if a.name == "icd")
    assert {row[0] for row in icd.rows if row[1] == "rare"} == {"E10.0", "J12.0"}
    assert {row[1:] for row in icd.rows if row[0] in ("E10.0", "J12.0")} == {("rare", "rare", "rare", "*")}
    session.open("pages/recode.py").open("pages/attack.py")
    assert not session.at.error


ANSWERS = csv(
    [("do not watch" if i % 7 == 2 else ("<1", 1, 2, 3, 4, "5+")[i % 6], 20 + i * 7 % 60) for i in range(240)],
    "tv",
    "age",
)


def test_answers_in_words_among_numbers_make_categories(session):
    upload(session, ANSWERS).fill("multiselect", "data-roles", ["tv", "age"])
    tv = next(a for a in session.study.attributes if a.name == "tv")
    assert {node.label for node in tv.layer_nodes[0]} == {"do not watch", "<1", "1", "2", "3", "4", "5+"}
    assert not session.at.error
    session.open("pages/recode.py").open("pages/attack.py")
    assert not session.at.error


WEIGHTS = csv(
    [('""' if i % 10 == 4 else f'"{60 + i % 40},{i % 10} kg"', 20 + i * 7 % 60) for i in range(120)], "weight", "age"
)


def test_weights_with_a_decimal_comma_a_unit_and_gaps_are_offered(session):
    upload(session, WEIGHTS)
    assert "weight" in session.at.multiselect(key="data-roles").options
    session.fill("multiselect", "data-roles", ["weight", "age"])
    weight = next(a for a in session.study.attributes if a.name == "weight")
    assert (weight.unit, str(weight.resolution)) == ("kg", "0.1")
    found = session.at.dataframe[1].value
    said = dict(zip(found["what"], found["rows"], strict=True))
    # 12 gaps and 108 cells in kg, both said with their rows.
    assert any(what.startswith("12 missing values") for what in said)
    assert said["108 cells with 'kg' read as numbers of kg: '60,0 kg' as 60"].startswith("rows 1, 2, 3, 4, 6")
    session.press("data-missing-leave-out-weight").open("pages/recode.py").open("pages/attack.py")
    assert not session.at.error


def test_weights_that_can_be_read_in_two_ways_are_asked_about(session):
    rows = [(f'"{60 + i % 40},{100 + i % 7} kg"', 20 + i * 7 % 60) for i in range(120)]
    upload(session, csv(rows, "weight", "age"))
    assert "can be read in two ways" in session.says("markdown")
    labels = [b.label.replace("\\", "") for b in session.at.button if b.key.startswith("data-decimal-")]
    assert labels == ["A comma: 60,100 kg is 60.1 kg", "A point: 60,100 kg is 60100 kg"]
    session.press("data-decimal-comma").fill("multiselect", "data-roles", ["weight", "age"])
    weight = next(a for a in session.study.attributes if a.name == "weight")
    assert weight.unit == "kg"
    assert weight.upper < 1000


@pytest.mark.parametrize(
    ("missing", "said"), [("leave-out", "the release holds the other 109"), ("*", "published as * from the start")]
)
def test_each_choice_for_gaps_reaches_the_attack(session, missing, said):
    knowing(upload(session, PEOPLE), "weight", "job")
    session.press(f"data-missing-{missing}-job")
    assert said in session.open("pages/recode.py").says("warning")
    session.open("pages/attack.py")
    assert not session.at.error


def test_what_becomes_of_gaps_is_asked_with_its_consequence_and_noted(session):
    knowing(upload(session, PEOPLE), "weight", "job")
    said = session.says("caption")
    assert "the table lacks at most 11 of 120 records" in said
    assert "11 records show NULL, a value like others, so that groups may get wider" in said
    assert "11 records show *; they share groups only with others that show it" in said
    assert "5 rows must look alike" in helps(session)
    assert "fewer rows are left out" in helps(session)
    # One answer is advised, in words, too, and each button names the sign that the table shows.
    advised = [
        one.label for one in session.at.button if one.key.startswith("data-missing") and one.proto.type == "primary"
    ]
    assert (len(advised), said.count("Advised: ")) == (1, 1)
    labels = {one.key: one.label for one in session.at.button}
    assert labels["data-missing-category-job"] == "Show NULL, the sign for missing: job"
    assert labels["data-missing-*-job"] == "Show *, as if hidden: job"
    # Before it is answered nothing is published, and the way leads to where it is asked.
    session.open("pages/recode.py")
    assert "11 missing values" in session.says("error")
    assert [link.proto.page for link in session.at.get("page_link")] == ["data"]
    session.open(DATA).press("data-missing-leave-out-job")
    noted = [one.what for one in session.at.session_state["cra_decisions"][1]]
    assert noted[-1] == "job: 11 missing values, rows without it are left out"
    # The other place that asks notes it too, and only what changes.
    session.open(HIERARCHIES).fill("selectbox", "hierarchy-shown", "job")
    session.fill("selectbox", "hierarchy-missing-job", "category").fill("selectbox", "hierarchy-finest-job", 1)
    noted = [one.what for one in session.at.session_state["cra_decisions"][1]]
    assert [what for what in noted if what.startswith("job: ")] == [
        "job: 11 missing values, published as one category more, NULL"
    ]
    session.fill("selectbox", "hierarchy-missing-job", "")
    assert session.at.session_state["cra_decisions"][1][-1].what.endswith("what was decided before is taken back")


def test_one_answer_settles_the_missing_values_of_all_columns_with_its_price(session):
    rows = [(20 + n % 50 if n % 30 else "", 50 + n * 7 % 40 if n % 45 else "", "flu") for n in range(90)]
    upload(session, csv(rows, "age", "weight", "illness")).fill("multiselect", "data-roles", ["age", "weight"])
    # Three ages and two weights are missing, in four rows: the first has neither.
    assert "have 5 missing values" in session.says("markdown")
    assert "the table lacks at most 4 of 90 records" in session.says("caption")
    session.press("data-missing-leave-out-all")
    assert [attribute.missing for attribute in session.study.attributes] == ["leave-out", "leave-out"]
    noted = [one.what for one in session.at.session_state["cra_decisions"][1]]
    assert noted[-2:] == [
        "age: 3 missing values, rows without it are left out",
        "weight: 2 missing values, rows without it are left out",
    ]


def test_words_for_nothing_among_numbers_are_missing_values_and_are_named(session):
    said = {7: "k.A.", 31: "n.e.", 52: "", 70: "k.A."}
    rows = [(20 + n % 50, said.get(n, f"{50 + n * 7 % 40},5"), ("flu", "unbekannt")[n % 2]) for n in range(90)]
    upload(session, "\n".join(["age;weight;illness", *(";".join(map(str, row)) for row in rows)]).encode())
    session.fill("multiselect", "data-roles", ["age", "weight"])
    # Of an illness it may be a value: a person says.
    assert "“unbekannt” stands in 45 cells of **illness**. Are these missing values?" in session.says("markdown")
    session.press("data-unknown-values")
    said = "**weight** has 4 missing values: “k.A.” (2), “n.e.” (1) and 1 empty cell."
    assert said in session.says("markdown")
    assert "unbekannt" not in session.says("markdown")
    session.press("data-missing-leave-out-weight")
    assert session.says("error") == ""
    assert "86 of 90 records" in session.says("markdown")


def test_rows_that_are_left_out_already_are_counted_no_more_where_missing_values_are_asked_for(session):
    rows = [(20 + n % 50 if n % 30 else "", 50 + n * 7 % 40 if n % 45 else "", 150 + n % 40) for n in range(90)]
    knowing(upload(session, csv(rows, "age", "weight", "height")), "age", "height")
    session.press("data-missing-leave-out-age")
    # Three rows have no age and are out; of the two without a weight one is among them.
    session.fill("multiselect", "data-roles", ["age", "height", "weight"])
    assert "**weight** has 1 missing value." in session.says("markdown")
    assert "at most 1 of the 87 records that are left" in session.says("caption")
    assert "of 90 records" not in session.says("caption")
    session.press("data-missing-leave-out-weight")
    assert "86 of 90 records" in session.says("markdown")


def primary(session):
    return [button.key for button in session.at.button if button.proto.type == "primary" and button.key != "data-check"]


def test_columns_that_are_too_many_are_said_on_data_and_a_button_leaves_what_fits(session):
    names = [f"score{n}" for n in range(9)]
    rows = [tuple((row * (n + 3) * 7) % 97 for n in range(9)) for row in range(120)]
    upload(session, csv(rows, *names)).fill("multiselect", "data-roles", names).press("data-repeated-in")
    assert "**9 columns** that others know are too many" in session.says("markdown")
    assert "Removed: score7 and score8." in session.says("caption")
    session.press("data-too-many")
    kept = session.study.names
    # Four layers and eight leaves each: seven columns have 16,384 states and 2,097,152 cells, eight too many of both.
    assert kept == tuple(names[:7])
    assert session.study.roles.remove == tuple(names[7:])
    assert "too many" not in session.says("markdown")
    # Each of these can be asked about again.
    decided = [one.what for one in session.at.session_state["cra_decisions"][1]]
    session.press(f"data-again-{decided.index('score8 is removed')}")
    assert (session.study.roles.of("score7"), session.study.roles.of("score8")) == ("removed", "undecided")


def test_that_make_it_publishable_chooses_among_too_many_columns_is_advised_and_asked_once(session):
    """Twelve columns in which all people of a row number's remainder are alike, so that some tables pass."""
    names = [f"score{n}" for n in range(12)]
    rows = [tuple((row % 8 * (n + 3)) % 19 for n in range(12)) for row in range(240)]
    upload(session, csv(rows, *names)).fill("multiselect", "data-roles", names).press("data-repeated-in")
    assert primary(session) == ["data-too-many-searched"]
    session.press("data-too-many-searched")
    assert (session.study.names, session.study.roles.remove) == (tuple(names), ())
    assert "too many" not in session.says("markdown")
    assert "All questions are answered" in session.says("markdown")
    session.open("pages/check.py")
    assert "12 columns that others know are too many to publish together as they are" in session.says("info")
    assert not session.at.error
    assert primary(session) == ["publishable-start"]
    (pins,) = [one for one in session.at.multiselect if one.key.startswith("publishable-pins")]
    assert pins.options == names
    best = last_found(session.press("publishable-start")).outcomes[0]
    assert best.ready
    assert len(best.weights) == 12
    # The columns at the end of the file are no worse than others: the search keeps one that it is asked for.
    session.open("pages/check.py").at.multiselect(key=pins.key).set_value(["score11"])
    pinned = last_found(session.run().press("publishable-start")).outcomes[0]
    assert "score11" not in pinned.gone


def test_a_column_that_was_removed_as_too_many_counts_on_a_card_and_one_that_a_person_removes_does_not(session):
    names = [f"score{n}" for n in range(9)]
    rows = [(1000 + row, *((row % 8 * (n + 3)) % 19 for n in range(9))) for row in range(240)]
    knowing(upload(session, csv(rows, "patient number", *names)), *names)
    assert session.study.roles.of("patient number") == "removed"
    session.press("data-too-many").open("pages/check.py")
    best = last_found(session.press("publishable-start")).outcomes[0]
    assert f"{9 - len(best.gone)} of 9" in [one.value for one in session.at.metric if one.label == "Columns"]
    assert {"score7", "score8"} <= set(best.gone)
    assert best.cost >= 2 / 9
    # Whoever answers anew that it goes, removes it: it counts no longer.
    session.open(DATA)
    decided = [one.what for one in session.at.session_state["cra_decisions"][1]]
    session.press(f"data-again-{decided.index('score8 is removed')}").press("data-removed-score8")
    again = last_found(session.open("pages/check.py").press("publishable-start")).outcomes[0]
    assert len(again.weights) == 8


def test_of_more_columns_than_can_be_attacked_the_groups_are_checked_and_it_is_said(session):
    names = ["town", *(f"score{n}" for n in range(6))]
    rows = [(f"town {row % 40}", *((row * (n + 3) * 7) % 97 for n in range(6))) for row in range(120)]
    upload(session, csv(rows, *names)).fill("multiselect", "data-roles", names)
    assert "**7 columns** that others know are too many to try all ways" in session.says("markdown")
    session.press("data-too-many-searched")
    assert "too many" not in session.says("markdown")
    assert session.study.names == tuple(names)
    session.open("pages/check.py")
    let_run(session.at)
    assert "Who is singled out all the same was not looked at yet" in session.says("markdown")
    let_run(session.press("check-again").at)
    said = session.says("markdown")
    assert "what it would show is not known" in said
    assert "cells, more than 4,000,000" in said
    session.open("pages/attack.py")
    assert "cells, more than 4,000,000" in session.says("error")


@pytest.mark.parametrize("named", [True, False])
def test_whole_rows_that_repeat_are_said_with_what_to_do(session, named):
    rows = [(f"P{10_000 + n}", 20 + n % 50, 50 + n * 7 % 40, n * 11 % 97, n * 5 % 13) for n in range(120)]
    rows = [row[0 if named else 1 :] for row in [*rows, *rows[:8]]]
    upload(session, csv(rows, *["patient_id", "age", "weight", "score", "ward"][0 if named else 1 :]))
    also = " and patient_id has 120 different values in 128 rows" if named else ""
    advice = "A person in two rows counts twice for k; leave the later rows out"
    said = f"8 rows repeat another in every column{also}. {advice}"
    knowing(session, "age", "weight")
    assert said in session.says("markdown")
    # One way is advised, and the button beside it goes it.
    assert "upload it again" not in session.says("markdown")
    # Whoever leaves them out, or in, is asked no more.
    session.press("data-repeated-out" if named else "data-repeated-in")
    assert said not in session.says("markdown")


def test_a_patient_in_two_rows_is_said_and_people_who_are_alike_are_not(session):
    visits = [(f"P{10_000 + n % 90}", 20 + n % 50, 50 + n * 7 % 40) for n in range(120)]
    upload(session, csv(visits, "patient_id", "age", "weight"))
    assert "several rows: patient_id has 90 different values in 120 rows. A person" in session.says("markdown")
    assert session.at.button(key="data-repeated-patient_id").label == "Leave 30 later rows out"
    alike = [(20 + n % 7, "FM"[n % 2]) for n in range(120)]
    upload(session, csv(alike, "age", "sex"))
    assert "counts twice" not in session.says("markdown")


def test_an_income_is_advised_to_be_what_the_question_says_of_it(session):
    upload(session, csv([(20 + n % 50, 20_000 + n * 137, 50 + n % 30) for n in range(120)], "age", "income", "weight"))
    asked = [one.value for one in session.at.markdown if one.value.startswith("**income**")]
    (question,) = (one for one in asked if " · " not in one)  # which stands at its picture
    assert "holds exact numbers, and 120 of 120 people have one that nobody else has." in question
    kinds = {key: session.at.button(key=f"data-{key}-income").proto.type for key in ("known", "only-here", "removed")}
    assert kinds == {"known": "primary", "only-here": "secondary", "removed": "secondary"}
    session.press("data-known-income")
    assert "income" in session.study.names


def test_a_choice_for_gaps_that_a_hierarchy_cannot_have_is_refused_in_a_sentence(session):
    knowing(upload(session, PEOPLE), "weight", "job")
    # A group of this hierarchy has the name that missing values would have.
    tree = "".join(f"{job};NULL;*\n" for job in ("teacher", "nurse", "farmer", "smith"))
    session.open(HIERARCHIES).fill("selectbox", "hierarchy-shown", "job")
    session.upload("job.csv", tree.encode(), "Use a file for job").open(DATA)
    before = session.study
    session.press("data-missing-category-job")
    assert "NULL" in session.says("error")
    assert session.study == before
    session.press("data-missing-*-job")
    assert session.study != before


BORN = csv(
    [(f"{1 + i % 28:02d}.{1 + i % 12:02d}.{1930 + i * 7 % 80}", f"p{i}@x.org", 50 + i % 40) for i in range(120)],
    "Geburtsdatum",
    "mail",
    "weight",
)


def test_the_years_that_are_agreed_to_are_those_of_the_groups_not_of_the_ends(session):
    """Few who were born long before the others: one group holds all of them, and stands for one value."""
    years = [1908, 1911, *(1950 + i * 7 % 50 for i in range(118))]
    upload(
        session,
        csv(
            [(f"{1 + i % 28:02d}.{1 + i % 12:02d}.{year}", 50 + i % 40) for i, year in enumerate(years)],
            "Geburtsdatum",
            "weight",
        ),
    )
    (key,) = [one.key for one in session.at.button if (one.key or "").startswith("data-born-years-")]
    agreed = session.at.button(key=key).label
    session.press(key)
    born = next(one for one in session.study.attributes if key.endswith(one.name))
    assert born.layer_nodes[0][0].coded
    groups = [node for node in born.layer_nodes[0] if not node.coded]
    assert agreed.endswith(f"in groups of {how_many(groups[0].values, 'year')}")
    assert len({node.values for node in groups}) == 1


def test_a_date_of_birth_is_left_out_or_published_by_its_years(session):
    upload(session, BORN)
    assert session.study.roles.of("Geburtsdatum") == "removed"
    assert "Geburtsdatum is removed, as proposed: its cells are dates of birth." in session.says("markdown").replace(
        "*", ""
    )
    assert "Most readers need an age: groups of years give it and hide the day." in session.says("markdown")
    # 1930 to 2009 in 8 leaves of ten years; an address of e-mail has no years.
    (label,) = [one.label for one in session.at.button if (one.key or "").startswith("data-born-years-")]
    assert label == "Publish Geburtsdatum in groups of 10 years"
    assert "Proposed for removal: Geburtsdatum" in session.says("success")
    session.press("data-born-years-Geburtsdatum")
    assert not session.at.success  # what was proposed is no longer so
    born = next(a for a in session.study.attributes if a.name == "Geburtsdatum")
    assert [node.label for node in born.layer_nodes[0]][:2] == ["[1930-01-01, 1940-01-01[", "[1940-01-01, 1950-01-01["]
    assert session.study.roles.of("Geburtsdatum") == "undecided"
    assert "is removed, as proposed" not in session.says("markdown")
    session.open("pages/recode.py")
    assert not session.at.error or "Not to be downloaded" in session.says("error")


def test_a_date_of_birth_that_is_left_out_is_not_asked_about_again(session):
    upload(session, BORN).press("data-born-out-Geburtsdatum")
    assert session.study.roles.of("Geburtsdatum") == "removed"
    assert "is removed, as proposed" not in session.says("markdown")
    assert session.at.session_state["cra_decisions"][1][-1].what == "Geburtsdatum stays removed"
