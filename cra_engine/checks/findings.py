"""What the gate found, each as one sentence with what to do: one small function per matter.

A further matter (several releases taken together, another recoding that is safer) is one more function that gives
findings, called in :func:`cra_engine.checks.check.check`.
"""

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from cra_engine.assess.assessment import FACTOR_SUPPOSED, Assessment
from cra_engine.assess.figure import Figure, people_text
from cra_engine.attacks.prior import in_short
from cra_engine.blocks import counted
from cra_engine.checks.classes import Classes
from cra_engine.checks.labels import as_text, known_in
from cra_engine.checks.outcome import CheckedColumn, Finding
from cra_engine.checks.rule import MOST_EXPECTED, Rule, decimal_text
from cra_engine.checks.sensitive_values import SensitiveValues
from cra_engine.checks.shared_values import SharedValues
from cra_engine.criteria.diversity import Diversity
from cra_engine.criteria.groups import Groups
from cra_engine.raw.nameless import names_like_cells
from cra_engine.raw.proposed_roles import left_undecided
from cra_engine.risk.known_sets import KnownSets
from cra_engine.risk.re_identification import ReIdentification
from cra_engine.study.study import Study
from cra_engine.words import chance_at_most, how_many, listed, percent, short_percent

ONLY_HERE = "; somebody decided that nobody has it from elsewhere"
NO_NAMES = "no-names"  # of the finding that no choice mends
NAMED = 3  # classes and people that a sentence names
DEGREES = ((1 / 2, "more than half"), (1 / 10, "more than one in ten"))


def quoted(names: Sequence[str]) -> str:
    """Name columns in a finding of the check, all of them: ``'name', 'e-mail' and 'ward'``."""
    return listed([repr(name[:60]) for name in names])


def class_text(frame: pd.DataFrame, names: Sequence[str], rows: NDArray[np.int64]) -> str:
    """Write a checked class by what its rows show: ``age [20, 40[, sex *``."""
    row = int(rows[0])
    return ", ".join(f"{name} {str(frame[name].iloc[row])[:40]}" for name in names)


def of_names(table: pd.DataFrame, rule: Rule) -> Iterator[Finding]:
    """Check for column names that are a record: a file without a line of names gives its first one away by them."""
    if not rule.names_meant and (alike := names_like_cells(table)):
        yield Finding("stop", NO_NAMES, f"{no_names_text(alike)}.")


def no_names_text(alike: Sequence[str]) -> str:
    """Say of column names that look like a record's cells, none of which is told, what to do about them."""
    return (
        f"{how_many(len(alike), 'column name looks', 'column names look')} like the values of a record, which would go "
        "out as names; put a line of names above the first record, or call the columns otherwise"
    )


def of_columns(columns: Sequence[CheckedColumn]) -> Iterator[Finding]:
    """Check for columns that say who somebody is, and columns that nobody decided about."""
    for column in columns:
        if not column.published:
            continue
        if column.role == "removed":
            yield Finding(
                "stop",
                "removed-published",
                f"The column {column.name!r} is to be removed and stands in the release; take it out.",
            )
        elif column.direct and column.role == "undecided":
            yield Finding(
                "stop",
                "identifying",
                left_undecided(column.name, column.reason, direct=True),
            )
        elif column.direct and column.role in ("kept", "sensitive"):
            yield Finding(
                "attention",
                "identifying-kept",
                f"The column {column.name!r} is published by decision ({column.role}), though {column.reason}; write "
                "down why that is needed.",
            )
        elif column.identifying and column.role == "undecided":
            yield Finding(
                "attention",
                "nearly-identifying",
                left_undecided(column.name, column.reason, direct=False),
            )
        elif column.identifying and column.role in ("kept", "sensitive"):
            yield Finding(
                "note",
                "nearly-identifying-kept",
                f"The column {column.name!r} goes out as it stands ({column.role}): "
                f"{column.reason.partition('; ')[0]}{ONLY_HERE * column.only_here}.",
            )
    yield from _undecided(columns)


