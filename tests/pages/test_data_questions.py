"""The questions of the page Data: one at a time, counted, asked again, answered as advised, listed with what holds."""

import pytest
from from_a_clinic import clinic
from visitor import DATA, table


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
    assert counted[0].endswith(", perhaps more")
    assert counted[-1] == f"Question {len(counted)} · no other open now"
    # No number of all questions, which the answers change: what was said before stays true.
    assert not any(" of " in one for one in counted)
    # Nothing is left to answer: the way on is what stands out.
    assert uploading.at.button(key="data-check").proto.type == "primary"


def test_questions_are_counted_anew_for_another_file_of_the_same_columns(uploading):
    lines = [f"{'' if i in (3, 7) else 20 + i % 30},{'' if i == 13 else ('flu', 'gout')[i % 2]}" for i in range(60)]
    uploading.upload("people.csv", "\n".join(["age,illness", *lines]).encode())
    uploading.at.multiselect(key="data-sensitive").set_value(["illness"])
    uploading.run().press("data-missing-leave-out-age")
    assert "Question 2 · no other open now" in uploading.says("caption")
    uploading.upload("others.csv", "\n".join(["age,illness", *lines[1:]]).encode())
    assert "One question" in uploading.says("caption")


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


def test_that_all_is_answered_is_said_of_a_file_too_that_comes_again_after_another(uploading):
    ages = "\n".join(["age,arm", *(f"{20 + row % 30},{row % 2}" for row in range(60))]).encode()
    uploading.upload("people.csv", ages).press("data-kept-arm")
    uploading.upload("klinik.csv", clinic(["17.04.2023"])).upload("people.csv", ages)
    before = "the people.csv that was open before"
    assert f"It has the columns of {before}, so all that was decided stays." in uploading.says("success")
    assert "All questions are answered" in uploading.says("markdown")


def test_an_answer_is_asked_again_where_it_is_listed_and_what_was_decided_says_what_holds(uploading):
    rows = "".join(f"{30 + i % 9 if i else ''},{'AB'[i % 2]},{i // 4 % 2},{i // 5 % 2}\n" for i in range(40))
    uploading.upload("people.csv", f"age,Station,arm,side\n{rows}".encode())
    uploading.fill("multiselect", "data-roles", ["age"]).press("data-known-Station")
    uploading.press("data-missing-leave-out-age").press("data-take")

    def noted():
        return [one.what for one in uploading.at.session_state["cra_decisions"][1]]

    everything = ["Station is known to others", "age: 1 missing value, rows without it are left out"]
    assert noted() == [*everything, "arm is kept", "side is kept"]
    for place, key in ((0, "data-kept-Station"), (0, "data-missing-category-age"), (0, "data-sensitive-arm")):
        uploading.press(f"data-again-{place}")
        assert len(noted()) == 3
        uploading.press(key)
    assert noted() == ["side is kept", "Station is kept", *noted()[2:3], "arm is sensitive"]
    assert noted()[2] == "age: 1 missing value, published as one category more, NULL"
    assert uploading.study.names == ("age",)
    # Asking again is one change, which the bar's Undo takes back as one.
    before, study, decided = uploading.at.session_state["cra_before"], uploading.study, noted()
    uploading.press("data-again-1")
    assert uploading.at.session_state["cra_before"][:-1] == before
    last = uploading.at.session_state["cra_before"][-1]
    assert (last.study, [one.what for one in last.decided[1]]) == (study, decided)


