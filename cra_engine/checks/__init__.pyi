# What the room shows to others, and where each name lives.
from .check import undecided, verdict_of
from .outcome import Attacked
from .report import MEANINGS, TITLES, figures
from .rule import WRITTEN

__all__ = ["MEANINGS", "TITLES", "WRITTEN", "Attacked", "figures", "undecided", "verdict_of"]
