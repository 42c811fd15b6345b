# What the room shows to others, and where each name lives.
from .check import verdict_of
from .demands import Demand, asked_of, asking, demands_of, notes_of
from .report import TITLES, figures, meaning_of, word_of
from .rule import WRITTEN

__all__ = [
    "TITLES",
    "WRITTEN",
    "Demand",
    "asked_of",
    "asking",
    "demands_of",
    "figures",
    "meaning_of",
    "notes_of",
    "verdict_of",
    "word_of",
]
