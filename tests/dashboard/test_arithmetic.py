"""The formulas behind the numbers: doing the sum that is shown gives the number that is shown.

:func:`evaluate` reads the LaTeX and knows nothing of the program: it does what a pupil with a calculator would do.
"""

import re
from fractions import Fraction
from itertools import product
from math import comb

import numpy as np
import pandas as pd
import pytest

from cra_dashboard.panels import formulas
from cra_dashboard.session import datasets
from cra_dashboard.texts import arithmetic
from cra_dashboard.texts.class_rows import class_rows, mean_ratio
from cra_engine import Attribute, Study, attack, recode, single_out
from cra_engine.attacks.refinement.owners import owner_shares
from cra_engine.raw.placement import locate
from cra_engine.study.lattice import Lattice

# ---------------------------------------------------------------- a calculator for the LaTeX on the page


def group(text, start):
    """The contents of the braces that open at ``start``, and where they end."""
    depth = 0
    for place in range(start, len(text)):
        depth += {"{": 1, "}": -1}.get(text[place], 0)
        if not depth:
            return text[start + 1 : place], place + 1
    raise AssertionError(text)


def evaluate(text, names=None):
    """The value of an expression, with values for the symbols in it."""
    text = text.strip()
    if text.startswith(r"\sum"):
        conditions, end = group(text, text.index(r"{\substack") + len(r"{\substack"))
        limits = [c.replace(" ", "") for c in re.split(r"\\\\(?:\[0\.3em\])?", conditions)]
        body = text[end + 1 :]
        symbols = sorted(set(re.findall(r"n_\{\d+\}", text)), key=lambda name: int(name[3:-1]))
        total = int(limits[0].split("=")[1])
        assert limits[0].split("=")[0].split("+") == symbols
        bounds = [(left.split("+"), int(right)) for left, right in (c.split(r"\le") for c in limits[1:])]
        value = Fraction(0)
        for counts in product(range(total + 1), repeat=len(symbols)):
            held = dict(zip(symbols, counts, strict=True))
            if sum(counts) == total and all(sum(held[n] for n in left) <= most for left, most in bounds):
                value += evaluate(body, held)
        return value
    python, place = "", 0
    while place < len(text):
        for command, arguments in ((r"\binom", 2), (r"\frac", 2), (r"\sqrt[", 1), (r"\sqrt", 1), (r"\underbrace", 1)):
            if text.startswith(command, place):
                degree = re.match(r"\\sqrt\[(\d)\]", text[place:])
                end = place + (len(degree.group(0)) if degree else len(command))
                values = []
                for _ in range(arguments):
                    inside, end = group(text, end)
                    values.append(evaluate(inside, names))
                if command == r"\binom":
                    values = [Fraction(comb(int(values[0]), int(values[1])))]
                elif command == r"\frac":
                    values = [values[0] / values[1]]
                elif "sqrt" in command:
                    values = [Fraction(float(values[0]) ** (1 / int(degree.group(1) if degree else 2)))]
                elif text[end : end + 2] == "_{":
                    end = group(text, end + 1)[1]
                python += f"*Fraction({values[0].numerator},{values[0].denominator})"
                place = end
                break
        else:
            for pattern, made in (
                (r"n_\{\d+\}", lambda m: f"*{names[m.group(0)]}"),
                (r"(\d+(?:\{,\}\d+)*(?:\.\d+)?(?:e-?\d+)?)( \\times 10\^\{(\d+)\})?", scientific),
                (r"\\left\(", lambda _: "*("),
                (r"\\right\)|\}", lambda _: ")"),
                (r"[+-]", lambda m: m.group(0)),
                (r"\\cdot|\s+", lambda _: ""),
            ):
                found = re.match(pattern, text[place:])
                if found:
                    python += made(found)
                    place += found.end()
                    break
            else:
                raise AssertionError(f"{text[place:]} in {text}")
    python = re.sub(r"(^|[(+-])\*", r"\1", python.replace("+*", "+").replace("-*", "-"))
    return Fraction(eval(python, {"Fraction": Fraction}))  # noqa: S307 - made of numbers and signs alone


def scientific(found):
    value = Fraction(found.group(1).replace("{,}", "")) * 10 ** int(found.group(3) or 0)
    return f"*Fraction({value.numerator},{value.denominator})"


