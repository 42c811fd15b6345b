"""A session of the dashboard with a table and a study already chosen, opened on one page."""

import json
import time
from pathlib import Path

import pandas as pd
from streamlit.testing.v1 import AppTest

from cra_dashboard.session import state
from cra_engine import Attribute, Study

# What pages fold away, and compute once it is opened: the keys of the parts, which are numbered.
FOLDED = (
    "attack-folded",
    "attack-release-folded",
    "attack-together-folded",
    "single-out-folded",
    "single-out-together-folded",
    "single-out-likely-folded",
    "single-out-certain-folded",
    "recode-folded",
    "hierarchy-folded",
    "together-folded",
    "options-folded",
)
MOST_PARTS = 8

APP = str(Path(__file__).resolve().parents[2] / "app.py")


def open_page(page: str, frame: pd.DataFrame | None = None, study: Study | None = None, **session: object) -> AppTest:
    """Open ``pages/NAME.py`` in a new session, with everything unfolded.

    Args:
        page: the page's name, without folder and ending.
        frame: the session's table; none when left out.
        study: the session's study; none when left out.
        session: other values of the session's state.
    """
    app = AppTest.from_file(APP, default_timeout=300)
    app.run()
    if frame is not None:
        app.session_state[state._DATASET] = state.make_dataset("Example", "Made for a test.", "synthetic", frame)
    if study is not None:
        app.session_state[state._STUDY] = study
    for name, value in session.items():
        app.session_state[name] = value
    return go_to(app, page)


def home(app: AppTest) -> AppTest:
    """Let the next run be of the program's own address, which names no page: app.py runs, and Start."""
    app._page_hash = "app"
    return app


def go_to(app: AppTest, page: str) -> AppTest:
    """Visit another page, and open whatever it folds away."""
    unfold(app)
    return app.switch_page(f"pages/{page}.py").run()


def unfold(app: AppTest) -> None:
    """Have everything open that the next page folds away."""
    for name in FOLDED:
        for place in range(MOST_PARTS):
            app.session_state[f"{name}-{place}"] = True


def look(app: AppTest, option: str, label: str = "Look at") -> AppTest:
    """Choose what the figure is about, or what it shows."""
    return next(group for group in app.segmented_control if group.label == label).set_value(option).run()


def shown(app: AppTest) -> str:
    """What can be read on the page, tables included, as one text; Markdown's escapes are taken out."""
    kinds = ["title", "header", "subheader", "markdown", "caption", "info", "warning", "error"]
    texts = [str(element.value) for kind in kinds for element in app.get(kind)]
    texts += [f"{metric.label} {metric.value}" for metric in app.metric]
    texts += [expander.label for expander in app.expander]
    texts += [button.label for button in app.button]
    texts += [table.value.to_csv() for table in app.dataframe]
    return "\n".join(texts).replace("\\", "")


def pictures(app: AppTest) -> list[dict]:
    """What the page's own pictures are told: ``figure``, ``alt``, and so on."""
    told = [json.loads(part.proto.json) for part in app.get("bidi_component")]
    return [one for one in told if "figure" in one]


def two(k: int = 3, layers: int = 3, *, upper: int = 8) -> Study:
    """Two attributes a and b of [0, upper)."""
    return Study([Attribute("a", 0, upper, layers), Attribute("b", 0, upper, layers)], k)


def let_run(app: AppTest) -> AppTest:
    """Look at the page again and again, as the browser does, until nothing runs in the background."""
    while any(button.label in ("Cancel", "Stop") for button in app.button) or "Looking for the reason" in shown(app):
        time.sleep(0.2)
        app.run()
        assert not app.exception
    return app
