"""A class in one process with the dashboard: telephones reach a port of their own, which serves nothing else."""

import asyncio
import socket
import threading
from collections.abc import Callable, Sequence

import uvicorn
from starlette.routing import Mount

from cra_dashboard.classroom.doors import class_app, lecturer_routes, telephone_routes
from cra_dashboard.classroom.room import Question, Rooms

_serving = threading.Event()


def served() -> bool:
    """Whether this process serves classes."""
    return _serving.is_set()


def serve_class(address: str, port: int | None, questions: Callable[[], Sequence[Question]]) -> Mount:
    """Begin to serve classes.

    Args:
        address: where telephones find the class.
        port: to listen on, on every network interface; None where a reverse proxy hands on the dashboard's ``/class/``.
        questions: of the story.

    Returns:
        What the dashboard serves of it, on its own address.
    """
    rooms = Rooms()
    if port is not None:
        threading.Thread(target=_listen, args=(rooms, port), name="class", daemon=True).start()
    _serving.set()
    routes = [*lecturer_routes(rooms, address, questions), *telephone_routes(rooms)]
    return Mount("/class", class_app(routes))


def _listen(rooms: Rooms, port: int) -> None:
    config = uvicorn.Config(
        class_app(telephone_routes(rooms)),
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
    """The number by which this computer is reached in its network; nothing is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # reserved for examples: only the way there is looked up
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"
