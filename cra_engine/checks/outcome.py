"""What the gate answers with."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import date
from fractions import Fraction
from importlib.metadata import version
from typing import ClassVar, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from cra_engine.assess.assessment import Assessment
from cra_engine.checks.rule import Rule, Verdict
from cra_engine.checks.shared_values import SharedValues
from cra_engine.checks.signed import unsigned
from cra_engine.criteria.diversity import Diversity
from cra_engine.errors import StudyError
from cra_engine.raw.proposed_roles import ALONE_TOLD, FEW_SHARE, UNTOLD, Numbers
from cra_engine.reports.filed import CheckedFile, today
from cra_engine.results import Json, Result, plain
from cra_engine.risk.known_sets import KnownSets
from cra_engine.risk.re_identification import ReIdentification
from cra_engine.study.roles import Role
from cra_engine.study.study import Study

Level = Literal["stop", "attention", "note"]
LEVELS: tuple[Level, ...] = ("stop", "attention", "note")


@dataclass(frozen=True)
class Finding:
    """One thing that the check found, with what to do about it.

    Attributes:
        level: ``"stop"``, ``"attention"`` or ``"note"``.
        code: what it is about, for programs: ``"k"``, ``"l-diversity"``, ``"identifying"``, ..
        text: one sentence.
        accepted: what somebody wrote who looked at it and accepted it; empty where nobody did. Nothing but what asks
            for attention can be accepted.
    """

    level: Level
    code: str
    text: str
    accepted: str = ""

    def to_dict(self) -> dict[str, str]:
        """As plain data; nothing is accepted there."""
        return {"level": self.level, "code": self.code, "text": self.text}

    def accepted_for(self, reasons: Mapping[str, str]) -> "Finding":
        """The same as somebody accepted it.

        Args:
            reasons: what somebody wrote, by the text of the finding.

        >>> Finding("attention", "population", "Look.").accepted_for({"Look.": "We know them."}).accepted
        'We know them.'
        >>> Finding("stop", "k", "Too few.").accepted_for({"Too few.": "Never mind."}).accepted
        ''
        """
        return replace(self, accepted=reasons.get(self.text, "") if self.level == "attention" else "")


@dataclass(frozen=True)
class CheckedColumn:
    """One column as the check sees it.

    Attributes:
        name: its name.
        role: what it is by the study.
        distinct: number of different values.
        identifying: True where it says, or nearly says, who somebody is, by its looks.
        direct: True where it says so by itself: a name, a number, an address.
        reason: what it looks like.
        proposed: the role that is proposed.
        published: True where the release has it.
        few_share: True where only how fine its values are speaks against keeping it; see
            :class:`cra_engine.raw.proposed_roles.ProposedRole`.
        only_here: True where somebody decided that nobody has a person's exact value from elsewhere.
        numbers: whether it holds numbers, and which; see :class:`cra_engine.raw.proposed_roles.ProposedRole`.
    """

    name: str
    role: Role
    distinct: int
    identifying: bool
    direct: bool
    reason: str
    proposed: Role
    published: bool
    few_share: bool = False
    only_here: bool = False
    numbers: Numbers = ""

    @property
    def alone(self) -> str:
        """How many records show a value that no other record shows, where they are many: ``148 of 150``; else empty."""
        many, told, _ = self.reason.partition(f" {ALONE_TOLD}")
        return many if told else ""

    @property
    def untold(self) -> bool:
        """True where nothing tells that others know it: a person's word on it holds, and until then they may."""
        return self.reason.startswith((UNTOLD, FEW_SHARE))

    @property
    def found_by(self) -> bool:
        """True where by what its cells are like people may be found by it.

        Of a column of which nothing tells what it is a person's word holds.
        """
        known = self.proposed == "quasi-identifier" and not self.reason.startswith(UNTOLD)
        exact = self.numbers == "others" and bool(self.alone) and not self.direct
        return known or self.few_share or exact

    @property
    def doubted(self) -> bool:
        """True where it goes out as sensitive, though by its looks others may know it.

        That only the publisher has them is believed of what is measured or scored there alone.
        """
        here = self.only_here and self.numbers == "measured"
        return self.published and self.role == "sensitive" and self.found_by and not here


