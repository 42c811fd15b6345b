"""ARX project files: what is read of them, and that nothing in them can do any harm."""

import io
import zipfile
from decimal import Decimal
from pathlib import Path

import pytest

from arx_projects import project
from cra_engine import CRAError, read_hierarchy
from cra_engine.files.xml_text import read_xml
from cra_engine.patience import Stopped, stoppable
from cra_engine.study import arx_project
from cra_engine.study.arx_project import read_arx_project

ARX = Path(__file__).parents[1] / "data" / "arx"
TREES = {name: (ARX / "hierarchies" / f"toy40b_{name}.csv").read_text(encoding="utf-8") for name in ("Q1", "Q2")}
QUASI = "QUASI_IDENTIFYING_ATTRIBUTE"
COLUMNS = {
    "id": ("IDENTIFYING_ATTRIBUTE", "All"),
    "Q1": (QUASI, "1"),
    "Q2": (QUASI, "1"),
    "illness": ("SENSITIVE_ATTRIBUTE", "All"),
    "note": ("INSENSITIVE_ATTRIBUTE", "All"),
}


def test_roles_hierarchies_and_k():
    found = read_arx_project(project(COLUMNS, TREES))
    assert found.quasi_identifiers == ("Q1", "Q2")
    assert dict(found.roles) == {
        "id": "identifying",
        "Q1": "quasi-identifying",
        "Q2": "quasi-identifying",
        "illness": "sensitive",
        "note": "insensitive",
    }
    assert found.hierarchies == {n: read_hierarchy(ARX / "hierarchies" / f"toy40b_{n}.csv", n) for n in ("Q1", "Q2")}
    assert (found.k, found.minimum, found.notes) == (3, {"Q1": 1, "Q2": 1}, ())


def test_names_that_xml_has_to_escape():
    name = 'Größe <in> "cm" & more'
    found = read_arx_project(project({name: (QUASI, "1")}, {name: TREES["Q1"]}))
    assert found.quasi_identifiers == (name,)
    assert found.hierarchies[name].name == name


def test_privacy_models_and_weights_come_along():
    content = project(
        COLUMNS,
        TREES,
        criteria=[
            "3-anonymity",
            "distinct-3-diversity for attribute 'ill's'",
            "entropy-2.5-diversity for attribute 'illness'",
            "recursive-(4.0,3)-diversity for attribute 'illness'",
            "0.2-closeness with equal distance for attribute 'illness'",
            "0.2-closeness with ordered distance for attribute 'illness'",
            "2.0-basic likeness for attribute 'illness'",
            "enhanced-2.0-likeness for attribute 'illness'",
            "1.5-disclosure privacy for attribute 'illness'",
            "(0.2)-avg-reidentification-risk",
        ],
        weights={"Q1": "0.9", "x": "0.1"},
    )
    found = read_arx_project(content)
    assert [str(model) for model in found.privacy] == [
        "distinct 3-diversity of ill's",
        "entropy 2.5-diversity of illness",
        "recursive (4, 3)-diversity of illness",
        "0.2-closeness of illness (equal distance)",
        "0.2-closeness of illness (ordered distance)",
        "basic 2-likeness of illness",
        "enhanced 2-likeness of illness",
        "1.5-disclosure privacy of illness",
        "average re-identification risk of 0.2",
    ]
    assert found.weights == {"Q1": Decimal("0.9")}
    assert "besides k-anonymity" not in " ".join(found.notes)


def test_what_does_not_fit_the_attack_is_said():
    found = read_arx_project(
        project(
            {"Q1": (QUASI, "All"), "Q2": (QUASI, "1"), "town": (QUASI, "1")},
            {"Q1": TREES["Q1"], "Q2": "1;a;*\n2;b\n", "town": "Ulm\nBonn\n"},
            criteria=["5-anonymity", "(0.5,0.1)-presence"],
            metric="Non-uniform entropy",
            output=False,
        )
    )
    said = " ".join(found.notes)
    assert found.k == 5
    assert "(0.5,0.1)-presence besides k-anonymity" in said
    assert "'Non-uniform entropy', not Loss" in said
    assert "lets 'Q1' be published as raw values" in said
    assert "hierarchy of 'Q2' was not read" in said
    assert "'town' has one level only" in said
    assert "holds no output" in said
    assert set(found.hierarchies) == {"Q1"}


def test_the_lowest_level_is_the_finest_that_a_release_may_show():
    towns = "Ulm;south;Germany;*\nBonn;west;Germany;*\n"
    levels = {
        level: read_arx_project(project({"town": (QUASI, level)}, {"town": towns})) for level in ("All", "0", "1", "2")
    }
    assert [found.hierarchies["town"].finest for found in levels.values()] == [0, 0, 1, 2]
    assert [node.label for node in levels["2"].hierarchies["town"].layer_nodes[0]] == ["Germany"]
    assert not any("raw values" in note for found in levels.values() for note in found.notes)


