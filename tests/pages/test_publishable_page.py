"""Make it publishable, on the page Check: the search, outcomes side by side, one of them taken."""

import io
import re
import zipfile
from dataclasses import replace
from datetime import datetime
from random import Random
from threading import Event
from types import SimpleNamespace

import pytest
from publishing import (
    CHECK,
    PEOPLE,
    archive,
    last_found,
    name_who,
    offered,
    plans,
    take_with_reason,
    taken_of,
)
from streamlit.testing.v1 import AppTest
from support import let_run
from visitor import DATA

from cra_dashboard.publishable import panel, search, taken
from cra_dashboard.session import state
from cra_dashboard.session.runs import Runs
from cra_engine import check, read_table, recode
from cra_engine.checks.outcome import Finding
from cra_engine.checks.project import Decision, Project
from cra_engine.checks.signed import UNREASONED, UNSIGNED
from cra_engine.options import KEPT, text_of
from cra_engine.publishable import STOPPED
from cra_engine.publishable import archive as archives
from cra_engine.release import read_release_table
from cra_engine.words import chance_at_most, percent


def test_a_search_counts_no_tables_and_says_first_that_what_may_go_out_stands_below_once_it_does(monkeypatch):
    many = SimpleNamespace(progress=search.Sought(ready=(1, 2, 3)), done=False)
    assert re.search(r"\d tables? found|found yet|stands below", search._told(many)) is None
    drawn = []
    monkeypatch.setattr(panel, "RUNS", SimpleNamespace(job=lambda _: many))
    monkeypatch.setattr(search.Sought, "placed", lambda _: [1])
    monkeypatch.setattr(panel, "show_outcomes", lambda ready, **_: drawn.append(ready))
    panel.show_so_far(())
    assert drawn
    # First, so that nobody waits who need not.
    assert search._told(many).startswith(":material/check: **What may go out stands below already: take it, or wait")
    none = SimpleNamespace(progress=search.Sought())
    assert "None found yet" in search._told(none)
    # Nor does the button promise what there is not.
    assert (search._stop(many), search._stop(none)) == ("Stop, and show what was found", "Stop, with nothing found yet")
    assert search.RUNS.stop is search._stop


def test_while_a_search_goes_on_a_table_keeps_its_place_and_what_takes_another_ones_is_marked(monkeypatch):
    a, b, c, d, e = (SimpleNamespace(choice=name) for name in "abcde")
    sought, best = search.Sought(), []
    monkeypatch.setattr(search, "best_of", lambda _: tuple(best[-1]))
    # By what they cost, as they are found: the page would show each list in this order.
    for found, places, instead in [
        ([a], {"a": 0}, set()),
        ([b, a], {"a": 0, "b": 1}, set()),
        ([c, b], {"b": 1, "c": 2}, set()),  # where there is room a new one stands behind
        ([c, d, b], {"d": 0, "b": 1, "c": 2}, set()),  # and then in a place where nothing stands
        ([e, c, d], {"d": 0, "e": 1, "c": 2}, {"e"}),
        ([c, d, e], {"d": 0, "e": 1, "c": 2}, {"e"}),
    ]:
        best.append(found)
        assert [one.choice for one in sought.placed()] == list(places)
        assert (sought.places, sought.instead) == (places, instead)


ROWS = """
from types import SimpleNamespace
import pandas as pd
from cra_dashboard.publishable.cards import show_first_rows
show_first_rows(SimpleNamespace(frame=pd.DataFrame({"town": ["A", {!r}], "illness": [{!r}, "flu"]})), "a table")
"""


@pytest.mark.parametrize(
    ("town", "illness", "told"),
    [
        ("NULL", "no entry", ["NULL and no entry stand for the same: the value is missing in the table."]),
        ("B", "no entry", ["no entry stands for: the value is missing in the table."]),
        ("B", "cold", []),
    ],
)
def test_below_first_rows_stands_what_their_words_for_missing_values_say(town, illness, told):
    at = AppTest.from_string(ROWS.replace("{!r}", repr(town), 1).replace("{!r}", repr(illness), 1)).run()
    assert not at.exception
    assert [one.value.replace("\\", "") for one in at.caption] == told


