"""The tables that come with the program, and what an uploaded file becomes."""

from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from cra_engine import Attribute, Study, read_table
from dashboard import state

SAMPLES = Path(__file__).resolve().parent.parent / "sample_data"


@dataclass(frozen=True)
class BuiltIn:
    """A ready example.

    Attributes:
        key: its short name, also that of its files.
        title: what the button says.
        text: one sentence on what is in it.
        source: one sentence on where it comes from.
        synthetic: True when no real person stands behind a row.
    """

    key: str
    title: str
    text: str
    source: str
    synthetic: bool = True


BUILT_IN = {
    example.key: example
    for example in (
        BuiltIn("toy", "Toy", "Few enough records to follow every one by eye.", "Synthetic, drawn from a fixed seed."),
        BuiltIn("clinic", "Clinic", "Visits to a clinic.", "Synthetic, drawn from a fixed seed."),
        BuiltIn("hospitals", "Hospitals", "Hospitals and their costs.", "Synthetic, drawn from a fixed seed."),
        BuiltIn("diabetes", "Diabetes", "442 patients of a study on diabetes.", "Real", synthetic=False),
    )
}


def built_in(key: str) -> tuple[state.Dataset, Study]:
    """A ready example with its study."""
    example = BUILT_IN[key]
    if key == "diabetes":
        frame = read_table(SAMPLES / "diabetes.csv")
        study = Study.from_toml(SAMPLES / "diabetes.toml")
        return state.make_dataset(example.title, example.source, "built-in", frame), study
    if key == "toy":
        points = [(370, 135), (290, 290), (150, 115), (260, 245), (95, 125), (215, 155), (30, 330), (70, 350), (20, 390)]
        toy = pd.DataFrame(points, columns=["weight", "systolic"])
        attributes = [Attribute("weight", 0, 400, 3, unit="lb"), Attribute("systolic", 0, 400, 3, unit="mmHg")]
        return state.make_dataset(example.title, example.source, "built-in", toy), Study(attributes, 3)
    from cra_engine.synthesis import synthesize

    made = synthesize(key)
    return state.make_dataset(example.title, example.source, "built-in", made.data), made.study
