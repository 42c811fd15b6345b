"""The program inside the one file to double-click: the dashboard, or the Python that the dashboard starts again.

Inside that file ``sys.executable`` is the file itself. What the program, or joblib, starts with it is a module
(``-m``), a script or a line of code (``-c``), which run here as Python would run them.
"""

import multiprocessing
import os
import re
import runpy
import sys

CLOSED = ["--until-closed"]
FLAG = re.compile(r"-[A-Zbdiqsuvx]+|-[WX].+")  # Python's own, which are settled when this one starts


def main() -> None:
    """Run what is asked for; the dashboard where nothing is."""
    multiprocessing.freeze_support()
    _as_it_was("LD_LIBRARY_PATH")
    words = sys.argv[1:]
    rest = words[next((at for at, word in enumerate(words) if not FLAG.fullmatch(word)), len(words)) :]
    if rest[:1] == ["-m"]:
        sys.argv = rest[1:]
        runpy.run_module(rest[1], run_name="__main__", alter_sys=True)
    elif rest[:1] == ["-c"]:
        sys.argv = ["-c", *rest[2:]]
        exec(rest[1], {"__name__": "__main__"})  # noqa: S102 - as Python does
    elif rest and rest[0].endswith(".py"):
        sys.argv = rest
        runpy.run_path(rest[0], run_name="__main__")
    else:
        os.environ.setdefault("PYTHONMALLOC", "malloc")  # not read inside the file: starting again would be in vain
        os.environ["STREAMLIT_GLOBAL_DEVELOPMENT_MODE"] = "false"  # what Streamlit takes a file's own folder for
        sys.argv = ["cra-explorer", *(words or CLOSED)]
        runpy.run_module("cra_dashboard.program", run_name="__main__", alter_sys=True)


def _as_it_was(variable: str) -> None:
    """Give the browser the system's libraries: the file's own are for this process, which has found them."""
    before = os.environ.pop(f"{variable}_ORIG", None)
    if before is None:
        os.environ.pop(variable, None)
    else:
        os.environ[variable] = before


if __name__ == "__main__":
    main()
