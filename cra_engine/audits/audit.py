"""An audit: what a released table gives away, with nothing but the table and what is known of its hierarchies.

Whatever is not given is read off the table and said to be a guess. Where the table contradicts the algorithm nothing is
claimed.
"""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from cra_engine.assess.attacked import assess, contradiction_of
from cra_engine.attacks.order import SortedColumn, attack_order
from cra_engine.attacks.refinement.attack import attack
from cra_engine.attacks.refinement.formation import MAY_BE_GLOBAL
from cra_engine.attacks.tight.attack import check_settings
from cra_engine.attacks.tight.outcome import TightAttack
from cra_engine.attacks.tight.sorted_rows import SortedRows, narrow_by_order
from cra_engine.audits.findings import findings
from cra_engine.audits.foreign_labels import in_our_spelling
from cra_engine.audits.held_categories import held_note, without_held
from cra_engine.audits.notes import (
    NOT_BY_ARX,
    factor_supposed,
    guessed_without_study,
    guesses,
    left_out,
    listed_values,
    other_factors,
    refuted,
    supposed_of_records,
    taken_as_sensitive,
    trouble_met,
)
from cra_engine.audits.outcome import Audit
from cra_engine.audits.quasi_identifiers import QuasiIdentifiers, quasi_identifiers
from cra_engine.blocks import counted
from cra_engine.checks.check import check, verdict_of
from cra_engine.checks.outcome import LEVELS, Check, Finding
from cra_engine.choices import Prior as PriorName
from cra_engine.criteria.models import PrivacyModel
from cra_engine.errors import ReleaseError, StudyError
from cra_engine.expected import expect, expect_each
from cra_engine.files.different_rows import CountedRows, Table, rows_of
from cra_engine.files.tables import column_of
from cra_engine.patience import Deadline
from cra_engine.release import Release
from cra_engine.study.coding_model import GsFactor
from cra_engine.study.hierarchy import Hierarchy
from cra_engine.study.population import read_population
from cra_engine.study.quality import Quality
from cra_engine.study.roles import Roles
from cra_engine.study.settings import Recoded
from cra_engine.study.study import Study
from cra_engine.study.tree import Node
from cra_engine.words import listed

DEFAULT_PROFILE = "arx-gui"
LEAST = 0.5  # seconds that the demands have in any case
LEFT_TO_TIGHT = 3 / 4  # of the time, where the rows seem to be sorted: the rest is for their order


