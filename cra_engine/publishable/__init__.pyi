# What the room shows to others, and where each name lives.
from .outcome import Outcome, Publishable, Step
from .search import publishable
from .space import Choice, Pin, Space

__all__ = ["Choice", "Outcome", "Pin", "Publishable", "Space", "Step", "publishable"]
