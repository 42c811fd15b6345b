"""What the server answers to whom: the rules of HTTP and of the WebSocket, before Streamlit sees a request.

A browser gets a cookie that no script can read; whoever shows it *holds* the sessions that were opened with it. Neither
the address of a page, of an upload or of a download nor the id of a session opens anything without it.
"""

import hashlib
import re
import secrets

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocketClose
from streamlit import config
from streamlit.web.server.starlette.starlette_websocket import is_host_allowed

from cra_dashboard.session.downloads import downloads_of
from cra_dashboard.session.server import held_sessions, running_server
from cra_dashboard.session.waiting_room import WaitingRoom

HEADER = "x-cra-holder"  # from these rules to Streamlit, never from outside
HOLDER = "cra_holder"
SETTINGS = {"server.trustedUserHeaders": {HEADER: HOLDER}}
"""With these Streamlit gives a session to its holder only; without :class:`Doors` anybody could claim to be that."""

NOBODY = "'none'"
_TOKEN = re.compile(r"[0-9a-f]{64}")
_HOST = re.compile(r"[A-Za-z0-9._-]{1,253}(?::[0-9]{1,5})?|\[[0-9A-Fa-f:.]{2,45}\](?::[0-9]{1,5})?")
MOST_SAID = 250_000  # bytes of a message of a page
TOO_BIG = 1009  # of a WebSocket that is closed
_FULL = "Too many files are waiting; take fewer at a time.\n"
_FOREIGN = "This address is not served here.\n"
_NAMED = "{name} is not served here. Whoever runs this server allows it with STREAMLIT_SERVER_ALLOWED_HOSTS={name}.\n"


