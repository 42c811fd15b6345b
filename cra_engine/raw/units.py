"""Measured cells, such as ``75,9 kg`` and ``5%``: their numbers and the unit that they share."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import pandas as pd

from cra_engine.files.notation import measured
from cra_engine.raw.codes import code_in


def unit_of(texts: Sequence[str]) -> str:
    """The unit that all measured cells share; empty where there is none.

    >>> unit_of(["70 kg", "81 kg", "64"]), unit_of(["70 kg", "1.8 m"]), unit_of(["5%"])
    ('kg', '', '%')
    """
    units = {found[1] for found in measured_cells(texts).values()}
    return units.pop() if len(units) == 1 else ""


def without_unit(column: "pd.Series[Any]") -> "pd.Series[Any]":
    """A column of text without the unit that all its measured cells share.

    >>> without_unit(pd.Series(["75,9 kg", "80", ""])).tolist()
    ['75,9', '80', '']
    """
    if column.dtype.kind in "iufbM":
        return column
    codes, cells = pd.factorize(column, use_na_sentinel=False)
    texts = ["" if pd.isna(cell) else str(cell).strip() for cell in cells]
    apart = measured_cells(texts) if unit_of(texts) else {}
    plain = np.array([apart[text][0] if text in apart else text for text in texts], dtype=object)
    return pd.Series(plain[codes], index=column.index, name=column.name, dtype=object)


def measured_cells(texts: Iterable[str]) -> dict[str, tuple[str, str]]:
    """The measured cells, each as its number and its unit."""
    return {text: found for text in texts if code_in(text) is None and (found := measured(text)) is not None}
