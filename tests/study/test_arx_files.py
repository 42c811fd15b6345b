"""ARX's hierarchy files and tables: there and back, every way to write them, and files that are no tree."""

import random
from fractions import Fraction
from pathlib import Path

import pytest

from cra_engine import Attribute, Study, StudyError, read_release, read_table, recode
from cra_engine.study.file_hierarchy import FileHierarchy, read_hierarchy
from cra_engine.study.hierarchy_files import hierarchy_text
from oracles.unequal import random_rows
from strategies import random_case

ARX = Path(__file__).parents[1] / "data" / "arx"
ROWS = (("1", "[0, 2[", "[0, 4[", "*"), ("2", "[2, 4[", "[0, 4[", "*"), ("5", "[4, 8[", "[4, 8[", "*"))


def written(rows, delimiter=";", quote=""):
    return "".join(delimiter.join(f"{quote}{cell}{quote}" for cell in row) + "\n" for row in rows)


def layers_of(hierarchy):
    return [
        [(node.start, node.stop, node.lower, node.upper, node.values) for node in layer]
        for layer in hierarchy.layer_nodes
    ]


# ---------------------------------------------------------------- there and back


def test_arx_files_of_whole_domains_are_the_studys_hierarchies():
    for data in ("toy40b",):
        study = Study.from_toml(ARX / "studies" / f"{data}.paper.toml")
        for attribute in study.attributes:
            path = ARX / "hierarchies" / f"{data}_{attribute.name}.csv"
            hierarchy = read_hierarchy(path, attribute.name)
            assert not hierarchy.partial
            assert hierarchy.uniform
            assert layers_of(hierarchy) == layers_of(attribute)
            assert hierarchy_text(attribute) == path.read_text(encoding="utf-8")


def test_a_study_with_files_comes_back(tmp_path):
    for seed in range(40):
        case = random_case(seed)
        if min(a.layers for a in case.study.attributes) < 2:
            continue  # a file of roots alone shows no interval
        files = [read_hierarchy(hierarchy_text(a).encode(), a.name, a.unit, "a file") for a in case.study.attributes]
        for attribute, file in zip(case.study.attributes, files, strict=True):
            assert layers_of(file) == layers_of(attribute)
            for layer in range(1, attribute.layers + 1):
                assert file.loss(layer) == attribute.loss(layer)
        study = Study(files, case.study.k)
        (tmp_path / str(seed)).mkdir()
        study.to_toml(tmp_path / str(seed) / "study.toml")
        assert Study.from_toml(tmp_path / str(seed) / "study.toml") == study
        ours, theirs = recode(case.data, study).frame, recode(case.data, case.study).frame
        assert ours.astype(str).equals(theirs.astype(str))


@pytest.mark.parametrize("delimiter", [";", ",", "\t", "|"])
@pytest.mark.parametrize("quote", ["", '"'])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_every_way_to_write_a_file(delimiter, quote, encoding, ending):
    if delimiter == "," and not quote:
        quote = '"'  # intervals hold commas
    content = written(ROWS, delimiter, quote).replace("\n", ending).encode(encoding)
    assert read_hierarchy(content, "q") == FileHierarchy("q", ROWS)


@pytest.mark.parametrize(("delimiter", "quote"), [(";", ""), (";", '"'), (",", '"'), ("\t", "")])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
def test_every_way_to_write_a_release(delimiter, quote, encoding):
    study = Study.from_toml(ARX / "studies/toy40b.paper.toml").with_k(3)
    plain = read_release(ARX / "outputs/toy40b.ex38.k3.csv", study)
    rows = [list(plain.table.columns), *plain.table.to_numpy().tolist()]
    other = read_release(written(rows, delimiter, quote).encode(encoding), study)
    assert other.classes == plain.classes
    assert other.table.equals(plain.table)


def test_other_columns_and_the_order_of_rows_are_left_alone():
    data = read_table(ARX / "raw/toy40b.csv")
    data.insert(1, "note", [f'; "{row}" <b>' for row in range(len(data))])
    study = Study.from_toml(ARX / "studies/toy40b.paper.toml").with_k(3)
    release = recode(data, study).release
    again = read_release(release.to_csv_text(keep_order=True).encode(), study)
    assert list(again.table.columns) == ["Q1", "note", "Q2"]
    assert again.table["note"].tolist() == data["note"].tolist()
    arx = read_table(ARX / "outputs/toy40b.ex38.k3.csv")
    assert again.table[["Q1", "Q2"]].equals(arx)