def test_cards_of_a_search_that_goes_on_stand_in_their_places(page, monkeypatch):
    page.press("publishable-start")
    assert "New here" not in page.says("markdown")
    _, job = page.at.session_state["cra_jobs"]["publishable"]
    best = search.best_of(job.progress.ready)
    monkeypatch.setattr(Runs, "ended", lambda *_: False)
    monkeypatch.setattr(job, "_done", Event())
    # The cheapest was found last, where another one had stood: at the end of the search it comes first.
    job.progress.places = {best[0].choice: search.MOST_OUTCOMES - 1}
    job.progress.instead = {best[0].choice}
    page.run()
    places = [f"publishable-take-{place}" for place in (*range(len(best) - 1), search.MOST_OUTCOMES - 1)]
    assert [one.key for one in page.at.button if one.key.startswith("publishable-take-")] == places
    ready = [one for one in page.says("markdown").split("\n") if "**Ready: " in one]
    assert [one.rpartition(": ")[2] for one in ready] == [f"{one.best_at}**" for one in (*best[1:], best[0])]
    assert ["New here" in one for one in ready] == [False] * (len(best) - 1) + [True]


@pytest.mark.parametrize("answer", ["known", "kept"])
def test_a_card_says_which_column_shows_less_for_nothing_told_what_it_holds(session, answer):
    page = plans(session, {7: "none yet"}, plans=3, answer=answer).press("publishable-start")
    told = "Less is shown of plan, or nothing, for others may know it, as you answered."
    assert (told in page.says("markdown")) == (answer == "known")


def assert_one_verdict(page):
    """Of what was found the page speaks alone: no verdict on the table as it came stands below."""
    assert "check-made" not in [box.key for box in page.at.selectbox]
    assert "Looked at: " not in page.says("markdown", "success", "warning", "error")


def test_while_a_search_goes_on_the_page_speaks_of_it_alone(page, monkeypatch):
    monkeypatch.setattr(Runs, "ended", lambda *_: False)
    page.press("publishable-start")
    assert_one_verdict(page)
    page.fill("toggle", "check-as-it-was", True)
    assert "Looked at" in page.says("markdown", "success", "warning", "error")


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
    # A column that has to stay may be coarse: no width is set, one is proposed.
    width = page.at.number_input(key="publishable-width-age-0")
    assert (width.value, width.placeholder) == (None, "such as 15")
    assert "The finest groups are 15 wide now; a smaller width makes finer ones." in width.help
    assert "however wide" in width.label
    page.press("publishable-start")
    assert not offered(page)


def test_what_goes_to_the_researcher_is_the_folder_hand_out_of_the_whole_and_nothing_else(session, monkeypatch):
    offered = {}
    monkeypatch.setattr(taken, "download", lambda label, data, name, **_: offered.update({label: (name, data)}))
    page = plans(session, {7: "none yet", 24: "own"})
    page.press("publishable-start").press("publishable-take-0")
    (name, some), (whole_name, every) = offered.values()
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


def test_what_was_found_before_a_pin_stays_in_sight_until_the_next_search(page):
    page.press("publishable-start").fill("multiselect", "publishable-pins-0", ["age"])
    assert page.at.number_input(key="publishable-width-age-0").step == 1
    assert "publishable-take-0" in [button.key for button in page.at.button]
    assert not page.at.button(key="publishable-take-0").disabled
    page.fill("number_input", "publishable-width-age-0", 1)
    # What was found stays to be read, says that it is of before, and cannot be taken.
    assert page.at.button(key="publishable-take-0").disabled
    assert "**Ready, before your change: keeps most detail**" in page.says("markdown")
    assert "before your last change of what has to stay" in page.says("caption")
    # No hierarchy has single years, so the search makes them; nobody is like anybody then.
    page.press("publishable-start")
    assert "passes" in page.says("error")  # why is told by how far it came in its time
    assert "publishable-take-0" not in [button.key for button in page.at.button]
    page.fill("number_input", "publishable-width-age-0", 15)
    page.press("publishable-start")
    assert "age** | groups of 15 years" in page.says("markdown")


