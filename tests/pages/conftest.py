"""What the page tests share."""

import pytest
from publishing import CHECK, PEOPLE
from visitor import DATA, UPLOAD, Session

from cra_dashboard.charts import look
from cra_dashboard.publishable import panel, search
from cra_dashboard.session import runs
from quick_pages import answered_at_once, compiled_once, no_components_of_others

__all__ = ["answered_at_once", "compiled_once", "no_components_of_others", "session"]

look.CHECKED = True


@pytest.fixture
def session(monkeypatch):
    """A new session of the dashboard, on its first page.

    A page waits there for what it starts, however slow the machine is: a test of a run that goes on holds it up itself.
    """
    monkeypatch.setattr(runs, "AT_ONCE", 120.0)
    return Session()


@pytest.fixture
def data(session):
    """The page Data before there is a table."""
    return session.open(DATA)


@pytest.fixture
def uploading(data):
    """The page Data where a table is uploaded."""
    return data.fill("radio", "data-from", UPLOAD)


@pytest.fixture
def page(session, monkeypatch):
    """The page Check of some people with an illness, whose table is to be made publishable."""
    monkeypatch.setattr(search, "SECONDS", 60.0)
    session.open(DATA).fill("radio", "data-from", UPLOAD).upload("people.csv", PEOPLE.encode())
    return session.open(CHECK)


@pytest.fixture
def above(session, monkeypatch):
    """Do in a run of the page what a button above it does, which AppTest does not see."""
    show, wanted = panel.show, []

    def done_first(give_way):
        while wanted:
            wanted.pop(0)()
        return show(give_way)

    def do(*steps):
        wanted.extend(steps)
        session.run()

    monkeypatch.setattr(panel, "show", done_first)
    return do