class Doors:
    """The server's doors: Starlette middleware that holds these rules.

    * A name that is not among ``server.allowedHosts`` gets no answer, over HTTP as over the WebSocket.
    * The WebSocket opens to pages of this server alone. Streamlit would ask an outside service for this machine's
      address before it refuses another one.
    * A download goes to who holds a session that shows it, an upload comes from who holds the session.
    * No page of another site may show the dashboard inside its own; no answer but the program's own files is kept by
      the browser or by anything between.
    * Nobody says more at once than a page has to say, or sends more files than a page takes.

    Args:
        app: what answers otherwise.
        frame_ancestors: the pages that may, as the header of that name lists them.
        open_downloads: whether a download goes to whoever has its address, for a server that nobody gives data to.
    """

    def __init__(self, app: ASGIApp, frame_ancestors: str = NOBODY, *, open_downloads: bool = False) -> None:
        """See the class."""
        self._app = app
        self._open_downloads = open_downloads
        self._waiting = WaitingRoom()
        self._said = {
            "content-security-policy": f"frame-ancestors {frame_ancestors}",
            "x-content-type-options": "nosniff",
            "cross-origin-resource-policy": "same-origin",
            "referrer-policy": "same-origin",
        }
        if frame_ancestors == NOBODY:
            self._said["x-frame-options"] = "DENY"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or hand on."""
        if scope["type"] == "websocket":
            await self._websocket(scope, receive, send)
        elif scope["type"] == "http":
            await self._http(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _websocket(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope)
        if not _known(headers) or not _same_origin(headers):
            await WebSocketClose(code=1008)(scope, receive, send)
            return
        # Without the cookie it is somebody new: nobody else can ever show what was drawn here.
        token = _token(scope) or secrets.token_hex(32)
        given = [(name, value) for name, value in scope["headers"] if name.lower() != HEADER.encode()]
        scope = {**scope, "headers": [*given, (HEADER.encode(), _holder(token).encode())]}

        closed = False

        async def heard() -> Message:
            nonlocal closed
            message = await receive()
            if len(message.get("bytes") or message.get("text") or "") <= MOST_SAID:
                return message
            # A request for a million addresses is a small one, and stops everybody while it is answered.
            closed = True  # said here: not every server closes when an application has nothing more to say
            await send({"type": "websocket.close", "code": TOO_BIG})
            return {"type": "websocket.disconnect", "code": TOO_BIG}

        async def said(message: Message) -> None:
            if not closed:
                await send(message)

        await self._app(scope, heard, said)

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        token = _token(scope)
        path = _path(scope)
        own_files = path.startswith("/static/")

        async def answer(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(self._said)
                if not own_files:
                    headers["cache-control"] = "no-store"
                    if token is None:
                        headers.append("set-cookie", _cookie(scope))
            await send(message)

        if not _known(Headers(scope=scope)):
            token = token or ""  # a foreign name gets no cookie
            await PlainTextResponse(_refusal(Headers(scope=scope)), 403)(scope, receive, answer)
        elif path.startswith("/_stcore/metrics"):  # how many are here and what they hold is nobody's business
            await PlainTextResponse("Not found\n", 404)(scope, receive, answer)
        elif path.startswith("/media/") and not self._open_downloads and not _may_read(path[len("/media/") :], token):
            await PlainTextResponse("File not found\n", 404)(scope, receive, answer)
        elif path.startswith("/_stcore/upload_file/") and not _may_send(path, token) and scope["method"] != "OPTIONS":
            await PlainTextResponse("Invalid session\n", 400)(scope, receive, answer)
        elif path.startswith("/_stcore/upload_file/") and scope["method"] in ("PUT", "POST"):
            with self._waiting.place(_sender(path), Headers(scope=scope).get("content-length")) as there:
                await (self._app if there else PlainTextResponse(_FULL, 413))(scope, receive, answer)
        else:
            await self._app(scope, receive, answer)


def _known(headers: Headers) -> bool:
    hosts = headers.getlist("host")
    # Streamlit's check reads a name as an address, which passes over control characters in the middle of it.
    return len(hosts) == 1 and bool(_HOST.fullmatch(hosts[0])) and is_host_allowed(hosts[0])


def _refusal(headers: Headers) -> str:
    """What a name that is not served is told: what to allow, where it is a name."""
    hosts = headers.getlist("host")
    if len(hosts) != 1 or not _HOST.fullmatch(hosts[0]):
        return _FOREIGN
    return _NAMED.format(name=hosts[0].rsplit(":", 1)[0] if not hosts[0].endswith("]") else hosts[0])


def _same_origin(headers: Headers) -> bool:
    """Whether a page of this very server asks; what sends no origin is no browser."""
    origins = headers.getlist("origin")
    host = headers["host"].lower()
    allowed = {f"http://{host}", f"https://{host}", *config.get_option("server.corsAllowedOrigins")}
    return not origins or (len(origins) == 1 and (origins[0].lower() in allowed or origins[0] in allowed))


def _path(scope: Scope) -> str:
    path: str = scope["path"]
    base = str(config.get_option("server.baseUrlPath")).strip("/")
    return path.removeprefix(f"/{base}") if base else path


def _cookie_name(scope: Scope) -> str:
    """Another server on this machine is another port, which a cookie does not tell apart."""
    server = scope.get("server") or ("", 0)
    return f"{HOLDER}_{server[1]}"


def _token(scope: Scope) -> str | None:
    pairs = (pair.strip().partition("=") for text in Headers(scope=scope).getlist("cookie") for pair in text.split(";"))
    name = _cookie_name(scope)
    return next((value for given, _, value in pairs if given == name and _TOKEN.fullmatch(value)), None)


def _cookie(scope: Scope) -> str:
    # Not Strict: who comes by a link of another site would get a second one, and lose what other tabs hold.
    secure = "; Secure" if scope.get("scheme") == "https" else ""
    return f"{_cookie_name(scope)}={secrets.token_hex(32)}; Path=/; HttpOnly; SameSite=Lax{secure}"


def _holder(token: str) -> str:
    """What the session keeps of the cookie: enough to recognise it, and not the cookie."""
    return hashlib.sha256(token.encode()).hexdigest()


def _held(token: str | None) -> set[str]:
    return set() if not token else held_sessions({HOLDER: _holder(token)})


def _may_read(name: str, token: str | None) -> bool:
    server = running_server()
    if server is None:
        return False
    downloads, file_id = downloads_of(server), name.rsplit(".", 1)[0]
    return any(file_id in downloads.held_by(session) for session in _held(token))


def _may_send(path: str, token: str | None) -> bool:
    return _sender(path) in _held(token)


def _sender(path: str) -> str:
    """The session that an upload's address names."""
    return path.removeprefix("/_stcore/upload_file/").split("/", 1)[0]
