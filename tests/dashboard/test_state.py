"""The session's memory: what is kept, what is computed again, what is forgotten."""

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from cra_dashboard.session import state

TABLE = pd.DataFrame({"age": [21, 34, 55, 71], "weight": [80.5, 71.0, 64.25, 90.0]})


def digest(frame):
    return state.make_dataset("name", "note", "uploaded", frame).digest


def test_equal_tables_have_equal_digests():
    assert digest(TABLE) == digest(TABLE.copy())
    # Name, note and origin do not matter: the same file uploaded again is the same table.
    assert digest(TABLE) == state.make_dataset("other", "other", "built-in", TABLE).digest


@pytest.mark.parametrize(
    "changed",
    [
        TABLE.rename(columns={"age": "year"}),
        TABLE[["weight", "age"]],
        TABLE.iloc[::-1],
        TABLE.iloc[:3],
        TABLE.assign(age=[21, 34, 55, 72]),
        TABLE.assign(age=["21", "34", "55", "71"]),
    ],
)
def test_another_table_has_another_digest(changed):
    assert digest(changed) != digest(TABLE)


def test_one_cell_among_many_counts():
    # A hash of a sample would overlook it.
    many = pd.DataFrame({"value": np.zeros(200_000, dtype=np.int64)})
    assert (
        len({digest(many), *(digest(many.assign(value=many["value"].where(many.index != i, 1))) for i in (1, 77_777))})
        == 3
    )


def session(script, *runs):
    """Run a script in one session, once per dict of values to put into its memory before; the session after that."""
    at = AppTest.from_string(HEAD + script, default_timeout=300)
    for values in runs or ({},):
        for key, value in values.items():
            at.session_state[key] = value
        at.run()
        assert not at.exception
    return at


HEAD = """
import pandas as pd
import streamlit as st
from cra_engine.choices import AttackTies
from cra_engine import Attribute, Study
from cra_dashboard.session import state

ages = Attribute("age", 0, 80, 3)
one = state.make_dataset("one", "", "uploaded", pd.DataFrame({"age": [1, 2, 3, 44, 45, 46]}))
two = state.make_dataset("two", "", "uploaded", pd.DataFrame({"age": [1, 2, 3, 4, 5, 6]}))
log = st.session_state.setdefault("log", [])
"""

COUNTED = """
key = st.session_state.get("key")
log.append(state.once("thing", key, lambda: log.append("computed") or f"result for {key}"))
"""


def test_once_computes_again_only_for_another_key():
    at = session(COUNTED, {"key": "a"}, {}, {"key": "b"}, {}, {"key": "a"})
    assert at.session_state["log"] == [
        *("computed", "result for a", "result for a"),
        *("computed", "result for b", "result for b"),
        *("computed", "result for a"),
    ]


def test_a_new_session_knows_nothing_of_another():
    session("state.use_dataset(one, Study([ages], 2))")
    at = session("log.append((state.dataset(), state.study()))")
    assert at.session_state["log"] == [(None, None)]


RESULTS = """
if state.dataset() is None:
    state.use_dataset(one, Study([ages], 3))
change = st.session_state.get("change", "")
if change == "k":
    state.use_study(Study([ages], 2))
if change == "table":
    state.use_dataset(two, Study([ages], 3))
if change == "ties":
    state.use_ties("paper")
log.append((state.recoding(), state.attacked(), state.singled()))
"""


def test_results_stay_until_what_they_depend_on_changes():
    at = session(RESULTS, {}, {}, {"change": "ties"}, {"change": "k"}, {"change": "table"})
    first, again, ties, smaller_k, table = at.session_state["log"]
    assert all(a is b for a, b in zip(first, again, strict=True))
    # AttackTies concern the attack and what follows from it, not the recoding.
    assert ties[0] is first[0]
    assert ties[1] is not first[1]
    assert ties[2].attack is ties[1]
    assert smaller_k[0].study.k == 2
    assert table[0] is not smaller_k[0]
    # Two groups of three, 40 apart: each is a class of its own leaf, or all six are in one.
    assert [c.size for c in first[0].classes] == [3, 3]
    assert [c.size for c in table[0].classes] == [6]


def test_another_table_takes_the_old_results_along():
    script = RESULTS + "state.use_dataset(two, None)\nlog.append(st.session_state.get('cra_results'))\n"
    assert session(script).session_state["log"][-1] is None


def test_results_need_a_table_and_a_study():
    at = session(
        """
try:
    state.recoding()
except LookupError as error:
    log.append(str(error))
"""
    )
    assert at.session_state["log"] == ["no table or no study yet"]


def test_forget_leaves_nothing():
    script = RESULTS + "st.text_input('w', key='widget')\nif st.session_state.get('go'):\n    state.forget()\n"
    at = session(script, {}, {"go": True})
    assert at.session_state.to_dict() == {}
