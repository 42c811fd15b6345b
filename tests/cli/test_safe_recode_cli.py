"""The command ``safe-recode``: what it prints, writes and refuses."""

import json
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from cra_engine import (
    Attribute,
    OptionGrid,
    Rule,
    Study,
    attack,
    compare,
    read_release,
    safe_recode,
    synthesize,
    tight_attack,
)
from cra_engine.cli.commands import main
from cra_engine.options import Publisher
from cra_engine.options.option import ways_for
from cra_engine.publish.local.coins import Coins
from cra_engine.release import Release
from cra_engine.study.roles import Roles
from json_shapes import fitting

KEYS = {
    "records", "k", "epsilon", "epsilon_of_all", "earlier",
    "rungs", "classes", "suppressed", "suppressed_gain", "gain", "gain_all_tables",
    "left_out", "loss", "measures", "warnings",
}  # fmt: skip


@pytest.fixture
def files(tmp_path: Path) -> Path:
    made = synthesize("clinic", 200, 3)
    made.data.to_csv(tmp_path / "data.csv", index=False)
    made.study.to_toml(tmp_path / "study.toml")
    return tmp_path


def run(monkeypatch: pytest.MonkeyPatch, *words: object) -> int:
    monkeypatch.setattr("sys.argv", ["cra-engine", *map(str, words)])
    with pytest.raises(SystemExit) as ended:
        main()
    return int(ended.value.code or 0)


def test_json_release_and_study_belong_together(
    files: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    release, study = files / "release.csv", files / "study.toml"
    words = ["safe-recode", files / "data.csv", "--study", study, "--epsilon", "0.5", "--seed", 4, "--output", release]
    assert run(monkeypatch, *words, "--json") == 0
    told = fitting("safe-recode", capsys.readouterr().out)
    assert set(told) == KEYS
    assert told["epsilon"] == 0.5
    assert 0 < sum(rung["epsilon"] for rung in told["rungs"]) <= 0.5
    assert told["rungs"][0]["state"] == [1] * len(told["classes"][0]["state"])
    # What the JSON says of the release, its reader finds by the study alone.
    read = read_release(release, Study.from_toml(study).with_epsilon("0.5"))
    assert [(c["size"], tuple(c["state"])) for c in told["classes"]] == [
        (c.size, c.segment.state) for c in read.classes
    ]
    assert [c["gain"] for c in told["classes"]] == [float(gain) for gain in read.regions.gains][: len(read.classes)]
    assert told["suppressed"] == read.suppressed
    assert told["gain"] == float(read.regions.gain) <= 0.5
    assert attack(read).parts[-1].cell_distributions()


def test_block_by_block_with_the_same_coins_is_the_same_to_the_byte(
    files: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    outputs = files / "one.csv", files / "two.csv"
    for output, how in zip(outputs, ("--in-memory", "--streaming"), strict=True):
        words = ["--study", files / "study.toml", "--epsilon", 1, "--seed", 7, how, "--output", output]
        assert run(monkeypatch, "safe-recode", files / "data.csv", *words) == 0
    assert outputs[0].read_bytes() == outputs[1].read_bytes()
    assert "whoever guesses it" in capsys.readouterr().err  # a seed is for teaching


def test_a_gain_of_nothing_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    # Twenty people in each of four finest intervals: each is published on the first rung, and none has parts.
    (tmp_path / "data.csv").write_text("a\n" + "0\n2\n4\n6\n" * 20)
    Study([Attribute("a", 0, 8, 3)], 3).to_toml(tmp_path / "study.toml")
    words = ["--study", tmp_path / "study.toml", "--epsilon", 1, "--output", tmp_path / "out.csv"]
    assert run(monkeypatch, "safe-recode", tmp_path / "data.csv", *words) == 0
    told = capsys.readouterr().out
    assert "Nobody learns more than 0 about one person" in told
    assert "every region is a single finest box" in told
    assert "odds times" not in told


def test_without_a_seed_two_releases_differ_and_the_answer_says_what_readers_need(
    files: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    texts = set()
    for number in range(3):
        output = files / f"{number}.csv"
        words = ["--study", files / "study.toml", "--epsilon", 1, "--output", output]
        assert run(monkeypatch, "safe-recode", files / "data.csv", *words) == 0
        texts.add(output.read_bytes())
    assert len(texts) > 1
    told = capsys.readouterr()
    assert 'profile = "floored" and epsilon = 1' in told.out
    assert not told.err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "needs an epsilon"),
        (["--epsilon", "0"], "give a number above 0"),
        (["--epsilon", "much"], "give a number above 0"),
        (["--epsilon", "1e-300"], "give a number from"),
        (["--epsilon", "1", "--k", "900"], "more than the 200 records"),
        (["--epsilon", "1", "--k", "1"], "it must be 2 or more"),
    ],
)
def test_bad_settings_are_one_sentence_and_no_file(
    files: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    words: list[str],
    said: str,
) -> None:
    output = files / "out.csv"
    start = ["safe-recode", files / "data.csv", "--study", files / "study.toml", "--output", output]
    assert run(monkeypatch, *start, *words) == 2
    told = capsys.readouterr().err
    assert said in told
    assert told.count("\n") == 1
    assert not output.exists()


