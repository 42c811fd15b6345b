"""The Audit page: a released table in, findings out, and a sentence for whatever cannot be audited."""

import json
import re
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest
from support import APP, go_to, let_run, look, open_page, pictures, shown

from arx_projects import project
from cra_dashboard.audit import run as audit_run
from cra_dashboard.session.datasets import example
from cra_engine import Attribute, Study, read_hierarchy, recode, synthesize
from cra_engine.audits.report import audit_html
from cra_engine.checks.demands import NOT_MET
from cra_engine.files.zipped import packed_zip
from cra_engine.patience import Stopped, checkpoint

ARX = Path(__file__).resolve().parents[1] / "data" / "arx"
RELEASE = (ARX / "outputs/toy40b.ex38.k3.csv").read_bytes()


@pytest.fixture
def page():
    app = AppTest.from_file(APP, default_timeout=300)
    app.run()
    app.switch_page("pages/audit.py").run()
    return clean(app)


def clean(app):
    assert not app.exception, app.exception
    return app


def give(app, place, name, content, *more):
    """Give files to the field for all, at place 0 wherever it stands, or to that of the shares."""
    fields = sorted(app.file_uploader, key=lambda field: not field.label.startswith("ZIP of a release"))
    for one in ((name, content), *more):
        fields[place].upload(*one)
    return clean(app.run())


def hierarchies(app):
    """What the page says of the hierarchies that it goes by."""
    return next(table.value for table in app.dataframe if "How sure" in table.value)


def press(app, label):
    """Press a button and wait for what it starts."""
    return let_run(begin(app, label))


def begin(app, label):
    next(button for button in app.button if button.label == label).click()
    return clean(app.run())


def only_boxes(page):
    """Whether the page draws what everybody can read, and claims nothing."""
    return [told["alt"].partition(" with ")[0] for told in pictures(page)] == ["The grid"]


def demands(page):
    """The rows of the check-list, the folded one last."""
    return [one.label.replace("\\", "") for one in page.expander if one.label[:2] in ("✗ ", "? ", "✓ ")]


def test_without_a_release_the_page_shows_what_an_audit_is_on_the_toys(page):
    let_run(page)
    assert pictures(page)
    # Nobody asked about the example: it says so first, and is not red.
    assert not page.error
    (said,) = [box.value for box in page.info]
    assert said.startswith("**Example: release of Toy.csv.** Its verdict is **Stop.**")
    give(page, 0, "toy.csv", RELEASE)
    press(page, "Forget this release")
    assert "No raw data are needed" in shown(page)
    assert not pictures(page)
    press(page, "Audit the release of Toy")
    assert pictures(page)
    published = recode(page.session_state["cra_dataset"].frame, page.session_state["cra_study"]).release
    for brought in (published.to_csv_text().encode(), RELEASE):
        give(page, 0, "toy.csv", brought)
        let_run(page)
        assert "Example" not in "".join(box.value for box in page.info)
        assert [*page.error, *page.warning]


def test_its_sentences_number_classes_as_the_table_of_the_classes_does(page):
    let_run(page)
    told = next(one.value for one in page.markdown if "The attack cuts deepest in" in one.value).replace("\\", "")
    named = re.findall(r"class (\d+) \(([^()]*), (\d+) records?\)", told)
    assert len(named) > 1
    table = next(one.value for one in page.dataframe if {"Class", "Records"} <= {*one.value.columns})
    assert not table.empty
    for number, _, size in named:
        (row,) = table[table["Class"].astype(str) == number].to_dict("records")
        assert row["Records"] == int(size), (number, size, row)


