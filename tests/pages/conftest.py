"""What the page tests share."""

import pytest
from visitor import Session

from cra_dashboard.session import runs


@pytest.fixture
def session(monkeypatch):
    """A new session of the dashboard, on its first page.

    A page waits there for what it starts, however slow the machine is: a test of a run that goes on holds it up itself.
    """
    monkeypatch.setattr(runs, "AT_ONCE", 120.0)
    return Session()
