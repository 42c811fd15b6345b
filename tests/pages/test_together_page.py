"""The page Several releases: releases of the session's table, uploaded ones, contradictions, reasons."""

from dataclasses import astuple, replace

import pandas as pd
import pytest
from support import let_run, open_page, pictures, shown

from cra_dashboard.panels import download as panel
from cra_dashboard.session import datasets, keys, state
from cra_dashboard.session.uploads import File, unpacked
from cra_dashboard.together import state as together
from cra_dashboard.together import story
from cra_engine import Attribute, CRAError, DataError, StudyError, compose, recode, synthesize
from cra_engine.files.zipped import packed_zip
from cra_engine.publishable.archive import KEEP, READERS, RELEASE, SETTINGS
from cra_engine.study.file_hierarchy import FileHierarchy

TOY = synthesize("toy")


def releases(app):
    return next(one for one in app.button_group if one.label.startswith("Releases of"))


def guessed(app) -> str:
    """What is guessed, where somebody asks."""
    return next(one.help for one in app.caption if one.value.startswith("In part guessed")).replace("\\", "")


def told(app) -> pd.DataFrame:
    return next(table.value for table in app.table if "Cells certain" in table.value)


def test_without_a_table_an_example_is_put_together_at_once() -> None:
    app = let_run(open_page("together"))
    assert not app.exception
    assert releases(app).value == [(3, None), (4, None)]
    assert told(app)["Release"].tolist() == ["1: k = 3", "2: k = 4", "together"]


def test_the_example_that_opened_by_itself_gives_way_to_what_people_bring() -> None:
    # A release of the toy's columns, beyond the toy's domain: it is read by its labels, not by the toy's study.
    rows = ["[0, 50[;[0, 500["] * 4 + ["[50, 200[;[0, 500["] * 3
    app = let_run(open_page("together"))
    app.file_uploader[0].upload("brought.csv", "\n".join(["age;weight", *rows, ""]).encode())
    app = let_run(app.run())
    assert not app.exception
    assert not app.error
    assert releases(app).value == []
    assert told(app)["Release"].tolist() == ["1: brought.csv", "together"]
    assert any("is left out." in caption.value for caption in app.caption)


def test_so_does_one_that_somebody_chose() -> None:
    """Also where it has the same labels, but is of another number of people; one more release is then asked for."""
    release = recode(TOY.data.iloc[:-1], TOY.study.with_k(3)).release
    app = open_page("together", TOY.data, TOY.study)
    data, study = datasets.example("toy")
    app.session_state[state._DATASET], app.session_state[state._STUDY] = data, study
    let_run(app.run())
    app.file_uploader[0].upload("less.csv", release.to_csv_text().encode())
    app = let_run(app.run())
    assert not app.exception
    assert releases(app).value == []
    assert told(app)["Release"].tolist() == ["1: less.csv", "together"]
    assert "Toy is left out. Give one more release of the same people." in {one.value for one in app.caption}


def test_whoever_comes_to_bring_releases_is_asked_for_them_first() -> None:
    def field(app):
        return next(one for one in app.expander if one.label.startswith("Uploaded releases"))

    for given in ((), (TOY.data, TOY.study)):
        asked = let_run(open_page("together", *given, **{keys.BRING_RELEASES: True}))
        assert field(asked).proto.expanded
        assert "Until then" in field(asked).caption[0].value
        assert "Each k below makes one; so does Check." in field(asked).caption[0].value
        assert [link.proto.page for link in field(asked).get("page_link")] == ["check"]
        # Who comes by the menu sees what the example's releases say, which the field would push out of the window.
        assert not field(let_run(open_page("together", *given))).proto.expanded


def test_what_was_chosen_stays_beside_a_release_of_the_same_people_which_is_known_again() -> None:
    release = recode(TOY.data, TOY.study.with_k(3)).release
    app = let_run(open_page("together"))
    app.file_uploader[0].upload("toy_k3.csv", release.to_csv_text().encode())
    app = let_run(app.run())
    assert not app.error
    assert releases(app).value == [(3, None), (4, None)]
    assert told(app)["Release"].tolist() == ["1: toy\\_k3.csv", "2: k = 3", "3: k = 4", "together"]
    assert "toy_k3.csv: 36 records, as they are published here." in app.success[0].value.replace("\\", "")
    assert "is left out" not in shown(app)
    # Its study is known, and so is its k: nothing is guessed, and nobody is asked.
    assert "guessed" not in shown(app)
    assert "from the smallest group" not in shown(app)
    assert [one.value for one in app.number_input if one.label == r"k of toy\_k3.csv"] == [3]


