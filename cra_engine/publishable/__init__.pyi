# What the room shows to others, and where each name lives.
from .archive import archive_files, as_drawn, drawn_anew, published_by, settings_of, way_of, write_archive
from .outcome import KeptAway, Outcome, Publishable, Step, best_of
from .search import STOPPED, publishable
from .space import Choice, Decided, Pin, Space

__all__ = [
    "STOPPED",
    "Choice",
    "Decided",
    "KeptAway",
    "Outcome",
    "Pin",
    "Publishable",
    "Space",
    "Step",
    "archive_files",
    "as_drawn",
    "best_of",
    "drawn_anew",
    "publishable",
    "published_by",
    "settings_of",
    "way_of",
    "write_archive",
]
