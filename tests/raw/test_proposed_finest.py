"""Whether a release may show the values of a column, and the reason in words that say it the right way round."""

import pandas as pd

from cra_engine.raw.proposed_finest import propose_finest


def test_a_few_rare_values_are_said_as_the_exception_that_they_are():
    # 416 records share a value with 4 others or more; 3 and 1 records do not.
    column = pd.Series(["flu"] * 400 + ["gout"] * 16 + ["HIV"] * 3 + ["rabies"])
    assert propose_finest(column) == (
        0,
        "nearly all records share their value with 4 others or more: only 4 of 420 do not",
    )
    assert propose_finest(pd.Series(["flu"] * 20 + ["rabies"]))[1].endswith("only 1 of 21 does not")


def test_many_rare_values_are_said_as_such():
    # 5 of 25 records, a fifth, are alone or nearly.
    column = pd.Series(["flu"] * 20 + ["HIV"] * 4 + ["rabies"])
    assert propose_finest(column) == (1, "5 of 25 records share their value with fewer than 4 others")
    assert propose_finest(pd.Series(["rabies"])) == (1, "1 of 1 record shares its value with fewer than 4 others")


def test_five_records_are_enough_for_a_value():
    assert propose_finest(pd.Series(["flu"] * 5)) == (0, "each of the 1 value is shown by 5 records or more")
