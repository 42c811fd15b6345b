"""Real columns on the pages: from a CSV file to the attack, without any other file."""

from pathlib import Path

import pytest

from cra_engine import Study

DATA, HIERARCHIES = "pages/data.py", "pages/hierarchies.py"


def csv(rows, *names):
    return "\n".join([",".join(names), *(",".join(map(str, row)) for row in rows)]).encode()


def upload(session, content):
    return session.open(DATA).fill("radio", "data-from", "Upload a CSV file").upload("people.csv", content)


PEOPLE = csv(
    [
        (
            f"{2012 + i % 9}-0{1 + i % 9}-1{i % 10}",
            "90+" if i % 17 == 0 else "<18" if i % 19 == 1 else 18 + i * 7 % 72,
            f"{60 + i % 40} kg",
            "" if i % 11 == 3 else ("teacher", "nurse", "farmer", "smith")[i % 4],
        )
        for i in range(120)
    ],
    "admitted",
    "age",
    "weight",
    "job",
)


def test_dates_codes_units_and_categories_get_a_hierarchy(session):
    upload(session, PEOPLE).fill("multiselect", "data-roles", ["admitted", "age", "weight", "job"])
    admitted, age, weight, job = session.study.attributes
    assert (admitted.dates, admitted.unit) == (True, "year")
    assert [node.label for node in age.layer_nodes[0]][::9] == ["<18", ">=90"]
    assert (weight.unit, weight.plain) == ("kg", True)
    assert sorted({node.label for node in job.layer_nodes[0]}) == ["farmer", "nurse", "smith", "teacher"]
    overview = session.at.dataframe[0].value.set_index("column")
    assert list(overview["holds"]) == ["dates", "numbers", "numbers", "text"]
    # The gaps of job are asked about, and answered with one click.
    assert "**job** has 11 missing values" in session.says("markdown")
    session.press("data-missing-category-job")
    assert session.study.attributes[3].missing == "category"
    assert "missing values. What" not in session.says("markdown")
    session.open("pages/recode.py")
    assert "Column 'job': 11 missing values (rows 4, 15, 26, 37, 48, ...) published as a category" in session.says(
        "warning"
    )
    session.open("pages/attack.py")
    assert not session.at.error


def test_categories_are_put_into_groups_without_a_file(session, tmp_path):
    upload(session, PEOPLE).fill("multiselect", "data-roles", ["weight", "job"])
    session.press("data-missing-leave-out-job").open(HIERARCHIES)
    session.fill("multiselect", "hierarchy-group-values-job", ["nurse", "teacher"])
    session.fill("text_input", "hierarchy-group-name-job", "service").press("hierarchy-group-job")
    assert "2 values put into service." in session.says("success")
    job = session.study.attributes[1]
    assert (job.layers, job.finest, job.missing) == (3, 0, "leave-out")
    assert {(row[0], row[1]) for row in job.rows} == {
        ("nurse", "service"),
        ("teacher", "service"),
        ("farmer", "farmer"),
        ("smith", "smith"),
    }
    # A name that belongs to another value is refused in a sentence.
    session.fill("multiselect", "hierarchy-group-values-job", ["nurse", "teacher"])
    session.fill("text_input", "hierarchy-group-name-job", "smith").press("hierarchy-group-job")
    assert "Nothing has changed." in session.says("error")
    assert session.study.attributes[1] == job
    # Nothing chosen, nothing done.
    session.fill("multiselect", "hierarchy-group-values-job", []).press("hierarchy-group-job")
    assert "No value is chosen" in session.says("error")
    # As an ARX file beside a study it is read back as it is.
    session.study.to_toml(tmp_path / "study.toml")
    assert Study.from_toml(tmp_path / "study.toml") == session.study
    assert "nurse;service;*" in (Path(tmp_path) / "job.csv").read_text(encoding="utf-8")


def test_an_end_of_a_domain_of_dates_is_a_date(session):
    upload(session, PEOPLE).fill("multiselect", "data-roles", ["admitted", "weight"]).open(HIERARCHIES)
    key = "hierarchy-lower-admitted"
    before = session.study
    session.fill("text_input", key, "12.3.2004")
    assert "give a date as year-month-day" in session.says("error")
    session.fill("text_input", key, "2004-03-01")
    assert "not the first day of a year; take 2004-01-01" in session.says("error")
    assert session.study == before
    session.fill("text_input", key, before.attributes[0].settings()["lower"].replace(year=2004).isoformat())
    assert session.study.attributes[0].settings()["lower"].year == 2004


@pytest.mark.parametrize(
    ("missing", "said"), [("leave-out", "the release holds the other 109"), ("*", "published as * from the start")]
)
def test_each_choice_for_gaps_reaches_the_attack(session, missing, said):
    upload(session, PEOPLE).fill("multiselect", "data-roles", ["weight", "job"])
    session.press(f"data-missing-{missing}-job")
    assert said in session.open("pages/recode.py").says("warning")
    session.open("pages/attack.py")
    assert not session.at.error
