"""What the playground's script says in words: reasons, steps, verdicts, and what it says when time runs out."""

import math
import re
from collections import defaultdict
from itertools import product

import pandas as pd
import pytest

from cra_dashboard.playground.file import playground_file
from cra_dashboard.playground.tables import tables
from cra_dashboard.session import datasets
from cra_engine import Attribute, Study, attack, recode, tight_attack, words
from cra_engine.scenes.table import named, table_of
from oracles.fillings import fillings_left
from scenes import expected, random_table, rows_of

SCENES = ("toy-k3", "toy-k2", "toy-k4-m3.0", "toy-k3-d7-m30.9-a5")
ASK = """
const { Answers } = need("answers.js");
window.answers ??= new Answers();
window.answers.take(arguments[0]);
return arguments[1].map((question) => window.answers.answer({ id: 1, ...question }));
"""


@pytest.fixture
def ask(browser, tmp_path):
    """Asks the script of the exported file."""
    (tmp_path / "playground.html").write_text(playground_file(), encoding="utf-8")
    browser.get((tmp_path / "playground.html").as_uri())
    return lambda questions, known=None: browser.execute_script(ASK, known or tables(), questions)


def solutions(equations, letters, most=8):
    """Every value of x that fits the equations, by trying all whole numbers."""
    names = sorted(set(letters) - {"x"})
    found = set()
    for values in product(range(most), repeat=len(names) + 1):
        given = dict(zip(["x", *names], values, strict=True))
        total = {e: sum(given[n] for n in re.findall(r"[a-z]", e.rsplit(" ", 2)[0])) for e in equations}
        if all(t == int(e.split()[-1]) if " = " in e else t <= int(e.split()[-1]) for e, t in total.items()):
            found.add(given["x"])
    return found


def test_the_equations_force_the_count_and_each_is_needed(ask):
    tried = impossible = 0
    told = ask([{"scene": scene, "ask": True, "why": cell} for scene in SCENES for cell in range(16)])
    for answer in told:
        why = answer["why"]
        low, high, _ = answer["outcome"]["cells"][why["of"]]
        if low != high or not why["ways"]:
            continue
        assert "for certain" in why["verdict"]
        assert why["ways"][0]["possible"]
        for way in why["ways"]:
            equations = [fact["equation"] for fact in way["facts"]]
            letters = {letter: cell for cell, letter in way["letters"]}
            assert letters["x"] == why["of"]
            for fact in way["facts"]:
                named_cells = {letters[name] for name in re.findall(r"[a-z]", fact["equation"].rsplit(" ", 2)[0])}
                assert named_cells == set(fact["cells"])
            if len(letters) > 6 or not all(equations):
                continue
            if not way["possible"]:
                # An order that did not happen: its facts fit no numbers at all.
                assert solutions(equations, letters, 5) == set()
                impossible += 1
                continue
            assert solutions(equations, letters) == {low}
            for left_out in equations:
                assert solutions([one for one in equations if one != left_out], letters) != {low}
            tried += 1
    assert tried >= 3
    assert impossible


def test_reasons_are_read_in_the_order_in_which_the_publisher_formed_boxes(ask):
    study = datasets.example("toy")[1]
    lattice, tied = recode(datasets.example("toy")[0].frame, study).release.lattice, 0
    told = ask([{"scene": scene, "ask": True, "why": cell} for scene in SCENES for cell in range(16)])
    for why in (answer["why"] for answer in told):
        ways = [way for way in why["ways"] if all(fact["equation"] for fact in way["facts"])]
        orders = [[int(number) for number in re.findall(r"\d+", way["when"])] for way in ways if way["possible"]]
        # Boxes have their numbers as they were formed, so the order that was has the smallest first.
        assert orders == [] or orders[0] == min(orders)
        assert why["tied"] == (len(why["ways"]) > 1 and "before" in why["ways"][0]["when"])
        for way in ways:
            *before, last = way["facts"]
            in_turn = [*before, *([] if "in no box" in last["text"] else [last])]
            assert not any("in no box" in fact["text"] for fact in before)
            losses = [lattice.key(_layers(fact["box"])) for fact in in_turn]
            assert losses == sorted(losses), way
            held = [int(found[1]) for fact in in_turn if (found := re.match(r"Box (\d+) holds", fact["text"]))]
            for group in re.split(" and (?=box)", way["when"]):
                numbers = [int(number) for number in re.findall(r"\d+", group)]
                assert [one for one in held if one in numbers] == [one for one in numbers if one in held]
                tied += len(set(held) & set(numbers)) > 1
    assert tied


def _layers(box):
    """The layers of a box of the toy, whose intervals halve."""
    return tuple((box[end] - box[start]).bit_length() for start, end in ((0, 1), (2, 3)))


