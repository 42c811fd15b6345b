"""Who has what: the sensitive values that people of a cell can have, from the release alone.

A release shows which values the records of each class have, and the attack says where they can lie. Under privacy
models the two hang together: many records of a class in one place must show few values, or that place would have been
published by itself. So a reader learns of a cell which values somebody there can have, and how likely each is. The
baseline is the class as published: without the attack each record of it is as likely to have a value as any other.
"""

import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import pandas as pd

from cra_engine.attacks.refinement.attack import Attack
from cra_engine.attacks.refinement.class_attack import ClassAttack
from cra_engine.attacks.refinement.class_counts import CHECK_STUDY
from cra_engine.attacks.refinement.models import ShownModels
from cra_engine.attacks.tight.system import TightSystem
from cra_engine.attacks.tight.values import ShownValues, shown_values
from cra_engine.errors import CRAError, TooLargeError
from cra_engine.expected import expect, expect_seconds
from cra_engine.patience import Stopped, stoppable
from cra_engine.release import Release
from cra_engine.results import Json, Result, plain
from cra_engine.study.grid import Cell
from cra_engine.study.tree import ROOT_LABEL
from cra_engine.words import how_many, listed, percent

SETTLED = "all classes together exclude a value there that the class by itself does not"


@dataclass(frozen=True)
class CellValues:
    """The risk that the sensitive values of one cell's people become known.

    Attributes:
        cell: leaf indices.
        parts: the classes that may fill it; None for the suppressed records.
        alone: True where it holds exactly one person for certain.
        possible: the values that somebody in it can have, proven: nobody there has another.
        shares: per value of its class or classes the share of their records: what the class tells as published.
        beliefs: per value how likely somebody in the cell has it, as far as that is known: 0 and 1 where it is proven,
            else after the attack on the class by itself, all tables that are left counting alike.
        alone_with: per value the probability that the cell holds exactly one person, who has it, as far as it is known.
        why_unknown: why the likelihood of some value is not known, as a clause; empty where all are.
    """

    cell: Cell
    parts: tuple[int | None, ...]
    alone: bool
    possible: tuple[str, ...]
    shares: dict[str, Fraction]
    beliefs: dict[str, Fraction]
    alone_with: dict[str, Fraction]
    why_unknown: str

    @property
    def certain(self) -> str | None:
        """The value of the one person in the cell, where both are certain."""
        return self.possible[0] if self.alone and len(self.possible) == 1 else None

    @property
    def excluded(self) -> tuple[str, ...]:
        """The values that the class shows and nobody in the cell has."""
        return tuple(value for value in self.shares if value not in self.possible)

    @property
    def gain(self) -> Fraction | None:
        """The most that the attack adds to the likelihood of a value, beyond its share in the class.

        With ``why_unknown`` a lower bound: what the excluded values had goes to those that are possible, by whatever
        tables one thinks likely. None where nothing is excluded either.
        """
        if not self.why_unknown:
            return max(belief - self.shares[value] for value, belief in self.beliefs.items())
        taken = sum((self.shares[value] for value in self.excluded), Fraction(0))
        return taken / len(self.possible) if taken else None

    @property
    def likeliest(self) -> str | None:
        """The value that gains most; None where none does, or not all likelihoods are known."""
        if self.why_unknown or not self.gain:
            return None
        return max(self.beliefs, key=lambda value: self.beliefs[value] - self.shares[value])


