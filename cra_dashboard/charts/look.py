"""What all charts share: their settings, and how much room a text takes."""

from collections.abc import Sequence
from html import escape

from cra_engine import Hierarchy

CONFIG = {"displayModeBar": False}  # for st.plotly_chart: on a telephone the tool bar covers the legend


NARROWEST = 290  # pixels that are left for the cells on a telephone


_CHARACTER, _GAP = 8, 6  # width of a digit at 14 px, and the room between two labels


def texts_fit(columns: int, texts: Sequence[str], span: int = 1) -> bool:
    """True when each text fits into ``span`` of ``columns`` cells, on a telephone too."""
    longest = max((len(text) for text in texts), default=0)
    return columns * (longest * _CHARACTER + _GAP) <= NARROWEST * span


def axis_title(attribute: Hierarchy) -> str:
    """The attribute's name with its unit, for Plotly, which reads some HTML."""
    return escape(f"{attribute.name} ({attribute.unit})" if attribute.unit else attribute.name, quote=False)
