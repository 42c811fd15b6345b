"""The command repair, by itself and beside earlier releases."""

import json

import pytest

from cra_engine import compose, read_release, recode, safe_recode, synthesize

TOY = synthesize("toy")


@pytest.fixture
def run(run, tmp_path):
    """Run the command in a folder with releases of the toy table; exit status, stdout, stderr, and where they go."""
    TOY.study.to_toml(tmp_path / "study.toml")
    for k in (3, 4, 7):
        recode(TOY.data, TOY.study.with_k(k)).release.to_csv(tmp_path / f"k{k}.csv")
    safe_recode(TOY.data, TOY.study, 1, seed=1).release.to_csv(tmp_path / "safe.csv")
    TOY.study.with_epsilon(1).to_toml(tmp_path / "safe.toml")
    recode(TOY.data.iloc[:-1], TOY.study).release.to_csv(tmp_path / "less.csv")

    def repair(*arguments):
        return *run("repair", *arguments, "--output", "out.csv"), tmp_path / "out.csv"

    return repair


SEVEN = ["k7.csv", "--study", "study.toml", "--k", 7]
WITH_FOUR = [*SEVEN, "--with", "k4.csv", "--with-k", 4]


def test_two_harmless_releases_are_mended_together(run) -> None:
    status, out, _, written = run(*WITH_FOUR, "--json")
    assert status == 0
    found = json.loads(out)
    assert (found["certain_before"], found["certain"]) == (0, 0)  # by itself nobody was certain
    assert (found["together"]["certain_before"], found["together"]["certain"]) == (3, 0)
    assert found["together"]["exact"] is True
    assert found["loss"] > found["loss_before"]
    assert found["steps"]
    before, after = (read_release(path, TOY.study.with_k(7)) for path in ("k7.csv", written))
    four = read_release("k4.csv", TOY.study.with_k(4))
    assert len(compose([four, before]).isolated) == 3
    assert after.records == before.records
    assert after.suppressed > before.suppressed


def test_the_text_says_what_is_supposed(run) -> None:
    status, out, _, _ = run(*WITH_FOUR)
    assert status == 0
    assert "Beside 1 earlier release: 3 certain before, 0 now" in out
    assert "Supposed: that all are of the same people" in out
    assert "this is no promise to them" in out
    status, out, _, _ = run(*SEVEN, "--json")
    assert json.loads(out)["together"] is None


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([*SEVEN, "--with", "k3.csv", "--with-k", 3], "The earlier releases alone show that 2 cells hold exactly one"),
        ([*WITH_FOUR, "--likeliest", 0.5], "and beside the earlier releases, the likeliest cell"),
        ([*WITH_FOUR, "--time-limit", 0], "The time did not suffice"),
        ([*SEVEN, "--with", "less.csv", "--with-k", 3], "35 records and this one 36"),
        ([*SEVEN, "--with", "nowhere.csv"], "nowhere.csv"),
        ([*SEVEN, "--with-k", 4], "name these with --with"),
        ([*WITH_FOUR, "--with-k", 5], "2 values of k for 1 releases"),
        ([*SEVEN, "--likeliest", 0], "give a number above 0"),
    ],
)
def test_what_cannot_be_is_one_sentence_and_no_file(run, arguments, sentence) -> None:
    status, out, err, written = run(*arguments)
    assert status == 2
    assert sentence in err
    assert len(err.strip().splitlines()) == 1
    assert not out
    assert not written.exists()


def test_a_table_is_mended_beside_safe_releases(run) -> None:
    status, out, _, written = run(*SEVEN, "--with", "safe.csv", "--with-study", "safe.toml")
    assert status == 0
    assert "Beside 1 earlier release: " in out
    assert "(estimated)" in out  # the coins are not weighed
    assert read_release(written, TOY.study.with_k(7)).records == len(TOY.data)
