"""What the page Effective anonymity says: a line per adversary in the layout of the paper's Table 1, and sentences."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from cra_engine.words import how_many, percent

Counts = Mapping[str, Any]
"""How many records are unique, and few, to an adversary: as :meth:`EffectiveAnonymity.to_dict` says it"""


def table(counted: Mapping[str, Counts], below: int) -> pd.DataFrame:
    """Lay the adversaries on Effective anonymity out as the paper's Table 1: counts with their shares."""

    def cell(count: int, records: int) -> str:
        return f"{count:,} ({percent(count / records, 1)})"

    kinds = {
        "Alone": ("ea", "unique"),
        f"Fewer than {below}": ("ea", "below"),
        "Alone for certain": ("ea_amb", "unique"),
        f"Fewer than {below} for certain": ("ea_amb", "below"),
    }
    return pd.DataFrame(
        [
            {"Adversary": name} | {kind: cell(one[of][what], one["records"]) for kind, (of, what) in kinds.items()}
            for name, one in counted.items()
        ]
    )


def headline(counted: Mapping[str, Counts]) -> str:
    """Say above the picture of Effective anonymity how many records are unique for the adversary who sees most."""
    sure = {name: one["ea_amb"]["unique"] for name, one in counted.items()}
    unique = {name: one["ea"]["unique"] for name, one in counted.items()}
    worst = max(counted, key=lambda name: (sure[name], unique[name]))
    if not unique[worst]:
        return "Nobody is unique for any of these adversaries."
    told = f"For {worst}, {how_many(unique[worst], 'record is', 'records are')} unique"
    if sure[worst] == unique[worst]:
        return f"{told} beyond doubt."
    return f"{told} as the table stands; {sure[worst]:,} of them whatever the missing cells hide."
