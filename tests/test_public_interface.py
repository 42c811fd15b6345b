"""The public interface: few enough names and commands to hold in mind, and nothing of the former one lost.

The tables say what became of each name, command and page that the program had when the house was put in order; the
changelog shows them too.
"""

import ast
from importlib.metadata import version
from pathlib import Path

import typer

import cra_engine
from cra_dashboard.panels import menu
from cra_engine.cli.commands import app

ROOT = Path(__file__).parents[1]
# Twenty commands, and two that none of them can take in: publishable, which ends in an archive that may go out, and
# schema, which tells what the others print.
MOST_NAMES, MOST_COMMANDS = 75, 20

# The former names of ``cra_engine`` that stand in the same place.
FORMER = """
    Attack Attribute Audit CRAError Check Comparison Composition CompoundPredicates ContradictionError DataError
    Dominance Downcoding EffectiveAnonymity GlobalRecoding Heterogeneous Microaggregation PRule Population
    Recoding Release ReleaseError Repair RepairTargets Roles Rule SafeRecoding SensitiveCells
    SinglingChances SinglingOut Study StudyError TightAttack TooLargeError attack audit check
    compare compose compound_predicates downcode effective_anonymity global_recode heterogeneous is_minimal
    microaggregate minimal_release minimal_releases read_hierarchy read_population read_release read_table
    recode repair safe_recode sensitive_cells single_out synthesize tight_attack
"""

# Those that are imported from their room now: nearly everybody does without them.
MOVED = {
    "attacks": "Alone CellView ClassAttack Constraint Explanation mean_ratio owner_shares",
    "audits": "audit_html",
    "checks": "CheckedColumn Decision Finding Project check_html column_roles",
    "choices": "DecimalSign",
    "counting": "Enumeration",
    "experiments": "ClusterRates ClusterRun ClusterSimulation LadderRun LadderSimulation Plan cluster_rates "
    "simulate_clusters simulate_ladder",
    "files": "csv_text",
    "publish": "Buckets Candidate Iteration likeness_buckets",
    "raw": "DEFAULT_RECORDS ProposedRole Synthetic gaps_in propose_finest propose_roles roles_of",
    "release": "Owner ReleasedClass",
    "reports": "CheckedFile",
    "risk": "SingledClass",
    "study": "Cell FileHierarchy Grid Hierarchy Lattice Node PROFILES Role Segment State hierarchy_file hierarchy_text",
    "utility": "relative_error",
    "options": "Point",
}

# Those that are called otherwise now: the new name, in its room.
RENAMED: dict[str, tuple[str, str]] = {
    "cell_chances": ("assess", "Assessment"),
    "PrivacyModel": ("criteria", "LDiversity"),
    "Choice": ("options", "Option"),
    "ChoiceGrid": ("options", "OptionGrid"),
    "WaySettings": ("options", "OptionGrid"),
    "WhatIf": ("options", "Comparison"),
    "what_if": ("options", "compare"),
}

# The former commands; those that are another command's now, with what to write instead.
COMMANDS = """
    synthesize recode safe-recode global-recode microaggregate heterogeneous minimal repair attack enumerate single-out
    downcode compose check roles audit sensitive-cells effective-anonymity compare what-if experiment report
    simulate-downcoding dashboard
"""
COMMANDS_REPLACED = {
    "enumerate RELEASE.csv --class INDEX": "attack RELEASE.csv --list INDEX",
    "what-if DATA.csv": "compare DATA.csv --around",
    "report RESULTS.csv": "experiment --report RESULTS.csv",
    "simulate-downcoding clusters": "experiment --simulate clusters",
    "simulate-downcoding ladder": "experiment --simulate ladder",
    "dashboard": "cra-explorer",
}

# The former pages of the dashboard, each by its title, and what became of those that are gone.
PAGES = """
    Start, Story, Playground, Lessons, Glossary, Data, Hierarchies, Recode, Safe recode, Global recode, Microaggregate,
    Heterogeneous, Attack, Single out, Together, Downcode, Check, Audit, What if, Effective anonymity, Compare,
    Experiments
"""
PAGES_REPLACED = {
    "What if": "Other ways",
    "Compare": "Other ways",
    "Single out": "Who stands alone",
    "Together": "Several releases",
}


def defined_in(room: str) -> set[str]:
    """The names that the modules of a room of the engine define at their top."""
    modules = [*(ROOT / "cra_engine" / room).rglob("*.py"), ROOT / "cra_engine" / f"{room}.py"]
    names: set[str] = set()
    for module in modules:
        if not module.exists():
            continue
        for node in ast.parse(module.read_text(encoding="utf-8")).body:
            match node:
                case ast.ClassDef(name=name) | ast.FunctionDef(name=name):
                    names.add(name)
                case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                    names.add(name)
    return names


def test_the_names_can_be_held_in_mind_and_each_is_there():
    names = [name for name in dir(cra_engine) if not name.startswith("_")]
    assert len(names) <= MOST_NAMES
    for name in names:
        assert getattr(cra_engine, name) is not None


def test_the_version_is_that_of_the_installed_package():
    assert cra_engine.__version__ == version("cra-explorer")


def test_each_former_name_is_there_or_in_its_room():
    assert len([*FORMER.split(), *RENAMED, *" ".join(MOVED.values()).split()]) == 120
    public = set(dir(cra_engine))
    assert set(FORMER.split()) - public == set()
    for room, names in MOVED.items():
        assert set(names.split()) - defined_in(room) == set(), f"gone from the room {room}"
        assert not set(names.split()) & public
    for room, name in RENAMED.values():
        assert name in defined_in(room)


def test_each_former_command_is_there_or_replaced():
    registered = typer.main.get_command(app).commands
    assert len(registered) <= MOST_COMMANDS
    former = set(COMMANDS.split())
    assert len(former) == 24
    assert former - set(registered) == {was.split()[0] for was in COMMANDS_REPLACED}
    for instead in COMMANDS_REPLACED.values():
        name, *words = instead.split()
        if name == "cra-explorer":
            continue
        options = {option for parameter in registered[name].params for option in parameter.opts}
        assert {word for word in words if word.startswith("--")} <= options


def test_each_former_page_is_there_or_replaced():
    pages = {title for title, _ in menu.PAGES.values()}
    former = {title.strip() for title in PAGES.split(",")}
    assert len(former) == 22
    assert former - pages == set(PAGES_REPLACED)
    assert set(PAGES_REPLACED.values()) <= pages


def test_the_changelog_shows_what_became_of_each():
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    unreleased = text[text.index("## Unreleased") :]
    for room, names in MOVED.items():
        assert f"| `cra_engine.{room}` | {', '.join(f'`{name}`' for name in names.split())} |" in unreleased
    for was, (room, name) in RENAMED.items():
        assert f"| `{was}` | `{name}` of `cra_engine.{room}` |" in unreleased
    for was, now in COMMANDS_REPLACED.items():
        assert f"| `{was}` | `{now}` |" in unreleased
    for was, now in PAGES_REPLACED.items():
        assert f"| page {was} | page {now} |" in unreleased
