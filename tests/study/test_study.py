"""Study files: what is written is what is read, and what is wrong is said in a sentence."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cra_engine.errors import StudyError
from cra_engine.study.attribute import Attribute
from cra_engine.study.study import Study
from strategies import make_attribute

WEIGHT = Attribute("weight", 0, 400, 3)


def test_a_study_file_by_hand():
    study = Study.from_toml_text(
        """
        k = 5
        profile = "arx-gui"
        [[attribute]]
        name = "weight"
        lower = 0
        upper = 400
        layers = 4
        unit = "lb"
        [[attribute]]
        name = "temperature"
        lower = 36.5
        upper = 38.3
        layers = 3
        fanout = 3
        resolution = 0.1
        """
    )
    assert (study.k, study.profile, study.names) == (5, "arx-gui", ("weight", "temperature"))
    weight, temperature = study.attributes
    assert weight == Attribute("weight", 0, 400, 4, unit="lb")
    # As written, not as binary fractions: 1.8 / 0.1 is 18 steps, two for each of nine leaves.
    assert (temperature.lower, temperature.upper) == (Decimal("36.5"), Decimal("38.3"))
    assert (temperature.values, temperature.leaves, temperature.node(1, 0).label) == (18, 9, "[36.5, 36.7[")


def test_defaults_are_left_out_of_the_file():
    text = Study([WEIGHT], 3).to_toml_text()
    for setting in ("fanout", "resolution", "unit"):
        assert setting not in text
    assert Study.from_toml_text(text).attributes[0] == WEIGHT


@st.composite
def studies(draw):
    # Any name and unit; surrogates alone are no text.
    text = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
    names = text.map(str.strip).filter(bool)
    attributes = []
    for name in draw(st.lists(names, min_size=1, max_size=4, unique=True)):
        plain = make_attribute(
            name,
            fanout=draw(st.integers(2, 10)),
            layers=draw(st.integers(1, 3)),
            leaf=draw(st.integers(2, 1000)),
            lower=draw(st.sampled_from(["0", "-20", "36.5", "-0.05", "1000000", "0.10"])),
            step=draw(st.sampled_from(["1", "0.1", "0.01", "0.0001", "2.50", "1E+1", "1E-7"])),
        )
        settings = (plain.name, plain.lower, plain.upper, plain.layers, plain.fanout, plain.resolution)
        attributes.append(Attribute(*settings, unit=draw(text)))
    return Study(attributes, draw(st.integers(2, 10**15)), draw(st.sampled_from(["paper", "arx-gui"])))


@given(studies())
def test_a_study_survives_its_file(study):
    text = study.to_toml_text()
    again = Study.from_toml_text(text)
    assert again == study
    assert again.to_toml_text() == text
    for attribute, other in zip(study.attributes, again.attributes, strict=True):
        assert attribute.layer_nodes == other.layer_nodes


def test_a_study_survives_the_disk(tmp_path):
    study = Study([Attribute("Körpergröße", 0, 400, 3, unit="kg·m⁻²"), WEIGHT], 3)
    study.to_toml(tmp_path / "study.toml")
    assert Study.from_toml(tmp_path / "study.toml") == study
    with_bom = b"\xef\xbb\xbf" + (tmp_path / "study.toml").read_bytes()  # as Windows editors save it
    (tmp_path / "bom.toml").write_bytes(with_bom)
    assert Study.from_toml(tmp_path / "bom.toml") == study


def test_a_study_overwrites_no_table_that_is_called_like_a_hierarchy(tmp_path):
    study = Study([Attribute.from_hierarchy("region", [["a", "*"], ["b", "*"]])], 2)
    table = "name,region\nAnna,a\n"
    (tmp_path / "region.csv").write_text(table, encoding="utf-8")
    with pytest.raises(StudyError, match=r"region\.csv is there already and is not the hierarchy"):
        study.to_toml(tmp_path / "study.toml")
    assert (tmp_path / "region.csv").read_text(encoding="utf-8") == table
    assert not (tmp_path / "study.toml").exists()


def test_a_study_replaces_its_own_hierarchies(tmp_path):
    for regions in ("ab", "ab", "abc"):
        study = Study([Attribute.from_hierarchy("region", [[region, "*"] for region in regions])], 2)
        study.to_toml(tmp_path / "study.toml")
        assert Study.from_toml(tmp_path / "study.toml") == study


def test_studies_are_equal_when_every_setting_is():
    study = Study([WEIGHT], 3)
    assert study == Study((Attribute("weight", 0, 400, 3, resolution=1.0),), 3)
    assert hash(study) == hash(Study([WEIGHT], 3))
    assert len({study, Study([WEIGHT], 4), Study([WEIGHT], 3, "arx-gui"), Study([Attribute("w", 0, 400, 3)], 3)}) == 4
    assert study.with_k(4) == Study([WEIGHT], 4)
    assert Study([WEIGHT], 3, "arx-gui").with_k(4).profile == "arx-gui"


def test_the_share_that_a_step_must_publish():
    # paper: one class is enough, so a child of a class holds at most k - 1.
    # arx-gui: 1 % of 500 is 5, of 501 is 5.01, so 6; a box of a skipped state can have held k - 1 or that share.
    paper, gui = Study([WEIGHT], 3), Study([WEIGHT], 3, "arx-gui")
    assert [paper.step_minimum(n) for n in (3, 500, 10**6)] == [1, 1, 1]
    assert [gui.step_minimum(n) for n in (3, 100, 101, 500, 501)] == [1, 1, 2, 5, 6]
    assert [paper.child_cap(n) for n in (3, 500, 10**6)] == [2, 2, 2]
    assert [gui.child_cap(n) for n in (3, 200, 201, 500, 501)] == [2, 2, 3, 5, 6]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([WEIGHT], 1), "k is 1; it must be 2 or more"),
        (([WEIGHT], -3), "k is -3; it must be 2 or more"),
        (([WEIGHT], 2.0), "k is 2.0; give a whole number"),
        (([WEIGHT], True), "k is True; give a whole number"),
        (([WEIGHT], "3"), "k is '3'; give a whole number"),
        (([], 3), "names no attribute"),
        (([WEIGHT, WEIGHT], 3), "'weight' appears twice"),
        (([WEIGHT], 3, "arx"), "Profile 'arx' is unknown; take paper or arx-gui"),
    ],
)
def test_unusable_studies_are_named(arguments, message):
    with pytest.raises(StudyError, match=message):
        Study(*arguments)


ATTRIBUTE = '[[attribute]]\nname = "weight"\nlower = 0\nupper = 400\nlayers = 3\n'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "clinic.toml: 'k' is missing; add it"),
        ("k = 3", "clinic.toml: 'attribute' is missing; add it"),
        (ATTRIBUTE, "clinic.toml: 'k' is missing"),
        ("k = 3\nattribute = []", "names no attribute"),
        ("k = 3.5\n" + ATTRIBUTE, "'k' is 3.5: a whole number is needed, without a decimal point"),
        ("k = 'x'\n" + ATTRIBUTE, "'k' is 'x': a whole number is needed, without quotes"),
        ("k = '5'\n" + ATTRIBUTE, "'k' is '5': a whole number is needed, without quotes"),
        ("k = true\n" + ATTRIBUTE, "'k' is True: a whole number is needed"),
        ("k = " + "9" * 5000 + "\n" + ATTRIBUTE, "not valid TOML: a value in it is out of all proportion"),
        ("k = 3e40099999999999999999999", "not valid TOML: a value in it is out of all proportion"),
        ("k = " + "[" * 5000, "not valid TOML: a value in it is out of all proportion"),
        ("k = 3\n" + ATTRIBUTE.replace("= 3", "= " + "9" * 4000), "a value in it is out of all proportion"),
        ("k = 3\nprofile = 1e400\n" + ATTRIBUTE, "Profile .1E.400. is unknown"),
        ("k = 1\n" + ATTRIBUTE, "k is 1; it must be 2 or more"),
        ("k = 3\nK = 4\n" + ATTRIBUTE, "'K' is not a setting that is known here"),
        ("k = 3\n" + ATTRIBUTE + "leyers = 3", "'attribute.1.leyers' is not a setting that is known here"),
        ("k = 3\n" + ATTRIBUTE + "[[attribute]]\nname='b'", "the attribute 'b' has no hierarchy"),
        (
            "k = 3\n" + ATTRIBUTE.replace("0\n", "'zero'\n", 1),
            "'attribute.1.lower' is 'zero': a number is needed, without",
        ),
        ("k = 3\n" + ATTRIBUTE.replace("400", "inf"), "'attribute.1.upper' is Infinity: input should be a finite"),
        ("k = 3\n" + ATTRIBUTE.replace("400", "1e9999999"), "a value in it is out of all proportion"),
        ("k = 3\n" + ATTRIBUTE.replace("400", "402"), "take upper = 404"),
        ("k = 3\n" + ATTRIBUTE + ATTRIBUTE, "'weight' appears twice in the study"),
        ("k = 3\nprofile = 'gui'\n" + ATTRIBUTE, "Profile 'gui' is unknown"),
        (
            "k = 3\n" + ATTRIBUTE.replace("[[attribute]]", "[attribute]"),
            r"write \[\[attribute\]\] with two brackets on each side",
        ),
        ("k = = 3", "clinic.toml is not valid TOML: .*line 1"),
        ("k = 3\nk = 4", "clinic.toml is not valid TOML"),
    ],
)
def test_unusable_study_files_are_explained(tmp_path, text, message):
    path = tmp_path / "clinic.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(StudyError, match=message) as caught:
        Study.from_toml(path)
    assert "\n" not in str(caught.value)


def test_a_study_file_that_cannot_be_read(tmp_path):
    with pytest.raises(StudyError, match=r"study file nothing\.toml cannot be read: No such file"):
        Study.from_toml(tmp_path / "nothing.toml")
    (tmp_path / "latin.toml").write_bytes('k = 3\n[[attribute]]\nname = "Größe"'.encode("cp1252"))
    with pytest.raises(StudyError, match=r"latin\.toml is not UTF-8 text"):
        Study.from_toml(tmp_path / "latin.toml")