def _undecided(columns: Sequence[CheckedColumn]) -> Iterator[Finding]:
    left = [
        column.name
        for column in columns
        if column.published
        and column.role == "undecided"
        and not column.identifying
        and (column.proposed != "quasi-identifier" or column.untold)
    ]
    others = [column for column in columns if column.published and column.role != "quasi-identifier"]
    sensitive = any(column.role == "sensitive" for column in others)
    if left and not sensitive:
        yield Finding(
            "attention",
            "no-sensitive",
            f"No column is named sensitive, so that groups whose people share a diagnosis go unseen; say what "
            f"{quoted(left)} {'is' if len(left) == 1 else 'are'}: sensitive, kept or removed.",
        )
    elif left:
        yield Finding(
            "note",
            "undecided",
            f"{quoted(left)} {'has' if len(left) == 1 else 'have'} no role and {'is' if len(left) == 1 else 'are'} "
            "published as in the table; decide whether to keep or remove.",
        )
    elif others and not sensitive:
        yield Finding(
            "note",
            "no-sensitive",
            "No column is named sensitive; whether all of a group share a value was not looked at.",
        )


def outsiders(columns: Sequence[CheckedColumn]) -> list[str]:
    """Return the checked columns that others may know of a person and that go out as they stand."""
    return [
        column.name
        for column in columns
        if column.published
        and column.proposed == "quasi-identifier"
        and not column.untold
        and (column.role == "kept" or (column.role == "undecided" and not column.identifying))
    ]


def not_asked_about(columns: Sequence[CheckedColumn]) -> list[str]:
    """Return those of them about which nobody decided: the groups that others see are by these, too."""
    open_ = {column.name for column in columns if column.role == "undecided"}
    return [name for name in outsiders(columns) if name in open_]


def of_outsiders(
    columns: Sequence[CheckedColumn], frame: pd.DataFrame, study: Study, times: NDArray[np.int64]
) -> Iterator[Finding]:
    """Check for columns that others may know and that go out as they stand: with them classes are smaller."""
    left = outsiders(columns)
    if not left:
        return
    smallest = min(Classes.of(frame, [*study.names, *left], times).sizes, default=0)
    one = len(left) == 1
    are, it = ("is", "it") if one else ("are", "them")
    yield Finding(
        "attention",
        "known-to-others",
        f"{quoted(left)} {are} published as in the table, and others may know {it} of a person: together with "
        f"what else they know the smallest group has {how_many(smallest, 'record')}; call {it} known to others, or "
        f"remove {it}.",
    )


def of_agreement(problem: str) -> Iterator[Finding]:
    """Check that a release is of this table."""
    if problem:
        yield Finding(
            "stop",
            "not-this-table",
            f"The release is not of this table: {problem}; give the files that belong together.",
        )


def of_missing_hierarchies(columns: Sequence[tuple[str, str]]) -> Iterator[Finding]:
    """Check for columns that show what is nowhere in the table, and of which the study says nothing."""
    for name, shown in columns:
        yield Finding(
            "stop",
            "no-hierarchy",
            f"The column {name!r} shows {shown!r}, which the table does not, and the study says nothing of it: call "
            "it known to others and give the hierarchy that it was published by, or give the study that the release "
            "was made with.",
        )


