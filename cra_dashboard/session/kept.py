"""What the session keeps for as long as it belongs to what is in use: a result, a file, a choice."""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Generic, TypeVar, cast

import streamlit as st

T = TypeVar("T")
_MOST, _MOST_ROWS = 3, 300_000


def most_kept(rows: int) -> int:
    """Returns how many results that hold a table of so many rows a session keeps: of large tables the last alone."""
    return max(1, min(_MOST, _MOST_ROWS // max(rows, 1)))


@dataclass(frozen=True)
class Kept(Generic[T]):
    """One value that a session keeps, with what it belongs to.

    Attributes:
        name: of the session's key.
    """

    name: str

    def of(self, key: Hashable) -> T | None:
        """Returns what is kept, None where nothing is or it belongs to something else."""
        owner, value = st.session_state.get(self.name, (None, None))
        return cast("T | None", value) if owner == key else None

    def keep(self, key: Hashable, value: T) -> None:
        """Keeps a value in place of the one before."""
        st.session_state[self.name] = (key, value)

    def drop(self) -> None:
        """Forgets it."""
        st.session_state.pop(self.name, None)
