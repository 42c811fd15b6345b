"""The table that a page works on which has an example of its own: this, or the session's."""

from dataclasses import dataclass

import pandas as pd

from cra_dashboard.session import state
from cra_dashboard.session.datasets import SAMPLES
from cra_engine import read_table


@dataclass(frozen=True)
class Table:
    """The session's table, or an example, that a page works on.

    Attributes:
        name: short name to show.
        digest: of its content.
        frame: the table.
        own: False for the example that the page brings along.
        uploaded: whether it comes from a person's file.
    """

    name: str
    digest: str
    frame: pd.DataFrame
    own: bool
    uploaded: bool


def example_table(name: str) -> Table:
    """Return an example table for a page, by its name."""
    key = name.lower()
    frame = state.once(f"example-{key}", key, lambda: read_table(SAMPLES / f"{key}.csv"))
    return Table(name, key, frame, own=False, uploaded=False)


def session_table() -> Table | None:
    """Return the session's own table, None before one was chosen."""
    data = state.dataset()
    if data is None:
        return None
    return Table(data.name, data.digest, data.frame, own=True, uploaded=data.origin == "uploaded")
