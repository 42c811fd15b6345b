"""The colours: enough contrast, told apart by everybody, and taken from one place."""

import re
import tomllib
from itertools import combinations, product
from pathlib import Path

import numpy as np
import pytest

from contrast import contrast, over
from cra_dashboard import palette

ROOT = Path(__file__).parents[2]
THEME = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text())["theme"]
ROLES = {name: getattr(palette, name) for name in ("OWN", "STOLEN", "ISOLATED", "CHOSEN", "SUPPRESSED", "UNDECIDED")}
SCHEMES = pytest.mark.parametrize("scheme", ["light", "dark"])
# Machado, Oliveira and Fernandes 2009, full severity; on linear RGB.
SIGHTS = {
    "everybody else": [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "tritanopia": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
}


def channels(colour):
    return np.array([int(colour[place : place + 2], 16) for place in (1, 3, 5)], dtype=float)


def lab(colour, sight):
    """The place of a colour in CIE L*a*b*, where distance is difference as seen."""
    part = channels(colour) / 255
    linear = np.where(part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4)
    linear = np.clip(np.array(SIGHTS[sight]) @ linear, 0, 1)
    xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]) @ linear
    f = np.cbrt(xyz / np.array([0.9505, 1, 1.089]))
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


@pytest.mark.parametrize(
    ("one", "other", "ratio"),
    # The examples of WCAG's own documents and of its well-known checkers.
    [
        ("#000000", "#FFFFFF", 21.0),
        ("#777777", "#FFFFFF", 4.48),
        ("#767676", "#FFFFFF", 4.54),
        ("#FF0000", "#FFFFFF", 4.0),
    ],
)
def test_contrast_is_wcags(one, other, ratio):
    assert contrast(one, other) == contrast(other, one) == pytest.approx(ratio, abs=0.005)


@SCHEMES
@pytest.mark.parametrize("role", ROLES)
def test_marks_reach_three_to_one(role, scheme):
    assert contrast(ROLES[role], THEME[scheme]["backgroundColor"]) >= 3


@SCHEMES
def test_text_reaches_four_and_a_half_to_one(scheme):
    theme = THEME[scheme]
    for background in (theme["backgroundColor"], theme["secondaryBackgroundColor"]):
        assert contrast(theme["textColor"], background) >= 7
        assert contrast(theme["linkColor"], background) >= 4.5
        # Captions stand at 80 %.
        assert contrast(over(theme["textColor"], background, 0.8), background) >= 7
    assert contrast("#FFFFFF", theme["primaryColor"]) >= 4.5


@SCHEMES
@pytest.mark.parametrize("fill", sorted({*ROLES.values(), *palette.CLASSES}))
def test_text_in_a_filled_cell_can_be_read(fill, scheme):
    background = THEME[scheme]["backgroundColor"]
    # Fills are drawn with 0.55 at most, but for those of chances.
    for opacity in (0.1, 0.35, 0.55):
        assert contrast(THEME[scheme]["textColor"], over(fill, background, opacity)) >= 4.5, opacity


FILLS = {
    mark.name: mark for mark in vars(palette).values() if isinstance(mark, palette.Mark) and mark.symbol == "square"
}


@SCHEMES
@pytest.mark.parametrize("name", FILLS)
def test_text_on_each_mark_can_be_read(name, scheme):
    """Whose cells and who took them is filled in any class's colour, through which no box shows."""
    mark, background = FILLS[name], THEME[scheme]["backgroundColor"]
    for fill in {mark.colour or background, *(palette.CLASSES if mark in (palette.FREE, palette.TAKEN) else ())}:
        assert contrast(THEME[scheme]["textColor"], over(fill, background, mark.opacity)) >= 4.5, fill


@SCHEMES
def test_text_on_what_is_not_filled_can_be_read_in_three_boxes_too(scheme):
    """Boxes overlap."""
    for boxes in product(palette.CLASSES, repeat=3):
        seen = THEME[scheme]["backgroundColor"]
        for box in boxes:
            seen = over(box, seen, palette.BOX_OPACITY)
            assert contrast(THEME[scheme]["textColor"], seen) >= 4.5, boxes


@SCHEMES
@pytest.mark.parametrize("mark", [palette.ALONE, palette.RAW], ids=["certain", "in truth"])
def test_cells_where_somebody_stands_alone_stand_out(mark, scheme):
    background = THEME[scheme]["backgroundColor"]
    seen = over(mark.colour, background, mark.opacity)
    assert contrast(THEME[scheme]["textColor"], seen) >= 4.5
    if scheme == "dark":  # on white no fill reaches this under dark words; what stands in the cell says it there
        assert contrast(seen, background) >= 3
        # Beside what is drawn next to them: nobody, and what a box covers.
        for other in (palette.NOBODY, *(palette.Mark(one, opacity=palette.BOX_OPACITY) for one in palette.CLASSES)):
            assert contrast(seen, over(other.colour, background, other.opacity)) >= 2.5


