"""The examples that some pages bring along."""

from cra_dashboard.session import state
from cra_dashboard.session.datasets import SAMPLES
from cra_engine import read_table


def example_table(name: str) -> state.Dataset:
    """Return an example table for a page, by its name."""

    def read() -> state.Dataset:
        return state.make_dataset(name, "", "built-in", read_table(SAMPLES / f"{name.lower()}.csv"))

    return state.once(f"example-{name}", name, read)
