"""A page of somebody else's, in the same browser, tries to get at the dashboard in four ways."""

import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from selenium.webdriver.common.by import By

import drive

sys.path.append(str(Path(__file__).parents[1] / "server"))

from talk import Talk

# What a script of a page can try, each ending in a word.
SOCKET = """
const done = arguments[1], socket = new WebSocket(arguments[0], ["streamlit"]);
socket.onopen = () => done("open");
socket.onerror = () => done("refused");
"""
FETCH = """
const done = arguments[2];
fetch(arguments[0], {mode: arguments[1], credentials: "include"})
    .then((answer) => answer.text().then((text) => done(answer.type + " " + answer.status + " " + text.length)))
    .catch(() => done("refused"));
"""
FRAME = """
const frame = document.createElement("iframe");
frame.src = arguments[0];
frame.onload = () => arguments[1]("loaded");
document.body.append(frame);
"""


class Page(BaseHTTPRequestHandler):
    """An empty page, whatever is asked for."""

    def do_GET(self):
        body = b"<!doctype html><title>harmless</title><body>"
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        """Say nothing."""


@pytest.fixture
def hostile():
    """The address of a page of another site."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Page) as server:
        serving = threading.Thread(target=server.serve_forever)
        serving.start()
        yield f"http://evil.example:{server.server_port}/"
        server.shutdown()
        serving.join()


def test_a_page_of_another_origin_is_refused_four_times(browser, app_url, hostile):
    drive.open_app(browser, app_url)
    parts = urlsplit(app_url)
    stream = f"ws://{parts.netloc}/_stcore/stream"
    cookie = browser.get_cookie(f"cra_holder_{parts.port}")
    with Talk(app_url, holder=cookie["value"]) as talk:
        # The worst case: the page has learnt the address of a download of a session of this very browser.
        talk.query = "example=toy"
        talk.run().open("Recode")
        address = app_url + next(button.url for button in talk.on_page("download_button") if button.url)
        # From the dashboard's own page all of it works.
        assert browser.execute_async_script(SOCKET, stream) == "open"
        assert browser.execute_async_script(FETCH, address, "cors").startswith("basic 200 ")

        browser.get(hostile)
        assert browser.execute_async_script(SOCKET, stream) == "refused"
        assert browser.execute_async_script(FETCH, address, "cors") == "refused"
        assert browser.execute_async_script(FETCH, address, "no-cors") == "refused"
        browser.execute_async_script(FRAME, app_url)
        browser.switch_to.frame(browser.find_element(By.TAG_NAME, "iframe"))
        assert browser.execute_script("return location.protocol") == "chrome-error:"
        browser.switch_to.default_content()

        # The page's own name comes to mean this computer.
        browser.get(f"http://evil.example:{parts.port}/")
        assert browser.find_element(By.TAG_NAME, "body").text.startswith("evil.example is not served here.")
        assert browser.execute_async_script(SOCKET, f"ws://evil.example:{parts.port}/_stcore/stream") == "refused"
        browser.get_log("browser")  # full of refusals, as it should be
