"""The options of ``compare`` as they are written on the command line."""

import re
from collections.abc import Sequence
from decimal import Decimal

from cra_engine.errors import StudyError
from cra_engine.files.notation import decimal_in
from cra_engine.options.grid import AROUND_LIMITS, OptionGrid, grid_around
from cra_engine.options.option import EPSILONS, LIMITS, WAYS, Way, ways_for
from cra_engine.study.profile import PROFILES
from cra_engine.study.study import Study

_RANGE = re.compile(r"^(\d{1,7})(?:-(\d{1,7}))?$")
MOST_LISTED = 10_000


def grid_of(
    study: Study,
    records: int,
    ks: str | None = None,
    layers: Sequence[str] = (),
    methods: Sequence[str] = (),
    profiles: Sequence[str] = (),
    epsilons: str | None = None,
    suppression: str | None = None,
    *,
    around: bool = False,
) -> OptionGrid:
    """Read a command's grid of options from text; what is left out is as in the study, or in the grid around it.

    Args:
        study: where the options start from.
        records: of the table.
        ks: ``"5"``, ``"3-7"`` or ``"3,5,8-10"``.
        layers: per attribute ``"NAME=3-4"``; attributes that are not named stay as they are, once one is.
        methods: the ways to publish, by name.
        profiles: of local recoding: ``paper``, ``arx-gui`` or a share.
        epsilons: of safe recoding, ``"0.5,1"``.
        suppression: limits of global recoding, ``"0,0.05"``.
        around: whether k and hierarchies around the study's are tried, locally and globally.

    Raises:
        StudyError: one of them cannot be read, or names no attribute of the study.
        TooLargeError: too many options.
    """
    usual = grid_around(study, records) if around else OptionGrid.of(study)
    counts = usual.layers
    if layers:
        named = dict(_layers(text, study) for text in layers)
        counts = tuple(named.get(a.name, (a.layers,)) for a in study.attributes)
    names: Sequence[str] = methods or ((Way.of(study).name, "global") if around else WAYS)
    limits = AROUND_LIMITS if around else LIMITS
    ways = ways_for(
        study,
        names,
        epsilons=[study.epsilon] if around and study.epsilon and epsilons is None else _shares(epsilons, EPSILONS),
        limits=limits
        if suppression is None
        else tuple(_share(part, "--suppression") for part in suppression.split(",")),
    )
    if profiles and "local" in names:
        wanted = [Way("local", text if text in PROFILES else _share(text, "--profile")) for text in profiles]
        ways = (*wanted, *(way for way in ways if way.name != "local"))
    return OptionGrid(usual.ks if ks is None else whole_numbers_of(ks, "--k"), counts, ways)


def whole_numbers_of(text: str, option: str) -> tuple[int, ...]:
    """Read a command's whole numbers from ``"5"``, ``"3-7"`` or ``"3,5,8-10"``.

    Raises:
        StudyError: it is none of these.
    """
    numbers: list[int] = []
    for part in text.split(","):
        match = _RANGE.match(part.strip())
        first, last = (int(match[1]), int(match[2] or match[1])) if match else (1, 0)
        if last < first or last - first > MOST_LISTED:
            raise StudyError(f"{option} is {text[:60]!r}; give whole numbers such as 5, 3-7 or 3,5,8-10.")
        numbers += range(first, last + 1)
    return tuple(numbers)


def _layers(text: str, study: Study) -> tuple[str, tuple[int, ...]]:
    name, _, numbers = text.rpartition("=")
    if name not in study.names:
        raise StudyError(
            f"--layers is {text[:60]!r}; give NAME=NUMBERS such as {study.names[0]}=3-4, "
            f"NAME being one of: {', '.join(study.names)}."
        )
    return name, whole_numbers_of(numbers, f"--layers for {name}")


def _shares(text: str | None, usual: Sequence[Decimal]) -> list[Decimal]:
    if text is None:
        return list(usual)
    numbers = [decimal_in(part) for part in text.split(",")]
    if any(number is None or number <= 0 for number in numbers):
        raise StudyError(f"--epsilon is {text[:60]!r}; give numbers above 0 such as 0.5,1.")
    return [number for number in numbers if number is not None]


def _share(text: str, option: str) -> Decimal:
    share = decimal_in(text)
    if share is None or not 0 <= share <= 1:
        also = "paper, arx-gui or " if option == "--profile" else ""
        raise StudyError(f"{option} is {text[:60]!r}; give {also}a share of all records between 0 and 1.")
    return share
