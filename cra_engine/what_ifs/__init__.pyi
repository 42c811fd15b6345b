# What the room shows to others, and where each name lives.
from .choices import Choice, ChoiceGrid, default_grid, finest, possible_layers, with_layers
from .measures import GIVEN, KEPT, Measure, better, frontier, outline, same_table, sides
from .outcome import Point, Together, WhatIf
from .report import what_if_html
from .run import local_point, planned, together, what_if
from .words import (
    NOT_PROTECTED,
    WHY_NOT_GLOBAL,
    choice_text,
    comparison,
    headline,
    justification,
    recommendation,
    recommended,
    rule_text,
    share_text,
    short_rule,
    together_text,
    value_text,
)

__all__ = [
    "GIVEN",
    "KEPT",
    "NOT_PROTECTED",
    "WHY_NOT_GLOBAL",
    "Choice",
    "ChoiceGrid",
    "Measure",
    "Point",
    "Together",
    "WhatIf",
    "better",
    "choice_text",
    "comparison",
    "default_grid",
    "finest",
    "frontier",
    "headline",
    "justification",
    "local_point",
    "outline",
    "planned",
    "possible_layers",
    "recommendation",
    "recommended",
    "rule_text",
    "same_table",
    "share_text",
    "short_rule",
    "sides",
    "together",
    "together_text",
    "value_text",
    "what_if",
    "what_if_html",
    "with_layers",
]
