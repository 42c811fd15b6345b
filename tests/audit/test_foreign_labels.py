"""Labels as others write them: read as ARX would have written them, and never so that the truth is left out."""

import random
import re
from datetime import date, timedelta
from pathlib import Path

import pandas as pd
import pytest
from typer.testing import CliRunner

from arx_projects import project
from cra_engine import Attribute, CRAError, read_table, recode
from cra_engine.attacks.tight.system import TightSystem
from cra_engine.audits.audit import audit
from cra_engine.audits.foreign_labels import in_our_spelling, respelled
from cra_engine.audits.label_families import family
from cra_engine.cli.commands import app
from cra_engine.study.study import Study
from oracles.unequal import Tree, local_recoding

ARX = Path(__file__).parents[1] / "data" / "arx"
RELEASE = ARX / "outputs/toy40b.ex38.k3.csv"
STUDY = ARX / "studies/toy40b.paper.toml"


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        (["20-29", "30-39"], ["[20, 30[", "[30, 40["]),
        (["20\u201329", "30 - 39", "*"], ["[20, 30[", "[30, 40["]),
        (["20 to 29", "30 TO 39"], ["[20, 30[", "[30, 40["]),
        (["20-30", "30-40"], ["[20, 30[", "[30, 40["]),  # they meet: 30 belongs to one of them
        (["(20, 30]", "(30, 40]"], ["[21, 31[", "[31, 41["]),
        (["]20;30]", "[10, 20]"], ["[21, 31[", "[10, 21["]),
        (["20.0-29.5", "30.0-39.5"], ["[20, 29.6[", "[30, 39.6["]),
        (["-20--11", "-10--1"], ["[-20, -10[", "[-10, 0["]),
        (["1.5-2.4", "37"], ["[1.5, 2.5["]),
        (["20-29", ">= 30"], ["[20, 30[", "[30, 40["]),
        (["20-29", "30+"], ["[20, 30[", "[30, 40["]),
        (["20-29", "> 29"], ["[20, 30[", "[30, 40["]),
        (["18-29", "< 18"], ["[18, 30[", "[0, 18["]),
        (["18-29", "<= 17", "\u2265 30"], ["[18, 30[", "[0, 18[", "[30, 42["]),
        (["10-19", "under 10", "20 or more"], ["[10, 20[", "[0, 10[", "[20, 30["]),
        (["20 bis 29", "30 bis 39", "unter 20", "\u00fcber 39"], ["[20, 30[", "[30, 40[", "[0, 20[", "[40, 60["]),
        (["20 bis unter 30", "30 to under 40"], ["[20, 30[", "[30, 40["]),
        (["20-29", "30 und \u00e4lter"], ["[20, 30[", "[30, 40["]),
        (["[1940-01-01, 1945-01-01[", "*", "NULL"], ["[1940, 1945["]),
        (["[2013-01-01, 2013-07-01[", "[2013-07-01, 2014-01-01["], ["[8052, 8054[", "[8054, 8056["]),  # quarters
        (["[0001-01-01, 0001-01-03[", "[0001-01-03,0001-01-08)"], ["[1, 3[", "[3, 8["]),  # days
    ],
)
def test_intervals_of_others(labels, expected):
    found = respelled(labels)
    assert found is not None
    assert list(found.labels.values()) == expected
    assert found.note


