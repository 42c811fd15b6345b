# The public names, and where each lives.
from .attacks.composition.compose import Composition, compose
from .attacks.downcoding.attack import Downcoding, downcode
from .attacks.refinement.attack import Attack, attack
from .attacks.tight.attack import tight_attack
from .attacks.tight.outcome import TightAttack
from .audits.audit import audit
from .audits.outcome import Audit
from .checks.check import check
from .checks.outcome import Check
from .checks.rule import Rule
from .criteria.concentration import Dominance, PRule
from .criteria.d_presence import DPresence
from .criteria.l_diversity import LDiversity
from .criteria.t_closeness import TCloseness
from .defences.repair import Repair, RepairTargets, repair
from .errors import ContradictionError, CRAError, DataError, ReleaseError, StudyError, TooLargeError
from .files.tables import read_table
from .options.compare import Comparison, compare
from .options.grid import OptionGrid
from .options.option import Option, Way
from .publish.full_domain.outcome import GlobalRecoding
from .publish.full_domain.recoding import global_recode
from .publish.heterogeneous.result import Heterogeneous
from .publish.heterogeneous.scheme import heterogeneous
from .publish.local.recoding import Recoding, recode
from .publish.local.safe import SafeRecoding, safe_recode
from .publish.microaggregation.microaggregate import Microaggregation, microaggregate
from .publish.minimal.every import minimal_releases
from .publish.minimal.release import MinimalRelease, is_minimal, minimal_release
from .raw.synthesis import synthesize
from .release import Release, read_release
from .risk.compound import CompoundPredicates, compound_predicates
from .risk.effective_anonymity import EffectiveAnonymity, effective_anonymity
from .risk.sensitive_cells import SensitiveCells, sensitive_cells
from .risk.singling import SinglingChances, SinglingOut, single_out
from .risk.values import WhoHasWhat, who_has_what
from .scenes.playground import playground
from .study.attribute import Attribute
from .study.file_hierarchy import read_hierarchy
from .study.population import Population, read_population
from .study.roles import Roles
from .study.study import Study
from .version import __version__ as __version__

__all__ = [
    "Attack",
    "Attribute",
    "Audit",
    "CRAError",
    "Check",
    "Comparison",
    "Composition",
    "CompoundPredicates",
    "ContradictionError",
    "DPresence",
    "DataError",
    "Dominance",
    "Downcoding",
    "EffectiveAnonymity",
    "GlobalRecoding",
    "Heterogeneous",
    "LDiversity",
    "Microaggregation",
    "MinimalRelease",
    "Option",
    "OptionGrid",
    "PRule",
    "Population",
    "Recoding",
    "Release",
    "ReleaseError",
    "Repair",
    "RepairTargets",
    "Roles",
    "Rule",
    "SafeRecoding",
    "SensitiveCells",
    "SinglingChances",
    "SinglingOut",
    "Study",
    "StudyError",
    "TCloseness",
    "TightAttack",
    "TooLargeError",
    "Way",
    "WhoHasWhat",
    "attack",
    "audit",
    "check",
    "compare",
    "compose",
    "compound_predicates",
    "downcode",
    "effective_anonymity",
    "global_recode",
    "heterogeneous",
    "is_minimal",
    "microaggregate",
    "minimal_release",
    "minimal_releases",
    "playground",
    "read_hierarchy",
    "read_population",
    "read_release",
    "read_table",
    "recode",
    "repair",
    "safe_recode",
    "sensitive_cells",
    "single_out",
    "synthesize",
    "tight_attack",
    "who_has_what",
]
