"""Combinatorial Refinement Attacks on tables k-anonymized by ARX's local recoding: recode, attack, single out."""

from cra_engine.attacks.refinement.attack import Attack, attack
from cra_engine.attacks.refinement.class_attack import ClassAttack
from cra_engine.attacks.refinement.constraints import Constraint
from cra_engine.attacks.tight.attack import CellView, Explanation, TightAttack, tight_attack
from cra_engine.counting.enumeration import Enumeration
from cra_engine.errors import CRAError, DataError, ReleaseError, StudyError, TooLargeError
from cra_engine.files.tables import read_table
from cra_engine.publish.local.recoding import Recoding, recode
from cra_engine.publish.local.sweep import Candidate, Iteration
from cra_engine.raw.synthesis import Synthetic, synthesize
from cra_engine.release import Release, ReleasedClass, read_release
from cra_engine.risk.singling import SingledClass, SinglingChances, SinglingOut, single_out
from cra_engine.study.attribute import Attribute
from cra_engine.study.grid import Grid, Segment
from cra_engine.study.hierarchy import Node
from cra_engine.study.lattice import Lattice
from cra_engine.study.study import Study

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
