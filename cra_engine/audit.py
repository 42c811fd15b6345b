"""An audit: what a released table gives away, with nothing but the table and what is known of its hierarchies.

Whatever is not given is read off the table and said to be a guess. Where the table contradicts the algorithm nothing is
claimed.
"""

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

import pandas as pd
from propcache.api import cached_property

from cra_engine.arx_files import FileHierarchy
from cra_engine.attack import Attack, attack
from cra_engine.class_attack import ClassAttack
from cra_engine.errors import CRAError, ReleaseError, TooLargeError
from cra_engine.grid import Cell, Segment
from cra_engine.hierarchy import Attribute, Hierarchy
from cra_engine.label_trees import Proposal, propose_hierarchy, recognise
from cra_engine.partial_order import PartialLattice, latest_states
from cra_engine.release import Release
from cra_engine.singling import SinglingChances, single_out
from cra_engine.study import Study
from cra_engine.table import column_of
from cra_engine.tight import TightAttack, check_settings, tight_attack

DEFAULT_PROFILE = "arx-gui"
MOST_NAMED = 10
_SUPERSCRIPT = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")

ADVICE = (
    "Larger finest intervals hide more: they leave fewer cells in which somebody can stand alone.",
    "A larger k makes classes larger, and each bound of the attack weaker.",
    "Global recoding, where one state holds for all records, gives this attack no order of formation to read.",
    "Keep raw values out: set the minimum level of every quasi-identifier to 1.",
    "Whatever is changed, audit the new table too.",
    "An audit shows what a table gives away to this attack. It never shows that a table gives nothing away.",
    "Other attacks, and what an attacker knows besides, are not looked at.",
)


@dataclass(frozen=True)
class Audit:
    """What a released table gives away.

    Attributes:
        release: the table as the attacker reads it.
        attack: the attack on each class by itself.
        tight: the attack on all classes together; None where it could not be made.
        chances: per cell the probability that it holds exactly one person, each class for itself; None where some
            class could not be counted.
        proposals: the hierarchies that were guessed from labels.
        k_guessed: True when k is the size of the smallest class.
        profile_guessed: True when nobody said how ARX was run.
        contradicted: True when no data give this table under these settings: then nothing is claimed.
        isolated: the cells that hold exactly one person for certain, records alike or not.
        warnings: sentences on what is guessed, left out or cut short.
        findings: the outcome in plain sentences.
    """

    release: Release
    attack: Attack
    tight: TightAttack | None
    chances: SinglingChances | None
    proposals: tuple[Proposal, ...]
    k_guessed: bool
    profile_guessed: bool
    contradicted: bool
    isolated: tuple[Cell, ...]
    warnings: tuple[str, ...]

    @property
    def conditional(self) -> bool:
        """True when what is said holds only if the guessed hierarchies are the publisher's."""
        return bool(self.proposals)

    @cached_property
    def findings(self) -> tuple[str, ...]:
        """See the class."""
        return tuple(_findings(self))

    @property
    def supposed(self) -> tuple[str, ...]:
        """What every finding supposes of the publisher; no table can show it."""
        share = self.release.study.share
        step = (
            "a step may publish a single class"
            if share is None
            else f"a step must publish at least {float(share):.4g} of all records"
        )
        trees = (
            "that the hierarchies are those that the labels suggest"
            if self.conditional
            else "that ARX worked with just these hierarchies"
        )
        made = (
            "that the table was made by ARX's local transformation with quality model Loss, geometric mean and "
            f"gsFactor 0 (suppression not counted in the loss), and that {step} (profile {self.release.study.profile})"
        )
        return (
            made,
            trees,
            f"that k is {self.release.k} or less" if self.k_guessed else f"that k is {self.release.k}",
        )


