"""Results of an experiment with a few chosen numbers, the others as on a release without anything in it."""

import csv
import io

from cra_engine.experiments.results import Results
from cra_engine.experiments.rows import CLASS_COLUMNS, KEY_COLUMNS, SINGLING_COLUMNS, SUPPRESSED_COLUMNS, TIGHT_COLUMNS

EMPTY = (
    dict.fromkeys([*KEY_COLUMNS, *SUPPRESSED_COLUMNS, *TIGHT_COLUMNS], "")
    | dict.fromkeys([*CLASS_COLUMNS, *SINGLING_COLUMNS], "0")
    | {name: "" for name in CLASS_COLUMNS if name.startswith(("each", "log10", "ratio"))}
    | {"plan": "p", "dataset": "d", "attributes": "x y", "layers": "2 2", "sample": "0", "profile": "paper"}
    | {"ties": "paper", "suppressed": "0", "records": "9", "cells": "4"}
)


def text(*rows):
    """Rows as a results file."""
    out = io.StringIO()
    writer = csv.DictWriter(out, list(EMPTY), lineterminator="\n")
    writer.writeheader()
    writer.writerows(EMPTY | {name: str(value) for name, value in row.items()} for row in rows)
    return out.getvalue().encode()


def results(*rows):
    """Rows as results."""
    return Results(text(*rows))
