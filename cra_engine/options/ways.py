"""What each way to publish makes of a table."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import partial
from random import Random

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from cra_engine.assess.assessment import Assessment
from cra_engine.choices import ClusterMethod
from cra_engine.defences.repair import RepairTargets, repair
from cra_engine.errors import CRAError, TooLargeError
from cra_engine.files.different_rows import CountedRows, Table, rows_of
from cra_engine.files.row_order import random_order
from cra_engine.options.option import Heights, Option
from cra_engine.publish.full_domain.least_loss import LeastLossSearch
from cra_engine.publish.heterogeneous.scheme import MOST_PLACES, heterogeneous
from cra_engine.publish.local.recoding import Recoding
from cra_engine.publish.local.safe import SafeRecoding, publish_locally
from cra_engine.publish.microaggregation.microaggregate import microaggregate
from cra_engine.publish.published_rows import published_rows
from cra_engine.published import Published
from cra_engine.raw.alike_rows import AlikeRows
from cra_engine.raw.columns import read_numbers
from cra_engine.raw.placement import complete, locate, place
from cra_engine.release import FullDomainRelease, Release
from cra_engine.study.settings import Recoded
from cra_engine.study.study import Study
from cra_engine.utility.loss import MeanLoss

MODELS_HIDE = (
    "With privacy models beside k a suppressed record may come from a group of any size; what suppressed records may "
    "be is not counted."
)
MOST_BY_MDAV = 100_000  # records: some ten seconds
SEED = 5  # of what is drawn to be compared, and of an example: it comes out alike, and is not handed out


@dataclass(frozen=True, eq=False)
class Made:
    """A table as one option publishes it, not measured yet.

    Attributes:
        study: what the option comes to.
        table: the published table.
        loss: mean loss of a record by the hierarchies; None where values are no nodes of them.
        release: what a reader gets; None where no attack of the program reads it.
        formed: the local recoding that it is, or was repaired from; None for other ways.
        hides: the number of people that nobody is told from, where rows are no classes; else None.
        repaired: True where classes were merged or suppressed afterwards, if any had to be.
        state: of global recoding, the layers that all records show; else None.
        notes: sentences on what to know.
    """

    study: Study
    table: Published
    loss: MeanLoss | None = None
    release: Release | FullDomainRelease | None = None
    formed: Recoding | SafeRecoding | None = None
    hides: int | None = None
    repaired: bool = False
    state: tuple[int, ...] | None = None
    notes: tuple[str, ...] = ()

    @property
    def recoding(self) -> Recoded:
        """How the table was made, as its study tells readers."""
        if self.study.safe or not self.by_hierarchies:
            return ""
        return "global" if self.state is not None else "repaired" if self.repaired else "local"

    @property
    def study_told(self) -> Study:
        """The study as it goes out with the table."""
        return self.study.changed(recoding=self.recoding)

    @property
    def study_read(self) -> Study:
        """The study by which the table is judged: that of a repaired one says so, as its readers are told.

        Who takes it for ARX-LR's own may exclude what is true.
        """
        return self.study_told if self.repaired else self.study

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


def too_many(option: Option, records: int) -> str:
    """Say why an option is left out for so many records, as its time grows faster than they do; empty where it is not.

    >>> from cra_engine.options.option import Way
    >>> mdav = Option(5, (), Way("microaggregated", "mdav"))
    >>> too_many(mdav, 100_000), too_many(mdav, 1_000_000)[:39]
    ('', 'MDAV looks at all 1,000,000 records aga')
    """
    match option.way.name, option.way.setting:
        case "microaggregated", "mdav" if records > MOST_BY_MDAV:
            return (
                f"MDAV looks at all {records:,} records again for each cluster, so that ten times as many take a "
                f"hundred times as long; above {MOST_BY_MDAV:,} it is left out here. Mondrian takes seconds."
            )
        case "heterogeneous", _ if records > MOST_PLACES * option.k:
            return (
                f"Heterogeneous generalization matches {MOST_PLACES:,} records of each of k buckets at once, so that "
                f"with k = {option.k} it is left out here above {MOST_PLACES * option.k:,} records; cra-engine "
                "heterogeneous --partition publishes larger tables in parts."
            )
    return ""


def _without(alike: AlikeRows, rows: NDArray[np.int64]) -> AlikeRows:
    """Some of the rows that stand for others, and those alone."""
    place = np.full(len(alike.records) + 1, -1, dtype=np.int64)  # the last is that of records without a row
    place[rows] = np.arange(len(rows))
    return replace(alike, records=alike.records[rows], first=alike.first[rows], row_of=place[alike.row_of])


class Publisher:
    """Publishes one table by one option after the other.

    Args:
        data: one row per person, or different rows, counted, of which tables by hierarchies are published alone.
        base: the study that options start from.
        sensitive: the column that is heterogeneously published; None where there is none.
        seed: of all that is drawn: the order of the rows, and the coins.

    Attributes:
        data: the table without the rows that the study leaves out, in an order that was drawn; counted rows in theirs.
        rows: per row of ``data`` its row in the table that was given, from 0.
        times: how many records each of its rows stands for; None where each is one.
        assessed: what a table by local recoding gives away by itself, left here by whoever assessed one: a repair of
            the same table need not attack it again.

    Raises:
        DataError: the table does not fit the study.
    """

    def __init__(self, data: Table, base: Study, sensitive: str | None = None, seed: int = SEED) -> None:
        rows, times = rows_of(data, "Publisher(data)")
        base = base.planned  # what it says of how a release was made is of another one
        located = place(complete(rows, base, times), base)  # says in a sentence what does not fit
        self.warnings = located.warnings
        columns = zip(base.attributes, located.columns, strict=True)
        read = {a.name: column.raw_values for a, column in columns if a.plain or not a.numeric}
        # Options are judged as they are handed out: their rows stand in an order that tells nothing.
        shown = located.data.assign(**read)
        self.times = located.complete.times
        order = np.arange(len(shown)) if self.times is not None else random_order(len(shown), Random(seed))
        self.data, self.rows = shown.take(order).reset_index(drop=True), located.complete.rows[order]
        self._alike = _without(data, located.complete.rows) if isinstance(data, AlikeRows) else None
        self.sensitive, self.seed = sensitive, seed
        self.heights = Heights(base)
        self.assessed: Assessment | None = None
        self._search: tuple[object, LeastLossSearch] | None = None

    def publish(self, option: Option) -> Made:
        """Returns the table as an option publishes it.

        Raises:
            CRAError: it cannot be published so.
            TooLargeError: it would take too long; see :func:`too_many`.
            Stopped: somebody lost patience; see :mod:`cra_engine.patience`.
        """
        if why_not := too_many(option, len(self.data)):
            raise TooLargeError(why_not)
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

    def counted(self, frame: pd.DataFrame) -> Table:
        """Returns a table of the publisher's rows, each with the records that it stands for."""
        if self._alike is not None:
            return self._alike.shown(frame)
        return frame if self.times is None else CountedRows(frame, self.times, np.arange(len(frame)), ())

    def _local(self, study: Study) -> Made:
        made = publish_locally(self.counted(self.data), study, self.seed)
        note = f"Drawn with seed {self.seed} to be compared; draw anew, once, for what is handed out."
        notes = (note,) if study.safe else ()
        return Made(study, published_rows(made.frame, study), made.mean_loss, made.release, made, notes=notes)

    def _repaired(self, study: Study, targets: RepairTargets) -> Made:
        made = publish_locally(self.counted(self.data), study)
        own = self.counted(made.frame)
        release = Release(study, made.frame, counted=own) if isinstance(own, CountedRows) else made.release
        mended = repair(release, targets, assessed=self._known(release))
        notes = (mended.limits, *([mended.why_not] if mended.why_not else []))
        boxes = [(released.segment, released.size) for released in mended.release.classes]
        loss = MeanLoss.of(study.attributes, boxes, mended.release.suppressed)
        rows, read = published_rows(mended.frame, study), mended.release
        table = Made(study, rows, loss, read, made, repaired=bool(mended.steps), notes=notes)
        told = Release(table.study_read, read.table, counted=read.counted, gs_factor=read.gs_factor)
        return replace(table, release=told)

    def _known(self, release: Release) -> Assessment | None:
        """What a release gives away, where that was worked out to the end of the same rows by the same settings."""
        known = self.assessed
        if known is None or known.missing or not isinstance(known.release, Release):
            return None
        said = known.release.study.recoding  # of a table as it goes out; this one is on its way
        study = release.study.changed(recoding=said)
        settings = [(known.release.study, known.release.gs_factor), (study, release.gs_factor)]
        rows = [one.table.astype(str) for one in (known.release, release)]
        return known if settings[0] == settings[1] and rows[0].equals(rows[1]) else None

    def _global(self, study: Study, option: Option) -> Made:
        key = (option.layers, option.way.models)
        if self._search is None or self._search[0] != key:
            self._search = key, LeastLossSearch(self.counted(self.data), study, option.way.models)
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