def audit(
    release_table: Table,
    study: Study | None = None,
    hierarchies: Mapping[str, Hierarchy] | None = None,
    *,
    qi: Sequence[str] = (),
    k: int | None = None,
    profile: str | float | Decimal | None = None,
    gs_factor: GsFactor | None = None,
    privacy: Sequence[PrivacyModel] | None = None,
    weights: Mapping[str, Decimal] | None = None,
    time_limit: float = 60.0,
    seed: int = 0,
    cancelled: Callable[[], bool] = lambda: False,
    prior: PriorName | None = None,
    population: str | os.PathLike[str] | bytes | None = None,
    said: Sequence[str] = (),
) -> Audit:
    """Audit a released table; no raw data are needed.

    Args:
        release_table: the published table, every cell as text; one of many records as its different rows, counted,
            whose order is not looked at then.
        study: what the publisher states; nothing is guessed then.
        hierarchies: per column its hierarchy, where there is no study. Quasi-identifiers that have none get the one
            that their labels suggest.
        qi: the columns that are quasi-identifiers, where there is no study. When left out those that look like it; a
            column that never shows ``*`` may be one too, and is then named as a doubt.
        k: of the release; the study's, else the size of the smallest class, when left out.
        profile: how ARX was run; the study's, else ``"arx-gui"``, when left out. The bounds of that profile are implied
            by those of ``"paper"``, so they hold for either.
        gs_factor: how ARX weighed suppression against generalization, 0 to 1. When left out it is the study's where
            that says how the table was made, and 0 is supposed otherwise, which local transformation has unless
            somebody changed it. With another less is certain, and only that is said.
        privacy: models besides k that every class passes, where there is no study; None where nobody knows, and k
            alone is supposed.
        weights: of attributes in the publisher's quality model, where there is no study and they are not 0.5.
        time_limit: seconds for all of it; the attack on all classes together has what is left then.
        seed: of its estimate.
        cancelled: asked several times a second; when it answers True the run ends as at the time limit.
        prior: which tables count, see :func:`cra_engine.attack`. When left out ``"assignments"`` where the intervals
            let expect that records repeat, else ``"distinct"``.
        population: a file of shares to draw records from, see :func:`read_population`, in place of either.
        said: sentences on what was given, to stand among the warnings.

    Raises:
        StudyError: a hierarchy, k, the profile or the g/s factor is unusable.
        ReleaseError: the table is no release, or not of this study.
        TooLargeError: the grid, the lattice or the counting is larger than the engine admits.
        CRAError: the seed or the time limit is below 0.

    >>> import pandas as pd
    >>> audited = audit(pd.DataFrame({"age": ["[0, 20[", "[0, 20[", "[20, 40[", "[20, 40[", "[20, 40["]}))
    >>> audited
    Audit(records=5, k=2, isolated=0)
    """
    frame, times = rows_of(release_table, "audit(release_table)")
    alike = release_table if isinstance(release_table, CountedRows) else None
    if study is not None:
        expect(study, Study, "audit(study)")
    if hierarchies is not None:
        expect(hierarchies, Mapping, "audit(hierarchies)")
    qi = expect_each(qi, str, "audit(qi)")
    seed, deadline = check_settings(time_limit, seed), Deadline(time_limit, cancelled)
    if not len(frame):
        raise ReleaseError("The table holds no record; it needs a line of column names and one line per record.")
    qi_read = _quasi_identifiers(frame, study, hierarchies or {}, tuple(qi), times)
    attributes, proposals, frame = qi_read.attributes, qi_read.proposals, qi_read.table
    chosen = profile if profile is not None else DEFAULT_PROFILE if study is None else study.profile
    given = k if k is not None else None if study is None else study.k
    used = given if given is not None else smallest_class(frame, attributes, chosen, times)
    names = [attribute.name for attribute in attributes]
    models = tuple(privacy or ()) if study is None else study.privacy
    quality = (Quality(weights=weights or {}) if study is None else study.quality).of(names)
    recoding: Recoded = "" if study is None else study.recoding
    sensitive = [one.name for one in qi_read.sensitive]
    epsilon = study.epsilon if study is not None and chosen == study.profile else None
    published = Release(
        Study(
            attributes,
            used,
            chosen,
            models,
            epsilon=epsilon,
            quality=quality,
            more_suppressed=study is not None and study.more_suppressed,
            recoding=recoding,
        ),
        frame,
        guessed=bool(proposals),
        gs_factor=gs_factor,
        counted=None if alike is None else alike.shown(frame),
    )
    supposed = gs_factor is None and not (published.gs_factor or published.study.safe or recoding)
    known = None if population is None else read_population(population, published.study)
    columns = () if alike else attack_order(published).columns
    first = deadline.after(LEFT_TO_TIGHT) if columns else deadline
    assessed = assess(published, prior=prior, population=known, deadline=first, seed=seed)
    assessment = without_held(assessed, published, frame, proposals)
    by_class = assessment.attack or attack(published, prior=prior or "distinct", population=known)
    contradicted = bool(assessment.contradiction)
    otherwise = assessment.recoding == "global" and bool(contradiction_of(by_class))
    repeating = assessment.prior == "assignments" and prior is None
    notes = [
        *guesses(
            published,
            proposals,
            k_guessed=given is None,
            profile_guessed=profile is None and study is None,
            models_guessed=study is None and privacy is None,
        ),
        *left_out(qi_read.silent),
        *refuted([name for name in qi_read.refuted if name not in sensitive]),
        *taken_as_sensitive(qi_read.sensitive),
        *qi_read.readings,
        *said,
        *published.warnings,
        # A study that says how its release was made is of this program, whose intervals hold every value.
        *(() if published.study.safe or recoding else listed_values(attributes, proposals)),
        *((by_class.order_unknown,) if by_class.order_unknown and not otherwise else ()),
        *((NOT_BY_ARX,) if otherwise else (MAY_BE_GLOBAL,) if by_class.may_be_global else ()),
        *(supposed_of_records(by_class) if repeating or known is not None else ()),
        *(
            factor_supposed(contradicted=contradicted, complete=assessment.tight is not None)
            if supposed and not otherwise
            else ()
        ),
        *trouble_met(assessment, by_class),
        *held_note(assessed, assessment),
        *(other_factors(published) if contradicted and supposed else ()),
    ]
    told = _told(
        qi_read,
        k=None if given is not None else used,
        profile=profile is None and study is None,
        proposals=bool(proposals),
    )
    told_of = frame.drop(columns=list(qi_read.silent))  # a column that shows * in every row does not stand as it was
    checked = check(
        None,
        published.study.with_roles(Roles(sensitive=sensitive) if study is None else study.roles),
        told_of if alike is None else alike.shown(told_of),
        gs_factor=gs_factor,
        assessed=assessment,
        roles_guessed=study is None,
        time_limit=max(deadline.left, LEAST),
    )
    audited = Audit(
        published,
        _with_told(checked, told),
        assessment,
        by_class,
        proposals,
        given is None,
        profile is None and study is None,
        tuple(dict.fromkeys(notes)),
        doubtful=qi_read.doubtful,
        refuted=qi_read.refuted,
        gs_factor_supposed=supposed,
        in_order=_in_order(assessment.tight, columns, deadline),
    )
    return replace(audited, findings=findings(audited))


