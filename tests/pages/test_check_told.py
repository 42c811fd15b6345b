"""What Check says in a line of the groups and of the sensitive columns."""

import pandas as pd

from cra_dashboard.check.told import groups_told, sensitive_told
from cra_engine import Attribute, Roles, Study, check

AGE = Attribute("age", 20, 60, 2)


def test_how_many_are_in_which_groups_and_what_is_sensitive_is_said_in_a_line_each():
    # Four twenties and four fifties; then seven and one, who is too few to be shown with k = 4.
    table = pd.DataFrame(
        {
            "age": [21, 22, 23, 24, 51, 52, 53, 54],
            "illness": ["flu", "gout", "flu", "gout", "flu", "gout", "flu", "rare"],
            "lab": [1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 8.5],
        }
    )
    found = check(table, Study([AGE], 4, roles=Roles(sensitive=["illness", "lab"])))
    assert groups_told(found).replace("\\", "") == "8 of 8 records in groups; age in 2 groups"
    # Numbers differ anyway: only a text that one person has is told.
    assert sensitive_told(found).replace("\\", "") == (
        "illness: at least 2 different values in every group; lab: at least 4 different values in every group; "
        "1 value of illness is of a single record"
    )
    few = check(table.assign(age=[21, 22, 23, 24, 25, 26, 27, 51]), found.study)
    assert groups_told(few).replace("\\", "") == "7 of 8 records in groups, 1 suppressed; age in 1 group"