@pytest.mark.parametrize("chosen", [None, [(4, None), (5, None)]])
def test_two_releases_that_people_bring_are_compared_with_each_other_beside_what_they_chose_and_nothing_else(chosen):
    app = let_run(open_page("together", TOY.data, TOY.study))
    if chosen:
        releases(app).set_value(chosen)
        let_run(app.run())
    files = [(f"k{k}.csv", recode(TOY.data, TOY.study.with_k(k)).release.to_csv_text().encode()) for k in (6, 7)]
    app.file_uploader[0].upload(*files[0])
    app = let_run(app.run())
    assert releases(app).value == (chosen or [(3, None), (4, None)])  # one alone has nothing else beside it
    app.file_uploader[0].upload(*files[1])
    app = let_run(app.run())
    assert not app.error
    assert releases(app).value == (chosen or [])
    expected = ["1: k6.csv", "2: k7.csv", *(f"{at}: k = {k}" for at, (k, _) in enumerate(chosen or [], 3)), "together"]
    assert told(app)["Release"].tolist() == expected


def test_the_boxes_of_a_release_that_was_made_here_are_numbered_as_elsewhere() -> None:
    for k in (3, 4):  # the session's k, and another
        app = open_page("together", TOY.data, TOY.study.with_k(3))
        here = {}
        for given in (
            [],
            [together.Given("own.csv", recode(TOY.data, TOY.study.with_k(k)).release.to_csv_text().encode(), None)],
        ):
            app.session_state[together._GIVEN] = given
            let_run(app.run())
            releases(app).set_value([] if given else [(k, None)]).run()
            let_run(app)
            (drawn,) = pictures(app)
            here[len(given)] = drawn["figure"]["outlines"]
        assert here[0] == here[1]


def test_two_releases_in_one_click() -> None:
    app = open_page("together", TOY.data, TOY.study)
    releases(app).set_value([(4, None), (7, None)]).run()
    let_run(app)
    assert "Alone, each release singles nobody out and settles at most 4 of 16 cells" in shown(app)
    assert "Together they settle 12 of 16, and single 3 people out." in shown(app)
    table = told(app)
    assert table["Cells certain"].tolist() == ["4", "0", "12"]
    assert table["People singled out"].tolist() == ["0", "0", "3"]
    # The paper's loss beside the detail lost that other pages name was taken for an error.
    assert list(table) == ["Release", "Cells certain", "People singled out"]
    assert "8 cells became certain only by putting them together" in shown(app)


def test_what_was_found_before_the_time_ran_out_is_told_as_a_lower_bound() -> None:
    """It said “29 or more” in the sentence, “29” in the table, and then flatly that nobody is singled out."""
    found = compose([recode(TOY.data, TOY.study.with_k(k)).release for k in (4, 7)])
    (cut,) = [replace(found, complete=False)]
    assert story.headline((found, cut)).endswith("settle 12 or more of 16, and single out 3 people or more.")
    assert story.table((found, cut), ["a", "b"]).iloc[-1].tolist() == ["together", "12 or more", "3 or more"]
    nobody = replace(cut, cells=tuple(view for view in found.cells if view.cell not in found.isolated))
    assert story.headline((found, nobody)).endswith("settle 9 or more of 13; nobody was found singled out.")
    assert story.table((found, nobody), ["a", "b"]).iloc[-1].tolist() == ["together", "9 or more", "none found"]
    # What one release says alone is no more certain than the attack on it.
    one = replace(found.alone[0], tight=replace(found.alone[0].tight, complete=False))
    partly = replace(found, alone=(one, found.alone[1]))
    assert story.headline((found, partly)).startswith("Alone, as far as found, each release singles nobody out")
    assert story.table((found, partly), ["a", "b"]).iloc[0].tolist() == ["1: a", "4 or more", "none found"]