def test_a_number_of_people_likely_alone_stands_nowhere_beside_a_demand_that_says_it_was_not_looked_at(page):
    toy = synthesize("toy")
    table = recode(toy.data, toy.study).frame.rename(columns={"weight": "mass"})
    give(page, 0, "own.csv", table.to_csv(index=False).encode())
    page = let_run(page)
    (likely,) = [one for one in page.expander if "nobody likely to stand alone" in one.label]
    assert "not looked at" in likely.label
    assert "some labels stand in several layers" in " ".join(one.value for one in likely.caption)
    assert "people likely alone" not in shown(page)
    # Nor does a picture, a table of cells or a sentence, though the attack by class has such numbers.
    audited = page.session_state["cra_audit_result"][1]
    assert audited.assessment.cell_chances
    assert only_boxes(page)
    assert "The cells, the likeliest first" not in [one.label for one in page.expander]
    assert not any("are alone, the only one of their kind" in one for one in audited.findings)
    assert not re.search(r"the only one of their kind|cells that are less likely", audit_html(audited))


def test_of_a_table_alone_the_page_says_that_its_rows_alone_were_looked_at_and_what_the_zip_adds(page):
    alone = "From the rows alone"
    let_run(page)
    assert alone not in shown(page)
    give(page, 0, "toy.csv", RELEASE)
    let_run(page)
    (verdict,) = [one.value for one in (*page.warning, *page.error) if "Looked at" in one.value]
    told = "its rows alone. With the ZIP the check says more."
    assert f"Looked at: **toy.csv**, {told}" in verdict
    assert f"**{alone}**" in [one.value for one in page.markdown]
    give(page, 0, "study.toml", (ARX / "studies/toy40b.paper.toml").read_bytes())
    let_run(page)
    assert alone not in shown(page)
    assert "rows alone" not in shown(page)


def test_the_table_of_the_session_is_said_to_be_it_beside_the_verdict():
    toy = synthesize("toy")
    page = let_run(open_page("audit", toy.data, toy.study))
    page.session_state["cra_dataset"] = replace(page.session_state["cra_dataset"], origin="uploaded")
    let_run(clean(page.run()))
    (verdict,) = [one.value for one in (*page.warning, *page.error) if "Looked at" in one.value]
    assert verdict.replace("\\", "").endswith(
        "Looked at: the **release of Example.csv** in this session. Another release goes into **ZIP of a release**."
    )


def test_without_hierarchies_there_is_no_own_release_to_look_at():
    toy = synthesize("toy")
    page = open_page("audit", toy.data)
    assert "Upload the released table to begin" in shown(page)
    assert not pictures(page)


def test_what_the_chances_suppose_beyond_the_labels_is_in_sight(page):
    people = ["20-39,40-59"] * 3 + ["40-59,40-79"] * 3 + ["20-39,60-79"] * 3 + ["*,*"] * 2
    give(page, 0, "guessed.csv", "\n".join(["age,weight", *people]).encode())
    page = let_run(page)
    (said,) = [caption.value for caption in page.caption if "value that no label shows" in caption.value]
    added, alone = map(float, re.search(r"add up to ([\d.]+) of the ([\d.]+) people likely alone", said).groups())
    audited = page.session_state["cra_audit_result"][1]
    assert (round(sum(chance for _, chance in audited.chances), 1), added < alone) == (added, True)
    assert "beyond the labels" in json.dumps(pictures(page)[0])


def test_from_upload_to_findings(page):
    give(page, 0, "toy.csv", RELEASE)
    assert "**toy.csv** · 40 records" in shown(page)
    assert hierarchies(page)["Column"].tolist() == ["Q1", "Q2"]
    assert hierarchies(page)["How sure"].tolist() == ["guessed from the labels"] * 2
    let_run(page)
    text = shown(page)
    assert "The table shows 38 of 40 people by Q1, Q2 in 10 boxes (equivalence classes) of 3 to 6:" in text
    assert "k is guessed: 3" in text
    assert "2 people are suppressed" in text
    assert pictures(page)
    assert all(told["alt"] for told in pictures(page))
    assert len(page.dataframe) == 2  # of the columns and of the classes: who stands alone was not looked at
    assert page.get("download_button")


