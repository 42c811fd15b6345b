"""While a component's script is on its way, its style alone fills its place: Streamlit shows nothing meanwhile."""

import re

import pytest

from cra_dashboard.panels.stage import STYLE
from cra_dashboard.session.components import SCRIPTS
from cra_engine.scenes.script import FOLDER


@pytest.mark.parametrize("path", [FOLDER / "style.css", SCRIPTS / "story.css", SCRIPTS / "picture.css"], ids=str)
def test_a_place_without_its_script_has_a_height_and_a_colour(path):
    # Streamlit puts the link to the style into a part of its own, and the script draws beside it.
    (rule,) = re.findall(r"^div:only-child:has\(> link\) \{(.*)\}$", path.read_text("utf-8"), re.MULTILINE)
    said = dict(part.strip().split(": ", 1) for part in rule.split(";") if part.strip())
    assert said["background"] == "var(--st-secondary-background-color)"
    assert re.match(r"[1-9]|calc\(100vh|var\(--waiting", said["height"])
    assert re.search(r"\.st-key-stage \{--waiting: [1-9]\d*rem\}", STYLE)  # the height of a figure's place