def test_why_a_cell_is_certain_names_both_releases() -> None:
    app = open_page("together", TOY.data, TOY.study)
    releases(app).set_value([(4, None), (7, None)]).run()
    let_run(app)
    why = next(one for one in app.selectbox if one.label == "Why is it certain?")
    why.select_index(0).run()
    let_run(app)
    assert "Release 1:" in shown(app)
    assert "Release 2:" in shown(app)


def test_the_sentence_speaks_of_what_the_picture_shows() -> None:
    app = open_page("together", TOY.data, TOY.study)
    releases(app).set_value([(4, None), (7, None)]).run()
    let_run(app)
    assert "Together they" in shown(app)
    (number,) = [one for one in app.get("button_group") if one.label == "Put together"]
    number.set_value(1).run()
    assert "Alone it " in shown(app)
    assert " 4 of 16 cells, and singles nobody out." in shown(app)
    assert "Together they" not in shown(app)


def test_the_caption_names_only_what_is_drawn() -> None:
    """With a third column there is neither a box nor a mark in the picture, and its numbers are of cells."""
    app = open_page("together", TOY.data, TOY.study)
    releases(app).set_value([(4, None), (7, None)]).run()
    let_run(app)
    (told,) = [caption.value for caption in app.caption if caption.value.startswith("Releases 1 and 2:")]
    assert "marked new. Drawn: the boxes of release 2." in told
    assert "\\nnew" in str(pictures(app)[0]["figure"])
    study = TOY.study.changed(attributes=(*TOY.study.attributes, Attribute("sex", 0, 2, 2)))
    app = open_page("together", TOY.data.assign(sex=[row % 2 for row in range(len(TOY.data))]), study)
    releases(app).set_value([(3, None), (5, None)]).run()
    let_run(app)
    assert not app.exception
    (told,) = [caption.value for caption in app.caption if caption.value.startswith("Releases 1 and 2:")]
    assert "How many cells behind each tile become certain, not how many people." in told
    assert "sex is not drawn" in told
    assert "marked new" not in told
    assert "Drawn: the boxes" not in told


def test_an_earlier_release_is_loaded_and_comes_first() -> None:
    release = recode(TOY.data, TOY.study.with_k(7)).release
    other = recode(TOY.data.iloc[:-1], TOY.study.with_k(7)).release
    app = open_page(
        "together",
        TOY.data,
        TOY.study,
        **{together._GIVEN: [together.Given("old.csv", release.to_csv_text().encode(), TOY.study.with_k(7))]},
    )
    releases(app).set_value([(4, None)]).run()
    let_run(app)
    assert told(app)["Release"].tolist() == ["1: old.csv", "2: k = 4", "together"]
    assert told(app)["Cells certain"].tolist() == ["0", "4", "12"]
    # Of fewer people: a sentence that says so, and what to do.
    app.session_state[together._GIVEN] = [together.Given("less.csv", other.to_csv_text().encode(), TOY.study.with_k(7))]
    let_run(app.run())
    assert "less.csv has 35 rows and k = 4 has 36 rows, so they are not of the same people." in shown(app)
    next(one for one in app.toggle if one.label.startswith("The table has grown")).set_value(True).run()
    let_run(app)
    assert len(told(app)) == 3


def test_a_row_that_was_left_out_is_named_and_supposed_with_one_click() -> None:
    """It blamed k, which was right. The larger one came first."""
    whole = recode(TOY.data, TOY.study.with_k(6)).release
    less = recode(TOY.data.drop(index=20), TOY.study.with_k(2)).release
    given = [
        together.Given(f"{name}.csv", release.to_csv_text().encode(), TOY.study.with_k(release.k))
        for name, release in (("whole", whole), ("less", less))
    ]
    app = let_run(open_page("together", **{together._GIVEN: given}))
    assert "whole.csv has 36 rows and less.csv has 35 rows, so they are not of the same people." in shown(app)
    assert "Change its k" not in shown(app)
    assert not app.error
    assert len(pictures(app)) == 2  # what each shows stays in sight
    assert shown(app).count("What everybody can read") == 1
    next(one for one in app.button if one.label == "Put them together so").click().run()
    let_run(app)
    assert not app.error
    table, expected = told(app), compose([less, whole], grown=True)
    assert table["Cells certain"].tolist()[-1] == str(len(expected.fixed_cells))
    assert table["People singled out"].tolist()[-1] == str(len(expected.isolated))
    assert next(one for one in app.toggle if one.label.startswith("The table has grown")).value
    # Alone the smaller one settles more cells, of its own people: a figure says of whom it speaks.
    alone = [len(one.fixed_cells) for one in expected.alone]
    assert alone[0] > len(expected.fixed_cells) > alone[1]
    assert table["Release"].tolist() == [
        "1: less.csv, of its 35 people", "2: whole.csv, of its 36 people", "together, of all 36 people",
    ]  # fmt: skip
    assert f"settles {alone[1]} of 16 cells of its 36 people" in shown(app)


