"""The page Check: a verdict, its rule, another release, undo, and a project that goes on where it stood."""

import random
import re

import pytest
from support import let_run
from visitor import DATA, HIERARCHIES

from cra_dashboard.check import state as gate
from cra_dashboard.publishable import panel
from cra_dashboard.session import state
from cra_engine import Roles, Rule, attack, check, recode, single_out, tight_attack
from cra_engine.assess import attacked
from cra_engine.attacks.tight import system
from cra_engine.checks.project import Project
from cra_engine.checks.signed import UNREASONED, UNSIGNED
from cra_engine.files.csv_text import csv_text
from cra_engine.patience import Stopped
from cra_engine.words import percent

CHECK = "pages/check.py"
RELEASE, POPULATION = "Release (CSV)", "Population (CSV with the columns that others know)"
PROJECT = "Open a project (TOML)"
DRAW = random.Random(4)
ROWS = [
    (
        f"{DRAW.choice(['Meier', 'Frei', 'Rossi'])} {DRAW.choice(['Ada', 'Bo', 'Cy'])}",
        f"p{number}@example.org",
        20 + DRAW.randrange(60),
        40 + DRAW.randrange(60),
        f"{DRAW.gauss(26, 4):.2f}",
        DRAW.choice(["flu", "gout", "HIV"]),
        DRAW.choice(["A", "B"]),
    )
    for number in range(60)
]
PATIENTS = "name,mail,age,weight,bmi,diagnosis,arm\n" + "".join(",".join(map(str, row)) + "\n" for row in ROWS)


@pytest.fixture
def clinic(session):
    page = session.open(DATA).fill("radio", "data-from", "Upload a table")
    page.upload("patients.csv", PATIENTS.encode())
    return page.fill("multiselect", "data-roles", ["age", "weight"])  # and nobody has decided about the body mass index


def said(page):
    return " ".join(page.says(kind) for kind in ("error", "warning", "success", "markdown", "caption"))


def demands(page):
    """The rows of the check-list, the folded one last."""
    return [one.label.replace("\\", "") for one in page.at.expander if one.label[:2] in ("✗ ", "? ", "✓ ")]


def test_what_identifies_is_removed_and_what_nearly_does_is_asked(clinic):
    assert clinic.study.roles == Roles(remove=["name", "mail"], sensitive=["diagnosis"])
    assert clinic.study.names == ("age", "weight")
    assert clinic.at.multiselect(key="data-removed").value == ["name", "mail"]
    assert "Supposed by the program: 2" in [fold.label for fold in clinic.at.expander]
    assert "bmi" in clinic.says("markdown")
    overview = clinic.at.dataframe[0].value.set_index("column")
    assert overview.loc["mail", ["role", "proposed"]].tolist() == ["removed", "removed"]
    assert overview.loc["mail", "because"] == "its cells are e-mail addresses"
    # Nothing is handed out before somebody has decided.
    clinic.open("pages/recode.py")
    assert "Not to be downloaded yet: bmi" in clinic.says("error")
    assert "Published table (CSV)" not in [b.proto.label for b in clinic.at.get("download_button")]
    clinic.open(DATA).press("data-removed-bmi").press("data-kept-arm")
    assert clinic.study.roles == Roles(remove=["name", "mail", "bmi"], sensitive=["diagnosis"], keep=["arm"])
    clinic.open("pages/recode.py")
    assert "Published table (CSV)" in [b.proto.label for b in clinic.at.get("download_button")]
    assert list(clinic.at.dataframe[-1].value.columns) == ["age", "weight", "diagnosis", "arm"]


def test_the_demands_are_a_list_with_their_figures_and_not_behind_a_button(clinic):
    clinic.open(CHECK)
    study, data = clinic.study, clinic.dataset.frame
    release = recode(data, study).release
    expected, certain = single_out(attack(release)).expected_isolated, len(tight_attack(release).isolated)
    rows = demands(clinic)
    likely = next(row for row in rows if "stand alone" in row)
    assert (
        likely == f"✗ **Nobody likely to stand alone**: about {expected:.0f} of {len(data)} people "
        f"({percent(expected / len(data))}), wanted fewer than 1"
    )
    assert certain == 0
    assert rows[-1].startswith("✓ ")
    assert "✓ **Nobody singled out for certain**: 0, wanted 0." in clinic.says("markdown")


