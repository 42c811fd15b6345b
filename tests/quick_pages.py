"""Fixtures of all folders that run pages by AppTest: what no page needs is not done for each run anew."""

from unittest.mock import MagicMock

import pytest
from streamlit.components.v2 import manifest_scanner
from streamlit.runtime.scriptrunner.script_cache import ScriptCache
from streamlit.testing.v1 import app_test


@pytest.fixture(scope="session", autouse=True)
def no_components_of_others():
    """Every AppTest looks through all that is installed for components; none is, and that takes half of most tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(manifest_scanner, "scan_component_manifests", list)
        yield


@pytest.fixture(scope="session", autouse=True)
def compiled_once():
    """Every run of an AppTest would compile app.py and its page anew; a server compiles each once."""
    shared, compiled = ScriptCache(), ScriptCache.get_bytecode
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ScriptCache, "get_bytecode", lambda _, path: compiled(shared, path))
        yield


@pytest.fixture(scope="session", autouse=True)
def answered_at_once():
    """Work beside a page asks at every step whether its session is still there; a mock would note each question."""

    def noting_less(spec):
        server = MagicMock(spec=spec)
        server.is_active_session = lambda _: True
        return server

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(app_test, "MagicMock", noting_less)
        yield
