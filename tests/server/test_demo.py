"""CRA_PROFILE=demo: a hosted demo listens to everybody, takes nothing, and gives downloads without a cookie."""

import os
import subprocess

import psutil
import pytest
import requests

import serving
from cra_dashboard.session import uploads
from talk import Talk
from visits import PROGRAM, ROOT, UPLOAD, table

NAME = "demo.example.org"


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    # Who wants uploads all the same does not get them.
    environment = {"CRA_PROFILE": "demo", "CRA_UPLOADS": "on", "STREAMLIT_SERVER_ALLOWED_HOSTS": NAME}
    with serving.running(PROGRAM, ROOT, tmp_path_factory.mktemp("home"), environment=environment) as server:
        yield server


def get(server, path="/", host=NAME):
    return requests.get(server.url + path, headers={"Host": host}, timeout=serving.PATIENCE)


def test_it_listens_to_everybody_and_answers_to_the_names_of_the_environment(demo):
    processes = [psutil.Process(demo.process.pid), *psutil.Process(demo.process.pid).children(recursive=True)]
    listening = [one for process in processes for one in process.net_connections("inet") if one.status == "LISTEN"]
    assert {one.laddr.ip for one in listening} == {"0.0.0.0"}  # noqa: S104 - what is to be seen
    assert get(demo).status_code == 200
    assert get(demo, "/_stcore/health", "127.0.0.1").status_code == 200  # of a container, from inside
    for other in ("0.0.0.0", "localhost", "evil.example"):  # noqa: S104 - a name in a header
        assert get(demo, host=other).status_code == 403


@pytest.mark.parametrize(
    ("host", "said"),
    [
        ("other.example:8501", "STREAMLIT_SERVER_ALLOWED_HOSTS=other.example.\n"),
        ("evil.example/<script>", "This address is not served here.\n"),
    ],
)
def test_a_name_that_is_not_served_is_told_what_to_allow(demo, host, said):
    answer = get(demo, host=host)
    assert answer.status_code == 403
    assert answer.text.endswith(said)
    assert answer.headers["Content-Type"].startswith("text/plain")


def test_a_download_needs_no_cookie_and_no_file_is_taken(demo):
    with Talk(demo.url, host=NAME) as talk:
        talk.run().open("Data").choose(*UPLOAD)
        assert uploads.OFF in talk.text()
        urls = talk.urls_for("table.csv")
        assert talk.put(urls.upload_url, "table.csv", table("nobody")).status_code == 413
    with Talk(demo.url, host=NAME) as talk:
        talk.query = "example=toy"
        talk.run().open("Recode")
        addresses = [button.url for button in talk.on_page("download_button") if button.url]
        assert addresses
        assert all(get(demo, address).status_code == 200 for address in addresses)
        assert get(demo, "/media/" + "0" * 56 + ".csv").status_code == 404


def test_another_profile_is_a_sentence():
    done = subprocess.run(
        PROGRAM, env=os.environ | {"CRA_PROFILE": "dmeo"}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert done.stderr == "CRA_PROFILE is 'dmeo'; the one profile there is is demo.\n"
