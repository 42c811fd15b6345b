"""What commands read and write: studies, releases, JSON on stdout, and files that are written whole or not at all."""

import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from cra_engine.choices import DecimalSign, Prior
from cra_engine.errors import DataError, StudyError
from cra_engine.files.whole import write_whole
from cra_engine.words import how_many

if TYPE_CHECKING:
    import pandas as pd

    from cra_engine import Population, Release, Study


def study_of(path: Path, k: int | None, *, models: bool = False) -> "Study":
    """The study of a file, with another k where one is given.

    Args:
        path: of the study file.
        k: instead of the study's.
        models: whether the command heeds the study's privacy models; of others it is said that they do not.
    """
    from cra_engine import Study

    study = Study.from_toml(path)
    study = study if k is None else study.with_k(k)
    if study.privacy and not models:
        named = ", ".join(dict.fromkeys(model.model for model in study.privacy))
        asked = how_many(len(study.privacy), "privacy model")
        typer.echo(f"Note: {path} asks for {asked} ({named}); this command looks at k alone.", err=True)
        study.refuse_small_k()
    return study


def decided(table: "pd.DataFrame", study: "Study", decimal: DecimalSign | None) -> "pd.DataFrame":
    """The table with the quasi-identifiers' numbers in plain notation, where somebody said how they are written."""
    from cra_engine.files.notation import with_decimal

    return table if decimal is None else with_decimal(table, study.names, decimal)


def release_of(path: Path, study: Path, k: int | None) -> "Release":
    """The release of a file, read by the study of another."""
    from cra_engine import read_release

    return read_release(path, study_of(study, k))


def prior_of(prior: Prior | None, population: Path | None, study: "Study") -> "tuple[Prior, Population | None]":
    """How tables are to weigh: the paper's way where nobody says, a population's where one is given."""
    from cra_engine import read_population

    if prior is not None and population is not None:
        raise StudyError("Give a prior or a population, not both: a population is a prior of its own.")
    return prior or "distinct", None if population is None else read_population(population, study)


def print_json(result: dict[str, Any]) -> None:
    """One JSON object on stdout."""
    typer.echo(json.dumps(result, ensure_ascii=False, allow_nan=False))


def read_with(study: Path | None) -> list[Path]:
    """A study file and the hierarchy files that it names; what is wrong with it is said when it is read."""
    from cra_engine.errors import CRAError
    from cra_engine.study.study import files_named

    if study is None:
        return []
    try:
        return [study, *files_named(study)]
    except CRAError:
        return [study]


def apart(*outputs: Path | None, inputs: Iterable[Path]) -> None:
    """Refuse outputs that would overwrite each other or a file that the command reads, whatever name leads to it."""
    seen = {_identity(path) for path in inputs}
    for path in outputs:
        if path is not None:
            identity = _identity(path)
            if identity in seen:
                raise DataError(f"{path} is named twice; give the output a file of its own.")
            seen.add(identity)


def _identity(path: Path) -> tuple[int, int, str]:
    """What tells a file from every other one: a link to it is the same, whether it points there or shares its place."""
    try:
        found = path.stat()
    except (OSError, ValueError):
        # Not there yet: then the folder that it goes to, and its name.
        try:
            folder = path.parent.stat()
        except (OSError, ValueError):
            return (0, 0, os.path.abspath(path))  # noqa: PTH100 - resolve() follows links, which may go in a ring
        return (folder.st_dev, folder.st_ino, path.name)
    return (found.st_dev, found.st_ino, "")


def write(*outputs: tuple[Path, str]) -> None:
    """Write all texts to their files, each whole, or none of them; see :func:`apart`."""
    apart(*(path for path, _ in outputs), inputs=())
    write_whole(*outputs)