def test_what_concerns_a_table():
    found = read_arx_project(project(COLUMNS, TREES))
    assert found.for_table(["Q2", "Q1", "x"]).quasi_identifiers == ("Q1", "Q2")
    less = found.for_table(["Q1", "x"])
    assert (less.quasi_identifiers, set(less.hierarchies)) == (("Q1",), {"Q1"})
    assert "lacks 'Q2'" in less.notes[-1]
    assert found.for_table(["Q1", "Q2", "x"], ["x"]).hierarchies == {}
    with pytest.raises(CRAError, match="none of the project's quasi-identifiers"):
        found.for_table(["x"])


BOMB = (
    '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "bbbbbbbbbb"><!ENTITY c "&b;&b;&b;&b;">]><definition>&c;</definition>'
)
OUTSIDE = '<!DOCTYPE a SYSTEM "file:///etc/passwd"><definition/>'


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "cannot be unpacked"),
        (b"PK\x03\x04 nothing", "cannot be unpacked"),
        (project(COLUMNS, TREES)[:400], "cannot be unpacked"),
        (project(COLUMNS, TREES, extra={"output/definition.xml": BOMB}), "declares a document type"),
        (project(COLUMNS, TREES, extra={"output/definition.xml": OUTSIDE}), "declares a document type"),
        (project(COLUMNS, TREES, extra={"output/definition.xml": "<definition>"}), "is no XML that can be read"),
        (project(COLUMNS, TREES, extra={"output/definition.xml": "<a>" * 60 + "</a>" * 60}), "nested more than"),
        (project(COLUMNS, TREES, extra={"output/definition.xml": ""}), "is no XML that can be read"),
        (project({"Q1": ("NOBODY_KNOWS", "1")}, {}), "without a name or a known type"),
        (project({"note": ("INSENSITIVE_ATTRIBUTE", "All")}, {}), "names no quasi-identifier"),
    ],
    ids=[str(number) for number in range(10)],
)
def test_what_is_no_project(content, says):
    with pytest.raises(CRAError, match=says) as caught:
        read_arx_project(content, "p.deid")
    assert "\n" not in str(caught.value)


def zipped(files):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in files.items():
            packed.writestr(name, content)
    return out.getvalue()


def test_zip_bombs_are_read_no_further_than_the_limit(monkeypatch):
    monkeypatch.setattr(arx_project, "MOST_XML", 10_000)
    bomb = zipped({"output/definition.xml": b" " * 50_000_000})
    assert len(bomb) < 100_000
    with pytest.raises(CRAError, match="holds more than"):
        read_arx_project(bomb, "p.deid")
    with pytest.raises(CRAError, match="more than 1,000 files"):
        read_arx_project(zipped({f"{n}.xml": b"" for n in range(1001)}), "p.deid")
    monkeypatch.setattr(arx_project, "MOST_LINES", 5)
    read_arx_project(project(COLUMNS, {"Q1": "1;*\n2;*\n", "Q2": "f;*\nm;*\n"}), "p.deid")
    with pytest.raises(CRAError, match="more than 5 lines together"):
        read_arx_project(project(COLUMNS, {"Q1": "1;*\n2;*\n3;*\n", "Q2": "f;*\nm;*\nd;*\n"}), "p.deid")


def test_reading_a_project_ends_when_it_is_cancelled(monkeypatch):
    read, asked = [], []
    monkeypatch.setattr(arx_project, "read_hierarchy", lambda _, column, **__: read.append(column))

    def cancelled():
        asked.append(len(read))
        return len(read) == 1

    with pytest.raises(Stopped), stoppable(cancelled):
        read_arx_project(project(COLUMNS, {"Q1": "1;*\n2;*\n", "Q2": "f;*\nm;*\n"}), "p.deid")
    assert (len(read), asked) == (1, [0, 1])  # looked at before each hierarchy; the second is not begun


def test_building_a_long_hierarchy_ends_when_it_is_cancelled():
    rows = "".join(f"{value};g{value % 7};*\n" for value in range(2000))
    asked = iter([False, False, True])
    with pytest.raises(Stopped), stoppable(lambda: next(asked)):
        read_arx_project(project(COLUMNS, {"Q1": rows}), "p.deid")


def test_a_size_that_the_zip_file_lies_about():
    content = bytearray(zipped({"output/definition.xml": b"<definition>" + b"x" * 1000 + b"</definition>"}))
    at = content.rfind(b"PK\x01\x02")
    content[at + 24 : at + 28] = (10).to_bytes(4, "little")  # the size that the directory states
    with pytest.raises(CRAError, match=r"cannot be unpacked|no XML|names no"):
        read_arx_project(bytes(content), "p.deid")


def test_what_java_wrote_is_never_opened(monkeypatch):
    content, opened = project(COLUMNS, TREES), []
    honest = zipfile.ZipFile.open
    monkeypatch.setattr(
        zipfile.ZipFile,
        "open",
        lambda self, info, *more, **named: (
            opened.append(getattr(info, "filename", info)) or honest(self, info, *more, **named)
        ),
    )
    read_arx_project(content)
    assert opened
    assert not [name for name in opened if name.endswith(".dat") or name.startswith("data/")]


def test_elements_by_name():
    root = read_xml("<a><b>1</b><c><b> ä &lt; </b></c></a>".encode(), "a.xml")
    assert [found.text for found in root.all("b")] == ["1", "ä <"]
    assert root.child("c") == ""
    assert root.child("d") is None
