"""Releases that all who judge must judge alike, and how each of them is asked."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pandas as pd

from cra_engine import (
    Option,
    OptionGrid,
    Release,
    Study,
    Way,
    audit,
    check,
    compare,
    global_recode,
    read_table,
    recode,
    safe_recode,
    synthesize,
)
from cra_engine.assess.assessment import Assessment
from cra_engine.assess.attacked import assess
from cra_engine.assess.figure import Figure
from cra_engine.options import Publisher
from cra_engine.patience import Deadline

ROOT = Path(__file__).parents[2]
ARX = ROOT / "tests" / "data" / "arx"


@dataclass(frozen=True, eq=False)
class Judged:
    """A raw table, its study, and the release that was made of it."""

    data: pd.DataFrame
    study: Study
    frame: pd.DataFrame
    local: bool = True


def _synthetic(kind: str, k: int, records: int | None = None, profile: str = "paper", seed: int = 0) -> Judged:
    made = synthesize(kind, records, seed)
    study = Study(made.study.attributes, k, profile)
    return Judged(made.data, study, recode(made.data, study).frame)


def _sample(name: str, k: int, records: int) -> Judged:
    data = read_table(ROOT / "sample_data" / f"{name}.csv").iloc[:records].reset_index(drop=True)
    study = Study.from_toml(ROOT / "sample_data" / f"{name}.toml").with_k(k)
    return Judged(data, study, recode(data, study).frame)


def _safe(kind: str, epsilon: str) -> Judged:
    made = synthesize(kind)
    study = made.study.with_epsilon(epsilon)
    return Judged(made.data, study, safe_recode(made.data, study, epsilon, seed=0).frame)


def _global(kind: str, records: int | None = None) -> Judged:
    made = synthesize(kind, records)
    frame = global_recode(made.data, made.study, suppression_limit=0.2).frame
    return Judged(made.data, made.study, frame, local=False)


def _arx(data: str, settings: str, k: int) -> Judged:
    profile = "arx-gui" if settings == "gui" else "paper"
    study = Study.from_toml(ARX / "studies" / f"{data}.{profile}.toml").with_k(k)
    return Judged(
        read_table(ARX / "raw" / f"{data}.csv"), study, read_table(ARX / "outputs" / f"{data}.{settings}.k{k}.csv")
    )


QUICK = {
    "toy, k = 3": lambda: _synthetic("toy", 3),
    "toy, k = 4": lambda: _synthetic("toy", 4),
    "toy, k = 7": lambda: _synthetic("toy", 7),
    "toy, k = 3, other seed": lambda: _synthetic("toy", 3, seed=5),
    "toy, k = 3, desktop profile": lambda: _synthetic("toy", 3, profile="arx-gui"),
    "toy of 150 people, who repeat": lambda: _synthetic("toy", 4, 150),
    "toy, published by safe recoding": lambda: _safe("toy", "1"),
    "toy, published by global recoding": lambda: _global("toy"),
    "ARX's own toy, k = 3": lambda: _arx("toy40b", "ex38", 3),
    "ARX's own toy, made with another g/s factor": lambda: _arx("toy40b", "gs05", 3),
    "diabetes, 40 people": lambda: _sample("diabetes", 3, 40),
}
LONG = {
    "clinic, k = 5": lambda: _synthetic("clinic", 5),
    "clinic, k = 10": lambda: _synthetic("clinic", 10),
    "clinic, 150 visits, desktop profile": lambda: _synthetic("clinic", 4, 150, "arx-gui"),
    "hospitals, 40 of them": lambda: _synthetic("hospitals", 3, 40),
    "hospitals, 200 of them": lambda: _synthetic("hospitals", 5, 200),
    "hospitals, k = 10": lambda: _synthetic("hospitals", 10, 300),
    "diabetes, k = 5": lambda: _sample("diabetes", 5, 442),
    "ARX's own toy, k = 5": lambda: _arx("toy40b", "ex38", 5),
    "ARX's own toy, desktop profile": lambda: _arx("toy40b", "gui", 3),
    "ARX's own clinic": lambda: _arx("clinic500_2", "ex38", 5),
    "ARX's own clinic, desktop profile": lambda: _arx("clinic500_2", "gui", 5),
    "clinic, published by global recoding": lambda: _global("clinic"),
}


@cache
def judged(name: str) -> Judged:
    return (QUICK | LONG)[name]()


def figures(assessment: Assessment) -> tuple[Figure, Figure]:
    return assessment.certain, assessment.expected


def by_check(case: Judged) -> tuple[Figure, Figure]:
    return figures(check(case.data, case.study, case.frame, time_limit=600).assessment)


def by_check_of_the_release_alone(case: Judged) -> tuple[Figure, Figure]:
    return figures(check(None, case.study, case.frame, time_limit=600).assessment)


def by_audit(case: Judged) -> tuple[Figure, Figure]:
    audited = audit(case.frame.astype(str), case.study, gs_factor=0 if not case.study.safe else None, time_limit=600)
    return figures(audited.assessment)


def by_compare(case: Judged) -> tuple[Figure, Figure]:
    """What a comparison says of the study's own option; the check where the release was made in another way."""
    own = OptionGrid.of(case.study, [Way.of(case.study)])
    made = Publisher(case.data, case.study).publish(Option.of(case.study)).table.frame
    if not (made.astype(str).to_numpy() == case.frame.astype(str).to_numpy()).all():
        return by_check(case)
    point = compare(case.data, case.study, own, time_limit=600).present
    assert point is not None
    return point.figures["certain"], point.figures["expected"]


# Who judges with the raw table, or knowing how the release was made; and who has the release alone.
WITH_DATA = {"check": by_check, "compare": by_compare}
RELEASE_ALONE = {"check": by_check_of_the_release_alone, "audit": by_audit}


@cache
def reference(name: str, *, local: bool) -> tuple[Figure, Figure]:
    case = judged(name)
    release = Release(case.study, case.frame.astype(str))
    return figures(assess(release, local=local, deadline=Deadline(600)))
