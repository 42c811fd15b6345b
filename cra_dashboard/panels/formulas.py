"""Formulas on the page, broken so that they fit a telephone."""

import re
from collections.abc import Sequence

import pandas as pd
import streamlit as st

from cra_dashboard.texts import words
from cra_dashboard.texts.arithmetic import Formula
from cra_engine.words import WRITTEN_OUT, digits

# Characters: from which on a formula is broken, that may stand in a line, that a name on its left has at most.
_LINE, _MOST, _NAME = 22, 34, 9


def show(formulas: Sequence[Formula], *, parts: pd.DataFrame | None = None) -> None:
    """Show formulas on any page, the exact digits of long numbers below each."""
    for formula in formulas:
        st.markdown(f"**{words.plain(formula.name)}**. {words.plain(formula.said)}")
        below = r" \\ & ".join(piece.strip() for line in formula.lines for piece in broken(line))
        st.latex(rf"\begin{{aligned}} & {below} \end{{aligned}}")
        if formula.value.denominator == 1 and formula.value >= WRITTEN_OUT:
            st.caption("To the last digit:")
            st.code(grouped(formula.value.numerator), language=None, wrap_lines=True)
    if parts is not None and len(parts) > 1:
        st.dataframe(parts, hide_index=True, alt="The parts of the box that the bounds cut out, as numbered above")


def broken(line: str) -> list[str]:
    """Break a formula on a page into pieces that fit below each other on a telephone, from equal and plus signs on."""
    if _width(line) <= _LINE:
        return [line]
    pieces: list[str] = []
    depth = start = 0
    for place, sign in enumerate(line):
        depth += {"{": 1, "}": -1}.get(sign, 0)
        piece = line[start:place]
        # The name on the left stays with what it is equal to.
        equal = line.startswith((" = ", r" \approx "), place) and (start or " = " in piece or _width(piece) > _NAME)
        factor = line.startswith((" + ", r" \cdot ", r"\binom"), place) and _width(piece) > _LINE
        quotient = line.startswith(r" \cdot \frac", place)
        binomial = re.match(r"\\binom\{[^{}]*\}", line[place:])
        factor = factor or bool(binomial and _width(piece) + _width(binomial[0]) > _MOST)
        if not depth and piece.strip() and (equal or factor or quotient):
            pieces.append(piece)
            start = place
    return [*pieces, line[start:]]


def _width(latex: str) -> int:
    """About how many characters wide a formula is; what stands below a sum takes the room of twenty."""
    seen = re.sub(r"_\{\\substack\{.*?\}\}", "", latex)
    return len(re.sub(r"\\[a-z]+|[\\{}_ ]", "", seen)) + 20 * (seen != latex) + 2 * seen.count("binom")


def grouped(value: int) -> str:
    """Return all digits of a whole number to show below a page's formula, in groups of three."""
    written = digits(value)
    first = len(written) % 3
    return " ".join(filter(None, [written[:first], *(written[i : i + 3] for i in range(first, len(written), 3))]))
