"""Make it publishable, on the page Check: a table that was taken, its archive, and what is said of it."""

import io
import re
import zipfile
from datetime import datetime
from decimal import Decimal
from random import Random

import pytest
from publishing import (
    CHECK,
    PEOPLE,
    archive,
    assert_one_verdict,
    name_who,
    offered,
    plans,
    taken_of,
)
from support import let_run
from visitor import DATA

from cra_dashboard.publishable import taken
from cra_dashboard.session import runs, state
from cra_engine import check, read_table
from cra_engine.checks.project import Project
from cra_engine.files.zipped import packed_zip
from cra_engine.publishable import Pin
from cra_engine.release import read_release_table
from cra_engine.words import chance_at_most


def test_data_says_how_many_records_the_answers_leave_and_how_many_the_table_that_was_taken_has(session):
    page = plans(session, {7: "none yet", 24: "own"}).press("publishable-start").press("publishable-take-0")
    assert page.at.metric[2].value == "48 of 50"
    said = page.open(DATA).says("markdown")
    assert "50 records by your answers (48 in the table that was taken: the search left 2 out besides)" in said


def test_one_of_the_outcomes_is_taken_and_its_archive_passes(page):
    assert "publishable-pins-0" in [one.key for one in page.at.multiselect]  # before the first search, too
    page.press("publishable-start")
    lines = [line for line in page.says("markdown").splitlines() if line.startswith("| **")]
    assert all(re.search(r"\| (nothing|[\d.]+\xa0% *|) \|$", line) for line in lines)
    assert any(line.endswith("\xa0% |") for line in lines)
    kept = [one for one in page.at.metric if one.label == "Detail kept"]
    assert 1 <= len(kept) <= 3
    for word in ("grid", "cell", "finest", "log odds"):
        assert not any(word in line for line in lines)
    # The table that is found and the list of demands count alike.
    count = re.search(r"meets all (\d+) demands", page.says("markdown")).group(1)
    assert "As your table would go out" in page.says("markdown")
    assert_one_verdict(page)
    page.press("publishable-take-0")
    assert "The table that you took: " in page.says("success")
    assert f"✓ {count} demands are met" in [one.label for one in page.at.expander]
    assert_one_verdict(page)
    # The cards gave way to the download, so that it stands where the button was pressed.
    (others,) = [one for one in page.at.expander if one.label.startswith("The tables that were found")]
    assert "publishable-take-0" in [button.key for button in others.button]
    assert "**Ready.**" in page.says("success")
    # The page speaks of what was taken; the verdict before stands behind a switch, and says of which table it is.
    page.fill("toggle", "check-as-it-was", True)
    assert "check-made" in [box.key for box in page.at.selectbox]
    assert "Looked at: **your table, in groups" in page.says("success", "warning", "error")
    packed = archive(page)
    assert "people.csv.csv" not in packed.read("keep/verdict.html").decode()
    assert set(packed.namelist()) == {
        "hand-out/release.csv",
        "hand-out/release.xlsx",
        "hand-out/how-to-read.txt",
        "hand-out/study/study.toml",
        "keep/verdict.html",
        "keep/settings.toml",
        "keep/repeat.sh",
        "keep/README.txt",
    }
    assert "as secret as the table of patients" in packed.read("keep/README.txt").decode()
    assert (
        "Send only the first: the folder **keep** of the second stays with you, as secret as your table."
        in page.says("caption")
    )
    assert "Decided by" not in packed.read("keep/verdict.html").decode()
    assert (
        "asks for no signature here; the rules of your own clinic or institute hold"
        in packed.read("keep/verdict.html").decode()
    )
    settings = Project.from_toml_text(packed.read("keep/settings.toml").decode())
    release = read_release_table(packed.read("hand-out/release.csv"), "release.csv")
    assert check(read_table(PEOPLE.encode()), settings.study, release, rule=settings.rule).verdict == "ready"
    # What is taken stays so until it is searched again; that the search heeds what has to stay is said.
    page.fill("multiselect", "publishable-pins-0", ["age"])
    assert offered(page)
    assert "**Search again** heeds it" in page.says("caption")
    # A column that has to stay may be coarse: no width is set.
    width = page.at.selectbox(key="publishable-width-age-0")
    assert width.value == Pin("age")
    assert width.options[0] == "however wide"
    assert "set on Hierarchies" in width.help
    page.press("publishable-start")
    assert not offered(page)


