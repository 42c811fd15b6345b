"""Synthetic tables with their studies: a toy to learn with, and stand-ins for the paper's data (section 5, Table 1).

The paper's two tables are not public. These have their shape and nobody's values: no row is a real person or hospital.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from cra_engine.errors import DataError, StudyError
from cra_engine.expected import expect, whole_number
from cra_engine.study.attribute import Attribute
from cra_engine.study.hierarchy import Hierarchy
from cra_engine.study.study import Study
from cra_engine.words import how_many

MAX_RECORDS = 10_000_000

# Records per cell of the toy: a line per quarter of age, a column per quarter of weight. With k = 3 the recoding takes
#   the four cells of 5 and 6,
#   column 0 of the lines 0 and 1 (tied with line 0, columns 0 and 1, which wants the same corner),
#   line 0, columns 2 and 3,
#   column 1 (tied with line 3, which wants the same corner; it steals nothing from the full cell it covers),
#   line 3, from which column 1 has stolen one,
# and leaves one record over. c3 decides both ties, and against the order in which the states are written, so that an
# attacker who sorts tied states by their layers excludes the truth.
_TOY_CELLS = np.array([[2, 2, 2, 1], [2, 5, 6, 1], [5, 0, 6, 0], [1, 1, 1, 1]])

DEFAULT_RECORDS = {"toy": int(_TOY_CELLS.sum()), "clinic": 500, "hospitals": 1013}
KINDS = tuple(DEFAULT_RECORDS)
_DEFAULT_K = {"toy": 3, "clinic": 5, "hospitals": 5}
# The numbers of quasi-identifiers in the paper's Table 1.
_SETUPS = {"toy": (2,), "clinic": (2, 3), "hospitals": (2, 3, 4)}


@dataclass(frozen=True, eq=False)
class Synthetic:
    """A synthetic raw table with its study; ``data, study = synthesize(...)`` unpacks it.

    Attributes:
        kind: ``"toy"``, ``"clinic"`` or ``"hospitals"``.
        data: one row per record, columns of numbers.
        study: quasi-identifiers with their hierarchies, and k.
        seed: what the table was drawn with.
    """

    kind: str
    data: pd.DataFrame
    study: Study
    seed: int

    def __iter__(self) -> Iterator[Any]:
        """Yield the data, then the study."""
        return iter((self.data, self.study))

    @property
    def label(self) -> str:
        """The sentence to show wherever the data show."""
        one = "hospital" if self.kind == "hospitals" else "person"
        records = how_many(len(self.data), "record")
        return f"Synthetic data ({self.kind}, {records}, seed {self.seed}): no row is a real {one}."

    def to_csv_text(self) -> str:
        """The table as CSV: commas, no index, lines that end in a line feed on every system."""
        return self.data.to_csv(index=False, lineterminator="\n")


def synthesize(kind: str, records: int | None = None, seed: int = 0, *, correlation: float = 1.0) -> Synthetic:
    """Draw a synthetic raw table; the same arguments give the same table.

    - ``toy``: age and weight, hierarchies of equal structure, k = 3. At its 36 records every seed gives a table whose
      recoding meets exact ties that only c3 decides, a class that steals from another, classes that isolate people, and
      an outlier: the seed mirrors the hierarchies and moves people inside their cells, which changes none of this.
      Any other number of records is spread over the cells at random in the same proportions and promises nothing.
    - ``clinic``: visits to a free clinic, in the shape of the paper's MAP-clinics table.
    - ``hospitals``: identifiers, cost-to-charge ratios and wage index, in the shape of the paper's HCUP table. Group
      averages and wage indices differ from hospital to hospital; real ones repeat within a group or an area.

    The method takes the values of a quasi-identifier as distinct. Here they are while the records number at most a
    third of the values of its domain, as the default numbers do; beyond that, a value repeats at most as often as this
    makes necessary. Identifiers are always distinct.

    Args:
        kind: ``"toy"``, ``"clinic"`` or ``"hospitals"``.
        records: number of rows; by default 36, 500 or 1,013.
        seed: a whole number from 0 on.
        correlation: scales the dependence between columns, from 0 (none, but that a diastolic pressure stays below its
            systolic one) to 1 (as plausible). The toy is laid out, not drawn, and has none to scale.

    Raises:
        StudyError: an unknown kind.
        DataError: no record or more than 10,000,000, a negative seed, a correlation outside [0, 1].

    >>> toy = synthesize("toy")
    >>> toy.data.shape, toy.study.names, toy.study.k
    ((36, 2), ('age', 'weight'), 3)
    """
    expect(kind, str, "synthesize(kind)")
    study = synthetic_study(kind, records=records)
    count = DEFAULT_RECORDS[kind] if records is None else int(records)
    whole = whole_number(seed)
    if whole is None or whole < 0:
        raise DataError(f"The seed is {seed!r}; give a whole number from 0 on.")
    if not 0 <= correlation <= 1:
        raise DataError(f"The correlation is {correlation}; give a number from 0 (independent) to 1 (as plausible).")
    rng = np.random.Generator(np.random.PCG64(whole))
    if kind == "toy":
        data = _toy(rng, count, study)
    elif kind == "clinic":
        data = _clinic(rng, count, study, correlation)
    else:
        data = _hospitals(rng, count, study, correlation)
    return Synthetic(kind, data, study, whole)


def synthetic_study(
    kind: str, attributes: int | None = None, k: int | None = None, *, records: int | None = None
) -> Study:
    """Return the study that goes with a synthetic raw table: a set-up of the paper's Table 1, or the toy's.

    Args:
        kind: ``"toy"``, ``"clinic"`` or ``"hospitals"``.
        attributes: number of quasi-identifiers: 2 for the toy, 2 or 3 for the clinic, 2 to 4 for hospitals; by default
            as many as there are.
        k: by default 3 for the toy, else 5.
        records: number of rows that the identifiers' domain must have room for; by default as in :func:`synthesize`.

    Raises:
        StudyError: an unknown kind, a number of attributes that Table 1 does not have, k below 2.
        DataError: no record or more than 10,000,000.
    """
    if kind not in KINDS:
        raise StudyError(f"There is no synthetic table {kind!r}; take one of {', '.join(KINDS)}.")
    count = DEFAULT_RECORDS[kind] if records is None else whole_number(records)
    if count is None or not 1 <= count <= MAX_RECORDS:
        raise DataError(f"The number of records is {records!r}; give a whole number from 1 to {MAX_RECORDS:,}.")
    if attributes is not None and attributes not in _SETUPS[kind]:
        choice = " or ".join(str(setup) for setup in _SETUPS[kind])
        raise StudyError(f"The {kind} study has {choice} quasi-identifiers, not {attributes!r}; take {choice}.")
    return Study(_attributes(kind, count)[:attributes], _DEFAULT_K[kind] if k is None else k)


def _attributes(kind: str, records: int) -> list[Attribute]:
    if kind == "toy":
        # As many values and layers each, so that mirrored states tie exactly.
        return [Attribute("age", 20, 100, 3, unit="years"), Attribute("weight", 40, 120, 3, unit="kg")]
    # From here on domains differ in size: no two states tie, so the attacker's order is the publisher's.
    room = _identifiers(records)
    if kind == "clinic":
        return [
            Attribute("weight", 0, 400, 4, resolution=0.1, unit="lb"),
            Attribute("bp_systolic", 60, 220, 3, resolution=0.1, unit="mmHg"),
            Attribute("patient_id", room, 2 * room, 3),
        ]
    return [
        Attribute("hosp_id", room, 2 * room, 3),
        Attribute("APICC", 0, 1.2, 3, resolution=0.0001),
        Attribute("GAPICC", 0, 0.8, 3, resolution=0.0001),
        Attribute("WI_X", 0.4, 1.8, 3, resolution=0.0001),
    ]


def _identifiers(records: int) -> int:
    """Returns the number of identifiers: the power of ten, 1,000 or more, that gives each record two to choose from.

    Their domain starts at the same number, so that all are written with as many digits.
    """
    room = 1000
    while room < 2 * records:
        room *= 10
    return room


def _toy(rng: np.random.Generator, records: int, study: Study) -> pd.DataFrame:
    cells = _TOY_CELLS
    if records != DEFAULT_RECORDS["toy"]:
        cells = rng.multinomial(records, cells.ravel() / cells.sum()).reshape(cells.shape)
    cells = cells[np.ix_(_mirrored(rng), _mirrored(rng))]
    leaves = np.repeat(np.argwhere(cells >= 0), cells.ravel(), axis=0)
    rng.shuffle(leaves)
    columns = {}
    for position, attribute in enumerate(study.attributes):
        drawn = np.empty(records, dtype=np.int64)
        for leaf in attribute.layer_nodes[0]:
            rows = np.flatnonzero(leaves[:, position] == leaf.rank)
            inside = np.arange(int(leaf.lower), int(leaf.upper))
            # Distinct while there are enough values: with repeats c3 would no longer be the same for every seed.
            drawn[rows] = rng.choice(inside, len(rows), replace=len(rows) > len(inside))
        columns[attribute.name] = drawn
    return pd.DataFrame(columns)


def _mirrored(rng: np.random.Generator) -> list[int]:
    """The four leaves of a binary hierarchy with the children of any node swapped: no box changes its company."""
    return [int(2 * half + quarter) for half in rng.permutation(2) for quarter in rng.permutation(2)]


def _clinic(rng: np.random.Generator, records: int, study: Study, correlation: float) -> pd.DataFrame:
    def pressures(scores: NDArray[np.float64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        systolic = np.floor(1250 * np.exp(0.16 * scores[:, 1]))  # in 0.1 mmHg, the mean of a visit's readings
        return systolic.astype(np.int64), np.rint(75 + 8 * scores[:, 2]).astype(np.int64)

    def beats(scores: NDArray[np.float64]) -> NDArray[np.bool_]:
        systolic, diastolic = pressures(scores)
        return np.asarray(systolic >= 10 * (diastolic + 10))

    # Weight, systolic pressure, diastolic pressure, missing oxygen, temperature; patients are numbered as they come.
    relations = [
        [1.00, 0.35, 0.35, 0.25, 0.00],
        [0.35, 1.00, 0.65, 0.10, 0.05],
        [0.35, 0.65, 1.00, 0.10, 0.05],
        [0.25, 0.10, 0.10, 1.00, 0.20],
        [0.00, 0.05, 0.05, 0.20, 1.00],
    ]
    scores = _scores(rng, records, relations, correlation, beats)
    systolic, diastolic = pressures(scores)
    tenths = np.floor(1550 * np.exp(0.30 * scores[:, 0])).astype(np.int64)
    weight, pressure, patient = study.attributes
    return pd.DataFrame(
        {
            patient.name: _distinct_identifiers(rng, rng.standard_normal(records), patient),
            weight.name: _distinct(tenths, weight.values) / 10,
            pressure.name: _distinct(systolic, pressure.values) / 10,
            "bp_diastolic": diastolic,
            "o2_sat": 100 - np.floor(np.exp(0.55 + 0.55 * scores[:, 3])).astype(np.int64),
            "temperature": np.rint(981 + 5 * scores[:, 4]) / 10,
        }
    )


def _hospitals(rng: np.random.Generator, records: int, study: Study, correlation: float) -> pd.DataFrame:
    # Identifiers are given out state by state, so they go with regional costs and wages.
    relations = [
        [1.00, 0.20, 0.30, -0.30],
        [0.20, 1.00, 0.75, -0.25],
        [0.30, 0.75, 1.00, -0.30],
        [-0.30, -0.25, -0.30, 1.00],
    ]
    middles, spreads = (0.40, 0.40, 0.97), (0.36, 0.22, 0.17)
    scores = _scores(rng, records, relations, correlation)
    hospital, *ratios = study.attributes
    columns: dict[str, NDArray[Any]] = {hospital.name: _distinct_identifiers(rng, scores[:, 0], hospital)}
    for ratio, middle, spread, score in zip(ratios, middles, spreads, scores.T[1:], strict=True):
        steps = np.floor(10_000 * middle * np.exp(spread * score)).astype(np.int64)
        columns[ratio.name] = _distinct(steps, ratio.values) / 10_000
    return pd.DataFrame(columns)


def _anything(scores: NDArray[np.float64]) -> NDArray[np.bool_]:
    return np.ones(len(scores), dtype=np.bool_)


def _scores(
    rng: np.random.Generator,
    records: int,
    relations: Sequence[Sequence[float]],
    correlation: float,
    plausible: Callable[[NDArray[np.float64]], NDArray[np.bool_]] = _anything,
) -> NDArray[np.float64]:
    """Correlated normal scores (records x columns), all within 3 standard deviations and plausible.

    Other rows are drawn again, so that nothing piles up at the edges of a domain.
    """
    full = np.array(relations)
    factor = np.linalg.cholesky(correlation * full + (1 - correlation) * np.eye(len(full)))
    scores = np.empty((records, len(full)))
    missing = np.arange(records)
    while len(missing):
        drawn = rng.standard_normal((len(missing), len(full))) @ factor.T
        scores[missing] = drawn
        missing = missing[(np.abs(drawn) > 3).any(axis=1) | ~plausible(drawn)]
    return scores


def _distinct(steps: NDArray[np.int64], values: int) -> NDArray[np.int64]:
    """Move equal values apart, upwards and as little as possible.

    Each may stay once per third of the domain's ``values`` that the records would fill.
    """
    repeats = math.ceil(3 * len(steps) / values)
    order = np.argsort(steps, kind="stable")
    offset = np.arange(len(steps)) // repeats
    apart = np.empty_like(steps)
    apart[order] = np.maximum.accumulate(steps[order] - offset) + offset
    return apart


def _distinct_identifiers(
    rng: np.random.Generator, scores: NDArray[np.float64], attribute: Hierarchy
) -> NDArray[np.int64]:
    """Distinct whole numbers spread evenly over a domain, in the order of the scores."""
    drawn = np.sort(rng.choice(attribute.values, len(scores), replace=False)) + int(attribute.lower)
    identifiers = np.empty(len(scores), dtype=np.int64)
    identifiers[np.argsort(scores, kind="stable")] = drawn
    return identifiers
