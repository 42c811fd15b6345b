"""The server around the pages, where there is one."""

import asyncio
import socket
from collections.abc import Mapping
from weakref import WeakSet

from streamlit import runtime
from streamlit.runtime import Runtime
from streamlit.runtime.websocket_session_manager import WebsocketSessionManager

_prompt: WeakSet[asyncio.AbstractEventLoop] = WeakSet()


def running_server() -> Runtime | None:
    """Return the server of this process; None where a page runs without one, as in a test."""
    found = runtime.get_instance() if runtime.exists() else None
    return found if isinstance(found, Runtime) else None


def send_at_once() -> None:
    """See to it that the server sends small messages without delay; to be called in each run.

    Its sockets are opened without ``TCP_NODELAY``: of several messages in a row the second then waits some 40 ms for
    the browser to confirm the first. A connection takes the option over from the socket that listens.
    """
    server = running_server()
    if server is None:
        return
    loop = server._get_async_objs().eventloop  # noqa: SLF001 - Streamlit has no other way to its loop
    if loop not in _prompt:
        _prompt.add(loop)
        loop.call_soon_threadsafe(_set_no_delay, loop)


def _set_no_delay(loop: asyncio.AbstractEventLoop) -> None:
    """Set the option on all of a loop's TCP sockets; other loops than asyncio's own do so by themselves."""
    selector = getattr(loop, "_selector", None)
    for key in list(selector.get_map().values()) if selector is not None else []:
        number = key.fileobj if isinstance(key.fileobj, int) else key.fileobj.fileno()
        try:
            with socket.socket(fileno=socket.dup(number)) as known:
                if known.family in (socket.AF_INET, socket.AF_INET6) and known.type == socket.SOCK_STREAM:
                    known.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        except OSError:
            continue  # a pipe, or a connection that has just ended


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
