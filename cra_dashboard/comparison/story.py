"""What the page Compare says, and its tables."""

from collections.abc import Sequence

import pandas as pd

from cra_dashboard.session.state import Dataset
from cra_engine import Comparison
from cra_engine.defences.comparison import Row, shown
from cra_engine.defences.figures import MEASURES
from cra_engine.defences.report import MEANING as LINES
from cra_engine.defences.report import comparison_html

KEPT = [measure for measure in MEASURES if measure.kept]
GIVEN = [next(m for m in MEASURES if m.key == "gain"), *(m for m in MEASURES if not m.kept and m.key != "gain")]
MEANING = "\n".join(f"- {line}" for line in LINES)


def table(rows: Sequence[Row]) -> pd.DataFrame:
    """A row per way that is possible."""
    return pd.DataFrame(
        [
            {"No.": row.number, "Way": row.label, **{m.title: shown(row.figures.get(m.key)) for m in MEASURES}}
            for row in rows
            if not row.problem
        ]
    )


def side_by_side(one: Row, other: Row) -> pd.DataFrame:
    """A row per measure, a column per way."""
    first, second = f"{one.number}: {one.label}", f"{other.number}: {other.label} "  # a blank: one way twice is allowed
    return pd.DataFrame(
        [
            {
                "": "kept" if m.kept else "given away",
                "Measure": m.title,
                first: shown(one.figures.get(m.key)),
                second: shown(other.figures.get(m.key)),
                "What it is": m.help,
            }
            for m in MEASURES
        ]
    )


def report(found: Comparison, data: Dataset | None) -> str:
    """The report for download."""
    return comparison_html(found, "" if data is None else data.name)
