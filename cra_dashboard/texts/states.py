"""How a state of the lattice stands in an iteration, in words and looks."""

from typing import Literal

from cra_dashboard import palette

Status = Literal["passed", "published", "feasible", "chosen", "waiting", "top"]


# In the order of the legend: what it is called there, marker, colour, size beside the others.
LOOKS: dict[Status, tuple[str, str, str, float]] = {
    "chosen": ("chosen now", "star", palette.CHOSEN, 1.8),
    "feasible": ("could publish", "circle", palette.CHOSEN, 1),
    "published": ("published earlier", "diamond", palette.OWN, 1),
    "passed": ("cannot publish", "x", palette.SUPPRESSED, 0.9),
    "waiting": ("not reached", "circle-open", palette.SUPPRESSED, 0.9),
    "top": ("top, never published", "square-open", palette.SUPPRESSED, 1),
}
