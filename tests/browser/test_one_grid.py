"""One release is drawn alike wherever it is shown: per cell mark, colour and number, and the borders of its boxes."""

import io
import re
import time
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from PIL import Image
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

import drive
import touch
from contrast import over
from cra_dashboard import palette
from cra_dashboard.lessons.argument import argument
from cra_dashboard.lessons.files import all_lessons
from cra_dashboard.lessons.handout import handout
from cra_dashboard.lessons.story.picture import Picture
from cra_dashboard.session.attacks import toy
from cra_dashboard.texts.numbering import number_of

PAPER = palette.PAPER  # the page is light here
# What a picture is made of, in pixels: the frame around its cells, what is filled, what is bordered, what is written.
READ = """
const number = (e, name) => Number(e.getAttribute(name) ?? parseFloat(getComputedStyle(e)[name]));
const place = e => { const s = getComputedStyle(e);
    return ['x', 'y', 'width', 'height'].map(n => parseFloat(s[n]) || Number(e.getAttribute(n))); };
const look = e => { const s = getComputedStyle(e);
    return [...place(e), s.fill, Number(s.fillOpacity), s.stroke, s.strokeDasharray, parseFloat(s.strokeWidth)]; };
const roots = [...document.querySelectorAll('*')].filter(e => e.shadowRoot).map(e => e.shadowRoot);
const shown = e => e.checkVisibility();
const pictures = roots.flatMap(r => [...r.querySelectorAll('div.picture')]).filter(shown);
return pictures.map(e => ({
    frame: place(e.querySelector('rect.cells')),
    filled: [...e.querySelectorAll('.fills rect')].map(look),
    tints: [...e.querySelectorAll('.tints rect')].map(look),
    borders: [...e.querySelectorAll('.borders rect')].map(look),
    edges: [...e.querySelectorAll('.edges rect')].map(look),
    texts: [...e.querySelectorAll('.texts text')].map(t => [number(t, 'x'), number(t, 'y'), t.textContent]),
    told: [...e.querySelectorAll('.told li:not(.box)')].map(t => t.textContent),
    boxes: [...e.querySelectorAll('.told li.box')].map(t => t.textContent),
})).concat(roots.flatMap(r => [...r.querySelectorAll('.playground .attacker svg.picture')]).map(e => {
    const cells = [...e.querySelectorAll('.cell rect')].map(look);
    const [left, top] = [0, 1].map(n => Math.min(...cells.map(c => c[n])));
    const [right, bottom] = [0, 1].map(n => Math.max(...cells.map(c => c[n] + c[n + 2])));
    return {
        frame: [left, top, right - left, bottom - top],
        filled: cells,
        tints: [...e.querySelectorAll('.tints rect')].map(look),
        borders: [...e.querySelectorAll('.boxes rect.box')].map(look),
        texts: [...e.querySelectorAll('.texts .main')].map(t => [number(t, 'x'), number(t, 'y'), t.textContent]),
        told: [...e.querySelectorAll('.cell')].map(t => t.getAttribute('aria-label')),
    };
}));
"""


def expected():
    """Each cell's fill and number, and each box's border, from the release and the marks that the house agreed on."""
    grid, views = toy().recoding.grid, {view.cell: view for view in toy().tight.cells}
    cells = {}
    for cell in grid.cells(grid.whole):
        mark, text = palette.known(views[cell].lowest, views[cell].highest)
        cells[cell] = (over(mark.colour, PAPER, mark.opacity) if mark.colour else PAPER, text)
    boxes = {}
    for index, one in enumerate(toy().recoding.release.classes):
        across, up = grid.nodes(one.segment)
        number = number_of(toy().recoding.release, index)
        boxes[across.start, across.stop, up.start, up.stop] = (
            palette.of_class(number),
            False,
            over(palette.of_class(number), PAPER, palette.BOX_OPACITY),
        )
    return cells, boxes


