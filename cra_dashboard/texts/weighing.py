"""How possible tables weigh, in words that stand in other sentences."""

from collections.abc import Mapping

from cra_dashboard.texts import words
from cra_engine import Attack, Composition, TightAttack
from cra_engine.attacks.refinement.class_attack import ClassAttack
from cra_engine.choices import Prior
from cra_engine.options import weights_text

# What a release's records are supposed to be like: the choice, and what it means.
PRIORS: dict[Prior | None, tuple[str, str]] = {
    None: ("What the release suggests", "They all differ, unless by the intervals some are surely alike."),
    "distinct": ("They all differ", "The paper's: every table of different records is equally likely."),
    "independent": (
        "Each takes any values, alike or not",
        "All combinations of values are equally likely for each record; tables count in any order of their rows.",
    ),
    "assignments": (
        "They may be alike, and how common a cell is nobody knows",
        "All ways to assign numbers of records to the finest cells are equally likely.",
    ),
}
SHARES_HELP = "Columns attribute,lower,upper,share or attribute,value,share; for example age,0,20,0.18."
_EXACT = (
    "*Promised* counts those that the published interval alone allows: all a trivial attacker knows. *Remaining* "
    "counts those that the attack leaves. Both are exact, not estimates."
)
_WEIGHED = (
    "*Promised* is the weight of the tables that the published interval alone allows, *remaining* of those that the "
    "attack leaves: exact, but only how they compare tells something."
)
_COUNTED = {
    "distinct": f"fill in the exact values of a class's records, no two of them alike. {_EXACT}",
    "independent": f"fill in the exact values of a class's records, alike or not, row by row. {_EXACT}",
    "assignments": f"assign the numbers of a class's records to the finest cells. {_EXACT}",
    "population": f"fill in a class's records, weighed by the shares of the file. {_WEIGHED}",
}
OTHER_WEIGHTS = "In **Settings** you choose what records are like: chances change with it."


def counted(attack: Attack) -> str:
    """Say to readers what is counted as a table, and on what every conclusion rests."""
    return f"A *table* here is one way to {_COUNTED[attack.prior.name]} {supposed(attack)}"


def one_table(attack: Attack | Composition, people: str = "the people of this class") -> str:
    """Say to readers in a clause what one table of a class, or of other people, is, beside how many there are."""
    if attack.prior.name == "assignments":
        return f"one way to say how many of {people} are in each finest cell"
    return f"one way to give {people} exact values"


def supposed(attack: Attack) -> str:
    """Say to readers what is supposed of the publisher, beside everything that is called certain."""
    if attack.release.study.safe:
        return "Supposed: that the table was published by safe recoding, with these hierarchies and k."
    factor = attack.release.gs_factor
    said = "0, as it is for local transformation unless somebody changed it" if not factor else f"{float(factor):g}"
    return f"Supposed: these hierarchies and k, and a g/s factor of {said}."


def tables(of: Attack | ClassAttack | TightAttack, number: str) -> str:
    """Write for pages so many tables, or tables of such a weight."""
    return f"tables that weigh {number} together" if of.prior.weights else f"{number} tables"


def likely(of: Attack | ClassAttack | TightAttack) -> str:
    """Say to readers how the tables weigh of which a chance speaks, as a clause that stands beside every chance."""
    if of.weighted if isinstance(of, ClassAttack) else of.release.study.safe:
        return "if tables weigh what safe recoding gives them"
    if isinstance(of, ClassAttack) and of.coincident:
        return "if all tables that are left are equally likely, its records alike where they must be"
    return of.prior.supposed


def formulas_hold(of: Attack | ClassAttack) -> bool:
    """Return whether the pages' formulas are those of what is shown: the paper's, for k and records that differ."""
    return of.prior.name == "distinct" and of.models is None


OTHER_FORMULAS = (
    "The formulas of the page are those for records that differ, and k alone. Here the same sum goes over the same "
    'parts, with other factors: the documentation of the method has them, under "Priors" and "Other privacy models".'
)


def detail_counted(weights: Mapping[str, float]) -> str:
    """Say on any page that tells a share of detail what it is a share of, and what each column counts of it."""
    return words.plain(
        "Lost and kept are parts of all the detail in your table: every value just as it stands there is 100 %, a "
        "date as fine as the study has it. A column in coarser groups keeps a part of its detail, one that is left out "
        "keeps nothing. "
        f"{words.sentence(weights_text(weights))}. Every page counts it so: lost is what is not kept."
    )