def audit(
    release_table: pd.DataFrame,
    study: Study | None = None,
    hierarchies: Mapping[str, Hierarchy] | None = None,
    *,
    k: int | None = None,
    profile: str | float | Decimal | None = None,
    time_limit: float = 60.0,
    seed: int = 0,
    cancelled: Callable[[], bool] = lambda: False,
) -> Audit:
    """Audit a released table; no raw data are needed.

    Args:
        release_table: the published table, every cell as text.
        study: what the publisher states; nothing is guessed then.
        hierarchies: per column its hierarchy, where there is no study. Columns that look like quasi-identifiers and
            have none get the one that their labels suggest.
        k: of the release; the study's, else the size of the smallest class, when left out.
        profile: how ARX was run; the study's, else ``"arx-gui"``, when left out. The bounds of that profile are implied
            by those of ``"paper"``, so they hold for either.
        time_limit: seconds for the attack on all classes together.
        seed: of its estimate.
        cancelled: asked several times a second; when it answers True the run ends as at the time limit.

    Raises:
        StudyError: a hierarchy, k or the profile is unusable.
        ReleaseError: the table is no release, or not of this study.
        TooLargeError: the grid, the lattice or the counting is larger than the engine admits.
        CRAError: the seed or the time limit is below 0.
    """
    check_settings(time_limit, seed)
    if not len(release_table):
        raise ReleaseError("The table holds no record; it needs a line of column names and one line per record.")
    attributes, proposals = _attributes(release_table, study, hierarchies or {})
    chosen = profile if profile is not None else DEFAULT_PROFILE if study is None else study.profile
    given = k if k is not None else None if study is None else study.k
    used = given if given is not None else smallest_class(release_table, attributes, chosen)
    published = Release(Study(attributes, used, chosen), release_table, guessed=bool(proposals))
    attacked = attack(published)
    problems = _problems(attacked)
    together, trouble = _tight(published, time_limit, seed, cancelled)
    contradicted = any(not part.coincident for part, _ in problems) or trouble == _CONTRADICTION
    if contradicted:
        together = None
    chances = None
    if not contradicted:
        try:
            found = single_out(attacked)
            chances = found if isinstance(found, SinglingChances) else None
        except CRAError as error:
            trouble = trouble or str(error)
    notes = [
        *_guesses(published, proposals, k_guessed=given is None, profile_guessed=profile is None and study is None),
        *published.warnings,
        *_listed_values(attributes, proposals),
        *_order(published, guessed=bool(proposals)),
        *_trouble(problems, contradicted=contradicted, trouble=trouble),
    ]
    isolated: tuple[Cell, ...] = ()
    if together is not None:
        isolated = tuple(sorted(together.isolated))
        notes += _cut_short(together)
    return Audit(
        published,
        attacked,
        together,
        chances,
        tuple(proposals),
        given is None,
        profile is None and study is None,
        contradicted,
        isolated,
        tuple(dict.fromkeys(notes)),
    )


# ---------------------------------------------------------------- the study


def _attributes(
    table: pd.DataFrame, study: Study | None, hierarchies: Mapping[str, Hierarchy]
) -> tuple[tuple[Hierarchy, ...], list[Proposal]]:
    if study is not None:
        return study.attributes, []
    looks = () if set(hierarchies) >= set(map(str, table.columns)) else _recognised(table, hierarchies)
    for name in hierarchies:
        column_of(table, name)
    attributes: list[Hierarchy] = []
    proposals = []
    for name in map(str, table.columns):
        if name in hierarchies:
            attributes.append(hierarchies[name])
        elif name in looks:
            proposals.append(propose_hierarchy(column_of(table, name), name))
            attributes.append(proposals[-1].hierarchy)
    return tuple(attributes), proposals


def _recognised(table: pd.DataFrame, hierarchies: Mapping[str, Hierarchy]) -> tuple[str, ...]:
    try:
        return recognise(table)
    except ReleaseError:
        if hierarchies:
            return ()
        raise


