"""Every script under benchmarks/ and fuzz/ still runs: it is imported, says its help, and does the least it can."""

import contextlib
import csv
import importlib
import importlib.util
import lzma
import math
import re
import sys
import types
from pathlib import Path

import pandas as pd
import pytest

from cra_engine import Attribute, Study
from cra_engine.errors import DataError, StudyError
from cra_engine.experiments.plan import Plan
from cra_engine.files.tables import read_table

ROOT = Path(__file__).resolve().parents[1]
BENCHMARKS, FUZZ = ROOT / "benchmarks", ROOT / "fuzz"
HELPED = (
    *(
        "compliance",
        "full_domain",
        "heterogeneous_figures",
        "load",
        "local_suppression",
        "millions",
        "minimal",
        "publishable",
    ),
    *("reliability", "repairs", "reproduction", "run", "runtimes", "safe_figures", "sensitive_figures"),
)


@pytest.fixture(autouse=True)
def forget(monkeypatch):
    """What a script changes stays with its test: where modules are looked for, and the modules with its short names."""
    monkeypatch.syspath_prepend(str(FUZZ))
    monkeypatch.syspath_prepend(str(BENCHMARKS))  # both have a run.py; that of fuzz/ is read from its file below
    before = set(sys.modules)
    yield
    for name in set(sys.modules) - before:
        file = getattr(sys.modules[name], "__file__", None) or ""
        if Path(file).parent in (BENCHMARKS, FUZZ):
            del sys.modules[name]


class Fuzzer(types.ModuleType):
    """Stands for atheris, which no test needs: it tries what the fuzzing starts from, and mutates nothing."""

    def __init__(self):
        super().__init__("atheris")
        self.tried = 0

    def instrument_imports(self, include):
        assert include
        return contextlib.nullcontext()

    def Setup(self, arguments, target):  # noqa: N802 - the name that atheris gives it
        self.corpus, self.target = Path(arguments[-1]), target

    def Fuzz(self):  # noqa: N802
        for path in sorted(self.corpus.iterdir()):
            self.target(path.read_bytes())
            self.tried += 1


@pytest.mark.parametrize("name", sorted(path.stem for path in BENCHMARKS.glob("*.py")))
def test_a_benchmark_is_imported(name):
    assert importlib.import_module(name).__doc__


