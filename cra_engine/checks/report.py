"""The verdict as one page to print and file.

It holds settings, figures and what the release shows, and no record of the raw table.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from importlib.metadata import version
from importlib.resources import files

from cra_engine.assess.figure import figure_text, people_text
from cra_engine.checks.outcome import Check, CheckedColumn, Finding
from cra_engine.checks.rule import WRITTEN
from cra_engine.checks.unique_people import unique_figures
from cra_engine.checks.whole_rows import beside_text
from cra_engine.expected import expect
from cra_engine.reports.filed import CheckedFile, day_text
from cra_engine.reports.page import fill_template
from cra_engine.words import how_many, listed, percent, spoken

MOST_COLUMNS, MOST_FINDINGS = 14, 12
TITLES = {"ready": "Ready", "attention": "Attention", "stop": "Stop"}
MEANINGS = {
    "ready": "The rule lets this release go out.",
    "attention": "A person has to look at what the findings name before this release goes out.",
    "stop": "The rule does not let this release go out as it is.",
}
ALL_ACCEPTED = "Somebody has looked at all that the findings name and accepted it, with the reasons given there."
ACCEPTED = ", accepted by decision"
LEVELS = {"stop": "Stop", "attention": "Attention", "note": "Note"}
LIMITS = (
    "A verdict says what these questions found. It never shows that a release gives nothing away: who knows more than "
    "the quasi-identifiers, or holds another release of the same people, is not looked at."
)


def meaning_of(checked: Check) -> str:
    """Say what the check's verdict means, in a sentence."""
    accepted = checked.verdict == "attention" and checked.all_accepted
    return ALL_ACCEPTED if accepted else MEANINGS[checked.verdict]


def word_of(finding: Finding) -> str:
    """Say how grave a finding of the check is, and whether somebody accepted it: ``Attention, accepted``."""
    return f"{LEVELS[finding.level]}{', accepted' if finding.accepted else ''}"


def check_html(
    checked: Check,
    name: str = "",
    given: Sequence[CheckedFile] = (),
    *,
    decisions: Sequence[str] = (),
    decided_by: str = "",
    reason: str = "",
    on: date | None = None,
    of: int = 0,
) -> str:
    """Return the check's verdict as one self-contained page to print; names and labels are shown as text.

    Args:
        checked: what was looked at.
        name: of the table, for the title.
        given: the files, with their SHA-256.
        decisions: what was decided about the table, and why, as sentences.
        decided_by: who decides whether the table goes out; a line to sign on when left out.
        reason: why; a line to write on when left out.
        on: the day to write on it; today when left out.
        of: number of records that the raw table has, where some were left out before.

    >>> from cra_engine import check, synthesize
    >>> toy = synthesize("toy")
    >>> "toy.csv" in check_html(check(toy.data, toy.study), "toy.csv")
    True
    """
    expect(checked, Check, "check_html(checked)")
    columns = sorted(checked.columns, key=lambda column: (not column.identifying, not column.published))
    return fill_template(
        files("cra_engine.checks") / "report.html.j2",
        name=name,
        day=day_text(on),
        version=version("cra-explorer"),
        check=checked,
        verdict=f"{TITLES[checked.verdict]}{ACCEPTED if checked.all_accepted else ''}",
        meaning=meaning_of(checked),
        records=f"{checked.records:,} of {how_many(of, 'record')}" if of else how_many(checked.records, "record"),
        findings=[_finding(one) for one in checked.findings[:MOST_FINDINGS]],
        more_findings=[_finding(one) for one in checked.findings[MOST_FINDINGS:]],
        demands=list(zip(checked.rule.demands(checked.study.k), measured(checked), strict=True)),
        written=WRITTEN,
        given=given,
        figures=figures(checked),
        columns=[_column(column) for column in columns[:MOST_COLUMNS]],
        more_columns=[_column(column) for column in columns[MOST_COLUMNS:]],
        decisions=decisions,
        decided_by=decided_by,
        reason=reason or "; ".join(dict.fromkeys(one.accepted for one in checked.findings if one.accepted)),
        limits=LIMITS,
    )


def _finding(finding: Finding) -> tuple[str, Finding]:
    return word_of(finding), replace(finding, text=spoken(finding.text))


def _column(column: CheckedColumn) -> tuple[str, str, str, str]:
    published = "published" if column.published else "not published"
    return column.name, f"{column.role}, {published}", f"{column.distinct:,}", column.reason


def measured(checked: Check) -> list[str]:
    """Return what the check measured for each demand of its rule, in the order of the demands."""
    rule, unique, assessment = checked.rule, checked.unique, checked.assessment
    whole = checked.whole_rows
    beside = "" if whole is None else f"; with {beside_text(whole.columns)}, "
    said = ["no row shows anything" if checked.k is None else f"the smallest by {checked.k:,}"]
    if whole is not None and checked.k is not None:
        said[0] += f"{beside}by {whole.smallest:,}"
    if rule.l > 1:
        said.append(listed([f"{one.column}: {one.distinct_l:,}" for one in checked.diversity]) or "no sensitive column")
        if whole is not None and checked.diversity and whole.fewest:
            said[-1] += beside + listed([f"{name}: {fewest:,}" for name, fewest in whole.fewest.items()])
    if rule.t is not None:
        said.append(listed([f"{one.column}: {float(one.t):.2f}" for one in checked.diversity]) or "no sensitive column")
    said.append("nobody is shown" if checked.risk is None else f"at most {percent(float(checked.risk.prosecutor_max))}")
    said.append(f"{unique.people:,} of {unique.records:,}: {percent(unique.share)}")
    if rule.nobody_certain:
        known = assessment is not None and not assessment.contradiction and assessment.certain.value is not None
        part = "" if assessment is None or assessment.complete else ", among what was looked at"
        said.append(f"{int(assessment.certain.value or 0):,}{part}" if assessment and known else "not looked at")
    said.append((assessment and people_text(assessment.expected)) or "not looked at")
    said.append(f"{len(checked.undecided):,}")
    return said


