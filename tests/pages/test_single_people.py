"""Diagnoses of single people, beside a table that may go out: told, hidden, or left shown by decision."""

from types import SimpleNamespace

import pandas as pd
from publishing import CHECK, PEOPLE, archive, offered, taken_of
from visitor import DATA

from cra_dashboard.publishable import panel, singles
from cra_dashboard.session import decisions, state


def test_diagnoses_of_single_people_are_told_beside_ready_and_hidden_by_a_button(session):
    lines = [f"{21 + row % 40};{('flu', 'gout')[row % 2]}" for row in range(60)]
    lines[9], lines[30] = "30;ague", "51;plague"
    session.open(DATA).fill("radio", "data-from", "Upload a table")
    session.upload("people.csv", "\n".join(["age;illness", *lines]).encode())
    page = session.fill("multiselect", "data-roles", ["age"]).open(CHECK).press("publishable-start")
    assert "2 values of illness are of a single record (ague, plague): whoever knows" in page.says("markdown")
    # A card promises no more than what follows once its table is taken.
    assert "**Ready, but for one decision of yours: keeps most detail**" in page.says("markdown")
    assert "**Ready: " not in page.says("markdown")
    assert "What else is yours to decide is asked above." in page.says("markdown")
    page.press("publishable-take-0")
    assert not offered(page)
    assert "Almost: one thing is yours to decide first" in page.says("warning")
    page.press("publishable-hide-illness")
    assert not offered(page)
    assert panel.LET_GO.format("you searched again") in page.says("markdown")
    assert [page.dataset.frame["illness"][row] for row in (9, 30)] == ["*", "*"]
    assert "of a single record" not in page.says("markdown")
    asked = session.open(DATA).says("markdown")
    assert "illness** is sensitive and has" not in asked  # who hid a value is not asked what it means
    page = session.open(CHECK)
    assert "**Ready: " in page.says("markdown")
    assert "of yours" not in page.says("markdown")
    assert "yours to decide" not in page.says("markdown")
    packed = archive(page.press("publishable-take-0"))
    assert panel.LET_GO.format("you searched again") not in page.says("markdown")
    assert "ague" not in packed.read("hand-out/release.csv").decode()
    assert "illness: 2 values of 2 people hidden" in packed.read("keep/verdict.html").decode()
    assert "illness: as in the table, or *." in packed.read("hand-out/how-to-read.txt").decode()


def test_who_takes_back_that_a_diagnosis_was_hidden_reads_again_that_a_single_person_has_it(session, above):
    lines = [f"{21 + row % 40};{('flu', 'gout')[row % 2]}" for row in range(60)]
    lines[9] = "30;ague"
    session.open(DATA).fill("radio", "data-from", "Upload a table")
    session.upload("people.csv", "\n".join(["age;illness", *lines]).encode())
    page = session.fill("multiselect", "data-roles", ["age"]).open(CHECK)
    page.press("publishable-start").press("publishable-take-0").press("publishable-leave-illness")
    first = archive(page).read("hand-out/release.csv")
    assert b"ague" in first
    above(state.undo)
    page.press("publishable-hide-illness")
    assert not offered(page)
    above(state.undo)
    assert archive(page).read("hand-out/release.csv") == first
    assert "1 value of illness is of a single record (ague)" in page.says("markdown")
    assert {"publishable-hide-illness", "publishable-take-0"} <= {button.key for button in page.at.button}
    # The open question comes first.
    offers = [button for button in page.at.button if (button.key or "").startswith("publishable-")]
    assert [button.key for button in offers if button.proto.type == "primary"] == ["publishable-hide-illness"]


def test_where_a_card_is_asked_about_is_said_also_where_it_is_not_above_the_cards(monkeypatch):
    def table(*values):
        return SimpleNamespace(
            frame=pd.DataFrame({"illness": ["flu", "flu", *values]}),
            diversity=[SimpleNamespace(column="illness")],
            study=SimpleNamespace(roles=SimpleNamespace(as_values=())),
        )

    monkeypatch.setattr(singles.decisions, "noted", list)
    monkeypatch.setattr(singles.decisions, "still_asked", lambda: 0)
    nobody, one, two = table(), table("ague"), table("ague", "gout")

    def where(tables, above=None):
        return singles.where_to_decide(tables, above).partition("is asked ")[2]

    assert (where([nobody]), where([nobody], nobody), singles.to_decide_told(nobody)) == ("", "", "")
    # While it searches on nothing is asked above; nor is what one of the others alone shows of a single person.
    assert where([one, one]) == where([nobody, one], nobody) == "once you take a table."
    assert where([one, one, nobody], one) == "above."
    assert where([one, two], one) == "above and once you take a table."
    monkeypatch.setattr(singles.decisions, "still_asked", lambda: 2)
    assert where([nobody], nobody) == "on Data."
    assert where([one], one) == "on Data and above."
    assert singles.to_decide_told(one) == ", but for 3 decisions of yours"


