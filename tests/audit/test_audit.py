"""The audit: on ARX's own tables, on random ones, and on files that are none."""

import json
import random
import re
import shutil
from datetime import date
from fractions import Fraction
from html.parser import HTMLParser
from pathlib import Path

import pandas as pd
import pytest
from typer.testing import CliRunner

from cra_engine import (
    Attribute,
    CheckedFile,
    CRAError,
    Release,
    ReleaseError,
    Study,
    StudyError,
    attack,
    read_table,
    recode,
    synthesize,
)
from cra_engine.attacks.refinement.formation import latest_states
from cra_engine.attacks.tight.system import TightSystem
from cra_engine.audits.audit import audit
from cra_engine.audits.report import audit_html, audit_json
from cra_engine.cli.commands import app
from cra_engine.study.file_hierarchy import FileHierarchy, read_hierarchy
from oracles.unequal import Tree, local_recoding, random_records, random_rows
from shares import first
from strategies import random_case
from truth import counts_of, excluded

ARX = Path(__file__).parents[1] / "data" / "arx"
SAMPLES = sorted(path.stem for path in (ARX / "outputs").glob("*.csv"))
# Made by the algorithm that the attack supposes, raw values and another loss apart.
FAITHFUL = [name for name in SAMPLES if not any(part in name for part in ("gs05", "lvl0", "csvdata"))]


def parts_of(sample):
    data, settings, k = sample.split(".")
    return data, settings, int(k[1:])


def published(sample):
    return read_table(ARX / "outputs" / f"{sample}.csv")


def raw(sample):
    return read_table(ARX / "raw" / f"{parts_of(sample)[0]}.csv")


def study_of(sample, profile="arx-gui"):
    data, _, k = parts_of(sample)
    return Study.from_toml(ARX / "studies" / f"{data}.{profile}.toml").with_k(k)


def files_of(sample):
    data = parts_of(sample)[0]
    names = study_of(sample).names
    return {name: read_hierarchy(ARX / "hierarchies" / f"{data}_{name}.csv", name) for name in names}


def assert_nothing_false(audited, data):
    held = counts_of(audited.release, data)
    assert [cell for cell in audited.isolated if held[cell] != 1] == []
    if audited.tight is not None:
        assert [cell for cell, count in audited.tight.fixed_cells.items() if held[cell] != count] == []


# ---------------------------------------------------------------- ARX's own tables


@pytest.mark.parametrize("sample", FAITHFUL)
def test_the_truth_stays_possible_with_the_default_profile(sample):
    audited = audit(published(sample), study_of(sample), time_limit=2, seed=1)
    assert not audited.contradicted
    assert excluded(audited.release, raw(sample)) == []
    assert_nothing_false(audited, raw(sample))


@pytest.mark.parametrize("sample", [name for name in FAITHFUL if "ex38" in name])
def test_the_truth_stays_possible_with_the_papers_profile(sample):
    audited = audit(published(sample), study_of(sample, "paper"), time_limit=2, seed=1)
    assert excluded(audited.release, raw(sample)) == []
    assert_nothing_false(audited, raw(sample))


@pytest.mark.parametrize("sample", [name for name in SAMPLES if "gs05" not in name])
def test_nothing_false_is_said_from_the_labels_alone(sample):
    audited = audit(published(sample), time_limit=2, seed=1)
    assert audited.k_guessed
    assert audited.release.k >= parts_of(sample)[2]  # no class is smaller than k
    assert audited.profile_guessed
    assert not audited.contradicted
    assert audited.tight is None or audited.tight.relaxed
    assert any("is guessed" in warning for warning in audited.warnings)
    assert_nothing_false(audited, raw(sample))


@pytest.mark.parametrize("profile", ["paper", "arx-gui"])
def test_files_that_list_only_values_in_the_data(profile):
    sample = "clinic500_2.ex38_csvdata.k5"
    audited = audit(published(sample), hierarchies=files_of(sample), k=5, profile=profile, time_limit=2)
    assert any("'weight' lists only some values" in warning for warning in audited.warnings)
    assert any("upper bounds" in warning for warning in audited.warnings)
    assert excluded(audited.release, raw(sample)) == []
    assert_nothing_false(audited, raw(sample))