def of_size(
    frame: pd.DataFrame, study: Study, rule: Rule, classes: Classes, sensitive: Sequence[str]
) -> Iterator[Finding]:
    """Check the smallest class, and suppressed records, which tell nothing where they show no sensitive value."""
    least = rule.least(study.k)
    if not classes.groups:
        yield Finding(
            "attention", "all-suppressed", "Every record is suppressed, so that nothing is told; take a smaller k."
        )
        return
    sized = zip(classes.sizes, classes.groups, strict=True)
    small = sorted(((size, rows) for size, rows in sized if size < least), key=lambda one: one[0])
    if small:
        shown = "; ".join(
            f"{class_text(frame, study.names, rows)} with {how_many(size, 'record')}" for size, rows in small[:NAMED]
        )
        yield Finding(
            "stop",
            "k",
            f"{how_many(len(small), 'group has', 'groups have')} fewer than k = {least} records ({shown}"
            f"{'; and more' if len(small) > NAMED else ''}); publish with k = {least} or suppress them.",
        )
    if 0 < classes.hidden < least:
        outside = frame.iloc[classes.suppressed]
        hidden = bool(sensitive) and all((outside[name].astype(str) == "*").all() for name in sensitive)
        yield Finding(
            "note" if hidden else "attention",
            "few-suppressed",
            f"{how_many(classes.hidden, 'record is', 'records are')} suppressed, fewer than k = {least}. Whoever "
            "fits no published group is one of them. "
            + ("They show no sensitive value." if hidden else "Leave their rows out, or their sensitive values."),
        )


def of_risk(risk: ReIdentification | None, rule: Rule, study: Study) -> Iterator[Finding]:
    """Check the prosecutor's risk, and for people whom the population lacks."""
    if risk is None:
        return
    limit = rule.risk(study.k)
    if risk.prosecutor_max > limit:
        yield Finding(
            "stop",
            "risk",
            "Who knows what others may know of a person picks the record with up to "
            f"{chance_at_most(risk.prosecutor_max)}, more than {chance_at_most(limit)}, for "
            f"{how_many(risk.records_above, 'record')}; take a larger k.",
        )
    if risk.outside:
        yield Finding(
            "attention",
            "population",
            f"{how_many(risk.outside, 'published record')} stand{'s' if risk.outside == 1 else ''} in groups that "
            "fewer people of the population fit than the group has records; check that the population holds everybody "
            "of the table.",
        )


def of_diversity(
    frame: pd.DataFrame,
    study: Study,
    rule: Rule,
    classes: Classes,
    found: Sequence[Diversity],
    shared: Sequence[SharedValues],
) -> Iterator[Finding]:
    """Check for groups whose people share a sensitive value, or nearly."""
    groups, by_column = classes.groups, {one.column: one for one in shared}
    for one in found:
        if alike := by_column.get(one.column):
            said = known_in(frame[one.column])
            named, values = _rarest_first(frame[one.column], said, alike.groups, classes.times)
            shown = "; ".join(_alike(frame, alike, said, rows, classes) for rows in named)
            left = len(alike.groups) - len(named)
            more = f"; and {how_many(left, 'more group', 'more groups')}" if left else ""
            yield Finding(
                "stop" if rule.l > 1 else "attention",
                "l-diversity",
                f"Everybody in {how_many(len(alike.groups), 'group')} shares one value of {one.column!r}"
                f"{values}, which is then known of whoever is in it: {shown}{more}; ask for different values in every "
                "group (l-diversity), take a larger k, or suppress these groups.",
            )
        elif one.distinct_l < rule.l:
            yield Finding(
                "stop",
                "l-diversity",
                f"The group {class_text(frame, study.names, groups[one.fewest])} shows {one.distinct_l} different "
                f"values of {one.column!r}, fewer than l = {rule.l}; ask for different values in every group "
                "(l-diversity), or take a larger k.",
            )
        if rule.t is not None and one.t > rule.t:
            yield Finding(
                "stop",
                "t-closeness",
                f"The group {class_text(frame, study.names, groups[one.farthest])} is {float(one.t):.2f} from the "
                f"table in {one.column!r}, more than t = {decimal_text(rule.t)}; ask for values spread as in the "
                "table (t-closeness), or take a larger k.",
            )


