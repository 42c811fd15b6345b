"""The tables that the playground begins with: the toy, and those of the challenges in component/challenges.js."""

import pandas as pd

from cra_dashboard.session import datasets
from cra_engine import Study
from cra_engine.scenes.table import Table, named, table_of

_TWENTY_FOUR = (
    "85,51 76,109 61,53 73,74 31,105 65,119 99,70 91,101 41,103 81,70 83,67 23,100 "
    "43,65 52,110 66,97 25,61 36,92 30,112 76,101 68,106 78,64 99,87 38,88 21,90"
)
_SIX = "26,47 33,52 46,66 51,73 67,91 88,113"
_NINE = "79,118 67,74 37,63 20,83 84,99 97,50 62,110 98,45 68,61"


def tables() -> dict[str, Table]:
    """Return the playground's tables by the names that scenes begin with; the same for everybody."""
    data, study = datasets.example("toy")
    return {
        "toy": table_of(data.frame, study, named(len(data.frame))),
        "many": table_of(_made(_TWENTY_FOUR, study), study, named(24, {14: "Anna", 1: "Gita"})),
        "six": table_of(_made(_SIX, study), study.with_k(2), named(6)),
        "nine": table_of(_made(_NINE, study), study, named(9)),
    }


def _made(pairs: str, study: Study) -> pd.DataFrame:
    return pd.DataFrame([[int(value) for value in pair.split(",")] for pair in pairs.split()], columns=study.names)
