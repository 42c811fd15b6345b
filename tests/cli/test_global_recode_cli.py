"""``cra-engine global-recode``: the whole path, and one sentence and status 2 for everything that is wrong."""

import csv
import json

import pytest

from json_shapes import fitting

AGES = "age;diagnosis;study\n" + "".join(
    f"{age};{what};{mark}\n"
    for age, what, mark in [
        ("21", "flu", "yes"),
        ("21", "cold", "yes"),
        ("34", "flu", "yes"),
        ("36", "flu", "no"),
        ("45", "cold", "yes"),
        ("47", "gout", "yes"),
    ]
)
TENS = "".join(f"{value};[{value // 10 * 10}, {value // 10 * 10 + 10}[;*\n" for value in range(20, 50))
STUDY = 'k = 2\n[[attribute]]\nname = "age"\nhierarchy = "tens.csv"\n'
KEYS = {
    "records",
    "k",
    "limit",
    "utility",
    "states",
    "anonymous",
    "checked",
    "pruned",
    "state",
    "suppressed",
    "classes",
}


@pytest.fixture
def run(run, tmp_path):
    """Run a command in a folder that holds the six ages; answers status, stdout and stderr."""
    (tmp_path / "ages.csv").write_text(AGES)
    (tmp_path / "tens.csv").write_text(TENS)
    (tmp_path / "kinds.csv").write_text("flu;infection;*\ncold;infection;*\ngout;other;*\n")
    (tmp_path / "study.toml").write_text(STUDY)

    def with_study(*arguments, study=None):
        if study is not None:
            (tmp_path / "study.toml").write_text(study)
        return run(*arguments)

    return with_study


def recode(run, *options, study=None):
    return run(
        "global-recode",
        "ages.csv",
        "--keep-order",
        "--study",
        "study.toml",
        "--output",
        "out.csv",
        *options,
        study=study,
    )


def table(path):
    with path.open() as file:
        return list(csv.reader(file, delimiter=";"))


def test_the_papers_figure_5(run, tmp_path):
    # The tens keep all in three classes; the values themselves would keep 21 and 21 alone, and lose more: 3 and 28.
    for utility, lost in (("aecs", 2.0), ("discernibility", "12")):
        status, out, err = recode(run, "--suppression-records", 4, "--utility", utility, "--json")
        assert (status, err) == (0, "")
        found = fitting("global-recode", out)
        assert set(found) == KEYS | {"measures", "warnings"}
        assert found["measures"][utility] == lost
        assert (found["state"], found["suppressed"], found["classes"]) == ([1], 0, 3)
        assert (found["states"], found["anonymous"], found["limit"]) == (3, 3, 4)
        assert found["pruned"] == 1 - found["checked"] / 3
    assert [row[0] for row in table(tmp_path / "out.csv")] == [
        "age",
        *["[20, 30["] * 2,
        *["[30, 40["] * 2,
        *["[40, 50["] * 2,
    ]


def test_what_a_state_shows_and_what_suppression_hides(run, tmp_path):
    study = STUDY + '[[privacy]]\nmodel = "l-diversity"\nattribute = "diagnosis"\nl = 2\n'
    status, out, _ = recode(run, "--suppression-limit", "0.34", "--utility", "precision", study=study)
    assert status == 0
    # In their tens 34 and 36 have flu only; at most two of six may be suppressed.
    assert table(tmp_path / "out.csv")[1:] == [
        ["[20, 30[", "flu", "yes"],
        ["[20, 30[", "cold", "yes"],
        ["*", "*", "yes"],
        ["*", "*", "no"],
        ["[40, 50[", "cold", "yes"],
        ["[40, 50[", "gout", "yes"],
    ]
    assert "distinct 2-diversity of diagnosis" in out
    assert "No state is better by precision" in out


