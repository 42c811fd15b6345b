"""What the page draws against direct calls of the engine, over random scenes."""

import random

import pytest

from cra_dashboard.playground.challenges import toy
from cra_dashboard.playground.outcome import outcome_of
from cra_dashboard.playground.scene import Scene, base_of, frame_of, read
from cra_engine import Attribute, CRAError, Study, attack, recode, tight_attack

BASE = toy()


def random_scene(seed):
    rng = random.Random(f"outcome {seed}")
    moved = {rng.randrange(36): rng.randrange(16) for _ in range(rng.randrange(8))}
    parts = [f"m{who}.{cell}" for who, cell in moved.items()] + [f"d{who}" for who in rng.sample(range(36), 3)]
    parts += [f"a{rng.randrange(16)}" for _ in range(rng.randrange(4))]
    return read("-".join(["toy", f"k{rng.randint(2, 6)}", *parts]), BASE)


@pytest.mark.parametrize("seed", range(25))
def test_everything_drawn_is_what_the_engine_says(seed):
    scene = random_scene(seed)
    drawn = outcome_of(BASE, scene, patience=600).plain
    study = BASE.study.with_k(scene.k)
    frame = frame_of(BASE, scene)
    recoding = recode(frame, study)
    attacked, tight = attack(recoding.release), tight_attack(recoding.release)
    grid = recoding.release.grid

    formed = [found for step in recoding.iterations for found in step.classes]
    boxes = [[n.start for n in grid.nodes(s)] + [n.stop for n in grid.nodes(s)] for s, _ in formed]
    assert [shown["box"] for shown in drawn["classes"]] == [[b[0], b[2], b[1], b[3]] for b in boxes]
    assert [shown["size"] for shown in drawn["classes"]] == [size for _, size in formed]
    assert drawn["suppressed"] == recoding.release.suppressed == recoding.suppressed

    # Whose box each person is in: from the published table itself, row by row.
    labels = {tuple(n.label for n in grid.nodes(s)): number for number, (s, _) in enumerate(formed)}
    for row, published in zip(frame.itertuples(index=False), recoding.frame.itertuples(index=False), strict=True):
        cell = BASE.number(((row[0] - 20) // 20, (row[1] - 40) // 20))
        assert drawn["owners"][cell] == labels.get(tuple(published), -1)

    views = {view.cell: view for view in tight.cells}
    for number, (low, high, chance) in enumerate(drawn["cells"]):
        view = views.get(BASE.cell(number))
        if view is None:
            assert (low, high, chance) == (0, 0, 0)
            assert not any(part.may_fill(BASE.cell(number)) for part in attacked.parts)
        else:
            assert (low, high) == (view.lowest, view.highest)
            assert chance == pytest.approx(view.probabilities[1] if len(view.probabilities) > 1 else 0, abs=1e-6)
    assert drawn["certain"] == sorted(BASE.number(cell) for cell in tight.isolated)
    assert drawn["exact"] == (tight.status == "exact")
    # And none of it is false: the true table lies within what is said.
    counts = [0] * 16
    for row in frame.itertuples(index=False):
        counts[BASE.number(((row[0] - 20) // 20, (row[1] - 40) // 20))] += 1
    assert all(low <= count <= high for count, (low, high, _) in zip(counts, drawn["cells"], strict=True))
    stolen = [
        [
            formed.index((attacked.release.classes[r].segment, attacked.release.classes[r].size))
            for r, _ in next(c for c in attacked.classes if c.segment == s).stolen
        ]
        for s, _ in formed
    ]
    assert [shown["stole"] for shown in drawn["classes"]] == stolen


def test_the_toy_tells_the_story():
    drawn = outcome_of(BASE, Scene("toy", 3)).plain
    assert (drawn["who"], drawn["rest"]) == ("2 people are known for certain", ", from the published table alone.")
    assert len(drawn["certain"]) == 2


def test_a_calculation_cut_short_says_so():
    outcome = outcome_of(BASE, Scene("toy", 3), patience=0)
    who, rest = outcome.sentence()
    assert not outcome.finished
    assert who.startswith(("At least", "Nobody was found"))
    assert "ran out" in rest
    assert all(low <= true <= high for true, (low, high, _) in zip([1, 2, 2, 2], outcome.cells[:4], strict=True))


def test_people_who_are_alike_are_read_box_by_box():
    study = Study([Attribute("a", 0, 4, 3), Attribute("b", 0, 4, 3)], 2)
    frame = frame_of(toy(), Scene("toy", 3)).head(5)[["age", "weight"]].set_axis(["a", "b"], axis=1)
    frame.loc[:, :] = [[0, 0], [0, 0], [0, 1], [0, 1], [0, 1]]  # leaves of one value each
    base = base_of("alike", frame, study, "abcde")
    drawn = outcome_of(base, Scene("alike", 4)).plain
    assert "by itself" in drawn["note"]
    assert not drawn["exact"]
    assert drawn["certain"] == []


def test_too_few_people_are_a_sentence():
    with pytest.raises(CRAError, match="k"):
        outcome_of(BASE, read("toy-k40", BASE))
