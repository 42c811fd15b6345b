"""What each way to publish makes of a table."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from functools import partial

import numpy as np
import pandas as pd

from cra_engine.choices import ClusterMethod
from cra_engine.defences.repair import RepairTargets, repair
from cra_engine.errors import CRAError
from cra_engine.files.row_order import shuffled
from cra_engine.options.option import Heights, Option
from cra_engine.publish.full_domain.least_loss import LeastLossSearch
from cra_engine.publish.heterogeneous.scheme import heterogeneous
from cra_engine.publish.local.recoding import recode
from cra_engine.publish.local.safe import publish_locally
from cra_engine.publish.microaggregation.microaggregate import microaggregate
from cra_engine.publish.published_rows import published_rows
from cra_engine.published import Published
from cra_engine.raw.columns import read_numbers
from cra_engine.raw.placement import locate
from cra_engine.release import FullDomainRelease, Release
from cra_engine.study.study import Study
from cra_engine.utility.loss import MeanLoss

MODELS_HIDE = (
    "With privacy models beside k a suppressed record may come from a group of any size; what suppressed records may "
    "be is not counted."
)
SEED = 0  # of what is drawn to be compared: it comes out alike twice, and is not handed out


@dataclass(frozen=True, eq=False)
class Made:
    """A table as one option publishes it, not measured yet.

    Attributes:
        study: what the option comes to.
        table: the published table.
        loss: mean loss of a record by the hierarchies; None where values are no nodes of them.
        release: what a reader gets; None where no attack of the program reads it.
        hides: the number of people that nobody is told from, where rows are no classes; else None.
        repaired: True where classes were merged or suppressed afterwards.
        state: of global recoding, the layers that all records show; else None.
        notes: sentences on what to know.
    """

    study: Study
    table: Published
    loss: MeanLoss | None = None
    release: Release | FullDomainRelease | None = None
    hides: int | None = None
    repaired: bool = False
    state: tuple[int, ...] | None = None
    notes: tuple[str, ...] = ()

    @property
    def by_hierarchies(self) -> bool:
        """True where rows show nodes of the hierarchies."""
        return self.loss is not None

    @property
    def fingerprint(self) -> str:
        """A text that is equal where hierarchies and all published rows are."""
        rows = pd.util.hash_pandas_object(self.table.frame[list(self.study.names)].astype(str), index=False)
        layers = [attribute.layers for attribute in self.study.attributes]
        return f"{layers} {hashlib.blake2b(rows.to_numpy().tobytes(), digest_size=16).hexdigest()}"


class Publisher:
    """Publishes one table by one option after the other.

    Args:
        data: one row per person.
        base: the study that options start from.
        sensitive: the column that is heterogeneously published; None where there is none.
        seed: of all that is drawn: the order of the rows, and the coins.

    Raises:
        DataError: the table does not fit the study.
    """

    def __init__(self, data: pd.DataFrame, base: Study, sensitive: str | None = None, seed: int = SEED) -> None:
        located = locate(data, base)  # says in a sentence what does not fit
        self.warnings = located.warnings
        columns = zip(base.attributes, located.columns, strict=True)
        read = {a.name: column.raw_values for a, column in columns if a.plain or not a.numeric}
        # Options are judged as they are handed out: their rows stand in an order that tells nothing.
        self.data = shuffled(located.data.assign(**read), seed)
        self.sensitive, self.seed = sensitive, seed
        self.heights = Heights(base)
        self._search: tuple[object, LeastLossSearch] | None = None

    def publish(self, option: Option) -> Made:
        """Returns the table as an option publishes it.

        Raises:
            CRAError: it cannot be published so.
            Stopped: somebody lost patience; see :mod:`cra_engine.patience`.
        """
        study, way = self.heights.study(option), option.way
        make: Callable[[Study], Made]
        match way.name:
            case "local" | "safe":
                make = self._local
            case "repaired":
                make = partial(self._repaired, targets=RepairTargets(likeliest=float(way.setting)))
            case "global":
                make = partial(self._global, option=option)
            case "microaggregated":
                make = partial(self._microaggregated, method="mdav" if way.setting == "mdav" else "mondrian")
            case _:
                make = self._heterogeneous
        return make(study)

    def _local(self, study: Study) -> Made:
        made = publish_locally(self.data, study, self.seed)
        note = "Drawn with a fixed seed to be compared; draw anew, once, for what is handed out."
        notes = (note,) if study.safe else ()
        return Made(study, published_rows(made.frame, study), made.mean_loss, made.release, notes=notes)

    def _repaired(self, study: Study, targets: RepairTargets) -> Made:
        mended = repair(recode(self.data, study).release, targets)
        notes = (mended.limits, *([mended.why_not] if mended.why_not else []))
        boxes = [(released.segment, released.size) for released in mended.release.classes]
        loss = MeanLoss.of(study.attributes, boxes, mended.release.suppressed)
        return Made(study, published_rows(mended.frame, study), loss, mended.release, repaired=True, notes=notes)

    def _global(self, study: Study, option: Option) -> Made:
        key = (option.layers, option.way.models)
        if self._search is None or self._search[0] != key:
            self._search = key, LeastLossSearch(self.data, study, option.way.models)
        made = self._search[1].recode(study.k, Decimal(option.way.setting))
        leaves = locate(self.data, study).leaves
        columns = list(zip(study.attributes, made.state, leaves.T, strict=True))
        ranks = np.stack([a.ranks[layer - 1][places] for a, layer, places in columns], axis=1)
        kept = {segment.ranks for segment, _ in made.classes}
        shown = np.array([tuple(row) in kept for row in ranks.tolist()], dtype=bool)
        frame = study.roles.published(self.data).copy()
        for rank, (attribute, layer, _) in zip(ranks.T, columns, strict=True):
            labels = np.array([node.label for node in attribute.layer_nodes[layer - 1]], dtype=object)
            frame[attribute.name] = np.where(shown, labels[rank], attribute.layer_nodes[-1][0].label)
        hidden = bool(option.way.models and made.suppressed)
        release = None if hidden else made.release
        notes = (MODELS_HIDE,) if hidden else ()
        return Made(study, published_rows(frame, study), made.loss, release, state=made.state, notes=notes)

    def _microaggregated(self, study: Study, method: ClusterMethod) -> Made:
        texts = [a.name for a in study.attributes if not a.numeric]
        if texts:
            raise CRAError(f"Microaggregation takes numbers only; {texts[0]!r} holds categories.")
        made = microaggregate(self._numbers(study), study.k, method=method, columns=study.names)
        note = "Rows show means, not intervals: what a reader concludes from them is not counted here."
        return Made(study, made.published, notes=(note,))

    def _heterogeneous(self, study: Study) -> Made:
        if self.sensitive is None:
            raise CRAError("Heterogeneous generalization protects a sensitive column, and the table has none besides.")
        numbers = self._numbers(study)
        codes = [a.name for a in study.attributes if not a.numeric]  # digits, such as of postal codes, are no numbers
        problem: CRAError | None = None
        for diversity in range(study.k, 1, -1):
            try:
                made = heterogeneous(
                    numbers, study.names, self.sensitive, l=diversity, categorical=codes, seed=self.seed
                )
            except CRAError as error:
                problem = problem or error
                continue
            notes = (f"Published with l = {made.l}; rows stand for nobody in particular.", *made.notes)
            return Made(study, made.published, hides=made.buckets, notes=notes)
        raise problem or CRAError("Nothing can be published so.")

    def _numbers(self, study: Study) -> pd.DataFrame:
        """The table with its quasi-identifiers as plain numbers or texts, for a way without hierarchies."""
        for attribute in study.attributes:
            if attribute.dates:
                raise CRAError(f"{attribute.name!r} holds dates, which only recoding by hierarchies publishes.")
            if attribute.numeric and not np.isfinite(read_numbers(self.data[attribute.name], attribute)[0]).all():
                raise CRAError(
                    f"{attribute.name!r} holds missing or coded values, which only recoding by hierarchies publishes."
                )
        return study.roles.published(self.data)
