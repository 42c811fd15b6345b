"""The server around the pages, where there is one."""

from collections.abc import Mapping

from streamlit import runtime
from streamlit.runtime import Runtime
from streamlit.runtime.websocket_session_manager import WebsocketSessionManager


def running_server() -> Runtime | None:
    """Return the server of this process; None where a page runs without one, as in a test."""
    found = runtime.get_instance() if runtime.exists() else None
    return found if isinstance(found, Runtime) else None


# Streamlit has no public way to its sessions. tests/server fails when this name goes.
def sessions_of(server: Runtime) -> WebsocketSessionManager | None:
    """Return who keeps the server's sessions; None where it is not Streamlit's usual one."""
    manager = server._session_mgr  # noqa: SLF001
    return manager if isinstance(manager, WebsocketSessionManager) else None


def held_sessions(holder: Mapping[str, str]) -> set[str]:
    """Return the ids of the server's connected sessions that were opened by somebody."""
    server = running_server()
    manager = None if server is None else sessions_of(server)
    if manager is None:
        return set()
    user: dict[str, str | bool | dict[str, str] | None] = dict(holder)
    return {info.session.id for info in manager.list_active_sessions() if info.session.matches_user_info(user)}
