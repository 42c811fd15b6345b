"""The plan of an experiment: which tables are published and attacked, how often, and with which settings (TOML)."""

import hashlib
import json
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import pandas as pd
from propcache.api import cached_property
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from cra_engine.choices import Kind, RecodeTies
from cra_engine.errors import CRAError, DataError, StudyError
from cra_engine.files.checked import Number, explain
from cra_engine.files.content import setting_text
from cra_engine.files.tables import column_of, read_table
from cra_engine.files.toml_text import parse_toml
from cra_engine.raw.numbers import numbers
from cra_engine.raw.placement import locate
from cra_engine.raw.synthesis import synthesize, synthetic_study
from cra_engine.study.attribute import Attribute
from cra_engine.study.grid import Grid
from cra_engine.study.hierarchy import Hierarchy
from cra_engine.study.hierarchy_files import files_of
from cra_engine.study.lattice import Lattice
from cra_engine.study.settings import MAX_ATTRIBUTES
from cra_engine.study.study import Study

Count = Annotated[int, Field(strict=True, ge=1)]
# Random numbers are keyed by what they are for and by indices, never by the order in which workers ask for them.
POOL, SAMPLE = 0, 1
MOST = 200  # data sets, sets of a data set, and values of k
MOST_DRAWN = 1_000_000  # records of all pools together
# Where the files that a plan names are: at a path, as their bytes, or as a table that was read already.
Found = Path | bytes | pd.DataFrame


class _SetFile(BaseModel):
    """One set of quasi-identifiers, with its numbers of layers where they differ from the study's."""

    model_config = ConfigDict(extra="forbid")

    attributes: Annotated[list[str], Field(min_length=1, max_length=MAX_ATTRIBUTES)]
    layers: Annotated[list[Count], Field(max_length=MAX_ATTRIBUTES)] | None = None


class _DatasetFile(BaseModel):
    """Where records come from: a synthetic kind, or a file with its study."""

    model_config = ConfigDict(extra="forbid")

    name: str
    synthetic: Kind | None = None
    pool: Count | None = None
    data: str | None = None
    study: str | None = None
    records: Count | None = None
    sets: Annotated[list[_SetFile], Field(min_length=1, max_length=MOST)]


class _PlanFile(BaseModel):
    """The shape of a plan file."""

    model_config = ConfigDict(extra="forbid")

    seed: Annotated[int, Field(strict=True, ge=0)] = 0
    samples: Count = 1
    k: Annotated[list[Annotated[int, Field(strict=True, ge=2)]], Field(min_length=1, max_length=MOST)]
    profile: str | Number | None = None
    ties: RecodeTies = "paper"
    singling_out: Annotated[bool, Field(strict=True)] = True
    tight_time_limit: Annotated[float, Field(ge=0, allow_inf_nan=False)] | None = None
    dataset: Annotated[list[_DatasetFile], Field(min_length=1, max_length=MOST)]


@dataclass(frozen=True, eq=False)
class Source:
    """The table or the generator that an experiment's samples are drawn from.

    Attributes:
        kind: the synthetic kind, None for a file.
        table: the records to draw from without replacement; None where every sample is a synthetic table of its own.
        records: records per sample.
    """

    kind: str | None
    table: pd.DataFrame | None
    records: int

    def sample(self, seed: np.random.SeedSequence) -> pd.DataFrame:
        """One sample; the same seed, the same sample. All of a table is taken in the table's own order."""
        if self.table is None:
            return synthesize(str(self.kind), self.records, _whole(seed)).data
        if self.records == len(self.table):
            return self.table
        rows = np.random.Generator(np.random.PCG64(seed)).choice(len(self.table), self.records, replace=False)
        return self.table.iloc[rows].reset_index(drop=True)


@dataclass(frozen=True, eq=False)
class Configuration:
    """An experiment's data set with one set of quasi-identifiers (a line of the paper's Table 1).

    Attributes:
        dataset: the data set's name.
        source: what samples are drawn from.
        study: the quasi-identifiers; its k is replaced run by run.
        warnings: findings in a file's table that stop nothing, as sentences.
    """

    dataset: str
    source: Source
    study: Study
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True)
class PlannedRun:
    """One row of an experiment's results: a configuration (by its index), a sample (from 0) and k."""

    configuration: int
    sample: int
    k: int


