"""The plan of the page Experiments: put together there, or read from files; always by way of a plan file.

So what runs here is what the command line runs with the same file.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import pandas as pd

from cra_dashboard.places import ROOT
from cra_dashboard.session.uploads import File, unpacked
from cra_engine import Attribute, CRAError, DataError, Study, StudyError, options, read_table
from cra_engine.experiments.plan import Found, Plan
from cra_engine.files.tables import column_of
from cra_engine.files.toml_text import parse_toml
from cra_engine.study.file_hierarchy import FileHierarchy
from cra_engine.study.hierarchy import Hierarchy, hierarchy_file
from cra_engine.study.hierarchy_files import hierarchy_text

# A name that no hierarchy file of a study can have.
TABLE, STUDY, PLAN = "raw.table.csv", "study.toml", "plan.toml"
MOST_RUNS = 20_000
PAPER = ROOT / "plans" / "paper.toml"


@dataclass(frozen=True)
class SessionTable:
    """The session's own table as a plan on Experiments names it.

    Attributes:
        name: of the data set.
        table: the quasi-identifiers as read back from the file, and no other column.
        files: the table, the study and its hierarchy files, by name.
        study: the session's.
    """

    name: str
    table: pd.DataFrame
    files: dict[str, bytes]
    study: Study


def session_table(name: str, frame: pd.DataFrame, study: Study) -> SessionTable:
    """Return the files of the session's table and study, for a plan on Experiments.

    Raises:
        CRAError: a quasi-identifier is no column of the table, or two hierarchies would have one file name.
    """
    columns = pd.DataFrame({name: column_of(frame, name) for name in study.names})
    text = columns.to_csv(index=False, lineterminator="\n").encode()
    files = {TABLE: text, STUDY: study.to_toml_text().encode()}
    for attribute in study.attributes:
        if isinstance(attribute, FileHierarchy):
            file = hierarchy_file(attribute)
            if file in files:
                raise StudyError(f"Two columns would have the hierarchy file {file}; rename one of the columns.")
            files[file] = hierarchy_text(attribute).encode()
    return SessionTable(name, read_table(text, TABLE), files, study)


def built_plan(text: str, own: SessionTable | None) -> Plan:
    """Read the plan that was put together on Experiments.

    Args:
        text: of the plan file.
        own: the session's table, where records are drawn from it.

    Raises:
        CRAError: what was chosen does not go together.
    """
    return checked_plan(text, PLAN, None if own is None else plan_files({**own.files, TABLE: own.table}))


def read_plan(files: Sequence[File]) -> tuple[str, dict[str, bytes], Plan]:
    """Find the plan among files uploaded on Experiments, with the files that it names: all at once, or zipped.

    Returns:
        The plan's text, the other files by name, and the plan.

    Raises:
        CRAError: there is none or more than one, or it cannot be used.
    """
    given = dict(item for file in files for item in unpacked(file))
    # A study is a TOML file too; only a plan has data sets. One that cannot be read is taken, to say why it cannot.
    read = {name: _data_sets(content) for name, content in given.items() if name.lower().endswith(".toml")}
    plans = [name for name, there in read.items() if there] or [name for name, there in read.items() if there is None]
    if len(plans) != 1:
        raise StudyError(
            f"There {'is no plan' if not plans else f'are {len(plans)} plans'} among these files; give one TOML file "
            "with [[dataset]] in it, and the files that it names."
        )
    try:
        text = given.pop(plans[0]).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise StudyError(f"The plan {plans[0]} is not UTF-8 text; save it as a TOML file in UTF-8.") from None
    return text, given, checked_plan(text, plans[0], plan_files(given))


def _data_sets(content: bytes) -> bool | None:
    """Whether a TOML file has data sets; None where it is not TOML."""
    try:
        return "dataset" in parse_toml(content.decode("utf-8-sig"), "")
    except (UnicodeDecodeError, CRAError):
        return None


def checked_plan(text: str, name: str, find: Callable[[str], Found] | None) -> Plan:
    """Read the plan of a plan file, if the page Experiments can run it.

    Raises:
        CRAError: it cannot be used, or has more runs than a page should hold.
    """
    plan = Plan.from_toml_text(text, name, find)
    if plan.size > MOST_RUNS:
        raise StudyError(
            f"{name} has {plan.size:,} runs and this page does at most {MOST_RUNS:,}; take fewer samples, or run it on "
            "the command line with: cra-engine experiment."
        )
    return plan


def plan_files(files: Mapping[str, Found]) -> Callable[[str], Found]:
    """Return who gives files by name on Experiments, whatever folder a plan says; never this computer's."""

    def find(name: str) -> Found:
        base = name.replace("\\", "/").rpartition("/")[2]
        if base not in files:
            raise DataError(f"The file {base!r} that the plan names is not there; upload it together with the plan.")
        return files[base]

    return find


def possible_layers(attribute: Hierarchy) -> list[int]:
    """Return the numbers of layers that Experiments can give a hierarchy."""
    # One from a file keeps its own: the plan names that file.
    return [*options.possible_layers(attribute)] if isinstance(attribute, Attribute) else [attribute.layers]
