"""What is asked of a release as a list: each demand with its name, whether it is met, its figure, and what was found.

The page Check, the table that was taken there, the page Audit, the verdict to file and the command line show this list.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from cra_engine.assess.attacked import how_certain, how_likely
from cra_engine.assess.figure import people_text
from cra_engine.checks.findings import outsiders, share_expected, share_text
from cra_engine.checks.outcome import LEVELS, Check, Finding
from cra_engine.checks.rule import MOST_EXPECTED, Rule, decimal_text
from cra_engine.checks.sensitive_values import alike_text
from cra_engine.checks.signed import without_name
from cra_engine.words import chance_at_most, how_many, listed, percent

Mark = Literal["met", "not met", "not known"]

# In this order they are shown: first what makes all else idle; those of the rule, which always show, begin with "k".
NAMES = {
    "not-this-table": "a release of this very table",
    "no-names": "column names that are no data",
    "no-hierarchy": "values that the hierarchies explain",
    "k": "enough people who look alike",
    "l-diversity": "different sensitive values in every group",
    "t-closeness": "sensitive values spread as overall",
    "risk": "a small chance to be picked",
    "alone": "nobody alone with what is published",
    "certain": "nobody singled out for certain",
    "expected": "nobody likely to stand alone",
    "identifying": "nothing that says who somebody is",
    "who-has-what": "nobody's sensitive value known for certain",
    "also": "enough alike by other known columns",
    "also-together": "nobody alone by all known together",
    "population": "a population that holds everybody",
    "few-suppressed": "enough rows that fit no group",
    "suppressed-alike": "different sensitive values in hidden rows",
    "known-to-others": "all known columns in the groups",
    "undecided": "a role for every column",
    "removed-published": "nothing that is to be removed",
    "order": "row order that tells nothing",
    "way-not-known": "knowing how it was made",
    "guessed": "nothing guessed about its making",
    "in-doubt": "knowing which columns others know",
    "privacy-model": "the study's privacy models",
}
# Findings that belong to the demand of another code.
PART_OF = {
    "no-sensitive": "l-diversity",
    "all-suppressed": "k",
    "whole-rows": "k",
    "whole-rows-alike": "l-diversity",
    "identifying-kept": "identifying",
    "nearly-identifying": "identifying",
    "nearly-identifying-kept": "identifying",
    "made-otherwise": "certain",
    "attack-out-of-time": "certain",
    "attack-not-looked-at": "certain",
    "k-guessed": "k",
}
# Findings that say that a demand was not looked at, or not to the end.
NOT_LOOKED_AT = {
    "way-not-known",
    "guessed",
    "k-guessed",
    "in-doubt",
    "no-sensitive",
    "made-otherwise",
    "attack-out-of-time",
    "attack-not-looked-at",
}
OF_GROUPS, OF_SUPPRESSED = "of people in groups", "Of people suppressed"
NOBODY, NOT_TO_THE_END = "0, wanted 0", "0 found, not all looked at, wanted 0"
NOT_MET = "Not met or not known: "  # begins what was accepted, in how-to-read too
# Beside those of the rule: every table has such rows and columns, or has none, and tells so by itself.
ALWAYS = {"few-suppressed", "known-to-others"}


@dataclass(frozen=True)
class Demand:
    """One demand of the check as its list shows it.

    Attributes:
        name: what is asked for, in a few words.
        mark: whether it is met; ``"not known"`` where it was not looked at, or not to the end.
        figure: what was measured, beside what is wanted; empty where the findings alone tell.
        asked: the rule's sentence, as what is wanted unless it is met, and how sure the figure is; empty for what the
            rule has no number for.
        findings: what was found of it, the gravest first.
        share: of the people whom it does not hold for; None where it counts none.
    """

    name: str
    mark: Mark
    figure: str
    asked: str
    findings: tuple[Finding, ...]
    share: float | None = None

    @property
    def title(self) -> str:
        """The name, as what is wanted where the figure beside it does not say so: it would read as what was found."""
        return self.name if self.mark == "met" or "wanted" in self.figure else f"wanted: {self.name}"

    @property
    def measured(self) -> str:
        """What was measured, without what is wanted; empty where the findings alone tell."""
        return self.figure.partition(", wanted")[0]

    @property
    def said(self) -> str:
        """The title and the figure in a line."""
        return f"{self.title}: {self.figure}" if self.figure else self.title


def asked_of(rule: Rule, k: int) -> dict[str, str]:
    """Return the sentences of a check's rule by the names of the demands that they are about, for a study's k."""
    return {NAMES[code]: text for code, text in rule.asked(k).items()}


def demand_of(finding: Finding) -> str:
    """Return the name of the demand that a check's finding is about."""
    return NAMES[PART_OF.get(finding.code, finding.code)]