@dataclass(frozen=True)
class UniquePeople:
    """How many people the check finds alone in the published file with what it shows of them.

    Sensitive columns are left out, as nobody is supposed to know them of a person, and so are those that say by
    themselves who somebody is, as everybody is alone by them; quasi-identifiers count as they are published.

    Attributes:
        records: number of records of the file.
        columns: the others that go out as they stand: kept, undecided, or published though they are to be removed.
        by_intervals: alone by the published quasi-identifiers.
        by_columns: alone by ``columns`` together.
        people: alone by both together.
        by_gaps: those of them whom others equal in all cells of theirs that are filled; None where there was no time.
        removed: columns without which no more are alone than the rule allows, the one that helps most first; none where
            that is so with them, where it does not do, or where there was no time.
        left: alone without these.
        with_sensitive: the same with the sensitive columns.
        doubted: the sensitive columns that others may know, by what their cells are like.
        by_doubted: alone by the published quasi-identifiers and these.
        asks: whether somebody has to say why nobody is found by these: not where only how few share their values speaks
            against them, and together they leave no more alone than the rule allows.
        by_column: per column that anybody is alone by, how many.
        by_size: alone by one column, by two and no fewer, .. up to the largest sets that were counted.
        sets: the smallest sets of columns that somebody is alone by, those of most people first, and how many.
    """

    records: int
    columns: tuple[str, ...]
    by_intervals: int
    by_columns: int
    people: int
    by_gaps: int | None
    removed: tuple[str, ...]
    left: int
    with_sensitive: int
    doubted: tuple[str, ...]
    by_doubted: int
    asks: bool
    by_column: Mapping[str, int]
    by_size: tuple[int, ...]
    sets: tuple[tuple[tuple[str, ...], int], ...]

    @property
    def share(self) -> float:
        """The share of people who are alone."""
        return self.people / max(self.records, 1)


@dataclass(frozen=True)
class WholeRows:
    """How many records are alike in a checked release by the quasi-identifiers and what goes out beside them.

    Attributes:
        columns: those beside them that go out as they stand; sensitive ones are left out.
        smallest: records of the smallest group by all of these; suppressed records are in groups by ``columns``.
        below: groups of fewer records than the rule demands of a class.
        fewest: per sensitive column the fewest different values that such a group shows.
        alike: per sensitive column of which a group shows one value only: how many groups do, and of the one with the
            rarest value that value and what its rows show.
    """

    columns: tuple[str, ...]
    smallest: int
    below: int
    fewest: Mapping[str, int]
    alike: Mapping[str, tuple[int, str, str]]

    def to_dict(self) -> dict[str, object]:
        """As plain data, without a value."""
        alike = {name: groups for name, (groups, _, _) in self.alike.items()}
        return {
            "columns": list(self.columns),
            "smallest": self.smallest,
            "below": self.below,
            "fewest_values": dict(self.fewest),
            "groups_alike": alike,
        }


@dataclass(frozen=True)
class Utility:
    """What a checked release keeps; less is better in each number.

    Attributes:
        loss: mean information loss by hierarchies, 0 to 1; None where a label stands in no hierarchy.
        discernibility: see :func:`cra_engine.utility.class_sizes.discernibility`.
        aecs: average class size; see :func:`cra_engine.utility.class_sizes.aecs`.
        precision: see :func:`cra_engine.utility.precision.precision`; None as ``loss``.
        entropy: bits that are lost; None without the raw table, or as ``loss``.
    """

    loss: float | None
    discernibility: int
    aecs: Fraction
    precision: Fraction | None
    entropy: float | None


@dataclass(frozen=True)
class Instead:
    """What the check's report says to publish instead, as a comparison of all ways found it.

    Attributes:
        label: the way, with its settings; None where no way fits.
        reason: why, in a sentence.
    """

    label: str | None
    reason: str