def test_a_study_of_intervals_says_that_it_supposes_all_values_listed():
    sample = "clinic500_2.ex38_csvdata.k5"
    audited = audit(published(sample), study_of(sample), time_limit=2)
    assert any("listed only the values in the data" in warning for warning in audited.warnings)
    assert_nothing_false(audited, raw(sample))


def test_raw_values_are_named_and_not_attacked():
    sample = "clinic500dup_2.ex38_lvl0.k5"
    audited = audit(published(sample), study_of(sample), time_limit=2)
    assert audited.release.raw_records == 257
    assert any("257 records show raw values" in warning for warning in audited.warnings)
    assert_nothing_false(audited, raw(sample))


@pytest.mark.parametrize("how", ["study", "files"])
def test_another_algorithm_is_noticed_and_nothing_claimed(how):
    sample = "toy40b.gs05.k3"
    given = {"study": {"study": study_of(sample)}, "files": {"hierarchies": files_of(sample), "k": 3}}
    audited = audit(published(sample), **given[how], time_limit=2)
    assert audited.contradicted
    assert (audited.tight, audited.chances, audited.isolated) == (None, None, ())
    assert any("gsFactor 0.5" in warning for warning in audited.warnings)
    assert "Nothing is claimed" in audited.findings[-1]
    assert not any("exactly one person" in finding for finding in audited.findings)
    assert "not known" in audit_html(audited)  # in place of the numbers that do not hold


def test_bounds_of_the_desktop_program_are_implied_by_the_papers():
    # The default for a table of unknown origin must exclude nothing that the paper's profile allows.
    for seed in range(120):
        case = random_case(seed)
        release = recode(case.data, case.study).release
        other = Release(Study(case.study.attributes, case.study.k, "arx-gui"), release.table)
        system, theirs = TightSystem(release), TightSystem(other)
        for part, weaker in zip(attack(release).parts, attack(other).parts, strict=True):
            assert set(part.free_cells) <= set(weaker.free_cells)
            assert part.cap <= weaker.cap
        if not system.relaxed and not theirs.relaxed:
            assert system.cells == theirs.cells
            rng = random.Random(seed)
            for _ in range(20):
                counts = [rng.randrange(release.k + 1) for _ in system.cells]
                assert theirs.allows(counts) or not system.allows(counts)
            # Random counts hardly ever fit; what one class's own worlds give does more often.
            assert theirs.allows(true_counts(system, case.data))


def true_counts(system, data):
    held = counts_of(system.release, data)
    return [int(held[cell]) for cell in system.cells]


# ---------------------------------------------------------------- random tables


@pytest.mark.parametrize("seeds", first(1, [range(40), range(40, 130)]), ids=["few", "many"])
@pytest.mark.parametrize("profile", ["paper", "arx-gui", 0.1, 0.25])
@pytest.mark.parametrize("ties", ["paper", "arx"])
def test_random_tables_never_exclude_the_truth(profile, ties, seeds):
    for seed in seeds:
        case = random_case(seed, equal=seed % 2 == 0, most_records=60)
        recoding = recode(case.data, Study(case.study.attributes, case.study.k, profile), ties=ties)
        release = Release(recoding.study, recoding.release.table)
        assert excluded(release, case.data) == [], f"seed {seed}"


def test_a_step_that_publishes_all_that_is_left_may_come_late():
    # With 3 of 59 records left, fewer than the 15 of a quarter, ARX takes (1, 2, 1) after (2, 1, 2) of higher loss.
    case = random_case(222, equal=True, most_records=60)
    study = Study(case.study.attributes, case.study.k, 0.25)
    recoding = recode(case.data, study, ties="arx")
    assert [step.state for step in recoding.iterations] == [(1, 1, 1), (2, 1, 2), (1, 2, 1)]
    assert excluded(Release(study, recoding.release.table), case.data) == []


