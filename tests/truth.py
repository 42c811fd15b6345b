"""Whether an attack leaves the true data possible."""

from collections import Counter

import numpy as np
import pandas as pd

from cra_engine import Release, attack, single_out
from cra_engine.attacks.tight.system import TightSystem
from cra_engine.raw.placement import locate


def excluded(release: Release, data: pd.DataFrame) -> list[str]:
    """The attacks that exclude the truth: titles of classes, ``"together"`` for the tight system."""
    attacked = attack(release)
    checked = single_out(attacked, data)
    results = [*checked.classes, *([] if checked.suppressed is None else [checked.suppressed])]
    wrong = [part.title for part, result in zip(attacked.parts, results, strict=True) if not result.valid]
    return wrong + ([] if allowed(release, data) else ["together"])


def allowed(release: Release, data: pd.DataFrame) -> bool:
    """True when the tight system allows the true counts, each record counted where its class may have it."""
    system = TightSystem(release)
    cells = [tuple(cell) for cell in locate(data, release.study).leaves.tolist()]
    owners = release.class_of_row.tolist()
    held = Counter(zip(cells, owners, strict=True) if system.unordered else cells)
    places = list(zip(system.cells, system._slot_owner.tolist(), strict=True)) if system.unordered else system.cells
    counts = [held.pop(place, 0) for place in places]
    settled = {(cell, None): size for cell, size in system.settled.items()}
    for place, count in held.items():
        cell = place[0] if system.unordered else place
        if settled.get((cell, None)) != count:
            return False
    return system.allows(counts)


def counts_of(release: Release, data: pd.DataFrame) -> np.ndarray:
    """True records per cell, as an array over the grid."""
    held = np.zeros(release.grid.shape, dtype=int)
    np.add.at(held, tuple(locate(data, release.study).leaves.T), 1)
    return held
