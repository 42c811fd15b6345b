"""The verdict as one page to print and file.

It holds settings, figures and what the release shows, and no whole row of the raw table.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from importlib.metadata import version
from importlib.resources import files

from cra_engine.assess.figure import figure_text
from cra_engine.attacks.prior import in_short
from cra_engine.checks.demands import (
    NAMES,
    OF_GROUPS,
    OF_SUPPRESSED,
    accepted_told,
    demands_of,
    suppressed_chance,
    suppressed_why,
)
from cra_engine.checks.findings import DEGREES
from cra_engine.checks.outcome import Check, CheckedColumn, Finding
from cra_engine.checks.rule import WRITTEN
from cra_engine.checks.sensitive_values import alike_text, shown_sentence, single_sentence, singles_by_decision
from cra_engine.checks.signed import signed
from cra_engine.checks.unique_people import unique_figures
from cra_engine.expected import expect
from cra_engine.reports.filed import CheckedFile, day_text
from cra_engine.reports.page import fill_template
from cra_engine.words import chance_at_most, how_many, percent, ranges, spoken

MOST_COLUMNS, MOST_FINDINGS = 14, 12
MOST_ROWS = 200  # letters of a list of rows that is not folded
TITLES = {"ready": "Ready", "attention": "Attention", "stop": "Stop"}
MEANINGS = {
    "ready": "The rule lets this release go out.",
    "attention": "A person has to look at what is not met or not known, and decide.",
    "stop": "The rule does not let this release go out as it is.",
}
WITHOUT_STUDY = "Judged without its study: a person has to decide."
ACCEPTED = ", accepted by decision"
LEVELS = {"stop": "Stop", "attention": "Attention", "note": "Note"}
# The codes of findings that say why the attack is not known.
UNKNOWN = ("made-otherwise", "attack-out-of-time", "attack-not-looked-at")
LIMITS = (
    "A verdict says what these questions found. It never shows that a release gives nothing away: who knows more than "
    "the quasi-identifiers, or holds another release of the same people, is not looked at."
)


def meaning_of(checked: Check) -> str:
    """Say what the check's verdict means."""
    if checked.verdict != "attention":
        stops = checked.verdict == "stop" and checked.rule.l > 1
        return " ".join([*(one.told for one in checked.shared if stops and one.people), MEANINGS[checked.verdict]])
    if checked.all_accepted:
        return accepted_told(checked)
    likely = next(one for one in demands_of(checked) if one.name == NAMES["expected"])
    many = likely.share is not None and likely.share > DEGREES[-1][0]
    told = f"{likely.measured[0].upper()}{likely.measured[1:]} would likely be alone. " if many else ""
    return f"{told}{WITHOUT_STUDY if checked.roles_guessed else MEANINGS['attention']}"


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
    kept: tuple[str, str] | None = None,
    rows: Sequence[tuple[str, Sequence[int]]] = (),
    notes: Sequence[str] = (),
    more_notes: tuple[str, Sequence[str]] = ("", ()),
) -> str:
    """Return the check's verdict as one self-contained page to print; names and labels are shown as text.

    Args:
        checked: what was looked at.
        name: of the table, for the title.
        given: the files, with their SHA-256.
        decisions: what was decided about the table, and why, as sentences.
        decided_by: who decides whether the table goes out; a line to sign on when left out.
        reason: why, which needs who decides; a line to write on when left out.
        on: the day to write on it; today when left out.
        of: number of records that the raw table has, where some were left out before.
        kept: how much of the raw table's detail is kept, and by what weights, where that was counted.
        rows: why rows of the raw table are not shown, each with their numbers in a spreadsheet.
        notes: what the publisher is to know besides, as sentences.
        more_notes: a list of the same that is opened, with what it is called.

    Raises:
        StudyError: a reason says nothing, or nobody is named who gives it.

    >>> from cra_engine import check, synthesize
    >>> toy = synthesize("toy")
    >>> "toy.csv" in check_html(check(toy.data, toy.study), "toy.csv")
    True
    """
    expect(checked, Check, "check_html(checked)")
    if reason:
        signed(reason, decided_by)
    names = [one.column for one in checked.diversity]
    asked, shown = singles_by_decision(checked.frame, names, decisions, checked.study.roles.as_values)
    told = [*(single_sentence(*one) for one in asked), *(shown_sentence(*one) for one in shown)]
    # No demand looks at them, so that they are no findings of the check; who signs has to see them there all the same.
    findings = [*(Finding("note", "single-value", one) for one in told), *checked.findings]
    figured = figures(checked)
    if kept:
        share, weights = kept
        figured.insert(-1, ("What is kept", [("Detail kept", share, weights)]))
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
        findings=[_finding(one) for one in findings[:MOST_FINDINGS]],
        more_findings=[_finding(one) for one in findings[MOST_FINDINGS:]],
        demands=demands_of(checked),
        written=WRITTEN,
        given=given,
        notes=[spoken(one) for one in notes],
        more_notes=more_notes,
        rows=[(why, how_many(len(those), "row"), ranges(those)) for why, those in rows if those],
        folded=MOST_ROWS,
        figures=figured[:-1],
        other_figures=figured[-1:],
        columns=[_column(column) for column in columns[:MOST_COLUMNS]],
        more_columns=[_column(column) for column in columns[MOST_COLUMNS:]],
        decisions=decisions,
        signed=checked.verdict != "ready" or bool(asked or decided_by or reason or checked.only_here),
        decided_by=decided_by,
        reason=reason or "; ".join(dict.fromkeys(one.accepted for one in checked.findings if one.accepted)),
        limits=LIMITS,
    )