def test_trees_of_unequal_nodes_never_exclude_the_truth():
    compound = 0
    for seed in range(300):
        rng = random.Random(f"unequal {seed}")
        attributes = rng.choice([1, 2, 2, 3])
        rows = [random_rows(rng, numeric=rng.random() < 0.6, name="abc"[i]) for i in range(attributes)]
        records = random_records(rng, rows, rng.randint(6, 40))
        names = ["Q1", "Q2", "Q3"][:attributes]
        if seed % 4 == 0:  # files that list only values that occur, where they still are hierarchies
            listed = [[row for row in tree if row[0] in {r[i] for r in records}] for i, tree in enumerate(rows)]
            rows = [few if readable(few) else tree for few, tree in zip(listed, rows, strict=True)]
        share = rng.choice([None, None, Fraction(1, 10), Fraction(1, 4)])
        hierarchies = [FileHierarchy(name, tuple(tree)) for name, tree in zip(names, rows, strict=True)]
        study = Study(hierarchies, rng.choice([2, 3, 4]), "paper" if share is None else float(share))
        labels = local_recoding([Tree(tree) for tree in rows], study.k, records, share, rng)
        release = Release(study, pd.DataFrame(labels, columns=names))
        compound += sum(not c.segment.basic for c in release.classes)
        found = excluded(release, pd.DataFrame(records, columns=names))
        if share is not None and latest_states(release):
            found = [part for part in found if part != "together"]  # the audit does not attack these together
        assert found == [], f"seed {seed}"
    assert compound > 300


def readable(rows):
    try:
        FileHierarchy("q", tuple(rows))
    except CRAError:
        return False
    return True


def test_records_alike_are_never_called_alone():
    # Two values per leaf: distinct records would have to spread, records alike need not.
    study = Study([Attribute("a", 0, 8, 3)], k=3)
    for seed in range(60):
        rng = random.Random(seed)
        data = pd.DataFrame({"a": [rng.choice([0, 0, 1, 3, 4, 6, 6, 7]) for _ in range(rng.randint(6, 20))]})
        audited = audit(recode(data, study).frame.astype(str), study, time_limit=5)
        assert_isolated_true(audited, data)


def test_categories_of_single_values_are_never_called_alone_by_mistake():
    groups = {"flu": "lung", "cough": "lung", "cut": "skin", "burn": "skin"}
    rows = [(illness, illness, group, "*") for illness, group in groups.items()]
    tree = FileHierarchy("illness", tuple(rows))
    for seed in range(60):
        rng = random.Random(seed)
        data = pd.DataFrame({"illness": [rng.choice(["flu", "flu", "cough", "cut", "burn"]) for _ in range(12)]})
        study = Study([tree], k=3)
        audited = audit(recode(data, study).frame.astype(str), study, time_limit=5)
        assert_isolated_true(audited, data)


def assert_isolated_true(audited, data):
    held = counts_of(audited.release, data)
    assert [cell for cell in audited.isolated if held[cell] != 1] == []


def test_a_person_known_for_certain_is_found_and_named():
    # Two leaves and two suppressed records, k = 2: two in one leaf would have been published.
    study = Study([Attribute("a", 0, 40, 2, fanout=2)], k=2)
    data = pd.DataFrame({"a": [5, 25]})
    table = recode(data, study).frame.astype(str)
    assert table["a"].tolist() == ["*", "*"]
    audited = audit(table, study, gs_factor=0)
    assert audited.isolated == ((0,), (1,))
    assert "2 cells of the grid hold exactly one person for certain, known from the table alone." in audited.findings
    assert "Exactly one person has a in [0, 20)." in audited.findings


# ---------------------------------------------------------------- what is given and what is guessed


def test_k_is_the_smallest_class_where_nobody_says():
    table = pd.DataFrame({"a": ["[0, 10["] * 3 + ["[10, 20["] * 5 + ["*"], "b": ["x"] * 9})
    audited = audit(table)
    assert audited.release.k == 3
    assert any("k is guessed: 3" in warning for warning in audited.warnings)
    assert not audit(table, k=2).k_guessed
    with pytest.raises(ReleaseError, match="fewer than k = 4"):
        audit(table, k=4)