@pytest.mark.parametrize("name", HELPED)
def test_a_benchmark_says_its_help(name, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", [f"{name}.py", "--help"])
    with pytest.raises(SystemExit) as left:
        importlib.import_module(name).main()
    assert left.value.code == 0
    assert capsys.readouterr().out.startswith(f"usage: {name}.py")


def test_scripts_with_a_help_are_those():
    """So that a new one is tried too."""
    assert sorted(HELPED) == sorted(
        p.stem for p in BENCHMARKS.glob("*.py") if "ArgumentParser(" in p.read_text("utf-8")
    )


def test_the_time_of_importing_is_a_ratio(monkeypatch, capsys):
    importing = importlib.import_module("importing")
    monkeypatch.setattr(importing, "TIMES", 1)
    monkeypatch.setattr(importing, "PANDAS", "import json")
    monkeypatch.setattr(importing, "ENGINE", "import cra_engine")
    importing.main()
    assert capsys.readouterr().out.endswith(" times as long\n")


@pytest.mark.parametrize("part", ["columns", "report-columns"])
def test_the_reproduction_explains_columns(part, tmp_path):
    assert importlib.import_module("reproduction").PARTS[part](tmp_path).count("\n| ") > 20


def test_the_speed_of_models_has_a_row(monkeypatch):
    speed = importlib.import_module("model_speed")
    monkeypatch.setattr(speed, "RUNS", 1)
    assert speed.row(speed.table(400), "paper", 2).startswith("| paper | 2 | ")


def test_the_speed_of_attacks_under_models_has_a_row():
    speed = importlib.import_module("model_speed")
    sample = next(importlib.import_module("diversity").tables(20, 1))
    (line,) = speed.attack_rows(sample, 3, [2])
    assert line.startswith("| clinic | 3 | 2 | ")


def test_what_releases_under_models_give_away_is_a_row_and_a_picture():
    diversity = importlib.import_module("diversity")
    for sample in diversity.tables(12, 1):
        rows = [diversity.row(sample, 1, 3, model) for model in ("k alone", "l = 2", "t = 0.5")]
        assert all(0 <= one.alone <= one.expected + 1e-9 for one in rows)
        assert rows[1].shown == 0  # no class of two values at least shows one
        assert diversity.picture(rows).endswith("</svg>\n")
        assert diversity.printed(rows).count(f"\n| {sample[0]} | ") == 3


@pytest.mark.parametrize("prior", ["assignments", "population"])
def test_values_that_people_are_said_to_have_are_counted_with_their_truth(prior):
    said, published = importlib.import_module("priors").said_of_people(20, 3, "salary-class", 2, 0, prior)
    assert len(said) == len(published) > 0
    assert [true for _, true in said] == [true for _, true in published]
    assert sum(chance for chance, _ in said) == pytest.approx(sum(true for _, true in said), abs=len(said) / 2)


def test_the_border_has_a_row():
    assert importlib.import_module("border").row(2, 2, 5).startswith("| 2 | 2 | 5 | 8 | exact | exact |")


def test_figures_of_heterogeneous_tables_are_drawn(monkeypatch, tmp_path):
    figures = importlib.import_module("heterogeneous_figures")
    monkeypatch.setattr(figures, "FIGURES", tmp_path)
    monkeypatch.setattr(sys, "argv", ["heterogeneous_figures.py"])
    figures.main()
    assert all(path.read_text("utf-8").startswith("<svg") for path in tmp_path.iterdir())
    assert list(tmp_path.iterdir())


def test_a_row_of_the_heterogeneous_figures_comes_out_again():
    figures = importlib.import_module("heterogeneous_figures")
    of = figures.adult(read_table(lzma.decompress((ROOT / "tests/data/adult/adult.csv.xz").read_bytes()), "adult.csv"))
    with figures.RESULTS.open(encoding="utf-8") as file:
        rows = {tuple(row[key] for key in figures.KEYS): row for row in csv.DictReader(file)}
    runs = {tuple(str(run[key]) for key in figures.KEYS): run for run in figures.planned(of)}
    assert list(rows) == list(runs)
    for sample in (("8c", "GR"), ("6", "BuReL")):
        key = next(
            key for key, run in runs.items() if (run["figure"], run["method"]) == sample and run["data"] == "adult"
        )
        again = figures.measured(of, runs[key], {})
        assert {name: str(value) for name, value in again.items() if name != "seconds"} == {
            name: rows[key][name] for name in again if name != "seconds"
        }
    assert figures.losses(list(rows.values()), "adult") in (ROOT / "docs/reproduction.md").read_text("utf-8")


def test_what_the_pages_say_of_the_heterogeneous_figures_is_so():
    figures = importlib.import_module("heterogeneous_figures")
    with figures.RESULTS.open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["data"] != "joined"]
    method, reproduction = (
        (ROOT / "docs" / name).read_text("utf-8") for name in ("heterogeneous.md", "reproduction.md")
    )
    ours = [row for row in rows if row["method"] != "BuReL"]
    twice = max(float(row["paper_twice"]) for row in ours if row["l"] and row["paper_twice"])
    over = max(float(row["paper_over"]) for row in ours if row["paper_over"])
    assert f"{100 * twice:.0f} % of people see a value twice" in method
    assert f"up to {100 * over:.0f} % see some value gain more than beta" in method
    gained = [
        100 * (float(row[how]) - float(row["baseline"]))
        for row in ours
        if row["beta"] and int(row["beta"]) <= 5
        for how in ("classic", "laplace")
    ]
    assert f"between {-min(gained):.1f} points less and {max(gained):.1f} more" in reproduction
    by_setting: dict[tuple[str, ...], dict[str, float]] = {}
    for row in rows:
        setting = tuple(row[name] for name in ("data", "n", "d", "l", "beta", "theta", "part"))
        by_setting.setdefault(setting, {})[row["method"]] = float(row["gcp"])
    settings = [found for found in by_setting.values() if {"HG", "SG", "GR"} <= set(found)]
    assert all(found["HG"] < found["SG"] < found["GR"] for found in settings)
    assert f"in all {len(settings)} settings" in reproduction
    drawn = [row for row in rows if row["figure"] == "6" and row["method"] in ("HG", "BuReL")]
    gcp = {(row["data"], row["beta"], row["method"]): float(row["gcp"]) for row in drawn}
    ratios = [gcp[data, beta, "BuReL"] / gcp[data, beta, "HG"] for data, beta, how in gcp if how == "HG"]
    more = sum(ratio > 1.001 for ratio in ratios)
    assert f"{more} of {len(ratios)} settings of Figure 6, by up to {100 * max(ratios) - 100:.0f} %" in reproduction


