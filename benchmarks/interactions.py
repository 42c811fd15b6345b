"""How long the server's script runs after a click, on the built-in studies; see clicks.py for what a person waits.

A session without a browser (Streamlit's AppTest) does what people do again and again. Of each run of the page the time
is taken, and the time that the processor worked: on a machine that does other things too, the first is longer. The
browser's own share, drawing and the way there and back, comes on top.
"""

import statistics
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from streamlit.testing.v1 import AppTest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from measure import Result

ROOT = Path(__file__).resolve().parents[1]
STUDIES = ("toy", "clinic", "hospitals", "diabetes")
TIMES = 12  # per interaction and study
Interaction = Callable[[AppTest, int], None]


def _step(app: AppTest) -> Any:
    """The slider of the steps; the page has no other."""
    (slider,) = app.select_slider
    return slider


def _forward(app: AppTest, _: int) -> None:
    button = next(button for button in app.button if button.label == "Forward")
    if button.disabled:
        _step(app).set_value(0)
    else:
        button.click()


def _slide(app: AppTest, turn: int) -> None:
    _step(app).set_value((turn * 3 + 1) % len(_step(app).options))


def _records(app: AppTest, turn: int) -> None:
    group = next(group for group in app.get("button_group") if group.label == "Show records as")
    group.set_value("numbers" if turn % 2 else "dots")


def _class(app: AppTest, turn: int) -> None:
    box = next(box for box in app.selectbox if box.label == "Class")
    # From the last on: the wide classes are formed last.
    box.set_value(len(box.options) - 1 - turn % min(8, len(box.options)))


def _map(app: AppTest, turn: int) -> None:
    group = next(group for group in app.get("button_group") if group.label == "Look at")
    group.set_value("The whole release" if turn % 2 else "This class")


def _show(app: AppTest, option: str, control: str = "Show") -> None:
    """Have the figure show something, before the clock runs."""
    group = next(group for group in app.get("button_group") if group.label == control)
    if group.value != option:
        group.set_value(option).run()


def _filling(app: AppTest, turn: int) -> None:
    _show(app, "A filling")
    buttons = [button for button in app.button if button.label == ("Next", "Previous")[turn % 2]]
    if buttons and not buttons[0].disabled:
        buttons[0].click()


def _people(app: AppTest, turn: int) -> None:
    _show(app, "How likely")
    boxes = [box for box in app.selectbox if box.label == "A cell holds exactly"]
    if boxes:
        boxes[0].set_value(turn % len(boxes[0].options))


def _predicate(app: AppTest, turn: int) -> None:
    _show(app, "Checked", "Look at")
    boxes = [box for box in app.selectbox if box.label == "Predicate"]
    if boxes:
        boxes[0].set_value(turn % len(boxes[0].options))


def _k(app: AppTest, turn: int) -> None:
    next(field for field in app.number_input if field.label == "k").set_value(3 + turn % 5)


INTERACTIONS: dict[str, tuple[tuple[str, Interaction], ...]] = {
    "hierarchies": (("another k", _k),),
    "recode": (("one step on, as in play", _forward), ("to any step", _slide), ("dots or numbers", _records)),
    "attack": (
        ("another class", _class),
        ("class or whole release", _map),
        ("another filling", _filling),
        ("another number of people", _people),
    ),
    "single_out": (("another predicate", _predicate),),
}


def seconds(page: str, study: str, act: Interaction) -> list[tuple[float, float]]:
    """Seconds, and processor seconds, of each run of a page after an interaction; a session's first is left out."""
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=120)
    app.query_params["example"] = study
    app.run()
    app.switch_page(f"pages/{page}.py").run()
    if app.exception:
        raise RuntimeError(f"{page} on {study}: {app.exception[0].message}")
    taken = []
    for turn in range(TIMES + 1):
        act(app, turn)
        started, worked = time.perf_counter(), time.process_time()
        app.run()
        taken.append((time.perf_counter() - started, time.process_time() - worked))
    return taken[1:]


@dataclass(frozen=True)
class Line:
    """One interaction over all studies: median and 95th percentile, in seconds, of its time and of the processor's."""

    page: str
    name: str
    middle: float
    most: float
    middle_worked: float
    most_worked: float
    slowest: str


def measured() -> Iterator[Line]:
    """One line per interaction."""
    for page, interactions in INTERACTIONS.items():
        for name, act in interactions:
            by_study = {study: seconds(page, study, act) for study in STUDIES}
            times, worked = zip(*(pair for pairs in by_study.values() for pair in pairs), strict=True)
            slowest = max(by_study, key=lambda study: statistics.median(pair[1] for pair in by_study[study]))
            yield Line(
                page,
                name,
                statistics.median(times),
                statistics.quantiles(times, n=20)[-1],
                statistics.median(worked),
                statistics.quantiles(worked, n=20)[-1],
                slowest,
            )


def interactions() -> Iterator[Result]:
    """The lines for the report of all benchmarks."""
    for line in measured():
        yield Result(
            f"one run of the server's script, {line.page}: {line.name} (p50)",
            line.middle,
            note=f"p95 {1000 * line.most:.0f} ms; processor time p50 {1000 * line.middle_worked:.0f} ms, "
            f"p95 {1000 * line.most_worked:.0f} ms; slowest on {line.slowest}. All built-in studies.",
        )


def main() -> None:
    """Print a line per interaction."""
    print(f"{'':<42}{'time':>16}{'processor time':>18}")
    print(f"{'page':<14}{'interaction':<28}{'p50':>8}{'p95':>8}{'p50':>10}{'p95':>8}   slowest study")
    for line in measured():
        times = (line.middle, line.most, line.middle_worked, line.most_worked)
        shown = "".join(f"{1000 * value:>{width - 3}.0f} ms" for value, width in zip(times, (8, 8, 10, 8), strict=True))
        print(f"{line.page:<14}{line.name:<28}{shown}   {line.slowest}")


if __name__ == "__main__":
    main()