# ---------------------------------------------------------------- trees of any shape


@pytest.mark.parametrize(("numeric", "finest"), [(True, None), (True, 1), (False, None), (False, 0), (False, 1)])
def test_random_trees_are_read_as_they_are(numeric, finest):
    for seed in range(150):
        rng = random.Random(f"tree {seed}")
        listed = random_rows(rng, numeric=numeric, name="x")
        shuffled = listed.copy()
        rng.shuffle(shuffled)
        tree = read_hierarchy(written(shuffled).encode(), "q", finest=finest)
        assert tree.numeric == numeric
        # Left out, the values of a file of categories are its finest layer, as ARX counts from the first column.
        assert tree.finest == (int(numeric) if finest is None else finest)
        rows = listed if tree.finest else [(row[0], *row) for row in listed]
        assert tree.layers == len(rows[0]) - 1
        for layer in range(1, tree.layers + 1):
            groups = {row[layer:] for row in rows}
            assert tree.nodes_in(layer) == len(groups)
            # Each node lies below one node of the next layer, and its share is its part of the rows.
            held = sorted(Fraction(sum(row[layer:] == group for row in rows), len(rows)) for group in groups)
            assert sorted(tree.shares(layer)) == held
            for node in tree.layer_nodes[layer - 1]:
                children = tree.children(layer, node.rank)
                if layer > 1:
                    assert (children[0].start, children[-1].stop) == (node.start, node.stop)
                    assert [c.start for c in children[1:]] == [c.stop for c in children[:-1]]
        for row in rows:
            leaf = tree.reader.leaf_of(row[0])
            assert tree.node(1, leaf).label == row[1]
            for layer in range(1, tree.layers + 1):
                assert tree.node(layer, int(tree.ranks[layer - 1][leaf])).label == row[layer]


def test_a_file_of_values_in_the_data_counts_rows_not_lengths():
    # Three values below 4, one above: the halves of the domain are three quarters and one quarter of the loss.
    rows = (("0", "[0, 4[", "*"), ("1", "[0, 4[", "*"), ("2", "[0, 4[", "*"), ("7", "[4, 8[", "*"))
    tree = FileHierarchy("q", rows)
    assert tree.partial
    assert tree.shares(1) == (Fraction(3, 4), Fraction(1, 4))
    assert not tree.uniform
    assert [node.values for node in tree.layer_nodes[0]] == [4, 4]


def test_a_file_of_values_in_the_data_may_lack_an_interval():
    rows = (("1", "[0, 2[", "[0, 4[", "*"), ("5", "[4, 6[", "[4, 8[", "*"))
    tree = FileHierarchy("q", rows)
    assert [node.label for node in tree.layer_nodes[0]] == ["[0, 2[", "[2, 4[", "[4, 6[", "[6, 8["]
    assert tree.shares(1) == (Fraction(1, 2), 0, Fraction(1, 2), 0)


def test_a_node_with_a_single_child():
    tree = FileHierarchy("q", ROWS)
    assert [child.label for child in tree.children(2, 1)] == ["[4, 8["]
    assert tree.parse("[4, 8[").layer == 1  # the finest of equal labels


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        ([("1", "[0, 2[", "*")], "single value"),
        ([("1", "a", "*"), ("1", "b", "*")], "lists the value '1' twice"),
        ([("1", "a", "x", "*"), ("2", "a", "y", "*")], "'a' of layer 1 lies in 'x' and in 'y'"),
        ([("1", "a", "x"), ("2", "b", "y")], "no single root: its last column holds 'x' and 'y'"),
        ([("1", "[0, 4[", "*"), ("3", "[2, 6[", "*")], r"overlap between \[0, 4\[ and \[2, 6\["),
        ([("0", "[0, 1[", "*"), ("2", "[2, 3[", "*")], r"gap: no interval of layer 1 covers \[1, 2\["),
        ([("9", "[0, 4[", "*"), ("5", "[4, 8[", "*")], "'9' does not lie in its interval"),
        ([("1", "[0, 2[", "[0, 3[", "*"), ("3", "[2, 4[", "[3, 4[", "*")], "not nested"),
    ],
)
def test_files_that_are_no_tree(rows, says):
    with pytest.raises(StudyError, match=says) as caught:
        read_hierarchy(written(rows).encode(), "q", name="q.csv")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "is empty"),
        (b"1\n2\n", "single column"),
        (b"1;a;*\n2;b\n", "row 2: 2 columns where the first row has 3"),
        (b"1;a;*\n2,b,*\n", "row 2"),
        (b"PK\x03\x04", "not a CSV"),
        (b'1;"a";*\n2;"b;*\n', "q.csv"),
    ],
)
def test_files_that_are_no_hierarchy(content, says):
    with pytest.raises(StudyError, match=says):
        read_hierarchy(content, "q", name="q.csv")