def colour(text):
    """A colour as ``#RRGGBB`` and how opaque it is; what has none is as clear as paper."""
    if text.startswith("#"):
        return text.upper(), 1.0
    numbers = [float(number) for number in re.findall(r"[\d.]+", text)]
    if not numbers:
        return PAPER, 0.0
    whole = 255 if text.startswith("color(") else 1
    return "#{:02X}{:02X}{:02X}".format(*(round(whole * one) for one in numbers[:3])), [*numbers, 1.0][3]


PEOPLE = r"\d+(.\d+)?"


def understood(picture, said=PEOPLE):
    """What is read off a picture, in cells instead of pixels; of what is written, what looks as said."""
    left, top, width, height = picture["frame"]

    def column(x):
        return (x - left) / width * 4

    def row(y):
        return 4 - (y - top) / height * 4

    cells = {(x, y): [PAPER, ""] for x in range(4) for y in range(4)}
    for x, y, wide, high, fill, opacity, *_ in picture["filled"]:
        of, covers = colour(fill)
        if covers * opacity:
            cells[int(column(x + wide / 2)), int(row(y + high / 2))][0] = over(of, PAPER, covers * opacity)
    for x, y, text in picture["texts"]:
        if not re.fullmatch(said, text) or abs(column(x) % 1 - 0.5) > 0.1:
            continue  # the name of a box stands in its corner
        cells[int(column(x)), int(row(y))][1] = text

    def placed(x, y, wide, high):
        return tuple(map(round, (column(x), column(x + wide), row(y + high), row(y))))

    tints, boxes = {}, {}
    for *place, fill, opacity, _, _, _ in picture["tints"]:
        of, covers = colour(fill)
        tints[placed(*place)] = over(of, PAPER, covers * opacity)
    for *place, fill, _, stroke, dashes, _ in picture["borders"]:
        assert fill == "none"
        boxes[placed(*place)] = (colour(stroke)[0], dashes not in ("none", ""), tints.get(placed(*place), PAPER))
    return {cell: tuple(said) for cell, said in cells.items()}, boxes


def printed(drawn):
    """The same of a picture on paper: its cells are from 88 to the right and from 18 downwards."""
    elements = [(element.tag.split("}")[-1], element) for element in ET.fromstring(drawn).iter()]  # noqa: S314 - our own
    lines = [element for tag, element in elements if tag == "line"]
    right, bottom = (max(float(line.get(name)) for line in lines) for name in ("x2", "y2"))
    rects = []
    for tag, e in elements:
        if tag == "rect" and e.get("data-choice") is None and e.get("fill").startswith(("#", "rgb", "none")):
            place = [float(e.get(name)) for name in ("x", "y", "width", "height")]
            look = [e.get("fill"), float(e.get("fill-opacity", 1)), e.get("stroke", ""), e.get("stroke-dasharray", "")]
            rects.append(([*place, *look, 0], e.get("rx")))
    texts = [[float(e.get("x")), float(e.get("y")) - 5, e.text] for tag, e in elements if tag == "text" and e.text]
    return {
        "frame": [88, 18, right - 88, bottom - 18],
        "filled": [rect for rect, rounded in rects if not rounded],
        "tints": [rect for rect, rounded in rects if rounded and not rect[6]],
        "borders": [rect for rect, rounded in rects if rounded and rect[6]],
        "texts": texts,
    }


@pytest.mark.parametrize(
    "address",
    [
        "",
        "playground",
        "all_classes?example=toy",
        "single_out?example=toy",
        "together?example=toy",
        "check?example=toy",
        "audit?example=toy",
        "single_out?example=toy&lesson=singling-out&lesson_step=2",
    ],
)
def test_what_is_known_of_the_toy_is_drawn_alike(browser, app_url, address):
    browser.execute_cdp_cmd(
        "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-reduced-motion", "value": "reduce"}]}
    )
    drive.open_app(browser, f"{app_url}/{address}")
    if not address:
        drive.press(browser, "Show what can be worked out")
    if address == "playground":
        touch.read(browser)
    if address.startswith("together"):
        drive.choose(browser, "Put together", "1: k = 3")
    if "lesson" in address:
        drive.choose(browser, "Look at", "For certain")
    found = seen(browser)
    assert expected() in found, found