def test_what_goes_to_the_researcher_is_the_folder_hand_out_of_the_whole_and_nothing_else(session, monkeypatch):
    offered = {}
    monkeypatch.setattr(taken, "download", lambda label, data, name, **how: offered.update({label: (name, data, how)}))
    page = plans(session, {7: "none yet", 24: "own"})
    page.press("publishable-start").press("publishable-take-0")
    (name, some, looks), (whole_name, every, others) = offered.values()
    assert looks["looks"] == "primary"  # the one to send
    assert "looks" not in others
    assert [label.partition(" (")[0] for label in offered] == [
        "Only what goes to the researcher",
        "All of it, for your own files",
    ]
    assert name == whole_name.replace(".zip", " for the researcher.zip")
    sent, whole = (zipfile.ZipFile(io.BytesIO(one)) for one in (some, every))
    assert sent.namelist()
    assert {f"hand-out/{path}": sent.read(path) for path in sent.namelist()} == {
        path: whole.read(path) for path in whole.namelist() if not path.startswith("keep/")
    }


def test_tables_are_told_apart_by_the_names_of_their_archives(page):
    first = taken_of(page.press("publishable-start").press("publishable-take-0")).called
    page.fill("multiselect", "publishable-pins-0", ["age"])
    page.fill("selectbox", "publishable-width-age-0", Pin("age", Decimal(15)))
    second = taken_of(page.press("publishable-start").press("publishable-take-0"))
    assert first.rsplit(" ", 1)[0] == second.called.rsplit(" ", 1)[0]
    assert first != second.called
    assert second.files["keep/verdict.html"].count("has to stay") == 1  # said once, by the archive itself


def test_what_is_taken_says_what_a_steward_needs_and_is_named_as_they_say(session, monkeypatch):
    called, download = [], taken.download
    monkeypatch.setattr(
        taken, "download", lambda label, data, name, **how: called.append(name) or download(label, data, name, **how)
    )
    page = plans(session, {7: "none yet", 24: "own"})
    page.press("publishable-start")
    threefold = "age counts threefold, as hardly any analysis does without it."
    assert threefold in page.at.metric[0].help
    page.press("publishable-take-0")
    drawn = taken_of(page).drawn
    assert page.at.metric[2].value == "48 of 50"
    folded = page.says("markdown")
    smallest, printed = drawn.checked.k, drawn.checked.whole_rows.smallest
    assert f"smallest group: {smallest}, wanted {drawn.study.k} (with all that is published: {printed})" in folded
    assert f"at most {chance_at_most(drawn.checked.risk.prosecutor_max)}, wanted" in folded
    shared, people = drawn.checked.diversity[0].most_alike
    assert f"in the group most alike {shared} of {people} shown values of illness are the same." in folded
    today = datetime.now().astimezone().date().isoformat()
    assert re.fullmatch(rf"people publishable {today} [0-9a-f]{{4}}\.zip", called[-1])
    name_who(page, "", "Ward 3: for Ms Ito?")
    assert called[-1] == "Ward 3_ for Ms Ito_.zip"
    assert "publishable-verdict" in [button.key for button in page.at.button]


