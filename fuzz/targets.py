"""The readers that take files from strangers, each with what must hold whatever the file contains.

A target takes the bytes of a file. It returns when the file was read, or refused with a sentence; anything else, a
traceback above all, is a finding. tests/test_fuzz_findings.py runs the targets on past findings.
"""

import io
import tempfile
from collections.abc import Callable
from pathlib import Path

from cra_engine import CRAError, Study, read_release, read_table, recode
from cra_engine.raw.numbers import numbers
from cra_engine.raw.placement import locate
from cra_engine.raw.proposed_hierarchy import propose
from cra_engine.study.file_hierarchy import read_hierarchy
from cra_engine.study.hierarchy_files import hierarchy_text

ROOT = Path(__file__).resolve().parents[1]
ARX = ROOT / "tests" / "data" / "arx"
FEW = 400  # records up to which a table is also recoded
CATEGORIES = Study.from_toml_text(
    'k = 2\n[[attribute]]\nname = "age"\nlower = 0\nupper = 80\nlayers = 3\n'
    '[[attribute]]\nname = "town"\nhierarchy = "town.csv"\n',
    find=lambda _: "Ulm;south;*\nBonn;west;*\nKöln;west;*\n".encode(),
)
STUDIES = (Study.from_toml(ARX / "studies" / "toy40b.paper.toml").with_k(3), CATEGORIES)


class BrokenRuleError(AssertionError):
    """Something that must hold of whatever was read does not."""


def check(holds: bool, text: str) -> None:
    """Report what does not hold."""
    if not holds:
        raise BrokenRuleError(text)


def said(error: CRAError) -> None:
    """A refusal is a sentence, and not an endless one."""
    text = str(error)
    check(text.endswith((".", "?")) and len(text) <= 1010, f"not a sentence: {text[:3000]!r}")


def data(content: bytes) -> None:
    """A raw table: read, looked at column by column, and recoded with the hierarchies proposed for it."""
    try:
        table = read_table(content, "data.csv")
    except CRAError as error:
        said(error)
        return
    check(len(set(table.columns)) == len(table.columns), "a column name twice")
    again = io.StringIO()
    table.to_csv(again, index=False, quoting=1)
    check(read_table(again.getvalue().encode(), "again.csv").equals(table), "written and read again it differs")
    proposals = []
    for name in table.columns:
        found, problems = numbers(table[name])
        check(len(found) == len(table), "a row has no number")
        check(all(1 <= row <= len(table) for problem in problems for row in problem.rows), "a row that is not there")
        try:
            proposals.append(propose(table[name]).attribute)
        except CRAError as error:
            said(error)
    if not proposals or not len(table):
        return
    study = Study(proposals[:2], 2)
    try:
        locate(table, study)
        if len(table) <= FEW:
            recoding = recode(table, study)
            check(len(recoding.frame) == len(table), "a record is lost")
    except CRAError as error:
        said(error)


def release(content: bytes) -> None:
    """A published table, read with a study of numbers and with one that has categories."""
    for study in STUDIES:
        try:
            published = read_release(content, study, "release.csv")
        except CRAError as error:
            said(error)
            continue
        held = sum(one.size for one in published.classes) + published.outliers + published.raw_records
        check(held == published.records, "a record is in no class")
        again = read_release(published.to_csv_text().encode(), study, "again.csv")
        check(again.classes == published.classes, "written and read again it has other classes")


def study(content: bytes) -> None:
    """A study file; the hierarchy file that it may name is there, or not."""
    for find in (None, lambda _: ARX / "hierarchies" / "toy40b_Q1.csv"):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "study.toml"
            path.write_bytes(content)
            try:
                read = Study.from_toml(path)
                if find is not None:
                    read = Study.from_toml_text(content.decode("utf-8-sig"), "study.toml", find)
            except CRAError as error:
                said(error)
                continue
        files = {f"{a.name}.csv": hierarchy_text(a).encode() for a in read.attributes if hasattr(a, "rows")}
        again = Study.from_toml_text(
            read.to_toml_text(), "again.toml", lambda name, files=files: next(iter(files.values())) if files else name
        )
        check(again.k == read.k and again.profile == read.profile and again.names == read.names, "it reads otherwise")


def hierarchy(content: bytes) -> None:
    """An ARX hierarchy file, and a label of each of its nodes."""
    try:
        tree = read_hierarchy(content, "age", name="age.csv")
    except CRAError as error:
        said(error)
        return
    check(tree.nodes_in(tree.layers) == 1, "several roots")
    for nodes in tree.layer_nodes:
        check([node.start for node in nodes[1:]] == [node.stop for node in nodes[:-1]], "a layer with a gap")
        for node in nodes:
            found = tree.parse(node.label)
            same = found is not None and (found.start, found.stop) == (node.start, node.stop)
            check(same, f"the label {node.label!r} means something else")
    check(all(len(tree.shares(layer)) == tree.nodes_in(layer) for layer in range(1, tree.layers + 1)), "shares")
    check(all(0 <= tree.loss(layer) <= 1 for layer in range(1, tree.layers + 1)), "a loss outside 0 to 1")
    try:
        Study([tree], 2)
    except CRAError as error:
        said(error)
    check(read_hierarchy(hierarchy_text(tree).encode(), "age").rows == tree.rows, "written and read again it differs")


TARGETS: dict[str, Callable[[bytes], None]] = {
    "data": data,
    "release": release,
    "study": study,
    "hierarchy": hierarchy,
}
