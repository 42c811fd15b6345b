"""The playground as a widget of notebooks; importing this module needs anywidget."""

import json
from typing import Any

import anywidget
import pandas as pd
import traitlets

from cra_engine.errors import CRAError
from cra_engine.scenes.colours import colours
from cra_engine.scenes.scene import scene_frame
from cra_engine.scenes.script import FOLDER, modules
from cra_engine.scenes.table import Table
from cra_engine.study.study import Study

NAME = "table"  # of the one table, in its scenes


def notebook_script() -> str:
    """Return the notebook widget's script as one module: the worker is of the same text, nothing is fetched."""
    style = "".join((FOLDER / name).read_text("utf-8") for name in ("style.css", "notebook.css"))
    return (
        f"function program() {{\n{modules(FOLDER, 'notebook.js', 'worker.js')}return need;\n}}\n"
        f"const style = {json.dumps(style)};\n"
        'export default { render: (given) => program()("notebook.js").render(given, String(program), style) };\n'
    )


class Playground(anywidget.AnyWidget):
    """The notebook's widget of a table whose people can be moved; see :func:`cra_engine.playground`.

    Attributes:
        frame: the table as it stands, a pandas DataFrame; a trait, so it can be observed.
        scene: what was changed, such as ``table-k3-m12.7-d4-a9``; can be set.
        start: what the script begins with.
    """

    _esm = notebook_script()

    start = traitlets.Dict().tag(sync=True)
    scene = traitlets.Unicode().tag(sync=True)
    frame = traitlets.Instance(pd.DataFrame)

    def __init__(self, frame: pd.DataFrame, study: Study, table: Table) -> None:
        """Made by :func:`cra_engine.playground`."""
        self._began, self._study, self._table = frame, study, table
        super().__init__(
            start={"tables": {NAME: table}, "colours": colours()}, scene=f"{NAME}-k{study.k}", frame=frame.copy()
        )

    @traitlets.validate("scene")
    def _is_a_scene(self, proposal: dict[str, Any]) -> str:
        scene = str(proposal["value"])
        try:
            scene_frame(scene, self._table, self._study, self._began)
        except CRAError as error:
            raise traitlets.TraitError(str(error)) from None
        return scene

    @traitlets.observe("scene")
    def _moved(self, change: dict[str, Any]) -> None:
        self.frame = scene_frame(change["new"], self._table, self._study, self._began)
