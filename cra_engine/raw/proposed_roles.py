"""The roles that a table's columns are proposed to have, each with its reason."""

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Literal

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from cra_engine.blocks import counted
from cra_engine.expected import expect, expect_each
from cra_engine.raw.column_looks import Look
from cra_engine.raw.column_relations import date_parts, twin_of
from cra_engine.study.roles import Role, Roles
from cra_engine.words import how_many, listed, percent

Identifying = Literal["directly", "nearly", "no"]
Numbers = Literal["measured", "others", ""]
# Begins the reason of a column of which a person alone can say what it is: until then others may know it.
UNTOLD = "nothing in its name or its cells says what it is"
FEW_SHARE = "few people share its values"  # likewise of one whose values would leave people alone, whatever it is
# Ends the reason of a column that nearly says who somebody is by itself.
ALONE_TOLD = "records show a value that no other record shows, and whoever knows it of a person finds the row"
FEWEST = 20  # records from which it says something that all values differ
MOST_COMPARED = 12  # columns that others may know with which every other column is compared
DatePart = tuple[tuple[str, ...], str, bool]
BESIDE = "beside "  # how it begins that a column nearly says who somebody is, together with another
ALONE, TOGETHER, MANY_VALUES = 0.2, 0.5, 50  # shares of records alone with their value, and values of a measurement
# In groups of so many at least, as tables are recoded, a column that goes out as it stands may leave so few records
# alone with their value: the check stops a table for more.
GROUP, APART = 8, 0.05


@dataclass(frozen=True)
class ProposedRole:
    """The role that is proposed for a raw column, by its looks.

    Attributes:
        name: the column.
        role: ``"removed"``, ``"sensitive"``, ``"kept"`` or ``"quasi-identifier"``.
        identifying: ``"directly"`` (a name, a number, an address), ``"nearly"`` (values so fine that who knows one
            knows the row), or ``"no"``.
        reason: why, in a few words that begin small: ``all 500 values differ``.
        distinct: number of different values, empty cells left out.
        known_to_others: whether others may know it of a person by what it is, not only by how fine its values are.
        few_share: whether nothing but how fine its values are speaks against keeping it: in groups of eight they would
            leave more than one in twenty alone.
        numbers: ``"measured"`` where its cells are numbers that, by its name or their unit, a laboratory or a nurse
            measures or a practice scores; ``"others"`` where they are numbers that somebody may have from elsewhere;
            else empty.
    """

    COME_BY: ClassVar = "take what propose_roles(data) gives"

    name: str
    role: Role
    identifying: Identifying
    reason: str
    distinct: int
    known_to_others: bool = False
    few_share: bool = False
    numbers: Numbers = ""


def propose_roles(
    data: pd.DataFrame, quasi_identifiers: Collection[str] = (), times: NDArray[np.int64] | None = None
) -> tuple[ProposedRole, ...]:
    """Propose a role for each column of a raw table, from its name and its values.

    What is found is looks, not knowledge: a name that nobody expects, or a code that somebody can look up, is found by
    people alone.

    Args:
        data: the raw table.
        quasi_identifiers: columns that are quasi-identifiers already.
        times: how many records each row stands for; one when left out.

    >>> people = pd.DataFrame({"e-mail": ["a@x.org", "b@x.org"], "age": [34, 35], "diagnosis": ["flu", "flu"]})
    >>> [(found.name, found.role) for found in propose_roles(people, ["age"])]
    [('e-mail', 'removed'), ('age', 'quasi-identifier'), ('diagnosis', 'sensitive')]
    >>> propose_roles(people)[0].reason
    'its cells are e-mail addresses'
    """
    expect(data, pd.DataFrame, "propose_roles(data)")
    quasi_identifiers = expect_each(quasi_identifiers, str, "propose_roles(quasi_identifiers)")
    return roles_by_looks(looks_of(data, times), quasi_identifiers)


def looks_of(data: pd.DataFrame, times: NDArray[np.int64] | None = None) -> tuple[Look, ...]:
    """Return what the columns of a raw table look like, each record standing for so many; one when left out."""
    return tuple(Look.of(data.iloc[:, position], times) for position in range(data.shape[1]))


def roles_by_looks(looks: Sequence[Look], quasi_identifiers: Collection[str]) -> tuple[ProposedRole, ...]:
    """Return :func:`propose_roles` of a table whose columns were looked at already."""
    known = [look for look in looks if look.name in quasi_identifiers]
    likely = [*known, *(look for look in looks if look not in known and look.called("quasi"))][:MOST_COMPARED]
    parts, crowd = date_parts(looks), _crowd(known)
    proposed = (_proposed(look, known, likely, parts.get(look.name), crowd) for look in looks)
    return tuple(replace(one, numbers=look.numbers) for one, look in zip(proposed, looks, strict=True))


