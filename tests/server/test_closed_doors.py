"""The doors of the program tried as a hostile page, a curious colleague and a class that leaves at once would."""

import re
import socket
import sys
import threading
import time
from urllib.parse import urlsplit

import pytest
import requests
from streamlit.proto.BackMsg_pb2 import BackMsg
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

import serving
from cra_dashboard.session import closed_sessions
from talk import Talk
from visits import PROGRAM, ROOT, table, upload

CANARY = "qdr5"
KEPT = 2  # seconds that a closed session is kept, here


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    environment = {"STREAMLIT_SERVER_DISCONNECTED_SESSION_TTL": str(KEPT)}
    with serving.running(PROGRAM, ROOT, tmp_path_factory.mktemp("home"), environment=environment) as server:
        yield server


def get(server, path="/", *, cookies=None, **headers):
    return requests.get(server.url + path, headers=headers, cookies=cookies, timeout=serving.PATIENCE)


def released(talk):
    """The address of the release of an upload."""
    upload(talk, CANARY).open("Hierarchies").open("Recode")
    addresses = [button.url for button in talk.on_page("download_button") if button.url]
    assert addresses
    return addresses


def knock(server, **headers):
    """Open the WebSocket as somebody with these headers; the status with which it is refused, or 101."""
    host, origin = headers.pop("Host", None), headers.pop("Origin", None)
    parts = urlsplit(server.url)
    named = f"ws://{host or parts.netloc}/_stcore/stream"
    try:
        with connect(named, origin=origin, additional_headers=headers, address=(parts.hostname, parts.port)):
            return 101
    except InvalidStatus as refusal:
        return refusal.response.status_code


# ---------------------------------------------------------------- 1: downloads


def test_01_a_download_is_read_by_who_holds_the_session_and_by_nobody_else(program):
    with Talk(program.url) as talk, Talk(program.url) as somebody:
        somebody.run()
        for address in released(talk):
            answer = talk.http.get(program.url + address, timeout=serving.PATIENCE)
            assert answer.status_code == 200
            assert answer.headers["Cache-Control"] == "no-store"
            assert answer.headers["X-Content-Type-Options"] == "nosniff"
            assert get(program, address).status_code == 404
            assert somebody.http.get(program.url + address, timeout=serving.PATIENCE).status_code == 404
            assert get(program, address, cookies=talk.http.cookies, Host="evil.example").status_code == 403


def test_01_a_download_can_be_had_in_the_middle_of_a_run(program):
    # The click that takes the file also makes the page run again, and Streamlit forgets the files of the run before.
    with Talk(program.url) as talk:
        address = released(talk)[0]
        found = []

        def take():
            found.extend(talk.http.get(program.url + address, timeout=serving.PATIENCE).status_code for _ in range(40))

        taking = threading.Thread(target=take)
        taking.start()
        while taking.is_alive():
            talk.run()
        taking.join()
        assert set(found) == {200}


def test_01_no_download_outlives_its_session(program):
    with Talk(program.url) as talk:
        addresses = released(talk)
        cookies = dict(talk.http.cookies)
    # Nobody can read it from now on, who had the cookie neither; and with the session its bytes go.
    with Talk(program.url) as other:
        other.http.cookies.update(cookies)
        give_up = time.monotonic() + serving.PATIENCE
        while (held := stored(other)) and time.monotonic() < give_up:
            time.sleep(0.5)
        assert held == 0
    assert [get(program, address, cookies=cookies).status_code for address in addresses] == [404] * len(addresses)


def stored(talk):
    """Bytes of downloads that the server has in memory."""
    answer = talk.http.get(f"{talk.url}/_stcore/metrics", timeout=serving.PATIENCE).text
    found = re.search(r"cache_memory_bytes\{[^}]*st_memory_media_file_storage[^}]*\} (\d+)", answer)
    return 0 if found is None else int(found[1])


