"""What notebooks show of an attack: never a table without what weakens it."""

from html import escape
from typing import Protocol


class Warned(Protocol):
    """A result that says what weakens it."""

    @property
    def warnings(self) -> tuple[str, ...]:
        """Sentences."""
        ...


def told_above(found: Warned, table: str) -> str:
    """A result in one line, then what weakens it, then its table."""
    return "".join(f"<p>{escape(line)}</p>" for line in (repr(found), *found.warnings)) + table
