"""The arithmetic behind the numbers on the pages: each formula with the values of the study put in.

A formula is LaTeX of the simplest kind, so that a reader can do the sum again, and so that a test can. Numbers of many
digits stand in it as powers of ten; the exact digits come beside them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from math import comb, prod
from typing import Any

import pandas as pd
from numpy.typing import NDArray

from cra_dashboard.texts import words
from cra_engine import Attribute, TooLargeError
from cra_engine.attacks.refinement.bounds import Orthant
from cra_engine.attacks.refinement.class_attack import ClassAttack
from cra_engine.study.grid import Cell
from cra_engine.study.hierarchy import Hierarchy
from cra_engine.study.lattice import Lattice, State
from cra_engine.words import WRITTEN_OUT, exponent_of, how_many

MOST_TERMS = 6  # of a sum that are written one by one
MOST_ORTHANTS = 8  # that get a symbol each in a formula
_SEARCHED = 2000  # ways to spread records that are looked through for the terms


@dataclass(frozen=True)
class Formula:
    """One number with its arithmetic, as pages read it.

    Attributes:
        name: what the number is called on the page.
        said: the formula in a sentence or two.
        lines: LaTeX, one line each: the left side and its equals sign only in the first.
        value: what it comes to, exactly.
    """

    name: str
    said: str
    lines: tuple[str, ...]
    value: Fraction


def number(value: float | Fraction) -> str:
    """Write for pages a number in LaTeX: whole ones in full up to ten million, others rounded and marked."""
    exact = Fraction(value)
    if exact.denominator == 1 and abs(exact) < WRITTEN_OUT:
        return f"{exact.numerator:,}".replace(",", "{,}")
    if exact >= WRITTEN_OUT:
        exponent = exponent_of(exact)
        return rf"{float(exact / Fraction(10) ** exponent):.3f} \times 10^{{{exponent}}}"
    return f"{float(exact):.6g}"


def _equals(value: Fraction) -> str:
    """The result with the sign before it: rounded numbers are never called equal."""
    sign = "=" if value.denominator == 1 and value < WRITTEN_OUT else r"\approx"
    return f"{sign} {number(value)}"


def _fraction(value: Fraction) -> str:
    return str(value.numerator) if value.denominator == 1 else rf"\frac{{{value.numerator}}}{{{value.denominator}}}"


def _binomial(top: int, bottom: int | str) -> str:
    return rf"\binom{{{top}}}{{{bottom}}}"


def _text(name: str) -> str:
    escaped = "".join(rf"\{sign}" if sign in "#$%&_{}" else " " if sign in "\\^~" else sign for sign in name)
    return rf"\text{{{escaped}}}"


# ---------------------------------------------------------------- Recode


def layer_loss(attribute: Hierarchy, layer: int) -> Formula:
    """Write for pages the normalised loss of one layer as a formula (paper, equation (1))."""
    value = attribute.loss(layer)
    name = f"Loss of {attribute.name} on layer {layer}"
    left = f"q_{{{_text(attribute.name)}}}"
    if isinstance(attribute, Attribute) and not attribute.coded:
        domain = attribute.values  # noqa: PD011 - no data frame
        length = domain // attribute.nodes_in(layer)
        return Formula(
            name,
            f"An interval of layer {layer} holds {length:,} of the {domain:,} values of {attribute.name}. Nothing lost "
            "is 0, everything is 1.",
            (rf"{left} = \frac{{{length} - 1}}{{{domain} - 1}} {_equals(value)}",),
            value,
        )
    squares = sum((share * share for share in attribute.shares(layer)), Fraction(0))
    least = attribute.least_share
    return Formula(
        name,
        "The intervals of this hierarchy differ in length: the mean over the domain, of the squares of their shares.",
        (rf"{left} = \frac{{{_fraction(squares)} - {_fraction(least)}}}{{1 - {_fraction(least)}}} {_equals(value)}",),
        value,
    )


def losses(lattice: Lattice, state: State) -> list[Formula]:
    """Write for pages a state's information loss (paper, equation (2)), and what settles ties (equation (3))."""
    pairs = list(zip(lattice.attributes, state, strict=True))
    found = [layer_loss(attribute, layer) for attribute, layer in pairs]
    size = len(pairs)
    root = "" if size == 1 else r"\sqrt" if size == 2 else rf"\sqrt[{size}]"
    roots = [rf"{root}{{1 + \frac{{{part.value.numerator}}}{{{part.value.denominator}}}}}" for part in found]
    product = (
        r" \cdot ".join(roots) if root else rf"1 + \frac{{{found[0].value.numerator}}}{{{found[0].value.denominator}}}"
    )
    value = Fraction(lattice.loss(state))
    tied_by = [layer for _, layer in pairs]
    heights = [attribute.layers for attribute, _ in pairs]
    return [
        *found,
        Formula(
            f"Information loss of {words.unbroken(words.state(state))}",
            "The geometric mean over the attributes, of 1 plus the loss, less 1. The root changes no order, so states "
            "are compared by what stands below it, as exact fractions: two losses are equal only if these are.",
            (rf"\text{{loss}} = {product} - 1 \approx {float(value):.6f}",),
            value,
        ),
        Formula(
            "c1",
            "Where losses are equal: the sum of the layers.",
            (f"c_1 = {' + '.join(map(str, tied_by))} = {sum(tied_by)}",),
            Fraction(sum(tied_by)),
        ),
        Formula(
            "c2",
            "Where c1 is equal too: the mean of layer over height.",
            (
                rf"c_2 = \frac{{1}}{{{size}}} \cdot \left("
                + " + ".join(rf"\frac{{{a}}}{{{b}}}" for a, b in zip(tied_by, heights, strict=True))
                + rf"\right) {_equals(lattice.c2(state))}",
            ),
            lattice.c2(state),
        ),
    ]