def test_every_state_in_a_file(run, tmp_path):
    status, out, _ = recode(run, "--suppression-records", "4", "--utility", "aecs", "--lattice", "states.csv", "--json")
    assert status == 0
    assert json.loads(out)["checked"] == 3
    rows = table(tmp_path / "states.csv")
    assert rows[0] == [
        "age",
        *("suppressed", "classes", "anonymous", "aecs", "discernibility", "precision", "entropy"),
    ]
    # As they stand: four of six suppressed; entropy: the suppressed showed four different values, two bits each.
    assert rows[1] == ["0", "4", "1", "1", "3.0", "28", "0.6666666666666666", "8.0"]
    assert rows[2][:6] == ["1", "0", "3", "1", "2.0", "12"]
    assert rows[3][:6] == ["2", "0", "1", "1", "6.0", "36"]


def test_presence_publishes_marked_records_only(run, tmp_path):
    study = STUDY.replace("k = 2", "k = 1") + (
        '[[privacy]]\nmodel = "d-presence"\nattribute = "study"\nvalue = "yes"\nlower = 0.1\nupper = 0.9\n'
    )
    status, out, _ = recode(run, "--utility", "aecs", "--json", study=study)
    assert status == 0
    found = json.loads(out)
    # In the twenties and forties everybody is marked; over all it is 5 of 6.
    assert (found["records"], found["k"], found["state"]) == (5, 1, [2])
    assert table(tmp_path / "out.csv") == [
        ["age", "diagnosis"],
        *(["*", what] for what in ["flu", "cold", "flu", "cold", "gout"]),
    ]


def test_recode_stands_in_the_same_table(run):
    status, out, _ = run("recode", "ages.csv", "--study", "study.toml", "--output", "local.csv", "--json")
    assert status == 0
    assert json.loads(out)["measures"] == {"aecs": 2.0, "discernibility": "12", "precision": 0.5}


def test_local_recoding_heeds_models_and_safe_recoding_says_that_it_looks_at_k_alone(run, tmp_path):
    study = STUDY + '[[privacy]]\nmodel = "l-diversity"\nattribute = "diagnosis"\nl = 2\n'
    status, _, err = run("recode", "ages.csv", "--study", "study.toml", "--output", "local.csv", study=study)
    assert (status, err) == (0, "")
    shown = {}
    for age, diagnosis, *_ in table(tmp_path / "local.csv")[1:]:
        shown.setdefault(age, set()).add(diagnosis)
    assert all(len(values) >= 2 for age, values in shown.items() if age != "*")
    other = study.replace("[[attribute]]", '[quality]\nmodel = "precision"\n[[attribute]]', 1)
    assert run("attack", "local.csv", "--study", "study.toml", study=other)[0] == 0
    safe = ("safe-recode", "ages.csv", "--study", "study.toml", "--output", "safe.csv", "--epsilon", "1")
    status, _, err = run(*safe, study=study)
    assert status == 0
    assert err.startswith("Note: study.toml asks for 1 privacy model (l-diversity); this command looks at k alone.")
    status, _, err = run(*safe, "--k", "1")
    assert status == 2
    assert "k is 1; it must be 2 or more" in err


def privacy(model, **settings):
    def text(value):
        return f'"{value}"' if isinstance(value, str) else str(value)

    lines = "".join(f"{key} = {text(value)}\n" for key, value in ({"model": model} | settings).items())
    return STUDY + "[[privacy]]\n" + lines