def test_a_file_that_is_not_there(tmp_path):
    for name in ("missing.csv", "x" * 300 + ".csv"):
        with pytest.raises(StudyError, match="cannot be read"):
            read_hierarchy(tmp_path / name, "q")


def test_the_release_of_a_uniform_file_is_that_of_its_attribute():
    attribute = Attribute("q", 0, 16, 3)
    file = read_hierarchy(hierarchy_text(attribute).encode(), "q")
    data = read_table(b"q\n" + b"".join(b"%d\n" % (value % 16) for value in range(0, 70, 7)))
    one, other = (recode(data, Study([tree], k=2)).release for tree in (attribute, file))
    assert one.classes == other.classes


# ---------------------------------------------------------------- labels


def test_intervals_may_be_gathered_under_names():
    rows = [("1", "[0, 2[", "young", "*"), ("3", "[2, 4[", "young", "*"), ("5", "[4, 6[", "old", "*")]
    rows += [("7", "[6, 8[", "old", "*")]
    tree = FileHierarchy("age", tuple(rows))
    assert tree.numeric
    young = tree.parse(" young ")
    assert (young.layer, young.lower, young.upper) == (2, 0, 4)
    assert tree.parse("nobody") is None
    odd = FileHierarchy("age", tuple((*row[:2], {"young": "[+, 4[", "old": "[4,"}[row[2]], "*") for row in rows))
    assert [odd.parse(label).rank for label in ("[+, 4[", "[4,")] == [0, 1]
    published = read_release(b"age\nyoung\nyoung\n[4, 6[\n[4, 6[\n*\n", Study([tree], 2))
    assert [(c.segment.state, c.size) for c in published.classes] == [((1,), 2), ((2,), 2)]
    assert published.suppressed == 1


def test_a_named_group_has_no_gap():
    rows = (("1", "[0, 2[", "young", "*"), ("5", "[4, 6[", "young", "*"), ("7", "[6, 8[", "old", "*"))
    with pytest.raises(StudyError, match=r"has a gap inside 'young' of layer 2; list the values between"):
        FileHierarchy("age", rows)


def test_a_label_means_the_same_in_every_layer():
    # "west" alone and "west" with Ulm: a release that shows it does not tell which.
    rows = (("Bonn", "west", "west", "*"), ("Ulm", "south", "west", "*"), ("Kiel", "north", "north", "*"))
    with pytest.raises(StudyError, match=r"uses the label 'west' in several layers for different values"):
        FileHierarchy("town", rows)
    FileHierarchy("town", (rows[0], ("Ulm", "south", "south", "*"), rows[2]))
    # Suppressed records show *, so no part of the table may be called so.
    with pytest.raises(StudyError, match=r"uses the label '\*' in several layers"):
        FileHierarchy("town", (("Bonn", "*", "all"), ("Ulm", "south", "all")))


@pytest.mark.parametrize("end", ["1e4004", "1e-400", "1234567890123456", "1e999999999999"])
def test_numbers_past_what_a_table_carries_are_refused(end):
    rows = (("1", "[0, 2[", "*"), ("3", f"[2, {end}[", "*"))
    with pytest.raises(StudyError, match=r"^The hierarchy of 'age' needs numbers of more than 15 digits") as caught:
        FileHierarchy("age", rows)
    assert len(str(caught.value)) < 200