def smallest_class(table: pd.DataFrame, attributes: Sequence[Hierarchy], profile: str | float | Decimal) -> int:
    """The size of the smallest class: the largest k that the table can have been made with.

    Raises:
        ReleaseError: there is no class, or one of a single record.
    """
    columns = []
    for attribute in attributes:
        column = column_of(table, attribute.name).astype(str)
        # By node: several spellings of an interval are one.
        nodes = {label: attribute.parse(label) for label in column.unique()}
        columns.append([nodes[label] for label in column])
    sizes = Counter(nodes for nodes in zip(*columns, strict=True) if None not in nodes)
    tops = tuple(attribute.layers for attribute in attributes)
    left = {
        nodes: size for nodes, size in sizes.items() if tuple(node.layer for node in nodes if node is not None) != tops
    }
    if not left:
        # Labels that no hierarchy knows, or raw values only: the release says what is wrong.
        Release(Study(attributes, 2, profile), table)
        raise ReleaseError("Every record is suppressed, so k cannot be seen; say which k it was.")
    key = min(left, key=lambda found: left[found])
    if left[key] < 2:
        shown = ", ".join(node.label for node in key if node is not None)[:120]
        raise ReleaseError(
            f"A single record shows {shown}: with a class of one this table is not k-anonymous for any k; "
            "check that it is ARX's output, and that these columns are its quasi-identifiers."
        )
    return left[key]


# ---------------------------------------------------------------- the attacks

_CONTRADICTION = "contradiction"


def _problems(attacked: Attack) -> list[tuple[ClassAttack, str]]:
    """The classes that nothing can be counted of, with the reason."""
    return [(part, part.problem) for part in attacked.parts if not part.basic and part.problem is not None]


def _tight(
    release: Release, time_limit: float, seed: int, cancelled: Callable[[], bool]
) -> tuple[TightAttack | None, str]:
    """The attack on all classes together, or why there is none."""
    if release.study.share is not None and latest_states(release):
        return None, (
            "some labels stand in several layers, so that the table does not tell at which states their classes formed."
        )
    try:
        together = tight_attack(release, time_limit=time_limit, seed=seed, cancelled=cancelled)
    except TooLargeError as error:
        return None, str(error)
    except CRAError as error:
        parts = attack(release).parts
        alike = any(part.coincident for part in parts if not part.basic)
        none = any(part.contradiction and not part.coincident for part in parts if not part.basic)
        return None, str(error) if alike and not none else _CONTRADICTION
    if together.log10_worlds == -math.inf:
        return None, _CONTRADICTION
    return together, ""


# ---------------------------------------------------------------- warnings


def _guesses(release: Release, proposals: Sequence[Proposal], *, k_guessed: bool, profile_guessed: bool) -> list[str]:
    notes = [f"The hierarchy of {p.hierarchy.name!r} is guessed. {p.sure}" for p in proposals]
    if k_guessed:
        notes.append(
            f"k is guessed: {release.k}, the size of the smallest class. The real k is that or less; with a smaller "
            "one an attacker would know more."
        )
    if profile_guessed:
        notes.append(
            "How ARX was run is not known: the bounds are those of the desktop program's default, where a step must "
            "publish 1 % of all records. They hold for a single class per step too, where an attacker would know more."
        )
    return notes


def _listed_values(attributes: Sequence[Hierarchy], proposals: Sequence[Proposal]) -> list[str]:
    guessed = {p.hierarchy.name for p in proposals}
    notes = [
        f"The hierarchy file of {a.name!r} lists only some values of its intervals. ARX then counts listed values in "
        "the loss, not lengths, so the order in which classes formed is only partly known."
        for a in attributes
        if isinstance(a, FileHierarchy) and a.partial and a.name not in guessed
    ]
    intervals = [a.name for a in attributes if isinstance(a, Attribute) and a.name not in guessed]
    if intervals and not notes:
        notes.append(
            f"For {', '.join(intervals)} it is supposed that ARX knew every value of the domain. If its hierarchy file "
            "listed only the values in the data, the order of the classes was another: give that file."
        )
    return notes