def test_01_half_a_minute_is_not_passed():
    settings = (ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8")
    assert int(re.search(r"disconnectedSessionTTL = (\d+)", settings)[1]) + 3 <= 30


# ---------------------------------------------------------------- 4: nothing calls out

WATCHED = """
import socket, sys
usual = socket.socket.connect
def connect(self, address):
    if self.family != socket.AF_UNIX and address[0] not in ("127.0.0.1", "::1"):
        print("CALLED OUT", address, flush=True)
    return usual(self, address)
def lookup(*asked, **how):
    if asked[0] not in ("127.0.0.1", "localhost", None, ""):
        print("LOOKED UP", asked, flush=True)
    return found(*asked, **how)
socket.socket.connect, found, socket.getaddrinfo = connect, socket.getaddrinfo, lookup
from cra_dashboard.program import app
app(["--no-browser"])
"""


def test_04_nothing_that_arrives_makes_the_server_call_out(tmp_path):
    environment = {"PYTHONMALLOC": "malloc"}
    with serving.running([sys.executable, "-c", WATCHED], ROOT, tmp_path, environment=environment) as server:
        port = urlsplit(server.url).port
        for origin in (
            "http://evil.example", "https://share.streamlit.io", f"http://evil.example:{port}", "null", "http://[::1",
            "http://127.0.0.1:1", "http://localhost", f"http://localhost:{port}", "http://8.8.8.8",
        ):  # fmt: skip
            status = knock(server, Origin=origin)
            get(server, Origin=origin, Referer=origin)
            assert [line for line in server.printed.splitlines() if "CALLED OUT" in line or "LOOKED UP" in line] == []
            assert status == 403
        assert knock(server, Origin=server.url) == 101


# ---------------------------------------------------------------- 5: frames and steering


@pytest.mark.parametrize("path", ["/", "/attack", "/_stcore/health", "/media/nothing.csv", "/component/nothing", "/no"])
def test_05_no_other_page_can_frame_or_steer_it(program, path):
    answer = get(program, path)
    assert answer.headers["Content-Security-Policy"] == "frame-ancestors 'none'"
    assert answer.headers["X-Frame-Options"] == "DENY"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Cache-Control"] == "no-store"
    assert get(program, "/_stcore/host-config").json()["allowedOrigins"] == []


def test_05_who_wants_it_can_let_a_page_frame_it(tmp_path):
    environment = {"CRA_FRAME_ANCESTORS": "https://moodle.example.org https://*.uni.example"}
    with serving.running(PROGRAM, ROOT, tmp_path, environment=environment) as server:
        answer = get(server)
        expected = "frame-ancestors https://moodle.example.org https://*.uni.example"
        assert answer.headers["Content-Security-Policy"] == expected
        assert "X-Frame-Options" not in answer.headers


# ---------------------------------------------------------------- 6: tabs close at once

TABS = 12

COUNTED = """
import gc
from streamlit.runtime import Runtime
from cra_dashboard.session import closed_sessions
from cra_dashboard.program import app
def full(phase, info):
    if phase == "stop" and info["generation"] == 2:
        print("FULL COLLECTION", flush=True)
def empty(session):
    honest(session)
    print("EMPTIED, LEFT", len(Runtime.instance()._session_mgr.list_active_sessions()), flush=True)
gc.callbacks.append(full)
honest, closed_sessions._empty = closed_sessions._empty, empty
app(["--no-browser"])
"""


def test_06_tabs_that_close_at_once_hold_up_nobody(tmp_path):
    environment = {"STREAMLIT_SERVER_DISCONNECTED_SESSION_TTL": "1", "PYTHONMALLOC": "malloc"}
    with serving.running([sys.executable, "-c", COUNTED], ROOT, tmp_path, environment=environment) as server:
        with Talk(server.url) as stays:
            upload(stays, "qst1").open("Hierarchies")
            tabs = [Talk(server.url) for _ in range(TABS)]
            for tab in tabs:
                tab.run()
            time.sleep(6)  # what the opening left is tidied up
            before, began = server.printed.count("FULL COLLECTION"), time.monotonic()
            for tab in tabs:
                tab.close()
            give_up = time.monotonic() + serving.PATIENCE
            while server.printed.count("EMPTIED") < TABS and time.monotonic() < give_up:
                stays.run()
            assert server.printed.count("EMPTIED") == TABS
            time.sleep(3)  # what is asked for when the last is emptied comes a second later
            # One for all would be enough, another may fall into this time by itself, and where it takes long to close
            # twelve tabs there may be one more after each rest.
            rests = (time.monotonic() - began) / closed_sessions.REST
            assert server.printed.count("FULL COLLECTION") - before <= 2 + rests
        assert re.findall("LEFT ([0-9]+)", server.printed)[-1] == "1"


# ---------------------------------------------------------------- 9 and 10: names and addresses


def test_09_one_check_of_the_host_for_http_and_the_websocket(program):
    port = urlsplit(program.url).port
    for host, known in {
        f"127.0.0.1:{port}": True, f"localhost:{port}": True, "LOCALHOST": True, "evil.example": False,
        f"evil.example:{port}": False, "127.0.0.1.evil.example": False, "evil@127.0.0.1": False, "[::1]": False,
    }.items():  # fmt: skip
        for path in ("/", "/_stcore/health", "/_stcore/host-config", "/media/x", "/static/x", "/component/x"):
            answer = get(program, path, Host=host)
            assert (answer.status_code != 403) == known, (host, path)
            assert known or "Set-Cookie" not in answer.headers
        if "@" not in host:
            assert knock(program, Host=host) == (101 if known else 403)


def test_10_no_address_opens_a_session(program):
    with Talk(program.url) as talk:
        session = upload(talk, CANARY).session_id
        urls = talk.urls_for("table.csv")
        assert session in urls.upload_url  # which a proxy writes down
        with Talk(program.url, guessed=session) as thief:
            thief.run()
            assert thief.session_id != session
            assert not thief.has_received(CANARY)
            answer = thief.put(urls.upload_url, "table.csv", b"a\n1\n")
            assert answer.status_code == 400
        # The session is still its own.
        assert talk.put(urls.upload_url, "table.csv", b"a\n1\n").status_code == 204
    with Talk(program.url, guessed=session) as late:
        late.run()
        assert late.session_id != session
        assert not late.has_received(CANARY)


@pytest.mark.parametrize("cookie", ["", "x", "0" * 63, "0" * 65, "../" * 20, "0" * 64 + "\x00"])
def test_10_a_cookie_that_is_none_holds_nothing(program, cookie):
    name = f"cra_holder_{urlsplit(program.url).port}"
    with Talk(program.url) as talk:
        session = upload(talk, CANARY).session_id
        talk.http.cookies.clear()
        with connect(
            program.url.replace("http", "ws") + "/_stcore/stream",
            additional_headers={"Cookie": f"{name}={cookie}".rstrip("\x00"), "X-CRA-Holder": ""},
            subprotocols=["streamlit", "none", session],
        ) as socket:
            socket.close()
        # Still connected: nobody took the session over.
        assert talk.run().session_id == session


def test_10_the_cookie_is_out_of_reach_of_scripts_and_of_other_sites(program):
    (cookie,) = [c for c in get(program).raw.headers.getlist("Set-Cookie") if c.startswith("cra_holder_")]
    assert {"HttpOnly", "SameSite=Lax", "Path=/"} <= {part.strip() for part in cookie.split(";")}


# ---------------------------------------------------------------- what else a hostile colleague tried


def raw(server, head):
    """The status of the answer to a request as its bytes stand."""
    parts = urlsplit(server.url)
    with socket.create_connection((parts.hostname, parts.port), timeout=serving.PATIENCE) as connection:
        connection.sendall(head.encode("latin-1"))
        return connection.makefile("rb").readline()


ODD = ("{}\x00", "{}\r\n x", "{}@evil.example", "127.0.0.1\x0b.evil", "127.0.0.1/evil", "{}\r\nHost: {}")
FOREIGN = (
    "127.0.0.1#evil",
    "",
    "127.1",
    "2130706433",
    "0x7f.1",
    "http://127.0.0.1",
    "evil.example\t127.0.0.1",
    "127.0.0.1:999999",
)


@pytest.mark.parametrize("host", ODD + FOREIGN)
def test_an_odd_name_is_a_foreign_one(program, host):
    host = host.replace("{}", urlsplit(program.url).netloc)
    status = raw(program, f"GET /_stcore/health HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n")
    assert status.split()[1] in {b"400", b"403"}


def test_no_way_leads_out_of_the_programs_own_files(program):
    netloc = urlsplit(program.url).netloc
    outside = (
        "../app.py",
        "..%2f..%2f..%2fetc%2fpasswd",
        "%2e%2e/%2e%2e/app.py",
        "..%5capp.py",
        "%252e%252e%252fapp.py",
    )
    for start in (
        "",
        "static/",
        "media/",
        "component/",
        "_stcore/bidi-components/cra-explorer.playground/",
        "app/static/",
    ):
        for way in (*outside, "/etc/passwd", "mount.py", "index.js%00.css", "....//....//etc/passwd"):
            parts = urlsplit(program.url)
            with socket.create_connection((parts.hostname, parts.port), timeout=serving.PATIENCE) as connection:
                head = f"GET /{start}{way} HTTP/1.1\r\nHost: {netloc}\r\nConnection: close\r\n\r\n"
                connection.sendall(head.encode())
                answer = connection.makefile("rb").read()
            assert b" 500 " not in answer.partition(b"\r\n")[0], way
            assert b"root:" not in answer, way
            assert b"import streamlit" not in answer, way


@pytest.mark.parametrize("path", ["/_stcore/metrics", "//_stcore/metrics", "/_stcore/%6detrics", "/_stcore/metrics/"])
def test_nobody_is_told_how_much_the_sessions_hold(program, path):
    answer = get(program, path)
    assert not {"cache_memory", "active_sessions"} & set(re.findall(r"\w+", answer.text))


def test_no_more_files_wait_than_a_page_takes(program):
    content = b"x" * (40 << 20)
    with Talk(program.url) as talk:
        talk.run()
        statuses = [talk.put(talk.urls_for("t.csv").upload_url, "t.csv", content).status_code for _ in range(5)]
        assert statuses == [204, 204, 204, 413, 413]  # three times the largest size
    with Talk(program.url) as talk:
        talk.run()
        # Nor do more than so many of them, however small; what the page's own field takes leaves its place.
        small = [talk.put(talk.urls_for("t.csv").upload_url, "t.csv", b"a\n").status_code for _ in range(52)]
        assert small == [204] * 50 + [413] * 2
    with Talk(program.url) as talk:
        upload(talk, CANARY)
        talk.open("Data")
        for _ in range(3):
            talk.upload("File with the table", f"{CANARY}.csv", table(CANARY))


def test_nobody_says_more_at_once_than_a_page_has_to_say(program):
    asking = BackMsg()
    asking.file_urls_request.file_names.extend(["a"] * 200_000)  # half a megabyte, and gigabytes of an answer
    long = BackMsg()
    long.rerun_script.query_string = "scene=" + "a" * 300_000
    for message in (asking, long):
        with Talk(program.url) as talk:
            talk.run()
            talk.socket.send(message.SerializeToString())
            with pytest.raises(ConnectionClosed) as closed:
                talk.run()
            assert closed.value.rcvd is not None  # told, not only dropped
            assert closed.value.rcvd.code == 1009
    with Talk(program.url) as talk:
        talk.query = "scene=" + "a" * 200_000  # a page never has so much
        talk.run()


def test_what_only_developers_may_say_does_nothing(program):
    with Talk(program.url) as talk:
        talk.run()
        for kind in ("debug_shutdown_runtime", "debug_disconnect_websocket"):
            talk.socket.send(BackMsg(**{kind: True}).SerializeToString())
            talk.run()
    assert get(program, "/_stcore/health").status_code == 200