@pytest.mark.parametrize("named", [True, False])
def test_a_readers_own_copy_of_census_is_taken(named, tmp_path):
    figures, matching = importlib.import_module("heterogeneous_figures"), importlib.import_module("matching")
    path, records = tmp_path / "CENSUS.csv", matching.census(300)
    # Codes, as files of a census have them, so that numbers are no sign of a number.
    codes = records.assign(**{name: pd.factorize(records[name])[0] for name in list(records)[1:]})
    codes.to_csv(path, index=False, header=named)
    of = figures.census(str(path))
    assert (len(of.frame), of.records, of.frame["gender"].nunique()) == (300, 150, records["sex"].nunique())
    assert of.frame["age"].astype(int).tolist() == records["age"].tolist()
    runs = [run for run in figures.planned(of) if run["data"] == "census"]
    assert {run["l"] for run in runs} == {"", 2, 4, 6, 8, 10}
    (one,) = [run for run in runs if (run["figure"], run["method"], run["beta"]) == ("10c", "GR", 3)]
    shown = figures.measured(of, one, {})
    # Codes of categories are none of their amounts: only age and education are numbers.
    made, _ = figures.published(of, one)
    assert [name for name in of.qis if made.data[name].dtype.kind in "iuf"] == ["age", "education"]
    assert shown["query_share"] > 0


def test_a_copy_of_census_that_lacks_columns_is_named(tmp_path):
    figures, path = importlib.import_module("heterogeneous_figures"), tmp_path / "CENSUS.csv"
    path.write_text("age,gender\n1,2\n", "utf-8")
    with pytest.raises(DataError, match="has 2 columns; CENSUS has 8"):
        figures.census(str(path))


def test_merging_is_compared_with_the_least_of_all():
    compliance = importlib.import_module("compliance")
    assert sum(1 for _ in compliance.partitions(list(range(6)))) == 203  # Bell's number
    for seed in (0, 1):
        made, least = compliance.compared(seed)
        assert made >= least > 0


def test_a_row_of_the_figures_of_sensitive_cells_comes_out_again():
    figures = importlib.import_module("sensitive_figures")
    with figures.RESULTS.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    tables = dict(figures.tables(None))
    runs = [run for name in ("iris", "wine") for run in figures.planned(name, len(tables[name].names)) if run["k"] == 4]
    for run in runs:
        again = {key: str(value) for key, value in (run | figures.counted(tables[run["data"]], run)).items()}
        assert again in rows
    assert figures.report(rows).count("| iris, (1, 0.6) |") == 2


def test_the_domains_that_table_3_tells_of():
    """What docs/reproduction.md says of them: one V for two attributes, and nine of ten for three and four."""
    domains = importlib.import_module("inferred_domains")
    printed = {key: numbers["table3_lr"] for key, numbers in domains.PUBLISHED.items() if key[0] == "hospitals"}
    found = {key: domains.nearest(solutions) for key, solutions in printed.items()}
    two = {k: found["hospitals", 2, k] for k in range(3, 8)}
    assert [records for records, _ in two.values()] == [k - 1 for k in two]
    assert (min(two.values(), key=lambda one: one[1])[1], max(two.values(), key=lambda one: one[1])[1]) == (
        80_949,
        90_112,
    )
    others = [domain for (_, qis, _), (_, domain) in found.items() if qis > 2]
    assert sum(65_298 <= domain <= 94_820 for domain in others) == len(others) - 1 == 9
    for domain, records in ((90_112, 2), (7, 3)):
        solutions = math.comb(domain, records)
        assert domains.domain_of(solutions, records) == domain
        assert domains.domain_of(solutions + 1, records) == domain + 1


def test_hidden_cells_of_adult_have_a_row():
    adult = read_table(lzma.decompress((ROOT / "tests/data/adult/adult.csv.xz").read_bytes()), "adult.csv")
    cells = importlib.import_module("local_suppression").row(adult, 3, samples=1, records=60).split(" | ")
    assert cells[0] == "| 3"
    assert int(cells[1]) > int(cells[2]) > 0


def test_safe_recoding_beside_the_others_on_one_table():
    figures = importlib.import_module("safe_figures")
    row = figures.row_of(*next(figures.read()), draws=1)
    assert set(row.found) == set(figures.WAYS)
    assert all(0 < loss < 1 for loss, _ in row.found.values())
    assert figures.picture([row]).endswith("</svg>\n")


def test_a_table_with_fakes_by_hand():
    """One box for all: nobody is alone, and nothing is left."""
    study = Study([Attribute("age", 0, 80, layers=1)], k=2)
    made = importlib.import_module("fakes").with_fakes(pd.DataFrame({"age": [1, 2, 30, 31]}), study, 0.5)
    assert (len(made.recoding.frame), int(made.real.sum())) == (6, 4)
    assert (made.alone, made.loss) == ((0, 0), 1)
    with pytest.raises(StudyError):
        importlib.import_module("fakes").with_fakes(pd.DataFrame({"age": [1, 2]}), study, 0)


