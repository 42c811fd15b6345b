"""The settings of a study, as its file is read into them and written from them."""

import os
from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Any, Literal, NamedTuple

from cra_engine.criteria.models import PrivacyModel
from cra_engine.errors import StudyError
from cra_engine.study.hierarchy import Hierarchy
from cra_engine.study.ledger import EarlierRelease
from cra_engine.study.quality import Quality
from cra_engine.study.roles import Roles

# Where a hierarchy file that a study names is: its path, or its bytes.
Find = Callable[[str], str | os.PathLike[str] | bytes]
Recoded = Literal["", "local", "global", "repaired"]
MAX_ATTRIBUTES = 100  # a lattice of so many is too large a hundred times over


class Settings(NamedTuple):
    """The settings of a study file: the arguments of a :class:`Study` in their order."""

    attributes: Sequence[Hierarchy]
    k: int
    profile: str | Decimal
    privacy: Sequence[PrivacyModel]
    roles: Roles
    epsilon: Decimal | None
    quality: Quality
    earlier: Sequence[EarlierRelease]
    more_suppressed: bool = False
    recoding: Recoded = ""


def check_number(attributes: Sequence[Any]) -> None:
    """Refuse a study of more attributes than any lattice takes.

    Raises:
        StudyError: there are more than 100.
    """
    if len(attributes) > MAX_ATTRIBUTES:
        raise StudyError(
            f"The study names {len(attributes):,} attributes, more than {MAX_ATTRIBUTES}; keep the quasi-identifiers."
        )
