"""The program in a process that says, on SIGUSR1, what it still holds of an upload.

Its answer goes to the file that CRA_ANSWER names: what can be reached by Python, and shows the text that CRA_CANARY
names."""

import gc
import json
import os
import signal
from pathlib import Path

import numpy as np
import pandas as pd

from cra_dashboard.program import app

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


def answer(*_):
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
    said = [f"{type(hit).__qualname__} {str(hit)[:60]!r}" for hit in hits]
    draft = ANSWER.with_suffix(".draft")
    draft.write_text(json.dumps(said, indent=1), encoding="utf-8")
    draft.rename(ANSWER)


if __name__ == "__main__":
    os.environ.pop("CRA_CANARY")  # not to find it there
    signal.signal(signal.SIGUSR1, answer)
    # Kept from the test's own search: the constant lives in this module alone.
    app(["--no-browser"])
