"""The page Effective anonymity: seven students by hand, adversaries, a release's labels, bad columns."""

import pandas as pd
from support import open_page, shown, two

from cra_engine import synthesize


def table(app):
    return next(one.value for one in app.dataframe if "Adversary" in one.value)


def test_seven_students_by_hand():
    app = open_page("effective_anonymity")
    assert not app.exception
    first, second = table(app).to_numpy().tolist()
    assert first == ["adversary 1", "5 (71.4 %)", "7 (100 %)", "1 (14.3 %)", "6 (85.7 %)"]
    assert second[0] == "adversary 2"
    assert "large: unique, small: below 5" in app.get("plotly_chart")[0].proto.spec  # what its marks are
    assert "5 records are unique as the table stands; 1 of them whatever the missing cells hide" in shown(app)


def test_without_a_mark_for_missing_cells_nothing_is_open():
    app = open_page("effective_anonymity", **{"anonymity-missing": ""})
    assert table(app).iloc[0].tolist()[1:] == ["5 (71.4 %)", "7 (100 %)", "5 (71.4 %)", "7 (100 %)"]
    assert "5 records are unique beyond doubt" in shown(app)


def test_adversaries_come_and_go():
    app = open_page("effective_anonymity")
    for lines in (3, 4, 3):
        app.number_input(key="anonymity-adversaries").set_value(lines).run()
        assert not app.exception
        assert len(table(app)) == lines
    for place in range(3):
        app.multiselect[place].set_value([]).run()
    assert "Choose a column that somebody knows." in shown(app)


def test_the_sessions_table_and_its_release():
    made = synthesize("toy")
    app = open_page("effective_anonymity", made.data, made.study)
    assert app.selectbox(key="anonymity-table").options == [
        "Example",
        "Its release by the page Recode",
        "Seven students",
    ]
    assert table(app).iloc[0, 1] == "36 (100 %)"
    app.selectbox(key="anonymity-table").select_index(1).run()
    assert not app.exception
    # Of the toy release one record is suppressed: by its own label unique, and yet it may be anybody.
    assert table(app).iloc[0, 1] == "1 (2.8 %)"
    assert table(app).iloc[0, 3] == "0 (0 %)"
    assert "two meet when one holds the other" in shown(app)


def test_a_table_that_does_not_fit_its_hierarchies_is_told_in_a_sentence():
    frame = pd.DataFrame({"a": ["x", "1", "2"], "b": [1, 2, 3]})
    app = open_page("effective_anonymity", frame, two(k=2))
    app.selectbox(key="anonymity-table").select_index(1).run()
    assert not app.exception
    assert any("'x'" in error.value for error in app.error)


def test_a_table_of_ones_own_is_looked_at_here_and_changes_nothing_else(session):
    page = session.open("pages/data.py").press("data-toy").open("pages/effective_anonymity.py")
    before = page.dataset
    page.upload("own.csv", b"sex;born\nF;1986\nF;\nM;1990\n", "Table (CSV)")
    assert page.at.selectbox(key="anonymity-table").options[0] == "own.csv"
    assert page.at.multiselect[0].options == ["sex", "born"]
    assert table(page.at).iloc[0].tolist()[1:] == ["3 (100 %)", "3 (100 %)", "1 (33.3 %)", "3 (100 %)"]
    assert page.dataset is before
    page.upload("none.csv", b"", "Table (CSV)")
    assert "none.csv is empty" in page.says("error")
    page.upload("head.csv", b"sex;born\n", "Table (CSV)")
    assert "head.csv" in page.says("error")
    page.press("anonymity-drop")
    assert page.at.selectbox(key="anonymity-table").options[0] != "own.csv"
