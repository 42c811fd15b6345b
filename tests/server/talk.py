"""A session without a browser: what Streamlit's page says to the server, over a real WebSocket and HTTP.

Elements are kept where the server puts them, so that what is on the page is known at any time; everything that was ever
received is kept too, to be searched.
"""

import uuid
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from typing import Self
from urllib.parse import urlsplit

import requests
from google.protobuf.message import Message
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.Common_pb2 import FileUploaderState, StringArray, UploadedFileInfo
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from websockets.sync.client import connect

PATIENCE = 300.0  # seconds; thirty sessions share two cores
TRIGGERS = {"trigger_value", "string_trigger_value", "json_trigger_value"}


class Talk:
    """One tab of a browser.

    Args:
        url: the server's address.
        host: the name that the browser uses, where a proxy stands before the server.
        resume: a tab whose session is taken up again, as its browser does after the connection broke.
        guessed: the id of a session to take up without its browser.
        holder: the cookie of a browser that the tab is one of.
    """

    def __init__(
        self, url: str, resume: Self | None = None, host: str = "", guessed: str = "", holder: str = ""
    ) -> None:
        self.url = url
        self.http = requests.Session()
        # The server closes a connection that is idle for seconds; a browser then asks again, this does not.
        self.http.headers["Connection"] = "close"
        if holder:
            self.http.cookies.set(f"cra_holder_{urlsplit(url).port}", holder)
        if resume is not None:
            self.http.cookies.update(resume.http.cookies)
            guessed = resume.session_id
        self.http.get(f"{url}/_stcore/host-config", timeout=PATIENCE)
        self.http.get(f"{url}/_stcore/health", timeout=PATIENCE)
        self.xsrf = self.http.cookies.get("_streamlit_xsrf", "")
        cookies = "; ".join(f"{name}={value}" for name, value in self.http.cookies.items())
        parts = urlsplit(url)
        protocols = ["streamlit", self.xsrf or "none", *([guessed] if guessed else [])]
        self.opened = ExitStack()
        self.socket = self.opened.enter_context(
            connect(
                f"ws://{host or parts.netloc}/_stcore/stream",
                address=(parts.hostname, parts.port),
                origin=f"http://{host or parts.netloc}",
                subprotocols=protocols,
                additional_headers={"Cookie": cookies},
                max_size=None,
                open_timeout=PATIENCE,
                ping_interval=None,
            )
        )
        self.received: list[bytes] = []
        self.elements: dict[tuple[int, ...], Message] = {}
        self.states: dict[str, WidgetState] = {}
        self.pages: dict[str, str] = {}
        self.page = ""
        self.address = ""  # of a page, to begin with
        self.session_id = ""
        self.query = ""
        self.failed = False
        self.repeating: tuple[str, float] | None = None  # a part of the page to run again, every so many seconds

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the tab."""
        self.opened.close()
        self.http.close()

    # ---------------------------------------------------------------- saying

    def run(self, state: WidgetState | None = None) -> Self:
        """Let the script run, after a widget changed where one is given, until it has ended."""
        if state is not None:
            self.states[state.id] = state
        client = ClientState(page_script_hash=self.page, page_name=self.address, query_string=self.query)
        self.address = ""
        client.widget_states.CopyFrom(WidgetStates(widgets=self.states.values()))
        if state is not None and state.WhichOneof("value") in TRIGGERS:
            del self.states[state.id]
        self._say(BackMsg(rerun_script=client))
        self._until_finished()
        return self

    def open(self, page: str) -> Self:
        """Open a page by its title."""
        self.page = self.pages[page]
        return self.run()

    def repeat(self) -> Self:
        """Run the part of the page again that asked to be run again every now and then, as the browser does."""
        assert self.repeating is not None
        client = ClientState(page_script_hash=self.page, query_string=self.query, is_auto_rerun=True)
        client.fragment_id = self.repeating[0]
        client.widget_states.CopyFrom(WidgetStates(widgets=self.states.values()))
        self._say(BackMsg(rerun_script=client))
        self._until_finished()
        return self

    def leave_for(self, page: str) -> None:
        """Open a page by its title, and do not wait for it."""
        self._say(BackMsg(rerun_script=ClientState(page_script_hash=self.pages[page])))

    def press(self, label: str) -> Self:
        """Press the button with this label."""
        return self.run(WidgetState(id=self.find("button", label).id, trigger_value=True))

    def choose(self, kind: str, label: str, value: str) -> Self:
        """Choose a value in a ``"radio"`` or ``"selectbox"``."""
        return self.run(WidgetState(id=self.find(kind, label).id, string_value=value))

    def look_at(self, label: str, value: str) -> Self:
        """Choose one of the values that stand in a row."""
        return self.run(
            WidgetState(id=self.find("button_group", label).id, string_array_value=StringArray(data=[value]))
        )

    def choose_all(self, label: str, values: Iterable[str]) -> Self:
        """Choose values in a ``"multiselect"``, and no others."""
        return self.run(WidgetState(id=self.find("multiselect", label).id, string_array_value=StringArray(data=values)))

    def number(self, label: str, value: float) -> Self:
        """Put a number into a field."""
        return self.run(WidgetState(id=self.find("number_input", label).id, double_value=value))

    def upload(self, label: str, name: str, content: bytes) -> Self:
        """Give a file to the uploader with this label."""
        field = self.find("file_uploader", label)
        urls = self.urls_for(name)
        answer = self.put(urls.upload_url, name, content)
        assert answer.status_code == 204, (answer.status_code, answer.text)
        info = UploadedFileInfo(name=name, size=len(content), file_id=urls.file_id, file_urls=urls)
        return self.run(
            WidgetState(id=field.id, file_uploader_state_value=FileUploaderState(uploaded_file_info=[info]))
        )

    def urls_for(self, name: str) -> Message:
        """Where a file is to be sent."""
        request = BackMsg()
        request.file_urls_request.request_id = uuid.uuid4().hex
        request.file_urls_request.file_names.append(name)
        request.file_urls_request.session_id = self.session_id
        self._say(request)
        while True:
            message = self._hear()
            if message.WhichOneof("type") == "file_urls_response":
                assert not message.file_urls_response.error_msg
                return message.file_urls_response.file_urls[0]

    def put(self, address: str, name: str, content: bytes, **headers: str) -> requests.Response:
        """Send a file to where the server wants it."""
        return self.http.put(
            self.url + address,
            files={"file": (name, content)},
            headers={"X-Xsrftoken": self.xsrf, "Origin": self.url} | headers,
            timeout=PATIENCE,
        )

    def download(self, label: str) -> bytes:
        """What the download button with this label gives."""
        button = self.find("download_button", label)
        address = button.url or self.ask_for_download(label).deferred_file.url
        assert address, label
        answer = self.http.get(self.url + address, timeout=PATIENCE)
        assert answer.status_code == 200
        return answer.content

    def ask_for_download(self, label: str) -> Message:
        """Let the server make the file of a download button that makes it only when asked; the answer."""
        request = BackMsg()
        request.backend_operation_request.request_id = uuid.uuid4().hex
        request.backend_operation_request.session_id = self.session_id
        request.backend_operation_request.deferred_file.file_id = self.find("download_button", label).deferred_file_id
        self._say(request)
        while (message := self._hear()).WhichOneof("type") != "backend_operation_response":
            pass
        return message.backend_operation_response

    # ---------------------------------------------------------------- hearing

    def _say(self, message: BackMsg) -> None:
        self.socket.send(message.SerializeToString())

    def _hear(self) -> ForwardMsg:
        data = self.socket.recv(timeout=PATIENCE)
        assert isinstance(data, bytes)
        self.received.append(data)
        message = ForwardMsg()
        message.ParseFromString(data)
        kind = message.WhichOneof("type")
        if kind == "new_session":
            self.session_id = message.new_session.initialize.session_id
            if not message.metadata.run.fragment_ids:
                self._fresh: set[tuple[int, ...]] = set()
                self.repeating = None
        elif kind == "navigation":
            self.pages = {page.page_name: page.page_script_hash for page in message.navigation.app_pages}
            self.page = message.navigation.page_script_hash
        elif kind == "delta":
            path = tuple(message.metadata.delta_path)
            what = message.delta.WhichOneof("type")
            if what == "new_element":
                self.elements[path] = message.delta.new_element
                self._fresh.add(path)
                self.failed |= message.delta.new_element.WhichOneof("type") == "exception"
        elif kind == "auto_rerun":
            self.repeating = (message.auto_rerun.fragment_id, message.auto_rerun.interval)
        elif kind == "stop_auto_rerun":
            self.repeating = None
        elif kind == "page_info_changed":
            self.query = message.page_info_changed.query_string
        return message

    def _until_finished(self) -> None:
        while True:
            message = self._hear()
            if message.WhichOneof("type") != "script_finished":
                continue
            if message.script_finished == ForwardMsg.FINISHED_EARLY_FOR_RERUN:
                continue
            if message.script_finished == ForwardMsg.FINISHED_SUCCESSFULLY:
                self.elements = {path: e for path, e in self.elements.items() if path in self._fresh}
                # As the page does: what is no longer shown is no longer told.
                shown = {getattr(getattr(e, str(e.WhichOneof("type"))), "id", "") for e in self.elements.values()}
                self.states = {name: state for name, state in self.states.items() if name in shown}
            return

    def on_page(self, kind: str) -> Iterator[Message]:
        """The elements of a kind, by Streamlit's names: ``"button"``, ``"alert"``, ``"markdown"``, .."""
        return (getattr(e, kind) for e in self.elements.values() if e.WhichOneof("type") == kind)

    def find(self, kind: str, label: str) -> Message:
        """The one element of a kind with this label."""
        found = [element for element in self.on_page(kind) if element.label == label]
        assert len(found) == 1, f"{len(found)} elements {kind} are called {label!r}: {self.text()}"
        return found[0]

    def text(self) -> str:
        """The sentences on the page."""
        return "\n".join(
            [e.body for e in self.on_page("markdown")]
            + [e.body for e in self.on_page("alert")]
            + [e.body for e in self.on_page("heading")]
        ).replace("\\", "")

    def has_received(self, canary: str) -> bool:
        """Whether a text was in anything that came from the server, ever."""
        return any(canary.encode() in data for data in self.received)