def test_several_spellings_of_an_interval_are_one_class():
    table = pd.DataFrame({"a": ["[0, 10["] * 2 + ["[0,10)"] * 2 + ["[10, 20["] * 5 + ["*"]})
    assert audit(table).release.k == 4


def test_a_study_leaves_nothing_to_guess():
    sample = "toy40b.ex38.k3"
    audited = audit(published(sample), study_of(sample, "paper"))
    assert (audited.k_guessed, audited.profile_guessed, audited.proposals) == (False, False, ())
    assert audited.release.study == study_of(sample, "paper")
    assert audit(published(sample), study_of(sample, "paper"), profile="arx-gui").release.study.profile == "arx-gui"


def test_files_for_some_columns_and_labels_for_the_rest():
    sample = "toy40b.ex38.k3"
    audited = audit(published(sample), hierarchies={"Q2": files_of(sample)["Q2"]})
    assert [p.hierarchy.name for p in audited.proposals] == ["Q1"]
    assert audited.release.study.names == ("Q1", "Q2")


def test_the_audit_says_what_it_supposes():
    supposed = " ".join(audit(published("toy40b.ex38.k3")).supposed)
    assert "gsFactor 0" in supposed
    assert "that the labels suggest" in supposed
    assert "k is 3 or less" in supposed


@pytest.mark.parametrize(
    ("columns", "arguments", "says"),
    [
        ({"a": ["1", "2"]}, {}, "no quasi-identifier can be recognised"),
        ({"a": ["[0, 10[", "[5, 15["]}, {}, "two different hierarchies"),
        ({"a": ["[0, 10[", "[10, 20[", "[10, 20["]}, {}, "A single record shows"),
        ({"a": ["*", "*"], "b": ["*", "*"]}, {}, "in every row"),
        ({"a": []}, {}, "holds no record"),
        ({"a": ["[0, 10["] * 3 + ["[10, 20["] * 3}, {"k": 1}, "2 or more"),
        ({"a": ["[0, 10["] * 3 + ["[10, 20["] * 3}, {"profile": "mine"}, "'mine' is unknown"),
    ],
)
def test_tables_that_cannot_be_audited(columns, arguments, says):
    with pytest.raises(CRAError, match=says) as caught:
        audit(pd.DataFrame(columns), **arguments)
    assert "\n" not in str(caught.value)


def test_a_hierarchy_that_lacks_a_label_of_the_release():
    table = pd.DataFrame({"a": ["[0, 10["] * 3 + ["[20, 30["] * 3})
    tree = FileHierarchy("a", (("1", "[0, 10[", "*"), ("11", "[10, 20[", "*")))
    with pytest.raises(ReleaseError, match=r"row 4: '\[20, 30\[' is no interval"):
        audit(table, hierarchies={"a": tree})
    with pytest.raises(CRAError, match="no column 'b'"):
        audit(table, hierarchies={"b": tree})


def test_time_runs_out():
    audited = audit(published("clinic500_2.ex38.k5"), study_of("clinic500_2.ex38.k5"), time_limit=0.0)
    assert audited.tight is None or audited.tight.status == "timeout"
    assert any("The time ran out" in warning for warning in audited.warnings)
    audit_html(audited)


# ---------------------------------------------------------------- report and command line


class Tags(HTMLParser):
    def __init__(self):
        super().__init__()
        self.found, self.links, self.text = [], [], []

    def handle_starttag(self, tag, attrs):
        self.found.append(tag)
        self.links += [value for name, value in attrs if name in {"src", "href", "action", "data"}]

    def handle_data(self, data):
        self.text.append(data)


def parsed(html):
    tags = Tags()
    tags.feed(html)
    return tags


def test_the_report_needs_nothing_else_and_says_the_same_as_json():
    audited = audit(published("toy40b.ex38.k3"), study_of("toy40b.ex38.k3", "paper"))
    page = parsed(audit_html(audited, "toy.csv"))
    assert page.links == []
    assert not {"script", "link", "img", "iframe"} & set(page.found)
    text = " ".join("".join(page.text).split())
    shown = audit_json(audited)
    for sentence in [*shown["findings"], *shown["warnings"], *shown["supposed"]]:
        assert " ".join(sentence.split()) in text