@dataclass(frozen=True, eq=False)
class Plan:
    """The plan of an experiment: every configuration, sample by sample, with every k.

    Attributes:
        seed: what all random numbers are keyed by, together with the indices of configuration and sample.
        samples: samples per configuration.
        ks: the values of k; every sample is published with each of them.
        configurations: data sets with their sets of quasi-identifiers.
        ties: how the publisher breaks exact ties, ``"paper"`` or ``"arx"``; see :func:`cra_engine.recode`.
        singling_out: True when singling out is checked against the raw data too.
        tight_time_limit: time limit of the attack on all classes together, None to leave it out.
    """

    seed: int
    samples: int
    ks: tuple[int, ...]
    configurations: tuple[Configuration, ...]
    ties: RecodeTies
    singling_out: bool
    tight_time_limit: float | None

    @property
    def warnings(self) -> tuple[str, ...]:
        """Findings in the data that stop nothing, as sentences, each once."""
        return tuple(dict.fromkeys(warning for chosen in self.configurations for warning in chosen.warnings))

    @property
    def runs(self) -> Iterator[PlannedRun]:
        """All runs in the order of the results."""
        for configuration in range(len(self.configurations)):
            for sample in range(self.samples):
                for k in self.ks:
                    yield PlannedRun(configuration, sample, k)

    @property
    def size(self) -> int:
        """Number of runs."""
        return len(self.configurations) * self.samples * len(self.ks)

    def table(self, configuration: int, sample: int) -> pd.DataFrame:
        """A sample's quasi-identifiers, one row per record."""
        chosen = self.configurations[configuration]
        data = chosen.source.sample(np.random.SeedSequence(self.seed, spawn_key=(SAMPLE, configuration, sample)))
        return data[list(chosen.study.names)]

    @cached_property
    def fingerprint(self) -> str:
        """Twelve characters that differ when anything differs that a row of the results depends on."""
        parts: list[Any] = [self.seed, self.samples, self.ks, self.ties, self.singling_out, self.tight_time_limit]
        for chosen in self.configurations:
            hierarchies = list(files_of(chosen.study.attributes).values())
            table = chosen.source.table
            records = "" if table is None else table[list(chosen.study.names)].to_csv(index=False, lineterminator="\n")
            drawn = hashlib.sha256(records.encode()).hexdigest()
            study = chosen.study.to_toml_text()
            parts.append([chosen.dataset, study, hierarchies, chosen.source.kind, chosen.source.records, drawn])
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:12]

    @classmethod
    def from_toml(cls, source: str | os.PathLike[str]) -> "Plan":
        """Read a plan file, and the data and studies that it names, relative to it.

        Raises:
            CRAError: the plan cannot be read, holds an unusable setting, or does not fit its data; the sentence says
                where.
        """
        path = Path(source)
        text = setting_text(path, f"The plan {path.name}")
        return cls.from_toml_text(text, path.name, lambda file: path.parent / file)

    @classmethod
    def from_toml_text(cls, text: str, name: str = "plan", find: Callable[[str], Found] | None = None) -> "Plan":
        """A plan from the text of a plan file.

        Args:
            text: the file's text.
            name: the file's name for messages.
            find: gives what a file holds that the plan names; None where the plan must name none. Nothing else is read.

        Raises:
            CRAError: as :meth:`from_toml`.
        """
        raw = parse_toml(text, name)
        try:
            checked = _PlanFile.model_validate(raw)
        except ValidationError as error:
            raise StudyError(f"{name}: {explain(error)}") from None
        drawn = sum(dataset.pool or dataset.records or 0 for dataset in checked.dataset if dataset.synthetic)
        if drawn > MOST_DRAWN:
            raise StudyError(f"{name}: its pools hold {drawn:,} records, more than {MOST_DRAWN:,}; take fewer.")

        def found(file: str) -> Found:
            if find is None:
                raise StudyError(f"It names the file {file!r}, and files cannot be read here; take a synthetic table.")
            return find(file)

        configurations = []
        for position, dataset in enumerate(checked.dataset):
            try:
                configurations += list(_configurations(checked, dataset, position, found))
            except CRAError as error:
                raise type(error)(f"{name}, data set {dataset.name!r}: {error}") from None
        _once([str(k) for k in checked.k], f"{name}: k =")
        _once([_known_as(configuration) for configuration in configurations], f"{name}: data set")
        return cls(
            checked.seed,
            checked.samples,
            tuple(checked.k),
            tuple(configurations),
            checked.ties,
            checked.singling_out,
            checked.tight_time_limit,
        )


def _known_as(configuration: Configuration) -> str:
    sets = (f"{attribute.name} ({attribute.layers} layers)" for attribute in configuration.study.attributes)
    return f"{configuration.dataset!r} with {', '.join(sets)}"


def _once(values: list[str], where: str) -> None:
    for position, value in enumerate(values):
        if value in values[:position]:
            raise StudyError(f"{where} {value} is planned twice; remove one.")


def _whole(seed: np.random.SeedSequence) -> int:
    return int(seed.generate_state(1, np.uint64)[0])


