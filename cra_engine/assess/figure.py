"""A number with how sure it is."""

from dataclasses import dataclass
from typing import Literal

from cra_engine.words import outward

Sure = Literal["exact", "bound", "estimate", "timeout", "unknown"]


@dataclass(frozen=True)
class Figure:
    """A number of an assessment with how sure it is.

    Attributes:
        value: the best that is known; infinite for a gain without bound; None where nothing single is known.
        lower: the number is no less than this; None where that is not known.
        upper: the number is no more than this; None where that is not known.
        sure: ``"exact"``; ``"bound"``: only what it lies between is known; ``"estimate"``; ``"timeout"``: as
            ``"bound"``, since the time ran out; ``"unknown"``.
        note: why it is no more sure, or what to know of it; empty where nothing.
    """

    value: float | None
    lower: float | None
    upper: float | None
    sure: Sure
    note: str = ""

    @classmethod
    def exact(cls, value: float, note: str = "") -> "Figure":
        """Returns a number that is known exactly."""
        return cls(value, value, value, "exact", note)

    @classmethod
    def estimate(cls, value: float, note: str = "") -> "Figure":
        """Returns a number that is estimated."""
        return cls(value, None, None, "estimate", note)

    @classmethod
    def unknown(cls, note: str = "") -> "Figure":
        """Returns a number that is not known."""
        return cls(None, None, None, "unknown", note)

    def to_dict(self) -> dict[str, float | str | None]:
        """Returns it as plain data.

        >>> Figure.exact(2).to_dict()
        {'value': 2, 'lower': 2, 'upper': 2, 'sure': 'exact', 'note': ''}
        """
        return {
            "value": self.value,
            "lower": self.lower,
            "upper": self.upper,
            "sure": self.sure,
            "note": self.note,
        }


def figure_text(figure: Figure) -> str:
    """Write an assessment's figure in a few characters: ``5.1``, ``about 5.1``, ``4.0 to 6.0``, ``not looked at``.

    >>> figure_text(Figure.estimate(5.09)), figure_text(Figure(None, 4.0, 6.0, "bound")), figure_text(Figure.unknown())
    ('about 5.1', '4.0 to 6.0', 'not looked at')
    """
    if figure.value is not None:
        return f"{'about ' if figure.sure == 'estimate' else ''}{figure.value:.1f}"
    if figure.lower is not None and figure.upper is not None:
        return "{:.1f} to {:.1f}".format(*outward(figure.lower, figure.upper, 1))
    return "not looked at"


def people_text(figure: Figure) -> str | None:
    """Write an expected number of people in whole ones; None where it is not known.

    >>> people_text(Figure.exact(277.3)), people_text(Figure.exact(0.3)), people_text(Figure(None, 4.2, 6.0, "bound"))
    ('about 277', 'fewer than 1', '4 to 6')
    """
    if figure.value is not None:
        return f"about {figure.value:,.0f}" if figure.value >= 1 else "fewer than 1"
    if figure.lower is not None and figure.upper is not None:
        return "{:,.0f} to {:,.0f}".format(*outward(figure.lower, figure.upper, 0))
    return None
