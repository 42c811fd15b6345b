"""The table that a page works on: the session's, or an example that the page brings along."""

from cra_dashboard.session import state
from cra_dashboard.session.datasets import SAMPLES
from cra_engine import read_table

Table = state.Dataset
session_table = state.dataset


def example_table(name: str) -> Table:
    """Return an example table for a page, by its name."""

    def read() -> Table:
        return state.make_dataset(name, "", "built-in", read_table(SAMPLES / f"{name.lower()}.csv"))

    return state.once(f"example-{name}", name, read)