def test_lists_give_and_take_roles(clinic):
    before = clinic.study
    clinic.fill("multiselect", "data-removed", ["name", "mail", "arm"])
    assert clinic.study.roles.of("arm") == "removed"
    clinic.fill("multiselect", "data-kept", ["arm"])
    assert clinic.study.roles.of("arm") == "kept"
    clinic.fill("multiselect", "data-roles", ["age", "weight", "arm"])
    assert clinic.study.names == ("age", "weight", "arm")
    assert clinic.study.roles.of("arm") == "undecided"
    assert len(clinic.at.session_state["cra_before"]) == 4
    assert clinic.at.session_state["cra_before"][1][1] == before


@pytest.mark.parametrize(
    ("page", "label"),
    [
        ("pages/heterogeneous.py", "Download this release"),
        ("pages/safe_recoding.py", "Download the release"),
    ],
)
def test_no_page_hands_out_what_nobody_decided_about(clinic, page, label):
    def offered():
        clinic.at.session_state["safe-tab"] = "Hand it out"
        clinic.open(page)
        return label in [b.proto.label for b in clinic.at.get("download_button")]

    assert not offered()
    assert "Not to be downloaded yet: bmi" in clinic.says("error")
    clinic.open(DATA).press("data-removed-bmi").press("data-kept-arm")
    assert offered()


def test_the_page_to_file_asks_of_the_table_in_groups_and_not_of_the_file_that_it_is_of(clinic, monkeypatch):
    given = {}
    keep = lambda label, content, *_, **__: given.update({label: content})  # noqa: E731
    monkeypatch.setattr("cra_dashboard.panels.download.download", keep)
    clinic.open(CHECK)
    asked = f"<h1>May {clinic.dataset.name} (in groups) go out?</h1>"
    assert asked in given["The verdict, one page (HTML)"]()


def test_a_verdict_a_rule_and_the_page_to_file(clinic):
    clinic.open(CHECK)
    assert "Stop" in clinic.says("error")
    assert "are alone by the published columns together" in said(clinic)
    assert "Counted are what others know and 'bmi' and 'arm'" in said(clinic)
    assert "'bmi' nearly says who somebody is" in said(clinic).replace("\\", "")
    clinic.open(DATA).press("data-removed-bmi").press("data-kept-arm").open(CHECK)
    assert "bmi" not in clinic.says("markdown")
    labels = [b.proto.label for b in clinic.at.get("download_button")]
    assert "The verdict, one page (HTML)" in labels
    # A rule that asks for more than there is stops it.
    (field,) = [one for one in clinic.at.number_input if one.key.startswith("check-l-")]
    field.set_value(4).run()
    assert "Stop" in clinic.says("error")
    assert clinic.at.session_state["cra_rule"] == Rule(l=4)
    assert not any(b.proto.label.startswith("The release") for b in clinic.at.get("download_button"))


def test_what_is_set_for_one_table_does_not_outlive_it(clinic):
    clinic.open(CHECK)
    (field,) = [one for one in clinic.at.number_input if one.key.startswith("check-k-")]
    field.set_value(6).run()
    clinic.upload("none.toml", b"k = 3", "Its study (TOML), with the hierarchy files it names")
    assert "The study stays as it is." in clinic.says("error")
    assert clinic.at.session_state["cra_rule"] == Rule(6)
    clinic.open(DATA).fill("selectbox", "data-shown", "arm")
    other = "".join(f"{20 + row % 40},{150 + row * 7 % 40}\n" for row in range(80))
    clinic.upload("other.csv", f"age,height\n{other}".encode())
    # The browser shows the new choice only where it is told of it.
    shown = clinic.at.selectbox(key="data-shown")
    assert (shown.value, shown.proto.set_value, shown.proto.raw_value) == ("age", True, "age")
    clinic.open(CHECK)
    assert clinic.study.k == 5
    (field,) = [one for one in clinic.at.number_input if one.key.startswith("check-k-")]
    assert field.value == 5
    assert "fewer than k = 6" not in said(clinic)
    assert "The study stays as it is." not in clinic.says("error")