def _rarest_first(
    column: "pd.Series[Any]",
    said: NDArray[np.bool_],
    classes: Sequence[NDArray[np.int64]],
    times: NDArray[np.int64],
) -> tuple[list[NDArray[np.int64]], str]:
    """Names a class of each value that classes share, the rarest in the whole column first, and counts those of each.

    A rare value tells more of whoever has it; an empty cell tells nothing and comes last.
    """
    texts = as_text(column).to_numpy(dtype=object)
    codes, different = pd.factorize(texts[said])
    often = dict(zip(different, counted(codes, len(different), times[said]).tolist(), strict=True))
    most = int(times.sum()) + 1

    def shared(rows: NDArray[np.int64]) -> str:
        known = rows[said[rows]]
        return str(texts[known[0]]) if len(known) else ""

    ordered = sorted(classes, key=lambda rows: often.get(shared(rows), most))
    counts = Counter(map(shared, ordered))
    first = {shared(rows): rows for rows in reversed(ordered)}
    values = list(counts)[:NAMED]
    told = [repr(value[:40]) if value else "nothing" for value in values]
    if len(counts) == 1:
        return [first[values[0]]], f", {told[0]}"
    named = listed([f"{value} in {counts[of]:,}" for value, of in zip(told, values, strict=True)])
    return [first[value] for value in values], f" ({named}{'; and other values' if len(counts) > NAMED else ''})"


def _alike(
    frame: pd.DataFrame,
    one: SharedValues,
    says: NDArray[np.bool_],
    rows: NDArray[np.int64],
    classes: Classes,
) -> str:
    shown, said = frame[one.column].iloc[rows], says[rows]
    value = str(shown[said].iloc[0] if said.any() else shown.iloc[0])[:40]
    whole = said.all() or not said.any()
    many = f"{classes.records_of(rows if whole else rows[said])}{'' if whole else ' whose value is known'}"
    return f"all {many} of {class_text(frame, one.names, rows)} show {value!r}"


def of_overlapping(known: KnownSets | None, rule: Rule, records: int) -> Iterator[Finding]:
    """Check sets of columns that somebody may know together: each by itself, and all with the quasi-identifiers."""
    if known is None:
        return
    for one in known.each[1:]:
        if one.below:
            yield Finding(
                "stop",
                "also",
                f"By {quoted(one.columns)}, which somebody may know{' together' * (len(one.columns) > 1)}, the "
                "smallest group has "
                f"{how_many(one.smallest, 'record')}, and {how_many(one.below, 'record is', 'records are')} in groups "
                f"of fewer than k = {known.k}; make groups by this set, too, and remove no rows after that, which "
                "makes groups smaller.",
            )
    together = known.together
    if together.below and len(known.each) > 1:
        few = [
            f"{people:,} by {'one column' if size == 1 else f'{size} columns'}"
            for size, people in enumerate(known.by_size, 1)
            if people
        ]
        each = (
            "" if any(one.below for one in known.each) else f"By each set {known.k} records or more are alike, but by "
        )
        yield Finding(
            "stop" if together.alone > rule.alone * records else "attention",
            "also-together",
            f"{each or 'By '}{quoted(together.columns)} together "
            f"{how_many(together.alone, 'person is', 'people are')} alone{f' ({listed(few)})' if few else ''} and "
            f"{how_many(together.below, 'record is', 'records are')} in groups of fewer than k = {known.k}; call all "
            "of these known to others, or write down why nobody can know them together.",
        )


def of_order(columns: Sequence[tuple[str, float]]) -> Iterator[Finding]:
    """Check for rows in the order of a raw table sorted by some column, with how strongly; see ``sorted_columns``."""
    if columns:
        name, told = columns[0]
        more = "" if len(columns) == 1 else f" (and by {quoted([other for other, _ in columns[1:]])})"
        how = "sorted" if abs(told) == 1 else f"nearly sorted (rank correlation {told:.2f})"
        yield Finding(
            "attention",
            "order",
            f"The rows stand in the table's order, and the table is {how} by {name[:60]!r}{more}: what was made "
            "coarser can be read off the places of the rows, and two releases can be linked row by row; hand out the "
            "rows in a random order, as this program does unless it is asked to keep the order.",
        )