def figures(checked: Check) -> list[tuple[str, list[tuple[str, str, str]]]]:
    """Return the check's figures by what they are about: a title, and per figure its name, its value, its meaning."""
    rows = [
        ("Anonymity", _anonymity(checked)),
        ("Risk of re-identification", _risk(checked)),
        ("Who is alone in the published file", unique_figures(checked.unique, checked.rule)),
        ("Diversity of sensitive columns", _diversity(checked)),
        ("The attack on the release alone", _attack(checked)),
        ("What is kept", _utility(checked)),
    ]
    return [(title, figures) for title, figures in rows if figures]


def _anonymity(checked: Check) -> list[tuple[str, str, str]]:
    return [
        (
            "Smallest class (k)",
            "none" if checked.k is None else str(checked.k),
            "records that show the same in all quasi-identifiers are a class; suppressed ones are in none",
        ),
        ("Classes", f"{checked.classes:,}", "different published rows"),
        (
            "Suppressed",
            f"{checked.suppressed:,} ({percent(checked.suppressed / checked.records)})",
            "records that show * in every quasi-identifier",
        ),
    ]


def _risk(checked: Check) -> list[tuple[str, str, str]]:
    risk = checked.risk
    if risk is None:
        return []
    rows = [
        (
            "Prosecutor, highest",
            percent(float(risk.prosecutor_max)),
            "who knows that a person is in the table: 1 / class size",
        ),
        ("Prosecutor, mean", percent(float(risk.prosecutor_mean)), "the same for a record on average"),
        (
            f"Records above {percent(float(risk.threshold))}",
            f"{risk.records_above:,}",
            "records whose prosecutor's risk is higher than the rule allows",
        ),
        (
            "Marketer",
            percent(float(risk.marketer)),
            "share of records that are matched rightly by somebody who wants to match as many as possible"
            + ("; the table taken for the population" if risk.journalist_max is None else ""),
        ),
    ]
    if risk.journalist_max is not None and risk.journalist_mean is not None:
        rows.append(
            (
                "Journalist, highest and mean",
                f"{percent(float(risk.journalist_max))}, {percent(float(risk.journalist_mean))}",
                "who looks among the population, not knowing who is in the table",
            )
        )
    return rows


def _diversity(checked: Check) -> list[tuple[str, str, str]]:
    return [
        (
            one.column,
            f"l = {one.distinct_l}, entropy l = {one.entropy_l:.2f}, t = {float(one.t):.2f}",
            f"by the class of fewest values, the least even one, and the one farthest away ({one.distance} distance)",
        )
        for one in checked.diversity
    ]


def _attack(checked: Check) -> list[tuple[str, str, str]]:
    assessment = checked.assessment
    if assessment is None or assessment.contradiction:
        return [("Combinatorial Refinement Attack", "not looked at", "a finding above says why")]
    alone = assessment.by_intervals.value
    expected = figure_text(assessment.expected)
    if assessment.expected.value is not None and alone is not None:
        expected += f" (intervals alone: {alone:.1f})"
    rows = [
        (
            "Singled out for certain",
            f"{'' if assessment.complete else 'at least '}{assessment.certain.value:,.0f}",
            "descriptions by finest intervals that fit exactly one person, whichever possible table is the true one",
        ),
        (
            "Singled out, expected",
            expected,
            f"the same on average over the tables that the attack leaves possible (prior {assessment.prior})",
        ),
    ]
    mean = assessment.mean_ratio
    if mean is not None:
        cut = [(known.ratio, known.box) for known in assessment.classes if known.ratio is not None]
        largest, box = max(cut, default=(1.0, ""))
        deep = "" if largest == 1.0 else f"; most in {box} ({_ratio(largest)})"
        rows.append(("Times fewer tables, mean", _ratio(mean), f"per class, each by itself{deep}"))
    return rows


def _ratio(value: float) -> str:
    return f"{value:,.2f}" if value < 1000 else f"{value:.3g}"


def _utility(checked: Check) -> list[tuple[str, str, str]]:
    kept = checked.utility
    losses = []
    if kept.loss is not None:
        losses.append(f"information lost {percent(kept.loss, 1)}")
    if kept.precision is not None:
        losses.append(f"lost precision {float(kept.precision):.3f}")
    if kept.entropy is not None:
        losses.append(f"entropy {kept.entropy:,.0f} bits")
    sizes = [f"average class {float(kept.aecs):.1f}", f"discernibility {kept.discernibility:,}"]
    return [("Losses", listed([*losses, *sizes]), "less is better in each; a suppressed record loses all")]
