"""Combinatorial Refinement Attacks on tables k-anonymized by ARX's local recoding: recode, attack, single out."""

from cra_engine.attack import Attack, attack
from cra_engine.class_attack import ClassAttack
from cra_engine.constraints import Constraint
from cra_engine.enumeration import Enumeration
from cra_engine.errors import CRAError, DataError, ReleaseError, StudyError, TooLargeError
from cra_engine.grid import Grid, Segment
from cra_engine.hierarchy import Attribute, Node
from cra_engine.lattice import Lattice
from cra_engine.recoding import Recoding, recode
from cra_engine.release import Release, ReleasedClass, read_release
from cra_engine.singling import SingledClass, SinglingChances, SinglingOut, single_out
from cra_engine.study import Study
from cra_engine.sweep import Candidate, Iteration
from cra_engine.synthesis import Synthetic, synthesize
from cra_engine.table import read_table
from cra_engine.tight import CellView, Explanation, TightAttack, tight_attack

__all__ = [
    "Attack",
    "Attribute",
    "CRAError",
    "Candidate",
    "CellView",
    "ClassAttack",
    "Constraint",
    "DataError",
    "Enumeration",
    "Explanation",
    "Grid",
    "Iteration",
    "Lattice",
    "Node",
    "Recoding",
    "Release",
    "ReleaseError",
    "ReleasedClass",
    "Segment",
    "SingledClass",
    "SinglingChances",
    "SinglingOut",
    "Study",
    "StudyError",
    "Synthetic",
    "TightAttack",
    "TooLargeError",
    "attack",
    "read_release",
    "read_table",
    "recode",
    "single_out",
    "synthesize",
    "tight_attack",
]
