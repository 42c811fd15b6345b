# What the room shows to others, and where each name lives.
from .check import undecided, verdict_of
from .report import TITLES, figures, meaning_of, word_of
from .rule import WRITTEN

__all__ = ["TITLES", "WRITTEN", "figures", "meaning_of", "undecided", "verdict_of", "word_of"]
