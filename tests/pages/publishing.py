"""Tables that tests make publishable, and what the page Check found, took and packed of them."""

import io
import re
import zipfile

from visitor import DATA

from cra_dashboard.session import decisions, state
from cra_engine.files.zipped import packed_zip

CHECK = "pages/check.py"
PEOPLE = "age;illness\n" + "".join(f"{20 + row * 7 % 60};{('flu', 'gout', 'cold')[row % 3]}\n" for row in range(60))


def plan_lines(rare, plans=12):
    """Lines of a table in which four people have each plan, but for some whose plan is their own."""
    held = [f"plan {number}" for number in range(plans) for _ in range(4)]
    for row, plan in rare.items():
        held.insert(row - 1, plan)
    return [f"{(21, 45)[row % 2]};{plan};{('flu', 'gout')[row // 2 % 2]}\n" for row, plan in enumerate(held)]


def plans(session, rare, plans=12, answer="kept"):
    """Check of such a table."""
    session.open(DATA).fill("radio", "data-from", "Upload a table")
    session.upload("people.csv", ("age;plan;illness\n" + "".join(plan_lines(rare, plans))).encode())
    return session.press(f"data-{answer}-plan").open(CHECK)


def offered(page):
    """Whether the page offers the archive."""
    return any("publishable-zip" in button.proto.id for button in page.at.get("download_button"))


def name_who(page, who, archive=""):
    """Say over the page who hands out the table that was taken, and perhaps what its archive is called."""
    page.press("publishable-who")
    page.at.text_input(key="decided-by").set_value(who)
    if archive:
        page.at.text_input(key="archive-name").set_value(archive)
    return page.press("decided-take")


def take_with_reason(page, why, who="Ada Fictitious"):
    """Take the table that asks for attention, for a reason."""
    page.at.text_input(key="publishable-accept-why").set_value(why)
    page.at.text_input(key="publishable-accept-who").set_value(who)
    return page.press("publishable-accept-take")


def last_found(page):
    return list(page.at.session_state["cra_publishable_found"][1].values())[-1]


def taken_of(page):
    """The table that is taken now; None where none is."""
    decided = page.at.session_state[state.DECIDED][1]
    line = next((one.what for one in decided if one.what.startswith(decisions.PUBLISHED)), "")
    kept = page.at.session_state["cra_taken"][1]
    return next((taken for key, taken in reversed(kept.items()) if key[-1] == line), None)


def archive(page):
    taken = taken_of(page)
    return None if taken.problem else zipfile.ZipFile(io.BytesIO(packed_zip(taken.files)))


def rows_in_verdict(page, why):
    """The rows that a verdict says something became of."""
    verdict = " ".join(re.sub(r"<[^>]+>", " ", archive(page).read("keep/verdict.html").decode()).split())
    return re.search(rf"\d rows? {why}: ([\d, to]+\d)", verdict)[1]


def assert_one_verdict(page):
    """Of what was found the page speaks alone: no verdict on the table as it came stands below."""
    assert "check-made" not in [box.key for box in page.at.selectbox]
    said = page.says("markdown", "success", "warning", "error")
    assert "Looked at: " not in said
    assert "none yet." not in said