@pytest.mark.parametrize("complete", [True, False])
def test_what_was_found_before_all_was_tried_is_the_best_of_those_tried(session, monkeypatch, complete):
    whole = search.publishable
    cut = {} if complete else {"complete": False, "end": "the time ran out"}
    monkeypatch.setattr(search, "publishable", lambda *what, **how: replace(whole(*what, **how), **cut))
    page = plans(session, {7: "none yet", 24: "own"}).press("publishable-start")
    assert ("**Ready, of those tried: keeps most detail**" in page.says("markdown")) != complete
    assert ("**Ready: keeps most detail**" in page.says("markdown")) == complete


def test_a_column_that_has_to_stay_in_a_few_groups_is_said_until_a_width_is_given(session):
    """Of two ages a table can show but two groups, or one."""
    rows = "".join(f"{(21, 45)[row % 2]};{('flu', 'gout')[row // 2 % 2]}\n" for row in range(60))
    session.open(DATA).fill("radio", "data-from", "Upload a table").upload(
        "people.csv", f"age;illness\n{rows}".encode()
    )
    page = session.open(CHECK).press("publishable-start")
    assert "which say little" not in page.says("markdown")
    page.fill("multiselect", "publishable-pins-0", ["age"]).press("publishable-start")
    assert "age stays, in 2 groups, which say little." in page.says("markdown")
    (pins,) = [one for one in page.at.metric if one.label == "Has to stay: kept wholly"]
    told = re.search(r"detail.*: age ([\d.]+)\s%\.", pins.help)
    assert told, pins.help
    assert pins.value == f"{int(told[1] == '100')} of 1"
    # The next width of the hierarchy is one click away.
    (finer, *_) = [one for one in page.at.button if one.key.startswith("publishable-finer-age")]
    width = int(re.fullmatch(r"Keep age in groups of at most (\d+) years", finer.label)[1])
    shown = last_found(page).outcomes[0].study.attributes[0].layer_nodes[0][0]
    assert width == (shown.upper - shown.lower) / 2
    page.press(finer.key)
    (field,) = [one for one in page.at.number_input if one.key.startswith("publishable-width-age")]
    assert field.value == width
    assert "which say little" not in page.says("markdown")


def test_a_table_that_does_not_show_what_has_to_stay_now_is_held_back_until_somebody_keeps_it(page, above):
    page.press("publishable-start").press("publishable-take-0")
    first = archive(page).read("hand-out/release.csv")
    page.fill("multiselect", "publishable-pins-0", ["age"]).fill("number_input", "publishable-width-age-0", 1)

    def assert_held_back():
        told = "**Found before your last change:** age in groups of at most 1 year has to stay now"
        assert told in page.says("warning")
        assert "Ready" not in page.says("success", "warning")
        assert not offered(page)
        assert "**Step 2 of 3: may it go out?**" in page.says("caption")
        blue = [one.key for one in page.at.button if one.proto.type == "primary" and not one.disabled]
        assert blue == ["publishable-start"]

    assert_held_back()
    page.press("publishable-start")
    above(state.undo)
    assert_held_back()
    page.press("publishable-keep")
    assert "**Ready.**" in page.says("success")
    assert offered(page)
    assert "**Step 3 of 3: hand it out**" in page.says("caption")
    assert archive(page).read("hand-out/release.csv") == first
    assert page.at.multiselect[0].value == []  # as it was when the table was found
    above(state.undo)
    page.run()  # the step stands above what was undone here
    assert_held_back()