def _crowd(known: list[Look]) -> float:
    """How many records show the same in all that others know, as a record finds them; few are joined by recoding."""
    if not known:
        return math.inf  # nothing tells yet into which groups the records come
    codes = np.zeros(len(known[0].codes), dtype=np.int64)
    for look in known:
        codes = pd.factorize(codes * (look.distinct + 1) + look.codes + 1)[0]
    alike = counted(codes, int(codes.max(initial=0)) + 1, known[0].times)
    return max(GROUP, float((alike**2).sum() / max(alike.sum(), 1)))


def _proposed(look: Look, known: list[Look], likely: list[Look], part: DatePart | None, crowd: float) -> ProposedRole:
    if any(other.name == look.name for other in known):
        return ProposedRole(look.name, "quasi-identifier", "no", "published as intervals or groups", look.distinct)
    direct = "" if look.medical else _direct(look, part)
    if direct:
        return ProposedRole(look.name, "removed", "directly", direct, look.distinct)
    near = _near(look, known)
    if look.medical:
        return _made(look, "sensitive", near, f"its cells are {look.medical}")
    if look.called("seen"):
        return _made(look, "quasi-identifier", near, "by its name something that others see or hear of a person")
    if look.called("sensitive"):
        reason = "by its name something that nobody is to learn of a person"
        return _made(look, "sensitive", near, reason)
    known_to_others = _known_to_others(look, part)
    twin = _twin(look, likely)
    if known_to_others or twin or near:
        made = _made(look, "quasi-identifier", near, "; ".join(filter(None, (known_to_others, twin))))
        return replace(made, known_to_others=bool(known_to_others))
    if look.records >= FEWEST and (look.decimals or look.distinct >= MANY_VALUES):
        fine = "numbers with decimals, " if look.decimals else ""
        return _made(look, "quasi-identifier", "", f"{fine}{_shared(look)}")
    if look.distinct > 1 and not look.called("birth") and (look.nameless or not look.numeric):
        return _made(look, "quasi-identifier", "", f"{UNTOLD}; {_shared(look)}")
    few = look.records >= FEWEST and look.alone_among(GROUP) > APART
    if few and look.alone_among(crowd) > APART:
        return replace(_made(look, "quasi-identifier", "", f"{FEW_SHARE}; {_shared(look)}"), few_share=True)
    return ProposedRole(look.name, "kept", "no", _shared(look), look.distinct, few_share=few)


def _known_to_others(look: Look, part: DatePart | None) -> str:
    """Returns why others may know a column of a person; empty where it does not look so."""
    if part is not None:
        return f"with {listed([name for name in part[0] if name != look.name])} it is a date"
    if look.coordinate:
        return "a place on a map"
    if look.called("quasi"):
        return "by its name something that others may know of a person"
    kinds = {
        "dates": look.dates,
        "sexes": look.sexes,
        "postal codes": look.postal,
        "years": look.nameless and look.years,
        "whole numbers as ages are": look.nameless and look.ages,
    }
    return next((f"its cells are {kind}" for kind, seen in kinds.items() if seen), "")


def _twin(look: Look, likely: list[Look]) -> str:
    """Returns why a column says the same as one that others may know; empty where it does not."""
    twin = twin_of(look, likely) if look.records >= FEWEST else ""
    return f"it says much the same as {twin}: one determines the other" if twin else ""


def _made(look: Look, role: Role, near: str, reason: str) -> ProposedRole:
    why = "; ".join(part for part in (near, reason) if part)
    return ProposedRole(look.name, role, "nearly" if near else "no", why, look.distinct)


def _direct(look: Look, part: DatePart | None) -> str:
    """Returns why a column says who somebody is; empty where it does not look so."""
    if not look.records:
        return ""
    if part is not None and part[1] == "day" and part[2]:
        return f"with {listed([name for name in part[0] if name != look.name])} it is a date of birth"
    if look.email:
        return "its cells are e-mail addresses"
    if look.birth:
        return "its cells are dates of birth"
    if look.address:
        return "its cells are addresses"
    if look.telephone:
        return "its cells are telephone numbers"
    if look.number:
        return "its cells are insurance, patient or other numbers of a person"
    if look.person:
        return "its cells look like names of people"
    if look.free_text:
        return "its cells are free text, in which anything can stand"
    if (
        look.distinct == look.records >= FEWEST
        and not look.dates
        and (not look.numeric or look.whole)
        and not _amount(look)
    ):
        return f"all {look.distinct:,} values differ"
    return ""


