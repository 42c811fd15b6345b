"""What a student hands in: one page to print or to send, and thirty of them as a table on the lecturer's machine.

It is what the student's own session says: it helps to talk about a lesson, and proves nothing.
"""

import json
import re
from collections.abc import Iterable
from html import escape
from pathlib import Path
from typing import Annotated

import pandas as pd
import streamlit as st
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from cra_dashboard.lessons import asking, browser, progress
from cra_dashboard.lessons.files import all_lessons
from cra_dashboard.session import datasets, link, state
from cra_dashboard.session.attacks import run_tight_attack
from cra_dashboard.texts.numbering import recoded
from cra_engine import CRAError
from cra_engine.scenes.scene import SCENE, scene_frame
from cra_engine.scenes.table import named, table_of
from cra_engine.words import how_many

MOST = 200_000  # bytes of a page
LONGEST_NAME = 80  # characters of a student's name
SECONDS = 3.0
_NO_PAGE = "This is no page that the CRA Explorer made to be handed in; ask for it once more."
_OTHER = "It is no page (.html); ask for the file that Hand in saved."
_DATA = re.compile(r'<script id="handed-in" type="application/json">(.*?)</script>', re.DOTALL)
_COLUMNS = ["name", "file", "lessons done", "steps done", "right", "wrong", "scene", "certain", "problem"]
_Few = Annotated[int, Field(ge=0, le=1000)]


class HandedIn(BaseModel):
    """The lessons and predictions in a page that a learner hands in.

    Attributes:
        done: per lesson by its number the steps that are done.
        right: predictions that were right; answered: all that were made.
        scene: the toy's scene on the playground, such as ``toy-k3-m12.7``; empty where none was left there.
        certain: how many people stand alone for certain in it; None where that was not worked out.
        name: what the learner typed as a name, which the browser alone puts there; empty for none.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    done: dict[Annotated[str, Field(pattern=r"^\d{1,3}$")], _Few]
    right: _Few
    answered: _Few
    scene: Annotated[str, Field(max_length=8000, pattern=rf"^(|{SCENE.pattern})$")] = ""
    certain: _Few | None = None
    name: Annotated[str, Field(max_length=LONGEST_NAME)] = ""


def now() -> HandedIn:
    """Return what a learner has done so far in this session, to be handed in."""
    score, scene = asking.score(), str(st.session_state.get(link.SCENE) or "").partition("~")[0]
    own = scene.startswith("toy-")  # of another table nothing is handed on
    return HandedIn(
        done={str(one.number): progress.steps_done(one) for one in all_lessons().values()},
        right=score.right,
        answered=score.answered,
        scene=scene if own else "",
        certain=state.once("handed-in scene", scene, lambda: certain_in(scene)) if own else None,
    )


def certain_in(scene: str, seconds: float = SECONDS) -> int | None:
    """Return how many people are certain in a scene of the toy that a learner hands in; None where it is unknown."""
    data, study = datasets.example("toy")
    try:
        frame = scene_frame(scene, table_of(data.frame, study, named(len(data.frame))), study, data.frame)
        release = recoded(frame, study.with_k(int(scene.split("-")[1][1:]))).release
        found = run_tight_attack(release, seconds)
    except CRAError:
        return None
    return len(found.isolated) if found.status == "exact" else None


def show() -> None:
    """Show where a learner types a name and saves the page to hand in; the name does not come to the server."""
    browser.component_of("hand_in")(key="lesson-hand-in", data={"page": page_to_hand_in(now()), "most": LONGEST_NAME})


def page_to_hand_in(told: HandedIn) -> str:
    """Write the page that a learner hands in, without a name, as HTML that needs nothing else."""
    lessons = "".join(
        f"<tr><td>{one.number}. {escape(one.title)}</td><td>{told.done.get(str(one.number), 0)} of "
        f"{how_many(len(one.step), 'step')}</td></tr>"
        for one in all_lessons().values()
    )
    scene = "No scene of the playground."
    if told.scene:
        known = (
            ""
            if told.certain is None
            else f": {how_many(told.certain, 'person stands', 'people stand')} alone for certain"
        )
        scene = f"<code>playground.html#{escape(told.scene)}</code>{known}."
    data = json.dumps(told.model_dump(exclude={"name"}), separators=(",", ":"))
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>CRA Explorer: handed in</title>
<style>body {{ font: 1rem/1.5 system-ui, sans-serif; max-width: 42rem; margin: 2rem auto; padding: 0 1rem; }}
table {{ border-collapse: collapse; }} td {{ border-bottom: 1px solid; padding: 0.2rem 1rem 0.2rem 0; }}
code {{ overflow-wrap: anywhere; }}</style></head><body>
<h1>What I did with the CRA Explorer</h1>
<p>Name: <span id="name">______________________________</span></p>
<h2>Predictions</h2><p>{told.right} right, {told.answered - told.right} wrong.</p>
<h2>My scene of the playground</h2><p>{scene}</p>
<h2>Lessons</h2><table>{lessons}</table>
<script id="handed-in" type="application/json">{data}</script>
</body></html>
"""


def handed_in(text: str) -> HandedIn:
    """Read a page that a learner handed in.

    Raises:
        CRAError: it is no such page.
    """
    found = _DATA.search(text[:MOST])
    try:
        return HandedIn.model_validate(json.loads(found[1]) if found else None)
    except (ValueError, RecursionError, ValidationError):
        raise CRAError(_NO_PAGE) from None


def table_of_pages(paths: Iterable[Path]) -> pd.DataFrame:
    """Return a row per file that was handed in: whose it is, what was done, and why it cannot be read."""
    rows = [dict.fromkeys(_COLUMNS, "") | {"file": path.name} | _row(path) for path in paths]
    return pd.DataFrame(rows, columns=_COLUMNS, dtype=object)


def _row(path: Path) -> dict[str, object]:
    if path.suffix.lower() not in {".html", ".htm"} or path.is_dir():
        return {"problem": _OTHER}
    try:
        told = handed_in(path.read_bytes()[:MOST].decode("utf-8", errors="replace"))
    except CRAError as error:
        return {"problem": str(error)}
    except OSError:
        return {"problem": "It cannot be read."}
    lessons = all_lessons().values()
    return {
        "name": told.name,
        "lessons done": sum(told.done.get(str(one.number), 0) >= len(one.step) for one in lessons),
        "steps done": sum(told.done.values()),
        "right": told.right,
        "wrong": max(0, told.answered - told.right),
        "scene": told.scene,
        "certain": "" if told.certain is None else told.certain,
    }
