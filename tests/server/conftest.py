"""A dashboard in a process of its own, and a session of it."""

import pytest

import serving
from talk import Talk
from visits import PROGRAM, ROOT


@pytest.fixture(scope="session")
def dashboard(tmp_path_factory):
    """The dashboard as `make run` starts it."""
    with serving.running(PROGRAM, ROOT, tmp_path_factory.mktemp("home")) as server:
        yield server


@pytest.fixture
def talk(dashboard):
    """A new session."""
    with Talk(dashboard.url) as opened:
        yield opened
