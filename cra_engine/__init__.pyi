# The public names, and where each lives.
from .attacks.composition.compose import Alone, Composition, compose
from .attacks.downcoding.attack import Downcoding, downcode
from .attacks.refinement.attack import Attack, attack
from .attacks.refinement.class_attack import ClassAttack
from .attacks.refinement.constraints import Constraint
from .attacks.refinement.owners import owner_shares
from .attacks.refinement.ratios import mean_ratio
from .attacks.tight.attack import tight_attack
from .attacks.tight.outcome import TightAttack
from .attacks.tight.views import CellView, Explanation
from .audits.audit import audit
from .audits.outcome import Audit
from .audits.report import audit_html, cell_chances
from .checks.check import check, column_roles
from .checks.outcome import Check, CheckedColumn, Finding
from .checks.project import Decision, Project
from .checks.report import check_html
from .checks.rule import Rule
from .choices import DecimalSign
from .counting.enumeration import Enumeration
from .criteria.concentration import Dominance, PRule
from .defences.comparison import Comparison, compare
from .defences.repair import Repair, RepairTargets, repair
from .defences.ways import WaySettings
from .errors import ContradictionError, CRAError, DataError, ReleaseError, StudyError, TooLargeError
from .experiments.downcoding import (
    ClusterRates,
    ClusterRun,
    ClusterSimulation,
    LadderRun,
    LadderSimulation,
    cluster_rates,
    simulate_clusters,
    simulate_ladder,
)
from .experiments.plan import Plan
from .files.csv_text import csv_text
from .files.tables import read_table
from .publish.full_domain.outcome import GlobalRecoding
from .publish.full_domain.recoding import global_recode
from .publish.heterogeneous.buckets import Buckets, likeness_buckets
from .publish.heterogeneous.result import Heterogeneous
from .publish.heterogeneous.scheme import heterogeneous
from .publish.local.recoding import Recoding, recode
from .publish.local.rounds import Candidate, Iteration
from .publish.local.safe import SafeRecoding, safe_recode
from .publish.microaggregation.microaggregate import Microaggregation, microaggregate
from .publish.minimal.every import minimal_releases
from .publish.minimal.release import is_minimal, minimal_release
from .raw.columns import gaps_in
from .raw.proposed_finest import propose_finest
from .raw.proposed_roles import ProposedRole, propose_roles, roles_of
from .raw.synthesis import DEFAULT_RECORDS, Synthetic, synthesize
from .release import Owner, Release, ReleasedClass, read_release
from .reports.filed import CheckedFile
from .risk.compound import CompoundPredicates, compound_predicates
from .risk.effective_anonymity import EffectiveAnonymity, effective_anonymity
from .risk.sensitive_cells import SensitiveCells, sensitive_cells
from .risk.singling import SingledClass, SinglingChances, SinglingOut, single_out
from .study.attribute import Attribute
from .study.file_hierarchy import FileHierarchy, read_hierarchy
from .study.grid import Cell, Grid, Segment
from .study.hierarchy import Hierarchy, Node
from .study.hierarchy_files import hierarchy_text
from .study.lattice import Lattice, State
from .study.population import Population, read_population
from .study.privacy import PrivacyModel
from .study.roles import Role, Roles
from .study.study import PROFILES, Study, hierarchy_file
from .utility.count_queries import relative_error
from .what_ifs.choices import Choice, ChoiceGrid
from .what_ifs.outcome import Point, WhatIf
from .what_ifs.run import what_if

__all__ = [
    "DEFAULT_RECORDS",
    "PROFILES",
    "Alone",
    "Attack",
    "Attribute",
    "Audit",
    "Buckets",
    "CRAError",
    "Candidate",
    "Cell",
    "CellView",
    "Check",
    "CheckedColumn",
    "CheckedFile",
    "Choice",
    "ChoiceGrid",
    "ClassAttack",
    "ClusterRates",
    "ClusterRun",
    "ClusterSimulation",
    "Comparison",
    "Composition",
    "CompoundPredicates",
    "Constraint",
    "ContradictionError",
    "DataError",
    "DecimalSign",
    "Decision",
    "Dominance",
    "Downcoding",
    "EffectiveAnonymity",
    "Enumeration",
    "Explanation",
    "FileHierarchy",
    "Finding",
    "GlobalRecoding",
    "Grid",
    "Heterogeneous",
    "Hierarchy",
    "Iteration",
    "LadderRun",
    "LadderSimulation",
    "Lattice",
    "Microaggregation",
    "Node",
    "Owner",
    "PRule",
    "Plan",
    "Point",
    "Population",
    "PrivacyModel",
    "Project",
    "ProposedRole",
    "Recoding",
    "Release",
    "ReleaseError",
    "ReleasedClass",
    "Repair",
    "RepairTargets",
    "Role",
    "Roles",
    "Rule",
    "SafeRecoding",
    "Segment",
    "SensitiveCells",
    "SingledClass",
    "SinglingChances",
    "SinglingOut",
    "State",
    "Study",
    "StudyError",
    "Synthetic",
    "TightAttack",
    "TooLargeError",
    "WaySettings",
    "WhatIf",
    "attack",
    "audit",
    "audit_html",
    "cell_chances",
    "check",
    "check_html",
    "cluster_rates",
    "column_roles",
    "compare",
    "compose",
    "compound_predicates",
    "csv_text",
    "downcode",
    "effective_anonymity",
    "gaps_in",
    "global_recode",
    "heterogeneous",
    "hierarchy_file",
    "hierarchy_text",
    "is_minimal",
    "likeness_buckets",
    "mean_ratio",
    "microaggregate",
    "minimal_release",
    "minimal_releases",
    "owner_shares",
    "propose_finest",
    "propose_roles",
    "read_hierarchy",
    "read_population",
    "read_release",
    "read_table",
    "recode",
    "relative_error",
    "repair",
    "roles_of",
    "safe_recode",
    "sensitive_cells",
    "simulate_clusters",
    "simulate_ladder",
    "single_out",
    "synthesize",
    "tight_attack",
    "what_if",
]
