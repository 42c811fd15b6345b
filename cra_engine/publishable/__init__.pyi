# What the room shows to others, and where each name lives.
from .archive import (
    READ_AS,
    VERDICT,
    Packed,
    archive_files,
    as_drawn,
    drawn_anew,
    file_name,
    for_readers,
    packed,
    published_by,
    rows_not_shown,
    settings_of,
    way_of,
    write_archive,
)
from .choice import Choice, Decided, Pin
from .one_search import STOPPED
from .outcome import FOUND_BY_LOOKING, KeptAway, Outcome, Publishable, Step, best_of
from .search import publishable, search_on
from .space import Space
from .words import WORDS

__all__ = [
    "FOUND_BY_LOOKING",
    "READ_AS",
    "STOPPED",
    "VERDICT",
    "WORDS",
    "Choice",
    "Decided",
    "KeptAway",
    "Outcome",
    "Packed",
    "Pin",
    "Publishable",
    "Space",
    "Step",
    "archive_files",
    "as_drawn",
    "best_of",
    "drawn_anew",
    "file_name",
    "for_readers",
    "packed",
    "publishable",
    "published_by",
    "rows_not_shown",
    "search_on",
    "settings_of",
    "way_of",
    "write_archive",
]
