"""A log that quotes nobody's data: of an error it says the kind and the place, not the text.

The text of an unforeseen error often quotes what it stumbled over ("could not convert string to float: ..."), and the
server's log outlives the session. With ``--client.showErrorDetails full``, as for work on the program, all is as usual.
"""

import logging
import threading
import traceback

from streamlit import config

from cra_dashboard.session.server import running_server

_usual = logging.getLogRecordFactory()


def keep_log_discreet() -> None:
    """Log no error's text on the server from now on; called in each run, changes nothing after the first."""
    if running_server() is not None and config.get_option("client.showErrorDetails") != "full":
        logging.setLogRecordFactory(_record)
        threading.excepthook = _thread_broke_off
        # Streamlit makes a download in a thread without a page, and would warn of that twice for each.
        logging.getLogger("streamlit.runtime.scriptrunner_utils.script_run_context").disabled = True


def _record(*arguments: object, **keywords: object) -> logging.LogRecord:
    record = _usual(*arguments, **keywords)
    if record.exc_info:
        record.exc_text = places(record.exc_info[1])
        record.exc_info = None
    return record


def _thread_broke_off(broken: threading.ExceptHookArgs) -> None:
    logging.getLogger(__name__).error("A thread broke off\n%s", places(broken.exc_value))


def places(error: BaseException | None) -> str:
    """Return for the server's log an error's kinds and causes, with the program's lines that led to each."""
    lines: list[str] = []
    while error is not None:
        frames = traceback.extract_tb(error.__traceback__)
        found = [type(error).__name__, *(f"  {frame.filename}:{frame.lineno} in {frame.name}" for frame in frames)]
        lines = [*found, *lines]  # the first cause first, as Python has it
        error = error.__cause__ or error.__context__
    return "\n".join(lines)
