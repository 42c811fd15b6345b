"""Every way to publish that the program has, as one list: what it is called, and what it makes of a table."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import partial
from typing import Literal, get_args

import numpy as np
import pandas as pd

from cra_engine.choices import ClusterMethod
from cra_engine.criteria.models import PrivacyModel
from cra_engine.defences.repair import RepairTargets, repair
from cra_engine.errors import CRAError, StudyError
from cra_engine.publish.full_domain.least_loss import LeastLossSearch
from cra_engine.publish.heterogeneous.scheme import heterogeneous
from cra_engine.publish.local.recoding import recode
from cra_engine.publish.local.safe import safe_recode
from cra_engine.publish.microaggregation.microaggregate import microaggregate
from cra_engine.publish.published_rows import published_rows
from cra_engine.published import Published
from cra_engine.raw.placement import locate
from cra_engine.release import FullDomainRelease, Release
from cra_engine.study.ladder import Epsilon, epsilon_of
from cra_engine.study.study import Study
from cra_engine.words import number_text, percent

WayName = Literal["local", "safe", "repaired", "global", "microaggregated", "heterogeneous"]
WAYS: tuple[WayName, ...] = get_args(WayName)
EPSILONS = (Decimal("0.5"), Decimal(1), Decimal(2))
LIMITS = (Decimal(0), Decimal("0.05"), Decimal("0.2"))
SEED = 0


@dataclass(frozen=True, eq=False)
class Made:
    """A table as one way publishes it.

    Attributes:
        table: the published table.
        loss: mean loss of a record by the hierarchies; None where values are no nodes of them.
        release: what a reader gets of a local recoding; None elsewhere.
        global_release: the same of a global recoding.
        hides: the number of people that nobody is told from, where rows are no classes; else None.
        repaired: True where classes were merged or suppressed afterwards.
        notes: sentences on what to know.
    """

    table: Published
    loss: float | None = None
    release: Release | None = None
    global_release: FullDomainRelease | None = None
    hides: int | None = None
    repaired: bool = False
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Way:
    """One way to publish.

    Attributes:
        name: which of the program's.
        label: with its settings, for people.
        make: what it makes of a table; raises :class:`CRAError` where it cannot.
    """

    name: WayName
    label: str
    make: Callable[[pd.DataFrame], Made] = field(repr=False)


@dataclass(frozen=True)
class WaySettings:
    """What ways are tried.

    Attributes:
        methods: which ways; all where nothing is said.
        epsilons: for safe recoding.
        limits: shares of records that global recoding may suppress.
        likeliest: the largest chance of exactly one that a repair allows.
        sensitive: the column that is heterogeneously published and looked at for l and t; None to choose one.
    """

    methods: tuple[str, ...] = WAYS
    epsilons: tuple[Epsilon, ...] = EPSILONS
    limits: tuple[Decimal, ...] = LIMITS
    likeliest: float = 0.4
    sensitive: str | None = None

    def __post_init__(self) -> None:
        """Check the parameters.

        Raises:
            StudyError: a way is unknown, or an epsilon is none.
        """
        unknown = next((name for name in self.methods if name not in WAYS), None)
        if unknown is not None:
            raise StudyError(f"The way to publish {unknown[:60]!r} is unknown; take {', '.join(WAYS)}.")
        for epsilon in self.epsilons:
            epsilon_of(epsilon)


def sensitive_column(data: pd.DataFrame, study: Study, asked: str | None) -> str | None:
    """The column to protect: what was asked for, a sensitive one by its role, that of a privacy model, else the last.

    Raises:
        StudyError: the column is not there, or is a quasi-identifier.
    """
    if asked is not None:
        if asked not in data.columns or asked in study.names:
            raise StudyError(f"The sensitive column {asked[:60]!r} must be a column besides the quasi-identifiers.")
        return asked
    named = [name for name in study.roles.sensitive if name in data.columns]
    named += [model.attribute for model in study.privacy if model.attribute in data.columns]
    others = [str(name) for name in data.columns if str(name) not in (*study.names, *study.roles.remove)]
    return next(iter((*named, *others[-1:])), None)


def ways_of(study: Study, settings: WaySettings, sensitive: str | None) -> list[Way]:
    """The ways to try, in the order of a report.

    Args:
        study: hierarchies and k; the profile says how ARX is run, and its privacy models are those of global recoding.
        settings: which ways, and their settings.
        sensitive: the column to protect; None where there is none.
    """
    plain = Study(study.attributes, study.k, "paper" if study.safe else study.profile)
    found: list[Way] = []
    if "local" in settings.methods:
        found.append(Way("local", "Local recoding, ARX-LR", lambda data: _local(data, plain)))
    if "safe" in settings.methods:
        for epsilon in settings.epsilons:
            text = number_text(epsilon_of(epsilon))
            found.append(Way("safe", f"Safe recoding, epsilon {text}", partial(_safe, study=plain, epsilon=epsilon)))
    if "repaired" in settings.methods:
        targets = RepairTargets(likeliest=settings.likeliest)
        label = f"ARX-LR repaired, at most {percent(settings.likeliest)} likely alone"
        found.append(Way("repaired", label, lambda data: _repaired(data, plain, targets)))
    if "global" in settings.methods:
        for asked in ((), *((model,) for model in study.privacy)):
            found += [_global_way(plain, asked, limit) for limit in settings.limits]
    if "microaggregated" in settings.methods:
        methods: tuple[tuple[ClusterMethod, str], ...] = (("mdav", "MDAV"), ("mondrian", "Mondrian"))
        for method, named in methods:
            make = partial(_microaggregated, study=plain, method=method)
            found.append(Way("microaggregated", f"Microaggregation, {named}", make))
    if "heterogeneous" in settings.methods:
        found.append(Way("heterogeneous", "Heterogeneous", lambda data: _heterogeneous(data, plain, sensitive)))
    return found


def _global_way(study: Study, asked: Sequence[PrivacyModel], limit: Decimal) -> Way:
    limited = f"at most {number_text(100 * limit)} % suppressed" if limit else "none suppressed"
    besides = "".join(f", {criterion}" for criterion in asked)
    return Way("global", f"Global recoding{besides}, {limited}", lambda data: _global(data, study, asked, limit))


def _local(data: pd.DataFrame, study: Study) -> Made:
    made = recode(data, study)
    return Made(published_rows(made.frame, study), made.mean_loss.value, made.release)


def _safe(data: pd.DataFrame, study: Study, epsilon: Epsilon) -> Made:
    made = safe_recode(data, study, epsilon, seed=SEED)
    note = "Drawn with a fixed seed to be compared; draw anew, once, for what is handed out."
    return Made(published_rows(made.frame, study), made.loss, made.release, notes=(note,))


def _repaired(data: pd.DataFrame, study: Study, targets: RepairTargets) -> Made:
    mended = repair(recode(data, study).release, targets)
    notes = (mended.limits, *([mended.why_not] if mended.why_not else []))
    rows = published_rows(mended.frame, study)
    return Made(rows, mended.loss, mended.release, repaired=True, notes=notes)


def _global(data: pd.DataFrame, study: Study, asked: Sequence[PrivacyModel], limit: Decimal) -> Made:
    found = LeastLossSearch(data, study, asked).recode(study.k, limit)
    leaves = locate(data, study).leaves
    kept = {segment.ranks for segment, _ in found.classes}
    ranks = np.stack(
        [
            a.ranks[layer - 1][leaves[:, i]]
            for i, (a, layer) in enumerate(zip(study.attributes, found.state, strict=True))
        ],
        axis=1,
    )
    shown = np.array([tuple(row) in kept for row in ranks.tolist()], dtype=bool)
    frame = data.copy()
    for i, (attribute, layer) in enumerate(zip(study.attributes, found.state, strict=True)):
        labels = np.array([node.label for node in attribute.layer_nodes[layer - 1]], dtype=object)
        frame[attribute.name] = np.where(shown, labels[ranks[:, i]], attribute.layer_nodes[-1][0].label)
    release = None if asked and found.suppressed else found.release
    return Made(published_rows(frame, study), found.loss.value, global_release=release)


def _microaggregated(data: pd.DataFrame, study: Study, method: ClusterMethod) -> Made:
    texts = [a.name for a in study.attributes if not a.numeric]
    if texts:
        raise CRAError(f"Microaggregation takes numbers only; {texts[0]!r} holds categories.")
    made = microaggregate(data, study.k, method=method, columns=study.names)
    note = "Rows show means, not intervals: what a reader concludes from them is not counted here."
    return Made(made.published, notes=(note,))


def _heterogeneous(data: pd.DataFrame, study: Study, sensitive: str | None) -> Made:
    if sensitive is None:
        raise CRAError("Heterogeneous generalization protects a sensitive column, and the table has none besides.")
    problem: CRAError | None = None
    for diversity in range(study.k, 1, -1):
        try:
            made = heterogeneous(data, study.names, sensitive, l=diversity, seed=SEED)
        except CRAError as error:
            problem = problem or error
            continue
        notes = (f"Published with l = {made.l}; rows stand for nobody in particular.", *made.notes)
        return Made(made.published, hides=made.buckets, notes=notes)
    raise problem or CRAError("Nothing can be published so.")
