"""ARX's own tables: raw, as published, their studies and hierarchy files."""

from pathlib import Path

from cra_engine import (
    Study,
    read_table,
)
from cra_engine.study.file_hierarchy import read_hierarchy

ARX = Path(__file__).parents[1] / "data" / "arx"


SAMPLES = sorted(path.stem for path in (ARX / "outputs").glob("*.csv"))


# Made by the algorithm that the attack supposes, raw values and another loss apart.
FAITHFUL = [name for name in SAMPLES if not any(part in name for part in ("gs05", "lvl0", "csvdata"))]


def parts_of(sample):
    data, settings, k = sample.split(".")
    return data, settings, int(k[1:])


def published(sample):
    return read_table(ARX / "outputs" / f"{sample}.csv")


def raw(sample):
    return read_table(ARX / "raw" / f"{parts_of(sample)[0]}.csv")


def study_of(sample, profile="arx-gui"):
    data, _, k = parts_of(sample)
    return Study.from_toml(ARX / "studies" / f"{data}.{profile}.toml").with_k(k)


def files_of(sample):
    data = parts_of(sample)[0]
    names = study_of(sample).names
    return {name: read_hierarchy(ARX / "hierarchies" / f"{data}_{name}.csv", name) for name in names}