def third(lattice: Lattice, state: State, leaves: NDArray[Any], frame: pd.DataFrame) -> Formula:
    """Write for pages the third criterion of a state (paper, equation (3)) on the records that are left, as a formula.

    Args:
        lattice: of the study.
        state: whose c3.
        leaves: of the records that are left, leaf index per attribute (records x attributes).
        frame: the raw values of the same records.
    """
    pairs = [
        (len(set(attribute.ranks[layer - 1][leaves[:, i]].tolist())), frame[attribute.name].nunique())
        for i, (attribute, layer) in enumerate(zip(lattice.attributes, state, strict=True))
    ]
    value = 1 - sum((Fraction(*pair) for pair in pairs), Fraction(0)) / len(pairs)
    return Formula(
        f"c3 of {words.state(state)}",
        "Where c2 is equal too: per attribute the number of intervals in use over the number of different raw values, "
        f"among the {len(leaves):,} records that are left; 1 less the mean. It takes the raw data.",
        (
            rf"c_3 = 1 - \frac{{1}}{{{len(pairs)}}} \cdot \left("
            + " + ".join(rf"\frac{{{a}}}{{{b}}}" for a, b in pairs)
            + rf"\right) {_equals(value)}",
        ),
        value,
    )


def counts(before: int, sizes: Sequence[int]) -> Formula:
    """Write for pages the records left after an iteration as a formula."""
    total = sum(sizes)
    shown = " - ".join(map(str, sizes)) if len(sizes) <= MOST_TERMS else str(total)
    more = "" if len(sizes) <= MOST_TERMS else f" ({how_many(len(sizes), 'class', 'classes')} together)"
    return Formula(
        "Records left",
        f"What was there before, less the records of the classes that this step publishes{more}.",
        (rf"{before} - {shown} = {before - total}",),
        Fraction(before - total),
    )


# ---------------------------------------------------------------- Attack


def class_numbers(part: ClassAttack) -> list[Formula]:
    """Write for pages a class's numbers as formulas: promised, left, their ratio, fillings (paper, section 4.5)."""
    result = [promised(part)]
    if part.basic:
        return result
    remaining = _over_orthants(part, "Remaining", "R", part.cra_solutions, worlds=True)
    fillings = _over_orthants(part, "Fillings", "F", part.combinations, worlds=False)
    if part.cra_solutions:
        ratio = Fraction(part.lr_solutions, part.cra_solutions)
        shown = rf"\frac{{P}}{{R}} = \frac{{{number(part.lr_solutions)}}}{{{number(part.cra_solutions)}}}"
        return [
            result[0],
            remaining,
            Formula(
                "Times fewer", "Promised over remaining: the paper's ratio.", (f"{shown} {_equals(ratio)}",), ratio
            ),
            fillings,
        ]
    return [result[0], remaining, fillings]