def test_a_column_with_one_label_is_said_and_stops_nothing(page):
    rows = [f"{age},8000*" for age in ["[20, 40["] * 3 + ["[40, 60["] * 3]
    give(page, 0, "own.csv", "\n".join(["age;zip", *(row.replace(",8", ";8") for row in rows)]).encode())
    assert "Nothing can be read from zip: one label only." in shown(page)
    let_run(page)
    assert "The table shows 6 people by age, zip in 2 boxes (equivalence classes) of 3:" in shown(page)


def test_another_setting_asks_for_another_run(page):
    give(page, 0, "toy.csv", RELEASE)
    let_run(page)
    page.number_input[0].set_value(2)
    clean(page.run())
    assert only_boxes(page)
    page.number_input[0].set_value(4)
    clean(page.run())
    let_run(page)
    assert "fewer than k = 4" in page.error[0].value


def test_what_records_are_like_is_chosen_or_given_as_shares(page):
    give(page, 0, "toy.csv", RELEASE)
    next(box for box in page.selectbox if box.label == "What records are supposed to be like").set_value("independent")
    clean(page.run())
    let_run(page)
    assert page.session_state["cra_audit_result"][1].attack.prior.name == "independent"
    give(page, 1, "shares.csv", b"attribute,lower,upper,share\nQ1,-1000,1000,1\n")
    assert "weighed by the shares of **shares.csv**" in shown(page)
    let_run(page)
    assert page.session_state["cra_audit_result"][1].attack.prior.name == "population"
    assert "the given shares of the population" in shown(page)
    clean(begin(page, "Do without these shares"))
    assert "weighed by the shares" not in shown(page)
    give(page, 1, "shares.csv", b"attribute,value,share\nQ9,1,1\n")
    let_run(page)
    assert "'Q9' is no attribute" in page.error[0].value.replace("\\", "")


def test_hierarchy_files_and_a_study(page):
    give(page, 0, "toy.csv", RELEASE)
    give(page, 0, "toy40b_Q1.csv", (ARX / "hierarchies/toy40b_Q1.csv").read_bytes())
    assert hierarchies(page)["How sure"].tolist() == ["given", "guessed from the labels"]
    give(page, 0, "other.csv", b"1;a;*\n2;b;*\n")
    assert "names no column of the release" in page.error[0].value
    study = (ARX / "studies/toy40b.paper.toml").read_text(encoding="utf-8").replace("k = 5", "k = 3")
    give(page, 0, "study.toml", study.encode())
    assert hierarchies(page)["How sure"].tolist() == ["given", "given"]
    assert page.number_input[0].value == 3
    assert page.radio[0].value == "A single class per step"
    let_run(page)
    assert "remain (counted, shown rounded)" in shown(page)


def told(app):
    """What came of the files, without the verdict."""
    warned = [box for box in app.warning if "the released table" in box.value]
    boxes = [box.value for box in [*app.success, *warned, *app.error] if not box.value.startswith("**")]
    return "".join(boxes).replace("\\", "")


SEXES = b"f;*\nm;*\n"
STUDY = Study([Attribute("age", 0, 40, 2), read_hierarchy(SEXES, "sex", name="sex.csv")], 2).to_toml_text()
ABOUT = [("study.toml", STUDY.encode()), ("sex.csv", SEXES)]
WITH_SEX = ("release.csv", b"age;sex;illness\n" + b"[0, 20[;f;flu\n[0, 20[;f;cut\n[20, 40[;m;flu\n" * 3)
OF_STUDY = "study.toml: the study of age and sex; sex.csv: a hierarchy of that study."


def in_folders(*files):
    """The files of an archive of Make it publishable, as a ZIP: what goes out, what stays, and what a Mac adds."""
    out, *study = files
    keep = [("settings.toml", b"table = 'x'"), ("verdict.html", b"<p>")]
    folders = {"hand-out": [out, ("how-to-read.txt", b"the table")], "hand-out/study": study, "keep": keep}
    packed = {f"{folder}/{name}": content for folder, those in folders.items() for name, content in those}
    return packed_zip({**packed, "__MACOSX/hand-out/._release.csv": b"\0\5\x16\7"})


