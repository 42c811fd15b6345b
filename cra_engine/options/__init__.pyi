# What the room shows to others, and where each name lives.
from .compare import Comparison, compare
from .detail import weights_text
from .frontier import Point, better, frontier, same_table, sides
from .grid import OptionGrid, grid_around, wider_options
from .measures import GIVEN, KEPT, MEASURES, Detail, Measure
from .option import WAYS, Heights, Option, Way, finest, possible_layers, share_text, ways_for, with_layers
from .report import comparison_html, comparison_json
from .ways import SEED, Made, Publisher
from .words import (
    MEANING,
    NOT_PROTECTED,
    WHY_NOT_GLOBAL,
    change,
    headline,
    hindrance,
    justification,
    losing_less,
    name_of,
    recommendation,
    text_of,
    value_text,
    verdict_text,
    why_not,
    worth_taking,
)

__all__ = [
    "GIVEN",
    "KEPT",
    "MEANING",
    "MEASURES",
    "NOT_PROTECTED",
    "SEED",
    "WAYS",
    "WHY_NOT_GLOBAL",
    "Comparison",
    "Detail",
    "Heights",
    "Made",
    "Measure",
    "Option",
    "OptionGrid",
    "Point",
    "Publisher",
    "Way",
    "better",
    "change",
    "compare",
    "comparison_html",
    "comparison_json",
    "finest",
    "frontier",
    "grid_around",
    "headline",
    "hindrance",
    "justification",
    "losing_less",
    "name_of",
    "possible_layers",
    "recommendation",
    "same_table",
    "share_text",
    "sides",
    "text_of",
    "value_text",
    "verdict_text",
    "ways_for",
    "weights_text",
    "why_not",
    "wider_options",
    "with_layers",
    "worth_taking",
]