def unmet(findings: Iterable[Finding]) -> list[str]:
    """Return the names of the demands that some findings are about, each once, in the order of the list.

    >>> unmet([Finding("stop", "certain", "3 descriptions ..."), Finding("stop", "k", "2 groups ...")])
    ['enough people who look alike', 'nobody singled out for certain']
    """
    about = {demand_of(one) for one in findings}
    return [name for name in NAMES.values() if name in about]


def asking(checked: Check) -> list[str]:
    """Return the demands that ask somebody to look at a checked release, each with its figure: what is to accept."""
    return [
        f"{one.name}, but {one.measured}" if one.measured else one.name
        for one in demands_of(checked)
        if any(finding.level == "attention" for finding in one.findings)
    ]


def accepted_told(checked: Check, *, named: bool = True) -> str:
    """Say what was accepted in a checked release, each demand with its figure, and why; empty where nothing was.

    Args:
        checked: what was found.
        named: whether it is said who accepted it.
    """
    reasons = [one.accepted for one in checked.findings if one.accepted]
    if not reasons:
        return ""
    why = dict.fromkeys(reasons if named else map(without_name, reasons))
    return f"{NOT_MET}{'; '.join(asking(checked))}. {'. '.join(why)}."


def notes_of(checked: Check) -> tuple[str, ...]:
    """Return what a checked release tells although its demands are met, as sentences, the gravest first.

    These are values by which a row is found, then sensitive values that more than half of a group share, but not all,
    the largest share first, then all other notes.
    """
    notes = [one for one in checked.findings if one.level == "note"]
    found_by = [one.text for one in notes if one.code == "nearly-identifying-kept"]
    chances = [(Fraction(*one.most_alike), one) for one in checked.diversity]
    alike = sorted((one for one in chances if Fraction(1, 2) < one[0] < 1), key=lambda one: -one[0])
    others = [one.text for one in notes if one.code not in ("nearly-identifying-kept", "instead")]
    return (*found_by, *(_sentence(alike_text(one)) for _, one in alike), *others)


def demands_of(checked: Check) -> tuple[Demand, ...]:
    """Return the demands that were made of a checked release: what stops it first, then what asks for attention."""
    found = dict[str, list[Finding]]()
    for one in checked.findings:
        if one.code != "instead":
            found.setdefault(PART_OF.get(one.code, one.code), []).append(one)
    figures, asked = dict(_figures(checked)), checked.rule.asked(checked.study.k, roles_guessed=checked.roles_guessed)
    shares = dict(_shares(checked))
    unknown = {code for code, figure in figures.items() if not figure}
    if _k_guessed(checked):  # what was read off the table is met by it in any case
        unknown.add("risk")
        asked |= {"k": "", "risk": "what is wanted is one in k, and k is not known"}
    said = [(code, name) for code, name in NAMES.items() if code in asked or code in found or code in ALWAYS]
    marks = {code: _mark(found.get(code, []), known=code not in unknown) for code, _ in said}
    if marks["known-to-others"] == "not met" and not _known_by_decision(checked):
        marks["known-to-others"] = "not known"
    if marks.get("certain") == "not known" and figures["certain"] == NOBODY:
        figures["certain"] = NOT_TO_THE_END
    rows = [
        Demand(
            name,
            marks[code],
            figures.get(code) or ("not looked at" if code in unknown else ""),
            " ".join(filter(None, (_asked(asked.get(code, ""), marks[code]), _more(checked, code)))),
            tuple(found.get(code, ())),
            shares.get(code),
        )
        for code, name in said
    ]
    # Of those that are as grave and count people, that of more people goes first; all others keep their places.
    places = {name: place for place, name in enumerate(NAMES.values())}
    counts = places[NAMES["alone"]]
    return tuple(
        sorted(
            rows,
            key=lambda row: (_gravity(row), places[row.name] if row.share is None else counts, -(row.share or 0.0)),
        )
    )


