# The public names, and where each lives.
from .attacks.refinement.attack import Attack, attack
from .attacks.refinement.class_attack import ClassAttack
from .attacks.refinement.constraints import Constraint
from .attacks.refinement.owners import owner_shares
from .attacks.refinement.ratios import mean_ratio
from .attacks.tight.attack import TightAttack, tight_attack
from .attacks.tight.views import CellView, Explanation
from .audits.audit import audit
from .audits.outcome import Audit
from .audits.report import audit_html, cell_chances
from .choices import DecimalSign
from .counting.enumeration import Enumeration
from .criteria.concentration import Dominance, PRule
from .errors import CRAError, DataError, ReleaseError, StudyError, TooLargeError
from .experiments.plan import Plan
from .files.csv_text import csv_text
from .files.tables import read_table
from .publish.full_domain.outcome import GlobalRecoding
from .publish.full_domain.recoding import global_recode
from .publish.heterogeneous.buckets import Buckets, likeness_buckets
from .publish.heterogeneous.result import Heterogeneous
from .publish.heterogeneous.scheme import heterogeneous
from .publish.local.recoding import Recoding, recode
from .publish.local.sweep import Candidate, Iteration
from .publish.microaggregation.microaggregate import Microaggregation, microaggregate
from .raw.synthesis import DEFAULT_RECORDS, Synthetic, synthesize
from .release import Owner, Release, ReleasedClass, read_release
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
from .study.study import PROFILES, Study, hierarchy_file
from .utility.count_queries import relative_error
from .what_ifs.choices import Choice, ChoiceGrid
from .what_ifs.outcome import Point, WhatIf
from .what_ifs.run import what_if

__all__ = [
    "DEFAULT_RECORDS",
    "PROFILES",
    "Attack",
    "Attribute",
    "Audit",
    "Buckets",
    "CRAError",
    "Candidate",
    "Cell",
    "CellView",
    "Choice",
    "ChoiceGrid",
    "ClassAttack",
    "Constraint",
    "DataError",
    "DecimalSign",
    "Dominance",
    "Enumeration",
    "Explanation",
    "FileHierarchy",
    "GlobalRecoding",
    "Grid",
    "Heterogeneous",
    "Hierarchy",
    "Iteration",
    "Lattice",
    "Microaggregation",
    "Node",
    "Owner",
    "PRule",
    "Plan",
    "Point",
    "Population",
    "PrivacyModel",
    "Recoding",
    "Release",
    "ReleaseError",
    "ReleasedClass",
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
    "WhatIf",
    "attack",
    "audit",
    "audit_html",
    "cell_chances",
    "csv_text",
    "global_recode",
    "heterogeneous",
    "hierarchy_file",
    "hierarchy_text",
    "likeness_buckets",
    "mean_ratio",
    "microaggregate",
    "owner_shares",
    "read_hierarchy",
    "read_population",
    "read_release",
    "read_table",
    "recode",
    "relative_error",
    "sensitive_cells",
    "single_out",
    "synthesize",
    "tight_attack",
    "what_if",
]