def with_ague(session, lines):
    """Check of people of whom one has the ague, with a table that may go out."""
    lines[9] = "30;ague"
    session.open(DATA).fill("radio", "data-from", "Upload a table")
    session.upload("people.csv", "\n".join(["age;illness", *lines]).encode())
    return session.fill("multiselect", "data-roles", ["age"]).open(CHECK).press("publishable-start")


def test_the_next_rarest_diagnosis_hides_with_that_of_a_single_person(session):
    page = with_ague(session, [f"{21 + row % 40};{('flu', 'gout', 'gout')[row % 3]}" for row in range(60)])
    flu = page.dataset.frame["illness"].eq("flu").sum()
    (hide,) = [button.label for button in page.at.button if button.key == "publishable-hide-illness"]
    assert hide == f"Hide ague (1 person) and flu ({flu}), search again"
    told = "Alone behind * it would still tell its row, so the next rarest goes with it"
    assert f"{told}, flu ({flu} people): * in {flu + 1} of 60 rows." in page.says("markdown")
    page.press("publishable-hide-illness")
    assert set(page.dataset.frame["illness"]) == {"*", "gout"}


def test_a_diagnosis_of_a_single_person_left_shown_is_a_decision_that_undo_takes_back(session, above):
    page = with_ague(session, [f"{21 + row % 40};{('flu', 'gout')[row % 2]}" for row in range(60)])
    page.press("publishable-take-0")
    assert not offered(page)
    taken = taken_of(page)
    page.press("publishable-leave-illness")
    assert offered(page)
    told = "1 value of illness is of a single record and stays shown, as decided (ague): whoever knows"
    assert told in page.says("markdown")
    assert taken_of(page) is taken
    (decided,) = [one for one in page.at.session_state[state.DECIDED][1] if "left shown" in one.what]
    files = taken.files_with([decided])
    verdict = files["keep/verdict.html"]
    assert "whoever knows that somebody in the table has it knows that row: “ague”" in verdict
    assert "decide yourself" not in verdict
    findings = verdict.partition("Findings, and what to do")[2].partition("<h2>")[0]
    assert f"Note.</b> {told}" in findings
    assert "No demand of the rule stops" not in findings
    assert "decide yourself" in taken.files["keep/verdict.html"]
    assert all(files[path] == taken.files[path] for path in files if path.startswith("hand-out"))
    undone = []
    above(lambda: (undone.append(decisions.last_change()), state.undo()))
    assert undone == ["illness left shown"]
    assert not offered(page)
    assert "publishable-leave-illness" in {button.key for button in page.at.button}


def test_that_a_diagnosis_stays_shown_is_decided_anew_also_where_undo_is_over(session):
    lines = [f"{21 + row % 40};{('flu', 'gout')[row % 2]}" for row in range(60)]
    page = with_ague(session, lines).press("publishable-take-0").press("publishable-leave-illness")
    page.open(DATA).upload("others.csv", PEOPLE.replace("illness", "diagnosis").encode())
    page.open(DATA).upload("people.csv", "\n".join(["age;illness", *lines]).encode())
    page.open(CHECK).press("publishable-start")
    assert "stays shown, as decided (ague)" in page.says("markdown")
    page.press("publishable-anew-illness")
    assert "stays shown" not in page.says("markdown")
    assert "publishable-leave-illness" in {button.key for button in page.at.button}


def test_the_table_before_the_search_goes_out_once_a_diagnosis_is_decided_about_unless_another_is_taken(session):
    def files():
        return [one.proto.label for one in page.at.get("download_button")]

    page = with_ague(session, [f"{21 + row % 40};{('flu', 'gout')[row % 2]}" for row in range(60)])
    page.fill("toggle", "check-as-it-was", True)
    assert "The verdict, one page (HTML)" in files()
    assert not any("CSV" in label for label in files())
    assert page.says("warning").count("Almost: one thing is yours to decide first, below.") == 1
    assert "Ready" not in page.says("success")
    page.press("check-leave-illness")
    # It is not as it came: it stands in groups.
    assert [label for label in files() if "CSV" in label] == ["The table before the search, in groups (CSV)"]
    # Beside a table that was taken it would be sent in its place: it is there to be looked at alone.
    page.press("publishable-take-0")
    assert offered(page)
    assert not [label for label in files() if "CSV" in label]
    assert "check-who" not in {one.key for one in page.at.button}
    assert "The verdict, one page (HTML)" in files()
    page.press("publishable-start")  # which lets it go
    assert [label for label in files() if "CSV" in label] == ["The table before the search, in groups (CSV)"]
    page.press("check-anew-illness").press("check-hide-illness")
    assert page.dataset.frame["illness"].iloc[9] == "*"