def test_a_word_and_cells_read_as_missing_are_asked_about_again_as_the_file_has_them(uploading):
    cells = {3: "unknown", 8: "unknown", 11: "k.A.", 15: "W", 20: ""}
    lines = [f"{20 + row % 30};{cells.get(row, 'wm'[row % 2])}" for row in range(60)]
    uploading.upload("people.csv", "\n".join(["age;sex", *lines]).encode())
    whole, digest = uploading.dataset.frame["sex"].tolist(), uploading.dataset.digest

    def noted():
        return [one.what for one in uploading.at.session_state["cra_decisions"][1]]

    def change(what):
        uploading.press(f"data-again-{noted().index(what)}")

    uploading.press("data-unknown-values-k.A.").press("data-unknown-missing").press("data-alike-merge")
    uploading.press("data-missing-category-sex")
    assert uploading.dataset.frame["sex"].value_counts()["w"] == whole.count("w") + 1
    assert uploading.study.roles.as_values == ("k.A.",)
    # Of one column all readings come back, with what became of the gaps; what was said of the other word holds.
    change("sex: 2 cells read as missing")
    assert (uploading.dataset.frame["sex"].tolist(), uploading.dataset.digest) == (whole, digest)
    assert "“unknown” stands in 2 cells of **sex**. Are these missing values?" in uploading.says("markdown")
    assert noted() == ["“k.A.” stays a value"]
    assert not uploading.study.attributes[uploading.study.names.index("sex")].missing
    change("“k.A.” stays a value")
    assert "“k.A.” stands in 1 cell of **sex**" in uploading.says("markdown")
    assert not uploading.study.roles.as_values
    assert not noted()


def test_what_missing_values_of_a_sensitive_column_are_called_is_asked_again(uploading):
    lines = [f"{20 + row % 30};{'' if row in (4, 9) else ('flu', 'gout', 'cold')[row % 3]}" for row in range(60)]
    uploading.upload("people.csv", "\n".join(["age;illness", *lines]).encode())
    uploading.fill("multiselect", "data-sensitive", ["illness"]).press("data-sensitive-gaps-1")
    assert set(uploading.dataset.frame["illness"]) == {"flu", "gout", "cold", "no entry"}
    (place,) = [n for n, one in enumerate(uploading.at.session_state["cra_decisions"][1]) if "no entry" in one.what]
    uploading.press(f"data-again-{place}")
    assert "**illness** is sensitive and has 2 missing values. What becomes of them?" in uploading.says("markdown")


def test_rows_are_put_back_for_the_reason_whose_change_is_pressed(uploading):
    illnesses = ["" if row in (4, 9) else ("flu", "gout", "cold")[row % 3] for row in range(60)]
    lines = [f"{1000 + row};{20 + row % 30};{illness}" for row, illness in enumerate(illnesses)]
    uploading.upload("people.csv", "\n".join(["patient number;age;illness", *lines, lines[0]]).encode())
    uploading.fill("multiselect", "data-sensitive", ["illness"]).press("data-repeated-patient number")
    uploading.press("data-sensitive-gaps-0")
    assert len(uploading.dataset.frame) == 58
    decided = [one.what for one in uploading.at.session_state["cra_decisions"][1]]
    (place,) = [n for n, what in enumerate(decided) if what.startswith("left out, repeating another")]
    uploading.press(f"data-again-{place}")
    assert (len(uploading.dataset.frame), list(uploading.dataset.left_out)) == (59, ["with illness missing"])


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


def test_a_question_that_an_answer_raises_anew_is_one_more(uploading):
    """Of nine columns seven fit as they are, and six once a missing value of each is a category of its own."""
    lines = [",".join("" if row == 9 + n else str(row * (n + 3) * 7 % 97) for n in range(9)) for row in range(120)]
    names = [f"score{n}" for n in range(9)]
    uploading.upload("people.csv", "\n".join([",".join(names), *lines]).encode())
    uploading.fill("multiselect", "data-roles", names)
    numbers = []
    for key in ("data-repeated-in", "data-too-many", "data-missing-category-all", "data-too-many"):
        if key == "data-repeated-in" and "data-repeated-in" not in [one.key for one in uploading.at.button]:
            continue
        numbers += [int(one.value.split()[1]) for one in uploading.at.caption if one.value.startswith("Question ")]
        uploading.press(key)
    assert len(uploading.study.names) < 7
    assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))