def test_rows_in_the_same_order_suppose_that_new_ones_come_last() -> None:
    """Of a row that was left out in the middle it is false, and contradicts here; of the last one it holds."""
    study = TOY.study.with_k(4)
    for gone, fits in ((35, True), (20, False)):
        in_order = [recode(data, study).frame for data in (TOY.data.drop(index=gone), TOY.data)]
        given = [
            together.Given(f"{number}.csv", one.to_csv(sep=";", index=False).encode(), study)
            for number, one in enumerate(in_order)
        ]
        app = let_run(open_page("together", **{together._GIVEN: given, together.GROWN: True}))
        assert "new rows last" not in shown(app)
        order = next(one for one in app.toggle if one.label == "Their rows stand in the same order")
        assert "the rows that only the later release has come last" in order.help
        let_run(order.set_value(True).run())
        assert ("row i of each is of the same person, new rows last." in shown(app)) is fits
        assert ("with their rows linked, since no table gives both" in shown(app)) is not fits


def test_the_page_warns_that_one_release_less_the_other_gives_a_sensitive_value() -> None:
    study = TOY.study.with_roles(TOY.study.roles.given("illness", "sensitive"))
    frame = TOY.data.assign(illness=["flu", "cold", "<b>gout</b>"] * 12)
    releases = [recode(data, study.with_k(4)).release for data in (frame.drop(index=20), frame)]
    given = [
        together.Given(f"{number}.csv", release.to_csv_text().encode(), study.with_k(4))
        for number, release in enumerate(releases)
    ]
    app = let_run(open_page("together", **{together._GIVEN: given, together.GROWN: True}))
    (warned,) = [one.value for one in app.warning]
    assert "gives the illness of the person whom release 2 alone has" in warned
    assert "gout" in warned
    assert "<b>" not in warned.replace("\\<", "")
    assert "and shows the same illness of them. Cells are cut by age and weight." in shown(app)
    # What stands first, that nobody is singled out, is not all.
    assert "Their difference gives away more, below." in shown(app)


def test_releases_of_other_people_are_not_laid_to_their_k() -> None:
    """Of as many rows, but of other people: where they clash is said, and k is not named, for no k makes them fit."""
    other = TOY.data.assign(weight=TOY.data["weight"].to_numpy()[::-1])
    ones = [recode(data, TOY.study.with_k(4)).release for data in (TOY.data, other)]
    given = [
        together.Given(f"{number}.csv", release.to_csv_text().encode(), TOY.study.with_k(4))
        for number, release in enumerate(ones)
    ]
    app = let_run(open_page("together", **{together._GIVEN: given}))
    (said,) = [one.value for one in app.error]
    assert "Releases 1 and 2 cannot be of the same people since no table gives both" in said
    assert "Read with k" not in said
    assert not app.info


def test_files_are_read_with_the_study_of_their_name(monkeypatch) -> None:
    kept = {}
    monkeypatch.setattr(together.st, "session_state", kept)
    one, other = (recode(TOY.data, TOY.study.with_k(k)).release for k in (4, 7))
    said = together.take_uploaded(
        [
            File("a.csv", one.to_csv_text().encode()),
            File("a.toml", TOY.study.with_k(4).to_toml_text().encode()),
            File("b.csv", other.to_csv_text().encode()),
            File("b.toml", TOY.study.with_k(7).to_toml_text().encode()),
        ]
    )
    assert said == ["a.csv: 36 records.", "b.csv: 36 records."]
    assert [together.read_uploaded(each).release.k for each in together.given()] == [4, 7]


