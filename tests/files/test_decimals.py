"""Numbers in every notation: read as they were meant, or asked about; never as another number."""

from decimal import Decimal

import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from cra_engine.cli import commands as cli
from cra_engine.files.notation import plain, with_decimal
from cra_engine.raw.numbers import numbers
from cra_engine.raw.placement import locate
from cra_engine.study.attribute import Attribute
from cra_engine.study.study import Study


def read(cells):
    values, problems = numbers(pd.Series(cells, name="w", dtype=str))
    return values.tolist(), [problem for problem in problems if problem.fatal]


@pytest.mark.parametrize(
    ("cells", "values"),
    [
        (["1,5", "2"], [1.5, 2]),
        (["0,125", "0,250"], [0.125, 0.25]),  # no group of thousands begins with 0
        (["1.250,5", "999"], [1250.5, 999]),
        (["1.250.000", "1.500"], [1250000, 1500]),
        (["1,250.5", "999"], [1250.5, 999]),
        (["1,250,000", "1,500"], [1250000, 1500]),
        (["1,250", "0.5"], [1250, 0.5]),
        (["1 250", "12\u202f500", "7"], [1250, 12500, 7]),
        (["1'250.5", "1\u2019000"], [1250.5, 1000]),
        (["\u22125", "+3,5", ",5"], [-5, 3.5, 0.5]),
        (["1,5e3", "2"], [1500, 2]),
        ([" 1,5 ", "2,25"], [1.5, 2.25]),
    ],
)
def test_a_notation_that_is_clear_is_read(cells, values):
    assert read(cells) == (values, [])


@pytest.mark.parametrize("cells", [["1,250", "3,000"], ["1,250", "1.250"], ["1,250", "900"], ["-1,250"]])
def test_a_notation_that_is_open_is_asked_about(cells):
    values, (problem,) = read(cells)
    assert problem.asks
    assert 1250 not in values
    assert 1.25 not in values[:1]


@pytest.mark.parametrize("cells", [["1,5", "2.5"], ["1.250,5", "1,250.5"], ["0,5", "1,250.0"]])
def test_two_notations_in_one_column_are_refused(cells):
    _, (problem,) = read(cells)
    assert not problem.asks
    assert problem.text.endswith("write all numbers of a column alike.")


@pytest.mark.parametrize("cell", ["1,5,0", "1.2.3", "01,250.5", "1 25", "1,2500.5", "12:30", "1,250x", "1 250'000"])
def test_what_is_no_number_stays_text(cell):
    assert plain(cell, "point") is None
    assert plain(cell, "comma") is None or cell == "01,250.5"
    _, (problem,) = read([cell, "3"])
    assert "1 cell with text" in problem.text


def test_points_before_three_digits_are_noted():
    for cells, number in ((["1.250", "3.000"], 1.25), (["1.255", "900"], 1.255)):
        values, (problem,) = numbers(pd.Series(cells, name="w"))
        assert values[0] == number
        assert not problem.fatal
        assert (
            f"{cells[0]} in row 1 (2 in a spreadsheet) is read as {number}, not as {cells[0].replace('.', '')}"
            in problem.text
        )
    for clear in (["1.250", "0.125"], ["1.25", "3.000"], ["1.250", "3000"], ["1", "3"]):
        assert numbers(pd.Series(clear, name="w"))[1] == []


def test_points_that_no_program_would_write_as_decimals_are_asked_about():
    # With three decimals 900 would be 900.000, and without last zeros 1.250 would be 1.25.
    _, (problem,) = numbers(pd.Series(["900", "1.250", "12.345"], name="w"))
    assert problem.asks
    assert problem.fatal
    assert problem.rows == (2, 3)
    assert "'1.250' in row 2 (3 in a spreadsheet) can be 1250 or 1.25" in problem.text
    for decimal, values in (("point", [900, 1.25, 12.345]), ("comma", [900, 1250, 12345])):
        table = with_decimal(pd.DataFrame({"w": ["900", "1.250", "12.345"]}), ["w"], decimal)
        found, problems = numbers(table["w"])
        assert found.tolist() == values
        assert not any(problem.fatal for problem in problems)


def test_an_answer_settles_the_columns_it_is_given_for():
    table = pd.DataFrame({"w": ["1,250", "3,000", "7"], "note": ["1,250", "x", ""]}, dtype=str)
    comma, point = with_decimal(table, ["w"], "comma"), with_decimal(table, ["w", "not there"], "point")
    assert numbers(comma["w"])[0].tolist() == [1.25, 3, 7]
    assert numbers(point["w"])[0].tolist() == [1250, 3000, 7]
    for answered in (comma, point):
        assert answered["note"].tolist() == ["1,250", "x", ""]
    assert table["w"].tolist() == ["1,250", "3,000", "7"]
    study = Study([Attribute("w", 0, 4000, 3)], 2)
    assert locate(point, study).leaves.ravel().tolist() == [1, 3, 0]


def written(value, decimal, grouped):
    """A number as a person of that country writes it, by Python's own formatting."""
    text = f"{value:,f}" if grouped else f"{value:f}"
    return text if decimal == "point" else text.translate(str.maketrans(".,", ",."))


@given(
    values=st.lists(st.decimals(-(10**7), 10**7, places=3).map(lambda v: v.normalize() + 0), min_size=1, max_size=8),
    decimal=st.sampled_from(["point", "comma"]),
    grouped=st.booleans(),
)
def test_never_read_as_another_number(values, decimal, grouped):
    cells = [written(value, decimal, grouped) for value in values]
    found, problems = numbers(pd.Series(cells, name="w", dtype=str))
    asked = any(problem.asks for problem in problems)
    noted = any("not as" in problem.text for problem in problems)
    assume(not noted)  # 1.255 is plain notation; the note says how it was read
    assert all(problem.asks for problem in problems if problem.fatal)
    for value, number in zip(values, found.tolist(), strict=True):
        assert asked or number == float(value)
    answered = with_decimal(pd.DataFrame({"w": cells}), ["w"], decimal)["w"]
    assert numbers(answered)[0].tolist() == [float(value) for value in values]


@given(st.decimals(-(10**7), 10**7, places=4))
def test_a_decimal_comma_is_never_dropped(value):
    # 1,5 is 1.5, not 15: a digit after the comma stays after it.
    (number,), problems = read([written(value, "comma", grouped=False)])
    assert problems or Decimal(str(number)) == value


def test_the_command_line_takes_the_answer(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Study([Attribute("w", 0, 4, 2)], 2).to_toml("study.toml")
    (tmp_path / "data.csv").write_text("w;note\n1,250;2,500\n1,750;x\n3,000;y\n3,125;z\n", encoding="utf-8")
    command = ["cra-engine", "recode", "--keep-order", "data.csv", "--study", "study.toml", "--output", "out.csv"]

    def run(*more):
        monkeypatch.setattr("sys.argv", [*command, *more])
        with pytest.raises(SystemExit) as caught:
            cli.main()
        return caught.value.code or 0, capsys.readouterr().err

    status, said = run()
    assert status == 2
    assert "can be 1.25 or 1250; say whether a comma or a point marks the decimals" in said
    assert not (tmp_path / "out.csv").exists()
    status, said = run("--decimal", "comma")
    assert status == 0
    written = (tmp_path / "out.csv").read_text(encoding="utf-8")
    assert written == "w;note\n[0, 2[;2,500\n[0, 2[;x\n[2, 4[;y\n[2, 4[;z\n"
    status, said = run("--decimal", "point")
    assert status == 2
    assert "outside the domain [0, 4[: 1250 in row 1" in said
