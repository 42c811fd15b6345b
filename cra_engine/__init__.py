"""Publish tables with ARX's local recoding, attack the releases, single out, and check what to publish instead.

>>> import pandas as pd
>>> from cra_engine import Attribute, Study, attack, recode
>>> study = Study([Attribute("weight", 0, 400, layers=3), Attribute("pressure", 0, 400, layers=3)], k=3)
>>> people = [(370, 135), (290, 290), (150, 115), (260, 245), (95, 125), (215, 155)]
>>> release = recode(pd.DataFrame(people, columns=["weight", "pressure"]), study).release
>>> [(found.size, found.combinations) for found in attack(release).classes]
[(3, 12), (3, 12)]

The names are those of ``__init__.pyi``; each is loaded when it is first used: importing the package costs nothing.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