@pytest.mark.parametrize("place", ["with the release", "after it", "beside the shares", "in a ZIP", "a ZIP after it"])
def test_a_study_is_taken_with_its_files_wherever_it_is_given(page, place):
    if place == "with the release":
        give(page, 0, *WITH_SEX, *ABOUT)
        assert told(page) == f"release.csv: the released table; {OF_STUDY}"
    elif place == "in a ZIP":
        give(page, 0, "archive.zip", in_folders(WITH_SEX, *ABOUT))
        unused = "Not used: how-to-read.txt, settings.toml and verdict.html."
        assert told(page) == f"release.csv: the released table; {OF_STUDY} {unused}"
    else:
        give(page, 0, *WITH_SEX)
        assert hierarchies(page)["Column"].tolist() == ["age"]
        files = [("study.zip", packed_zip(dict(ABOUT)))] if place == "a ZIP after it" else ABOUT
        give(page, 1 if place == "beside the shares" else 0, *files[0], *files[1:])
        assert told(page) == OF_STUDY
    assert hierarchies(page)["Column"].tolist() == ["age", "sex"]
    assert hierarchies(page)["How sure"].tolist() == ["given", "given"]
    let_run(page)
    assert page.session_state["cra_audit_result"][1].release.study.names == ("age", "sex")


def test_that_a_zip_holds_what_stays_with_the_publisher_is_said_as_long_as_its_release_is_shown(page):
    keep = "The ZIP holds the folder **keep**, which must not be handed out: it stays with the publisher."
    give(page, 0, "archive.zip", in_folders(WITH_SEX, *ABOUT))
    let_run(page)

    def boxes():
        """The boxes from top to bottom."""
        return [one.value.replace("\\", "") for one in page.main if one.type in ("success", "warning", "error")]

    def assert_said():
        assert boxes()[0] == keep  # above the verdict, which is of one file in it
        assert "Looked at: **release.csv in archive.zip**, and nothing else of the ZIP." in boxes()[1]

    assert_said()
    page.switch_page("pages/data.py").run()
    page.radio(key="data-from").set_value("Make a synthetic table").run()
    page.button(key="data-make").click().run()
    page.switch_page("pages/audit.py").run()
    let_run(page)
    assert_said()
    give(page, 0, *WITH_SEX)
    let_run(page)
    assert keep not in boxes()


def test_what_the_publisher_accepted_is_said_as_how_to_read_beside_the_release_does(page):
    accepted = f"{NOT_MET}all known columns in the groups, but 3 of 9 people alone. No bill names it."
    how = f"\ufeffHow to read this table\n\n9 rows.\n{accepted}\n\nThe columns\n".encode()
    files = dict([WITH_SEX, ("how-to-read.txt", how), *ABOUT])
    give(page, 0, "archive.zip", packed_zip(files))
    let_run(page)
    assert f"Accepted by who published it: {accepted}" in shown(page).replace("\\", "")
    give(page, 0, "archive.zip", in_folders(WITH_SEX, *ABOUT))
    let_run(page)
    assert "Accepted by who published it" not in shown(page)


def test_how_many_tables_are_possible_stands_last_and_not_among_what_the_file_gives_away(page):
    give(page, 0, *WITH_SEX, *ABOUT)
    let_run(page)
    folds = {one.label: " ".join(each.value for each in one.markdown) for one in page.expander}
    assert "are possible" not in folds["What the file gives away, in sentences"]
    assert "are possible" in folds["What is supposed; possible tables"]


def test_hierarchies_without_a_study_are_told_from_the_table_they_come_with(page):
    give(page, 0, "clinic_sex.csv", SEXES, WITH_SEX, ("notes.docx", b"PK"))
    assert told(page) == (
        "release.csv: the released table; clinic_sex.csv: the hierarchy of sex. Not used: notes.docx."
    )
    assert hierarchies(page)["Column"].tolist() == ["age", "sex"]


