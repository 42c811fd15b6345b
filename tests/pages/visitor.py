"""The dashboard in-process: every page as a person meets it, without a browser.

AppTest sees the page alone: what app.py puts above it (the study bar) is tested in tests/dashboard and in the browser.
"""

import json
from pathlib import Path

from streamlit.testing.v1 import AppTest
from support import pictures, unfold

from cra_dashboard.session import state

ROOT = Path(__file__).parents[2]
START, DATA, HIERARCHIES = (f"pages/{name}.py" for name in ("start", "data", "hierarchies"))
UPLOAD, SYNTHESIZE = "Upload a table", "Make a synthetic table"
COSTS = "id;cost;age\n" + "".join(f"p{row};1,{row:03d};{20 + row}\n" for row in range(10, 40))


class Session:
    """One session of the dashboard, with what the tests ask of it again and again."""

    def __init__(self):
        self.at = AppTest.from_file(ROOT / "app.py", default_timeout=300)
        self.run()

    def run(self):
        self.at.run()
        assert not self.at.exception, self.at.exception
        return self

    def open(self, page):
        unfold(self.at)
        self.at.switch_page(page)
        return self.run()

    def press(self, key):
        self.at.button(key=key).click()
        return self.run()

    def fill(self, kind, key, value):
        getattr(self.at, kind)(key=key).set_value(value)
        return self.run()

    def upload(self, name, content, label="File with the table"):
        """Give a file to the upload field with this label."""
        return self.upload_all({name: content}, label)

    def upload_all(self, files, label):
        """Give several files, content by name, to the upload field with this label."""
        (field,) = (field for field in self.at.file_uploader if field.label == label)
        for name, content in files.items():
            field.upload(name, content)
        return self.run()

    @property
    def dataset(self) -> state.Dataset | None:
        return self.at.session_state.get("cra_dataset")

    @property
    def study(self):
        return self.at.session_state.get("cra_study")

    @property
    def title(self):
        """The page's name, without the question that it answers."""
        return self.at.title[0].value.split(":")[0]

    def says(self, *kinds):
        """The text of all elements of these kinds (``"error"``, ``"markdown"``, ..), escapes taken off."""
        return "\n".join(element.value for kind in kinds for element in getattr(self.at, kind)).replace("\\", "")

    def charts(self):
        """The charts on the page in Plotly's words, and the pictures in ours."""
        return [json.loads(chart.proto.spec) for chart in self.at.get("plotly_chart")] + [
            told["figure"] for told in pictures(self.at)
        ]

    def alts(self):
        """What is read out in place of each chart."""
        return [chart.proto.alt for chart in self.at.get("plotly_chart")] + [told["alt"] for told in pictures(self.at)]


def helps(page):
    """What the question marks beside a page's grey sentences open."""
    return "\n".join(one.proto.help for one in page.at.caption)


def table(page, position):
    """What the table at this place of a page holds."""
    return page.at.dataframe[position].value
