"""The playground's script against the engine: boxes, order, certain cells, ranges, counts, chances, to the last digit.

The script runs in the exported file, opened by file://. A fault that is planted in it is found.
"""

import random

import pandas as pd
import pytest
from selenium.common.exceptions import WebDriverException

from cra_dashboard.playground.file import playground_file
from cra_dashboard.session import datasets
from cra_engine import Study
from cra_engine.scenes.table import named, table_of
from cra_engine.study.file_hierarchy import FileHierarchy
from scenes import expected, labelled_interval, random_table, rows_of

FEW, CHUNKS, SCENES = 120, 40, 500
BATCH = 15  # scenes that are tried before it is asked whether a fault has shown
SECONDS = 3  # for the engine; where these do not suffice only what is proven is compared

ASK = """
const { Answers } = need("answers.js");
const { TooMuch } = need("count.js");
const answers = new Answers();
answers.take(arguments[0]);
return arguments[1].map((text) => {
  try {
    const outcome = answers.outcome(text, 3000);
    const { classes, cells, certain, suppressed } = outcome.plain;
    return {
        status: outcome.alone ? "alone" : outcome.cut ? "timeout" : "exact",
        boxes: classes.map(({ box }) => box),
        sizes: classes.map(({ size }) => size),
        stole: classes.map(({ stole }) => stole),
        suppressed,
        counts: outcome.attack.parts.map((part) => [part.promised, part.left, part.fillings].map(String)),
        cells,
        certain,
        tables: outcome.tables === null ? null : String(outcome.tables),
    };
  } catch (error) {
    if (error instanceof TooMuch) return { status: "too much" }; // which the page says
    throw error;
  }
});
"""
ALWAYS = ("boxes", "sizes", "stole", "suppressed", "counts")


def opened(browser, tmp_path, text):
    """The file in the browser."""
    path = tmp_path / "playground.html"
    path.write_text(text, encoding="utf-8")
    browser.get(path.as_uri())


def differences(told, known):
    """What the script says otherwise than the engine."""
    if told["status"] == "too much":
        return []
    found = [name for name in ALWAYS if told[name] != known[name]]
    both = {told["status"], known["status"]}
    if len(both) == 1 and both <= {"exact", "alone"}:
        found += [name for name in ("cells", "certain", "tables") if told[name] != known.get(name)]
    elif "alone" in both:
        found.append("status")
    elif any(one[0] > other[1] or other[0] > one[1] for one, other in _ends(told, known)):
        found.append("cells")
    return found


def _ends(told, known):
    return zip(told["cells"], known["cells"], strict=True)


def random_scenes(seeds):
    """Tables, the scenes that are asked for, and what the engine says of them."""
    tables, answers = {}, {}
    for seed in seeds:
        study, frame = random_table(seed)
        name = f"r{seed}"
        tables[name] = table_of(frame, study, named(len(frame)))
        answers[f"{name}-k{study.k}"] = expected(frame, study, SECONDS)
    return tables, answers


def asked(browser, tables, texts):
    """What the script says of scenes of these tables."""
    names = {text.split("-")[0] for text in texts}
    return browser.execute_script(ASK, {name: tables[name] for name in names}, texts)


def compared(browser, tables, answers):
    """The differences by scene, and how many scenes were counted to the end by both."""
    texts = list(answers)
    told = asked(browser, tables, texts)
    found = {text: differences(one, answers[text]) for text, one in zip(texts, told, strict=True)}
    assert sum(one["status"] == "too much" for one in told) <= len(told) // 100
    exact = sum(one["status"] == answers[text]["status"] == "exact" for text, one in zip(texts, told, strict=True))
    return {text: names for text, names in found.items() if names}, exact


@pytest.fixture(scope="module")
def few():
    return random_scenes(range(FEW))


def test_random_scenes_are_the_engines(browser, tmp_path, few):
    opened(browser, tmp_path, playground_file())
    wrong, exact = compared(browser, *few)
    assert wrong == {}
    assert exact > 0.8 * 0.75 * FEW  # in a quarter the order of the boxes is open
    # Among them are all kinds.
    answers = few[1].values()
    assert {"exact", "alone"} <= {one["status"] for one in answers}
    assert any(one["suppressed"] for one in answers)
    assert any(any(one["stole"]) for one in answers)


@pytest.mark.exhaustive
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_twenty_thousand_scenes_are_the_engines(browser, tmp_path, chunk):
    opened(browser, tmp_path, playground_file())
    for first in range(chunk * SCENES, (chunk + 1) * SCENES, 100):
        wrong, exact = compared(browser, *random_scenes(range(first, first + 100)))
        assert wrong == {}
        assert exact > 50


