"""Fixtures of all folders that run pages by AppTest: what no page needs is not done for each run anew."""

import pytest
from streamlit.components.v2 import manifest_scanner
from streamlit.runtime.scriptrunner.script_cache import ScriptCache


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