def test_releases_without_a_study_are_read_by_their_labels() -> None:
    one, other = (recode(TOY.data, TOY.study.with_k(k)).release.to_csv_text().encode() for k in (4, 7))
    app = open_page(
        "together",
        **{together._GIVEN: [together.Given(f"{n}.csv", t, None) for n, t in zip("ab", (one, other), strict=True)]},
    )
    let_run(app)
    assert not app.exception
    assert not app.error
    said = shown(app)
    assert "a.csv: hierarchies of age and weight guessed from the labels" in guessed(app)
    assert "Together they settle" in said
    assert "published this table before" not in said
    assert "Choose a table on the page Data" not in said
    # With the study beside them the answer is that of the releases made here.
    studies = [TOY.study.with_k(k) for k in (4, 7)]
    app.session_state[together._GIVEN] = [
        together.Given(f"{n}.csv", t, s) for n, t, s in zip("ab", (one, other), studies, strict=True)
    ]
    let_run(app.run())
    assert "Together they settle 12 of 16, and single 3 people out." in shown(app)
    assert "guessed" not in shown(app)


AGES = ["[20, 40["] * 4 + ["[40, 60["] * 7, ["[20, 50["] * 7 + ["[50, 60["] * 4
BY_SEX = "FMFM" + "FMFMFMF", "FMFMFMF" + "MFMF"


def brought(*columns: str) -> list[together.Given]:
    """Two releases of the same eleven people without a study."""
    given = []
    for number, (ages, sexes) in enumerate(zip(AGES, BY_SEX, strict=True)):
        table = pd.DataFrame({"age": ages, "sex": list(sexes), "diagnosis": [f"d{row}" for row in range(len(ages))]})
        given.append(together.Given(f"{number}.csv", table[list(columns)].to_csv(sep=";", index=False).encode(), None))
    return given


def test_a_column_in_doubt_is_named_and_may_be_chosen() -> None:
    """A column of plain values took no part, and nothing on the page said so; Audit says so of the same file."""
    app = let_run(open_page("together", **{together._GIVEN: brought("age", "sex", "diagnosis")}))
    assert not app.error
    said = shown(app)
    assert "the table cannot tell: nobody stands alone by age and sex together." in said
    assert "Cells are cut by age; sex and diagnosis take no part." in said
    (columns,) = [one for one in app.multiselect if one.label.startswith("Quasi-identifiers")]
    assert (columns.options, columns.value) == (["age", "sex"], ["age"])
    columns.set_value(["age", "sex"]).run()
    let_run(app)
    assert not app.error
    assert "cannot tell" not in shown(app)
    assert "Cells are cut by age and sex; diagnosis takes no part." in shown(app)


def test_of_all_cells_there_are_no_more() -> None:
    """It said "5 or more" of 5, named a single new cell of two, and marked none."""
    ages = ["[20, 40["] * 11 + ["[40, 60["] * 19 + ["[60, 80["] * 18, ["[20, 50["] * 21 + ["[50, 80["] * 27
    given = [
        together.Given(f"{number}.csv", "\n".join(["age;x", *(f"{age};" for age in column), ""]).encode(), None)
        for number, column in enumerate(ages)
    ]
    app = let_run(open_page("together", **{together._GIVEN: given}))
    assert "settles at most 2 of 4 cells." in shown(app)
    assert "Together they settle 4 of 4, and single nobody out." in shown(app)
    assert "2 cells became certain only by putting them together, marked new." in shown(app)
    assert str(pictures(app)[0]["figure"]).count("\\nnew") == 2
    (help_of,) = [one.help for one in app.caption if one.value.startswith("Supposed")]
    assert "Tables left: at most 1 by all together." in help_of
    assert "how many of the people are in each finest cell" in help_of


def test_where_only_what_was_brought_is_looked_at_the_chips_fold_away() -> None:
    app = open_page("together", TOY.data, TOY.study, **{together._GIVEN: brought("age", "sex")})
    releases(app).set_value([]).run()
    let_run(app)
    (more,) = [one for one in app.expander if one.label == "More releases"]
    assert [one.label for one in more.button_group] == [releases(app).label]
    releases(app).set_value([(3, None)]).run()
    assert "More releases" not in [one.label for one in app.expander]


