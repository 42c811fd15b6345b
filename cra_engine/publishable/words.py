"""What was chosen, in the words of people who publish tables."""

from collections.abc import Sequence

from cra_engine.checks.outcome import Finding
from cra_engine.options.option import finest
from cra_engine.publishable.space import AS_IT_IS, REMOVED, Choice, ChosenColumn, Space
from cra_engine.words import listed, percent

GAP_TEXTS = {
    "category": "missing values as a category of their own",
    "*": "rows with missing values shown without these columns",
    "leave-out": "rows with missing values left out",
}
WAY_TEXTS = {
    "safe": "drawn by safe recoding",
    "global": "the same groups for all rows",
    "repaired": "groups repaired afterwards",
}


def label_of(space: Space, choice: Choice) -> str:
    """Returns a choice in words: ``Age in groups of 20 years, without neighbourhood``."""
    shown = list(zip(space.columns, choice.heights, strict=True))
    parts = [width_text(column, height) for column, height in shown if _says_something(column, height)]
    removed = [column.name for column, height in shown if height == REMOVED]
    if removed:
        parts.append(f"without {listed(removed)}")
    if choice.k != space.ks[0]:
        parts.append(f"at least {choice.k} people who look alike")
    if choice.gaps:
        parts.append(gap_text(choice.gaps))
    parts.append(WAY_TEXTS.get(choice.way.name, ""))
    said = ", ".join(filter(None, parts)) or "groups as fine as they may be"
    return said[0].upper() + said[1:]


def _says_something(column: ChosenColumn, height: int) -> bool:
    if height in (AS_IT_IS, REMOVED) or column.hierarchy is None:
        return False
    return not column.known or height != column.hierarchy.layers


def width_text(column: ChosenColumn, height: int) -> str:
    """Returns how fine a column that is made coarser is at its finest: ``age in groups of 10 years``."""
    if column.hierarchy is None:
        return column.name
    single = column.hierarchy.numeric and height == column.hierarchy.layers and set(column.hierarchy.leaf_values) == {1}
    if single:
        return f"{column.name} by single values"
    width = finest(column.hierarchy, height)
    counted = width.endswith(("category", "categories", "interval", "intervals"))
    return f"{column.name} in {width}" if counted else f"{column.name} in groups of {width}"


def removed_text(name: str) -> str:
    """Returns the words for a column that does not go out."""
    return f"without {name}"


def gap_text(gaps: str) -> str:
    """Returns what becomes of missing values."""
    return GAP_TEXTS[gaps]


def share_kept(cost: float, suppressed: int, left_out: int, records: int) -> str:
    """Returns what a choice costs: ``2 % of rows suppressed, 71 % of the detail kept``."""
    lost = f"{percent(suppressed / records)} of rows suppressed"
    if left_out:
        lost += f", {percent(left_out / records)} left out"
    return f"{lost}, {percent(1 - cost)} of the detail kept"


RULES = {
    "k": "enough people who look alike",
    "risk": "the highest risk of a person",
    "l-diversity": "different sensitive values in every group",
    "t-closeness": "sensitive values spread as in the whole table",
    "alone": "few people alone with what is published of them",
    "certain": "nobody singled out for certain",
    "who-has-what": "nobody's sensitive value known for certain",
    "expected": "hardly anybody expected to be singled out",
    "few-suppressed": "no small number of suppressed rows",
    "suppressed-alike": "suppressed rows that differ",
    "all-suppressed": "something that is published at all",
    "known-to-others": "nothing as it stands that others may know",
    "identifying": "nothing that says who somebody is",
    "identifying-kept": "nothing that says who somebody is",
    "nearly-identifying": "nothing that nearly says who somebody is",
    "privacy-model": "the study's privacy models",
    "attack-not-looked-at": "an attack that was looked at to its end",
    "made-otherwise": "a table that is explained by the way it was made",
}


def why_not(space: Space, findings: Sequence[Finding], problem: str, in_vain: Sequence[str], *, complete: bool) -> str:
    """Returns why nothing passes, in a sentence that names the rule and the column.

    Args:
        space: what there was to choose.
        findings: what stands in the way of the table that comes closest.
        problem: why the last table could not be published, where none could.
        in_vain: columns with which nothing passes.
        complete: whether all choices were tried.
    """
    begin = "Nothing that may be chosen passes" if complete else "Nothing was found that passes in this time"
    names = [*(column.name for column in space.columns), *space.sensitive]
    if findings and findings[0].code == "all-suppressed" and space.privacy:
        read = listed(list(dict.fromkeys(name for model in space.privacy for name in model.columns)))
        models = listed(list(map(str, space.privacy)))
        rule = "different sensitive values in every group"
        return f"{begin}. What stands in the way is the rule of {rule} (column {read}): no groups have {models}."
    if findings:
        first = findings[0]
        rule = RULES.get(first.code, first.code)
        columns = [name for name in names if repr(name) in first.text]
        of = f" (column {listed(columns)})" if columns else ""
        return f"{begin}. What stands in the way of the nearest is the rule of {rule}{of}: {first.text}"
    if in_vain:
        return f"{begin}. What stands in the way: {listed(list(in_vain))} cannot go out by this rule."
    return f"{begin}. {problem}".strip()