def test_fewer_rows_with_stars_than_a_group_are_told_beside_ready(session):
    """As the table came they are a demand that is not met; here they show no illness."""
    draw = Random(3)
    lines = [
        f"{draw.randrange(20, 80) if row % 16 else draw.randrange(84, 99)};{draw.choice('mf')};{'fgc'[row % 3]}\n"
        for row in range(60)
    ]
    session.open(DATA).fill("radio", "data-from", "Upload a table")
    session.upload("people.csv", ("age;sex;illness\n" + "".join(lines)).encode())
    page = session.open(CHECK).press("publishable-start").press("publishable-take-0")
    drawn = taken_of(page).drawn
    stars = int((drawn.checked.frame == "*").all(axis=1).sum())
    assert 0 < stars < drawn.study.k
    assert f"{stars} records are suppressed, fewer than k = {drawn.study.k}." in page.says("markdown")
    demand = "✓ **Enough rows that fit no group**"
    assert f"{demand}: {stars} rows, and their sensitive values are hidden" in page.says("markdown")
    assert "the rows in which the columns that others may know are all *." in page.says("markdown").replace("\\", "")
    folds = [one.label.replace("\\", "") for one in page.at.expander]
    assert f"Which rows, and why: {stars} with * in age, sex and illness" in folds
    assert page.at.metric[2].label == "Rows"
    hidden = f"Rows that show * in place of a value: {stars} in age, {stars} in sex and {stars} in illness."
    assert hidden in page.says("success").replace("\\", "")
    assert f"; {stars} rows with * in age, sex and illness." in page.says("caption").replace("\\", "")
    # Wherever they are told, they hide the same.
    assert f"({stars} with * in age, sex and illness)" in drawn.counts
    assert "with * in age, sex and illness" in archive(page).read("keep/verdict.html").decode()
    told = archive(page).read("hand-out/how-to-read.txt").decode()
    assert f"Rows that show * in place of a value: {stars} in age, {stars} in sex and {stars} in illness." in told
    assert f"{stars} rows stay with * in age, sex and illness, as too few are like them" in told


def test_who_takes_a_second_table_of_the_same_people_is_told_to_hand_out_one(session):
    page = plans(session, {7: "none yet", 24: "own"}).press("publishable-start").press("publishable-take-0")
    page.at.download_button(key="publishable-readers").click()
    assert "hand out one only" not in page.run().says("warning")
    page.press("publishable-take-1")
    assert "hand out one only" in page.says("warning")
    # That page tells of what Recode publishes, not of these two.
    assert not any("two tables" in link.proto.label for link in page.at.get("page_link"))
    # It is still so when a table of another file was taken meanwhile.
    held = page.dataset.frame.to_csv(sep=";", index=False).encode()
    for name, content in (("others.csv", PEOPLE.encode()), ("people.csv", held)):
        page.open(DATA).upload(name, content)
        page.open(CHECK).press("publishable-start").press("publishable-take-0")
        assert "hand out one only" not in page.says("warning")  # of people.csv it is the one that was downloaded
    assert "hand out one only" in page.press("publishable-take-1").says("warning")


def test_who_corrects_a_file_and_takes_a_table_of_it_is_told_to_hand_out_one(session):
    """Two tables of the same people differ by single people; a corrected file is another one, of the same people."""
    session.open(DATA).fill("radio", "data-from", "Upload a table").upload("people.csv", PEOPLE.encode())
    page = session.open(CHECK).press("publishable-start").press("publishable-take-0")
    page.at.download_button(key="publishable-readers").click()
    assert "hand out one only" not in page.run().says("warning")
    lines = PEOPLE.splitlines(keepends=True)
    page.open(DATA).upload("corrected.csv", "".join([*lines[:7], *lines[9:]]).encode())
    page.open(CHECK).press("publishable-start").press("publishable-take-0")
    assert "if it is of the same people, hand out one only" in page.says("warning")
    _, files = page.at.session_state[state._RESULTS]["publishable-files"]  # that the page hands out
    assert "a table of another file with these columns was downloaded, too" in files["keep/verdict.html"]
    page.open(DATA).upload("others.csv", PEOPLE.replace("illness", "diagnosis").encode())
    page.open(CHECK).press("publishable-start").press("publishable-take-0")
    assert "hand out one only" not in page.says("warning")