HOSTILE = "<img src=x onerror=alert(1)>"


def test_html_in_names_and_labels_stays_text():
    name = f"a{HOSTILE}\"'&"
    table = pd.DataFrame(
        {name: ["[0, 10["] * 4 + ["[10, 20["] * 4 + ["*"], "c": [HOSTILE] * 4 + ["<b>y</b>"] * 4 + ["*"]}
    )
    tree = FileHierarchy("c", ((HOSTILE, HOSTILE, "*"), ("<b>y</b>", "<b>y</b>", "*")))
    html = audit_html(audit(table, hierarchies={"c": tree}), HOSTILE)
    page = parsed(html)
    assert not {"img", "b", "script"} & set(page.found)
    assert HOSTILE in "".join(page.text)


def run(*arguments):
    return CliRunner().invoke(app, ["audit", *map(str, arguments)])


def test_the_command_writes_the_report_and_prints_one_object(tmp_path):
    release = ARX / "outputs" / "toy40b.ex38.k3.csv"
    study = ARX / "studies" / "toy40b.paper.toml"
    output = tmp_path / "report.html"
    result = run(release, "--study", study, "--k", 3, "--output", output, "--json")
    assert result.exit_code == 0
    printed = json.loads(result.stdout)
    attacked = CliRunner().invoke(app, ["attack", str(release), "--study", str(study), "--k", "3", "--tight", "--json"])
    expected = json.loads(attacked.stdout)
    assert set(expected) <= set(printed)
    assert set(expected["tight"]) == set(printed["tight"])
    assert {key: printed[key] for key in expected if key != "warnings"} == {
        key: value for key, value in expected.items() if key != "warnings"
    }
    assert output.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert [path.name for path in tmp_path.iterdir()] == ["report.html"]


@pytest.mark.parametrize("prefix", ["", "anything_"])
def test_the_command_takes_a_folder_of_hierarchies(tmp_path, prefix):
    folder = tmp_path / "trees"
    folder.mkdir()
    for name in ("Q1", "Q2"):
        shutil.copy(ARX / "hierarchies" / f"toy40b_{name}.csv", folder / f"{prefix}{name}.csv")
    result = run(ARX / "outputs/toy40b.ex38.k3.csv", "--hierarchies", folder, "--output", tmp_path / "r.html")
    assert result.exit_code == 0
    assert "is guessed. Intervals" not in result.output
    assert "Report in" in result.stdout


def test_the_longest_column_name_takes_a_file(tmp_path):
    folder = tmp_path / "trees"
    folder.mkdir()
    (folder / "x_max_age.csv").write_text("1;[0, 10[;*\n11;[10, 20[;*\n", encoding="utf-8")
    rows = ["[0, 10[,[0, 10["] * 3 + ["[10, 20[,[10, 20["] * 3
    release = tmp_path / "r.csv"
    release.write_text("age;max_age\n" + "\n".join(row.replace("[,[", "[;[") for row in rows), encoding="utf-8")
    result = run(release, "--hierarchies", folder, "--output", tmp_path / "r.html")
    assert result.exit_code == 0
    assert "hierarchy of 'age' is guessed" in result.output
    assert "hierarchy of 'max_age' is guessed" not in result.output


def raises(*arguments):
    result = run(*arguments)
    assert isinstance(result.exception, CRAError)
    return str(result.exception)