def test_times_of_heterogeneous_tables(monkeypatch):
    matching = importlib.import_module("matching")
    for name, records in (("RECORDS", 300), ("PARTS_OF", 600), ("PART", 300)):
        monkeypatch.setattr(matching, name, records)
    assert all(result.engine > 0 for result in (*matching.whole_tables(), *matching.in_parts()))


def test_growth_has_a_row_per_command_and_leaves_out_what_would_take_too_long(monkeypatch):
    growth = importlib.import_module("growth")
    taken = {"recode": [1.0, 1.0, 2.0], "attack": [1.0, 10.0]}
    monkeypatch.setattr(growth, "measured", lambda *_: {name: [*found, None][:3] for name, found in taken.items()})
    lines = list(growth.rows(list(taken), [1000, 10_000, 100_000]))
    assert lines[2:] == ["| `recode` | 1.00 | 1.00 | 2.00 | 1.0 | 0.30 |", "| `attack` | 1.00 | 10.00 | - | - | 1.00 |"]
    monkeypatch.undo()
    assert growth._expected([9.0, 1.0, 5.0]) == 25.0
    assert growth._expected([9.0, 1.0, None]) is None


def test_the_short_ways_of_recoding_give_what_the_long_ones_give(monkeypatch):
    gains = importlib.import_module("gains")
    monkeypatch.setattr(gains, "SIZES", (1000,))
    assert [result.engine > 0 for result in gains.shortcuts()] == [True]


def test_growth_is_measured_by_the_commands_themselves():
    growth = importlib.import_module("growth")
    found = growth.measured(["recode", "attack", "sensitive-cells"], [1000])
    assert all(len(taken) == 1 and taken[0] > 0 for taken in found.values())


def test_our_minimal_releases_are_minimal(monkeypatch):
    minimal = importlib.import_module("minimal")
    monkeypatch.setattr(minimal, "TABLES", 1)
    found = minimal.counted("toy", "paper")
    assert found["ours minimal"] == found["releases"] == 5


def test_other_counts_are_those_of_their_page(capsys):
    importlib.import_module("other_counts").main()
    page, printed = (ROOT / "docs/counts.md").read_text("utf-8"), capsys.readouterr().out
    shares = re.findall(r"[\d,]+ of [\d,]+(?: \(\d+ %\))?", printed)
    assert len(shares) == 4 * 2 + 3
    assert shares == re.findall(r"[\d,]+ of [\d,]+(?: \(\d+ %\))?", page.split("| --- |")[1].split("\n\n")[0])
    errors = re.findall(r"off by ([\d.]+) on", printed)
    assert "off by {}, {} and\n{} people".format(*errors) in page


def test_reliability_is_a_picture(monkeypatch, tmp_path):
    reliability, drawn = importlib.import_module("reliability"), tmp_path / "reliability.svg"
    monkeypatch.setattr(reliability, "WORLDS", dict.fromkeys(reliability.WORLDS, 2))
    monkeypatch.setattr(reliability, "FEWEST", 1)
    monkeypatch.setattr(sys, "argv", ["reliability.py", "--output", str(drawn)])
    reliability.main()
    assert drawn.read_text("utf-8").startswith("<svg")
    for way in reliability.WORLDS:
        points = reliability.points(way)
        assert points
        assert all(0 < point.said < 1 and 0 <= point.found <= 1 for point in points)


def test_times_of_classes_have_a_row_per_configuration(tmp_path):
    runtimes, plan = importlib.import_module("runtimes"), tmp_path / "plan.toml"
    plan.write_text(
        'k = [3]\nsamples = 1\n[[dataset]]\nname = "hospitals"\nsynthetic = "hospitals"\npool = 1013\nrecords = 60\n'
        'sets = [{ attributes = ["hosp_id", "APICC"] }]\n',
        "utf-8",
    )
    assert runtimes.report(Plan.from_toml(plan), 1, 0.1).count("\n| hospitals | 2 | 3 | ") == 2


@pytest.mark.parametrize(("page", "act"), [("recode", "_slide"), ("single_out", "_predicate")])
def test_a_person_clicks(page, act, monkeypatch):
    interactions = importlib.import_module("interactions")
    monkeypatch.setattr(interactions, "TIMES", 1)
    assert len(interactions.seconds(page, "toy", getattr(interactions, act))) == 1


