"""The pages' own runner and the check count the same, and say it in the same words."""

from dataclasses import replace

import pandas as pd
import pytest
from certain import FRAME, STUDY
from streamlit.testing.v1 import AppTest

from cra_dashboard.places import ROOT
from cra_dashboard.safe.state import ARX
from cra_dashboard.session import datasets, keys, state
from cra_dashboard.session.attacks import assess_tightly, toy
from cra_dashboard.texts.singled import singled_out, singled_told
from cra_dashboard.texts.weighing import detail_counted
from cra_engine import Attribute, OptionGrid, Study, Way, check, compare, recode
from cra_engine.assess.attacked import assess
from cra_engine.options import KEPT, recommendation, text_of

ALIKE = pd.DataFrame({"a": [1, 1, 1, 1, 5, 5, 6, 6, 3], "b": [2, 2, 2, 2, 7, 7, 1, 1, 3]})
PLANE = Study([Attribute("a", 0, 8, 3), Attribute("b", 0, 8, 3)], 2)
TABLES = {
    "by hand": (FRAME, STUDY),
    "records alike": (ALIKE, PLANE),
    "coarse": (FRAME, Study([Attribute("a", 0, 8, 2), Attribute("b", 0, 8, 2)], 2)),
    "one attribute": (FRAME[["a"]], Study([Attribute("a", 0, 8, 4)], 2)),
    **{f"toy, k = {k}": (toy().data.frame, toy().study.with_k(k)) for k in (2, 3, 4, 6)},
}


@pytest.mark.parametrize("name", TABLES)
def test_the_pages_count_what_the_check_counts(name):
    frame, study = TABLES[name]
    release = recode(frame, study).release
    shown, judged = assess_tightly(release, 60.0), assess(release, local=True)
    assert (shown.prior, shown.certain, shown.expected, shown.by_intervals) == (
        judged.prior,
        judged.certain,
        judged.expected,
        judged.by_intervals,
    )
    assert shown.certain_cells == judged.certain_cells


def test_they_say_it_in_the_same_words():
    data, study = datasets.example("toy")
    said = singled_out(check(data.frame, study).assessment)
    assert said == singled_out(toy().assessment)
    assert said == "2 for certain, 5.1 expected, the certain among them"  # the 5.1 are not beside the 2
    told = singled_told(toy().assessment)
    assert told == singled_told(check(data.frame, study).assessment)
    alone = toy().assessment.by_intervals.value
    # A thought each: what is counted, for certain, expected, in truth, without the attack.
    assert [part.partition(":")[0] for part in told.split("\n\n")[1:3]] == ["**For certain**", "**Expected**"]
    assert told.endswith(f"\n\nSomebody who reads the intervals and knows nothing of the attack expects {alone:.1f}.")


def test_safe_recode_and_other_ways_count_one_number_and_call_it_by_one_name():
    data, study = datasets.example("toy")
    at = AppTest.from_file(ROOT / "app.py", default_timeout=300).run()
    at.session_state[state._DATASET], at.session_state[state._STUDY] = data, study
    at.session_state[keys.EPSILON] = ARX
    run = at.switch_page("pages/safe_recoding.py").run()
    assert not run.exception
    said = " ".join(one.value for one in run.markdown)
    compared = compare(data.frame, study, OptionGrid.of(study, [Way("local", "paper")]))
    own, detail = compared.present, KEPT["detail"]
    assert f"**{detail.title}**: {text_of(detail, own)}" in said
    assert KEPT["loss"].title.lower() not in said
    (lost,) = [one for one in run.markdown if one.value.startswith(f"**{detail.title}**")]
    assert lost.help == detail_counted(compared.weights)
    assert "all count alike, but age counts threefold" in lost.help
    found = text_of(detail, own)
    # What is recommended is so by what the picture draws, and by its name.
    assert f"with {found} of the detail lost." in recommendation(passing(compared))


def passing(compared):
    """The comparison as if its one option had passed the check."""
    return replace(compared, points=(replace(compared.points[0], verdict="ready"),))


def test_another_prior_is_that_of_the_person():
    release = recode(ALIKE, PLANE).release
    assert assess_tightly(release, 60.0).prior == "assignments"
    assert assess_tightly(release, 60.0, weighing=state.Weighing("independent")).prior == "independent"