def symmetric_scenes(seeds):
    """Tables whose cells stay the same with their attributes exchanged: states tie, and ARX searches which is taken.

    In one attribute each interval has a single raw value, which ARX's search looks at.
    """
    tables, answers = {}, {}
    for seed in seeds:
        rng = random.Random(seed)
        ends = [0, *sorted(rng.sample(range(1, 12), 4)), 12]
        layers = [ends, [0, rng.choice(ends[1:-1]), 12]]
        rows = tuple((str(v), *(labelled_interval(cuts, v) for cuts in layers), "*") for v in range(12))
        half = [(rng.randrange(12), rng.randrange(12)) for _ in range(rng.randint(6, 20))]
        frame = pd.DataFrame([*half, *((up, across) for across, up in half)], columns=["a", "b"])
        frame = frame.sample(frac=1, random_state=seed, ignore_index=True)
        plain = rng.choice("ab")
        frame[plain] = [max(end for end in ends if end <= value) for value in frame[plain]]
        study = Study([FileHierarchy("a", rows), FileHierarchy("b", rows)], rng.randint(2, 5))
        tables[f"s{seed}"] = table_of(frame, study, named(len(frame)))
        answers[f"s{seed}-k{study.k}"] = expected(frame, study, SECONDS)
    return tables, answers


@pytest.fixture(scope="module")
def symmetric():
    return symmetric_scenes(range(40))


@pytest.mark.parametrize(
    ("right", "fault"),
    [
        ("", ""),
        ("this.state(tied.length === 1 ?", "this.state(tied.length ?"),
        ("this.sorted(found.filter(", "(found.filter("),
    ],
)
def test_of_states_that_tie_the_one_is_taken_that_arx_comes_to_first(browser, tmp_path, symmetric, right, fault):
    text = playground_file()
    assert not right or text.count(right) == 1
    opened(browser, tmp_path, text.replace(right, fault) if right else text)
    wrong, _ = compared(browser, *symmetric)
    assert bool(wrong) == bool(right), wrong


def test_what_is_moved_taken_out_and_put_in_is_the_engines(browser, tmp_path):
    data, study = datasets.example("toy")
    tables = {"toy": table_of(data.frame, study, named(36))}
    scenes = [
        "toy-k2",
        "toy-k4-m3.0",
        "toy-k3-d7-m30.9-a5",
        "toy-k5-a0-a0-a15",
        "toy-k6-d0-d1-d2-m3.15-m4.15",
        "toy-k3-m1.8",
    ]
    answers = {text: _of(text, tables["toy"], study, data.frame) for text in scenes}
    # Values between the steps, whose cells keep their places when somebody is moved.
    own, frame = random_table(9)
    tables["own"] = table_of(frame, own, named(len(frame)))
    for moves in ("", "-m0.1", "-m1.0-m2.0", "-d0-a1"):
        text = f"own-k{own.k}{moves}"
        answers[text] = _of(text, tables["own"], own, frame)
    opened(browser, tmp_path, playground_file())
    assert compared(browser, tables, answers)[0] == {}


def _of(text, table, study, frame):
    k = int(text.split("-")[1][1:])
    return expected(rows_of(text, table, study, frame), Study(study.attributes, k, study.profile))


@pytest.mark.parametrize(
    ("right", "fault"),
    [
        pytest.param("size >= k && !state.gaps", "size > k && !state.gaps", id="recode"),
        pytest.param("spread(next) > spread(best)", "spread(next) < spread(best)", id="the third criterion"),
        pytest.param("turn[other] - turn[one]", "turn[one] - turn[other]", id="ownership"),
        pytest.param("return earlier.turn < later.turn", "return earlier.turn > later.turn", id="stealing"),
        pytest.param("? this.k - 1 : Math.max", "? this.k : Math.max", id="bounds"),
        pytest.param("const cap = Math.max(k - 1,", "const cap = Math.max(k,", id="halves"),
        pytest.param("left: sum.left - count, total", "left: sum.left - Math.min(count, 1), total", id="counts"),
        pytest.param("choose(volume, j) * choose(rest, n - j)", "choose(volume, j) * choose(rest, n)", id="chances"),
        pytest.param("Math.max((spread - none)", "Math.max((spread - 2 * none)", id="what ARX loses"),
        pytest.param(
            "size * this.model.nodes(state, number)[axis].share",
            "size * this.model.nodes(state, number)[axis].values",
            id="shares",
        ),
        pytest.param(
            "const latest = this.latest.get(earlier) ?? earlier.layers;",
            "const latest = earlier.layers;",
            id="labels twice",
        ),
        pytest.param("map(({ reads }) => reads[0])", "map(({ reads }) => reads[1])", id="which layer a label names"),
        pytest.param("other !== bounds && implies(bounds, other)", "other !== bounds", id="orders"),
    ],
)
def test_a_planted_fault_is_found(browser, tmp_path, few, right, fault):
    text = playground_file()
    assert text.count(right) == 1, right
    opened(browser, tmp_path, text.replace(right, fault))
    assert shows(browser, *few)


def shows(browser, tables, answers):
    """Whether the script says otherwise than the engine of some scene, or ends."""
    texts = list(answers)
    for batch in (texts[first : first + BATCH] for first in range(0, len(texts), BATCH)):
        try:
            told = asked(browser, tables, batch)
        except WebDriverException:
            return True
        if any(differences(one, answers[text]) for text, one in zip(batch, told, strict=True)):
            return True
    return False