def test_mistakes_on_the_command_line(tmp_path):
    release, output = ARX / "outputs/toy40b.ex38.k3.csv", tmp_path / "r.html"
    study = ARX / "studies/toy40b.paper.toml"
    assert "no folder" in raises(release, "--hierarchies", tmp_path / "none", "--output", output)
    assert "named for a quasi-identifier" in raises(release, "--hierarchies", tmp_path, "--output", output)
    assert "not both" in raises(release, "--hierarchies", tmp_path, "--study", study, "--output", output)
    assert "unknown" in raises(release, "--profile", "nan", "--output", output)
    assert "unknown" in raises(release, "--profile", "2", "--output", output)
    assert "named twice" in raises(release, "--output", release)
    long = tmp_path / ("x" * 300 + ".csv")
    assert "cannot be read" in raises(long, "--output", output)
    assert "cannot be written" in raises(release, "--output", long)
    for name in ("a_Q1.csv", "b_Q1.csv"):
        shutil.copy(ARX / "hierarchies/toy40b_Q1.csv", tmp_path / name)
    assert "a_Q1.csv and b_Q1.csv" in raises(release, "--hierarchies", tmp_path, "--output", output)
    assert not output.exists()


def test_mixed_delimiters_are_a_sentence(tmp_path):
    release = tmp_path / "r.csv"
    release.write_text("a;b\n[0, 10[;[0, 10[\n[0, 10[\t[0, 10[\n", encoding="utf-8")
    assert "row 2" in raises(release, "--output", tmp_path / "r.html")


def test_a_study_error_is_one_sentence():
    with pytest.raises(StudyError):
        audit(pd.DataFrame({"a": ["[0, 10[", "x"] * 3 + ["*"]}))


def test_the_domain_that_is_computed_over_is_said():
    table = pd.DataFrame({"a": ["[0, 10["] * 3 + ["[10, 20["] * 3 + ["*"] * 2})
    audited = audit(table)
    (computed,) = audited.release.attributes
    said = next(text for text in audited.warnings if "is guessed" in text)
    assert f"All is computed over [{computed.lower}, {computed.upper})" in said
    assert not any("computed over" in text for text in audit(table[:6]).warnings)


def test_what_may_be_global_recoding_is_said():
    local = pd.DataFrame({"a": ["[0, 10["] * 3 + ["[10, 20["] * 3 + ["[20, 40["] * 3})
    alike = pd.DataFrame({"a": ["[0, 10["] * 3 + ["[10, 20["] * 3})
    study = Study([Attribute("a", 0, 40, 3)], 2)
    assert any("global recoding" in text for text in audit(alike, study).warnings)
    assert not any("global recoding" in text for text in audit(local, study).warnings)


# ---------------------------------------------------------------- a report to file


def test_the_verdict_comes_first_and_the_page_says_what_was_looked_at():
    made = synthesize("clinic")
    table = recode(made.data, made.study).release.table.astype(str)
    audited = audit(table, made.study)
    given = [CheckedFile("release", "clinic.csv", "0123abcd")]
    text = " ".join("".join(parsed(audit_html(audited, "clinic.csv", given, on=date(2026, 3, 5))).text).split())
    assert text.index("5 March 2026") < text.index("Attention.") < text.index("Findings") < text.index("What to do")
    assert "SHA-256 0123abcd" in text
    expected = audited.tight.expected_isolated
    assert audited.verdict == ("stop" if audited.isolated else "attention" if expected >= 1 else "ready")


def test_long_lists_are_folded():
    made = synthesize("clinic")
    html = audit_html(audit(recode(made.data, made.study).release.table.astype(str), made.study))
    open_page = re.sub(r"<details>.*?</details>", "", html, flags=re.DOTALL)
    rows = open_page.count("<tr>")
    assert rows < 40
    assert html.count("<tr>") > 2 * rows


def test_names_in_a_released_table_stop_it():
    people = [f"{first} {last}" for first in ("Ada", "Bo", "Cy") for last in ("Lo", "Ray", "Fox", "Orr")]
    table = pd.DataFrame({"who": people, "age": ["[0, 20["] * 6 + ["[20, 40["] * 6})
    audited = audit(table, Study([Attribute("age", 0, 40, 2)], 2))
    assert audited.verdict == "stop"
    assert (
        "The column 'who' says who somebody is: its cells look like names of people; take it out." in audited.findings
    )
    assert audit(table.drop(columns="who"), Study([Attribute("age", 0, 40, 2)], 2)).verdict != "stop"
