"""The settings of .streamlit/config.toml, asked of the running server: however it was started, they hold.

`streamlit run` is the developer's way. What needs the program itself is in test_closed_doors.py.
"""

import ast
import http.client
import sys
from urllib.parse import urlsplit

import psutil
import pytest
import requests
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

import serving
from shares import first
from talk import Talk
from visits import ROOT, STREAMLIT, table

CODE = [
    ROOT / "app.py",
    *(p for folder in ("pages", "cra_dashboard") for p in sorted((ROOT / folder).rglob("*.py"))),
]
AS_MAKE_RUN = "as make run"
WAYS = {
    "from elsewhere": ([*STREAMLIT, str(ROOT / "app.py")], None),
    "in the project's folder": ([*STREAMLIT, "app.py"], ROOT),
    "as cra-explorer": ([sys.executable, "-m", "cra_dashboard.program", "--no-browser"], None),
}


@pytest.fixture(scope="module", params=[AS_MAKE_RUN, *first(1, WAYS)])
def server(request, tmp_path_factory):
    """The dashboard, started in one of the ways that the documentation names."""
    if request.param == AS_MAKE_RUN:
        yield request.getfixturevalue("dashboard")
        return
    command, folder = WAYS[request.param]
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    environment = {"PYTHONPATH": str(ROOT)}
    with serving.running(
        command, folder or elsewhere, tmp_path_factory.mktemp("home"), environment=environment
    ) as started:
        yield started


@pytest.fixture(scope="module")
def visit(server):
    with Talk(server.url) as opened:
        yield opened.run()


def knock(server, **headers):
    """Open the WebSocket with other headers; the status with which it is refused, or 101."""
    address = server.url.replace("http", "ws", 1) + "/_stcore/stream"
    host = headers.pop("Host", None)
    origin = headers.pop("Origin", server.url)
    parts = urlsplit(address)
    # The address names the host; the connection goes to this machine all the same.
    named = address if host is None else address.replace(parts.netloc, f"{host}:{parts.port}")
    try:
        with connect(named, origin=origin if host is None else None, address=("127.0.0.1", parts.port)):
            return 101
    except InvalidStatus as refusal:
        return refusal.response.status_code


def test_it_listens_on_this_machine_only(server):
    processes = [psutil.Process(server.process.pid), *psutil.Process(server.process.pid).children(recursive=True)]
    addresses = {
        connection.laddr.ip
        for process in processes
        for connection in process.net_connections("inet")
        if connection.status == psutil.CONN_LISTEN
    }
    assert addresses == {"127.0.0.1"}


def test_another_name_for_this_machine_is_refused(server):
    # DNS rebinding: a page of somebody else's that makes its own name point at this machine.
    assert knock(server) == 101
    assert knock(server, Host="localhost") == 101
    assert knock(server, Host="evil.example") == 403


def test_another_sites_page_is_refused(server):
    assert knock(server, Origin="http://evil.example") == 403
    answer = requests.get(
        f"{server.url}/_stcore/host-config", headers={"Origin": "http://evil.example"}, timeout=serving.PATIENCE
    )
    assert "Access-Control-Allow-Origin" not in answer.headers


def test_a_file_without_the_sessions_token_is_refused(visit):
    urls = visit.urls_for("table.csv")
    assert visit.put(urls.upload_url, "table.csv", table("nobody"), **{"X-Xsrftoken": ""}).status_code == 403
    assert visit.put(urls.upload_url, "table.csv", table("nobody")).status_code == 204


def test_a_file_for_a_session_that_is_not_there_is_refused(visit):
    urls = visit.urls_for("table.csv")
    elsewhere = urls.upload_url.replace(visit.session_id, "another-session")
    assert visit.put(elsewhere, "table.csv", table("nobody")).status_code == 400


@pytest.mark.parametrize("told", [True, False], ids=["by its length", "while it comes in"])
def test_a_file_above_the_cap_is_refused(server, visit, told):
    urls = visit.urls_for("table.csv")
    connection = http.client.HTTPConnection(urlsplit(server.url).netloc, timeout=serving.PATIENCE)
    connection.putrequest("PUT", urls.upload_url)
    connection.putheader("X-Xsrftoken", visit.xsrf)
    connection.putheader("Cookie", "; ".join(f"{name}={value}" for name, value in visit.http.cookies.items()))
    connection.putheader("Content-Type", "multipart/form-data; boundary=x")
    if told:
        connection.putheader("Content-Length", str(50 * 2**20 + 1))
        connection.endheaders()
    else:
        connection.putheader("Transfer-Encoding", "chunked")
        connection.endheaders()
        head = b'--x\r\nContent-Disposition: form-data; name="file"; filename="table.csv"\r\n\r\n'
        try:
            for piece in (head, *[b"1,2\n" * 2**18] * 60):
                connection.send(b"%x\r\n%s\r\n" % (len(piece), piece))
        except (BrokenPipeError, ConnectionResetError):
            pass  # it has stopped listening
    assert connection.getresponse().status == 413
    connection.close()


def test_nothing_is_reported_and_nothing_is_looked_up(visit):
    settings = [message.new_session.config for message in said(visit) if message.WhichOneof("type") == "new_session"]
    assert settings
    assert not any(setting.gather_usage_stats for setting in settings)


def said(talk):
    for data in talk.received:
        message = ForwardMsg()
        message.ParseFromString(data)
        yield message


def test_nothing_is_written_at_home(server):
    # Streamlit keeps an identification for its statistics there, where it is let.
    assert [path.name for path in server.log.parent.rglob("*") if path.is_file()] == [server.log.name]


CACHES = {"cache_data", "cache_resource", "lru_cache", "cache", "experimental_memo", "experimental_singleton"}


# They read the program's own files, whoever asks.
SHARED_BY_RIGHT = {"all_lessons", "argument", "paper_errors", "picture", "toy"}


def caches(code):
    """The caches that a program makes, each with the scope that it names."""
    tree = ast.parse(code)
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and not ast.unparse(node.args)]
    reviewed = {d for function in functions if function.name in SHARED_BY_RIGHT for d in function.decorator_list}
    calls = {node.func: node for node in ast.walk(tree) if isinstance(node, ast.Call)}
    for node in ast.walk(tree):
        named = isinstance(node, ast.Name | ast.Attribute) and ast.unparse(node).split(".")[-1] in CACHES
        if named and node not in reviewed:
            scopes = [k.value for k in calls[node].keywords if k.arg == "scope"] if node in calls else []
            yield ast.unparse(node), ast.unparse(scopes[0]) if scopes else None


@pytest.mark.parametrize(
    ("code", "scope"),
    [
        ("@st.cache_data\ndef f(): pass", None),
        ("@st.cache_data(ttl=3)\ndef f(): pass", None),
        ("from functools import lru_cache\n@lru_cache\ndef f(): pass", None),
        ("@functools.cache\ndef f(): pass", None),
        ("@functools.cache\ndef all_lessons(table): pass", None),
        ("@st.cache_resource(scope='session')\ndef f(): pass", "'session'"),
    ],
)
def test_a_shared_cache_is_found(code, scope):
    assert [found for _, found in caches(code)] == [scope]


@pytest.mark.parametrize("path", CODE, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_no_cache_is_shared(path):
    shared = {name for name, scope in caches(path.read_text(encoding="utf-8")) if scope != "'session'"}
    assert not shared, "a cache keeps what one session computed for all, and past its end"
