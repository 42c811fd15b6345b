"""The tables of a comparison."""

import pandas as pd

from cra_dashboard.texts import words
from cra_engine import Comparison
from cra_engine.options import MEASURES, Point, name_of, same_table, text_of, verdict_text


def table(comparison: Comparison, best: frozenset[int]) -> pd.DataFrame:
    """Return a row per option on Other ways with all its numbers.

    Args:
        comparison: the options.
        best: the numbers of those on the frontier.
    """
    same = same_table(comparison.points)
    return pd.DataFrame(
        [
            {
                "No.": point.number,
                "Option": point.label,
                "Check": verdict_text(point),
                **{measure.title: text_of(measure, point) for measure in MEASURES.values()},
                "Frontier": "yes" if point.number in best else "",
                "Same table as": "" if same[point.number] == point.number else str(same[point.number]),
                "Remarks": point.problem or " ".join(point.notes),
            }
            for point in comparison.points
        ]
    )


def side_by_side(comparison: Comparison, one: Point, other: Point) -> pd.DataFrame:
    """Return chosen options of Other ways side by side: a row per setting and measure, a column per option."""
    columns = {"": ["k", *(f"Finest {name}" for name in comparison.study.names), "State", "Check"]}
    columns[""] += [measure.title for measure in MEASURES.values()]
    for letter, point in zip("AB", (one, other), strict=True):
        finest = comparison.heights.finest(point.option) or ("no intervals",) * len(comparison.study.names)
        local = "each class its own" if point.option.way.name in ("local", "safe", "repaired") else ""
        columns[f"{letter}: {name_of(point)}"] = [
            str(point.option.k),
            *finest,
            local if point.state is None else words.state(point.state),
            verdict_text(point),
            *(text_of(measure, point) for measure in MEASURES.values()),
        ]
    # st.table reads Markdown, and a column's name or unit may hold some.
    return pd.DataFrame({words.plain(name): [words.plain(text) for text in texts] for name, texts in columns.items()})