@pytest.mark.parametrize("reader", ["study", "plan", "release", "address", "options"])
def test_the_fuzzing_of_a_reader_starts(reader, monkeypatch, tmp_path):
    fuzzer = Fuzzer()
    monkeypatch.setitem(sys.modules, "atheris", fuzzer)
    monkeypatch.delenv("FUZZ_CORPUS", raising=False)
    monkeypatch.setattr(sys, "argv", ["run.py", reader])
    spec = importlib.util.spec_from_file_location("fuzz_run", FUZZ / "run.py")
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    (tmp_path / "fuzz").mkdir()
    monkeypatch.setattr(script, "ROOT", tmp_path)
    script.main()
    assert fuzzer.tried


def test_every_reader_has_something_to_start_from():
    seeds, targets = importlib.import_module("seeds"), importlib.import_module("targets")
    assert set(targets.TARGETS) == {*seeds.SMALL, *seeds.FILES}
    assert importlib.import_module("all").main


# ---------------------------------------------------------------- what takes longer


@pytest.mark.exhaustive
def test_every_click_of_a_person(monkeypatch):
    interactions = importlib.import_module("interactions")
    monkeypatch.setattr(interactions, "TIMES", 2)
    monkeypatch.setattr(interactions, "STUDIES", ("toy",))
    assert len(list(interactions.interactions())) == sum(map(len, interactions.INTERACTIONS.values()))


@pytest.mark.exhaustive
def test_repairs_of_few_releases(capsys, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["repairs.py", "1"])
    importlib.import_module("repairs").main()
    assert "tiny tables" in capsys.readouterr().out


@pytest.mark.exhaustive
def test_what_safe_releases_tell_for_certain(capsys):
    importlib.import_module("safe_figures").certain(2)
    assert capsys.readouterr().out.count("of 2 tables") == 2


@pytest.mark.exhaustive
def test_recoding_in_memory(monkeypatch):
    scale = importlib.import_module("scale")
    monkeypatch.setattr(scale, "IN_MEMORY", 10_000)
    monkeypatch.setattr(scale, "ROUNDS", 1)
    assert all(result.engine > 0 for result in scale.in_memory())


@pytest.mark.exhaustive
def test_recoding_block_by_block(monkeypatch):
    scale = importlib.import_module("scale")
    monkeypatch.setattr(scale, "STREAMED", (2000, 4000))
    monkeypatch.setattr(scale, "AT_ONCE", 1000)
    assert len(list(scale.streaming())) == 4


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    "name",
    [
        *("worst_case", "hospitals", "per_class", "together", "cancelling", "branching", "sets", "ordering", "boxes"),
        *("ends", "microaggregation", "full_domain"),
    ],
)
def test_a_benchmark_of_a_fixed_size(name):
    results = list(importlib.import_module("run").BENCHMARKS[name]())
    assert results
    assert all(result.engine > 0 for result in results)


def test_a_table_in_parts_has_the_rows_of_the_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    millions = importlib.import_module("millions")
    millions.write(600, 3)
    rows = millions.sorted_rows("raw")
    assert rows.equals(millions.sorted_rows("raw.parquet"))
    assert (rows["n"].sum(), len(list(Path("raw").iterdir()))) == (600, 3)
    rows.drop(columns="n").iloc[1:].to_parquet("raw.parquet")
    assert not rows.equals(millions.sorted_rows("raw.parquet"))
    assert millions.differing({"files": 1, "k": 2, "seconds": 3}, {"files": 2, "k": 3, "seconds": 4}) == ["k"]


@pytest.mark.exhaustive
def test_a_cluster_that_loses_a_worker_says_what_one_process_says(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    millions = importlib.import_module("millions")
    monkeypatch.setattr(millions, "COMMANDS", {name: millions.COMMANDS[name] for name in ("recode", "attack")})
    millions.write(2000, 4)
    lines = list(millions.lines(60))[2:]
    assert [line.split(" | ")[0] for line in lines] == ["| recode", "| attack"]
    assert all(line.endswith(" | 1 | yes |") for line in lines), lines


def test_commands_with_a_limit_have_a_row(monkeypatch):
    limits = importlib.import_module("limits")
    (done,) = list(limits.lines(["roles"], 200, 600))[2:]
    assert done.startswith("| `roles` | ")
    assert done.endswith(" | 0 | - |")
    said = "The 5 s of --time-limit were over before check was done"
    script = f"import sys; sys.exit(print({said!r}, file=sys.stderr) or 2)"
    honest = limits.subprocess.run
    monkeypatch.setattr(limits.subprocess, "run", lambda _, **how: honest([sys.executable, "-c", script], **how))
    assert limits.limited("check", 5)[2:] == (2, said)