def test_a_hierarchy_beside_a_study_that_has_its_own_is_named_as_not_used(page):
    give(page, 0, *WITH_SEX, *ABOUT)
    give(page, 0, "sex.csv", b"f;a;*\nm;a;*\n")
    assert told(page) == "Not used: sex.csv."


@pytest.mark.parametrize("files", [[WITH_SEX, ("other.csv", WITH_SEX[1])], [WITH_SEX, *ABOUT, ("more.toml", b"k = 2")]])
def test_of_two_tables_or_studies_none_is_taken(page, files):
    give(page, 0, *files[0], *files[1:])
    assert "Give one released table" in told(page)
    assert files[-1][0] in told(page)
    assert "cra_audit" not in page.session_state


def test_a_study_without_a_table_asks_for_it(page):
    give(page, 0, *ABOUT[0], ABOUT[1])
    assert told(page) == "Give one released table (CSV), and with it one study or none; here: study.toml."


def test_quasi_identifiers_in_doubt_are_named_on_the_page(page):
    rows = ["[0, 20[;f;flu", "[0, 20[;f;cut", "[20, 40[;m;flu", "[20, 40[;m;cut"] * 2
    give(page, 0, "release.csv", ("age;sex;illness\n" + "\n".join(rows)).encode())
    assert (
        "Whether sex and illness are quasi-identifiers too, the table cannot tell: nobody stands alone by age and any "
        "one of these together." in shown(page)
    )
    assert hierarchies(page)["Column"].tolist() == ["age"]
    let_run(page)
    assert page.session_state["cra_audit_result"][1].findings[0].startswith("In doubt")
    next(box for box in page.checkbox if box.label == "I know the quasi-identifiers").check()
    clean(page.run())
    assert page.multiselect[0].value == ["age"]
    page.multiselect[0].set_value(["age", "sex"])
    clean(page.run())
    assert "Whether sex and illness" not in shown(page)
    assert hierarchies(page)["Column"].tolist() == ["age", "sex"]
    let_run(page)
    audited = page.session_state["cra_audit_result"][1]
    assert audited.release.study.names == ("age", "sex")
    assert audited.doubtful == ()
    page.multiselect[0].set_value([])
    clean(page.run())
    assert "Name at least one" in shown(page)


def test_a_project_of_arx_gives_roles_hierarchies_and_k(page):
    trees = {name: (ARX / f"hierarchies/toy40b_{name}.csv").read_text(encoding="utf-8") for name in ("Q1", "Q2")}
    give(page, 0, "toy.csv", RELEASE)
    given = project(dict.fromkeys(trees, ("QUASI_IDENTIFYING_ATTRIBUTE", "1")), trees)
    give(page, 0, "toy.deid", given)
    assert "ARX's project with 2 hierarchies and k = 3" in page.success[0].value.replace("\\", "")
    assert hierarchies(page)["How sure"].tolist() == ["given", "given"]
    assert page.multiselect[0].value == ["Q1", "Q2"]
    assert page.number_input[0].value == 3
    let_run(page)
    assert page.session_state["cra_audit_result"][1].proposals == ()
    give(page, 0, "broken.deid", given[:300])
    assert "cannot be unpacked" in page.error[0].value


def test_how_suppression_was_weighed_is_asked(page):
    give(page, 0, "toy.csv", (ARX / "outputs/toy40b.gs05.k3.csv").read_bytes())
    study = (ARX / "studies/toy40b.paper.toml").read_text(encoding="utf-8").replace("k = 5", "k = 3")
    give(page, 0, "study.toml", study.encode())
    let_run(page)
    assert "With a g/s factor of 0.5" in shown(page).replace("\\", "")
    next(one for one in page.selectbox if "suppression" in one.label).set_value("0.5")
    clean(page.run())
    let_run(page)
    assert not page.session_state["cra_audit_result"][1].contradicted
    next(one for one in page.selectbox if "suppression" in one.label).set_value("Another factor")
    clean(page.run())
    next(one for one in page.number_input if one.label == "g/s factor").set_value(0.4)
    clean(page.run())
    let_run(page)
    assert str(page.session_state["cra_audit_result"][1].release.gs_factor) == "0.4"


