"""The choices of ``what-if`` as they are written on the command line."""

import re
from collections.abc import Sequence
from decimal import Decimal

from cra_engine.errors import StudyError
from cra_engine.files.notation import decimal_in
from cra_engine.study.study import PROFILES, Study
from cra_engine.what_ifs.choices import ChoiceGrid, Profile, default_grid

_RANGE = re.compile(r"^(\d{1,7})(?:-(\d{1,7}))?$")
MOST_LISTED = 10_000


def grid_of(
    study: Study,
    records: int,
    ks: str | None = None,
    layers: Sequence[str] = (),
    profiles: Sequence[str] = (),
    suppression: str | None = None,
) -> ChoiceGrid:
    """A grid from text; what is left out is as in the grid around the study.

    Args:
        study: where the choices start from.
        records: of the table.
        ks: ``"5"``, ``"3-7"`` or ``"3,5,8-10"``.
        layers: per attribute ``"NAME=3-4"``; attributes that are not named stay as they are, once one is.
        profiles: ``paper``, ``arx-gui``, a share, or ``none`` for no local recoding.
        suppression: limits of global recoding, ``"0,0.05"``, or ``none`` for no global recoding.

    Raises:
        StudyError: one of them cannot be read, or names no attribute of the study.
        TooLargeError: too many choices.
    """
    usual = default_grid(study, records)
    counts = usual.layers
    if layers:
        named = dict(_layers(text, study) for text in layers)
        counts = tuple(named.get(a.name, (a.layers,)) for a in study.attributes)
    return ChoiceGrid(
        usual.ks if ks is None else whole_numbers(ks, "--k"),
        counts,
        _profiles(profiles) if profiles else usual.profiles,
        usual.limits if suppression is None else _limits(suppression),
    )


def whole_numbers(text: str, option: str) -> tuple[int, ...]:
    """Whole numbers from ``"5"``, ``"3-7"`` or ``"3,5,8-10"``.

    Raises:
        StudyError: it is none of these.
    """
    result: list[int] = []
    for part in text.split(","):
        found = _RANGE.match(part.strip())
        first, last = (int(found[1]), int(found[2] or found[1])) if found else (1, 0)
        if last < first or last - first > MOST_LISTED:
            raise StudyError(f"{option} is {text[:60]!r}; give whole numbers such as 5, 3-7 or 3,5,8-10.")
        result += range(first, last + 1)
    return tuple(result)


def _layers(text: str, study: Study) -> tuple[str, tuple[int, ...]]:
    name, _, numbers = text.rpartition("=")
    if name not in study.names:
        raise StudyError(
            f"--layers is {text[:60]!r}; give NAME=NUMBERS such as {study.names[0]}=3-4, "
            f"NAME being one of: {', '.join(study.names)}."
        )
    return name, whole_numbers(numbers, f"--layers for {name}")


def _profiles(texts: Sequence[str]) -> tuple[Profile, ...]:
    if list(texts) == ["none"]:
        return ()
    return tuple(text if text in PROFILES else _share(text, "--profile") for text in texts)


def _limits(text: str) -> tuple[Decimal, ...]:
    return () if text == "none" else tuple(_share(part, "--suppression") for part in text.split(","))


def _share(text: str, option: str) -> Decimal:
    share = decimal_in(text)
    if share is None or not 0 <= share <= 1:
        also = "paper, arx-gui, none or " if option == "--profile" else "none or "
        raise StudyError(f"{option} is {text[:60]!r}; give {also}a share of all records between 0 and 1.")
    return share