@dataclass(frozen=True, eq=False, repr=False)
class WhoHasWhat(Result):
    """The risk that sensitive values become known: who has what, from a release alone.

    Attributes:
        attack: the attack on each class that it rests on.
        columns: the sensitive columns.
        cells: the cells that may hold somebody and are no class of their own, those first of which most is known.
        together: True where all classes together were looked at for what is certain; False where each by itself was.
        finished: False where the time did not suffice to settle all that is certain.
        complete: False where more people may be alone, and more values certain, than are found here.
    """

    attack: Attack
    columns: tuple[str, ...]
    cells: tuple[CellValues, ...]
    together: bool
    finished: bool
    complete: bool

    @property
    def certain(self) -> tuple[CellValues, ...]:
        """The cells of which both are certain: that one person is there, and what that person has."""
        return tuple(found for found in self.cells if found.certain is not None)

    @property
    def settled(self) -> tuple[CellValues, ...]:
        """The cells of which one value alone is left, though their class shows others or one person is there."""
        return tuple(found for found in self.cells if len(found.possible) == 1 and (found.alone or found.excluded))

    @property
    def narrowed(self) -> tuple[CellValues, ...]:
        """The cells in which nobody has some value that their class shows."""
        return tuple(found for found in self.cells if found.excluded and found.possible)

    @property
    def at_least(self) -> str:
        """What stands before a number of people of whom something is certain, where there may be more."""
        return "" if self.complete else "at least "

    @property
    def mean_gain(self) -> float | None:
        """The mean of the cells' gains, over those of which it, or a lower bound, is known; None without any."""
        known = [float(found.gain) for found in self.cells if found.gain is not None]
        return sum(known) / len(known) if known else None

    def summary(self) -> dict[str, object]:
        """How many people's values are certain, and of how many cells values are excluded."""
        told: dict[str, object] = {"certain": len(self.certain), "narrowed": len(self.narrowed)}
        return told if self.finished else told | {"finished": False}

    @property
    def warnings(self) -> tuple[str, ...]:
        """What is not settled, as sentences."""
        sentences = list(self.attack.warnings)
        if not self.finished:
            sentences.append("The time did not suffice to settle every value: more may be certain.")
        for why, number in Counter(found.why_unknown for found in self.cells if found.why_unknown).items():
            sentences.append(
                f"Of {number:,} of {len(self.cells):,} cells the likelihood of some values is not known: {why}."
            )
        return tuple(sentences)

    def in_numbers(self) -> str:
        """How many cells settle a value, how many people are alone, and how many of them there, where more is excluded.

        A clause without a full stop. Whether anybody is there does not matter to a reader who knows somebody to be.
        """
        settled, certain, alone = len(self.settled), len(self.certain), sum(found.alone for found in self.cells)
        cells = how_many(settled, "cell settles", "cells settle") if settled else "no cell settles"
        told = f"{cells} the value of whoever is there"
        if alone:
            people = f"{self.at_least}{how_many(alone, 'person stands', 'people stand')} alone for certain"
            where = "there" if certain == alone else f"{certain:,} of them there" if certain else "elsewhere"
            told += f"; {people}, {where if settled else 'with several values left'}"
        elif settled:
            told += ", and nobody is certain to stand there alone"
        more = sum(len(found.possible) > 1 for found in self.narrowed)
        if not more and not settled:
            return f"{told}, and none excludes a value that its class shows"
        if more:
            cells = how_many(more, *(("more cell", "more cells") if settled else ("cell", "cells")))
            told += f"; in {cells} nobody has some value that the class shows"
        return told

    def sentence(self, found: CellValues) -> str:
        """What is known of a cell, in one sentence."""
        box = self.attack.release.grid.describe(found.cell)
        if found.certain is not None:
            return f"Exactly one person has {box}, and that person has {found.certain}."
        if found.alone:
            return f"Exactly one person has {box}, and that person has {listed(list(found.possible), 'or')}."
        if found.excluded:
            also = listed(list(found.excluded))
            return f"Whoever has {box} has {listed(list(found.possible), 'or')}; the class also shows {also}."
        if found.why_unknown:
            return f"How likely the values are of whoever has {box} is not known: {found.why_unknown}."
        best = found.likeliest
        if best is None:
            return f"Of whoever has {box} the class itself tells as much."
        before, after = percent(float(found.shares[best])), percent(float(found.beliefs[best]))
        return f"Whoever has {box} has {best} with {after}, where the class shows {before}."

    def to_frame(self) -> pd.DataFrame:
        """A row per cell and value that its class shows: share, likelihood, whether it is possible, who is alone."""
        grid = self.attack.release.grid
        rows = [
            (
                grid.describe(found.cell),
                value,
                found.alone,
                value in found.possible,
                float(share),
                _number(found.beliefs.get(value)),
                _number(found.alone_with.get(value)),
            )
            for found in self.cells
            for value, share in found.shares.items()
        ]
        names = ["predicate", "value", "alone", "possible", "share", "likelihood", "alone_with"]
        return pd.DataFrame(rows, columns=names)

    def to_dict(self) -> Json:
        """As plain data, as ``single-out --values --json`` prints it."""
        grid = self.attack.release.grid
        return plain(
            {
                "columns": self.columns,
                "cells": [
                    {
                        "box": grid.box(grid.cell_segment(found.cell)),
                        "classes": found.parts,
                        "alone": found.alone,
                        "possible": found.possible,
                        "excluded": found.excluded,
                        "shares": {value: float(share) for value, share in found.shares.items()},
                        "likelihoods": {value: _number(found.beliefs.get(value)) for value in found.shares},
                        "alone_with": {value: _number(found.alone_with.get(value)) for value in found.shares},
                        "why_unknown": found.why_unknown or None,
                        "likelihood_gain": _number(found.gain),
                    }
                    for found in self.cells
                ],
                "certain": len(self.certain),
                "narrowed": len(self.narrowed),
                "mean_gain": self.mean_gain,
                "prior": self.attack.prior.name,
                "together": self.together,
                "finished": self.finished,
                "complete": self.complete,
                "warnings": self.warnings,
            }
        )


