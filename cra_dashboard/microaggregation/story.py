"""Clusters and cells in words, and as rows of tables."""

from fractions import Fraction

import pandas as pd

from cra_dashboard.texts import words
from cra_engine import Dominance, Microaggregation, PRule, SensitiveCells
from cra_engine.criteria.cells import Verdict
from cra_engine.risk.sensitive_cells import Cell
from cra_engine.risk.what_k_buys import Bought
from cra_engine.words import how_many, listed

ALONE = "shown as it is"


def value(number: Fraction | float) -> str:
    """Write a number on Microaggregate: four significant digits and more where it is whole."""
    if isinstance(number, Fraction) and number.denominator == 1:
        return f"{int(number):,}"
    return f"{float(number):,.4g}" if abs(float(number)) < 10_000 else f"{float(number):,.1f}"


def estimate_error(error: Fraction | None) -> str:
    """Write on Microaggregate how far an estimate is off, in percent of the truth."""
    if error is None:
        return "the truth is 0"
    return "exactly right" if error == 0 else f"{100 * float(error):,.3g} % too high"


def rule_name(rule: object) -> str:
    """Name a rule on Microaggregate in a few words."""
    if isinstance(rule, Dominance):
        return f"dominance ({rule.n}, {100 * float(rule.share):g} %)"
    assert isinstance(rule, PRule)  # noqa: S101 - there are two
    return f"p% rule ({100 * float(rule.share):g} %)"


def _rule_said(rule: object) -> str:
    """A rule as it stands in a sentence."""
    if isinstance(rule, Dominance):
        who = "the largest" if rule.n == 1 else f"the {rule.n} largest"
        return f"dominance ({who} above {100 * float(rule.share):g} %)"
    return f"the {rule_name(rule)}"


def headline(found: SensitiveCells, what: str) -> str:
    """Say how many cells of Microaggregate's clusters are sensitive, in one sentence or two."""
    if not found.cells:
        return "There is no class, so there is no cell."
    first, *others = [(len(one.sensitive), _rule_said(one.rule)) for one in found.findings]
    counts = [f"{first[0]:,} {'is' if first[0] == 1 else 'are'} sensitive by {first[1]}"]
    counts += [f"{count:,} by {rule}" for count, rule in others]
    said = (
        f"Of {how_many(found.cells, 'total')}, {listed(counts)}. Each total is of one column in one {what} (a cell); "
        "in a sensitive one somebody's value can be estimated too closely."
    )
    if found.undefined:
        said += (
            f" For {how_many(found.undefined, 'cell')} with negative numbers the rules are undefined: "
            "they are not safe."
        )
    if found.alone:
        said += f" {words.sentence(how_many(len(found.alone), 'cell'))} with one record show its value as it is."
    return said


def arithmetic(k: int, rule: Dominance) -> str:
    """Say on Microaggregate what dominance means for any cell of k records, where that is too much; else nothing."""
    if Fraction(rule.n, k) <= rule.share:
        return ""
    largest = "the largest has" if rule.n == 1 else f"the {min(rule.n, k)} largest have"
    least = "everything" if rule.n >= k else f"at least {Fraction(rule.n, k)} of any total"
    return (
        f"Of {k} contributors {largest} {least}: with this k dominance calls every cell of {k} records "
        "sensitive, whatever the numbers."
    )


def price(made: Microaggregation) -> str:
    """Say on Microaggregate what it cost to merge clusters until no cell is sensitive."""
    merged = len(made.unmerged) - len(made.clusters)
    if not merged:
        return "No cluster had to be merged: no cell was sensitive."
    return (
        f"Merged from {len(made.unmerged):,} to {how_many(len(made.clusters), 'cluster')}; "
        f"{percent(made.squared_error_unmerged)} of the variance was lost before."
    )


def percent(share: float) -> str:
    """Write a share on Microaggregate with three digits."""
    return f"{100 * share:.3g} %"


def verdict(found: SensitiveCells, rule: int, group: int, column: int) -> Verdict:
    """Say on Microaggregate what a rule finds of a cell."""
    one = found.findings[rule]
    if (group, column) in one.undefined:
        return Verdict.UNDEFINED
    return Verdict.SENSITIVE if (group, column) in one.sensitive else Verdict.NOT_SENSITIVE


