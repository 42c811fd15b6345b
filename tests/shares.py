"""What `make test` takes of many cases of one kind, and what it leaves to `make exhaustive`."""

from collections.abc import Iterable
from typing import Any

import pytest


def first(quick: int, cases: Iterable[Any]) -> list[Any]:
    """All cases as parameters of a test: the first few for every run, the others for the exhaustive one."""
    parameters = [case if isinstance(case, tuple) else (case,) for case in cases]
    return [pytest.param(*p, marks=pytest.mark.exhaustive if n >= quick else ()) for n, p in enumerate(parameters)]
