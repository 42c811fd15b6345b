"""Questions on cells of a microaggregated table: what one contributor knows of another."""

from fractions import Fraction

from cra_dashboard.lessons.questions.question import Question, among
from cra_engine.risk.sensitive_cells import Cell


def largest(cell: Cell) -> Question | None:
    """What the second largest contributor of a cell concludes of the largest, from the total."""
    closest = cell.closest()
    if closest is None:
        return None
    second, total, others = cell.contributions[1], cell.total, len(cell.rows) - 2

    def span(low: Fraction, high: Fraction) -> str:
        return f"exactly {_number(high)}" if low == high else f"{_number(low)} to {_number(high)}"

    own, left, most = _number(second), _number(closest.upper), _number(total)
    why = [f"The total is {most}. Less the own {own}, {left} is left for everybody else, so the largest has no more."]
    if others:
        rest = "The other record" if others == 1 else f"Each of the other {others:,} records"
        why.append(
            f"{rest} can have no more than {own}: at least {_number(closest.lower)} stays with the largest. "
            f"The truth is {_number(cell.contributions[0])}."
        )
    else:
        why.append("Nobody else is in the cell: each of two contributors knows the other exactly.")
    return among(
        f"The {cell.column} of {len(cell.rows)} records adds up to {most}. The second largest contributor has {own}, "
        "and knows to be second. **What does the largest have?**",
        span(closest.lower, closest.upper),
        [
            (span(Fraction(0), total), "That is what everybody can say who knows the total; one knows more."),
            (span(second, total), f"The own {own} is part of the total and can be subtracted."),
            (span(Fraction(0), closest.upper), f"The largest has more than the second: {own} or more."),
        ],
        why,
    )


def _number(value: Fraction) -> str:
    return f"{float(value):,.6g}"