@pytest.mark.parametrize("unit", ["year", "quarter", "month", "day"])
def test_a_table_of_dates_alone_is_read_in_the_groups_in_which_it_was_published(unit):
    """By itself it has the classes that it has beside its study."""
    draw = random.Random(unit)
    days = [date(2010, 1, 1) + timedelta(draw.randrange(16 * 365)) for _ in range(240)]
    raw = pd.DataFrame({"born": [day.isoformat() for day in days], "sex": [draw.choice("mf") for _ in days]})
    end = {"year": date(2026, 1, 1), "quarter": date(2028, 1, 1), "month": date(2026, 9, 1), "day": date(2026, 1, 5)}
    born = Attribute("born", date(2010, 1, 1), end[unit], layers=4, unit=unit)
    study = Study((born, Attribute.from_hierarchy("sex", [("f", "*"), ("m", "*")])), 3)
    written = recode(raw, study).release.table.astype(str)
    alone, beside = audit(written, qi=["born", "sex"]), audit(written, study=study)
    sizes, own = ([one.size for one in audited.release.classes] for audited in (alone, beside))
    assert sorted(sizes) == sorted(own)
    assert len(set(own)) > 1
    assert alone.release.suppressed == beside.release.suppressed
    assert any(f", in {unit}s." in note for note in alone.warnings)
    assert "born" in {one.name for one in audit(written).release.study.attributes}
    # What is said of its groups names the days that the table shows, as beside its study.
    (guessed,) = [one for one in alone.release.attributes if one.name == "born"]
    for node in guessed.layer_nodes[0]:
        if not node.gap:
            assert guessed.predicate(node) == f"in {node.label}"
            assert node.label in set(written["born"])
    assert set(alone.release.table["born"]) == set(written["born"])
    leaves = [node for node in guessed.layer_nodes[0] if not node.gap]
    assert {end for node in leaves for end in node.ends} <= {
        end for node in beside.release.attributes[0].layer_nodes[0] for end in node.ends
    }
    (told,) = [note for note in alone.warnings if note.startswith("The hierarchy of 'born'")]
    assert f" {unit} apart" in told
    assert re.search(r"from \d{4}-\d\d-\d\d to \d{4}-\d\d-\d\d", told)


@pytest.mark.parametrize(
    "labels",
    [
        ["[20, 30[", "[30, 40)", "*"],
        ["flu", "cut"],
        ["12", "13"],
        ["20-29", "old"],
        ["[2013-01-01, 2013-02-30["],
        ["[2013-01-01, 2014-01-01[", "[20, 30["],
        ["30-20"],
        ["2020-01-01"],
        ["1-2-3"],
        [],
    ],
)
def test_what_needs_no_reading_or_is_none(labels):
    assert respelled(labels) is None


def test_a_guess_of_an_end_is_said():
    note = respelled(["20-29", ">= 90"]).note
    assert "'>= 90' is taken to end at" in note
    assert "a guess on the wide side" in note


def test_telephone_numbers_are_no_intervals():
    table = pd.DataFrame(
        {
            "age": ["20-29"] * 4 + ["30-39"] * 4,
            "call": ["555-1234", "556-1235", *["555-999", "1-2"] * 3],
            "one": ["1-9"] * 8,
        }
    )
    spelled, notes, _ = in_our_spelling(table, {})
    assert spelled["age"].tolist() == ["[20, 30["] * 4 + ["[30, 40["] * 4
    assert spelled["call"].equals(table["call"])
    assert len(notes) == 2
    assert audit(table).release.study.names == ("age", "one")


def written(label, how):
    """A label of ARX in another notation, of whole numbers."""
    found = re.match(r"^\[(-?\d+), (-?\d+)\[$", label)
    return label if found is None else how(int(found[1]), int(found[2]))


@pytest.mark.parametrize(
    "how",
    [
        lambda a, b: f"{a}-{b - 1}",
        lambda a, b: f"{a} to {b - 1}",
        lambda a, b: f"({a - 1}, {b - 1}]",
        lambda a, b: f"[{a}, {b - 1}]",
        lambda a, b: f"[{a}, {b})",
    ],
)
@pytest.mark.parametrize("study", [True, False])
def test_another_notation_changes_no_figure(how, study):
    table = read_table(RELEASE)
    other = table.map(lambda label: written(label, how))
    given = Study.from_toml(STUDY).with_k(3) if study else None
    mine, theirs = (audit(frame, given, k=3, time_limit=0).to_dict() for frame in (table, other))
    for key in ("classes", "suppressed", "records", "attributes", "mean_ratio"):
        assert mine[key] == theirs[key]


def test_the_truth_stays_possible_with_open_ends():
    table, raw = read_table(RELEASE), read_table(ARX / "raw/toy40b.csv")
    highest = max(int(m[1]) for label in table["Q1"] if (m := re.match(r"^\[\d+, (\d+)\[$", label)))
    other = table.assign(
        Q1=table["Q1"].map(lambda t: written(t, lambda a, b: f">= {a}" if b == highest else f"{a}-{b - 1}"))
    )
    audited = audit(other, k=3, time_limit=0)
    leaves = [
        tuple(
            int(a.reader.locate(pd.Series([float(v)]).to_numpy())[0])
            for a, v in zip(audited.release.attributes, row, strict=True)
        )
        for row in raw[["Q1", "Q2"]].itertuples(index=False)
    ]
    assert left_out(audited, leaves) == []