def test_the_picture_says_where_no_class_is_the_reason_to_stop(clinic):
    clinic.open(CHECK)
    assert "Stop" in clinic.says("error")
    assert "No group stops the release." in clinic.says("caption")
    clinic.open(DATA).press("data-removed-bmi").press("data-kept-arm").open(CHECK)
    assert "No group stops the release." not in clinic.says("caption")
    (field,) = [one for one in clinic.at.number_input if one.key.startswith("check-l-")]
    field.set_value(4).run()  # the table has three diagnoses: every class shows too few
    assert "Stop" in clinic.says("error")
    assert "No group stops the release." not in clinic.says("caption")


def test_the_picture_says_which_groups_stop_the_release_where_it_does_not_draw_them(session):
    page = session.open(DATA).fill("radio", "data-from", "Upload a table")
    rows = "".join(
        f"{20 + i % 60},{'flu' if i % 4 < 2 else 'gout'},{'ja' if i % 4 < 2 else 'nein'}\n" for i in range(80)
    )
    page.upload("patients.csv", f"age,illness,smoker\n{rows}".encode())
    assert page.study.roles.of("smoker") == "undecided"
    page.open(CHECK)
    assert "by smoker, too, everybody has the same illness" in page.says("error")
    assert "No group stops the release." not in page.says("caption")
    assert "Groups by smoker, too, stop the release, and are not drawn." in page.says("caption")


def test_another_release_is_held_against_the_table(clinic):
    clinic.open(DATA).press("data-removed-bmi").open(CHECK)
    frame = recode(clinic.dataset.frame, clinic.study).frame
    clinic.upload("release.csv", csv_text(frame).encode(), RELEASE)
    assert "Looked at: release.csv" in clinic.says("success", "warning", "error").replace("*", "").replace("\\", "")
    assert "The release is not of this table" not in said(clinic)
    clinic.press("check-drop-release")
    clinic.upload("turned.csv", csv_text(frame.iloc[::-1]).encode(), RELEASE)
    assert "The release is not of this table" not in said(clinic)
    clinic.press("check-drop-release")
    clinic.upload("other.csv", csv_text(frame.iloc[:-1]).encode(), RELEASE)
    assert "The release is not of this table" in said(clinic)
    clinic.press("check-drop-release").upload("none.csv", b"", POPULATION)
    assert "none.csv is empty" in clinic.says("error")


def test_what_to_publish_instead_is_checked_and_what_is_recommended_published_in_one_click(clinic):
    clinic.open(DATA).press("data-removed-bmi").press("data-kept-arm").open(CHECK)
    (made,) = [one for one in clinic.at.selectbox if one.key == "check-made"]
    assert made.disabled
    before = said(clinic)
    assert "What to publish instead." not in before
    clinic.open("pages/compare.py")  # with so few records it begins by itself
    let_run(clinic.at)
    text = said(clinic.open(CHECK))
    advised = text.partition("What to publish instead")[2]
    assert ": of those that pass (Ready), with" in advised
    assert "it loses least detail" in advised
    assert not re.search(r"umber \d", advised)  # no list of options stands here
    (made,) = [one for one in clinic.at.selectbox if one.key == "check-made"]
    assert "3: Safe recoding, epsilon 1" in made.options
    assert not [option for option in made.options if "Heterogeneous" in option or "Micro" in option]  # no labels
    for option in ("3: Safe recoding, epsilon 1", next(one for one in made.options if "Global" in one)):
        clinic.fill("selectbox", "check-made", option)
        looked = clinic.says("success", "warning", "error").replace("*", "")
        assert f"Looked at: {option.split(': ', 1)[1]}" in looked
        assert "The release is not of this table" not in said(clinic)
        assert "is to be removed and stands in the release" not in said(clinic)
    clinic.press("check-drop-release")
    assert "Looked at: your table, in groups" in clinic.says("success", "warning", "error").replace("*", "")
    (button,) = [one for one in clinic.at.button if one.key == "check-use-option"]
    assert button.label.startswith("Publish by ")
    clinic.press("check-use-option")
    assert "published by " in clinic.at.session_state["cra_decisions"][1][-1].what
    assert_offered_as_judged(clinic)
    assert "The release is not of this table" not in said(clinic)
    # The page Other ways shows the same run.
    clinic.open("pages/compare.py")
    assert "of those that pass (Ready)" in clinic.says("markdown")