def test_tables_are_told_apart_by_the_names_of_their_archives(page):
    first = taken_of(page.press("publishable-start").press("publishable-take-0")).called
    page.fill("multiselect", "publishable-pins-0", ["age"]).fill("number_input", "publishable-width-age-0", 10)
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
    assert page.at.metric[2].label.replace("\\", "") == f"Rows, {stars} of them with * in age, sex and illness"
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


def test_what_asks_for_attention_is_taken_with_a_reason(session):
    page = plans(session, {7: "own"})
    page.press("publishable-start")
    # What is ready stands by itself; what asks somebody to look is folded, with its verdict's word.
    (fold,) = [one for one in page.at.expander if one.label.startswith("Another table keeps")]
    folded = [one.value for one in fold.markdown]
    assert [said for said in folded if said.startswith("**Attention.** ")]
    hidden = [one.value for fold in page.at.expander for one in fold.markdown]
    told = [one.value for one in page.at.markdown if one.value not in hidden]
    assert [said for said in told if "**Ready: " in said]
    assert "Attention" not in "".join(told)
    # What is accepted stands beside the button, and then in the verdict and in what the researcher reads.
    (accepts,) = [
        one.removesuffix("**. The researcher reads it, with the reason.") for one in folded if "you accept" in one
    ]
    accepts = accepts.partition("not known: **")[2].replace("\\", "")
    assert re.fullmatch(r".*, but (about )?\d.*", accepts)
    take_with_reason(page, "All of them agreed.")
    assert f"**Attention, accepted.** Not met or not known: {accepts}." in page.says("warning").replace("\\", "")
    assert "All of them agreed, decided by Ada Fictitious" in page.says("warning")
    to_read = archive(page).read("hand-out/how-to-read.txt").decode()
    assert f"Not met or not known: {accepts}." in to_read
    assert "All of them agreed." in to_read
    assert "Ada Fictitious" not in to_read
    verdict = archive(page).read("keep/verdict.html").decode()
    assert "Attention, accepted by decision" in verdict
    line = verdict[verdict.index("<b>Reason</b>") : verdict.index("<b>Date</b>")]
    assert "All of them agreed, decided by Ada Fictitious" in line
    assert "<b>Date</b> <span></span>" not in verdict
    assert "All of them agreed, decided by Ada Fictitious" in archive(page).read("keep/settings.toml").decode()


@pytest.mark.parametrize(
    ("why", "who"), [("", "Ada"), ("ok", "Ada"), ("All of them agreed.", " "), ("All of them agreed.", "A")]
)
def test_a_reason_that_says_nothing_or_that_nobody_gives_takes_no_table(session, monkeypatch, why, who):
    page = take_with_reason(attention_alone(session, monkeypatch), why, who)
    assert (UNSIGNED if "agreed" in why else UNREASONED) in page.says("error")
    assert not offered(page)
    take_with_reason(page, "All of them agreed.", "Ada")
    assert "A reason is" not in page.says("error")
    assert offered(page)
    # The name is beside the archive, too, where it can be another.
    assert " This was decided by Ada. Send only" in page.says("caption")


@pytest.mark.parametrize("why", ["", "All of them agreed"])
def test_who_hands_a_table_out_stands_in_its_verdict_with_the_day(session, why):
    page = plans(session, {7: "own"}).press("publishable-start")
    if why:
        take_with_reason(page, why, "Ms Ito")
    else:
        page.press("publishable-take-0")

    def handed_out():
        return page.at.session_state[state._RESULTS]["publishable-files"][1]

    assert "Ada Fictitious" not in str(handed_out())
    name_who(page, " Ada Fictitious ")
    named = {name for name, text in handed_out().items() if "Ada Fictitious" in str(text)}
    assert named == {"keep/verdict.html", "keep/repeat.sh"}
    line = re.search(r"<p class=.decided.>.*?</p>", handed_out()["keep/verdict.html"])[0]
    assert "<b>Decided by</b> <span>Ada Fictitious</span>" in line
    assert "<b>Date</b> <span></span>" not in line
    assert why in line
    # What is decided since writes the verdict anew, and leaves the name there.
    later = taken_of(page).files_with([Decision("2026-01-01", "a value stays shown")], "Ada Fictitious")
    assert line in later["keep/verdict.html"]
    # Whoever signs one archive has signed no other.
    assert "decided by Ada Fictitious" in page.says("caption")
    if why:
        take_with_reason(page, why, "Ms Ito")
    else:
        page.press("publishable-take-1")
    assert "Ada Fictitious" not in str(handed_out())
    assert "decided by Ada Fictitious" not in page.says("caption")


