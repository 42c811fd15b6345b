"""A column that is to be removed leaves every release that is made by a study."""

import pandas as pd
import pytest

from cra_engine import (
    Attribute,
    Roles,
    Study,
    global_recode,
    minimal_release,
    minimal_releases,
    recode,
    safe_recode,
)

TABLE = pd.DataFrame({"name": ["Ada", "Bo", "Cy", "Di"], "age": [12, 19, 33, 38], "ward": [1, 2, 1, 2]})
STUDY = Study([Attribute("age", 0, 80, layers=4)], k=2).with_roles(Roles(remove=["name"]))
WAYS = {
    "local": lambda: recode(TABLE, STUDY).frame,
    "safe": lambda: safe_recode(TABLE, STUDY, 2, seed=1).frame,
    "global": lambda: global_recode(TABLE, STUDY).frame,
    "minimal": lambda: minimal_release(TABLE, STUDY, seed=1).frame,
    "every minimal": lambda: minimal_releases(TABLE, STUDY)[0].frame,
}


@pytest.mark.parametrize("way", WAYS)
def test_what_is_to_be_removed_is_in_no_release(way):
    assert list(WAYS[way]().columns) == ["age", "ward"]
