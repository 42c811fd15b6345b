"""A dashboard in a process of its own, and a session of it."""

from pathlib import Path

import pytest

import serving
from talk import Talk
from visits import PROGRAM, ROOT, TEMPORARY

HERE = Path(__file__).parent


# Before pytest-xdist's own hook, which reads the group. These tests wait more than they work: one worker has them all,
# and with it one server for those that share it.
@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.xdist_group("server"))


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