def test_a_table_of_another_algorithm(page):
    give(page, 0, "toy.csv", (ARX / "outputs/toy40b.gs05.k3.csv").read_bytes())
    study = (ARX / "studies/toy40b.paper.toml").read_text(encoding="utf-8").replace("k = 5", "k = 3")
    give(page, 0, "study.toml", study.encode())
    let_run(page)
    assert "Nothing is claimed" in page.error[0].value
    assert only_boxes(page)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"a;b\n1;2\n", "no quasi-identifier can be recognised"),
        (b"a\n[0, 10[\n[5, 15[\n", "two different hierarchies"),
        (b"a;b\n1;2;3\n", "row 1"),
        (b"", "is empty"),
        (b"PK\x03\x04", "Excel"),
    ],
)
def test_what_cannot_be_audited(page, content, says):
    give(page, 0, "odd.csv", content)
    assert says in page.error[0].value.replace("\\", "")
    read = content.startswith(b"a") and says != "row 1"
    assert read == any("a" in table.value for table in page.dataframe)  # what is known of it stands there
    assert read == any("give the whole ZIP" in caption.value for caption in page.caption)


def test_single_hidden_cells_are_no_suppressed_people(page):
    people = ["20-39;20-39"] * 5 + ["40-59;20-39"] * 5 + ["*;40-59"] * 6
    give(page, 0, "cells.csv", "\n".join(["age;weight", *people]).encode())
    page = let_run(page)
    assert page.session_state["cra_audit_result"][1].release.suppressed == 0
    assert any("value that no label shows" in caption.value for caption in page.caption)
    assert not any("uppressed" in caption.value for caption in page.caption)


def test_a_sensitive_column_with_stars_is_left_out_and_what_was_published_is_drawn(page):
    people = ["20-39;m;flu"] * 2 + ["20-39;m;cold"] + ["40-59;f;flu"] * 3 + ["40-59;f;burn", "*;*;*", "*;*;*"]
    give(page, 0, "handed-out.csv", "\n".join(["age;sex;illness", *people]).encode())
    page = let_run(page)
    assert not page.error
    assert hierarchies(page)["Column"].tolist() == ["age", "sex"]
    told = "The column 'illness' is taken as sensitive: by its name something that nobody is to learn of a person."
    assert told in shown(page).replace("\\", "")
    assert pictures(page)
    # More room than the study leaves: that is marked as the reason, with the way to the study.
    assert "**Attention.** Guessed without study or ZIP: hierarchies and how ARX was run." in shown(page)
    (headline,) = [one.value for one in (*page.warning, *page.error) if "Looked at: **handed-out" in one.value]
    assert headline.replace("\\", "").endswith("Guessed without study or ZIP: hierarchies and how ARX was run.")


def test_html_and_markdown_in_names_stay_text(page):
    name = "a<b>$x$*y*"
    rows = "\n".join(["[0, 10["] * 4 + ["[10, 20["] * 4 + ["*"])
    give(page, 0, "<i>x</i>.csv", f"{name}\n{rows}\n".encode())
    let_run(page)
    assert name in shown(page)
    assert "<i>x</i>.csv" in shown(page)
    assert not any(element.allow_html for element in page.markdown)


def test_the_release_can_be_forgotten_and_touches_no_other_page(page):
    give(page, 0, "toy.csv", RELEASE)
    before = page.session_state["cra_dataset"]
    let_run(page)
    press(page, "Forget this release")
    assert page.session_state["cra_dataset"] is before
    assert "cra_audit" not in page.session_state
    assert "cra_audit_result" not in page.session_state


