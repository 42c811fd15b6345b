"""Fake people among the real ones, to be published with them: what they cost, and what they hide.

Fakes are drawn with every quasi-identifier uniform over its domain, put among the real people, and the whole is
published by ARX-LR without a mark. A cell that holds exactly one record may then hold a fake; what ARX-LR's choices
tell of the records stays what it was. Nothing is promised: a plain form of the idea, to measure others against.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from cra_engine.errors import CRAError, StudyError
from cra_engine.publish.local.recoding import Recoding, recode
from cra_engine.study.study import Study
from cra_engine.utility.loss import MeanLoss


@dataclass(frozen=True, eq=False)
class WithFakes:
    """A table published with fakes.

    Attributes:
        recoding: of real and fake people together.
        real: per row whether it is a real person's. Secret.
        loss: mean loss of a real record.
    """

    recoding: Recoding
    real: NDArray[np.bool_]
    loss: float

    @property
    def alone(self) -> tuple[int, int]:
        """How many cells hold exactly one record, and in how many of these that record is a fake."""
        _, first, held = np.unique(self.recoding.number_of_record, return_index=True, return_counts=True)
        single = first[held == 1]
        return len(single), int((~self.real[single]).sum())


def with_fakes(data: pd.DataFrame, study: Study, share: float, seed: int = 0) -> WithFakes:
    """Publish a table by ARX-LR with fakes among its people.

    Args:
        data: one row per person.
        study: hierarchies of numbers, and k.
        share: fakes per real person, above 0.
        seed: of the fakes.

    Raises:
        StudyError: the share is none.
        CRAError: a hierarchy is of categories that it does not list.
    """
    if not share > 0:
        raise StudyError(f"The share of fakes is {share}; give a number above 0.")
    rng = np.random.default_rng(seed)
    many = max(1, round(share * len(data)))
    columns = {}
    for attribute in study.attributes:
        if attribute.numeric:
            steps = rng.integers(0, int((attribute.upper - attribute.lower) / attribute.resolution), many)
            columns[attribute.name] = [float(attribute.lower + int(step) * attribute.resolution) for step in steps]
        elif attribute.reader.listed:
            columns[attribute.name] = rng.choice(sorted(attribute.reader.listed), many).tolist()
        else:
            raise CRAError(f"The hierarchy of {attribute.name!r} lists no values to draw fakes from.")
    order = rng.permutation(len(data) + many)
    names = list(study.names)
    both = pd.concat([data[names], pd.DataFrame(columns)], ignore_index=True).iloc[order].reset_index(drop=True)
    made = recode(both, study)
    real = order < len(data)
    owner = made.release.class_of_row[real]
    parts = [
        (found.segment, int((owner == index).sum()))
        for index, found in enumerate(made.release.classes)
        if (owner == index).any()
    ]
    loss = MeanLoss.of(study.attributes, parts, int((owner < 0).sum())).value
    return WithFakes(made, real, loss)
