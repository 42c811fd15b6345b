"""One colour per role, on every page.

Each passes 3:1 on the light and the dark background, and any two of them can be told apart with any of the three kinds
of colour blindness. No meaning hangs on a colour alone: a sign, a pattern or a word says the same.
"""

from dataclasses import dataclass, replace

from cra_engine.scenes.colours import CHOSEN, CLASSES, ISOLATED, MORE, OWN, STOLEN, SUPPRESSED

# What is touched in a browser has its colours without the dashboard too.
__all__ = ["CHOSEN", "CLASSES", "ISOLATED", "MORE", "OWN", "STOLEN", "SUPPRESSED"]
UNDECIDED = "#9040E8"  # cells that tied classes leave open
OPEN_PAGE = "rgba(146, 164, 200, 0.25)"  # behind the name in the menu under which an open page lies


# Text in charts. Streamlit puts its theme's strongest text colour in place of this one; its own chart grey is too faint
# on a filled cell. Outside Streamlit it is near black.
INK = "#000037"
PAPER = "#FFFFFF"  # hatching and outlines on a filled mark, in both modes

# Chances and other shares: one colour, the more opaque the likelier; only what is certain is as opaque as this colour
# gets without the text on it being hard to read in either mode, and framed besides.
LIKELY, CERTAIN_OPACITY = OWN, 0.85


def opacity_of(chance: float) -> float:
    """Return how opaque the fill of a chance is, 0 to 1: 0, 50 and 99 % are told apart on black too, 99 from 100 %."""
    if chance <= 0:
        return 0.0
    return CERTAIN_OPACITY if chance >= 1 else round(0.05 + 0.7 * chance**1.2, 3)


@dataclass(frozen=True)
class Mark:
    """The colours and hatching of something wherever a grid is drawn, on a page and on paper.

    Attributes:
        colour: of its fill, or of its dot; empty for what is not filled.
        name: in the legend, after the sign; no entry where it is empty.
        sign: stands in the cell, so that no meaning hangs on colour alone; of what is not filled, an example.
        opacity: of the fill.
        symbol: the marker of the legend, and of a dot, by its name.
        dash: of its border, as an outline has it.
        unseen: whether it only keeps its room in the legend.
    """

    colour: str = ""
    name: str = ""
    sign: str = ""
    opacity: float = 0.45
    symbol: str = "square"
    dash: str = "solid"
    unseen: bool = False


# The marks of every grid. A class is drawn in its own colour in place of OWN; a class that took a cell, likewise.
BLANK = Mark()
ALONE = Mark(ISOLATED, "exactly one", "1", 0.65)  # who stands alone stands out on black, too
SEVERAL = Mark(name="exactly so many", sign="2")
NOBODY = Mark(SUPPRESSED, "nobody", "0", 0.12)
OPEN = Mark(name="from 0 to 2 people", sign="0\N{EN DASH}2:")
RAW = Mark(ISOLATED, "one record in the raw table", "○", ALONE.opacity)
FREE = Mark(OWN, "its own cells", "✔")
TIED = Mark(UNDECIDED, "left open by a tie", "?", 0.1)
TAKEN = Mark(STOLEN, "taken by an earlier class", "✕", 0.2)
NO_CLASS = Mark(SUPPRESSED, "no class", "–", 0.12)  # noqa: RUF001 - a dash on purpose
BEYOND = Mark(SUPPRESSED, "beyond the labels: no chance is known", "?", 0.12)
OUT = Mark(SUPPRESSED, "suppressed", "✖", 1, "circle")
BOX = Mark(INK, "a published box", "", 1, "square-open")
BOX_OPACITY, BOX_WIDTH = 0.08, 2.5  # of the fill of a box, and in pixels of its border


def known(fewest: int, most: int) -> tuple[Mark, str]:
    """Return the colours of a cell of which it is known how few and how many people it can hold, and its text."""
    if fewest < most:
        return OPEN, f"{fewest:,}\N{EN DASH}{most:,}"
    return (ALONE if most == 1 else SEVERAL if most else NOBODY), f"{most:,}"


def explained(mark: Mark, text: str) -> Mark:
    """Return the entry of a legend for what is not filled: what stands in one of these cells, of a range its words."""
    low, dash, high = text.partition("\N{EN DASH}")
    return replace(mark, sign=f"{text}:", name=f"from {low} to {high} people") if dash else replace(mark, sign=text)


def of_class(index: int | None) -> str:
    """Return the colour of a class by its number; one after the last has the first one's. None: the suppressed."""
    return SUPPRESSED if index is None or index < 0 else CLASSES[index % len(CLASSES)]


def again(index: int) -> bool:
    """Return whether a class has the colour of another one, by its number: its people are open rings."""
    return index >= len(CLASSES)


def see_through(colour: str, opacity: float) -> str:
    """Return a colour ``#RRGGBB`` that covers what is below it only in part, 0 to 1."""
    red, green, blue = (int(colour[place : place + 2], 16) for place in (1, 3, 5))
    return f"rgba({red}, {green}, {blue}, {opacity:.2f})"
