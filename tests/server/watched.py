"""The program in a process that says, on SIGUSR1, what it still holds of an upload.

Its answer goes to the file that CRA_ANSWER names: what can be reached by Python, and shows the text that CRA_CANARY
names. On SIGUSR2 its clock jumps ahead, past any time that a closed tab is kept.
"""

import gc
import json
import os
import signal
import threading
import time
from pathlib import Path

import numpy as np
import pandas as pd

JUMP = 100_000.0  # seconds
_honest, _ahead = time.monotonic, [0.0]
time.monotonic = lambda: _honest() + _ahead[0]  # before the event loop and Streamlit look for their clock

from cra_dashboard.program import app  # noqa: E402
from cra_dashboard.session import closed_sessions  # noqa: E402

CANARY = os.environ["CRA_CANARY"]
ANSWER = Path(os.environ["CRA_ANSWER"])


def shows(found):
    if isinstance(found, str):
        return CANARY in found
    if isinstance(found, bytes | bytearray):
        return CANARY.encode() in bytes(found)
    if isinstance(found, pd.DataFrame):
        return any(CANARY in str(name) for name in found.columns)
    if isinstance(found, np.ndarray) and found.dtype == object:
        return any(isinstance(cell, str) and CANARY in cell for cell in found.flat)
    return False


def look():
    """What shows the canary. A look holds on to everything there is, so that nothing could be freed meanwhile."""
    hits, seen = [], {}
    gc.unfreeze()  # what the program loaded at its start is looked through too
    everything = [holder for holder in gc.get_objects() if holder is not globals()]
    for holder in everything:
        if holder is everything or holder is hits or holder is seen:
            continue
        for found in (holder, *gc.get_referents(holder)):
            if id(found) not in seen and shows(found):
                seen[id(found)] = found
                hits.append(found)
    del everything
    return [f"{type(hit).__qualname__} {str(hit)[:60]!r}" for hit in hits]


looking, collect = threading.RLock(), gc.collect


def collect_between_looks(*given):
    """The program's own tidying up waits for a look to end; on a busy machine it would come in the middle each time."""
    with looking:
        return collect(*given)


def answer(*_):
    with looking:
        said = look()
    draft = ANSWER.with_suffix(".draft")
    draft.write_text(json.dumps(said, indent=1), encoding="utf-8")
    draft.rename(ANSWER)


def jump(*_):
    # A round of tidying that was asked for before is in a timer of the system's, which knows nothing of the jump.
    with looking:
        _ahead[0] += JUMP
        closed_sessions._tidying._due += JUMP


if __name__ == "__main__":
    os.environ.pop("CRA_CANARY")  # not to find it there
    gc.collect = collect_between_looks
    signal.signal(signal.SIGUSR1, answer)
    signal.signal(signal.SIGUSR2, jump)
    # Kept from the test's own search: the constant lives in this module alone.
    app(["--no-browser"])