def attention_alone(session, monkeypatch):
    """Check of a table of which a search finds nothing that is Ready, and one that may go out with a reason."""
    honest = search.publishable
    monkeypatch.setattr(search, "publishable", lambda *given, **named: replace(honest(*given, **named), outcomes=()))
    return plans(session, {7: "own"}).press("publishable-start")


def test_what_is_taken_with_a_reason_is_handed_out_where_nothing_else_was_found(session, monkeypatch):
    page = attention_alone(session, monkeypatch)
    assert "Nothing is Ready; **the table that was found** may go out" in page.says("warning")
    take_with_reason(page, "All of them agreed.")
    assert "**Attention, accepted.**" in page.says("warning")
    assert offered(page)
    assert_one_verdict(page)
    (others,) = [one for one in page.at.expander if one.label.startswith("The tables that were found")]
    assert "publishable-accept-take" in [button.key for button in others.button]
    verdict = archive(page).read("keep/verdict.html").decode()
    assert search.TAKEN_BEFORE not in verdict  # it had ended
    assert last_found(page).thoroughness in verdict
    assert offered(session.open(DATA).open(CHECK))


@pytest.mark.parametrize("alone", [False, True])
def test_a_reason_accepts_nothing_that_was_not_to_be_seen(session, monkeypatch, alone):
    page = attention_alone(session, monkeypatch) if alone else plans(session, {7: "own"}).press("publishable-start")
    drawn = archives.published_by

    def drawn_otherwise(*given):
        made = drawn(*given)
        more = Finding("attention", "kept-order", "Something else is to be looked at.")
        return replace(made, checked=replace(made.checked, findings=(*made.checked.findings, more)))

    monkeypatch.setattr(archives, "published_by", drawn_otherwise)
    take_with_reason(page, "All of them agreed.")
    assert archive(page) is None
    assert "Something else is to be looked at." in page.says("error")


def test_a_stopped_search_that_holds_a_table_for_a_reason_shows_it(session, monkeypatch):
    honest = search.publishable

    def stopped(*given, **named):
        return replace(honest(*given, **named), outcomes=(), complete=False, end=STOPPED)

    monkeypatch.setattr(search, "publishable", stopped)
    page = plans(session, {7: "own"}).press("publishable-start")
    assert "nothing was found" not in page.says("info")
    assert "**the table that was found** may go out once somebody has looked at it" in page.says("warning")
    assert "Looked at: **your table, in groups" in page.says("success", "warning", "error")
    assert "publishable-accept-take" in [button.key for button in page.at.button]
    assert STOPPED in page.says("caption")


def test_a_search_that_is_stopped_before_it_found_anything_says_so_without_alarm(page, monkeypatch):
    honest = search.publishable
    stopped = {"cancelled": lambda: True}
    monkeypatch.setattr(search, "publishable", lambda *given, **named: honest(*given, **named | stopped))
    page.press("publishable-start")
    assert "You stopped the search" in page.says("info")
    assert "Nothing was found" not in page.says("error")


