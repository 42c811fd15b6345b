"""CP-SAT of OR-Tools under its own names, loaded when the first of them is used.

Not every computer has a wheel of it, so it is an extra; what never asks a solver works without it.
"""

from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from cra_engine.errors import MissingLibraryError

if TYPE_CHECKING:
    from ortools.sat.python.cp_model import *  # noqa: F403


def solver_there() -> bool:
    """Return whether OR-Tools is installed."""
    return find_spec("ortools") is not None


def __getattr__(name: str) -> Any:
    if name.startswith("__"):  # what Python asks of every module
        raise AttributeError(name)
    try:
        from ortools.sat.python import cp_model  # noqa: PLC0415
    except ImportError:
        raise MissingLibraryError("ortools") from None
    return getattr(cp_model, name)
