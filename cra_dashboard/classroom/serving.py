"""A class in one process with the dashboard: telephones reach a port of their own, which serves nothing else."""

import asyncio
import socket
import threading
from collections.abc import Callable, Sequence

import uvicorn
from starlette.routing import Mount

from cra_dashboard.classroom.doors import class_app, lecturer_routes, telephone_routes
from cra_dashboard.classroom.room import Question, Room, Rooms

_served: list[Rooms] = []


def served() -> bool:
    """Return whether this process serves classes with telephones."""
    return bool(_served)


def room_of(key: str) -> Room | None:
    """Return the room of a lecturer's screen, by the key that it has."""
    return _served[0].of_key(key) if _served else None


def serve_class(address: str, port: int | None, page: str, questions: Callable[[], Sequence[Question]]) -> Mount:
    """Begin to serve classes and their telephones.

    Args:
        address: where telephones find the class.
        port: to listen on, on every network interface; None where a reverse proxy hands on the dashboard's ``/class/``.
        page: what telephones see.
        questions: with which a class begins.

    Returns:
        What the dashboard serves of it, on its own address.
    """
    rooms = Rooms()
    if port is not None:
        threading.Thread(target=_listen, args=(rooms, port, page), name="class", daemon=True).start()
    _served.append(rooms)
    routes = [*lecturer_routes(rooms, address, questions), *telephone_routes(rooms, page)]
    return Mount("/class", class_app(routes))


def _listen(rooms: Rooms, port: int, page: str) -> None:
    config = uvicorn.Config(
        class_app(telephone_routes(rooms, page)),
        host="0.0.0.0",  # noqa: S104 - asked for by --class
        port=port,
        access_log=False,  # nothing of a class is written down
        log_config=None,
        server_header=False,
        limit_concurrency=700,
        timeout_keep_alive=30,
    )
    asyncio.run(uvicorn.Server(config).serve())


def own_address() -> str:
    """Return the number by which telephones in this network reach this computer; nothing is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # reserved for examples: only the way there is looked up
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"
