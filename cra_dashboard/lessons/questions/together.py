"""Questions on several releases of the same people."""

from cra_dashboard.lessons.questions.question import Question, among
from cra_engine import Composition
from cra_engine.words import how_many


def together(found: Composition) -> Question | None:
    """How many people all releases isolate together, of which each tells so much alone."""
    if len(found.releases) < 2:
        return None
    right, told = len(found.isolated), len(found.cells)
    alone = [(len(one.fixed_cells), len(one.isolated)) for one in found.alone]
    said = "; ".join(
        f"release {number} (k = {one.release.k}) tells {how_many(cells, 'cell')} and isolates "
        f"{how_many(people, 'person', 'people') if people else 'nobody'}"
        for number, (one, (cells, people)) in enumerate(zip(found.alone, alone, strict=True), start=1)
    )
    most = max(people for _, people in alone)
    others = [
        (str(most), "A release that says nothing new of a cell can still exclude what another one leaves open."),
        (str(sum(people for _, people in alone) + 1), "It is no sum: each bound of one release works on all others."),
        (str(right + 2), "As many are not certain: two tables that give all releases differ there."),
        (str(right + 5), "As many are not certain: two tables that give all releases differ there."),
    ]
    return among(
        f"Of {told} cells {said}. **How many people do they isolate together?**",
        str(right),
        [(text, why) for text, why in others if text != str(right)],
        [
            f"Together they tell {len(found.fixed_cells)} of {told} cells.",
            "Every table that is left must give each of the releases. What one leaves open the other excludes.",
        ],
    )