def of_suppressed(frame: pd.DataFrame, columns: Sequence[str], classes: Classes) -> Iterator[Finding]:
    """Check for suppressed records that share a sensitive value."""
    for name in columns:
        values = set(frame[name].iloc[classes.suppressed].astype(str)) - {"*"}
        if classes.hidden > 1 and len(values) == 1:
            which = "Both" if classes.hidden == 2 else f"All {classes.hidden}"
            yield Finding(
                "attention",
                "suppressed-alike",
                f"{which} suppressed records show {next(iter(values))[:40]!r} in {name!r}, which is "
                "then known of whoever fits no published group; leave their sensitive values out.",
            )


def of_models(
    study: Study,
    values: Mapping[str, SensitiveValues],
    sizes: Sequence[int],
    people: Sequence[int] | None,
) -> Iterator[Finding]:
    """Check the privacy models of the study, where the release shows what they read.

    Args:
        study: the publisher's.
        values: the columns that models read, as far as they are published.
        sizes: records of each class, one at least.
        people: of a population how many fit each class; None where there is none.
    """
    held = np.array(sizes, dtype=np.int64)
    # Whom the population lacks, it lacks: a class has as many people as records at least.
    fitting = None if people is None else np.maximum(held, np.array(people, dtype=np.int64))
    for model in study.privacy:
        read, missing = Groups(held, population=fitting), ""
        if model.marking is not None:
            missing = "" if people is not None else "it needs the population; give it"
        elif all(name in values and values[name].classes for name in model.columns):
            read = next((values[name].groups for name in model.columns), read)
        else:
            missing = "the release does not show what it reads"
        if missing:
            yield Finding("attention", "privacy-model", f"{_capital(str(model))} was not looked at: {missing}.")
            continue
        failing = int((~model.passes(read)).sum())
        if failing:
            yield Finding(
                "stop",
                "privacy-model",
                f"{how_many(failing, 'group fails', 'groups fail')} the study's {model}; publish by local or global "
                "recoding, which heed it.",
            )


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]


def of_attack(
    assessment: Assessment | None, missing: str, rule: Rule, *, late: bool, supposed: bool
) -> Iterator[Finding]:
    """Check whom the release singles out by itself.

    Args:
        assessment: what it gives away; None where that is not known.
        missing: what was not looked at, and why.
        rule: what is demanded.
        late: whether the time ran out before.
        supposed: whether nobody said which g/s factor ARX ran with.
    """
    if assessment is not None and assessment.contradiction:
        yield Finding(
            "attention",
            "made-otherwise",
            f"Local recoding with this study does not explain its groups ({missing}); repair and safe recoding, or "
            "another program, make such. Whom its intervals single out stands above; what else its order tells is not "
            "known. Of a safe release give the study that came with it.",
        )
        return
    if not missing and assessment is not None and people_text(assessment.expected) is None:
        missing = "how many people are likely alone could not be counted"
    if missing:
        yield Finding(
            "attention",
            "attack-out-of-time" if late else "attack-not-looked-at",
            f"{'Who is singled out was not' if assessment is None else 'Not all was'} looked at: "
            f"{missing}; what it would show is not known.",
        )
    if assessment is None:
        return
    certain = int(assessment.certain.value or 0)
    if certain:
        people = "; ".join(assessment.certain_texts[:NAMED])
        least = "" if assessment.complete else "at least "
        condition = f"If {FACTOR_SUPPOSED}, the" if supposed and assessment.needs_factor else "The"
        yield Finding(
            "stop" if rule.nobody_certain else "attention",
            "certain",
            f"{condition} release alone shows {least}{how_many(certain, 'description')} "
            f"that fit{'s' if certain == 1 else ''} exactly one person for certain{f' ({people}' if people else ''}"
            f"{'; and more' if people and certain > NAMED else ''}{')' if people else ''}. Compare "
            "safe recoding and wider groups: they can hide these people.",
        )
    told = assessment.who_has_what
    if told is not None and (told.certain or told.narrowed):
        first = told.sentence((told.certain or told.settled or told.narrowed)[0])
        yield Finding(
            "stop" if rule.nobody_certain and told.certain else "attention",
            "who-has-what",
            f"From the release alone, in {quoted(told.columns)}: {told.in_numbers()}. {first} Ask for a larger l, or "
            "publish by safe recoding.",
        )
    expected, alone = assessment.expected, assessment.by_intervals.value
    share = share_expected(assessment, assessment.release.records)
    if share is not None:
        people = how_many(assessment.release.records, "person", "people")
        people += f" ({share_text(share)})"
        base = "" if alone is None else f"; by what the rows show, without the attack, about {alone:,.0f}"
        right, many = _in_percent(assessment.likeliest), people_text(expected) or ""
        guess = f", and the best guess at one is right with {right}" if right and not certain else ""
        yield Finding(
            "attention",
            "expected",
            f"{many[:1].upper()}{many[1:]} of {people} would likely be alone, and the rule asks for fewer than "
            f"{MOST_EXPECTED}: coarser groups leave fewer, or a person decides that this may go out. Likely, not "
            "proven: by the attack each would be the only one of their kind in the finest groups that the table may "
            f"show, {in_short(assessment.prior)}{base}. That rows look alike does not prevent it: how they were put "
            "together tells how many people a finest group may hold. Who that is, no row tells: a stranger with this "
            f"table alone has to guess{guess}. An estimate asks, and never stops a table.",
        )


