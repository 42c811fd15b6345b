"""Handling of the playground in a browser, for the tests of it and of what shows it."""

import drive
import touch
from cra_dashboard.playground.tables import tables
from cra_dashboard.session import datasets
from cra_engine.words import spanned
from scenes import expected, rows_of


def open_playground(browser, app_url, query=""):
    drive.open_app(browser, f"{app_url}/playground{query}")
    return touch.settled(browser)


def assert_is_the_engines(shown):
    """Cells, boxes, counts and certain cells of the page against direct calls of the engine."""
    name, k = shown["scene"].split("-")[:2]
    study = datasets.example("toy")[1].with_k(int(k[1:]))
    known = expected(rows_of(shown["scene"], tables()[name], study), study)
    assert shown["cells"] == [str(low) if low == high else f"{low}\N{EN DASH}{high}" for low, high, _ in known["cells"]]
    assert shown["certain"] == known["certain"]
    number = len(known["certain"])
    who = "Nobody stands" if not number else "1 person stands" if number == 1 else f"{number} people stand"
    assert shown["said"] == f"{who} alone for certain, to whoever knows ARX's settings."
    for label, (low, high, chance) in zip(shown["labels"], known["cells"], strict=True):
        if low != high:
            assert f"{spanned(low, high)} people, exactly one with " in label
            assert abs(float(label.split("exactly one with ")[1].split("%")[0]) - 100 * chance) <= 1
    legend = [f"Box {place}, {size} people: " for place, size in enumerate(known["sizes"])]
    assert len(shown["legend"]) == len(legend) + bool(known["suppressed"])
    assert all(text.startswith(start) for text, start in zip(shown["legend"], legend, strict=False))
    for side in ("publisher", "attacker"):
        drawn = {int(number): list(map(float, box)) for number, *box, _ in shown[side]}
        assert sorted(drawn) == list(range(len(legend)))
        for place, (left, right, low, high) in enumerate(known["boxes"]):
            x, y, width, height = drawn[place]
            middle = {
                cell
                for cell, (cx, cy, cw, ch) in enumerate(shown["rects"])
                if x < cx + cw / 2 < x + width and y < cy + ch / 2 < y + height
            }
            assert middle == {4 * across + up for across in range(left, right) for up in range(low, high)}
    assert [box[0:1] + box[5:] for box in shown["publisher"]] == [box[0:1] + box[5:] for box in shown["attacker"]]
    boxes = [label.rsplit(", ", 1)[1].removeprefix("in no box: ") for label in shown["people"]]
    assert boxes.count("suppressed") == known["suppressed"]
    for place, size in enumerate(known["sizes"]):
        assert boxes.count(f"box {place}") == size


def set_k(browser, k):
    touch.run(
        browser,
        "const slider = root.querySelector('.k input'); slider.value = arguments[0];"
        "slider.dispatchEvent(new Event('input', {bubbles: true}))",
        k,
    )


def start_challenge(browser, title):
    if not touch.run(browser, "return Boolean(root.querySelector('.challenges'))"):
        touch.press(browser, "Challenges")
    touch.until(browser, "return root.querySelector('.challenges')")
    touch.run(
        browser,
        "[...root.querySelectorAll('.challenges button')].find(e => e.textContent.includes(arguments[0])).click()",
        title,
    )
    touch.until(browser, "return root.querySelector('.task')")
    touch.settled(browser)


def check(browser):
    touch.press(browser, "Check")
    return touch.verdict(browser)