def who_has_what(attack: Attack, columns: Sequence[str] = (), *, time_limit: float = 60.0) -> WhoHasWhat:
    """Return which sensitive values the people of each cell can have, and how likely, from the release alone.

    What is certain is so by all classes together, as far as the time goes, and so are likelihoods of 0 and 1 that
    follow from it. Other likelihoods are those of each class by itself (docs/method.md, section 18), given that one
    person is in the cell where that is certain; they are not known where all classes together exclude a value that the
    class by itself does not. Under k alone each record of a class is as likely to have a value as any other, so that
    nothing is gained but who is alone.

    Args:
        attack: the attack on the release.
        columns: the sensitive columns; those of the study's privacy models, or that it names as sensitive, if left out.
        time_limit: seconds for what all classes together settle.

    Raises:
        CRAError: the release shows no sensitive column, no data give it, or the time limit is below 0.

    >>> import pandas as pd
    >>> from cra_engine import Attribute, LDiversity, Release, Study, attack
    >>> study = Study([Attribute("age", 0, 40, layers=2)], k=2, privacy=[LDiversity("illness", 2)])
    >>> table = pd.DataFrame({"age": ["[0, 40["] * 3, "illness": ["flu", "flu", "cold"]})
    >>> found = who_has_what(attack(Release(study, table)))
    >>> found
    WhoHasWhat(certain=0, narrowed=0)
    """
    expect(attack, Attack, "who_has_what(attack)")
    expect_seconds(time_limit)
    release, end = attack.release, time.monotonic() + time_limit
    models = _models(attack, columns)
    known = _together(attack, models, lambda: end - time.monotonic())
    parts: dict[Cell, list[ClassAttack]] = {}
    for part in attack.parts:
        for cell in () if part.basic and part.index is not None else part.free_cells:
            parts.setdefault(cell, []).append(part)
    cells = [_cell(cell, own, models, known) for cell, own in sorted(parts.items()) if not release.raw_cells[cell]]
    # Cells that a class on them alone fills are no riddle, and those that nobody can be in none, nor hidden values.
    cells = [found for found in cells if {*found.possible} - {", ".join([ROOT_LABEL] * len(models.columns))}]
    cells.sort(key=_known_most)
    finished, complete = known is not None and known.finished, known is not None and known.complete
    return WhoHasWhat(attack, models.columns, tuple(cells), known is not None, finished, complete)


def _models(attack: Attack, columns: Sequence[str]) -> ShownModels:
    release = attack.release
    read = attack.models
    if read is not None and read.columns and set(columns) <= set(read.columns):
        found: ShownModels | None = read
    else:
        found = ShownModels.of(release, columns or release.study.roles.sensitive)
    if found is None or not found.columns:
        raise CRAError(
            "The release shows no sensitive column; name one, as a privacy model of the study or under its roles."
        )
    missing = [name for name in columns if name not in found.columns]
    if missing:
        raise CRAError(f"The release has no column {missing[0]!r}; name a sensitive column that it shows.")
    return found