def _mark(found: list[Finding], *, known: bool) -> Mark:
    grave = [one for one in found if one.level != "note"]
    if any(one.code not in NOT_LOOKED_AT for one in grave):
        return "not met"
    return "met" if known and not grave else "not known"


def _gravity(demand: Demand) -> int:
    worst = min((LEVELS.index(one.level) for one in demand.findings), default=len(LEVELS))
    return min(worst, LEVELS.index("note")) if demand.mark == "met" else min(worst, LEVELS.index("attention"))


def _asked(demand: str, mark: Mark) -> str:
    return _sentence(demand if mark == "met" or not demand else f"wanted: {demand}")


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}." if text else ""


def suppressed_chance(checked: Check) -> str:
    """The chance to pick the row of a person who is suppressed; of groups the rule's highest risk speaks."""
    return chance_at_most(Fraction(1, checked.suppressed))


def suppressed_why(checked: Check) -> str:
    """Why that is the chance."""
    rows, shows = how_many(checked.suppressed, "row"), "shows" if checked.suppressed == 1 else "show"
    return f"whoever fits no group is in the {rows} that {shows} * in all that others may know"


def _more(checked: Check, code: str) -> str:
    """How sure the figure of a demand is, and what stands behind it, as sentences."""
    if code == "l-diversity":
        shared = {one.column for one in checked.shared}
        told = (one for one in checked.diversity if one.column not in shared)
        return " ".join(_sentence(f"in {one.column}: {alike_text(one)}") for one in told)
    if code == "alone" and (with_them := checked.unique.with_sensitive) > checked.unique.people:
        share = percent(with_them / checked.unique.records)
        return f"For somebody who knows the sensitive columns, too, {with_them:,} ({share}) would be alone."
    if code == "few-suppressed" and checked.suppressed:
        return "They are the rows in which the columns that others may know are all *."
    if code == "risk" and checked.suppressed and checked.risk:
        apart = f"It asks nothing of people suppressed, about whom “{NAMES['few-suppressed']}” asks"
        return f"{apart}: for them the chance is {suppressed_chance(checked)}, since {suppressed_why(checked)}."
    known = checked.assessment
    if known is None or known.contradiction:
        why = (one.text for one in checked.findings if demand_of(one) == NAMES["certain"] and one.code in NOT_LOOKED_AT)
        return next(why, "") if code == "expected" else ""
    return how_certain(known) if code == "certain" else how_likely(known) if code == "expected" else ""