def promised(part: ClassAttack) -> Formula:
    """Write for pages as a formula what the published box allows by itself (paper, section 4.1)."""
    widths = [node.values for node in part.release.grid.nodes(part.segment)]  # noqa: PD011 - no data frame
    volume, total = prod(widths), Fraction(part.lr_solutions)
    product = r" \cdot ".join(str(width) for width in widths)
    return Formula(
        "Promised",
        f"The box holds {volume:,} combinations of values: the number of values of each attribute in it, multiplied. "
        f"{how_many(part.size, 'record')} may be any {part.size} different ones of them.",
        (rf"P = \binom{{{product}}}{{{part.size}}} = {_binomial(volume, part.size)} {_equals(total)}",),
        total,
    )


def _used(part: ClassAttack) -> list[tuple[int, Orthant]]:
    return [(place, orthant) for place, orthant in enumerate(part.orthants) if orthant.cells]


def _over_orthants(part: ClassAttack, name: str, letter: str, total: int, *, worlds: bool) -> Formula:
    used = [orthant for _, orthant in _used(part)]
    what = (
        "C(values in the free cells, records) ways to place the records"
        if worlds
        else "C(records + cells - 1, records) ways to spread the records over the free cells"
    )
    if len(used) <= 1:
        tops = used[0] if used else Orthant((), 0, 0)
        top = tops.measure if worlds else part.size + tops.cells - 1
        return Formula(
            name,
            f"No bound cuts the box, so there are {what}.",
            (rf"{letter} = {_binomial(top, part.size)} {_equals(Fraction(total))}",),
            Fraction(total),
        )
    symbols = [f"n_{{{place + 1}}}" for place in range(len(used))]
    said = (
        f"The bounds cut the free cells into {len(used)} parts (the table below). With n records a part has {what}; "
        f"the sum goes over all ways to split {part.size} records so that every half holds at most {part.cap}."
    )
    if len(used) > MOST_ORTHANTS:
        factor = r"\binom{V_i}{n_i}" if worlds else r"\binom{n_i + f_i - 1}{n_i}"
        line = (
            rf"{letter} = \sum_{{\substack{{n_1 + \dots + n_{{{len(used)}}} = {part.size} \\ "
            rf"\text{{each half}} \le {part.cap}}}}} \prod_{{i=1}}^{{{len(used)}}} {factor} {_equals(Fraction(total))}"
        )
        return Formula(name, said, (line,), Fraction(total))
    limits = [f"{' + '.join(symbols)} = {part.size}"]
    limits += [rf"{' + '.join(symbols[i] for i in group)} \le {part.cap}" for group in _halves(used)]
    factors = "".join(
        _binomial(orthant.measure, symbol)
        if worlds
        else rf"\binom{{{symbol}}}{{{symbol}}}"
        if orthant.cells == 1
        else rf"\binom{{{symbol} + {orthant.cells - 1}}}{{{symbol}}}"
        for symbol, orthant in zip(symbols, used, strict=True)
    )
    conditions = r" \\[0.3em] ".join(limits)
    lines = [rf"{letter} = \sum_{{\substack{{{conditions}}}}} {factors}"]
    terms = _splits(used, part.size, part.cap)
    if terms is not None:
        lines.append("= " + " + ".join(_term(used, split, worlds=worlds) for split in terms) if terms else "= 0")
    lines.append(_equals(Fraction(total)))
    return Formula(name, said, tuple(lines), Fraction(total))


def _halves(used: Sequence[Orthant]) -> list[list[int]]:
    """Per child that bounds anything the places of its orthants."""
    groups: dict[tuple[int, int], list[int]] = {}
    for place, orthant in enumerate(used):
        for child in orthant.children:
            groups.setdefault(child, []).append(place)
    return list(groups.values())


def _splits(used: Sequence[Orthant], size: int, cap: int) -> list[tuple[int, ...]] | None:
    """The ways to split the records over the orthants, where these are few; None where not."""
    halves = _halves(used)

    def extend(start: tuple[int, ...], left: int) -> Iterator[tuple[int, ...]]:
        if len(start) == len(used):
            if not left:
                yield start
            return
        for held in range(min(left, cap) + 1):
            split = (*start, held)
            if all(sum(split[i] for i in group if i < len(split)) <= cap for group in halves):
                yield from extend(split, left - held)

    if comb(size + len(used) - 1, size) > _SEARCHED:
        return None
    found = list(islice(extend((), size), MOST_TERMS + 1))
    return found if len(found) <= MOST_TERMS else None


def _term(used: Sequence[Orthant], split: Sequence[int], *, worlds: bool) -> str:
    return "".join(
        _binomial(orthant.measure if worlds else held + orthant.cells - 1, held)
        for orthant, held in zip(used, split, strict=True)
    )