def test_rows_that_repeat_have_one_button_where_their_number_repeats_in_the_same_rows(uploading):
    rows = [f"{1000 + row};{20 + row % 30};{60 + row * 7 % 41};{('flu', 'gout')[row % 2]}" for row in range(60)]
    uploading.upload("people.csv", "\n".join(["patient number;age;weight;illness", *rows, *rows[3:5]]).encode())
    labels = [one.label for one in uploading.at.button if (one.key or "").startswith("data-repeated-")]
    assert labels == ["Leave 2 repeats out", "Leave them in"]
    assert len(uploading.press("data-repeated-out").dataset.frame) == 60
    assert "People seem to stand in several rows" not in uploading.says("markdown")


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


def test_the_proposals_are_worded_as_such_and_their_button_says_what_it_does(uploading):
    rows = "".join(f"{30 + i % 9},{'ja' if i % 3 else 'nein'},{i % 2},m{i}@x.org,{i % 7}.5\n" for i in range(40))
    uploading.upload("people.csv", f"age,Allergie,arm,mail,points\n{rows}".encode())
    shown = {column.name: column.proposed for column in uploading.at.session_state["cra_results"]["column roles"][1]}
    assert shown == {
        "age": "quasi-identifier", "Allergie": "sensitive", "arm": "kept", "mail": "removed",
        "points": "quasi-identifier",
    }  # fmt: skip
    # What goes without saying has its role from the start; taken out of its list, it is proposed with the others.
    uploading.fill("multiselect", "data-sensitive", []).press("data-removed-points")
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
    assert uploading.study.roles.of("points") == "removed"


def test_what_the_program_supposed_is_not_counted_as_decided(uploading):
    rows = "".join(f"{1000 + i},m{i}@x.org,{20 + i % 30},{i // 4 % 2}\n" for i in range(60))
    uploading.upload("people.csv", f"patient number,mail,age,arm\n{rows}".encode())
    folds = [fold.label for fold in uploading.at.expander]
    assert "Supposed by the program: 2" in folds
    uploading.press("data-take")
    folds = [fold.label for fold in uploading.at.expander]
    assert "Decided about columns and rows: 1; supposed by the program: 2" in folds


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


def test_check_says_that_data_still_asks_something(uploading):
    lines = [f"{20 + row % 30};{'' if row < 3 else row % 9};text {row % 4}" for row in range(60)]
    uploading.upload("people.csv", "\n".join(["age;weight;illness", *lines]).encode())
    assert "One question" in uploading.says("caption")
    assert "Data still asks 1 question." in uploading.open("pages/check.py").says("markdown")
    uploading.open(DATA).press("data-missing-leave-out-weight")
    assert "Data still asks" not in uploading.open("pages/check.py").says("markdown")


def answered(session, answers):
    """Press these answers, in their order; each question that they leave open would be one more."""
    for key in answers:
        session.press(key)
    assert "All questions are answered" in session.says("markdown")
    return session


def of_few(nothing, more=()):
    """People whose finding is not known of some, an illness empty of others, and a last line of totals."""
    ills = [*("Grippe", "Asthma", "Bruch") * 3, *nothing]
    rows = [f"{20 + n};{'mw'[n % 2]};{1 + n % 28:02}.03.2024;{ills[n % len(ills)]}" for n in range(48)]
    return "\n".join(["Alter;Geschlecht;Aufnahme;Diagnose", *rows, *more, "Summe: 48;alle;bis heute;--"]).encode()


@pytest.mark.parametrize("between", [{}, {"costs.csv": b"cost;age\n" + b"12;30\n14;31\n" * 9}])
def test_the_same_file_again_asks_nothing_that_was_decided(uploading, between):
    file = of_few(["unbekannt", ""])
    uploading.upload("few.csv", file)
    answered(uploading, ["data-no-record-out", "data-unknown-missing", "data-sensitive-gaps-1"])
    before = uploading.at.session_state["cra_decisions"], uploading.study, uploading.dataset.digest
    assert "unbekannt" in set(uploading.dataset.frame["Diagnose"])
    for name, content in between.items():
        uploading.upload(name, content)
    uploading.upload("few.csv", file)
    assert "All questions are answered" in uploading.says("markdown")
    assert (uploading.at.session_state["cra_decisions"], uploading.study, uploading.dataset.digest) == before
    assert set(uploading.dataset.frame["Diagnose"]) == {"Grippe", "Asthma", "Bruch", "unbekannt"}