def left_out(audited, leaves):
    """The classes of an audit that do not allow the true cells of their records; ``"together"`` for all of them."""
    release, found = audited.release, []
    held_by = {}
    for part in audited.attack.parts:
        index = -1 if part.index is None else part.index
        held = {}
        for row in release.rows_of(index):
            held[leaves[row]] = held.get(leaves[row], 0) + 1
        held_by[index] = held
        if not part.basic and (
            set(held) - set(part.free_cells) or not part.feasible([held.get(cell, 0) for cell in part.free_cells])
        ):
            found.append(part.title)
    system = TightSystem(release)
    if system.relaxed:
        owners = system._slot_owner.tolist()
        counts = [held_by[owner].get(cell, 0) for cell, owner in zip(system.cells, owners, strict=True)]
        if not system.allows(counts):
            found.append("together")
    return found


# ---------------------------------------------------------------- masks and sets


def masked(code, stars):
    return code[: len(code) - stars] + "*" * stars


def test_masks_hold_one_another():
    pieces, height = family(["81***", "8166*", "81667", "90***"], "zip")
    assert [piece.name for piece in pieces] == ["81667", "others in 8166*", "others in 81***", "90***"]
    assert [int(piece.values) for piece in pieces] == [1, 9, 990, 1000]
    assert height == {"81667": 1, "8166*": 2, "81***": 3, "90***": 1}
    assert family(["flu", "cut"], "x") is None
    assert family(["81***", "90***"], "x") is None
    assert family(["{a, b}", "{c}"], "x") is None


def test_sets_hold_one_another_or_are_two_hierarchies():
    pieces, height = family(["{a, b, c}", "{a, b}", "d"], "x")
    assert [piece.name for piece in pieces] == ["d", "{a, b}", "others in {a, b, c}"]
    assert height["{a, b, c}"] == 2
    with pytest.raises(CRAError, match="overlap and neither lies inside"):
        family(["{a, b}", "{b, c}", "a"], "x")