def test_what_was_accepted_in_the_table_as_it_came_is_nowhere_in_the_verdict_on_another(session):
    page = plans(session, {7: "own"})
    (key, *_) = [one.key for one in page.at.button if one.key.startswith("check-accept-")]
    page.at.text_input(key=key.replace("-take", "-why")).set_value("A trial only.")
    page.at.text_input(key=key.replace("-take", "-who")).set_value("Ada Fictitious")
    page.press(key)
    assert "A trial only, decided by Ada Fictitious" in page.says("markdown")
    page.press("publishable-start").press("publishable-take-0")
    packed = archive(page)
    assert not [one for one in packed.namelist() if b"A trial only" in packed.read(one)]
    assert "ccepted" not in packed.read("keep/verdict.html").decode()
    assert "A trial only" not in page.says("success", "warning", "markdown")
    page.fill("toggle", "check-as-it-was", True)  # where it was accepted it still is
    assert "A trial only" in page.says("markdown")


def test_audit_opens_with_the_table_that_was_taken_and_not_with_what_recode_publishes(session):
    page = plans(session, {7: "none yet"}).press("publishable-start").press("publishable-take-0")
    text, study = archive(page).read("hand-out/release.csv"), taken_of(page).drawn.study
    let_run(page.open("pages/audit.py").at)
    subject = page.at.session_state["cra_audit"]
    assert subject.name == "table taken of people.csv"
    assert sorted(map(tuple, subject.frame.astype(str).to_numpy())) == sorted(
        map(tuple, read_release_table(text).astype(str).to_numpy())
    )
    assert subject.study == study != page.study
    # Once it is let go, it is what Recode publishes again.
    page.open(CHECK).press("publishable-start")
    let_run(page.open("pages/audit.py").at)
    assert page.at.session_state["cra_audit"].name == "release of people.csv"


def test_a_release_that_is_not_the_table_taken_is_named_by_its_zip_and_the_one_taken_is_a_button_away(session):
    """Each archive's table is called release.csv: of an earlier one the verdict stood there as if it were of this."""
    page = plans(session, {7: "none yet"}).press("publishable-start").press("publishable-take-0")
    before = packed_zip({"hand-out/release.csv": archive(page).read("hand-out/release.csv").replace(b"gout", b"cold")})
    now = packed_zip({"hand-out/release.csv": archive(page).read("hand-out/release.csv")})

    def verdict(name, content):
        page.at.get("file_uploader")[0].upload(name, content)
        let_run(page.at.run())
        (audit,) = [button for button in page.at.button if button.label == "Audit"] or [None]
        if audit is not None:
            audit.click()
            let_run(page.at.run())
        return page.says("success", "warning", "error")

    let_run(page.open("pages/audit.py").at)
    assert "audit-own" not in [button.key for button in page.at.button]
    said = verdict("before (2).zip", before)
    assert said.startswith("Not of the **table taken of people**, but of another file: **")  # before the word in green
    assert "Looked at: **release.csv in before (2).zip**, its rows alone." in said.replace("\\", "")
    said = verdict("now.zip", now)
    assert "release.csv in now.zip**, its rows alone" in said.replace("\\", "")
    assert "another file" not in said
    assert "audit-own" not in [button.key for button in page.at.button]
    verdict("before (2).zip", before)
    let_run(page.press("audit-own").at)
    assert page.at.session_state["cra_audit"].name == "table taken of people.csv"


def test_what_was_given_is_audited_by_the_first_button_and_told_beside_no_verdict_but_its_own(session, monkeypatch):
    page = plans(session, {7: "none yet"}).press("publishable-start").press("publishable-take-0")
    packed = archive(page)
    given = {name: packed.read(name) for name in packed.namelist() if name.startswith("hand-out/")}
    given["hand-out/release.csv"] = given["hand-out/release.csv"].replace(b"gout", b"cold")
    monkeypatch.setattr(runs, "soon_over", lambda *_: False)  # as of a large table
    let_run(page.open("pages/audit.py").at)
    page.at.get("file_uploader")[0].upload("before.zip", packed_zip(given))
    let_run(page.at.run())

    def looks():
        return {one.key: one.proto.type for one in page.at.button if one.key in ("audit-run", "audit-own")}

    assert looks() == {"audit-run": "primary", "audit-own": "secondary"}
    assert "Not audited yet." in page.says("caption")
    assert "release.csv: the released table" in page.says("success")
    let_run(page.press("audit-run").at)
    assert looks() == {"audit-own": "secondary"}
    assert "Not audited yet." not in page.says("caption")
    assert "release.csv: the released table" in page.says("success")
    let_run(page.press("audit-own").at)
    assert "Looked at: the **table taken of people.csv**" in page.says("success", "warning", "error")
    assert "the released table" not in page.says("success", "warning", "error")