def test_each_border_is_parted_from_what_is_filled_by_a_line_of_the_pages_colour(browser, app_url):
    """A border and a fill may be as light as one another; either stands out from the page."""
    drive.open_app(browser, app_url)
    paper = browser.execute_script("return getComputedStyle(document.querySelector('.stApp')).backgroundColor")
    first, _ = browser.execute_script(READ)
    wide = {tuple(one[:4]): one[8] for one in first["borders"]}
    assert len(wide) == 8
    assert {tuple(one[:4]): one[8] - 2 for one in first["edges"]} == wide
    assert {colour(one[6]) for one in first["edges"]} == {colour(paper)}


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("address", ["", "playground", "all_classes?example=toy"])
def test_what_is_certain_looks_alike_inside_a_box_outside_of_one_and_in_the_legend(browser, app_url, address, scheme):
    """Of the two certain cells of the toy one lies in a box, whose tint made it another pink."""
    drive.set_colours(browser, scheme)
    drive.open_app(browser, f"{app_url}/{address}")
    if not address:
        drive.press(browser, "Show what can be worked out")
    if address == "playground":
        touch.read(browser)
    drive._wait(browser, lambda: len(browser.execute_script(CERTAIN)) == 3, "there are no two certain cells")
    drive.wait_until_idle(browser)
    picture = np.asarray(Image.open(io.BytesIO(browser.get_screenshot_as_png())).convert("RGB"))
    drawn = np.array([picture[round(y), round(x)] for x, y in browser.execute_script(CERTAIN)], dtype=int)
    assert (np.ptp(drawn, axis=0) <= 1).all(), drawn  # of 255: what is mixed is rounded


# Where to look at what is certain, beside what is written there: in the cells, then in the legend.
CERTAIN = """
const roots = [...document.querySelectorAll('*')].map(e => e.shadowRoot).filter(Boolean);
const box = e => e.getBoundingClientRect(), at = (b, x, y) => [b.left + x * b.width, b.top + y * b.height];
const find = css => roots.flatMap(root => [...root.querySelectorAll(css)]);
const cells = [...find('.fills rect').filter(e => e.style.fillOpacity === '0.65'), ...find('.attacker .certain rect')];
const marks = find('.legend path').filter(e => e.getAttribute('fill-opacity') === '0.65');
const glows = find('.glows:not(.empty)').map(e => [box(e).left + 7, box(e).top + box(e).height / 2]);
return [...cells.map(e => at(box(e), 0.75, 0.3)), ...marks.map(e => at(box(e), 0.5, 0.5)), ...glows];
"""


def heard(text):
    """The number of people that a sentence says to whoever hears it: ``2``, ``0\N{EN DASH}1``."""
    for pattern in (r"(\d+) (?:to|or) (\d+) people", r"exactly (\d+) people"):
        if found := re.search(pattern, text):
            return "\N{EN DASH}".join(found.groups())
    return "1" if "exactly one person, for certain" in text else "0" if "nobody" in text else ""


@pytest.mark.parametrize("address", ["", "playground", "all_classes?example=toy", "check?example=toy"])
def test_whoever_hears_the_picture_is_told_what_it_shows(browser, app_url, address):
    drive.open_app(browser, f"{app_url}/{address}")
    if not address:
        drive.press(browser, "Show what can be worked out")
    if address == "playground":
        touch.read(browser)
    cells, _ = expected()
    grid = toy().recoding.grid
    told = [
        picture["told"]
        for picture in browser.execute_script(READ)
        if any("\N{EN DASH}" in text for *_, text in picture["texts"])
    ]
    assert len(told) == 1
    assert len(told[0]) == len(cells)
    for cell, (_, number) in cells.items():
        nodes = zip(grid.attributes, grid.nodes(grid.cell_segment(cell)), strict=True)
        place = [rf"{attribute.name}\D+{node.lower:f}\D+{node.upper:f}\b" for attribute, node in nodes]
        (sentence,) = [text for text in told[0] if all(re.search(pattern, text) for pattern in place)]
        assert heard(sentence) == number, sentence


