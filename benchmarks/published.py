"""The numbers of the paper's Tables 2 to 7, as published; ``hospitals`` is its HCUP, ``clinic`` its MAP-clinics."""

import csv
from pathlib import Path

PUBLISHED: dict[tuple[str, int, int], dict[str, float]] = {}
with (Path(__file__).parent / "published.csv").open(newline="", encoding="utf-8") as _file:
    for _row in csv.DictReader(_file):
        _key = _row.pop("dataset"), int(_row.pop("qis")), int(_row.pop("k"))
        PUBLISHED[_key] = {name: float(number) for name, number in _row.items()}