def _order(release: Release, *, guessed: bool) -> list[str]:
    if not isinstance(release.lattice, PartialLattice) and release.lattice.uniform:
        return []
    if guessed:
        why = "Since hierarchies are guessed, the loss of a state is not known"
    elif all(a.uniform for a in release.attributes):
        why = "Since ARX's rounding may have delayed a state"
    else:
        why = "Since intervals of a layer differ in share, the loss of a state depends on the data"
    text = f"{why}: only finer intervals are known to have been published before coarser ones."
    return [f"{text} The numbers of tables that remain are upper bounds."]


def _trouble(problems: Sequence[tuple[ClassAttack, str]], *, contradicted: bool, trouble: str) -> list[str]:
    notes = [text for _, text in problems]
    if contradicted:
        notes.append(
            "No data give this table with these settings, so it was not made by this algorithm with this k, profile "
            "and these hierarchies. ARX's programming interface, for one, has gsFactor 0.5 by default, which breaks "
            "the order. Nothing is claimed about it."
        )
    elif trouble and trouble not in notes:
        notes.append(f"The attack on all classes together was not made: {trouble}")
    return notes


def _cut_short(together: TightAttack) -> list[str]:
    if together.status != "timeout":
        return []
    if together.refused:
        return [f"How many tables remain when all classes are read together is not known: {together.refused}"]
    more = "" if together.complete else ", and there may be more certain cells than those listed"
    return [f"The time ran out: the attack on all classes together is incomplete{more}; allow more time."]


# ---------------------------------------------------------------- findings


def power(log10: float) -> str:
    """A number given by its decimal logarithm: ``1,234``, ``1.2 × 10¹⁵``."""
    if log10 < 7:
        return f"{round(10**log10):,}"
    exponent = math.floor(log10)
    mantissa = round(10 ** (log10 - exponent), 1)
    if mantissa >= 10:
        exponent, mantissa = exponent + 1, 1.0
    return f"{mantissa:.1f} × 10{str(exponent).translate(_SUPERSCRIPT)}"


def times(log10: float) -> str:
    """A ratio given by its decimal logarithm: ``1.6``, ``35``, ``2.1 × 10⁹``."""
    return f"{10**log10:.1f}" if log10 < math.log10(20) else power(log10)


def _many(count: int, one: str, many: str = "") -> str:
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def _findings(audited: Audit) -> list[str]:
    release = audited.release
    result = [_promise(audited)]
    if audited.contradicted:
        contrary = "This table contradicts the algorithm and the settings it is said to be made with."
        return [*result, f"{contrary} Nothing is claimed beyond what its intervals say."]
    if release.classes or release.outliers:
        result.append(_left(audited))
    result += _certain(audited)
    result += _probable(audited)
    result += _worst(audited)
    return result


def _promise(audited: Audit) -> str:
    release = audited.release
    sizes = [c.size for c in release.classes]
    text = f"The table shows {_many(release.records, 'record')} of {', '.join(release.study.names)}"
    if sizes:
        span = f"{min(sizes)}" if min(sizes) == max(sizes) else f"{min(sizes)} to {max(sizes)}"
        text += (
            f" in {_many(len(sizes), 'class', 'classes')} of {span} records: it promises that everybody in a class "
            f"shares their intervals with at least {release.k - 1} others"
        )
    else:
        text += ", none of them in a class"
    if release.outliers:
        text += f". {_many(release.outliers, 'record')} {'is' if release.outliers == 1 else 'are'} suppressed"
    return text + "."


def _left(audited: Audit) -> str:
    tight, parts = audited.tight, [p for p in audited.attack.parts if not p.contradiction]
    promised = sum(log10(p.lr_solutions) for p in parts)
    alone = sum(log10(p.cra_solutions) for p in parts)
    bound = "at most " if not audited.release.lattice.uniform else ""
    text = (
        f"Going by the intervals alone, {power(promised)} different tables of exact values are possible. "
        f"Read class by class, the attack leaves {bound}{power(alone)}"
    )
    if tight is None or tight.log10_worlds is None:
        return f"{text}; how many it leaves when all classes are read together is not known."
    together = power(tight.log10_worlds)
    if tight.relaxed:
        return (
            f"{text}; reading all classes together, at most {together}{'' if tight.worlds else ' (estimate)'} remain."
        )
    if tight.worlds is not None:
        return f"{text}; reading all classes together, exactly {together} remain (counted, shown rounded)."
    error = tight.log10_worlds_stderr or 0.0
    return (
        f"{text}; reading all classes together, about {together} remain (an estimate; the standard error of its "
        f"exponent is {error:.2f})."
    )


