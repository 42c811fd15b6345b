"""The server around the pages, where there is one."""

from streamlit import runtime
from streamlit.runtime import Runtime


def running() -> Runtime | None:
    """The server of this process; None where a page runs without one, as in a test."""
    found = runtime.get_instance() if runtime.exists() else None
    return found if isinstance(found, Runtime) else None