def estimates_told(cell: Cell) -> str:
    """Say on Microaggregate who could estimate whom in a cell."""
    if not cell.defined:
        return (
            f"{words.sentence(cell.column)} holds negative numbers here: the rules are undefined, and nothing says "
            "that the cell is safe."
        )
    closest = cell.closest()
    if closest is None:
        return f"The only record, {row(cell.rows[0])}, is shown as it is."
    interval = (
        f"exactly {value(closest.upper)}"
        if closest.lower == closest.upper
        else f"from {value(closest.lower)} to {value(closest.upper)}"
    )
    return (
        f"{words.sentence(row(closest.who))} has {value(cell.contributions[1])}. Knowing the total, "
        f"{value(cell.total)}, and that it comes second, it concludes "
        f"that {row(closest.whom)} has {interval}. The truth is "
        f"{value(cell.contributions[0])}: the upper end is {estimate_error(closest.error)}."
    )


def row(number: int) -> str:
    """Name a record on Microaggregate by its row, counted from 1 as people do."""
    return f"row {number + 1}"


def cluster_table(found: SensitiveCells, group: int) -> pd.DataFrame:
    """Return the cells of one cluster on Microaggregate as a table: a row per column."""
    rows = []
    for column, name in enumerate(found.columns.names):
        cell = found.cell(group, column)
        by = {rule_name(one.rule): str(verdict(found, at, group, column)) for at, one in enumerate(found.findings)}
        rows.append({"Column": name, "Mean": value(cell.total / len(cell.rows)), **by, **_closest(cell)})
    return pd.DataFrame(rows)


def sensitive_table(found: SensitiveCells, most: int) -> pd.DataFrame:
    """Return the sensitive cells of Microaggregate's clusters as a table, those that give most away first."""
    by_rule = [(rule_name(one.rule), set(one.sensitive)) for one in found.findings]
    rows = []
    for place in found.closest_first[:most]:
        cell = found.cell(*place)
        by = ", ".join(name for name, cells in by_rule if place in cells)
        of = {"Class": place[0], "Column": cell.column, "Records": len(cell.rows)}
        rows.append({**of, **_closest(cell), "By": by})
    return pd.DataFrame(rows)


def _closest(cell: Cell) -> dict[str, str]:
    """Who could estimate whom in a cell, and how closely."""
    closest, truth = cell.closest(), value(cell.contributions[0])
    if closest is None:
        alone = len(cell.rows) == 1
        whom = row(cell.rows[0]) if alone else ""
        return {"Who": "", "Whom": whom, "From": "", "To": "", "Truth": truth, "Off": ALONE if alone else ""}
    ends = {"From": value(closest.lower), "To": value(closest.upper)}
    who = {"Who": row(closest.who), "Whom": row(closest.whom)}
    return {**who, **ends, "Truth": truth, "Off": estimate_error(closest.error)}


def everybody_table(cell: Cell) -> pd.DataFrame:
    """Return for Microaggregate what each contributor of a cell can say of each other by the total alone."""
    return pd.DataFrame(
        [
            {
                "Who": row(one.who),
                "Whom": row(one.whom),
                "At most": value(one.upper),
                "Truth": value(cell.contributions[cell.rows.index(one.whom)]),
                "Off": estimate_error(one.error),
            }
            for one in cell.estimates()
        ]
    )


def bought_table(points: tuple[Bought, ...], rules: tuple[object, ...]) -> pd.DataFrame:
    """Return the paper's Table 2 for the table on Microaggregate; of each rule the share of sensitive cells, too."""
    rows = []
    for point in points:
        sensitive = {rule_name(rule): count for rule, count in zip(rules, point.sensitive, strict=True)}
        rows.append(
            {
                "k": point.k,
                **{f"{name}, share": count / point.cells for name, count in sensitive.items()},
                "Loss, %": 100 * point.loss,
                "Loss once merged, %": None if point.loss_complying is None else 100 * point.loss_complying,
                "Cells": point.cells,
                **sensitive,
                "Undefined": point.undefined,
                "Clusters once merged": point.clusters_complying,
            }
        )
    return pd.DataFrame(rows)


RULES = """
A **cell** is what the records of one class contribute to one column: $c_1 \\ge c_2 \\ge \\dots \\ge c_t$, none
negative. Whoever knows the mean and the number of records knows the total.

**Dominance**, $(n, r)$: the cell is sensitive when $c_1 + \\dots + c_n > r \\cdot (c_1 + \\dots + c_t)$.

**p% rule**: it is sensitive when $c_3 + \\dots + c_t < p \\cdot c_1$. The second largest contributor subtracts its own
$c_2$ from the total; what is left is more than $c_1$ by all the others together. Nobody can do better.

With **negative** numbers shares of a total mean nothing, and the rules are undefined. **Merging** ends wherever one
cluster of all records passes; where that one fails, every other choice of clusters fails too.
"""