def test_another_table_in_the_session_lends_no_study() -> None:
    text = b"years\n" + b"[0, 20[\n" * 4 + b"[20, 40[\n" * 5
    app = open_page("together", TOY.data, TOY.study, **{together._GIVEN: [together.Given("own.csv", text, None)]})
    releases(app).set_value([]).run()
    let_run(app)
    assert not app.error
    assert "own.csv: hierarchy of years guessed from the labels" in guessed(app)


def test_k_is_that_of_the_smallest_class_where_nobody_says_it(monkeypatch) -> None:
    """Not the session's: a release with k = 7 beside a session with k = 3 was read with 3, and contradicted itself."""
    monkeypatch.setattr(together, "soon_over", lambda *_: False)  # as of a large table, where k is not looked for
    text = recode(TOY.data, TOY.study.with_k(7)).release.to_csv_text().encode()
    app = open_page(
        "together", TOY.data, TOY.study.with_k(3), **{together._GIVEN: [together.Given("toy7.csv", text, None)]}
    )
    let_run(app)
    assert not app.error
    assert "toy7.csv: k = 7 from the smallest group." in guessed(app)
    # Set to the session's by hand it contradicts itself: the page says why, and what can be read stays drawn.
    (k,) = [one for one in app.number_input if one.label == "k of toy7.csv"]
    assert k.value is None
    k.set_value(3).run()
    let_run(app)
    assert "no data satisfy its constraints" in app.error[0].value
    assert "Read with k = 7, the size of its smallest class, nothing contradicts it." in app.error[0].value
    assert len(pictures(app)) == 3
    # A session with a larger k lends its hierarchies as well.
    app = open_page(
        "together", TOY.data, TOY.study.with_k(9), **{together._GIVEN: [together.Given("toy7.csv", text, None)]}
    )
    let_run(app)
    assert "toy7.csv: k = 7 from the smallest group." in guessed(app)


def test_a_study_that_comes_later_and_an_archive_are_taken(monkeypatch) -> None:
    monkeypatch.setattr(together.st, "session_state", {})
    release = recode(TOY.data, TOY.study.with_k(4)).release.to_csv_text()
    study = TOY.study.with_k(4).to_toml_text()
    together.take_uploaded([File("a.csv", release.encode())])
    assert together.given()[0].study is None
    assert together.take_uploaded([File("study.toml", study.encode())]) == ["a.csv: 36 records, by its study."]
    files = {RELEASE: release, f"{READERS}/study.toml": study, f"{KEEP}/{SETTINGS}": "no study"}
    assert together.take_uploaded([File("mine.zip", packed_zip(files))]) == ["mine.csv: 36 records."]
    assert [one.study is None for one in together.given()] == [False, False]
    assert together.read_uploaded(together.given()[1]).release.k == 4


SEXES = TOY.data.assign(sex=["F", "M"] * 18)


def handed_out(monkeypatch, k: int) -> dict[str, bytes]:
    """What Recode hands out of one table, in its ZIP, whose hierarchy file is another for each k here."""
    rows = [("F", "woman", "*"), ("M", "man", "*")] if k == 3 else [("F", "any", "*"), ("M", "any", "*")]
    study = TOY.study.changed(attributes=(*TOY.study.attributes, FileHierarchy("sex", rows)), k=k)
    kept = []
    monkeypatch.setattr(panel, "download", lambda _, data, name, **__: kept.append(File(name, data())))
    monkeypatch.setattr(state, "once", lambda _name, _key, compute: compute())
    made = recode(SEXES, study)
    panel.download_whole(made, made.release.to_csv_text(), "people of the ward.xlsx")
    (file,) = kept
    assert file.name == f"people of the ward-k{k}.zip"
    return {"zip": file} | dict(unpacked(file))


def test_two_zips_of_recode_are_taken_at_once_and_each_says_what_belongs_to_it(monkeypatch) -> None:
    both = [handed_out(monkeypatch, k) for k in (3, 5)]
    assert both[0]["sex.csv"] != both[1]["sex.csv"]
    monkeypatch.undo()
    app = let_run(open_page("together"))
    app.file_uploader[0].set_value([(*astuple(one["zip"]), "application/zip") for one in both])
    app = let_run(app.run())
    assert not app.error
    assert told(app)["Release"].tolist()[:2] == ["1: people of the ward-k3.csv", "2: people of the ward-k5.csv"]
    for k in (3, 5):
        assert f"people of the ward-k{k}.csv: with people of the ward-k{k}.zip, study.toml and sex.csv" in shown(app)


