"""Says what an audit has to say besides its findings: what is guessed, left out or cut short."""

from collections.abc import Sequence

from cra_engine.assess.assessment import Assessment
from cra_engine.assess.attacked import NO_TABLE
from cra_engine.attacks.refinement.attack import Attack, attack
from cra_engine.attacks.solver.views import NO_SOLVER
from cra_engine.audits.guessed_hierarchies import GuessedHierarchy
from cra_engine.audits.shown_labels import extent
from cra_engine.raw.proposed_roles import ProposedRole
from cra_engine.release import Release
from cra_engine.study.attribute import Attribute
from cra_engine.study.file_hierarchy import FileHierarchy
from cra_engine.study.hierarchy import Hierarchy
from cra_engine.words import how_many, listed

NOT_BY_ARX = (
    "One state fits all classes, and by ARX's local recoding with these settings no data give this table. So the order "
    "in which classes form is not used: all that is said holds for one state for all rows."
)
INTERFACE_FACTOR = "0.5"


def guesses(
    release: Release,
    proposals: Sequence[GuessedHierarchy],
    *,
    k_guessed: bool,
    profile_guessed: bool,
    models_guessed: bool,
) -> list[str]:
    """Note what an audit was not given, and what was taken in its place."""
    computed = {attribute.name: attribute for attribute in release.attributes}
    notes = [
        f"The hierarchy of {p.hierarchy.name!r} is guessed. {p.sure}{wider(p.hierarchy, computed[p.hierarchy.name])}"
        for p in proposals
    ]
    if k_guessed:
        notes.append(_guessed_k(release))
    if profile_guessed:
        notes.append(
            "How ARX was run is not known: the bounds are those of the desktop program's default, where a step must "
            "publish 1 % of all records. They hold for a single class per step too, where an attacker would know more."
        )
    if models_guessed:
        notes.append(
            "Whether more was asked for than k-anonymity is not known: k alone is supposed. Where l-diversity, "
            "t-closeness or another privacy model was, what is called certain can be false; a study, or ARX's project, "
            "says so."
        )
    return notes


def guessed_without_study(*, proposals: bool, profile: bool) -> str:
    """Say in a sentence what of an audited table's making is guessed; empty where nothing is."""
    guessed = {"hierarchies": proposals, "how ARX was run": profile}
    named = [name for name, is_guessed in guessed.items() if is_guessed]
    return f"Guessed without study or ZIP: {listed(named)}." if named else ""


def _guessed_k(release: Release) -> str:
    """Returns what k was taken, and what for."""
    smallest = min(release.classes, key=lambda one: one.size, default=None)
    based = "the size of the smallest group"
    if smallest is not None and smallest.size == release.k:
        alike = sum(one.size == release.k for one in release.classes)
        based = (
            f"the size of the smallest of {how_many(len(release.classes), 'group')}"
            f"{f' ({alike} have it)' if alike > 1 else ''}, such as {release.grid.describe(smallest.segment)}"
        )
    return (
        f"k is guessed: {release.k}, {based}. The real k is that or less; "
        "with a smaller one an attacker would know more."
    )


def left_out(silent: Sequence[str]) -> list[str]:
    """Note which columns an audit leaves out, as they show ``*`` everywhere."""
    return [f"The column {name!r} shows * in every row; it tells nothing and is left out." for name in silent]


def refuted(columns: Sequence[str]) -> list[str]:
    """Note which columns an audit leaves out, as the table would not be k-anonymous with them."""
    return [
        f"The column {name!r} shows plain values and * only, and with it somebody would stand alone: no k-anonymous "
        "table has such a quasi-identifier, so it is left out."
        for name in columns
    ]


def taken_as_sensitive(columns: Sequence[ProposedRole]) -> list[str]:
    """Note which columns an audit takes as sensitive, and why: nobody is supposed to know them of a person."""
    return [f"The column {one.name!r} is taken as sensitive: {one.reason}." for one in columns]


