"""Python loads this by itself where the folder is on its path: on SIGUSR1 it says which settings are in force.

The answer goes to the file that CRA_SETTINGS names, read in the very process that serves.
"""

import importlib.util
import json
import os
import signal
import sys
from pathlib import Path


def answer(*_):
    from streamlit import config  # noqa: PLC0415 - loaded by the program itself, never earlier by the probe

    packages = ("cra_engine", "cra_dashboard", "streamlit")
    said = {
        "settings": {name: option.value for name, option in config.get_config_options().items()},
        "files": {name: importlib.util.find_spec(name).origin for name in packages},
        "path": sys.path,
    }
    file = Path(os.environ["CRA_SETTINGS"])
    draft = file.with_suffix(".draft")
    draft.write_text(json.dumps(said, default=str), encoding="utf-8")
    draft.rename(file)


if "CRA_SETTINGS" in os.environ:
    signal.signal(signal.SIGUSR1, answer)
