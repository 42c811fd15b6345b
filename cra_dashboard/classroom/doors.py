"""The addresses of a class: what telephones may ask for, and what the lecturer's screen may.

Codes, seats and keys come in headers or bodies, never in an address, and nothing of a request is written down.
"""

import asyncio
import json
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

import segno
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import BaseRoute, Route

from cra_dashboard.classroom.room import Question, Room, Rooms

PATIENCE = 20.0  # seconds until a question for news is answered without any
LOOK = 0.1  # seconds between looks for news
MOST_SAID = 500  # bytes that a telephone has to say at most
WRONG = 0.4  # seconds that a wrong code waits, few at a time: codes cannot be tried out
_HEADERS = {
    "cache-control": "no-store",
    "content-security-policy": "frame-ancestors 'none'",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
}
_OVER = "The class is over. Thank you."
_NO_CODE = "No open class has this code: look in front."


def telephone_routes(rooms: Rooms, page: str) -> list[BaseRoute]:
    """Return what a class's telephones may ask for: without a room's code nothing but the page that asks for it.

    Args:
        rooms: of this server.
        page: the HTML that asks for the code; it holds no question and no answer.
    """
    wrong = asyncio.Semaphore(4)

    async def index(_: Request) -> Response:
        return HTMLResponse(page, headers=_HEADERS)

    async def join(request: Request) -> Response:
        code = str((await _said(request)).get("code", "")).upper().replace(" ", "")[:20]
        room = rooms.of_code(code)
        if room is None:
            async with wrong:
                await asyncio.sleep(WRONG)
            raise HTTPException(404, _NO_CODE)
        seat = room.join()
        if seat is None:
            raise HTTPException(409, "The room is full.")
        return _told({"seat": seat})

    async def now(request: Request) -> Response:
        seat = request.headers.get("x-seat", "")
        room = _found(rooms.of_seat(seat))
        seen = _whole(request.headers.get("x-seen", "0"))
        with room.listens(seat):
            await _news(request, lambda: rooms.of_code(room.code) is not room or room.stamp(seat) != seen)
        return _told(_found(rooms.of_seat(seat)).shown(seat))

    async def guess(request: Request) -> Response:
        seat = request.headers.get("x-seat", "")
        room = _found(rooms.of_seat(seat))
        said = await _said(request)
        step, choice = said.get("step"), said.get("choice")
        taken = isinstance(step, int) and isinstance(choice, str) and room.guess(seat, step, choice)
        return _told({"taken": taken}, 200 if taken else 409)

    return [
        Route("/", index),
        Route("/join", join, methods=["POST"]),
        Route("/now", now),
        Route("/guess", guess, methods=["POST"]),
    ]


def lecturer_routes(rooms: Rooms, address: str, questions: Callable[[], Sequence[Question]]) -> list[BaseRoute]:
    """Return what the lecturer's screen may ask of a class; served where the dashboard is, nowhere else.

    Args:
        rooms: of this server.
        address: where telephones find the class.
        questions: with which a room begins.
    """

    async def opened(request: Request) -> Response:
        _same_site(request)
        room = rooms.open(await asyncio.to_thread(questions))
        if room is None:
            raise HTTPException(409, "There are too many classes on this server; close one.")
        link = f"{address}#{room.code}"
        picture = segno.make(link, error="m", micro=False).svg_inline(border=2, light="#fff", omitsize=True)
        return _told({"key": room.key, "code": room.code, "address": address, "picture": picture})

    async def steer(request: Request) -> Response:
        room = _kept(rooms, request)
        said = await _said(request)
        at, stage = said.get("at"), said.get("stage")
        if not (isinstance(at, int) and isinstance(stage, int) and room.steer(at, stage)):
            raise HTTPException(400, "There is no such step.")
        return _told(room.watched())

    async def watch(request: Request) -> Response:
        room = _kept(rooms, request)
        seen = _whole(request.headers.get("x-seen", "0"))
        here = room.watched()["joined"]  # somebody is there
        joined = _whole(request.headers.get("x-joined", str(here)))

        def news() -> bool:
            return room.version != seen or room.joined() != joined or rooms.of_code(room.code) is not room

        await _news(request, news)
        return _told(_kept(rooms, request).watched())

    async def close(request: Request) -> Response:
        rooms.close(_kept(rooms, request))
        return _told({})

    return [
        Route("/open", opened, methods=["POST"]),
        Route("/steer", steer, methods=["POST"]),
        Route("/watch", watch),
        Route("/close", close, methods=["POST"]),
    ]


def class_app(routes: Sequence[BaseRoute]) -> Starlette:
    """Return a class's addresses as an app; what goes wrong is one sentence."""

    async def refused(_: Request, error: Exception) -> Response:
        if not isinstance(error, HTTPException):
            return _told({"error": "That did not work."}, 500)
        return _told({"error": error.detail}, error.status_code)

    app = Starlette(routes=list(routes), exception_handlers={HTTPException: refused})
    app.router.redirect_slashes = True
    return app


def _told(said: Mapping[str, Any], status: int = 200) -> Response:
    return JSONResponse(dict(said), status, headers=_HEADERS)


async def _news(request: Request, there: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not there() and time.monotonic() < end:
        await asyncio.sleep(LOOK)
        if await request.is_disconnected():
            return


async def _said(request: Request) -> dict[str, Any]:
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > MOST_SAID:
            raise HTTPException(413, "That is too much.")
    with suppress(ValueError, RecursionError):
        said = json.loads(body)
        if isinstance(said, dict):
            return said
    raise HTTPException(400, "That is not understood.")


def _whole(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 12 else 0


def _found(room: Room | None) -> Room:
    if room is None:
        raise HTTPException(404, _OVER)
    return room


def _kept(rooms: Rooms, request: Request) -> Room:
    return _found(rooms.of_key(request.headers.get("x-key", "-")))


def _same_site(request: Request) -> None:
    """A page of another site can send no header of its own without asking first, which nobody allows."""
    if request.headers.get("x-class") != "open":
        raise HTTPException(403, "Open the class on the dashboard's page.")
