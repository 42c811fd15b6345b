"""What the page Effective anonymity says: a line per adversary in the layout of the paper's Table 1, and sentences."""

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd

from cra_engine import EffectiveAnonymity
from cra_engine.words import how_many, percent


@dataclass(frozen=True)
class Line:
    """The records that one adversary of Effective anonymity finds unique, or few.

    Attributes:
        name: of the adversary.
        records: how many there are.
        unique: records with cells that no other has.
        few: records with fewer equals than asked for.
        sure_unique: records that can be no other, whatever missing cells hide.
        sure_few: records that can be fewer than asked for.
    """

    name: str
    records: int
    unique: int
    few: int
    sure_unique: int
    sure_few: int

    @classmethod
    def of(cls, name: str, found: EffectiveAnonymity, below: int) -> "Line":
        """A line from what was measured."""
        counts = [int((each < limit).sum()) for each in (found.ea, found.ea_amb) for limit in (2, below)]
        return cls(name, len(found.ea), *counts)


def table(lines: Sequence[Line], below: int) -> pd.DataFrame:
    """Lay the adversaries on Effective anonymity out as the paper's Table 1: counts with their shares."""

    def cell(count: int, records: int) -> str:
        return f"{count:,} ({percent(count / records, 1)})"

    return pd.DataFrame(
        [
            {
                "Adversary": line.name,
                "Alone": cell(line.unique, line.records),
                f"Fewer than {below}": cell(line.few, line.records),
                "Alone for certain": cell(line.sure_unique, line.records),
                f"Fewer than {below} for certain": cell(line.sure_few, line.records),
            }
            for line in lines
        ]
    )


def headline(lines: Sequence[Line]) -> str:
    """Say above the picture of Effective anonymity how many records are unique for the adversary who sees most."""
    worst = max(lines, key=lambda line: (line.sure_unique, line.unique))
    if not worst.unique:
        return "Nobody is unique for any of these adversaries."
    if worst.sure_unique == worst.unique:
        return f"For {worst.name}, {how_many(worst.unique, 'record is', 'records are')} unique beyond doubt."
    return (
        f"For {worst.name}, {how_many(worst.unique, 'record is', 'records are')} unique as the table stands; "
        f"{worst.sure_unique:,} of them whatever the missing cells hide."
    )