def accept(page, code, why, who="Ada Fictitious"):
    (key,) = [one.key for one in page.at.button if one.key.startswith(f"check-accept-{code}-")]
    for what, said in (("why", why), ("who", who)):
        page.at.text_input(key=key.replace("-take", f"-{what}")).set_value(said)
    return page.press(key)


def step(page, label):
    steps = [one for one in page.at.button if one.key.startswith("check-step-")]
    next(one for one in steps if one.label.replace("\\", "") == label).click()
    return page.run()


def test_a_finding_is_accepted_with_a_reason_and_stays(clinic):
    clinic.open(DATA).press("data-removed-bmi").press("data-kept-arm").open(CHECK)
    assert "Attention, accepted" not in said(clinic)
    row = next(one for one in demands(clinic) if "stand alone" in one)
    (button,) = [one for one in clinic.at.button if one.key.startswith("check-accept-expected-")]
    figure = button.label.removeprefix("Accept: ")
    assert re.fullmatch(r"about \d+ of 60 people( \([\d.]+ %\))?", figure)
    assert f": {figure}, wanted" in row
    said_of = {UNREASONED: (("  ", "Ada"), ("x", "Ada"), ("Seen it.", "Ada"))}
    said_of |= {UNSIGNED: (("The board has seen it.", ""), ("The board has seen it.", "A"))}
    for lacks, (why, who) in ((lacks, one) for lacks, given in said_of.items() for one in given):
        accept(clinic, "expected", why, who)
        assert lacks in clinic.says("error")
        assert "Attention, accepted" not in said(clinic)
    accept(clinic, "expected", "The board has seen it.")
    assert UNSIGNED not in clinic.says("error")
    assert re.search(r"\*\*Attention, accepted\.\*\* About \d+ of \d+ people", clinic.says("markdown"))
    assert "The board has seen it, decided by Ada" in clinic.says("markdown")
    (noted,) = [one for one in clinic.at.session_state["cra_decisions"][1] if "accepted" in one.what]
    assert re.match(
        "looked at and accepted: About \\d+ of \\d+ people .* Likely, not proven: by the attack", noted.what
    )
    assert noted.why == "The board has seen it, decided by Ada Fictitious"
    forms = [one.key for one in clinic.at.button if (one.key or "").startswith("check-accept-")]
    for code in [re.fullmatch(r"check-accept-(.*?)--?\d+-take", key)[1] for key in forms]:
        assert "Attention, accepted" not in clinic.says("warning")
        accept(clinic, code, "Seen by the board.")
    # The verdict says what was accepted, with its figure, why and by whom.
    assert "**Attention, accepted.** Not met or not known: " in clinic.says("warning")
    assert figure in clinic.says("warning")
    assert "The board has seen it, decided by Ada Fictitious" in clinic.says("warning")
    # It ends when it is taken back, and with the figures that it was said of.
    (button,) = [one for one in clinic.at.button if (one.key or "").startswith("check-unaccept-expected")]
    button.click()
    clinic.run()
    assert "The board has seen it" not in clinic.says("markdown")
    accept(clinic, "expected", "Seen once more.").open(HIERARCHIES).fill("number_input", "hierarchy-k", 7).open(CHECK)
    assert "Seen once more" not in said(clinic)


def test_what_was_accepted_in_one_table_is_asked_anew_in_another(clinic):
    """Even where it reads the same there: the reason was given for the other one."""
    clinic.open(DATA).press("data-removed-bmi").press("data-kept-arm").open(CHECK)
    accept(clinic, "expected", "The board has seen it.")
    text = re.search(r"About \d+ of \d+ people", said(clinic))[0]
    assert f"**Attention, accepted.** {text}" in clinic.says("markdown")
    frame = recode(clinic.dataset.frame, clinic.study).frame
    name = clinic.study.roles.sensitive[0]
    swapped = frame[name].tolist()
    shown = [row for row in range(len(frame)) if frame.iloc[row, 0] == frame.iloc[0, 0] != "*"]
    other = next(row for row in shown if swapped[row] != swapped[shown[0]])
    swapped[shown[0]], swapped[other] = swapped[other], swapped[shown[0]]
    same, another = csv_text(frame.iloc[::-1]), csv_text(frame.assign(**{name: swapped}))
    clinic.upload("release.csv", another.encode(), RELEASE)
    assert f"**Attention.** {text}" in clinic.says("markdown")
    assert "The board has seen it" not in said(clinic)
    (drop,) = [one for one in clinic.at.button if one.key == "check-drop-release"]
    drop.click()
    clinic.run()
    clinic.upload("release.csv", same.encode(), RELEASE)  # the same rows in another order are the same table
    assert f"**Attention, accepted.** {text}" in clinic.says("markdown")


