"""Sensitive cells as plain data for JSON."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cra_engine.criteria.concentration import Dominance
from cra_engine.risk.sensitive_cells import Place, SensitiveCells
from cra_engine.words import number

Json = dict[str, Any]


def sensitive_cells_json(found: SensitiveCells) -> Json:
    """What ``sensitive-cells --json`` prints."""
    return {
        "records": len(found.columns),
        "classes": _classes(found.groups),
        "columns": list(found.columns.names),
        "cells": found.cells,
        **findings_json(found),
        "warnings": list(found.columns.warnings),
    }


def _classes(groups: Sequence[NDArray[np.int64]]) -> list[Json]:
    return [{"rows": rows.tolist(), "size": len(rows)} for rows in groups]


def findings_json(found: SensitiveCells) -> Json:
    """What the rules say of each cell, and who could estimate whom."""
    names = found.columns.names

    def listed(places: Sequence[Place]) -> list[list[Any]]:
        return [[group, names[column]] for group, column in places]

    rules = []
    for one in found.findings:
        rule = one.rule
        rules.append(
            {
                "rule": rule.kind,
                "n": int(rule.n) if isinstance(rule, Dominance) else None,
                "value": rule.value,
                "sensitive": len(one.sensitive),
                "undefined": len(one.undefined),
                "cells": listed(one.sensitive),
            }
        )
    return {"rules": rules, "alone": listed(found.alone), "estimates": _estimates(found)}


def _estimates(found: SensitiveCells) -> list[Json]:
    """Of each sensitive cell what its second largest contributor can say of the largest."""
    estimates = []
    for group, column in found.offending:
        closest = found.cell(group, column).closest()
        if closest is not None:
            estimates.append(
                {
                    "cell": [group, found.columns.names[column]],
                    "who": closest.who,
                    "whom": closest.whom,
                    "lower": number(closest.lower),
                    "upper": number(closest.upper),
                    "error": None if closest.error is None else float(closest.error),
                }
            )
    return estimates