def test_what_recode_publishes_here_is_known_again_and_audit_and_check_say_the_same_of_it():
    toy = synthesize("toy")
    page = open_page("audit", toy.data, toy.study)
    let_run(page)
    own = demands(page)
    assert len(own) == 4
    published = recode(toy.data, toy.study).release
    give(page, 0, "release.csv", published.to_csv_text().encode())
    let_run(page)
    assert [one.value.partition(",")[0] for one in page.success] == ["Recognized as the example Example"]
    assert "Guessed without study or ZIP" not in shown(page)
    assert demands(page) == own
    let_run(go_to(page, "check"))
    assert demands(page) == own
    # A file that somebody brought stays when the study of the session becomes another.
    page.session_state["cra_study"] = toy.study.with_k(4)
    let_run(go_to(page, "audit"))
    assert demands(page) == own
    page.session_state["cra_study"] = toy.study
    # Of another table, or without the study, hierarchies are guessed, and that is said beside the number.
    go_to(page, "audit")
    give(page, 0, "other.csv", recode(toy.data, toy.study.with_k(4)).release.to_csv_text().encode())
    let_run(page)
    assert not page.success
    assert "Guessed without study or ZIP" in shown(page)
    # Nothing is certain there, so that there is one look, and no choice of it.
    assert "Who may stand alone" not in [one.label for one in page.button_group]


def test_one_certain_person_is_marked(page):
    # k = 2: two in one half of [20, 40[ would have been published as that half.
    give(page, 0, "two.csv", b"a\n[0, 10[\n[0, 10[\n[20, 40[\n[20, 40[\n")
    give(
        page,
        0,
        "a.csv",
        b"1;[0, 10[;[0, 20[;*\n11;[10, 20[;[0, 20[;*\n21;[20, 30[;[20, 40[;*\n31;[30, 40[;[20, 40[;*\n",
    )
    next(box for box in page.number_input if box.label == "k, if you know it").set_value(2)
    clean(page.run())
    let_run(page)
    assert "2 cells of the grid hold exactly one person for certain" in shown(page)
    assert (
        demands(page)[0] == "✗ **Nobody singled out for certain**: 2 of 4 people (50 %: more than one in ten), wanted 0"
    )
    assert "Guessed without study or ZIP: how ARX was run." in shown(page)
    (told,) = pictures(page)
    assert told["alt"] == "Exactly one person for certain in 2 cells"
    assert "exactly one person, for certain" in json.dumps(told["figure"])


def test_what_is_expected_of_several_cells_is_said_below_the_picture():
    toy = synthesize("toy")
    study = toy.study.changed(attributes=(*toy.study.attributes, Attribute("sex", 0, 2, 2)))
    page = let_run(open_page("audit", toy.data.assign(sex=[row % 2 for row in range(len(toy.data))]), study))
    if "Who may stand alone" in [one.label for one in page.segmented_control]:
        page = look(page, "How likely", "Who may stand alone")
    assert "cells expected" in json.dumps(pictures(page)[0])
    said = "Expected number of cells behind each tile with exactly one person. A tile stands for several cells here"
    assert any(caption.value.startswith(said) for caption in page.caption)


# ---------------------------------------------------------------- the run


def look_until(app, ends, seconds=300):
    """Look at the page again and again, as the browser does."""
    end = time.monotonic() + seconds
    while not ends() and time.monotonic() < end:
        time.sleep(0.1)
        clean(app.run())
    assert ends()


@pytest.fixture
def log(page, monkeypatch):
    """What becomes of audits that go on until they are told to end, as the last one is after the test."""
    log = []
    monkeypatch.setattr(audit_run, "audit", slow(log))
    yield log
    if "Cancel" in [button.label for button in page.button]:
        begin(page, "Cancel")


def slow(log):
    """An audit that goes on until it is told to end."""

    def audit(*_, **__):
        log.append("started")
        try:
            while True:
                checkpoint()
                time.sleep(0.01)
        except Stopped:
            log.append("ended")
            raise

    return audit