def _configurations(
    plan: _PlanFile, dataset: _DatasetFile, position: int, find: Callable[[str], Found]
) -> Iterator[Configuration]:
    for name in [dataset.name, *(name for chosen in dataset.sets for name in chosen.attributes)]:
        if any(ord(character) < 32 for character in name):
            raise StudyError(f"The name {name!r} holds a line break or another control character; take it out.")
    source, study = _source(plan, dataset, position, find)
    for k in plan.k:
        if k > source.records:
            raise StudyError(f"k = {k} is more than the {source.records} records of a sample; take a smaller k.")
    given = source.table if source.kind is None else None
    studies = []
    for chosen in dataset.sets:
        profile = study.profile if plan.profile is None else plan.profile
        narrowed = Study(_attributes(chosen, study), plan.k[0], profile)
        # What no sample could be recoded with is said before the first one is.
        Grid(narrowed.attributes)
        Lattice(narrowed.attributes)
        studies.append((narrowed, () if given is None else locate(given, narrowed).warnings))
    if given is not None:
        source = replace(source, table=_decided(given, [narrowed for narrowed, _ in studies]))
    for narrowed, warnings in studies:
        yield Configuration(dataset.name, source, narrowed, warnings)


def _decided(table: pd.DataFrame, studies: Sequence[Study]) -> pd.DataFrame:
    """The table with its numbers read: what tells the notation of a column may not be in every sample of it."""
    numeric = {attribute.name for study in studies for attribute in study.attributes if attribute.numeric}
    return table.assign(**{name: numbers(column_of(table, name))[0] for name in sorted(numeric)})


def _source(
    plan: _PlanFile, dataset: _DatasetFile, position: int, find: Callable[[str], Found]
) -> tuple[Source, Study]:
    if (dataset.synthetic is None) == (dataset.data is None):
        raise StudyError("Give either 'synthetic' or 'data' with its 'study'.")
    if dataset.synthetic is not None:
        if dataset.study is not None:
            raise StudyError("'study' goes with 'data'; a synthetic table has its own, remove it.")
        study = synthetic_study(dataset.synthetic, records=dataset.pool or dataset.records)
        if dataset.pool is None:
            records = dataset.records or len(synthesize(dataset.synthetic).data)
            return Source(dataset.synthetic, None, records), study
        seed = np.random.SeedSequence(plan.seed, spawn_key=(POOL, position))
        table = synthesize(dataset.synthetic, dataset.pool, _whole(seed)).data
    else:
        if dataset.data is None or dataset.study is None:
            raise StudyError("'study' is missing; name the study file that goes with the data.")
        if dataset.pool is not None:
            raise StudyError("'pool' goes with 'synthetic'; a file is its own pool, remove it.")
        study = _study(dataset.study, find)
        there = find(dataset.data)
        table = there if isinstance(there, pd.DataFrame) else read_table(there, dataset.data)
    records = len(table) if dataset.records is None else dataset.records
    if records > len(table):
        raise DataError(f"A sample of {records} records is more than the {len(table)} there are; take fewer.")
    if records == len(table) and plan.samples > 1:
        raise DataError(
            f"All {plan.samples} samples would hold the same {records} records; set 'records' lower or 'samples' to 1."
        )
    return Source(dataset.synthetic, table, records), study


def _study(name: str, find: Callable[[str], Found]) -> Study:
    there = find(name)
    if isinstance(there, Path):
        return Study.from_toml(there)
    if isinstance(there, pd.DataFrame):
        raise StudyError(f"{name} is a table; name the study file (TOML) that goes with the data.")
    try:
        text = there.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise StudyError(f"The study file {name} is not UTF-8 text; save it as a TOML file in UTF-8.") from None

    def hierarchy(file: str) -> Path | bytes:
        held = find(file)
        if isinstance(held, pd.DataFrame):
            raise StudyError(f"{file} is a table; {name} needs an ARX hierarchy file of that name.")
        return held

    return Study.from_toml_text(text, name, hierarchy)


def _attributes(chosen: _SetFile, study: Study) -> list[Hierarchy]:
    layers = chosen.layers or [0] * len(chosen.attributes)
    if len(layers) != len(chosen.attributes):
        raise StudyError(
            f"{len(chosen.attributes)} attributes and {len(layers)} numbers of layers; give one number for each."
        )
    return [_attribute(name, count, study) for name, count in zip(chosen.attributes, layers, strict=True)]


def _attribute(name: str, layers: int, study: Study) -> Hierarchy:
    if name not in study.names:
        raise StudyError(f"The study has no attribute {name!r}; it has: {', '.join(map(repr, study.names))}.")
    attribute = study.attributes[study.names.index(name)]
    if layers in (0, attribute.layers):
        return attribute
    if not isinstance(attribute, Attribute):
        raise StudyError(
            f"Attribute {name!r} has a hierarchy file with {attribute.layers} layers, not {layers}; leave its layers "
            "as they are."
        )
    return attribute.changed(layers=layers - 1 + attribute.finest)