# Of the number of people who are likely alone: tests/audit/test_reasons.py has a table of each kind.
EITHER_WAY = (
    " With it fewer can be likely alone, as it rules tables out, or more, as groups can be finer than the labels."
)


def _told(columns: QuasiIdentifiers, *, k: int | None, profile: bool, proposals: bool) -> Iterator[Finding]:
    """What is guessed of an audited table, k among it where one is given here, as findings beside the check's."""
    if columns.doubtful:
        said = f"In doubt: whether {listed(columns.doubtful)} can be known of a person, too."
        yield Finding("attention", "in-doubt", said)
    if k is not None:
        said = f"Nobody said which k was wanted: whether {k} is enough the table cannot tell by itself."
        yield Finding("attention", "k-guessed", said)
    if guessed := guessed_without_study(proposals=proposals, profile=profile):
        yield Finding("attention", "guessed", f"{guessed}{EITHER_WAY if proposals else ''}")


def _with_told(checked: Check, told: Iterator[Finding]) -> Check:
    """An audited table as it was checked, with what is guessed."""
    findings = tuple(sorted((*checked.findings, *told), key=lambda one: LEVELS.index(one.level)))
    return replace(checked, findings=findings, verdict=verdict_of(findings))


def _quasi_identifiers(
    table: pd.DataFrame,
    study: Study | None,
    hierarchies: Mapping[str, Hierarchy],
    named: tuple[str, ...],
    times: NDArray[np.int64] | None,
) -> QuasiIdentifiers:
    if study is None:
        return quasi_identifiers(table, hierarchies, named, times)
    if named and set(named) != set(study.names):
        raise StudyError(
            f"The study names the quasi-identifiers {', '.join(study.names)}, and others are named beside it; "
            "leave one of both out."
        )
    spelled, readings, _ = in_our_spelling(
        table, {attribute.name: attribute for attribute in study.attributes}, known=True, times=times
    )
    return QuasiIdentifiers(spelled, study.attributes, (), named=True, readings=readings)


def _in_order(
    together: TightAttack | None, columns: tuple[SortedColumn, ...], deadline: Deadline
) -> tuple[SortedRows | SortedColumn, ...]:
    """What follows if the table was sorted by a column; with all classes together by the least likely one."""
    if together is None or not columns:
        return columns
    first = columns[0]
    found = narrow_by_order(
        together, first.name, descending=first.descending, time_limit=deadline.left, cancelled=deadline.cancelled
    )
    return (found, *columns[1:])


# ---------------------------------------------------------------- k


def smallest_class(
    table: pd.DataFrame,
    attributes: Sequence[Hierarchy],
    profile: str | float | Decimal,
    times: NDArray[np.int64] | None = None,
) -> int:
    """Return the size of an audited table's smallest class: the largest k that it can have been made with.

    Args:
        table: the audited table.
        attributes: its quasi-identifiers with their hierarchies.
        profile: how it was made.
        times: how many records each row stands for; one when left out.

    Raises:
        ReleaseError: there is no class, or one of a single record.
    """
    columns, named = [], []
    for attribute in attributes:
        codes, labels = pd.factorize(column_of(table, attribute.name).astype(str))
        # By node: several spellings of an interval are one.
        place: dict[Node | None, int] = {}
        columns.append(np.array([place.setdefault(attribute.parse(one), len(place)) for one in labels])[codes])
        named.append(list(place))
    kinds, kind = np.unique(np.stack(columns, axis=1), axis=0, return_inverse=True)
    records: list[int] = counted(kind.reshape(-1), len(kinds), times).tolist()
    boxes = [tuple(own[at] for own, at in zip(named, box, strict=True)) for box in kinds.tolist()]
    sizes = {nodes: size for nodes, size in zip(boxes, records, strict=True) if None not in nodes}
    tops = tuple(attribute.layers for attribute in attributes)
    left = {
        nodes: size for nodes, size in sizes.items() if tuple(node.layer for node in nodes if node is not None) != tops
    }
    if not left:
        # Labels that no hierarchy knows, or raw values only: the release says what is wrong.
        Release(Study(attributes, 2, profile), table)
        raise ReleaseError("Every record is suppressed, so k cannot be seen; say which k it was.")
    key = min(left, key=lambda nodes: left[nodes])
    if left[key] < 2:
        shown = ", ".join(node.label for node in key if node is not None)[:120]
        raise ReleaseError(
            f"A single record shows {shown}: with a class of one this table is not k-anonymous for any k; "
            "check that it is ARX's output, and that these columns are its quasi-identifiers."
        )
    return left[key]
