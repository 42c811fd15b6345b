"""A small table whose hierarchies are ladders: what is published minimally, what is concluded, and the truth."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from cra_engine import Attribute, CompoundPredicates, Downcoding, Study, compound_predicates, downcode, minimal_release
from cra_engine.words import how_many

PEOPLE, ATTRIBUTES, TOP, K = 6, 8, 9, 2
CHANCE = 1 / 3  # that an entry is the person's value and not 0
ROWS = tuple(
    (str(value), str(value), *(f"0-{most}" if value <= most else str(value) for most in range(1, TOP)), "*")
    for value in range(TOP + 1)
)


@dataclass(frozen=True, eq=False)
class Climb:
    """One table of Downcode's ladder, published and attacked.

    Attributes:
        truth: the records.
        release: as they are published.
        found: what is concluded of that.
        compound: whether it is right.
    """

    truth: pd.DataFrame
    release: pd.DataFrame
    found: Downcoding
    compound: CompoundPredicates

    @property
    def headline(self) -> str:
        """What came of it, in a sentence."""
        if not self.found.refined:
            return self.found.why_not
        right = "all of it holds" if self.compound.generalizes else "not all of it holds"
        return (
            f"From the release alone {how_many(self.found.refined, 'record')} of {PEOPLE} become finer; {right}, and "
            f"{how_many(self.compound.isolating or 0, 'description fits', 'descriptions fit')} exactly one person."
        )


def climbed(seed: int) -> Climb:
    """Publish and downcode the ladder's table of a seed."""
    rng = np.random.default_rng(seed + 1)
    own = rng.permutation(np.arange(1, TOP + 1))[:PEOPLE]  # everybody has a value that nobody else has
    entries = np.where(rng.random((PEOPLE, ATTRIBUTES)) < CHANCE, own[:, None], 0)
    names = [f"Q{number}" for number in range(1, ATTRIBUTES + 1)]
    truth = pd.DataFrame(entries.astype(str), columns=names)
    study = Study([Attribute.from_hierarchy(name, ROWS) for name in names], K)
    release = minimal_release(truth, study, seed=seed).frame
    order = release.agg(" ".join, axis=1).sort_values(kind="stable").index  # classes together
    truth, release = (frame.loc[order].reset_index(drop=True) for frame in (truth, release))
    found = downcode(release, study)
    return Climb(truth, release, found, compound_predicates(found, truth))