def _together(attack: Attack, models: ShownModels, left: Callable[[], float]) -> ShownValues | None:
    """What all classes together settle; None where they are too many to look at together."""
    release: Release = attack.release
    if release.study.safe or release.raw_records:
        return None
    try:
        with stoppable(lambda: left() <= 0):
            found = shown_values(TightSystem(release, attack.prior), models, left)
    except (TooLargeError, Stopped):
        return None
    if found.contradiction:
        raise CRAError(f"No data give this release; {CHECK_STUDY}")
    return found


def _cell(cell: Cell, parts: Sequence[ClassAttack], models: ShownModels, known: ShownValues | None) -> CellValues:
    held: Counter[int] = Counter()
    for part in parts:
        row = models.held[-1 if part.index is None else part.index].tolist()
        held.update({kind: count for kind, count in enumerate(row) if count})
    total = sum(held.values())
    names = {kind: _named(models, kind) for kind in held}
    shares = {names[kind]: Fraction(count, total) for kind, count in held.most_common()}
    possible = set(held) if known is None else set(known.possible.get(cell, ()))
    if any(ROOT_LABEL in models.kinds[kind] for kind in possible):
        possible = set(held)  # what is hidden may be any value
    alone = known is not None and cell in known.alone
    beliefs, ones, why = _by_class(cell, parts, models)
    excluded = set(held) - possible
    if alone and any(ones.get(kind) for kind in possible):
        # One person is there, with one of these values: of the tables of the class those count in which that is so.
        together = sum(chance for kind, chance in ones.items() if kind in possible)
        beliefs = {kind: chance / together for kind, chance in ones.items() if kind in possible}
    elif any(beliefs.get(kind) for kind in excluded):
        beliefs, ones, why = {}, {}, SETTLED
    beliefs |= dict.fromkeys(excluded, Fraction(0)) | (
        dict.fromkeys(possible, Fraction(1)) if len(possible) == 1 else {}
    )
    ones = beliefs if alone else ones | dict.fromkeys(excluded, Fraction(0))
    order = [names[kind] for kind, _ in held.most_common() if kind in possible]
    return CellValues(
        cell,
        tuple(part.index for part in parts),
        alone,
        tuple(order),
        shares,
        {names[kind]: belief for kind, belief in beliefs.items()},
        {names[kind]: chance for kind, chance in ones.items()},
        "" if len(beliefs) == len(held) else why,
    )


def _by_class(
    cell: Cell, parts: Sequence[ClassAttack], models: ShownModels
) -> tuple[dict[int, Fraction], dict[int, Fraction], str]:
    """Per value how likely somebody in a cell has it by its class alone, and somebody alone there; or why not."""
    if len(parts) > 1:
        return {}, {}, "several classes may fill them"
    (part,) = parts
    if part.models is None or not part.models.columns:
        row = models.held[-1 if part.index is None else part.index].tolist()
        return {kind: Fraction(count, part.size) for kind, count in enumerate(row) if count}, {}, ""
    if part.models is not models:
        return {}, {}, "privacy models ask for other columns than these"
    chances = part.value_chances(cell)
    if chances is None:
        return (
            {},
            {},
            "the tables of their class are too many to count by value, or too little is known of how it formed",
        )
    beliefs = {kind: belief for kind, (belief, _) in chances.items()}
    if not any(beliefs.values()):
        return {}, {}, "nobody can be in them if all records differ"
    return beliefs, {kind: chance for kind, (_, chance) in chances.items()}, ""


def _number(value: Fraction | None) -> float | None:
    return None if value is None else float(value)


def _known_most(found: CellValues) -> tuple[object, ...]:
    """Brings those first of whom most is known."""
    return not found.alone, len(found.possible), -len(found.excluded), -(found.gain or 0), found.cell


def _named(models: ShownModels, kind: int) -> str:
    return ", ".join(str(value) for value in models.kinds[kind])