def steps(text):
    """The expressions between the signs of equality, each with the sign before it; a mere name is left out."""
    found, depth, sign, start = [], 0, "=", 0
    for place in range(len(text)):
        depth += {"{": 1, "}": -1}.get(text[place], 0)
        for mark in (" = ", r" \approx "):
            if not depth and text.startswith(mark, place):
                found.append((sign, text[start:place]))
                sign, start = mark.strip(), place + len(mark)
    found.append((sign, text[start:]))
    return [
        step
        for step in found
        if not re.match(r"\s*([PRF]|\\frac\{P\}\{R\}|c_\d|\\Pr|q_.*|\\text\{loss\})\s*$", step[1]) and step[1].strip()
    ]


def check(formula):
    """Each step of a formula comes to its value: exactly where it says so, else as far as its digits go."""
    found = steps(" " + " ".join(formula.lines))
    assert len(found) >= 2, formula.lines
    for sign, step in found:
        value = evaluate(step)
        if sign == "=" and not re.search(r"times|\.|sqrt", step):
            assert value == formula.value, step
        else:
            assert abs(value - formula.value) <= abs(formula.value) / 1000 + Fraction(1, 10**6), step


# ---------------------------------------------------------------- the calculator itself, by hand


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (r"\binom{2 \cdot 3}{2}", 15),
        (r"\frac{40 - 1}{80 - 1}", Fraction(39, 79)),
        (r"1{,}234 + 2", 1236),
        (r"3.5 \times 10^{8}", 350_000_000),
        (
            r"\sum_{\substack{n_{1} + n_{2} = 3 \\ n_{1} \le 2 \\ n_{2} \le 2}} \binom{4}{n_{1}}\binom{5}{n_{2}}",
            6 * 5 + 4 * 10,
        ),
        (r"\left(1 + \frac{1}{2}\right) \cdot \left(1 + \frac{1}{3}\right) - 1", 1),
        (r"1 - \frac{1}{2} \cdot \left(\frac{1}{2} + \frac{1}{4}\right)", Fraction(5, 8)),
    ],
)
def test_the_calculator(text, value):
    assert evaluate(text) == value


# ---------------------------------------------------------------- Recode


def test_the_loss_of_a_state_worked_by_hand():
    # 80 values each. Layer 1 of three has 4 intervals of 20, layer 3 the one of 80.
    lattice = Lattice([Attribute("age", 0, 80, 3), Attribute("weight", 0, 80, 3)])
    age, weight, loss, c1, c2 = arithmetic.losses(lattice, (1, 3))
    assert age.lines == (r"q_{\text{age}} = \frac{20 - 1}{80 - 1} \approx 0.240506",)
    assert weight.value == 1
    assert loss.lines == (r"\text{loss} = \sqrt{1 + \frac{19}{79}} \cdot \sqrt{1 + \frac{1}{1}} - 1 \approx 0.575123",)
    assert c1.lines == ("c_1 = 1 + 3 = 4",)
    assert c2.value == Fraction(2, 3)


@pytest.mark.parametrize("key", datasets.EXAMPLES)
def test_every_loss_is_what_its_formula_says(key):
    lattice = Lattice(datasets.example(key)[1].attributes)
    for state in lattice.states:
        for formula in arithmetic.losses(lattice, state):
            check(formula)


def test_c3_is_what_its_formula_says():
    data, study = datasets.example("toy")
    recoding = recode(data.frame, study)
    leaves = np.asarray(locate(data.frame, study).leaves)
    tied = [step for step in recoding.iterations if step.tied]
    assert tied
    for step in tied:
        left = ~((recoding.iteration_of_record > 0) & (recoding.iteration_of_record < step.index))
        for candidate in step.tied:
            formula = arithmetic.third(recoding.lattice, candidate.state, leaves[left], data.frame[left])
            assert formula.value == candidate.c3
            check(formula)


def test_the_records_left_are_what_the_formula_says():
    data, study = datasets.example("hospitals")
    for step in recode(data.frame, study).iterations:
        formula = arithmetic.counts(step.before, [size for _, size in step.classes])
        assert formula.value == step.after
        check(formula)


# ---------------------------------------------------------------- Attack and Single out


def parts(key, ties="sound"):
    data, study = datasets.example(key)
    return attack(recode(data.frame, study).release, ties=ties).parts


def random_parts(seed):
    rng = np.random.default_rng(seed)
    study = Study([Attribute("a", 0, 27, 3, fanout=3), Attribute("b", 0, 16, 3)], 3)
    frame = pd.DataFrame({"a": rng.integers(0, 27, 40), "b": rng.integers(0, 16, 40)})
    return attack(recode(frame, study).release).parts


# Those that ask for k alone; of others the page shows no formulas.
OF_K = [key for key in datasets.EXAMPLES if not datasets.example(key)[1].privacy]