def orthant_table(part: ClassAttack) -> pd.DataFrame:
    """Return for pages the parts that the bounds cut out of a class, as the formulas number them."""
    attributes = part.release.attributes
    rows = []
    for number_, (_, orthant) in enumerate(_used(part), 1):
        row: dict[str, Any] = {"Part": f"n{number_}"}
        for position, place in orthant.children:
            child = attributes[position].children(part.segment.state[position], part.segment.ranks[position])[place]
            row[attributes[position].name] = child.interval
        rows.append(row | {"Free cells (f)": orthant.cells, "Values in them (V)": f"{orthant.measure:,}"})
    return pd.DataFrame(rows)


def cell_chance(part: ClassAttack, cell: Cell, held: int) -> Formula | None:
    """Write for pages as a formula how likely a free cell holds so many records; None for records alike.

    None, too, in a safe release, where a table's weight is no quotient of whole numbers, and where the sum over what
    the orthant holds would take too long.
    """
    if part.contradiction or part.weighted:
        return None
    place = part.free_cells.index(cell)
    orthant, volume = part.orthant_of_cell[place], part.cell_volumes[place]
    whole = part.orthants[orthant].measure
    try:
        by_count, total = part.solutions_by_count(orthant), part.cra_solutions
    except TooLargeError:
        return None
    terms, value = [], Fraction(0)
    for n, ways in enumerate(by_count):
        if ways and n >= held:
            inside = Fraction(comb(volume, held) * comb(whole - volume, n - held), comb(whole, n))
            if inside:
                value += Fraction(ways, total) * inside
                upper = _binomial(volume, held) + _binomial(whole - volume, n - held)
                terms.append(
                    rf"\frac{{{number(ways)}}}{{{number(total)}}} \cdot \frac{{{upper}}}{{{_binomial(whole, n)}}}"
                )
    shown = f"{' + '.join(terms)} {_equals(value)}" if terms else "0"
    return Formula(
        f"Exactly {held} in this cell",
        f"The cell holds {volume:,} of the {whole:,} values of its part of the box. For each number of records that "
        "part may hold: the share of the remaining tables in which it does, times the share of these in which "
        f"exactly {held} of them {'lies' if held == 1 else 'lie'} in the cell.",
        (rf"\Pr = {shown}",),
        value,
    )


def either(orders: Sequence[tuple[Fraction, Fraction]]) -> Formula:
    """Write for pages as a formula how likely exactly one person is in a cell that tied classes leave open.

    Args:
        orders: per order in which the classes may have formed its share of the tables that remain, and the probability
            that the owner under it puts exactly one record there. Tables that two orders leave come once more, with
            their share below 0.
    """
    value = sum((share * one for share, one in orders), Fraction(0))
    terms = [rf"\left({number(share)}\right) \cdot {number(one)}" for share, one in orders]
    return Formula(
        "Exactly one person, whoever owns the cell",
        "Classes that tie leave open which of them was formed first and so owns this cell. Each order counts with its "
        "share of the tables; those that two orders leave, with nobody in a shared cell, are taken off once.",
        (rf"\Pr = {' + '.join(terms)} {_equals(value)}",),
        value,
    )


def mean(name: str, said: str, values: Sequence[Fraction]) -> Formula:
    """Write for pages a mean as a formula with its terms, where these are few, or their sum."""
    total, size = sum(values, Fraction(0)), len(values)
    upper = " + ".join(number(value) for value in values) if size <= MOST_TERMS else number(total)
    return Formula(name, said, (rf"\frac{{{upper}}}{{{size}}} {_equals(total / size)}",), total / size)


def expected(chances: Sequence[float]) -> Formula:
    """Write for pages as a formula the expected number of people alone in a cell: the sum of the probabilities."""
    value = sum((Fraction(chance) for chance in chances), Fraction(0))
    first = sorted(chances, reverse=True)[: MOST_TERMS - 1]
    upper = " + ".join(number(chance) for chance in first)
    rest = value - sum((Fraction(chance) for chance in first), Fraction(0))
    if len(chances) > len(first):
        upper += rf" + \underbrace{{{number(rest)}}}_{{{len(chances) - len(first)}\text{{ others}}}}"
    return Formula(
        "Expected number of people singled out",
        "The probabilities of all cells added up: an expectation adds, whether or not the cells depend on each other.",
        (f"{upper or 0} {_equals(value)}",),
        value,
    )