def _amount(look: Look) -> bool:
    """Returns whether whole numbers that all differ may be an amount that happens to be fine, such as an income."""
    return look.numeric and (look.called("quasi") or look.called("sensitive"))


def _near(look: Look, known: list[Look]) -> str:
    """Why a column nearly says who somebody is, though each value alone says little; empty where it does not."""
    if look.records < FEWEST:
        return ""
    if look.alone >= ALONE * look.records and (look.numeric or look.dates or look.distinct > MANY_VALUES):
        return alone_text(look)
    if not (look.numeric or look.dates) or look.distinct < MANY_VALUES:
        return ""
    for other in known:
        alone, pairs = look.alone_beside(other)
        if nearly_alone(alone, pairs) and alone > 2 * other.alone:
            return beside_text(other.name, alone, pairs)
    return ""


def nearly_alone(alone: int, pairs: int) -> bool:
    """Return whether so many of the records that show a pair of raw values are alone that the pair nearly says who."""
    return 0 < alone >= TOGETHER * pairs


def beside_begins(other: str) -> str:
    """Return how :func:`beside_text` begins, by the other raw column's name."""
    return f"{BESIDE}{other} it is shown by nobody else for "


def beside_text(other: str, alone: int, pairs: int) -> str:
    """Say for what share of records nobody else shows a pair of raw values, and what that means."""
    share = percent(alone / max(pairs, 1))
    return f"{beside_begins(other)}{share} of the records, and whoever knows both of a person may find the row"


def alone_text(look: Look) -> str:
    """Say how many records show a value of their own in a column that looks so, and what that means."""
    return f"{look.alone:,} of {look.records:,} {ALONE_TOLD}"


def _shared(look: Look) -> str:
    if not look.records:
        return "it is empty"
    least = int(look.counts.min())
    return f"{how_many(look.distinct, 'different value')}, the rarest shown by {how_many(least, 'record')}"


def roles_of(proposals: Collection[ProposedRole], *, keep: bool = False) -> Roles:
    """Return a raw table's roles to begin with: what identifies directly is removed; sensitive goes by names.

    All other columns stay undecided until somebody has looked at them.

    Args:
        proposals: one per column.
        keep: also keep the columns that are proposed to be kept.

    >>> people = pd.DataFrame({"e-mail": ["a@x.org", "b@x.org"], "diagnosis": ["flu", "flu"], "ward": ["A", "A"]})
    >>> roles_of(propose_roles(people))
    Roles(remove=('e-mail',), sensitive=('diagnosis',), keep=(), as_values=(), only_here=())
    """
    proposals = expect_each(proposals, ProposedRole, "roles_of(proposals)")
    chosen: dict[Role, list[str]] = {"removed": [], "sensitive": [], "kept": []}
    for proposal in proposals:
        taken = proposal.role == "removed" or (proposal.role == "sensitive" and proposal.identifying == "no")
        if taken or (keep and proposal.role == "kept"):
            chosen[proposal.role].append(proposal.name)
    return Roles(chosen["removed"], chosen["sensitive"], chosen["kept"])


def undecided(data: pd.DataFrame, roles: Roles, names: Collection[str]) -> tuple[str, ...]:
    """Say of each raw column that identifies, or nearly, and is published, that nobody has decided so.

    Args:
        data: the raw table.
        roles: the roles of its columns.
        names: the columns that are generalized, or replaced by means.

    >>> undecided(pd.DataFrame({"age": ["34", "35"], "mail": ["a@x.org", "b@x.org"]}), Roles(), ["age"])[0][:46]
    "The column 'mail' is published and says who so"
    """
    if {str(name) for name in data.columns} <= {*names, *roles.named}:
        return ()
    return tuple(
        left_undecided(one.name, one.reason, direct=one.identifying == "directly")
        for one in propose_roles(data, names)
        if one.name not in names and roles.of(one.name) == "undecided" and one.identifying != "no"
    )


def left_undecided(name: str, reason: str, *, direct: bool) -> str:
    """Say of a raw column without a role that it says who somebody is, or nearly, and what to do about it."""
    if direct:
        return (
            f"The column {name!r} is published and says who somebody is: {reason}; remove it, or keep it if that is "
            "meant (roles.remove, roles.keep)."
        )
    return (
        f"The column {name!r} nearly says who somebody is: {reason}; call it known to others (a "
        "quasi-identifier), remove it, or decide to keep it."
    )