def test_what_stops_a_release_has_nothing_to_accept_it_with(clinic):
    clinic.open(CHECK)
    (field,) = [one for one in clinic.at.number_input if one.key.startswith("check-l-")]
    field.set_value(4).run()
    assert "Stop" in clinic.says("error")
    assert not [one for one in clinic.at.text_input if one.key.startswith("check-accept-l-diversity")]


def test_what_asks_for_a_role_is_settled_by_a_role(clinic):
    clinic.open(CHECK)
    assert "'bmi' nearly says" in said(clinic)
    # Accepted it would stay undecided, and the release would still not be handed out.
    assert not [one for one in clinic.at.text_input if one.key.startswith("check-accept-nearly")]
    step(clinic, "Keep bmi")
    assert clinic.study.roles.of("bmi") == "kept"
    assert "Not to be downloaded yet" not in said(clinic)
    assert "**Note.** The column 'bmi' goes out as it stands" in clinic.says("markdown")


def test_what_a_finding_advises_is_done_or_prefilled(clinic):
    clinic.open(CHECK)
    step(clinic, "Remove bmi")
    assert clinic.study.roles.of("bmi") == "removed"
    assert "'bmi' nearly says" not in said(clinic)
    # l-diversity is asked for where it can be had; there are three diagnoses in all.
    (field,) = [one for one in clinic.at.number_input if one.key.startswith("check-l-")]
    field.set_value(4).run()
    assert "fewer than l = 4" in said(clinic)
    step(clinic, "Global recode with l-diversity")
    assert clinic.title == "Global recode"
    assert "distinct 4-diversity of diagnosis" in clinic.says("markdown")
    clinic.open(CHECK)
    step(clinic, "Global recode with l-diversity")
    assert clinic.says("markdown").count("distinct 4-diversity of diagnosis") == 1
    # A larger k than the study's, as the rule wants it.
    clinic.open(CHECK)
    for kind, value in (("check-l-", 1), ("check-k-", 12)):
        (field,) = [one for one in clinic.at.number_input if one.key.startswith(kind)]
        field.set_value(value).run()
    step(clinic, "Publish with k = 12")
    assert clinic.study.k == 12
    assert "fewer than k = 12 records" not in said(clinic)


def test_who_is_alone_is_cured_by_a_button(clinic):
    clinic.open(CHECK)
    assert "or remove it (without 'bmi'" in said(clinic)
    step(clinic, "Remove bmi")
    assert clinic.study.roles.of("bmi") == "removed"
    step(clinic, "Publish by safe recoding, epsilon 1")
    assert clinic.study.safe
    assert "published by safe recoding" in clinic.at.session_state["cra_decisions"][1][-1].what


def test_what_everybody_in_a_class_shows_is_said_and_settled_by_a_button(session):
    page = session.open(DATA).fill("radio", "data-from", "Upload a table")
    rows = "".join(f"{20 + i % 40},{['nein', 'nein', 'k.A.', ''][i % 4] if i % 40 < 20 else 'ja'}\n" for i in range(80))
    page.upload("patients.csv", f"age,Asthma\n{rows}".encode()).open(CHECK)
    assert "shares one value of 'Asthma'" in said(page)
    classes = next(one.value for one in page.at.dataframe if "stops the release" in one.value)
    # What is unknown or empty is no second value: the picture stops where the verdict does.
    assert set(classes["Asthma"]) == {"only nein", "only ja"}
    assert set(classes["stops the release"]) == {"yes"}
    step(page, "Asthma need not be hidden: keep it")
    assert page.study.roles.of("Asthma") == "kept"
    assert "shares one value" not in said(page)


