# What the room shows to others, and where each name lives.
from .check import verdict_of
from .report import TITLES, UNKNOWN, figures, meaning_of, word_of
from .rule import WRITTEN

__all__ = ["TITLES", "UNKNOWN", "WRITTEN", "figures", "meaning_of", "verdict_of", "word_of"]