@pytest.mark.parametrize("found", [*OF_K, 1, 2, 3])
def test_the_numbers_of_every_class_are_what_their_formulas_say(found):
    sums = 0
    for part in parts(found) if isinstance(found, str) else random_parts(found):
        formulas = {formula.name: formula for formula in arithmetic.class_numbers(part)}
        assert formulas["Promised"].value == part.lr_solutions
        check(formulas["Promised"])
        if part.basic:
            continue
        assert formulas["Remaining"].value == part.cra_solutions
        assert formulas["Fillings"].value == part.combinations
        if part.cra_solutions:
            assert formulas["Times fewer"].value == Fraction(part.lr_solutions, part.cra_solutions)
            check(formulas["Times fewer"])
        used = sum(orthant.cells > 0 for orthant in part.orthants)
        if used <= 4:
            for name in ("Remaining", "Fillings"):
                check(formulas[name])
                sums += 1
        table = arithmetic.orthant_table(part)
        assert table["Free cells (f)"].sum() == len(part.free_cells)
        assert sum(int(volume.replace(",", "")) for volume in table["Values in them (V)"]) == sum(part.cell_volumes)
    assert sums


def test_a_class_worked_by_hand():
    # Five people in two cells of 8 x 8 values, at most three in each: 2 and 3, or 3 and 2.
    frame = pd.DataFrame({"a": [1, 2, 9, 10, 11], "b": [1, 1, 1, 1, 1]})
    study = Study([Attribute("a", 0, 32, 3), Attribute("b", 0, 8, 1)], 4)
    (part,) = attack(recode(frame, study).release).parts
    remaining = next(f for f in arithmetic.class_numbers(part) if f.name == "Remaining")
    assert remaining.lines[1] == r"= \binom{64}{2}\binom{64}{3} + \binom{64}{3}\binom{64}{2}"
    assert remaining.value == 2 * comb(64, 2) * comb(64, 3)


def test_the_chance_of_every_cell_is_what_its_formula_says():
    for part in [*parts("toy"), *random_parts(4)]:
        for place, cell in enumerate(part.free_cells):
            for held in range(3):
                formula = arithmetic.cell_chance(part, cell, held)
                assert float(formula.value) == pytest.approx(part.cell_probabilities(held)[place], abs=1e-12)
                if formula.value:
                    check(formula)
                else:
                    assert formula.lines == (r"\Pr = 0",)


def test_the_chance_of_a_cell_that_a_tie_leaves_open():
    # Worked by hand: 2/3 * 1/2 + 1/3 * 3/4.
    formula = arithmetic.either([(Fraction(2, 3), Fraction(1, 2)), (Fraction(1, 3), Fraction(3, 4))])
    assert formula.value == Fraction(1, 3) + Fraction(1, 4)
    check(formula)
    data, study = datasets.example("toy")
    result = attack(recode(data.frame, study).release)
    shared = [chance for chance in single_out(result).cells if len(chance.parts) > 1]
    assert shared
    for chance in shared:
        orders = [
            (share, arithmetic.cell_chance(owner, chance.cell, 1).value)
            for share, owner in owner_shares(result, chance.cell)
        ]
        assert float(arithmetic.either(orders).value) == pytest.approx(chance.probability)


def test_long_formulas_are_broken_and_lose_nothing():
    assert formulas.broken(r"c_1 = 1 + 3 = 4") == [r"c_1 = 1 + 3 = 4"]
    line = r"P = \binom{400 \cdot 200}{4} = \binom{80000}{4} \approx 1.706 \times 10^{18}"
    assert formulas.broken(line) == [
        r"P = \binom{400 \cdot 200}{4}",
        r" = \binom{80000}{4}",
        r" \approx 1.706 \times 10^{18}",
    ]
    for part in parts("hospitals"):
        for formula in arithmetic.class_numbers(part):
            for whole in formula.lines:
                assert "".join(formulas.broken(whole)) == whole


@pytest.mark.parametrize(("value", "text"), [(7, "7"), (123, "123"), (1234, "1 234"), (10**9, "1 000 000 000")])
def test_digits_stand_in_groups(value, text):
    assert formulas.grouped(value) == text


def test_means_and_expectations_are_what_their_formulas_say():
    data, study = datasets.example("clinic")
    result = attack(recode(data.frame, study).release)
    rows = [row for row in class_rows(result) if row.index is not None]
    formula = arithmetic.mean("Mean ratio", "", [row.ratio for row in rows])
    assert float(formula.value) == pytest.approx(float(mean_ratio(rows)))
    check(formula)
    chances = single_out(result)
    formula = arithmetic.expected([chance.probability for chance in chances.cells])
    assert float(formula.value) == pytest.approx(chances.expected_isolated)
    check(formula)