def test_a_table_is_taken_where_the_question_is(session):
    page = session.open(CHECK)
    assert [button.label for button in page.at.button].count("Open Toy") == 1
    assert "**Step 1 of 3: your table** → may it go out? → hand it out" in page.says("caption")
    assert "A reload forgets an upload" in page.at.get("page_link")[0].proto.label
    page.fill("radio", "data-from", "Upload a table").upload("patients.csv", PATIENTS.encode())
    assert page.title == "Check"
    assert "your table → **Step 2 of 3: may it go out?** → hand it out" in page.says("caption")
    assert "Stop" in page.says("error")


def test_l_diversity_is_asked_of_the_recoding_by_a_button(session):
    page = session.open(DATA).fill("radio", "data-from", "Upload a table")
    rows = "".join(f"{20 + i % 40},{'ja' if i % 10 < 2 or i % 40 < 10 else 'nein'}\n" for i in range(80))
    page.upload("patients.csv", f"age,Asthma\n{rows}".encode()).open(CHECK)
    assert "shares one value of 'Asthma'" in said(page)
    step(page, "Publish with distinct 2-diversity of Asthma")
    assert [str(one) for one in page.study.privacy] == ["distinct 2-diversity of Asthma"]
    assert "shares one value of 'Asthma'" not in said(page)


def test_recoding_by_l_diversity_is_not_advised_where_it_would_count_a_word_for_nothing(session):
    page = session.open(DATA).fill("radio", "data-from", "Upload a table")
    rows = "".join(
        f"{20 + i % 40},{'unbekannt' if i % 10 < 2 else 'ja' if i % 40 < 10 else 'nein'}\n" for i in range(80)
    )
    page.upload("patients.csv", f"age,Asthma\n{rows}".encode()).press("data-unknown-values").open(CHECK)
    assert "shares one value of 'Asthma'" in said(page)
    assert not [one.label for one in page.at.button if one.label.startswith("Publish with")]


def assert_offered_as_judged(page):
    """Rows of people are handed out by no name unless the check says Ready, or what it found was accepted."""
    may = "The rule lets this release go out" in page.says("success") or " accepted" in page.says("warning")
    labels = [button.proto.label for button in page.at.get("download_button") if "(CSV)" in button.proto.label]
    assert labels == ["The release (CSV)"] * may


def test_sensitive_values_of_few_suppressed_records_are_left_out_and_the_release_is_handed_out(session):
    page = session.open(DATA).fill("radio", "data-from", "Upload a table")
    rows = "".join(f"{20 + i // 15},{i % 3 + 60},{'ab'[i % 2]}\n" for i in range(60)) + "79,99,c\n"  # sorted by age
    page.upload("patients.csv", f"age,weight,diagnosis\n{rows}".encode()).open(CHECK)
    assert "1 record is suppressed, fewer than k = 5" in said(page)
    step(page, "Leave their sensitive values out")
    assert "They show no sensitive value" in said(page)
    assert "The release is not of this table" not in said(page)
    frame = page.at.session_state["cra_check_given-release"][1].frame
    assert sorted(frame["diagnosis"]) == ["*", *["a"] * 30, *["b"] * 30]
    assert frame.loc[frame["diagnosis"] == "*", "age"].tolist() == ["*"]
    assert "stand in the table's order" not in said(page)
    assert_offered_as_judged(page)


def test_an_attack_that_ran_out_of_time_keeps_its_line_and_is_looked_at_longer(clinic, monkeypatch):
    given = []

    def stops(*_, time_limit, **__):
        given.append(time_limit)
        raise Stopped

    monkeypatch.setattr(attacked, "tight_attack", stops)
    clinic.open(CHECK)
    assert "? **Nobody singled out for certain**: 0 found, not all looked at, wanted 0" in demands(clinic)
    assert "the time ran out, and more time can find more" in clinic.says("caption")
    assert "✗ **Nobody likely to stand alone**: about 2 of 60 people (3.3 %), wanted fewer than 1" in demands(clinic)
    step(clinic, "Look longer: up to 2 min")
    step(clinic, "Look longer: up to 4 min")
    assert [round(one / 48) for one in given] == [1, 2, 4]  # of 60, 120 and 240 seconds four fifths
    monkeypatch.setattr(attacked, "tight_attack", tight_attack)
    step(clinic, "Look longer: up to 8 min")
    assert "? **Nobody singled out for certain**" not in " ".join(demands(clinic))