@dataclass(frozen=True, eq=False, repr=False)
class Check(Result):
    """The outcome of a check: whether a release may go out, and all that was looked at.

    Attributes:
        study: the publisher's.
        rule: what was demanded.
        verdict: ``"ready"``, ``"attention"`` or ``"stop"``.
        findings: what was found, the gravest first.
        columns: every column of the raw table, or of the release where there is no raw table.
        records: number of records of the release.
        suppressed: those that show nothing in any quasi-identifier.
        classes: number of classes.
        k: size of the smallest class; None where every record is suppressed.
        risk: the three textbook attackers; None likewise.
        unique: who is alone in the published file by all its columns together.
        diversity: per sensitive column; none where there is no class.
        assessment: what the release gives away by itself; None where that is not known, and a finding says why.
        utility: what is kept.
        frame: the release that was looked at.
        groups: its classes: row numbers from 0.
        warnings: sentences on what was read.
        overlapping: the groups by further sets of columns that somebody may know; None where none was given.
        whole_rows: the groups by all that a row prints but sensitive columns; None where nothing goes out as it stands.
        instead: what to publish instead, where that was looked for.
        shared: per sensitive column of which everybody in some group shows one value, these groups.
        roles_guessed: True where nobody said which columns others know: who is alone by them stops nothing.
    """

    COME_BY: ClassVar = "check first: check(data, study)"

    study: Study
    rule: Rule
    verdict: Verdict
    findings: tuple[Finding, ...]
    columns: tuple[CheckedColumn, ...]
    records: int
    suppressed: int
    classes: int
    k: int | None
    risk: ReIdentification | None
    unique: UniquePeople
    diversity: tuple[Diversity, ...]
    assessment: Assessment | None
    utility: Utility
    frame: pd.DataFrame
    groups: tuple[NDArray[np.int64], ...]
    warnings: tuple[str, ...] = ()
    overlapping: KnownSets | None = None
    whole_rows: WholeRows | None = None
    instead: Instead | None = None
    shared: tuple[SharedValues, ...] = ()
    roles_guessed: bool = False

    def recommending(self, label: str | None, reason: str) -> "Check":
        """The same with what to publish instead, as one more finding; the verdict stays."""
        instead = Finding("note", "instead", f"What to publish instead: {reason}")
        kept = tuple(one for one in self.findings if one.code != "instead")
        return replace(self, findings=(*kept, instead), instead=Instead(label, reason))

    def accepting(self, reasons: Mapping[str, str]) -> "Check":
        """The same with what somebody looked at and accepted; the verdict stays, and so does every finding.

        Args:
            reasons: what somebody wrote, by the text of the finding, with their name as
                :func:`cra_engine.checks.signed.signed` puts it; empty where it is not accepted.

        Raises:
            StudyError: a reason says nothing, or nobody is named who gives it.
        """
        for lacks in filter(None, (unsigned(why) for why in reasons.values() if why)):
            raise StudyError(lacks)
        return replace(self, findings=tuple(one.accepted_for(reasons) for one in self.findings))

    @property
    def only_here(self) -> tuple[str, ...]:
        """The published columns of which somebody decided that nobody has a person's exact value from elsewhere."""
        return tuple(column.name for column in self.columns if column.published and column.only_here)

    @property
    def all_accepted(self) -> bool:
        """True where all that asks for attention was looked at and accepted, and there is some."""
        asked = [one for one in self.findings if one.level == "attention"]
        return bool(asked) and all(one.accepted for one in asked)

    @property
    def left_open(self) -> tuple[Finding, ...]:
        """What of the findings keeps a checked release from going out: what stops it, and what nobody accepted."""
        return tuple(one for one in self.findings if one.level != "note" and not one.accepted)

    def summary(self) -> dict[str, object]:
        """The verdict, records, k, and how many findings there are."""
        findings = len(self.findings)
        return {"verdict": self.verdict, "records": self.records, "k": self.k, "findings": findings}

    def to_frame(self) -> pd.DataFrame:
        """A row per finding, the gravest first."""
        return pd.DataFrame([asdict(one) for one in self.findings], columns=["level", "code", "text", "accepted"])

    def to_dict(self, given: Sequence[CheckedFile] = (), on: date | None = None) -> Json:
        """As plain data, without a record of the table.

        Args:
            given: the files that were looked at.
            on: the day to write into it; today when left out.
        """
        risk, unique, assessment = self.risk, self.unique, self.assessment
        at_risk = ("prosecutor_max", "prosecutor_mean", "marketer", "records_above", "threshold", "journalist_max")
        spread = ("distinct_l", "entropy_l", "t", "distance")
        return plain(
            {
                "verdict": self.verdict,
                "findings": [one.to_dict() for one in self.findings],
                "columns": [asdict(column) for column in self.columns],
                "records": self.records,
                "suppressed": self.suppressed,
                "classes": self.classes,
                "k": self.k,
                "risk": risk and {name: getattr(risk, name) for name in (*at_risk, "journalist_mean")},
                "unique": {
                    "columns": unique.columns,
                    "alone": unique.people,
                    "alone_by_quasi_identifiers": unique.by_intervals,
                    "alone_by_columns": unique.by_columns,
                    "alone_by_gaps": unique.by_gaps,
                    "alone_with_sensitive": unique.with_sensitive,
                    "known_though_sensitive": unique.doubted,
                    "alone_if_known": unique.by_doubted,
                    "removed_to_meet_the_rule": list(unique.removed),
                    "by_column": unique.by_column,
                    "by_number_of_columns": unique.by_size,
                    "smallest_sets": [{"columns": names, "alone": people} for names, people in unique.sets],
                },
                "whole_rows": self.whole_rows and self.whole_rows.to_dict(),
                "also": self.overlapping and [asdict(one) for one in self.overlapping.each[1:]],
                "also_together": self.overlapping
                and asdict(self.overlapping.together) | {"by_number_of_columns": self.overlapping.by_size},
                "diversity": {own.column: {name: getattr(own, name) for name in spread} for own in self.diversity},
                "attack": None if assessment is None or assessment.contradiction else assessment.to_dict(),
                "utility": asdict(self.utility) | {"discernibility": str(self.utility.discernibility)},
                "instead": self.instead and {"recommended": self.instead.label, "reason": self.instead.reason},
                "rule": self.rule.settings(),
                "demands": self.rule.demands(self.study.k),
                "date": (on or today()).isoformat(),
                "version": version("cra-explorer"),
                "files": [asdict(file) for file in given],
                "warnings": [*self.warnings, *self.undecided],
            }
        )

    @property
    def identifying(self) -> tuple[CheckedColumn, ...]:
        """The columns that say, or nearly say, who somebody is, and have no role yet."""
        return tuple(column for column in self.columns if column.identifying and column.role == "undecided")

    @property
    def undecided(self) -> tuple[str, ...]:
        """A sentence for each of them that is published."""
        return tuple(one.text for one in self.findings if one.code in ("identifying", "nearly-identifying"))
