"""A table of four that options are tried on, and grids of options in short."""

from decimal import Decimal

import pandas as pd

from cra_engine import Attribute, OptionGrid, Study, Way

STUDY = Study([Attribute("a", 0, 8, 3)], 2)
DATA = pd.DataFrame({"a": [0, 3, 4, 5]})


def grid(ks=(2,), layers=((3,),), profiles=("paper",), limits=()):
    ways = (*(Way("local", profile) for profile in profiles), *(Way("global", Decimal(limit)) for limit in limits))
    return OptionGrid(tuple(ks), tuple(map(tuple, layers)), ways)