@pytest.mark.parametrize(
    ("toml", "said"),
    [
        ('profile = "safe"\n', "add how much may be given away"),
        ("epsilon = 1\n", "epsilon belongs to"),
        ('profile = "safe"\nepsilon = -1\n', "give a number above 0"),
        ('profile = "safe"\nepsilon = "1"\n', "a number is needed"),
    ],
)
def test_a_study_file_that_names_no_safe_recoding_is_refused(
    files: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], toml: str, said: str
) -> None:
    study = files / "study.toml"
    plain = "\n".join(line for line in study.read_text().splitlines() if not line.startswith("profile"))
    study.write_text(toml + plain)
    assert run(monkeypatch, "attack", files / "data.csv", "--study", study) == 2
    assert said in capsys.readouterr().err


def test_a_release_of_another_way_is_no_safe_release(
    files: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    release, study = files / "release.csv", files / "study.toml"
    assert run(monkeypatch, "recode", files / "data.csv", "--study", study, "--output", release) == 0
    safe = files / "safe.toml"
    Study.from_toml(study).with_epsilon(1).to_toml(safe)
    assert run(monkeypatch, "attack", release, "--study", safe) == 2
    assert "stands on no rung of the ladder" in capsys.readouterr().err
    # And ARX-LR is not run for a study that asks for the other.
    assert run(monkeypatch, "recode", files / "data.csv", "--study", safe, "--output", files / "x.csv") == 2
    assert "publish it by safe recoding" in capsys.readouterr().err


def test_every_command_that_reads_releases_reads_safe_ones(
    files: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    made = synthesize("clinic", 200, 3)
    published = safe_recode(made.data, made.study, 1, seed=2)
    published.release.to_csv(files / "release.csv", keep_order=True)
    published.study.to_toml(files / "safe.toml")
    told = {}
    for command, *more in (
        ("attack", "--tight", "--json"),
        ("single-out", "--json"),
        ("single-out", "--data", files / "data.csv", "--json"),
        ("attack", "--list", len(published.classes) - 1, "--limit", 3, "--json"),
        ("audit", "--output", files / "audit.html", "--json"),
    ):
        assert run(monkeypatch, command, files / "release.csv", "--study", files / "safe.toml", *more) == 0, command
        told[command, more[0]] = json.loads(capsys.readouterr().out)
    assert told["attack", "--tight"]["tight"]["status"] == "exact"
    assert told["attack", "--tight"]["tight"]["isolated"] == []
    assert "safe release" in " ".join(told["audit", "--output"]["findings"])
    assert Study.from_toml(files / "safe.toml") == published.study
    names = list(published.study.names)
    read = read_release(files / "release.csv", published.study).table[names]
    assert read.to_numpy().tolist() == published.release.table[names].astype(str).to_numpy().tolist()


def test_readers_get_no_names_of_removed_columns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    draw = np.random.default_rng(1)
    people = pd.DataFrame({"age": draw.integers(0, 80, 40), "canary": range(40)})
    people.to_csv(tmp_path / "data.csv", index=False)
    Study([Attribute("age", 0, 80, layers=4)], 4).with_roles(Roles(remove=["canary"])).to_toml(tmp_path / "study.toml")
    readers = tmp_path / "readers.toml"
    words = ["--study", tmp_path / "study.toml", "--epsilon", "1", "--output", tmp_path / "out.csv"]
    assert run(monkeypatch, "safe-recode", tmp_path / "data.csv", *words, "--study-output", readers) == 0
    assert "canary" not in readers.read_text()
    assert read_release(tmp_path / "out.csv", Study.from_toml(readers)).suppressed >= 4


def test_later_releases_are_drawn_inside_earlier_ones_and_their_study_is_the_ledger(
    files: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    given, study = [files / "data.csv", "--study", files / "study.toml"], files / "study.toml"
    for number, how in enumerate(("--in-memory", "--streaming", "--in-memory")):
        before = [] if not number else ["--earlier", files / f"{number - 1}.csv", "--earlier-study", study]
        study = files / f"{number}.toml"
        words = ["--epsilon", "0.5", "--output", files / f"{number}.csv", "--study-output", study, how, *before]
        assert run(monkeypatch, "safe-recode", *given, *words) == 0
        said = capsys.readouterr().out
        assert f"{Fraction(number + 1, 2)}".replace("1/2", "0.5").replace("3/2", "1.5") in said
    read = Study.from_toml(study)
    assert [one.epsilon for one in read.earlier] == [Decimal("0.5")] * 2
    assert read.epsilon_of_all == Decimal("1.5")
    last = read_release(files / "2.csv", read)
    assert 0 < last.regions.gain <= Fraction(3, 2)
    assert [len(one.classes) for one in last.regions.chain] == sorted(len(one.classes) for one in last.regions.chain)
    assert tight_attack(last).status == "exact"
    assert run(monkeypatch, "single-out", files / "2.csv", "--study", study, "--data", files / "data.csv") == 0
    # Its own study, but a release that was drawn by itself: that is said, and nothing is read into it.
    words = ["--epsilon", "0.5", "--output", files / "other.csv"]
    assert run(monkeypatch, "safe-recode", *given, *words) == 0
    capsys.readouterr()
    assert run(monkeypatch, "attack", files / "other.csv", "--study", study) == 2
    assert "was not drawn inside the releases that its study names" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("change", "words", "said"),
    [
        (lambda data: data.iloc[1:], [], "holds 199 people and the earlier release 200"),
        (lambda data: data.assign(weight=data["weight"].iloc[0]), [], "The rows do not fit the earlier release"),
        (lambda data: data, ["--k", "6"], "k is 6, more than the 5 of an earlier release"),
        (lambda data: data, ["--newcomers"], "Newcomers are in no earlier release"),
        (lambda data: data, ["--earlier-study", "plain.toml"], "was not published by safe recoding"),
    ],
)
def test_what_cannot_be_drawn_inside_an_earlier_release_is_one_sentence_before_any_coin(
    files: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], change, words, said
) -> None:
    made = synthesize("clinic", 200, 3)
    first = safe_recode(made.data, made.study, 1, seed=4)
    first.release.to_csv(files / "first.csv")
    first.study.to_toml(files / "first.toml")
    made.study.to_toml(files / "plain.toml")
    change(made.data).to_csv(files / "data.csv", index=False)
    monkeypatch.setattr(Coins, "exp_minus", lambda *_: pytest.fail("a coin fell"))
    start = ["safe-recode", files / "data.csv", "--study", files / "study.toml", "--epsilon", "1"]
    before = ["--earlier", files / "first.csv", "--output", files / "out.csv"]
    own = [] if "--earlier-study" in words else ["--earlier-study", files / "first.toml"]
    named = [files / word if str(word).endswith(".toml") else word for word in words]
    assert run(monkeypatch, *start, *before, *own, *named) == 2
    told = capsys.readouterr().err
    assert said in told
    assert told.count("\n") == 1
    assert not (files / "out.csv").exists()


def test_a_later_release_asks_for_its_own_epsilon(
    files: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    made = synthesize("clinic", 200, 3)
    first = safe_recode(made.data, made.study, 1, seed=4)
    first.release.to_csv(files / "first.csv")
    first.study.to_toml(files / "first.toml")
    words = ["--study", files / "first.toml", "--earlier", files / "first.csv", "--output", files / "out.csv"]
    assert run(monkeypatch, "safe-recode", files / "data.csv", *words) == 2
    assert "A later release spends anew; give an epsilon" in capsys.readouterr().err


def test_newcomers_are_a_table_of_their_own_and_wait_where_they_are_few(
    files: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    made = synthesize("clinic", 260, 3)
    first = safe_recode(made.data.iloc[:200], made.study, 1, seed=4)
    second = safe_recode(made.data.iloc[:200], made.study, 1, seed=5, earlier=first.release)
    second.study.to_toml(files / "second.toml")
    words = ["--study", files / "second.toml", "--newcomers", "--output", files / "out.csv"]
    made.data.iloc[200:].to_csv(files / "new.csv", index=False)
    assert run(monkeypatch, "safe-recode", files / "new.csv", *words, "--study-output", files / "new.toml") == 0
    assert Study.from_toml(files / "new.toml").earlier == ()  # the others' ledger is none of theirs
    made.data.iloc[256:].to_csv(files / "new.csv", index=False)
    capsys.readouterr()
    assert run(monkeypatch, "safe-recode", files / "new.csv", *words) == 2
    assert (
        "k = 5 is more than the 4 records of the table; take a smaller k, or wait for more records"
        in capsys.readouterr().err
    )


def test_a_readers_study_that_numbers_categories_is_a_ledger_all_the_same() -> None:
    draw = np.random.default_rng(1)
    towns = Attribute.from_hierarchy("town", [[f"t{i}", f"r{i // 4}", "*"] for i in range(16)])
    study = Study([towns, Attribute("age", 0, 80, 4)], 3)
    people = {"town": [f"t{i}" for i in draw.integers(0, 12, 120)], "age": draw.integers(0, 80, 120)}
    first = safe_recode(pd.DataFrame(people), study, 1, seed=1)
    readers = first.study_for_readers(first.frame)
    assert readers.attributes != study.attributes  # nobody lives in the last towns, and they are not named
    later = safe_recode(pd.DataFrame(people), study, 1, seed=2, earlier=Release(readers, first.release.table))
    assert later.study.earlier == (first.release.entry,)
    assert later.study_for_readers(later.frame).earlier == later.study.earlier


def test_a_later_release_says_whose_study_is_missing_and_where_it_shows_nothing_new(
    files: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    given = [files / "data.csv", "--study", files / "study.toml"]
    words = ["--epsilon", "1", "--output", files / "one.csv", "--study-output", files / "one.toml"]
    assert run(monkeypatch, "safe-recode", *given, *words) == 0
    capsys.readouterr()
    synthesize("clinic", 200, 3).study.to_toml(files / "study.toml")  # which says nothing of safe recoding
    again = [
        "safe-recode",
        *given,
        "--epsilon",
        "0.000001",
        "--earlier",
        files / "one.csv",
        "--output",
        files / "two.csv",
    ]
    assert run(monkeypatch, *again) == 2
    assert "give the study that its readers got with --earlier-study" in capsys.readouterr().err
    # With so small an epsilon no coin falls for a box, but in one draw of a million.
    assert run(monkeypatch, *again, "--earlier-study", files / "one.toml") == 0
    assert "It shows no more than the release before it; its epsilon is spent all the same." in capsys.readouterr().out


def test_compare_draws_safe_ones_inside_what_is_out_and_recommends_nothing_else(
    files: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    made = synthesize("clinic", 200, 3)
    first = safe_recode(made.data, made.study, "0.25", seed=4)
    first.release.to_csv(files / "first.csv")
    first.study.to_toml(files / "first.toml")
    words = ["compare", files / "data.csv", "--study", files / "study.toml", "--earlier", files / "first.csv"]
    ways = ["--method", "local", "--method", "safe", "--epsilon", "0.25,0.5", "--output", files / "out.html", "--json"]
    assert run(monkeypatch, *words, "--earlier-study", files / "first.toml", *ways) == 0
    told = capsys.readouterr()
    assert "Releases of the same people are out already" in told.err
    study = made.study.changed(profile="floored", epsilon=1, earlier=[first.release.entry])
    rule = Rule(l=1, alone=1, nobody_certain=False)
    found = compare(
        made.data,
        study,
        OptionGrid.of(study, ways_for(study, ["local", "safe"], epsilons=[Decimal("0.25"), Decimal("0.5")])),
        rule=rule,
    )
    by_way = {name: [p for p in found.points if p.option.way.name == name] for name in ("local", "safe")}
    assert not [p.problem for p in found.points if p.problem]
    # What a safe one tells is of both together, and it is no draw of its own.
    assert all(p.value("gain") <= 0.25 + float(p.option.way.setting) for p in by_way["safe"])
    drawn = Publisher(made.data, study).publish(by_way["safe"][0].option)
    assert [one.epsilon for one in drawn.release.study.earlier] == [Decimal("0.25")]
    assert found.recommended is None or found.recommended.option.way.name == "safe"
    assert found.nearest.option.way.name == "safe"