def _finding(finding: Finding) -> tuple[str, Finding]:
    return word_of(finding), replace(finding, text=spoken(finding.text))


def _column(column: CheckedColumn) -> tuple[str, str, str, str]:
    published = "published" if column.published else "not published"
    return column.name, f"{column.role}, {published}", f"{column.distinct:,}", column.reason


def figures(checked: Check) -> list[tuple[str, list[tuple[str, str, str]]]]:
    """Return the check's figures by what they are about: a title, and per figure its name, its value, its meaning.

    The last holds what experts ask for besides.
    """
    rows = [
        ("Groups of people who look alike", _anonymity(checked)),
        ("Chance to pick somebody's row", _risk(checked)),
        ("Who is alone in the published file", unique_figures(checked.unique, checked.rule)),
        ("Different values of sensitive columns", _diversity(checked)),
        ("What somebody can work out from the file alone, by the attack", _attack(checked)),
        ("Other measures", [*_other_risks(checked), *_fewer_tables(checked), *_utility(checked)]),
    ]
    return [(title, figures) for title, figures in rows if figures]


def _anonymity(checked: Check) -> list[tuple[str, str, str]]:
    return [
        (
            "Smallest group (k)",
            "none" if checked.k is None else str(checked.k),
            "rows that show the same in all that others may know; suppressed rows are in none",
        ),
        ("Groups", f"{checked.classes:,}", "different rows, by what others may know (equivalence classes)"),
        (
            "Suppressed",
            f"{checked.suppressed:,} ({percent(checked.suppressed / checked.records)})",
            "rows that show * in all that others may know",
        ),
    ]


def _risk(checked: Check) -> list[tuple[str, str, str]]:
    risk = checked.risk
    if risk is None:
        return []
    suppressed = [(OF_SUPPRESSED, suppressed_chance(checked), suppressed_why(checked))] if checked.suppressed else []
    return [
        (
            f"{OF_GROUPS.capitalize()} at most",
            chance_at_most(risk.prosecutor_max),
            "for whoever knows that a person is in the table: 1 / rows of the group (prosecutor's risk)",
        ),
        *suppressed,
        (
            f"Rows above {percent(float(risk.threshold))}",
            f"{risk.records_above:,}",
            "rows whose chance is higher than the rule allows",
        ),
    ]


