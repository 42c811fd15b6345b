"""Says what an audit found, and what it supposes of the publisher."""

from dataclasses import dataclass
from typing import ClassVar

import pandas as pd

from cra_engine.assess.assessment import Assessment
from cra_engine.assess.attacked import contradiction_of
from cra_engine.attacks.order import SortedColumn
from cra_engine.attacks.refinement.attack import Attack
from cra_engine.attacks.tight.outcome import TightAttack
from cra_engine.attacks.tight.sorted_rows import SortedRows
from cra_engine.audits.guessed_hierarchies import GuessedHierarchy
from cra_engine.audits.notes import guessed_without_study
from cra_engine.checks.outcome import Check, CheckedColumn
from cra_engine.checks.rule import Verdict
from cra_engine.release import Release
from cra_engine.results import Json, Result, plain
from cra_engine.study.grid import Cell
from cra_engine.words import listed, number_text


@dataclass(frozen=True, repr=False)
class Audit(Result):
    """The outcome of an audit: what a released table gives away.

    Attributes:
        release: the table as the attacker reads it.
        checked: it held against the check's rule, with what is guessed of it among the findings.
        assessment: what it gives away, and how sure each number is.
        attack: the attack on each class by itself, as local recoding.
        proposals: the hierarchies that were guessed from labels.
        k_guessed: True when k is the size of the smallest class.
        profile_guessed: True when nobody said how ARX was run.
        warnings: sentences on what is guessed, left out or cut short.
        findings: the outcome in plain sentences.
        gs_factor_supposed: True when nobody said how ARX weighed suppression: a g/s factor of 0 is supposed.
        in_order: per column by which the table can have been sorted what follows then: of the first by all classes
            together, of others, and where these could not be attacked, by the labels alone.
        doubtful: columns that may be quasi-identifiers besides those of the release, as far as the table tells.
        refuted: columns that look like quasi-identifiers, with which the table would not be k-anonymous.
    """

    COME_BY: ClassVar = "audit first: audit(table)"

    release: Release
    checked: Check
    assessment: Assessment
    attack: Attack
    proposals: tuple[GuessedHierarchy, ...]
    k_guessed: bool
    profile_guessed: bool
    warnings: tuple[str, ...]
    findings: tuple[str, ...] = ()
    doubtful: tuple[str, ...] = ()
    refuted: tuple[str, ...] = ()
    gs_factor_supposed: bool = True
    in_order: tuple[SortedRows | SortedColumn, ...] = ()

    def summary(self) -> dict[str, object]:
        """Records, k, and how many people are singled out for certain."""
        return {"records": self.release.records, "k": self.release.k, "isolated": len(self.isolated)}

    def to_frame(self) -> pd.DataFrame:
        """A row per sentence: whether it is a finding, a warning or something supposed, and its text."""
        said = [("finding", self.findings), ("warning", self.warnings), ("supposed", self.supposed)]
        rows = [(kind, text) for kind, texts in said for text in texts]
        return pd.DataFrame(rows, columns=["kind", "text"])

    def to_dict(self) -> Json:
        """As plain data: the keys of ``attack --tight --json``, with all warnings and the findings.

        Where nothing is claimed, or the attack on all classes together could not be made, ``tight`` is null.
        """
        grid, together = self.release.grid, None
        if self.tight is not None:
            together = self.tight.to_dict() | {
                "isolated": [grid.box(grid.cell_segment(cell)) for cell in self.isolated]
            }
        return plain(
            self.attack.to_dict()
            | {
                "warnings": self.warnings,
                "tight": together,
                "findings": self.findings,
                "supposed": self.supposed,
                "contradicted": self.contradicted,
                "verdict": self.verdict,
                "k_guessed": self.k_guessed,
                "gs_factor": number_text(self.release.gs_factor),
                "gs_factor_supposed": self.gs_factor_supposed,
                "doubtful": self.doubtful,
                "identifying": [{"column": one.name, "reason": one.reason} for one in self.identifying],
            }
        )

    @property
    def identifying(self) -> tuple[CheckedColumn, ...]:
        """The columns of an audited table that say who somebody is, by their looks."""
        return tuple(column for column in self.checked.columns if column.direct and column.role != "quasi-identifier")

    @property
    def verdict(self) -> Verdict:
        """Whether the table may go out by the check's rule, as far as it tells by itself."""
        return self.checked.verdict

    @property
    def contradicted(self) -> bool:
        """True when no data give this table under these settings: then nothing is claimed."""
        return bool(self.assessment.contradiction)

    @property
    def tight(self) -> TightAttack | None:
        """The attack on all classes together; None where it could not be made."""
        return self.assessment.tight

    @property
    def isolated(self) -> tuple[Cell, ...]:
        """The cells that hold exactly one person for certain, records alike or not."""
        return self.assessment.certain_cells

    def beyond_labels(self, cell: Cell) -> bool:
        """Return whether a cell lies where no label of a guessed hierarchy reaches."""
        leaves = (
            attribute.layer_nodes[0][place] for attribute, place in zip(self.release.attributes, cell, strict=True)
        )
        return any(leaf.gap and leaf.category for leaf in leaves)

    @property
    def cell_chances(self) -> list[tuple[Cell, float]]:
        """The assessment's chances per cell; empty where the check says that who stands alone was not looked at."""
        return [] if self.checked.assessment is None else self.assessment.cell_chances

    @property
    def chances(self) -> list[tuple[Cell, float]]:
        """The cells that may hold exactly one person with the chance of it, certain ones first; empty where unknown.

        Cells beyond the labels are left out unless they are certain: their chance would hang on how far values were
        guessed to go.
        """
        certain = set(self.isolated)
        return [one for one in self.cell_chances if one[0] in certain or not self.beyond_labels(one[0])]

    @property
    def conditional(self) -> bool:
        """True when what is said holds only if the guessed hierarchies are the publisher's."""
        return bool(self.proposals)

    @property
    def guessed(self) -> str:
        """Says what of an audited table's making is guessed without what would settle it; empty where nothing is."""
        return guessed_without_study(proposals=self.conditional, profile=self.profile_guessed)

    @property
    def supposed(self) -> tuple[str, ...]:
        """Returns what every finding supposes of the publisher; no table can show it."""
        study = self.release.study
        if study.safe:
            return (
                f"that the table was made by safe recoding with epsilon {study.epsilon}, drawn once",
                f"that k is {study.k}",
            )
        share, factor = study.share, self.release.gs_factor
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
            f"a g/s factor of {number_text(factor)} in every step (suppression {'' if factor else 'not '}counted in "
            f"the loss), and that {step} (profile {self.release.study.profile})"
        )
        if study.more_suppressed:
            made += ", of which the publisher suppressed more rows afterwards"
        if study.recoding == "repaired":
            made += ", of which the publisher merged or suppressed groups afterwards"
        if study.recoding == "global" or (self.assessment.recoding == "global" and contradiction_of(self.attack)):
            made = "that one state holds for all rows"
        return (
            made,
            trees,
            f"that {listed(study.names)} {'is' if len(study.names) == 1 else 'are'} all its quasi-identifiers",
            *(f"that no record stands alone in its quasi-identifiers, so that {name} is none" for name in self.refuted),
            f"that k is {self.release.k} or less" if self.k_guessed else f"that k is {self.release.k}",
        )
