"""Plans of experiments that the tests run, and reading what was written."""

import csv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# Enough runs that a stop comes in between, small enough for a test.
SMALL = """
seed = 11
samples = 5
k = [3, 5]
tight_time_limit = 60

[[dataset]]
name = "pooled"
synthetic = "hospitals"
pool = 120
records = 60
sets = [{ attributes = ["hosp_id", "APICC"], layers = [2, 3] }]

[[dataset]]
name = "fresh, each"
synthetic = "clinic"
records = 60
sets = [{ attributes = ["weight", "bp_systolic"] }]
"""

# Leaves of two values each. 0 and 2 meet in [0, 4), 4 and 5 on the leaf [4, 6), 7 is left over.
HAND_DATA = "x,name\n0,a\n2,b\n4,c\n5,d\n7,e\n"
HAND_STUDY = """
k = 9
[[attribute]]
name = "x"
lower = 0
upper = 8
layers = 3
"""
HAND_PLAN = """
k = [2]
tight_time_limit = 60
[[dataset]]
name = "by hand"
data = "hand.csv"
study = "hand_study.toml"
sets = [{ attributes = ["x"] }]
"""


def write(folder, text, name="plan.toml"):
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def rows(path):
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))
