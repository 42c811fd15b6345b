"""What the page tests share."""

import pytest
from streamlit.components.v2 import manifest_scanner
from streamlit.runtime.scriptrunner.script_cache import ScriptCache
from visitor import Session

from cra_dashboard.charts import look
from cra_dashboard.session import runs

look.CHECKED = True


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


@pytest.fixture
def session(monkeypatch):
    """A new session of the dashboard, on its first page.

    A page waits there for what it starts, however slow the machine is: a test of a run that goes on holds it up itself.
    """
    monkeypatch.setattr(runs, "AT_ONCE", 120.0)
    return Session()