def test_a_dotted_border_is_dotted_alike_in_the_legend(browser, app_url):
    drive.open_app(browser, f"{app_url}/hierarchies?example=clinic")
    drive._wait(browser, lambda: browser.execute_script(READ), "there is no picture")
    dashes = """
        const roots = [...document.querySelectorAll('*')].map(e => e.shadowRoot);
        const found = roots.map(e => e?.querySelector('div.picture')).find(Boolean);
        return ['.borders rect', '.legend path'].map(css => [...found.querySelectorAll(css)].map(e =>
            getComputedStyle(e).strokeDasharray.replaceAll('px', '')).filter(one => one !== 'none'));"""
    drawn, explained = browser.execute_script(dashes)
    assert set(drawn) == set(explained)
    assert len(explained) == 1


STOP = """
const roots = [...document.querySelectorAll('*')].map(e => e.shadowRoot);
const grids = roots.map(e => e?.querySelector('div.picture > svg')).filter(Boolean);
const seen = grids.filter(e => e.checkVisibility()), on = seen.find(e => e === e.getRootNode().activeElement);
if (!on) return [seen.length];
const box = on.getBoundingClientRect(), style = getComputedStyle(on);
return [seen.length, on.getAttribute('role'), on.getAttribute('aria-label'), box.top >= 0 && box.top < innerHeight,
    parseFloat(style.outlineWidth)];
"""


@pytest.mark.parametrize(
    ("address", "look", "named"),
    [
        ("attack", None, "Of the 4 cells in its box, class 6 can fill 3"),
        ("attack", "A filling", "Filling 1: exactly one record in 1 cell"),
        ("all_classes", None, "5 cells hold a certain number of people, 2 of them exactly one"),
        ("single_out", "For certain", "Exactly one person for certain in 2 cells"),
    ],
)
def test_the_tab_key_stops_at_a_grid_brings_it_into_view_and_names_what_it_shows(
    browser, app_url, address, look, named
):
    drive.open_app(browser, f"{app_url}/{address}?example=toy")
    if look:
        drive.choose(browser, "Show" if address == "attack" else "Look at", look)
    drive._wait(browser, lambda: browser.execute_script(STOP)[0], "there is no grid")
    for _ in range(60):
        ActionChains(browser).send_keys(Keys.TAB).perform()
        number, *stop = browser.execute_script(STOP)
        if stop:
            break
    role, told, in_view, ring = stop
    assert (number, role, in_view) == (1, "img", True)
    assert told.startswith(named)
    assert ring >= 3


def test_whoever_hears_the_picture_is_told_where_each_box_is(browser, app_url):
    drive.open_app(browser, f"{app_url}/check?example=toy")
    (told,) = [picture["boxes"] for picture in browser.execute_script(READ)]
    release = toy().recoding.release
    for index, one in enumerate(release.classes):
        nodes = zip(release.grid.attributes, release.grid.nodes(one.segment), strict=True)
        nodes = [(attribute, node) for attribute, node in nodes if node.layer < attribute.layers]  # else of any value
        place = " and ".join(f"{a.name} from {node.lower:f} to under {node.upper:f} {a.measure}" for a, node in nodes)
        assert f"box {number_of(release, index)}: {place}" in told
    assert len(told) == len(release.classes)


def seen(browser):
    """The pictures on the page, once what fades has faded."""
    give_up = time.monotonic() + 20
    while True:
        found = [understood(picture) for picture in browser.execute_script(READ)]
        if expected() in found or time.monotonic() > give_up:
            return found
        time.sleep(0.1)


@pytest.mark.parametrize("address", ["", "recode?example=toy&step=6", "attack?example=toy"])
def test_boxes_are_drawn_alike(browser, app_url, address):
    drive.open_app(browser, f"{app_url}/{address}")
    _, boxes = expected()
    found = [understood(picture)[1] for picture in browser.execute_script(READ)]
    if address.startswith("attack"):
        # One class, and where the others reach into its box.
        (shown,) = found
        assert any(boxes.get(place, ("",))[0] == look[0] for place, look in shown.items()), shown
    else:
        assert boxes in found, found