def test_whoever_wants_more_searches_on_from_what_was_found(page, monkeypatch):
    honest, begun = search.publishable, []

    def stopped(*given, **named):
        begun.append(given)
        return honest(*given, **named | {"cancelled": lambda: True})

    monkeypatch.setattr(search, "publishable", stopped)
    page.press("publishable-start")
    assert not [button for button in page.at.button if button.key == "publishable-take-0"]
    page.press("publishable-on")
    assert [button for button in page.at.button if button.key == "publishable-take-0"]
    assert len(begun) == 1  # it went on, and did not begin again
    # Where all was tried nothing is left to search on for.
    assert not [button for button in page.at.button if button.key == "publishable-on"]


def test_a_check_that_gave_way_says_so_and_can_be_had(page, monkeypatch):
    monkeypatch.setattr(Runs, "going", property(lambda _: True))
    page.at.session_state["cra_results"].pop("check-answers")  # as if it had not been answered yet
    page.press("publishable-start").fill("toggle", "check-as-it-was", True)
    assert "the search went first" in page.says("info")
    assert "Stopped" not in page.says("info")
    # What is known without the attack is there to look at.
    sizes = recode(page.dataset.frame, page.study).frame["age"].value_counts().drop("*", errors="ignore")
    assert sizes.min() == sizes.max()
    said = f"{len(sizes)} groups of {sizes.min()} records"
    assert said in page.says("markdown")
    assert [alt for alt in page.alts() if alt.startswith(said)]
    page.press("check-again")
    assert "the search went first" not in page.says("info")
    assert "was not looked at yet" not in page.says("markdown")


def test_where_nothing_passes_the_page_names_rule_and_column(session, monkeypatch):
    monkeypatch.setattr(search, "SECONDS", 60.0)
    same = "age;illness\n" + "".join(f"{20 + row * 7 % 60};flu\n" for row in range(30))
    session.open(DATA).fill("radio", "data-from", "Upload a table").upload("people.csv", same.encode())
    session.open(CHECK).press("publishable-start")
    assert "column illness" in session.says("error")
    assert "publishable-take-0" not in [button.key for button in session.at.button]


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


def test_all_questions_of_data_are_answered_as_advised_at_once(session):
    rows = "".join(
        f"{20 + row * 7 % 60};{'mf'[row % 2]};{('Bern', 'Genf')[row % 3 % 2]};{150 + row % 40};flu{row % 3}\n"
        for row in range(60)
    )
    page = session.open(DATA).fill("radio", "data-from", "Upload a table")
    page.upload("people.csv", ("age;sex;city;height;illness\n" + rows).encode())
    assert set(page.study.names) == {"age", "sex", "city", "height"}
    page.fill("multiselect", "data-roles", ["age", "height"])
    assert "sex" in page.says("caption") + page.says("markdown")
    page.press("data-advised")
    assert set(page.study.names) >= {"age", "sex", "city", "height"}
    assert "data-advised" not in [button.key for button in page.at.button]


def test_one_release_loses_the_same_detail_on_every_page(session):
    rows = "".join(f"{20 + row * 7 % 60};{'mf'[row % 2]};{('flu', 'gout', 'cold')[row % 3]}\n" for row in range(120))
    session.open(DATA).fill("radio", "data-from", "Upload a table")
    session.upload("people.csv", ("age;sex;illness\n" + rows).encode())
    page = session.open(CHECK).press("publishable-start")
    found = last_found(page)
    same = [one for one in found.outcomes if not one.gone and one.choice.way.name in ("local", "safe")]
    assert percent(1 - same[0].cost, 1) in [one.value for one in page.at.metric if one.label == "Detail kept"]
    page.at.session_state["cra_study"] = same[0].study
    page.open("pages/compare.py")
    if "cra_options" not in page.at.session_state:
        page.press("compare-start")
    held = page.at.session_state["cra_options"][1]
    assert text_of(KEPT["detail"], held.present) == percent(same[0].cost, 1)
    assert next(box.value for box in page.at.selectbox if box.label == "What is lost") == "detail"
    assert "Filled: passes the check. Hollow: does not." in page.says("caption")


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