def log10(count: int) -> float:
    """The decimal logarithm of a whole number of any size; 0 for nothing to choose."""
    return math.log10(count) if count else 0.0


def predicate(release: Release, cell: Cell) -> str:
    """A cell as a description of a person."""
    return release.grid.describe(release.grid.cell_segment(cell))


# Why there may be more certain cells than were found: the time, or the order of formation.
_EXTENT = {
    False: ", as far as the time allowed to see",
    True: ", as far as what is known of the order of formation tells",
}


def _certain(audited: Audit) -> list[str]:
    if audited.tight is None:
        return []
    if not audited.isolated:
        extent = "" if audited.tight.complete else _EXTENT[audited.tight.relaxed]
        return [f"No cell is found to hold exactly one person for certain{extent}."]
    condition = "If the guessed hierarchies are the publisher's, " if audited.conditional else ""
    number = len(audited.isolated)
    start = (
        f"{condition}{_many(number, 'cell')} of the grid {'holds' if number == 1 else 'hold'} exactly one person for "
        "certain, known from the table alone"
    )
    result = [start[0].upper() + start[1:] + "."]
    result += [f"Exactly one person has {predicate(audited.release, cell)}." for cell in audited.isolated[:MOST_NAMED]]
    if number > MOST_NAMED:
        result.append(f"{number - MOST_NAMED} more are in the table of cells.")
    return result


def _probable(audited: Audit) -> list[str]:
    tight, chances = audited.tight, audited.chances
    expected = tight.expected_isolated if tight is not None else None
    how = "all classes read together"
    likely: list[tuple[float, Cell]] = []
    if tight is not None and expected is not None:
        certain = set(tight.isolated)
        likely = sorted((-p, cell) for cell, p in tight.cell_probabilities(1).items() if cell not in certain)
    elif chances is not None:
        expected, how = chances.expected_isolated, "each class read by itself"
        likely = sorted((-chance.probability, chance.cell) for chance in chances.cells)
    if expected is None:
        return []
    text = (
        f"On average over the tables that remain, {expected:.1f} cells hold exactly one person ({how}, every table "
        "taken as equally likely)"
    )
    if likely and likely[0][0] < 0:
        besides = "besides those that are certain " if audited.isolated else ""
        text += f"; {besides}the likeliest is {predicate(audited.release, likely[0][1])}, with {percent(-likely[0][0])}"
    return [text + "."]


def percent(probability: float) -> str:
    """A probability in percent; 100 % only where it is certain."""
    if probability < 0.001:
        return "less than 0.1 %"
    return "more than 99.9 %" if 0.999 < probability < 1 else f"{100 * probability:.1f} %"


def _worst(audited: Audit) -> list[str]:
    cut = [p for p in audited.attack.parts if not p.basic and not p.contradiction and p.ratio > 1]
    cut.sort(key=lambda p: -p.log10_ratio)
    result = []
    if cut:
        named = "; ".join(
            f"{p.title.lower()} ({_box(audited.release, p.segment)}, {_many(p.size, 'record')}): "
            f"{times(p.log10_ratio)} times fewer tables"
            for p in cut[:3]
        )
        result.append(f"The attack cuts deepest in {named}.")
    basic = sum(p.basic for p in audited.attack.classes)
    if basic:
        result.append(
            f"{_many(basic, 'class', 'classes')} {'lies' if basic == 1 else 'lie'} on a single cell: there the attack "
            "adds nothing to the published intervals."
        )
    return result


def _box(release: Release, segment: Segment) -> str:
    return "everything" if segment == release.grid.whole else release.grid.describe(segment)