def in_doubt(columns: Sequence[str], known: Sequence[str]) -> str:
    """Say of which columns a released table cannot tell whether they are quasi-identifiers beside the known ones."""
    one = len(columns) == 1
    are, together = ("is a quasi-identifier", columns) if one else ("are quasi-identifiers", ["any one of these"])
    return (
        f"Whether {listed(columns)} {are} too, the table cannot tell: nobody stands alone by "
        f"{listed([*known, *together])} together."
    )


def wider(guess: Hierarchy, computed: Hierarchy) -> str:
    """Note over which domain everything in an audit is computed, where that is not the one that was guessed."""
    if not computed.numeric or (guess.lower, guess.upper) == (computed.lower, computed.upper):
        return ""
    return (
        f" All is computed with room beyond the labels, {extent(computed)}: suppressed records may lie there, and how "
        "far values go nobody said. Too much room leaves less certain, and nothing falsely so."
    )


def listed_values(attributes: Sequence[Hierarchy], proposals: Sequence[GuessedHierarchy]) -> list[str]:
    """Note which hierarchy files of an audit list only some values, and what is supposed where none was given."""
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


def factor_supposed(*, contradicted: bool, complete: bool) -> list[str]:
    """Note what an audit supposes of the coding model, and whether anything in the release speaks against it."""
    if contradicted:
        return []
    sign = (
        "Nothing in this table contradicts it, which does not prove it"
        if complete
        else "No class by itself contradicts it; all classes together were not looked at"
    )
    text = (
        "How ARX weighed suppression is not known: a g/s factor of 0 is supposed, as its desktop program has it for "
        f"local transformation unless somebody moved the slider of the coding model. {sign}. Its programming interface "
        "takes 0.5; then what is called certain here can be false, so say which it was."
    )
    return [text]


def other_factors(release: Release) -> list[str]:
    """Note whether another g/s factor would explain an audited table that contradicts 0."""
    other = Release(
        release.study,
        release.table,
        guessed=release.guessed,
        gs_factor=INTERFACE_FACTOR,
        counted=release.counted,
    )
    if any(part.contradiction and not part.coincident for part in attack(other).parts if not part.basic):
        return []
    text = (
        f"With a g/s factor of {INTERFACE_FACTOR}, the default of ARX's programming interface, no class is "
        "impossible: if that is how it was made, say so, and only what still holds is said."
    )
    return [text]


def supposed_of_records(attacked: Attack) -> list[str]:
    """Note what an audit supposes of records that may be alike, where it is not that they differ."""
    if attacked.prior.weights is not None:
        return ["Probabilities and numbers of tables weigh each record by the given shares of the population."]
    text = (
        "The boxes hold so few values that some records are expected to be alike in every quasi-identifier, and nobody "
        "knows how common each cell is. So every way to assign numbers of records to cells counts alike (prior "
        "assignments), and numbers of tables are numbers of such assignments."
    )
    return [text]


def trouble_met(assessment: Assessment, by_class: Attack) -> list[str]:
    """Note what an audit could not explain, count or run, or what ended before its time."""
    if assessment.recoding == "global":
        return list(assessment.missing)  # what local recoding would say of a class is not used
    notes = [part.problem for part in by_class.parts if not part.basic and part.problem is not None]
    if assessment.contradiction:
        return [*notes, f"{NO_TABLE} Nothing is claimed about it."]
    together = assessment.tight
    if together is None:
        return [*notes, *(f"The attack on all classes together was not made: {why}" for why in assessment.missing)]
    if together.status != "timeout" or NO_SOLVER in assessment.missing:
        return [*notes, *assessment.missing]
    if together.refused:
        return [*notes, f"How many tables remain when all classes are read together is not known: {together.refused}"]
    more = "" if assessment.complete else ", and there may be more certain cells than those listed"
    text = f"The time ran out: the attack on all classes together is incomplete{more}; allow more time."
    return [*notes, text]