def test_a_chance_is_told_as_the_number_of_tables_that_brute_force_counts(ask):
    study = Study([Attribute("a", 0, 8, layers=3), Attribute("b", 0, 2, layers=2)], 2)
    volumes, people = [2] * 8, 5

    def rows(counts):
        return pd.DataFrame(
            [(2 * (cell // 2) + at, cell % 2) for cell, held in enumerate(counts) for at in range(held)],
            columns=study.names,
        )

    def shown(counts):
        release = recode(rows(counts), study).release
        return tuple(sorted((str(one.segment), one.size) for one in release.classes))

    # Every way to spread different people over the cells, with its number of tables, by what is published of it.
    every = defaultdict(list)
    for counts in product(range(3), repeat=8):
        if sum(counts) == people:
            every[shown(counts)].append((counts, math.prod(map(math.comb, volumes, counts))))
    known = {f"t{at}": table_of(rows(found[0][0]), study, named(people)) for at, found in enumerate(every.values())}
    told = ask([{"scene": f"{name}-k2", "ask": True, "why": cell} for name in known for cell in range(8)], known)
    compared = 0
    for answer, (found, cell) in zip(told, product(every.values(), range(8)), strict=True):
        said = re.match(r"Exactly one person is here in ([\d,]+) of the ([\d,]+) tables", answer["why"]["plainly"])
        if said:
            held = sum(ways for counts, ways in found if counts[cell] == 1)
            assert [int(one.replace(",", "")) for one in said.groups()] == [held, sum(ways for _, ways in found)]
            compared += 1
    assert compared > 20


def test_numbers_too_long_to_read_are_shortened_or_told_as_powers(ask, browser):
    ask([])
    shortened = "return arguments[0].map(pair => need('numbers.js').outOf(...pair.map(BigInt)))"
    pairs = [("8", "12"), (str(8 * 10**9), str(12 * 10**9)), (str(138 * 10**81 + 1), str(190 * 10**81)), ("0", "11")]
    assert browser.execute_script(shortened, pairs) == [
        "8 of the 12",
        "2 of every 3",
        "1.38 × 10⁸³ of the 1.90 × 10⁸³",
        "0 of the 11",
    ]


@pytest.mark.parametrize("scene", SCENES)
def test_the_stops_are_the_engines_numbers(ask, scene):
    study = datasets.example("toy")[1].with_k(int(scene.split("-")[1][1:]))
    release = recode(rows_of(scene, tables()["toy"], study), study).release
    parts, tight = attack(release).parts, tight_attack(release)
    (first,) = ask([{"scene": scene, "ask": True}])
    boxes = [tuple(one["box"]) for one in first["outcome"]["classes"]]
    numbers = [boxes.index(_box(release, part)) if part.index is not None else -1 for part in parts]
    told = ask([{"scene": scene, "steps": number} for number in (-2, *numbers)])
    every, *others = [answer["steps"]["stops"] for answer in told]
    assert every[0]["count"] == words.count(math.prod(part.lr_solutions for part in parts))
    assert every[3]["count"] == words.count(math.prod(part.cra_solutions for part in parts))
    assert every[4]["count"] == words.count(tight.worlds)
    for part, stops, answer in zip(parts, others, told[1:], strict=True):
        free = math.comb(sum(part.cell_volumes), part.size)
        counts = [part.lr_solutions, part.lr_solutions, free, part.cra_solutions]
        assert [stop["count"] for stop in stops[:4]] == [words.count(count) for count in counts]
        left = fillings_left(tight, part)
        if left is not None:
            assert stops[4]["count"] == words.count(left.tables)
            assert stops[4]["fewer"] == words.fewer(part.cra_solutions, left.tables)
            shrunk = part.cra_solutions < part.lr_solutions
            assert stops[4]["inAll"] == (words.fewer(part.lr_solutions, left.tables) if shrunk else "")
        ghosts = answer["steps"]["ghosts"]
        if ghosts:
            assert len(ghosts) == math.comb(part.size + len(answer["steps"]["cells"]) - 1, part.size)
            assert sum(ghost["stop"] > 3 for ghost in ghosts) == part.combinations
            assert left is None or sum(ghost["stop"] == 5 for ghost in ghosts) == sum(left.left)


def _box(release, part):
    across, upwards = release.grid.nodes(part.segment)
    return (across.start, across.stop, upwards.start, upwards.stop)


WRONG = [
    ("protect", "toy-k3", "Nothing has changed yet."),
    ("smallest-k", "many-k8", "Nothing has changed yet."),
    ("six", "six-k2", "Nothing has changed yet."),
    ("stealing", "nine-k3", "Nothing has changed yet."),
    ("protect", "toy-k3-m1.8", "No publisher may move people"),
    ("protect", "toy-k3-m0.8", "No publisher may move people"),
    ("protect", "toy-k3-a3", "or invent some"),
    ("protect", "toy-k3-d1", "Anna wants to be in the table"),
    ("protect", "toy-k2", "k has to be 3 or more"),
    ("protect", "toy-k3-d4-d15", "2 rows are left out"),
    ("protect", "toy-k3-d0", "alone for certain, at"),
    ("protect", "six-k2-m0.1", "another table"),
    ("smallest-k", "many-k2", "her cell is known to hold 0 or 1"),
    ("smallest-k", "many-k4-m0.1", "stay where they are"),
    ("smallest-k", "many-k6", "not given away"),
    ("six", "six-k3-m0.1", "k has to stay 2"),
    ("six", "six-k2-a1", "exactly six"),
    ("six", "six-k2-m0.5", "Not yet"),
    ("stealing", "nine-k3-m0.1", "lie apart"),
    ("stealing", "nine-k2-m0.8", "k has to stay 3"),
    ("stealing", "nine-k3-m0.0-m1.0-m2.0-m3.0-m4.0-m5.0-m6.0-m7.0-m8.0", "one box"),
]
SOLVED = [
    *[("protect", scene) for scene in ("toy-k4", "toy-k9", "toy-k3-d25", "toy-k3-d34")],
    ("smallest-k", "many-k4"),
    *[("six", scene) for scene in ("six-k2-m0.1", "six-k2-m5.11", "six-k2-m1.14")],
    *[("stealing", scene) for scene in ("nine-k3-m0.8", "nine-k3-m3.9", "nine-k3-m6.13")],
]


def test_wrong_answers_are_told_why_and_several_solutions_count(ask):
    told = ask([{"scene": scene, "check": key} for key, scene, _ in WRONG])
    for (key, scene, said), answer in zip(WRONG, told, strict=True):
        assert not answer["check"]["done"], (key, scene)
        assert said in answer["check"]["text"], (key, scene)
    told = ask([{"scene": scene, "check": key} for key, scene in SOLVED])
    assert [answer["check"]["done"] for answer in told] == [True] * len(SOLVED)


def test_anna_is_protected_in_both_ways_by_what_a_publisher_may_do(ask):
    """Every row that may be left out, with every k to 9: the engine finds nobody certain exactly where it is solved."""
    study, table = datasets.example("toy")[1], tables()["toy"]
    scenes = [f"toy-k{k}{gone}" for k in range(3, 10) for gone in ("", *(f"-d{who}" for who in range(36) if who != 1))]
    found = ask([{"scene": scene, "check": "protect"} for scene in scenes[1:]])  # at first nothing is changed
    ways = defaultdict(list)
    for scene, answer in zip(scenes[1:], found, strict=True):
        verdict, k = answer["check"], int(scene.split("-")[1][1:])
        release = recode(rows_of(scene, table, study), study.with_k(k)).release
        assert verdict["done"] == (not tight_attack(release).isolated), scene
        if verdict["done"]:
            assert verdict["way"] == ("k" if k > 3 else "row"), scene
            ways[verdict["way"]].append(scene)
    assert "toy-k4" in ways["k"]
    assert 0 < len(ways["row"]) < 10  # few rows will do, as the second way says


@pytest.mark.parametrize(
    ("scene", "said"),
    [
        ("toy-k40", "more than the 36 people"),
        ("toy-k77", "it can be 2 to 50"),
        ("none-k3", "no table"),
        ("toy-k3-m99.1", "somebody who is not in its table"),
        ("toy-k3-a16", "a cell that is not there"),
        ("nine-k3-d0-d1-d2-d3-d4-d5-d6", "2 people"),
    ],
)
def test_scenes_without_sense_get_a_sentence_each(ask, scene, said):
    (answer,) = ask([{"scene": scene, "ask": True}])
    assert said in answer["outcome"]["error"]


def test_what_was_cut_short_says_so_and_stays_true(ask, browser):
    known, made = {}, {}
    for seed in range(40):
        study, frame = random_table(seed)
        text = f"r{seed}-k{study.k}"
        made[f"r{seed}"], known[text] = table_of(frame, study, named(len(frame))), expected(frame, study, 3)
    ask([], made)
    told = browser.execute_script(
        """
        const { Outcome } = need("outcome.js"), { parse } = need("scene.js");
        const { bases } = window.answers;
        return arguments[0].map((text) => new Outcome(bases[text.split("-")[0]], parse(text), () => true).plain);
        """,
        list(known),
    )
    cut = 0
    for plain, exact in zip(told, known.values(), strict=True):
        if exact["status"] != "exact" or not plain["cut"]:
            continue
        cut += 1
        assert "ran out" in plain["rest"]
        assert plain["who"].startswith(("At least", "Nobody was found"))
        assert set(plain["certain"]) <= set(exact["certain"])
        for (low, high, _), (least, most, _) in zip(plain["cells"], exact["cells"], strict=True):
            assert low <= least
            assert most <= high
    assert cut > 10
