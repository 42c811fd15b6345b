"""The rule that decides whether a release may go out: what it demands, and how that is written beside the verdict."""

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Literal

from cra_engine.criteria.parameters import Number, share, whole
from cra_engine.words import chance_at_most, number_text, percent

Verdict = Literal["ready", "attention", "stop"]
ALONE = Fraction(1, 20)
MOST_EXPECTED = 1  # people whom the attack expects to be alone, from whom on somebody has to look


@dataclass(frozen=True)
class Rule:
    """The check's rule: what a release has to meet before it may go out; whoever publishes sets it.

    Args:
        k: smallest number of records that may share a published row; the study's k when left out.
        l: fewest different values of each sensitive column that a class may show; 1 demands nothing.
        t: largest distance of a class's sensitive values from the table's, 0 to 1; nothing is demanded when left out.
        highest_risk: largest prosecutor's risk of a record, 0 to 1; 1/k when left out.
        alone: largest share of people who may be alone in the published file with all that it shows of them but the
            sensitive columns, 0 to 1. Above it the release is stopped; up to it they ask for attention. One in twenty
            by default: a convention, as suppression limits have it; nobody's, 0, is the strictest.
        nobody_certain: whether the attack must single out nobody for certain.
        names_meant: whether somebody has looked at column names that look like the cells of a record: they are names.

    Raises:
        StudyError: a number out of its range.

    >>> Rule(k=5, l=2).demands(study_k=3)[0]
    'each group has at least 5 records'
    """

    k: int | None = None
    l: int = 2  # noqa: E741 - the field's name for it
    t: Fraction | None = None
    highest_risk: Fraction | None = None
    alone: Fraction = ALONE
    nobody_certain: bool = True
    names_meant: bool = False

    def __init__(
        self,
        k: int | None = None,
        l: int = 2,  # noqa: E741
        t: Number | None = None,
        highest_risk: Number | None = None,
        alone: Number = ALONE,
        *,
        nobody_certain: bool = True,
        names_meant: bool = False,
    ) -> None:
        """Check the numbers."""
        checked = {
            "k": None if k is None else whole(k, "The rule's k"),
            "l": whole(l, "The rule's l"),
            "t": None if t is None else share(t, "The rule's t"),
            "highest_risk": None if highest_risk is None else share(highest_risk, "The rule's highest risk"),
            "alone": share(alone, "The rule's share of people alone"),
            "nobody_certain": bool(nobody_certain),
            "names_meant": bool(names_meant),
        }
        for key, value in checked.items():
            object.__setattr__(self, key, value)

    def least(self, study_k: int) -> int:
        """The k that is demanded, for a study's."""
        return study_k if self.k is None else self.k

    def risk(self, study_k: int) -> Fraction:
        """The highest risk that is allowed, for a study's k."""
        return Fraction(1, self.least(study_k)) if self.highest_risk is None else self.highest_risk

    def asked(self, study_k: int, *, roles_guessed: bool = False) -> dict[str, str]:
        """What is demanded, by the code of the finding that says it is not so; each as words that begin small.

        Args:
            study_k: the k of the study.
            roles_guessed: whether nobody said which columns others know: what rests on that stops nothing.
        """
        stop = "would stop if somebody had said which columns are sensitive" if roles_guessed else "stop"
        more = f": any ask for attention, more than {percent(float(self.alone))} {stop}" if self.alone else ""
        picked = chance_at_most(self.risk(study_k))
        said = {
            "k": f"each group has at least {self.least(study_k)} records",
            "l-diversity": f"each group shows at least {self.l} different values of every sensitive column",
            "t-closeness": "no group is farther than t = "
            f"{decimal_text(self.t or Fraction())} from the table in a sensitive column",
            "risk": "nobody who knows what others may know of a person in a group picks the record with more than "
            f"{picked}",
            "alone": f"nobody is alone with what is published of them, sensitive columns left out{more}",
            "certain": "the attack singles out nobody for certain",
            "expected": f"the attack expects fewer than {MOST_EXPECTED} person to be alone: more ask for attention",
            "identifying": "no column that says who somebody is goes out undecided",
        }
        made = {"l-diversity": self.l > 1, "t-closeness": self.t is not None, "certain": self.nobody_certain}
        return {code: text for code, text in said.items() if made.get(code, True)}

    def demands(self, study_k: int) -> tuple[str, ...]:
        """What is demanded, each as words that begin small."""
        return tuple(self.asked(study_k).values())

    def settings(self) -> dict[str, object]:
        """As JSON and a project file have it; None for what follows the study."""
        return {
            "k": self.k,
            "l": self.l,
            "t": None if self.t is None else float(self.t),
            "highest_risk": None if self.highest_risk is None else float(self.highest_risk),
            "alone": float(self.alone),
            "nobody_certain": self.nobody_certain,
            **({"names_meant": True} if self.names_meant else {}),  # said of few tables
        }


def decimal_text(value: Fraction) -> str:
    """Write a share of the check's rule as a short decimal: ``0.2``, ``0.333``."""
    return number_text(Decimal(f"{float(value):.3f}"))


WRITTEN = (
    "Stop: the release does not meet one of these, or is not of this table. Attention: nothing of that but what is "
    "said to ask for attention, and a person has to look at it or decide; so too what was not looked at, or not to its "
    "end. Ready: neither; a note beside it asks nothing of anybody."
)
