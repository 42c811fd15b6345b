"""A global recoding as plain data for JSON, and its lattice as CSV."""

from typing import Any

from cra_engine.files.csv_text import csv_text
from cra_engine.publish.full_domain.outcome import GlobalRecoding


def global_recoding_json(recoding: GlobalRecoding) -> dict[str, Any]:
    """What ``global-recode --json`` prints."""
    measures = recoding.measures
    return {
        "records": recoding.records,
        "k": recoding.study.k,
        "limit": recoding.limit,
        "utility": recoding.utility,
        "states": recoding.looks.states,
        "anonymous": int(recoding.looks.anonymous.sum()),
        "checked": recoding.looks.checked,
        "pruned": recoding.looks.pruned,
        "state": list(recoding.state),
        "suppressed": recoding.suppressed,
        "classes": recoding.classes,
        "measures": {
            "aecs": measures.value("aecs"),
            "discernibility": str(measures.discernibility),
            "precision": measures.value("precision"),
            "entropy": measures.value("entropy"),
        },
    }


def lattice_csv(recoding: GlobalRecoding) -> str:
    """The figures of every state that was looked at: what ``global-recode --lattice`` writes."""
    return csv_text(recoding.lattice)