def test_a_run_can_be_cancelled_and_ends_at_once(page, log):
    give(page, 0, "toy.csv", RELEASE)
    assert "Attacking the table" in shown(page)
    assert not pictures(page)
    begin(page, "Cancel")
    assert "The audit was stopped; nothing is kept of it" in shown(page)
    look_until(page, lambda: log == ["started", "ended"])
    assert not pictures(page)
    assert "Cancel" not in [button.label for button in page.button]
    begin(page, "Audit")
    look_until(page, lambda: log == ["started", "ended", "started"])


def test_a_large_release_is_audited_once_it_is_asked_for(page, log):
    give(page, 0, "clinic.csv", (ARX / "outputs/clinic500_2.gui.k5.csv").read_bytes())
    assert log == []
    begin(page, "Audit")
    look_until(page, lambda: log == ["started"])


def on_audit(key):
    """A session with a built-in table that visits Audit."""
    app = AppTest.from_file(APP, default_timeout=300).run()
    for name, value in zip(("cra_dataset", "cra_study"), example(key), strict=True):
        app.session_state[name] = value
    return let_run(clean(app.switch_page("pages/audit.py").run()))


def test_the_small_release_of_the_session_is_audited_unasked_and_follows_its_study():
    app = on_audit("toy")
    assert "**release of Toy.csv** · 36 records" in shown(app)
    assert pictures(app)
    # Somebody else's release is what the page is for: its field is in sight.
    assert "Give files" not in [one.proto.popover.label for one in app.get("popover")]
    assert len([one for one in app.file_uploader if one.label.startswith("ZIP of a release")]) == 1
    app.session_state["cra_study"] = app.session_state["cra_study"].changed(k=5)
    let_run(clean(app.run()))
    assert app.session_state["cra_audit_result"][1].release.study.k == 5
    give(app, 0, "toy.csv", RELEASE)
    begin(app, "Forget this release")
    assert not pictures(app)
    press(app, "Audit the release of Toy")
    assert pictures(app)


def test_the_large_release_of_the_session_is_offered():
    app = on_audit("clinic")
    assert "cra_audit" not in app.session_state
    assert "Audit the release of Clinic" in [button.label for button in app.button]


def test_what_opens_for_files_is_closed_once_they_are_there(page):
    give(page, 0, "toy.csv", RELEASE)
    page.session_state["audit-files-open"] = True
    clean(page.run())
    assert page.session_state["audit-files-open"]
    give(page, 0, "toy40b_Q1.csv", (ARX / "hierarchies/toy40b_Q1.csv").read_bytes())
    assert not page.session_state["audit-files-open"]


@pytest.mark.parametrize("leave", ["forget", "settings", "another"])
def test_a_run_that_nobody_waits_for_ends(page, log, leave):
    give(page, 0, "toy.csv", RELEASE)
    if leave == "forget":
        begin(page, "Forget this release")
    elif leave == "settings":
        page.radio[0].set_value("A single class per step")
        clean(page.run())
    else:
        give(page, 0, "other.csv", RELEASE + b"*;*\n")
    look_until(page, lambda: "ended" in log)
    assert "was stopped" not in shown(page)


def test_a_slow_run_shows_its_findings_when_it_ends(page, monkeypatch):
    gate, honest = threading.Event(), audit_run.audit

    def held(*given, **named):
        gate.wait(300)
        return honest(*given, **named)

    monkeypatch.setattr(audit_run, "audit", held)
    give(page, 0, "toy.csv", RELEASE)
    assert "Attacking the table" in shown(page)
    gate.set()
    look_until(page, lambda: bool(pictures(page)))
    assert "The table shows 38 of 40 people by Q1, Q2" in shown(page)


def test_a_fault_of_the_run_is_a_sentence_that_quotes_nothing(page, monkeypatch):
    def broken(*_, **__):
        raise ValueError("row 7: Ada, 34")

    monkeypatch.setattr(audit_run, "audit", broken)
    give(page, 0, "toy.csv", RELEASE)
    assert "The calculation broke off (ValueError)" in page.error[0].value.replace("\\", "")
    assert "Ada" not in shown(page)