def test_an_undo_comes_back_to_the_answer_that_was_given_before(clinic, monkeypatch):
    asked, show = [], panel.show
    monkeypatch.setattr(gate, "check", lambda *given, **how: asked.append(how["rule"]) or check(*given, **how))
    clinic.open(CHECK)
    first = said(clinic)
    (field,) = [one for one in clinic.at.number_input if one.key.startswith("check-l-")]
    field.set_value(3).run()
    assert [one.l for one in asked] == [2, 3]
    # What the button above the page does, which AppTest does not see.
    monkeypatch.setattr(panel, "show", lambda give_way: (asked or [state.undo()]) and show(give_way))
    asked.clear()
    clinic.run()
    assert said(clinic) == first
    assert asked == []


def test_where_the_attack_could_not_be_made_the_line_says_so(clinic, monkeypatch):
    monkeypatch.setattr(attacked, "attack", lambda *_, **__: (_ for _ in ()).throw(Stopped))
    clinic.open(CHECK)
    assert "? **Wanted: nobody singled out for certain**: not looked at" in demands(clinic)
    assert "? **Wanted: nobody likely to stand alone**: not looked at" in demands(clinic)
    assert "**Attention.** Who is singled out was not looked at" in clinic.says("markdown")


def test_nobody_waits_unasked_for_an_attack_that_can_only_end_with_bounds(clinic, monkeypatch):
    asked = []
    monkeypatch.setattr(gate, "check", lambda *given, **how: asked.append(given) or check(*given, **how))
    monkeypatch.setattr(system, "MAX_LOOKS", 0)
    clinic.open(CHECK)
    assert "too many combinations of values to look at all groups together" in clinic.says("info")
    # Its button is called otherwise once it was pressed.
    assert "The search above changes columns first, then looks." in clinic.says("info")
    assert "publishable-start" in [one.key for one in clinic.at.button]
    assert not asked
    assert "Verdict on **your table, in groups**: none yet." in clinic.says("markdown")
    assert "Looked at" not in clinic.says("markdown", "success", "warning", "error")
    clinic.press("check-again")
    assert len(asked) == 1
    assert "none yet" not in clinic.says("markdown")
    assert "Looked at: **your table, in groups**." in said(clinic)
    # What is known all the same is a bound, and stays one.
    assert "too many combinations of values to attack all groups together" in said(clinic)
    assert "Not looked at yet" not in clinic.says("info")


def test_a_project_goes_on_where_it_stood(clinic):
    clinic.press("data-removed-bmi").press("data-kept-arm").open(CHECK)
    (field,) = [one for one in clinic.at.number_input if one.key.startswith("check-l-")]
    field.set_value(3).run()
    study = clinic.study
    saved = Project(
        clinic.dataset.name, clinic.dataset.digest, study, Rule(l=3), clinic.at.session_state["cra_decisions"][1]
    ).to_toml_text()
    assert not [row[1] for row in ROWS if row[1] in saved]
    clinic.open(DATA).press("data-forget").fill("radio", "data-from", "Upload a table")
    clinic.upload("patients.csv", PATIENTS.encode()).open(CHECK)
    assert clinic.study != study
    clinic.upload("project.toml", saved.encode(), PROJECT)
    assert "goes on where it stood" in clinic.says("success")
    assert clinic.study == study
    assert clinic.at.session_state["cra_rule"] == Rule(l=3)
    assert [one.what for one in clinic.at.session_state["cra_decisions"][1]][:3] == [
        "name is removed, as proposed",
        "mail is removed, as proposed",
        "bmi is removed",
    ]
    clinic.upload("study.toml", study.to_toml_text().encode(), PROJECT)
    assert "is no project file" in clinic.says("error")


