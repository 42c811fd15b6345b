"""The script's pure modules by themselves, where node is there; the browser tests try them all in any case."""

import json
import random
import shutil
import subprocess
from pathlib import Path

import pytest

from cra_dashboard.playground.answers import Answers
from cra_dashboard.playground.challenges import challenges, toy
from cra_dashboard.playground.scene import people, read

COMPONENT = Path(__file__).parents[2] / "cra_dashboard" / "playground" / "component"
NODE = shutil.which("node")

pytestmark = pytest.mark.skipif(NODE is None, reason="node is not installed; the browser tests try the modules too")


def node(module, script, given):
    """What a script answers that has a module as ``m`` and plain data as ``given``."""
    code = (
        f"import * as m from {json.dumps((COMPONENT / module).as_uri())};\n"
        f"const given = {json.dumps(given)};\n"
        f"const answer = (() => {{ {script} }})();\n"
        "process.stdout.write(JSON.stringify(answer));"
    )
    done = subprocess.run(
        [NODE, "--input-type=module", "--experimental-default-type=module", "-e", code],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_scenes_are_read_written_and_changed_as_in_python():
    base = toy()
    tasks = challenges(base)
    plain = Answers({"toy": base}, tasks[:1]).start()["bases"]["toy"]
    rng = random.Random(4)
    acts = []
    for _ in range(60):
        kind = rng.choice(["move", "move", "move", "add", "remove"])
        acts.append([kind, rng.randrange(36), rng.randrange(16)])
    texts = node(
        "scene.js",
        """
        let scene = m.parse("toy-k3");
        return given.acts.map(([kind, who, cell]) => {
            const there = m.people(given.base, scene).map(person => person.id);
            const id = there[who % there.length];
            if (kind === "move") scene = m.moveTo(given.base, scene, id, cell);
            else if (kind === "add") scene = m.add(given.base, scene, cell) ?? scene;
            else if (there.length > 12) scene = m.remove(given.base, scene, id);
            return [m.format(scene), m.format(m.parse(m.format(scene))), m.people(given.base, scene)];
        });
        """,
        {"acts": acts, "base": plain},
    )
    for text, again, found in texts:
        scene = read(text, base)
        assert scene.text == text == again
        assert [(p["id"], p["cell"]) for p in found] == [(n, base.number(c)) for n, c, _ in people(base, scene)]
    assert len({text for text, _, _ in texts}) > 40


def test_the_four_nearest_cells_are_neighbours_the_nearest_first():
    base = {"shape": [4, 4]}
    assert node("scene.js", "return m.nearest(given, 1.1, 2.4)", base) == [2, 5, 7, 10]
    assert node("scene.js", "return m.nearest(given, 0.5, 0.1)", base) == [4, 1]
    steps = node("scene.js", "return ['Left', 'Right', 'Up', 'Down'].map(k => m.stepped(given, 5, `Arrow${k}`))", base)
    assert steps == [1, 9, 6, 4]
    assert node("scene.js", "return ['Left', 'Down'].map(k => m.stepped(given, 0, `Arrow${k}`))", base) == [0, 0]


def test_boxes_keep_their_identity_and_colour():
    made = node(
        "identity.js",
        """
        let next = 0;
        const fresh = () => next += 1;
        const box = (...at) => ({box: at, size: 3, text: "", stole: []});
        const first = m.identified([], [box(0, 2, 0, 2), box(2, 4, 0, 2), box(0, 4, 2, 4)], 8, fresh);
        // The first one shrinks, the second stays but is now formed first, the third goes, another comes elsewhere.
        const second = m.identified(first, [box(2, 4, 0, 2), box(0, 1, 0, 2), box(1, 2, 1, 2)], 8, fresh);
        return [first, second].map(found => found.map(one => [one.id, one.colour]));
        """,
        None,
    )
    first, second = made
    assert len({number for number, _ in first}) == 3
    assert len({colour for _, colour in first}) == 3
    assert second[0] == first[1]
    assert second[1] == first[0]
    assert second[2][0] not in {number for number, _ in first}


ASKER = """
const sent = [];
const asker = new m.Asker(question => sent.push(question), () => ({scene: "toy-k3", panel: ""}), () => {});
"""


def test_one_question_at_a_time_and_what_is_wanted_goes_first():
    asked = node(
        "asker.js",
        ASKER
        + """
        asker.expect(["a", "b", "c", "d", "e"]);
        asker.want("now");
        asker.want("later");
        const before = sent.length;
        asker.receive({id: sent[0].id, outcomes: {a: 1, b: 1, c: 1, d: 1}});
        const wanted = sent[1].ask;
        asker.receive({id: 7, outcomes: {}});
        const foreign = sent.length;
        asker.receive({id: sent[1].id, outcomes: {later: {who: "x"}}});
        asker.stop();
        return [before, sent[0].ask, wanted, foreign, sent[2].ask, asker.want("later")];
        """,
        None,
    )
    assert asked == [1, ["a", "b", "c", "d"], ["later"], 2, ["e"], {"who": "x"}]


def test_what_is_refused_is_not_asked_again_for_ever():
    asked = node(
        "asker.js",
        ASKER
        + """
        asker.want("broken");
        for (let turn = 0; turn < 5 && asker.open; turn += 1) asker.receive({id: asker.open, error: "no"});
        asker.stop();
        return [sent.length, asker.want("broken")];
        """,
        None,
    )
    assert asked == [1, {"error": "no"}]