def _other_risks(checked: Check) -> list[tuple[str, str, str]]:
    risk = checked.risk
    if risk is None:
        return []
    rows = [
        ("Prosecutor, mean", percent(float(risk.prosecutor_mean)), "the chance to pick a row, on average over rows"),
        (
            "Marketer",
            percent(float(risk.marketer)),
            "share of rows that are matched rightly by somebody who wants to match as many as possible"
            + ("; the table taken for the population" if risk.journalist_max is None else ""),
        ),
    ]
    if risk.journalist_max is not None and risk.journalist_mean is not None:
        rows.append(
            (
                "Journalist, highest and mean",
                f"{percent(float(risk.journalist_max))}, {percent(float(risk.journalist_mean))}",
                "for somebody who looks among the population, not knowing who is in the table",
            )
        )
    return rows


def _diversity(checked: Check) -> list[tuple[str, str, str]]:
    return [
        (
            one.column,
            f"{one.distinct_l} at least",
            (
                f"in the group of fewest (entropy l: {one.entropy_l:.2f}; farthest from the table: "
                f"t = {float(one.t):.2f}, {one.distance} distance); {alike_text(one)}"
            ),
        )
        for one in checked.diversity
    ]


def _attack(checked: Check) -> list[tuple[str, str, str]]:
    assessment = checked.assessment
    if assessment is None or assessment.contradiction:
        reasons = [one.text for one in checked.findings if one.code in UNKNOWN]
        return [("Combinatorial Refinement Attack", "not looked at", " ".join(reasons) or "a finding above says why")]
    alone = assessment.by_intervals.value
    expected = figure_text(assessment.expected)
    if assessment.expected.value is not None and alone is not None:
        expected += f" (by the groups alone, without the attack: {alone:.1f})"
    return [
        (
            "Alone for certain",
            f"{assessment.certain.value:,.0f}",
            (
                "descriptions, by the finest groups that the table may show, that fit exactly one person in every "
                "table that the file leaves possible"
            ),
        ),
        (
            "Alone, expected",
            expected,
            (
                "people, by what others may know alone, on average over the tables that the file leaves possible, "
                f"{in_short(assessment.prior)}"
            ),
        ),
    ]


def _fewer_tables(checked: Check) -> list[tuple[str, str, str]]:
    assessment = checked.assessment
    if assessment is None or assessment.contradiction or assessment.mean_ratio is None:
        return []
    cut = [(known.ratio, known.box) for known in assessment.classes if known.ratio is not None]
    largest, box = max(cut, default=(1.0, ""))
    deep = "" if largest == 1.0 else f"; most in {box} ({_ratio(largest)})"
    meaning = f"how far the attack narrows the tables that are possible, per group, each by itself{deep}"
    return [("Times fewer tables, mean", _ratio(assessment.mean_ratio), meaning)]


def _ratio(value: float) -> str:
    return f"{value:,.2f}" if value < 1000 else f"{value:.3g}"


def _utility(checked: Check) -> list[tuple[str, str, str]]:
    kept, rows = checked.utility, []
    if kept.loss is not None:
        wide = "how wide the groups are, of all that their column may show; columns that others may know alone"
        rows.append(("Information lost", percent(kept.loss, 1), wide))
    if kept.precision is not None:
        steps = "how many steps of its hierarchy a cell was made coarser, of all steps there are; 0 to 1"
        rows.append(("Precision lost", f"{float(kept.precision):.3f}", steps))
    if kept.entropy is not None:
        guess = "how much harder the cells are to guess from what is shown in their place, all cells together"
        rows.append(("Entropy lost", f"{kept.entropy:,.0f} bits", guess))
    rows.append(
        ("Average group", f"{float(kept.aecs):.1f}", "rows per group; suppressed ones are one group more (AECS)")
    )
    like = "rows that each row looks like, added up; a suppressed row looks like all"
    return [*rows, ("Discernibility", f"{kept.discernibility:,}", like)]
