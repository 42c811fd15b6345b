"""The pages' own pictures: what they are told, and the script's marks where node is there."""

import json
import shutil
import subprocess

import pytest
from streamlit.testing.v1 import AppTest

from cra_dashboard.session.components import SCRIPTS

NODE = shutil.which("node")
SCRIPT = """
import streamlit as st
from cra_dashboard.charts.grid import axis_of
from cra_dashboard.charts.picture import Picture, Tile
from cra_dashboard.panels.picture import mount
from cra_engine import Attribute
axes = [axis_of(Attribute(name, 0, 4, 3)) for name in "ab"]
drawn = Picture(*axes, [Tile(1, 2, "#0072B2", "3", "here")])
mount.show(drawn, "picture", "A cell.", on_pick=lambda place: st.session_state.setdefault("took", []).append(place))
"""


def told():
    at = AppTest.from_string(SCRIPT, default_timeout=300).run()
    assert not at.exception
    (part,) = at.get("bidi_component")
    return json.loads(part.proto.json)


def test_a_picture_is_told_its_axes_its_cells_and_its_takeaway():
    given = told()
    assert (given["alt"], given["picks"], given["cuts"]) == ("A cell.", True, None)
    (cell,) = given["figure"]["tiles"]
    assert cell == [1, 2, "#0072B2", "3", "here", 0.35, 1]
    assert [given["figure"][axis]["title"] for axis in ("across", "upwards")] == ["a", "b"]
    assert given["figure"]["across"]["labels"] == ["0", "1", "2", "3", "4"]


def node(script, given=None):
    code = (
        f"import {{ outline }} from {json.dumps((SCRIPTS / 'marks.js').as_uri())};\n"
        f"import {{ toward }} from {json.dumps((SCRIPTS / 'roving.js').as_uri())};\n"
        f"const given = {json.dumps(given)};\n"
        f"process.stdout.write(JSON.stringify((() => {{ {script} }})()));"
    )
    command = [NODE, "--input-type=module", "--experimental-default-type=module", "-e", code]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


needs_node = pytest.mark.skipif(NODE is None, reason="node is not installed; the browser tests try the script too")


@needs_node
def test_all_marks_have_as_many_points_so_that_one_can_go_over_into_another():
    names = ["circle", "circle-open", "diamond", "square-open", "star", "x"]
    paths = node("return given.map(name => outline(name, 10));", names)
    points = [[tuple(map(float, pair.split(","))) for pair in path[1:-1].split("L")] for path in paths]
    assert len({len(found) for found in points}) == 1
    assert paths[0] == paths[1]
    # A circle of diameter 10; a diamond reaches furthest at its corners, on the axes.
    assert all(abs(x * x + y * y - 25) < 1 for x, y in points[0])
    assert max(points[2], key=lambda point: point[0] ** 2 + point[1] ** 2) in [(0, -6.5), (6.5, 0), (0, 6.5), (-6.5, 0)]
    # No mark has a point in its middle.
    assert all(x * x + y * y > 1 for found in points for x, y in found)


@needs_node
def test_an_arrow_key_goes_to_what_lies_that_way():
    # A small lattice: one below, two, one above; y grows downwards.
    places = [[50, 100], [20, 60], [80, 60], [50, 20]]
    assert node("return ['ArrowUp', 'ArrowDown', 'Enter'].map(key => toward(given, 0, key));", places) == [1, 0, 0]
    assert node("return ['ArrowRight', 'ArrowUp', 'ArrowDown'].map(key => toward(given, 1, key));", places)[0] == 2