BAD = {
    "share above 1": (["--suppression-limit", "1.5"], None, "The suppression limit is 1.5; give a number from 0 to 1."),
    "share below 0": (["--suppression-limit=-0.1"], None, "give a number from 0 to 1"),
    "no number": (["--suppression-limit", "many"], None, "The suppression limit is 'many'"),
    "no finite number": (["--suppression-limit", "NaN"], None, "give a number"),
    "negative records": (["--suppression-records=-1"], None, "whole number of 0 or more"),
    "both limits": (["--suppression-limit", "0.1", "--suppression-records", "1"], None, "Two suppression limits"),
    "k above the records": (["--k", "7"], None, "k = 7 is more than the 6 records"),
    "k of 1 alone": (["--k", "1"], None, "k is 1; it must be 2 or more"),
    "l of 0": ([], privacy("l-diversity", attribute="diagnosis", l=0), "whole number of 1 or more"),
    "c of 0": ([], privacy("l-diversity", attribute="diagnosis", variant="recursive", l=2, c=0), "above 0"),
    "no c": ([], privacy("l-diversity", attribute="diagnosis", variant="recursive", l=2), "needs c"),
    "unknown variant": ([], privacy("l-diversity", attribute="diagnosis", variant="odd", l=2), "privacy.1.variant"),
    "t above 1": ([], privacy("t-closeness", attribute="diagnosis", t=1.5), "from 0 to 1"),
    "no t": ([], privacy("t-closeness", attribute="diagnosis"), "'privacy.1.t' is missing"),
    "bounds exchanged": (
        [],
        privacy("d-presence", attribute="study", value="yes", lower=0.5, upper=0.2),
        "exchange them",
    ),
    "unknown model": (
        [],
        privacy("m-invariance", attribute="diagnosis"),
        "'privacy.1.model' is 'm-invariance'; take one of",
    ),
    "no model": ([], STUDY + '[[privacy]]\nattribute = "diagnosis"\n', "'privacy.1.model' is missing; add it"),
    "unknown setting": ([], privacy("t-closeness", attribute="diagnosis", t=0.5, u=1), "privacy.1.u"),
    "one bracket": ([], STUDY + '[privacy]\nmodel = "t-closeness"\n', "write [[privacy]] with two brackets"),
    "missing column": ([], privacy("t-closeness", attribute="salary", t=0.5), "no column 'salary'"),
    "quasi-identifier": ([], privacy("t-closeness", attribute="age", t=0.5), "'age' is a quasi-identifier"),
    "ordered text": ([], privacy("t-closeness", attribute="diagnosis", t=0.5, distance="ordered"), "holds text"),
    "no hierarchy": (
        [],
        privacy("t-closeness", attribute="diagnosis", t=0.5, distance="hierarchical"),
        "needs a hierarchy file",
    ),
    "hierarchy missing": (
        [],
        privacy("t-closeness", attribute="diagnosis", t=0.5, distance="hierarchical", hierarchy="none.csv"),
        "none.csv",
    ),
    "value not listed": (
        [],
        privacy("t-closeness", attribute="study", t=0.5, distance="hierarchical", hierarchy="kinds.csv"),
        "is not listed in its hierarchy",
    ),
    "nobody marked": (
        [],
        privacy("d-presence", attribute="study", value="maybe", lower=0, upper=1),
        "No record shows 'maybe' in 'study'",
    ),
    "no anonymous state": (
        [],
        privacy("l-diversity", attribute="diagnosis", l=4),
        "No state is anonymous: none fulfils distinct 4-diversity of diagnosis with at most 0 records suppressed",
    ),
    "too many attributes": (
        [],
        "k = 2\n" + "".join(f'[[attribute]]\nname = "q{i}"\nlower = 0\nupper = 8\nlayers = 4\n' for i in range(20)),
        "The lattice has 95,367,431,640,625 states, more than",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_one_sentence_and_no_file(run, tmp_path, name):
    options, study, said = BAD[name]
    status, out, err = recode(run, *options, study=study)
    assert status == 2
    assert out == ""
    assert said in err
    assert "Traceback" not in err
    assert len(err.strip().splitlines()) == 1
    assert not (tmp_path / "out.csv").exists()


def test_an_empty_sensitive_cell_is_named(run, tmp_path):
    (tmp_path / "ages.csv").write_text(AGES.replace("34;flu", "34;"))
    status, _, err = recode(run, study=privacy("t-closeness", attribute="diagnosis", t=0.5))
    assert status == 2
    assert "1 missing value, in row 3 (4 in a spreadsheet)" in err


def test_outputs_never_go_over_inputs(run, tmp_path):
    status, _, err = recode(run, "--lattice", "out.csv")
    assert status == 2
    assert "named twice" in err
    status, _, err = run("global-recode", "ages.csv", "--study", "study.toml", "--output", "ages.csv")
    assert status == 2
    assert (tmp_path / "ages.csv").read_text() == AGES