def _figures(checked: Check) -> Iterator[tuple[str, str]]:
    """The figure of each demand of the rule beside what is wanted; empty where it was not looked at."""
    rule, least, whole, alone = checked.rule, checked.rule.least(checked.study.k), checked.whole_rows, checked.unique
    known = None if checked.assessment is None or checked.assessment.contradiction else checked.assessment
    printed = (
        "" if whole is None or whole.smallest == checked.k else f" (with all that is published: {whole.smallest:,})"
    )
    smallest = "no row shows anything"
    if checked.k is not None:
        smallest = f"smallest group: {checked.k:,}, wanted {least:,}{printed}"
        if _k_guessed(checked):
            smallest = f"k is not known; the smallest group has {checked.k:,}{printed}"
    yield "k", smallest
    fewest = sorted(checked.diversity, key=lambda one: one.distinct_l)[:1]
    of = [f"fewest: {one.distinct_l:,} of {one.column}, wanted {rule.l:,}" for one in fewest]
    for one in checked.shared:
        if one.beside:
            of = [f"fewest: 1 of {one.column} with {listed(one.beside)}, wanted {rule.l:,}"]
    none = "no sensitive column"
    if any(one.code == "no-sensitive" for one in checked.findings):
        none = "nobody said which column is sensitive"
    yield "l-diversity", "".join(of) or none
    if rule.t is not None:
        farthest = sorted(checked.diversity, key=lambda one: -one.t)[:1]
        far = [f"farthest: {float(one.t):.2f} in {one.column}, wanted {decimal_text(rule.t)}" for one in farthest]
        yield "t-closeness", "".join(far) or none
    wanted = "one in k" if _k_guessed(checked) else chance_at_most(rule.risk(checked.study.k))
    highest = checked.risk and chance_at_most(checked.risk.prosecutor_max)
    whose = f"{OF_GROUPS} " if checked.suppressed else ""  # who is suppressed may be picked with a higher chance
    yield "risk", f"{whose}at most {highest}, wanted {wanted}" if highest else "nobody is shown"
    people = how_many(alone.records, "person", "people")
    shares = {code: f" ({share_text(share)})" if share else "" for code, share in _shares(checked)}
    told = f"{alone.people:,} of {people}{shares.get('alone', '')}, wanted 0"
    yield "alone", told if alone.columns else "nothing goes out beside groups and sensitive columns"
    certain = None if known is None else known.certain.value
    more = "" if known is None or known.complete or not certain else "at least "
    found = f"{more}{certain or 0:,.0f} of {people}{shares.get('certain', '')}, wanted 0"
    yield "certain", "" if certain is None else found if certain else NOBODY
    likely = known and people_text(known.expected)
    told = f"{likely} of {people}{shares.get('expected', '')}, wanted fewer than {MOST_EXPECTED}"
    yield "expected", told if likely else ""
    named = [
        one.name
        for one in checked.columns
        if one.published and (one.direct or (one.identifying and one.role == "undecided"))
    ]
    yield "identifying", f"{listed(named) if named else 'no column'}, wanted none"
    known_of, doubted = listed(outsiders(checked.columns)), listed(list(alone.doubted))
    why = "" if not known_of or _known_by_decision(checked) else f" (guessed: nobody said who knows {known_of})"
    told = f"{alone.by_doubted:,} of {people}{shares.get('known-to-others', '')} alone if others know {doubted}"
    outside = f"{known_of or 'no column'} outside the groups"
    both = [outside, told] if known_of and doubted else [told] if doubted else [outside]
    most = f"at most {percent(float(rule.alone))}" if doubted and not (known_of or alone.asks) else "none"
    yield "known-to-others", f"{'; '.join(both)}, wanted {most}{why}"
    told_of = known.who_has_what if known else None
    if told_of is not None and (values := len(told_of.certain)):
        share = shares.get("who-has-what", "")
        yield "who-has-what", f"{told_of.at_least}{values:,} of {people}{share}, wanted 0"
    hidden = any(one.code == "few-suppressed" and one.level == "note" for one in checked.findings)
    many = "k" if _k_guessed(checked) else f"{least:,}"
    sensitive = any(column.role == "sensitive" and column.published for column in checked.columns)
    enough = f"wanted 0, or {many} and more" + ", or their sensitive values hidden" * sensitive
    rows = how_many(checked.suppressed, "row")
    yield "few-suppressed", f"{rows}, and their sensitive values are hidden" if hidden else f"{rows}, {enough}"


def _shares(checked: Check) -> Iterator[tuple[str, float]]:
    """The share of the people whom a demand does not hold for, of those demands that count people."""
    alone = checked.unique
    if alone.columns and alone.records:
        yield "alone", alone.people / alone.records
    if alone.doubted and alone.records:
        yield "known-to-others", alone.by_doubted / alone.records
    known = None if checked.assessment is None or checked.assessment.contradiction else checked.assessment
    if known is None or not alone.records:
        return
    if known.certain.value is not None:
        yield "certain", min(known.certain.value / alone.records, 1.0)
    if known.who_has_what is not None and known.who_has_what.certain:
        yield "who-has-what", len(known.who_has_what.certain) / alone.records
    if (share := share_expected(known, alone.records)) is not None:
        yield "expected", share


def _known_by_decision(checked: Check) -> bool:
    """Whether somebody decided to keep a column that goes out as it stands and that others may know."""
    kept = {column.name for column in checked.columns if column.role == "kept"}
    return checked.unique.asks or not kept.isdisjoint(outsiders(checked.columns))


def _k_guessed(checked: Check) -> bool:
    """Whether the k that an audited table is held against was read off that very table."""
    return any(one.code == "k-guessed" for one in checked.findings)