def test_no_archive_while_data_still_asks_and_all_that_is_to_decide_is_counted(session):
    lines = [f"{21 + row % 40};{('flu', 'gout')[row % 2]}" for row in range(60)]
    lines[9], lines[20], lines[41] = "30;ague", "41;", "22;"
    session.open(DATA).fill("radio", "data-from", "Upload a table")
    session.upload("people.csv", "\n".join(["age;illness", *lines]).encode())
    page = session.fill("multiselect", "data-roles", ["age"]).open(CHECK)
    assert "Data still asks 1 question.** Until it is answered" in page.says("markdown")
    page.press("publishable-start").press("publishable-take-0")
    assert not offered(page)
    assert "**Almost: 2 things are yours to decide first, on Data and below.**" in page.says("warning")
    assert not re.search(r"Ready|lets this release go out", page.says("warning", "success"))
    assert "**Step 2 of 3: may it go out?**" in page.says("caption")
    page.press("publishable-leave-illness")
    assert not offered(page)
    assert "Almost: one thing is yours to decide first, on Data." in page.says("warning")
    page.fill("toggle", "check-as-it-was", True)
    assert not any("(CSV)" in one.proto.label for one in page.at.get("download_button"))
    last = max(button.key for button in session.open(DATA).at.button if button.key.startswith("data-sensitive-gaps-"))
    session.press(last)  # published empty: the table stays as it is
    page = session.open(CHECK).press("publishable-take-0")
    assert offered(page)
    assert "yours to decide" not in page.says("success")
    assert "**Step 3 of 3: hand it out**" in page.says("caption")


@pytest.mark.parametrize("others", [0, 1, 3])
def test_of_a_table_that_is_uploaded_again_the_taken_one_is_back_or_said_to_be_taken_again(page, others):
    """The last three tables that were taken are kept, of whatever files."""

    def upload(name, content):
        page.open(DATA)
        page.upload(name, content.encode())

    def taken():
        page.open(CHECK)
        page.press("publishable-start").press("publishable-take-0")

    taken()
    first = page.dataset.digest
    for number in range(max(others, 1)):
        upload("others.csv", PEOPLE.replace("illness", f"diagnosis {number}"))
        if others:
            taken()
    upload("people.csv", PEOPLE)
    noted = [one.what for one in page.at.session_state["cra_decisions"][1]]
    said = page.says("success")
    page.open(CHECK)
    here = "The table that you took" in page.says("success")
    assert here is (others < 3)
    assert ("is to be taken again, on Check" in said) is not here
    assert any(one.startswith("published as searched for") for one in noted) is here
    if here:
        assert page.dataset.digest == first
        assert "diagnosis" not in page.says("markdown", "success", "warning")
        assert offered(page)


def test_what_goes_out_is_handed_out_beside_its_verdict_above_all_that_it_rests_on(page):
    def walk(block):
        for child in block.children.values():
            yield child
            yield from walk(child) if hasattr(child, "children") else ()

    page.press("publishable-start").press("publishable-take-0")
    order = list(walk(page.at.main))

    def place(found):
        return next(at for at, one in enumerate(order) if found(one))

    verdict = place(lambda one: one.type == "success" and "The table that you took" in one.value)
    archive_at = place(lambda one: one.type == "download_button" and "publishable-readers" in one.proto.id)
    folded = [at for at, one in enumerate(order) if one.type == "expander" and at > verdict]
    assert verdict < archive_at < min(folded)
    assert len(folded) > 1
