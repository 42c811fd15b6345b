"""The colours of classes and cells, each with one role wherever a table is drawn, in the dashboard too."""

from typing import Any

OWN = "#0072B2"  # the chosen class and the cells it owns
STOLEN = "#D55E00"  # cells that an earlier class took
ISOLATED = "#CC79A7"  # cells that hold exactly one person
CHOSEN = "#009E73"  # the state or step that was chosen; what is feasible
SUPPRESSED = "#6E6E6E"  # suppressed records, and cells that nobody owns
# Where classes are told apart by colour, beside a number; as far apart as can be, however they are seen, and none near
# the pink of who stands alone.
MORE = ("#96964B", "#4B960F", "#695AD2", "#782DFF", "#965A3C")
CLASSES = (OWN, STOLEN, CHOSEN, *MORE)  # each beside the number of its class


def colours() -> dict[str, Any]:
    """Return the colours for the script in the browser."""
    return {
        "boxes": list(CLASSES),
        "suppressed": SUPPRESSED,
        "roles": {"own": OWN, "isolated": ISOLATED, "taken": STOLEN, "chosen": CHOSEN, "suppressed": SUPPRESSED},
    }
