"""Work on the files of a table, each by itself, done by whoever the caller has chosen."""

import contextlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

import joblib

Done = TypeVar("Done")


def for_each(task: Callable[..., Done], arguments: Sequence[tuple[Any, ...]]) -> Iterator[Done]:
    """Return what a task makes of each file, in order; ``joblib.parallel_config`` says who does it."""
    # A worker may have begun in another folder, where names from this one lead nowhere.
    whole = ([one.absolute() if isinstance(one, Path) else one for one in own] for own in arguments)
    work = (joblib.delayed(task)(*own) for own in whole)
    with contextlib.closing(joblib.Parallel(return_as="generator")(work)) as found:
        yield from found