def test_a_project_of_another_table_says_so(clinic):
    clinic.open(CHECK)
    saved = Project("other.csv", "00", clinic.study, Rule()).to_toml_text()
    clinic.upload("project.toml", saved.encode(), PROJECT)
    assert "a table with other content" in clinic.says("warning")
    lost = Project("x", "00", clinic.study.with_roles(Roles(keep=["gone"])), Rule()).to_toml_text()
    clinic.upload("project.toml", lost.encode(), PROJECT)
    assert "names the column 'gone'" in clinic.says("error").replace("\\", "")


def test_an_example_has_a_verdict_and_nothing_to_decide(session):
    page = session.open(DATA).press("data-toy").open(CHECK)
    # No class by itself gives anybody away there; all classes together do.
    assert "Stop" in page.says("error")
    assert demands(page)[0] == "✗ **Nobody singled out for certain**: 2 of 36 people (5.6 %), wanted 0"
    (line,) = [one.value for one in page.at.markdown if "2 descriptions that fit exactly one person" in one.value]
    assert "weight from 40 to under 60 kg; age from 40 to under 60 years and weight from 40 to under 60 kg)." in line
    assert "Looked at: your table, in groups" in page.says("error").replace("*", "")
    assert len(page.alts()) == 1


def test_the_bars_that_stop_the_release_are_painted(session):
    page = session.open(DATA).fill("radio", "data-from", "Upload a table")
    rows = "".join(f"{age},{weight},no\n" for age, weight in [(31, 60), (44, 70)] * 6)
    page.upload("one_answer.csv", f"age,weight,smoker\n{rows}".encode())
    page.press("data-sensitive-smoker") if page.study.roles.of("smoker") != "sensitive" else None
    page.open(CHECK)
    (chart,) = page.charts()
    (stopping,) = [bar for bar in chart["data"] if bar.get("name") == "stops the release"]
    # "replace", which Plotly takes by itself, draws white lines on nothing where a pattern has a colour of its own.
    assert stopping["marker"]["color"] != stopping["marker"]["pattern"]["fgcolor"]
    assert stopping["marker"]["pattern"]["fillmode"] == "overlay"


def test_a_study_is_taken_where_the_release_is(clinic):
    clinic.open(DATA).press("data-removed-bmi").open(CHECK)
    other = clinic.study.with_k(7)
    clinic.upload("their.toml", other.to_toml_text().encode(), "Its study (TOML), with the hierarchy files it names")
    assert clinic.study == other
    assert "their.toml is in use: known to others age, weight, k = 7." in said(clinic).replace("\\", "")
    clinic.upload("none.toml", b"k = 3", "Its study (TOML), with the hierarchy files it names")
    assert "The study stays as it is." in clinic.says("error")
    assert clinic.study == other


def test_examples_are_offered_once_where_there_is_no_table(session):
    page = session.open(CHECK)
    assert [one.label for one in page.at.button].count("Open Toy") == 1


def test_the_first_step_that_is_advised_is_the_blue_one(clinic):
    clinic.open(CHECK)
    steps = [one.proto for one in clinic.at.button if one.key and one.key.startswith("check-step-")]
    blue = {step.type == "primary" for step in steps if "check-step-0-" in step.id}
    assert blue == {True}
    assert not any(step.type == "primary" for step in steps if "check-step-0-" not in step.id)


def test_who_decides_is_asked_over_the_page_and_a_reason_wants_a_name(clinic):
    filed = []
    clinic.open(CHECK)

    def say(who, why):
        clinic.press("check-who")
        for key, text in (("decided-by", who), ("decided-why", why)):
            clinic.at.text_input(key=key).set_value(text)
        clinic.press("decided-take")
        told = str(clinic.at.session_state.get("cra_told"))
        filed.append((signing_of(clinic), next((one for one in (UNREASONED, UNSIGNED) if one[:40] in told), "")))

    for who, why in (("Ada", "x"), ("", "The board has seen it."), ("Ada", "The board has seen it."), ("Bo", "")):
        say(who, why)
    assert filed == [
        (("", ""), UNREASONED),
        (("", ""), UNSIGNED),
        (("Ada", "The board has seen it."), ""),
        (("Bo", ""), ""),
    ]


def signing_of(page):
    """Who decides, and why, as the session keeps it."""
    kept = page.at.session_state
    (name,) = kept.get("cra_who_decides", {"": ""}).values()
    return name, kept.get("cra_why_decided", ("", ""))[1]