def highest_expected(assessment: Assessment) -> float | None:
    """Return how many people are likely alone; of limits the higher one, which decides. None where it is not known."""
    expected = assessment.expected
    return expected.upper if expected.value is None else expected.value


def share_expected(assessment: Assessment, records: int) -> float | None:
    """Return the share of people who are likely alone, of their number as it is told; None where it is below one.

    Args:
        assessment: what a release gives away.
        records: how many people there are.
    """
    most = highest_expected(assessment)
    if most is None or most < MOST_EXPECTED:
        return None
    return min((math.ceil(most) if assessment.expected.value is None else round(most)) / records, 1.0)


def share_text(share: float) -> str:
    """Write a share of all people, with how grave it is where they are many.

    >>> share_text(0.14), share_text(0.05)
    ('14 %: more than one in ten', '5.0 %')
    """
    degree = next((said for least, said in DEGREES if share > least), "")
    return f"{percent(share)}: {degree}" if degree else percent(share)


def of_way(local: Assessment | None, rule: Rule) -> Iterator[Finding]:
    """Check a release that looks made by global recoding, as nothing in it tells that it was: local recoding may.

    Args:
        local: what it gives away if local recoding made it; None where its way is known.
        rule: what is demanded.
    """
    if local is None or local.contradiction:  # then local recoding did not make it
        return
    certain, likely = int(local.certain.value or 0), local.expected
    most = likely.upper if likely.value is None else likely.value
    alone = "how many would be alone is not known" if most is None else f"{people_text(likely)} would be likely alone"
    if local.missing or most is None or most >= MOST_EXPECTED or (certain and rule.nobody_certain):
        yield Finding(
            "attention",
            "way-not-known",
            "All groups have labels of one kind, as global recoding makes them, and local recoding may: the file does "
            f"not tell which. By local recoding {how_many(certain, 'person', 'people')} would be alone for certain, "
            f"and {alone}. Ask how it was made, or check it beside the table that it was made of.",
        )


def _in_percent(share: Figure) -> str:
    """A share with how sure it is: ``10 %``, ``about 10 %``, ``at most 11 %``; empty where nothing is known of it."""
    if share.value is not None:
        return f"{'' if share.sure == 'exact' else 'about '}{short_percent(share.value)} %"
    return "" if share.upper is None else f"at most {short_percent(math.ceil(100 * share.upper) / 100)} %"
