"""What the page Heterogeneous says: who is looked at, what is seen, what was promised."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pandas as pd

from cra_engine import Heterogeneous
from cra_engine.choices import Extraction, MatchMethod
from cra_engine.words import how_many, listed

EXTRACTIONS: dict[Extraction, str] = {"permutation": "Ours", "paper": "The paper's"}
MATCHES: dict[MatchMethod, str] = {
    "HG": "Least loss (HG)",
    "SG": "Cheapest pair first (SG)",
    "GR": "Row by row (GR)",
}


@dataclass(frozen=True)
class Looked:
    """A person's rows, or a row's people, on Heterogeneous.

    Attributes:
        part: the part of the table that it lies in.
        own: the place of the person, or of the row's own record.
        others: the places of the rows, or of the people, bucket by bucket.
        values: the sensitive value at each of them, None for a dummy's: shown on the row, or true of the person.
        marked: the values that are seen twice (diversity) or gain more than beta (likeness).
    """

    part: int
    own: int
    others: tuple[int, ...]
    values: tuple[str | None, ...]
    marked: frozenset[str]


def person(made: Heterogeneous, record: int) -> Looked:
    """Return the rows on Heterogeneous that match a person, with the values they show."""
    part = next(at for at, rows in enumerate(made.places) if (rows == record).any())
    own = int(np.flatnonzero(made.places[part] == record)[0])
    rows = np.flatnonzero(made.matched[part][:, own // made.bucket_size] == own)
    return _looked(made, part, own, rows.tolist(), made.carried[part][rows].tolist())


def published_row(made: Heterogeneous, row: int) -> Looked:
    """Return the people on Heterogeneous who may stand behind a published row, with their true values."""
    part, own = (int(at) for at in made.rows_of[row])
    people = made.matched[part][own].tolist()
    return _looked(made, part, own, people, people)


def _looked(made: Heterogeneous, part: int, own: int, others: Sequence[int], seen: Sequence[int]) -> Looked:
    column = made.data[made.sensitive]
    records = made.places[part][list(seen)].tolist()
    values = [None if record < 0 else str(column.iloc[record]) for record in records]
    counts = Counter(value for value in values if value is not None)
    if made.beta is None:
        marked = frozenset(value for value, many in counts.items() if many > 1)
    else:
        share = (1 + made.beta) * made.buckets / made.records
        marked = frozenset(value for value, many in counts.items() if many > share * int((column == value).sum()))
    return Looked(part, own, tuple(others), tuple(values), marked)


def first_harmed(made: Heterogeneous) -> int:
    """Return the first person to whom Heterogeneous breaks its promise, else the first of all."""
    if made.original_side.repeated if made.beta is None else made.original_side.over:
        return next((record for record in range(min(made.records, 500)) if person(made, record).marked), 0)
    return 0


def looked_told(made: Heterogeneous, looked: Looked, record: int | None, row: int | None) -> str:
    """Say in one sentence who is looked at on Heterogeneous."""
    seen = Counter("nothing (a dummy)" if value is None else value for value in looked.values)  # noqa: PD011
    parts = [
        f"{value} {'twice' if many == 2 else f'{many} times'}" if many > 1 else value for value, many in seen.items()
    ]
    shown = listed(parts) if len(parts) <= 8 else f"{', '.join(parts[:8])} and others"
    if record is not None:
        return f"Person {record} matches {how_many(len(looked.others), 'row')}, one per bucket; they show {shown}."
    carried = made.frame[made.sensitive].iloc[row or 0]
    return (
        f"Behind row {row} may be any of {how_many(len(looked.others), 'person', 'people')}, one per bucket; "
        f"their true values are {shown}. The row shows {'nothing' if carried == '*' else carried}."
    )


def headline(made: Heterogeneous, by_way: dict[Extraction, Heterogeneous]) -> str:
    """Say what Heterogeneous promised, and how both extractions keep it to a person."""
    ours, theirs = by_way["permutation"].original_side, by_way["paper"].original_side
    if made.l is not None:
        return (
            f"Behind each row stand {made.l} different values, as promised. Of {theirs.of:,} people who look at their "
            f"own {made.l} rows, {counted(theirs.repeated_count, theirs.of)} see some value twice with the paper's "
            f"extraction, {counted(ours.repeated_count, ours.of)} with ours."
        )
    return (
        f"Behind each row no value gains more than {gain_factor(made.beta)} its share in the table, as promised. "
        f"Before {counted(theirs.over_count, theirs.of)} of {theirs.of:,} people some value does with the paper's "
        f"extraction, before {counted(ours.over_count, ours.of)} with ours."
    )


def sides_table(made: Heterogeneous, by_way: dict[Extraction, Heterogeneous]) -> pd.DataFrame:
    """Return both sides and both extractions of Heterogeneous: the numbers behind the headline."""
    sides = [("Behind a row (any extraction)", made.published_side)]
    sides += [
        (f"Before a person, {EXTRACTIONS[way].lower()}", by_way[way].original_side) for way in ("permutation", "paper")
    ]
    rows = []
    for name, side in sides:
        row = {"": name, "Largest gain": gain_factor(side.max_beta), "Of": side.of}
        row |= {"See a value twice": counted(side.repeated_count, side.of)}
        rows.append(row if made.beta is None else row | {"Above beta": counted(side.over_count, side.of)})
    return pd.DataFrame(rows)


def looked_table(made: Heterogeneous, looked: Looked, *, rows: bool) -> pd.DataFrame:
    """Return a person's rows, or a row's people, on Heterogeneous as a table."""
    published = {(int(part), int(place)): at for at, (part, place) in enumerate(made.rows_of)}
    table = []
    for place, value in zip(looked.others, looked.values, strict=True):
        record, row = int(made.places[looked.part][place]), published.get((looked.part, place))
        if rows and row is not None:
            cells = {name: str(made.frame[name].iloc[row]) for name in made.cells}
            who: dict[str, object] = {"Bucket": place // made.bucket_size + 1, "Row": row}
        else:
            cells = {name: "" if record < 0 else str(made.data[name].iloc[record]) for name in made.cells}
            who = {"Bucket": place // made.bucket_size + 1, "Person": "a dummy" if record < 0 else str(record)}
        table.append(who | {made.sensitive: value or "*"} | cells)
    return pd.DataFrame(table)


def counted(count: int | None, of: int) -> str:
    """Write how many rows or people on Heterogeneous, with their share; what is not nothing never reads as nothing."""
    if count is None:
        return "none"
    few = 0 < 1000 * count < of
    return f"{count:,} ({'less than 0.1' if few else f'{100 * count / of:.1f}'} %)"


def gain_factor(number: Fraction | None) -> str:
    """Write a gain on Heterogeneous as a factor: 2.5 times its share more."""
    return "no" if number is None else f"{float(number):.3g} times"


METHOD = """
**Buckets.** The records are dealt into equally large buckets by their sensitive value: for diversity the most frequent
values get a bucket of their own, for likeness values lie one after the other. Which of a value's records go where is
chance.

**Matches.** Each row takes itself and one record of every other bucket, at little loss: *HG* the least sum of each
bucket pair, *SG* the cheapest pair first, *GR* row by row. A row shows the extent of its matches, so neighbours differ.

**Values.** A row carries the value of one of its matches. The paper draws matchings of the graph; then the values
behind a row are as promised, but a person's own rows may repeat a value. Ours lets all rows of one bucket take from one
other bucket, chosen by chance; then each person sees one value of each bucket.

**Price of ours.** If somebody identifies one person's own row, it tells which bucket all rows of that bucket took their
values from.
"""