@SCHEMES
@pytest.mark.parametrize("chance", [0.25, 0.5, 0.99, 1])
def test_text_on_a_chance_can_be_read(chance, scheme):
    seen = over(palette.LIKELY, THEME[scheme]["backgroundColor"], palette.opacity_of(chance))
    assert contrast(THEME[scheme]["textColor"], seen) >= 4.5


@pytest.mark.parametrize("sight", SIGHTS)
def test_any_two_roles_are_told_apart(sight):
    for one, other in combinations(ROLES, 2):
        assert np.linalg.norm(lab(ROLES[one], sight) - lab(ROLES[other], sight)) > 12, (one, other)


@pytest.mark.parametrize("sight", SIGHTS)
def test_any_two_classes_are_told_apart(sight):
    """The toy has eight; its first and its last were of one blue."""
    assert len(palette.CLASSES) >= 8
    for one, other in combinations(palette.CLASSES, 2):
        assert np.linalg.norm(lab(one, sight) - lab(other, sight)) > 12, (one, other)


@pytest.mark.parametrize("colour", palette.CLASSES)
def test_no_class_is_near_the_pink_of_who_stands_alone(colour):
    """The cells of a red box looked as if they were certain."""
    assert np.linalg.norm(lab(colour, "everybody else") - lab(palette.ISOLATED, "everybody else")) > 40


@SCHEMES
@pytest.mark.parametrize("colour", palette.CLASSES)
def test_classes_can_be_seen(colour, scheme):
    assert contrast(colour, THEME[scheme]["backgroundColor"]) >= 3


@SCHEMES
def test_chances_can_be_told_apart(scheme):
    background = THEME[scheme]["backgroundColor"]

    def seen(chance):
        return lab(over(palette.LIKELY, background, palette.opacity_of(chance)), "everybody else")

    # 2.3 is a difference that is just seen.
    for one, other in ((0, 0.25), (0.25, 0.5), (0.5, 0.67), (0.67, 0.99), (0.99, 1)):
        assert np.linalg.norm(seen(one) - seen(other)) > 4, (one, other)
    # Those of the legend are matched with cells far from it; on black they were three dark blues alike.
    for one, other in ((0, 0.5), (0.5, 0.99)):
        assert np.linalg.norm(seen(one) - seen(other)) > 18, (one, other)


def test_a_class_keeps_its_colour_and_the_first_ones_differ():
    colours = [palette.of_class(number) for number in range(len(palette.CLASSES))]
    assert len({*colours, palette.of_class(None)}) == len(colours) + 1
    assert palette.of_class(len(colours)) == colours[0]


def test_colours_come_from_the_palette():
    sources = "".join(
        (ROOT / name).read_text() for name in ("cra_dashboard/palette.py", "cra_engine/scenes/colours.py")
    )
    own = {f"#{colour}" for colour in re.findall(r"#([0-9A-Fa-f]{6})\b", sources)}
    for file in [*ROOT.glob("cra_dashboard/**/*.py"), *ROOT.glob("pages/*.py")]:
        if file.name != "palette.py":
            text = file.read_text(encoding="utf-8")
            assert not re.findall(r"[\"' ]#[0-9A-Fa-f]{6}\b", text), file.name
            greys = re.findall(r"rgba\((\d+), (\d+), (\d+),", text)
            assert {len({*grey}) for grey in greys} <= {1}, file.name
    assert set(THEME["chartCategoricalColors"]) == set(ROLES.values()) <= own


def test_every_grid_is_drawn_by_one_function_with_marks_from_the_palette():
    # A hierarchy is no grid.
    makers = {f"cra_dashboard/charts/{name}.py" for name in ("picture", "tiled", "tree")}
    for file in [*ROOT.glob("cra_dashboard/**/*.py"), *ROOT.glob("pages/*.py")]:
        text, own = file.read_text(encoding="utf-8"), file.relative_to(ROOT).as_posix()
        if own not in makers:
            assert not re.search(r"\bTile\(", text), own
        # Signs of cells stand in the palette alone; the playground's script has a list of its own.
        if own != "cra_dashboard/palette.py" and not own.startswith("cra_engine/scenes/"):
            assert not re.search("[✔✕✖]", re.sub(r"_SIGNS = .*", "", text)), own