def test_safe_recode_draws_of_the_same_release_what_all_together_excludes(browser, app_url):
    """Where a box, or the suppressed, can no longer put as many people as fit, some places there are excluded."""
    drive.open_app(browser, f"{app_url}/safe_recoding?example=toy")
    slider = browser.find_element(drive.By.CSS_SELECTOR, '[data-testid="stSlider"] input')
    browser.execute_script("arguments[0].focus()", slider)
    slider.send_keys(drive.Keys.END)
    drive.wait_for_text(browser, "there is no bound on what they tell")
    drive.wait_until_idle(browser)  # the sentence comes before its picture
    views = {view.cell: view for view in toy().tight.cells}
    parts = [part for part in toy().attack.parts if not part.basic]
    wanted = {
        cell: "\N{INFINITY}" if any(part.may_fill(cell) for part in parts) else "1\N{MULTIPLICATION SIGN}"
        for cell in views
    }
    for part in parts:
        assert any(views[cell].highest < part.size for cell in part.free_cells)

    def shown():
        (found,) = [
            understood(picture, "\N{INFINITY}|\\?|[0-9.]+\N{MULTIPLICATION SIGN}")
            for picture in browser.execute_script(READ)
        ]
        return found

    colours = {place: look[0] for place, look in expected()[1].items()}
    # What is no longer in a picture leaves it after a moment.
    drive._wait(browser, lambda: {at: look[0] for at, look in shown()[1].items()} == colours, "the boxes are others")
    assert {cell: text for cell, (_, text) in shown()[0].items()} == wanted


def test_the_story_and_the_handouts_draw_it_alike():
    cells, boxes = expected()
    assert understood(printed(str(Picture(argument()).of_step(("numbers",), "cells")))) == (cells, boxes)
    assert understood(printed(str(Picture(argument()).of_step(("boxes",), "cells"))))[1] == boxes
    drawn = [
        understood(printed(picture))[1]
        for lesson in all_lessons().values()
        if lesson.study == "toy" and lesson.picture == "boxes"
        for picture in re.findall("<svg.*?</svg>", handout(lesson), re.DOTALL)[:1]
    ]
    assert drawn
    assert all(one == boxes for one in drawn)


def test_two_pictures_beside_each_other_on_a_telephone_keep_their_numbers_apart(browser, app_url):
    """The numbers of the axis on one line; at each box its number and its people, as anywhere."""
    drive.set_screen(browser, 390, 844)
    drive.open_app(browser, f"{app_url}/together?example=toy&lesson=two-releases&lesson_step=0")
    drive.wait_for_text(browser, "What everybody can read")
    drive.wait_until_idle(browser)
    drive.picture(browser, "two-beside-390")
    axes, people, sizes = browser.execute_script(
        """
        const svgs = drawn => [...drawn.querySelectorAll('svg')].filter(one => one.querySelector('.cells'));
        const roots = [document, ...[...document.querySelectorAll('*')].map(one => one.shadowRoot).filter(Boolean)];
        const [first] = roots.flatMap(svgs), size = one => parseFloat(getComputedStyle(one).fontSize);
        const below = [...first.querySelectorAll('text.small[text-anchor=middle]')];
        return [
            below.map(one => [one.textContent, one.getAttribute('y')]),
            [...first.querySelectorAll('text.corner')].map(one => one.textContent),
            [...first.querySelectorAll('text.corner')].map(size),
        ];
        """
    )
    assert [text for text, _ in axes] == ["20", "40", "60", "80", "100"]
    assert len({y for _, y in axes}) == 1
    assert sorted(int(one.split(": ")[0]) for one in people) == list(range(7))
    assert all(int(one.split(": ")[1]) >= 3 for one in people)
    assert min(sizes) >= 12
