"""What goes out with a table says of each column what its rows show."""

from types import SimpleNamespace

import pandas as pd

from cra_engine import Attribute, Study
from cra_engine.publishable.handed_out import wider_text
from cra_engine.publishable.outcome import _best_at


def test_rows_that_show_wider_groups_than_the_finest_are_counted_and_named():
    """Of [60, 70[ and [70, 80[, the finest, no row counts, nor of a star."""
    study = Study([Attribute("Alter", 60, 100, layers=3)], 2)
    shown = ["[60, 70[", "[70, 80[", "[60, 80[", "[60, 80[", "*"]
    table = SimpleNamespace(study=study, frame=pd.DataFrame({"Alter": shown}))
    assert wider_text(table, "Alter") == "wider in 2 rows: [60, 80["
    finest = SimpleNamespace(study=study, frame=table.frame[table.frame["Alter"].isin(["[60, 70[", "*"])])
    assert (wider_text(finest, "Alter"), wider_text(table, "Station")) == ("", "")


def test_a_table_that_leaves_out_fewest_rows_says_how_many_of_them_say_little():
    def table(cost, left_out, suppressed):
        rows = {"left_out": left_out, "suppressed": suppressed, "lost_rows": left_out + suppressed}
        return SimpleNamespace(cost=cost, gone=(), not_shown=(), costs={}, basic=(), **rows)

    most = table(0.2, 9, 0)
    few = table(0.4, 0, 67)
    assert _best_at(few, [few, most]) == "leaves out fewest rows; 67 say little"
    assert _best_at(table(0.4, 0, 0), [most]) == "leaves out fewest rows"