def test_a_changed_file_asks_only_about_rows_that_are_others(uploading):
    uploading.upload("few.csv", of_few([""]))
    answered(uploading, ["data-no-record-out", "data-sensitive-gaps-2"])
    uploading.upload("few.csv", of_few([""], ["70;w;01.03.2024;Bruch"]))
    assert "All questions are answered" in uploading.says("markdown")
    assert uploading.dataset.left_out == {"holding no person": (50,)}
    uploading.upload("few.csv", of_few([""]).replace(b"Summe: 48", b"Summe: 49"))
    assert uploading.at.button(key="data-no-record-out").label == "Leave 1 row out"
    assert not uploading.dataset.left_out


def test_a_file_without_names_keeps_them_when_it_comes_again(uploading):
    file = of_few([""]).split(b"\n", 1)[1]
    uploading.upload("few.csv", file).press("data-names-take")
    named, digest = uploading.dataset.named, uploading.dataset.digest
    uploading.upload("few.csv", file)
    assert "the table you work on already" in uploading.says("success")
    uploading.upload("costs.csv", b"cost;age\n" + b"12;30\n14;31\n" * 9).upload("few.csv", file)
    assert (uploading.dataset.named, uploading.dataset.digest) == (named, digest)
    assert "looks like a person's" not in uploading.says("markdown")
    # Where the line was said to be names it is, in another file that begins with it, too.
    uploading.upload("few.csv", file.replace(b"Bruch", b"Sturz")).press("data-names-keep")
    uploading.upload("more.csv", file.replace(b"Bruch", b"Gicht"))
    assert "looks like a person's" not in uploading.says("markdown")
    assert not uploading.dataset.named


def shown(session, column):
    """The bars of a column's histogram by their names in the legend, and what is said below it."""
    session.fill("selectbox", "data-shown", column)
    (chart,) = session.at.get("plotly_chart")
    return chart.proto.spec, session.says("caption")


@pytest.mark.parametrize("rare", [1, 3])
def test_rare_values_of_what_others_do_not_know_are_not_marked_as_if_people_stood_out_by_them(uploading, rare):
    ill = ["gout"] * rare + ["flu"] * 30 + ["cold"] * 30
    lines = [f"{20 + i % 7 if i else 90};{one};{i // 4 % 2 or 2 * (not i)}" for i, one in enumerate(ill)]
    uploading.upload("people.csv", "\n".join(["age;illness;arm", *lines]).encode())
    assert uploading.study.roles.sensitive == ("illness",)
    hatched = "fewer than k = 5"
    picture, said = shown(uploading, "illness")
    assert hatched not in picture + said
    assert "Sensitive: a rare value may go out; what counts is that in no group all have the same." in said
    # Check asks about what a single person has, and about nothing else.
    assert ("Check asks about values that a single person has." in said) == (rare == 1)
    # By an age people are found, also where somebody calls it sensitive.
    picture, said = shown(uploading, "age")
    assert hatched in picture
    assert f"Hatched: {hatched}, who stand out" in said
    assert "a rare value may go out" not in said
    uploading.fill("multiselect", "data-roles", ["arm"]).fill("multiselect", "data-sensitive", ["illness", "age"])
    picture, said = shown(uploading, "age")
    assert hatched in picture
    assert "a rare value may go out" not in said
    # Nobody gets what is removed.
    uploading.fill("multiselect", "data-sensitive", ["illness"]).fill("multiselect", "data-removed", ["age"])
    picture, said = shown(uploading, "age")
    assert hatched not in picture + said
    assert "a rare value may go out" not in said
