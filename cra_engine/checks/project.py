"""A project: where the work on a table stood, without the table: study, roles, rule, and what was decided and why."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from importlib.metadata import version
from typing import Any

import tomlkit
from pydantic import BaseModel, ConfigDict, ValidationError

from cra_engine.checks.rule import Rule
from cra_engine.checks.signed import unsigned
from cra_engine.errors import StudyError
from cra_engine.files.checked import Number, Whole, explain
from cra_engine.files.toml_text import parse_toml
from cra_engine.study.hierarchy_files import files_of
from cra_engine.study.study import Study

MOST_DECISIONS = 1000
ACCEPTED = "looked at and accepted: "  # how a decision begins that accepts a finding, whose text follows


@dataclass(frozen=True)
class Decision:
    """One decision in a check's project file.

    Attributes:
        when: the day, as ``2026-11-22``.
        what: what was decided.
        why: the reason; may be empty.
        table: of a finding that was accepted what tells the table in which it stood from others; empty for all else.
    """

    when: str
    what: str
    why: str = ""
    table: str = ""

    def __str__(self) -> str:
        """As a report lists it."""
        return f"{self.when}: {self.what}{f' ({self.why})' if self.why else ''}"


def accepted_in(decisions: Sequence[Decision]) -> dict[str, str]:
    """Return of a table's decisions, by the text of each finding that somebody accepted, when, why and who.

    What was accepted without a reason, or by nobody who is named, is asked anew.
    """
    return {
        one.what.removeprefix(ACCEPTED): f"Looked at and accepted on {one.when}: {one.why}"
        for one in decisions
        if one.what.startswith(ACCEPTED) and not unsigned(one.why)
    }


def about_table(decisions: Sequence[Decision], table: str = "") -> list[Decision]:
    """Return those decisions that a table's verdict rests on: all but findings that were accepted in another table.

    Args:
        decisions: of whoever decided, about several tables of the same people.
        table: what tells the table from others; empty for one that nobody has looked at yet.
    """
    return [one for one in decisions if not one.what.startswith(ACCEPTED) or (table and one.table == table)]


class _ProjectTable(BaseModel):
    model_config = ConfigDict(extra="forbid")

    table: str
    digest: str
    saved: date
    version: str = ""
    study: str
    hierarchies: dict[str, str] = {}


class _RuleTable(BaseModel):
    model_config = ConfigDict(extra="forbid")

    k: Whole | None = None
    l: Whole = 2  # noqa: E741 - the field's name for it
    t: Number | None = None
    highest_risk: Number | None = None
    alone: Number = Decimal("0.05")
    nobody_certain: bool = True
    names_meant: bool = False


class _DecisionTable(BaseModel):
    model_config = ConfigDict(extra="forbid")

    when: str
    what: str
    why: str = ""
    table: str = ""


class _ProjectFile(BaseModel):
    model_config = ConfigDict(extra="forbid")

    project: _ProjectTable
    rule: _RuleTable = _RuleTable()
    decision: list[_DecisionTable] = []


@dataclass(frozen=True)
class Project:
    """The project file of a check: where the work on a table stood; it holds no record.

    Attributes:
        table: the table's name.
        digest: tells the table from others; nothing of it can be read from that.
        study: hierarchies, k and roles.
        rule: what is demanded of a release.
        decisions: what was decided, the first first.

    >>> from cra_engine import Attribute
    >>> project = Project("people.csv", "2f1a", Study([Attribute("age", 0, 80, layers=3)], 5), Rule(l=3))
    >>> Project.from_toml_text(project.to_toml_text()) == project
    True
    """

    table: str
    digest: str
    study: Study
    rule: Rule
    decisions: Sequence[Decision] = ()

    def to_toml_text(self, on: date | None = None) -> str:
        """The project as the text of a file; hierarchies that came from files stand in it, too."""
        document = tomlkit.document()
        project = tomlkit.table()
        project["table"], project["digest"] = self.table, self.digest
        project["saved"], project["version"] = on or date.today(), version("cra-explorer")  # noqa: DTZ011 - a day
        project["study"] = tomlkit.string(self.study.to_toml_text(), multiline=True)
        files = files_of([*self.study.attributes, *self.study.trees_of_models])
        if files:
            project["hierarchies"] = files
        document["project"] = project
        document["rule"] = {name: value for name, value in self.rule.settings().items() if value is not None}
        if self.decisions:
            document["decision"] = decisions = tomlkit.aot()
            for one in self.decisions:
                table = tomlkit.table()
                table["when"], table["what"], table["why"] = one.when, one.what, one.why
                if one.table:
                    table["table"] = one.table
                decisions.append(table)
        return tomlkit.dumps(document)

    @classmethod
    def from_toml_text(cls, text: str, name: str = "project") -> "Project":
        """A project from the text of its file.

        Raises:
            StudyError: it is no project file, or something in it cannot be used.
        """
        raw = parse_toml(text, name)
        if "project" not in raw:
            raise StudyError(f"{name} is no project file: it has no [project]; a study file is taken on Hierarchies.")
        try:
            read = _ProjectFile.model_validate(raw)
        except ValidationError as error:
            raise StudyError(f"{name}: {explain(error)}") from None
        if len(read.decision) > MOST_DECISIONS:
            raise StudyError(f"{name} lists {len(read.decision):,} decisions, more than {MOST_DECISIONS:,}; drop some.")
        held = read.project.hierarchies

        def find(file: str) -> bytes:
            if file not in held:
                raise StudyError(f"{name} lacks the hierarchy {file!r} that its study names.")
            return held[file].encode()

        study = Study.from_toml_text(read.project.study, f"{name}, study", find)
        rule: dict[str, Any] = read.rule.model_dump()
        decisions = tuple(Decision(one.when, one.what, one.why, one.table) for one in read.decision)
        return cls(read.project.table, read.project.digest, study, Rule(**rule), decisions)