def test_single_files_wait_for_what_is_missing(monkeypatch) -> None:
    files = handed_out(monkeypatch, 3)
    monkeypatch.setattr(together.st, "session_state", {})
    named = [File("k3.csv", files["release.csv"]), File("k3.toml", files["study.toml"])]
    with pytest.raises(StudyError, match=r"names the hierarchy file 'sex.csv'.*the whole ZIP"):
        together.take_uploaded(named)
    assert together.received() == ["k3.csv: waits for the rest", "k3.toml: waits for the rest"]
    assert together.take_uploaded([File("sex.csv", files["sex.csv"])]) == ["k3.csv: 36 records."]
    assert together.received() == ["k3.csv: with k3.toml and sex.csv"]
    # No hierarchy file is a release, by whatever name and in whatever company.
    with pytest.raises(StudyError, match=r"sex.csv is a hierarchy file: .* best the ZIP"):
        together.take_uploaded([File("sex.csv", files["sex.csv"])])
    together.forget_uploaded()
    again = [*named, File("sex.csv", files["sex.csv"]), File("sex (1).csv", files["sex.csv"])]
    assert together.take_uploaded(again) == ["k3.csv: 36 records.", "Not used: sex (1).csv."]


def test_hierarchy_files_of_two_releases_under_one_name_are_told_apart_by_their_zips(monkeypatch) -> None:
    three, five = (handed_out(monkeypatch, k) for k in (3, 5))
    monkeypatch.setattr(together.st, "session_state", {})
    trees = [File("sex.csv", one["sex.csv"]) for one in (three, five)]
    with pytest.raises(DataError, match=r"More than one file is called sex.csv\. .* as the ZIP that Recode hands out"):
        together.take_uploaded([File("k3.csv", three["release.csv"]), File("k3.toml", three["study.toml"]), *trees])
    named = [
        File(f"k{k}.{kind}", one[name])
        for k, one in ((3, three), (5, five))
        for kind, name in (("csv", "release.csv"), ("toml", "study.toml"))
    ]
    with pytest.raises(CRAError, match=r"is no interval of this study's hierarchy.* as the ZIP that Recode hands out"):
        together.take_uploaded([*named, File("sex.csv", b"X;none;*\nY;none;*\n")])
    assert together.given() == []


def test_a_study_that_comes_later_leaves_releases_that_have_one(monkeypatch) -> None:
    three, five = (handed_out(monkeypatch, k) for k in (3, 5))
    monkeypatch.setattr(together.st, "session_state", {})
    together.take_uploaded([three["zip"]])
    together.take_uploaded([File("late.csv", recode(TOY.data, TOY.study.with_k(5)).release.to_csv_text().encode())])
    together.take_uploaded([File("late.toml", TOY.study.with_k(5).to_toml_text().encode())])
    assert [one.study.k for one in together.given()] == [3, 5]
    assert five["study.toml"] != three["study.toml"]


def test_the_last_release_is_mended_beside_the_others() -> None:
    app = open_page("together", TOY.data, TOY.study)
    releases(app).set_value([(4, None), (7, None)]).run()
    let_run(app)
    app.button(key="together-repair").click().run()
    let_run(app)
    (said,) = [one.value for one in app.success]
    assert "together 3 people certain before, nobody now" in said
    assert "this is no promise to them" in shown(app)
    assert "Download the repaired release" in [one.proto.label for one in app.get("download_button")]
    # Where an earlier release makes somebody certain by itself, that is said at once.
    releases(app).set_value([(3, None), (7, None)]).run()
    let_run(app)
    assert "A repair of the last release cannot help" in shown(app)
    assert "together-repair" not in {button.key for button in app.button}


def test_releases_of_the_session_leave_out_what_is_to_be_removed() -> None:
    study = TOY.study.with_roles(TOY.study.roles.given("name", "removed"))
    frame = TOY.data.assign(name=[f"p{row}" for row in range(len(TOY.data))])
    version = together.Version(4)
    assert version.of(study).roles == study.roles
    assert "name" not in recode(frame, version.of(study)).frame
    assert version.of(study.with_epsilon(1)).profile == "paper"
