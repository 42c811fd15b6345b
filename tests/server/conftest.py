"""A dashboard in a process of its own, and a session of it."""

import pytest

import serving
from quick_pages import answered_at_once, compiled_once, no_components_of_others
from talk import Talk
from visits import PROGRAM, ROOT, TEMPORARY

__all__ = ["answered_at_once", "compiled_once", "dashboard", "no_components_of_others", "talk"]


@pytest.fixture(scope="session")
def dashboard(tmp_path_factory):
    """The dashboard as `make run` starts it."""
    home = tmp_path_factory.mktemp("home")
    (home / TEMPORARY).mkdir()
    with serving.running(PROGRAM, ROOT, home, environment={"TMPDIR": str(home / TEMPORARY)}) as server:
        yield server


@pytest.fixture
def talk(dashboard):
    """A new session."""
    with Talk(dashboard.url) as opened:
        yield opened