@pytest.mark.parametrize("kind", ["masks", "sets"])
def test_the_truth_stays_possible_where_labels_hold_one_another(kind):
    compound, too_little = 0, []
    for seed in range(120):
        rng = random.Random(f"{kind} {seed}")
        if kind == "masks":
            codes = sorted({f"{rng.randrange(2)}{rng.randrange(3)}{rng.randrange(4)}" for _ in range(10)})
            rows = [(code, code, masked(code, 1), masked(code, 2), "*") for code in codes]
        else:
            codes = list("abcdefgh")
            pairs = {c: "{" + ", ".join(codes[i // 2 * 2 : i // 2 * 2 + 2]) + "}" for i, c in enumerate(codes)}
            fours = {c: "{" + ", ".join(codes[i // 4 * 4 : i // 4 * 4 + 4]) + "}" for i, c in enumerate(codes)}
            rows = [(code, code, pairs[code], fours[code], "*") for code in codes]
        records = [(rng.choice(codes),) for _ in range(rng.randint(8, 40))]
        k = rng.choice([2, 3, 4])
        labels = local_recoding([Tree(rows)], k, records, None, rng)
        table = pd.DataFrame(labels, columns=["q"])
        try:
            audited = audit(table, qi=["q"], k=k, time_limit=0)
        except CRAError as error:
            too_little.append(str(error))
            continue
        (tree,) = audited.release.attributes
        above = {row[0]: row[1:] for row in rows}
        leaf = {}
        for (code,) in set(records):
            chain = [label for label in above[code][:-1] if tree.parse(label) is not None]
            names = [node.label for node in tree.layer_nodes[0]]
            name = "not shown" if not chain else chain[0] if chain[0] in names else f"others in {chain[0]}"
            leaf[code] = names.index(name)
        compound += sum(not part.basic for part in audited.attack.classes)
        assert left_out(audited, [(leaf[code],) for (code,) in records]) == [], f"seed {seed}"
    assert compound > 20
    assert all("suppressed" in text or "in every row" in text for text in too_little)


def test_a_column_of_masks_is_a_quasi_identifier_and_all_stars_are_the_root():
    table = pd.DataFrame(
        {"zip": ["81***"] * 4 + ["8166*"] * 3 + ["*****"] * 2, "age": ["[0, 20["] * 4 + ["[20, 40["] * 5}
    )
    audited = audit(table)
    assert audited.release.study.names == ("zip", "age")
    assert "In column 'zip' '*****' is read as *." in audited.warnings
    assert [c.size for c in audited.release.classes] == [3, 4, 2]


# ---------------------------------------------------------------- a project beside the release


def test_the_command_reads_a_project(tmp_path):
    trees = {name: (ARX / f"hierarchies/toy40b_{name}.csv").read_text(encoding="utf-8") for name in ("Q1", "Q2")}
    columns = dict.fromkeys(trees, ("QUASI_IDENTIFYING_ATTRIBUTE", "1"))
    (tmp_path / "p.deid").write_bytes(project(columns, trees))
    asked = ["audit", str(RELEASE), "--output", str(tmp_path / "r.html"), "--time-limit", "0"]
    result = CliRunner().invoke(app, [*asked, "--project", str(tmp_path / "p.deid")])
    assert result.exit_code == 0, result.output
    assert "is guessed. Intervals" not in result.output
    assert "k is guessed" not in result.output
    assert "p.deid" in (tmp_path / "r.html").read_text(encoding="utf-8")
    caught = CliRunner().invoke(app, [*asked, "--project", str(tmp_path / "p.deid"), "--study", str(STUDY)]).exception
    assert "not both" in str(caught)


def test_a_folder_with_more_files_than_columns(tmp_path):
    for name in ("Q1", "Q2", "Q3", "other"):
        text = (ARX / f"hierarchies/toy40b_{name if name in ('Q1', 'Q2') else 'Q1'}.csv").read_text(encoding="utf-8")
        (tmp_path / f"{name}.csv").write_text(text, encoding="utf-8")
    asked = [
        "audit",
        str(RELEASE),
        "--output",
        str(tmp_path / "r.html"),
        "--time-limit",
        "0",
        "--hierarchies",
        str(tmp_path),
    ]
    result = CliRunner().invoke(app, asked)
    assert result.exit_code == 0, result.output
    assert "is guessed. Intervals" not in result.output


@pytest.mark.parametrize(
    ("low", "high"),
    [
        ("[20,5; 25,5[", "[25,5; 30,5["),
        ("[20,5, 25,5[", "[25,5, 30,5["),
        ("[20,5,25,5[", "[25,5,30,5["),
        ("20,5-25,4", "25,5-30,4"),
        ("20,5-25,5", "25,5-30,5"),
        ("]20,4;25,4]", "]25,4;30,4]"),
    ],
)
def test_decimals_with_a_comma_are_decimals(low, high):
    labels = respelled([low, high, "*", "NULL"]).labels
    assert dict(labels) == {low: "[20.5, 25.5[", high: "[25.5, 30.5["}


def test_a_comma_before_thousands_is_not_read_as_a_decimal_one():
    assert respelled(["[1,000; 2,000[", "[2,000; 3,000["]) is None


@pytest.mark.parametrize("dated", ["05. Okt", "5-Oct", "Oct-10", "2026-10-05", "2026-10-05 00:00:00"])
def test_dates_that_a_spreadsheet_made_of_groups_are_named(dated):
    cells = [cell for cell in (dated, "15-19", "20-24", "*") for _ in range(3)]
    with pytest.raises(
        CRAError, match=rf"shows '{dated}' in row 1 \(2 in a spreadsheet\) beside '15-19': a spreadsheet has made"
    ):
        audit(pd.DataFrame({"age": cells}), time_limit=1)


def of_column(*cells):
    """What an audit reads of a column of groups, each of them shown by five people, beside one of ages."""
    table = pd.DataFrame({"age": ["20-29"] * (5 * len(cells)), "cost": [cell for cell in cells for _ in range(5)]})
    spelled, notes, _ = in_our_spelling(table, {})
    return spelled["cost"].unique().tolist(), notes


@pytest.mark.parametrize(
    ("cells", "read"),
    [
        (["20-39 years", "40-59 years", "*"], ["[20, 40[", "[40, 60[", "*"]),
        (["20 bis 39 Jahre", "40 bis 59 Jahre", "60 Jahre"], ["[20, 40[", "[40, 60[", "60"]),
        (["unter 20 Jahre", "20-39 Jahre", "40 Jahre und \u00e4lter"], ["[0, 20[", "[20, 40[", "[40, 60["]),
        (["50kg-59kg", "60 kg - 69 kg"], ["[50, 60[", "[60, 70["]),
        (["1-2 days", "1-2 weeks"], ["1-2 days", "1-2 weeks"]),  # two units: no numbers of one scale
        (["10 mg", "20 mg"], ["10 mg", "20 mg"]),  # no groups
        (["A10-A14", "B20-B24"], ["A10-A14", "B20-B24"]),
        # Commas that mark decimals, two dots in a number, or an end before its begin: dots mark thousands.
        (["1.000 - 1.999", "2.000 - 2.999,5"], ["[1000, 1999.1[", "[2000, 2999.6["]),
        (["999.000-1.000.000", "1.000"], ["[999000, 1000001[", "1000"]),
        (["500-1.000", "1.001-2.000"], ["[500, 1001[", "[1001, 2001["]),
        (["1.000 - 1.999 EUR", "2.000 - 2.999,5 EUR"], ["[1000, 1999.1[", "[2000, 2999.6["]),
        # A dot before other than three digits, or behind a 0, marks decimals.
        (["1.000-1.4", "1.5-1.999"], ["[1, 1.401[", "[1.5, 2["]),
        (["0.125-0.249", "0.250-0.499"], ["[0.125, 0.25[", "[0.25, 0.5["]),
        (["1.000", "2.000"], ["1.000", "2.000"]),  # no groups
        (["[1.000, 2.000[", "[2.000, 3.000["], ["[1.000, 2.000[", "[2.000, 3.000["]),  # as ARX writes decimals
    ],
)
def test_units_and_dots_between_thousands(cells, read):
    found, notes = of_column(*cells)
    assert found == read
    assert len(notes) == 1 + (found != list(cells))


@pytest.mark.parametrize(
    ("cells", "row", "said"),
    [
        (["1.000 - 1.999", "2.000 - 2.999"], 1, "1.000 may be 1000 or 1, and no other cell there tells; write"),
        (["7", "2.500 - 2.999"], 6, "2.500 may be 2500 or 2.5, and no other cell there tells; write"),
        (["20-39", "########"], 6, "a spreadsheet showed so what its column was too narrow for; widen the column"),
        (["flu", "###"], 6, "widen the column there, and save the table again."),
        (["20-39", "05. Okt"], 6, "beside '20-39': a spreadsheet has made a date of a group such as 5-10; give"),
        (["05. Okt", "10. Nov"], 1, "and dates like it throughout: a spreadsheet has made a date of a group"),
        (["5-Oct", "Oct-10"], 1, "and dates like it throughout: a spreadsheet has made a date of a group"),
    ],
)
def test_what_cannot_be_read_is_said_with_column_row_and_what_to_do(cells, row, said):
    with pytest.raises(CRAError, match=re.escape(said)) as caught:
        of_column(*cells)
    assert str(caught.value).startswith(f"Column 'cost' shows '{cells[(row - 1) // 5]}' in row {row} ({row + 1} in a")


@pytest.mark.parametrize("day", ["2024-03-0{}", "0{}.03.2024", "0{}/03/24"])
def test_a_column_of_single_days_is_said_to_be_none_of_groups(day):
    table = pd.DataFrame({"age": ["20-29"] * 9 + ["30-39"] * 9, "visit": [day.format(1 + n % 3) for n in range(18)]})
    one = day.format(1)
    said = f"Column 'visit' shows single days, such as {one!r} in row 1 (2 in a spreadsheet), and no groups of them"
    assert any(note.startswith(said) for note in audit(table, time_limit=0).warnings)
    assert not any(note.startswith("Column 'visit'") for note in audit(table, qi=["age", "visit"]).warnings)
    with pytest.raises(CRAError, match="name it as a quasi-identifier") as caught:
        audit(table[["visit"]])
    assert said in str(caught.value)
