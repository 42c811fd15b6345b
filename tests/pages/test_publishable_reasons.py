"""Make it publishable, on the page Check: what asks for attention, taken with a reason."""

import re
from dataclasses import replace

import pytest
from publishing import (
    CHECK,
    archive,
    assert_one_verdict,
    last_found,
    name_who,
    offered,
    plans,
    take_with_reason,
    taken_of,
)
from visitor import DATA

from cra_dashboard.publishable import search
from cra_dashboard.session import state
from cra_engine.checks.outcome import Finding
from cra_engine.checks.project import Decision
from cra_engine.checks.signed import UNREASONED, UNSIGNED
from cra_engine.publishable import STOPPED
from cra_engine.publishable import archive as archives


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
    assert_one_verdict(page)  # beside the other one's Attention that of the table as it came would look alike
    assert "publishable-accept-take" in [button.key for button in page.at.button]
    assert STOPPED in page.says("caption")
    page.fill("toggle", "check-as-it-was", True)
    assert "Looked at: **your table, in groups" in page.says("success", "warning", "error")
