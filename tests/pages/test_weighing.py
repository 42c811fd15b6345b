"""What records are supposed to be like, chosen on the pages: what is likely changes, what is certain does not."""

import pandas as pd
import pytest
from support import open_page, shown, two

from cra_dashboard.panels.attack_settings import shares
from cra_dashboard.session import keys, state
from cra_dashboard.session.uploads import File
from cra_engine import StudyError, attack, read_population, single_out

# Class 0 lies on the cell (0,0); class 1 and one suppressed record are open.
DATA = pd.DataFrame({"a": [0, 1, 1, 0, 2, 3, 7], "b": [0, 0, 1, 2, 1, 3, 7]})
QUESTION = "What are the records supposed to be like?"
SHARES = b"attribute,lower,upper,share\na,0,4,3\na,4,8,1\n"


def chosen(app, prior):
    return next(radio for radio in app.radio if radio.label == QUESTION).set_value(prior).run()


@pytest.mark.parametrize("page", ["attack", "single_out"])
@pytest.mark.parametrize("prior", ["independent", "assignments"])
def test_the_prior_is_that_of_the_attack(page, prior):
    app = open_page(page, DATA, two(), cra_weighing=state.Weighing("distinct"), **{keys.SINGLED: keys.LIKELY})
    before = shown(app)
    app = chosen(app, prior)
    assert not app.exception
    assert app.session_state["cra_weighing"].prior == prior
    assert shown(app) != before


def test_the_expected_number_is_that_of_the_prior():
    app = chosen(open_page("single_out", DATA, two(), **{keys.SINGLED: keys.LIKELY}), "assignments")
    _, found = app.session_state["cra_results"]["chances"]
    expected = single_out(attack(found.attack.release, prior="assignments")).expected_isolated
    assert found.expected_isolated == pytest.approx(expected)
    assert f"{expected:.1f}" in [metric.value for metric in app.metric]


def test_shares_of_a_population():
    app = open_page("attack", DATA, two())
    study = two()
    weighing = state.Weighing(
        population=read_population(SHARES, study, "shares.csv"), source="shares.csv", attributes=study.attributes
    )
    app.session_state["cra_weighing"] = weighing
    app.run()
    assert not app.exception
    assert any("weighed by the shares of the file" in element.proto.help for element in app.markdown)
    assert app.session_state["cra_results"]["attack"][1].prior.name == "population"
    # Shares of other hierarchies are none.
    app.session_state["cra_study"] = two(layers=2)
    app.run()
    assert not app.exception
    assert app.session_state["cra_results"]["attack"][1].prior.name != "population"
    assert (
        app.session_state["cra_results"]["attack"][1].prior
        == attack(app.session_state["cra_results"]["recoding"][1].release, prior="assignments").prior
    )


def test_a_file_that_is_none_is_a_sentence(monkeypatch):
    monkeypatch.setattr(state, "results_key", lambda: ("", two()))
    with pytest.raises(StudyError, match="first row must be"):
        shares(File("shares.csv", b"a;b\n1;2\n"))
    assert shares(File("shares.csv", SHARES)).population.weights == ((3, 3, 1, 1), (1, 1, 1, 1))
