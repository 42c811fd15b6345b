"""The readers that take what comes from strangers, each with what must hold whatever it contains.

A target takes bytes: of a file, of a link, of a question of a page's script, of what is written behind an option. It
returns when they were read, or refused with a sentence; anything else, a traceback above all, is a finding.
tests/test_fuzz_findings.py runs the targets on past findings.
"""

import contextlib
import io
import json
import re
import tempfile
import time
import zipfile
from collections.abc import Callable
from pathlib import Path
from urllib.parse import parse_qs

import pandas as pd
from pydantic import ValidationError
from starlette.datastructures import Headers

from cra_dashboard.experiments.plan import read_plan
from cra_dashboard.lessons.files import lesson_of
from cra_dashboard.playground.session import Told
from cra_dashboard.session import doors, link
from cra_dashboard.session.uploads import File, unpacked
from cra_engine import CRAError, PRule, Study, read_population, read_release, read_table, recode
from cra_engine.audits.quasi_identifiers import quasi_identifiers
from cra_engine.checks.project import Project
from cra_engine.cli.compare_options import grid_of
from cra_engine.criteria.concentration import dominance_of
from cra_engine.experiments.plan import Plan
from cra_engine.experiments.report import report_files
from cra_engine.experiments.results import Results
from cra_engine.experiments.rows import columns, complete_rows
from cra_engine.files.notation import with_decimal
from cra_engine.files.stored import open_table
from cra_engine.raw.codes import code_in, decimal_of
from cra_engine.raw.columns import read_column
from cra_engine.raw.dates import day_in, order_of_dates
from cra_engine.raw.numbers import numbers
from cra_engine.raw.placement import locate
from cra_engine.raw.plain_cells import without_unit
from cra_engine.raw.proposed_hierarchy import propose
from cra_engine.raw.proposed_kinds import propose_codes, propose_kind
from cra_engine.raw.readings import readings
from cra_engine.release import read_release_table
from cra_engine.study.arx_project import read_arx_project
from cra_engine.study.file_hierarchy import read_hierarchy
from cra_engine.study.hierarchy_files import hierarchy_text
from cra_engine.utility.count_queries import People, read_queries

ROOT = Path(__file__).resolve().parents[1]
ARX = ROOT / "tests" / "data" / "arx"
FEW = 400  # records up to which a table is also recoded
CATEGORIES = Study.from_toml_text(
    'k = 2\n[[attribute]]\nname = "age"\nlower = 0\nupper = 80\nlayers = 3\n'
    '[[attribute]]\nname = "town"\nhierarchy = "town.csv"\n',
    find=lambda _: "Ulm;south;*\nBonn;west;*\nKöln;west;*\n".encode(),
)
TREE = (ARX / "hierarchies" / "toy40b_Q1.csv").read_bytes()
PEOPLE = pd.DataFrame(
    {"age": [31, 45, 60], "weight": [60.5, 71.0, 80.25], "town": ["Ulm", "Bonn", "1"], "illness": [1, 2, 2]}
)
PEOPLE["illness"] = PEOPLE["illness"].astype(str)
RUN = Plan.from_toml_text(
    'samples = 2\nk = [3, 4]\n[[dataset]]\nname = "toy"\nsynthetic = "toy"\nrecords = 40\n'
    'sets = [{ attributes = ["age"] }]\n'
)
BESIDE = {
    ".csv": (ARX / "raw" / "toy40b.csv").read_bytes(),
    ".toml": (ARX / "studies" / "toy40b.paper.toml").read_bytes(),
}
GROWN, SLOWEST = 1_000_000, 8.0  # bytes; seconds of processor time, of which counting branches takes most
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


def cells(content: bytes) -> None:
    """The cells of one column, a line each: dates, units, percent signs, 90+, decimal commas, codes; none is lost."""
    lines = content.decode("utf-8", "replace").split("\n")[: FEW + 1]
    column = pd.Series(lines[1:], name=lines[0].strip()[:80] or "x", dtype=object)
    count = len(column)
    if not count:
        return
    check(len(without_unit(column)) == count, "a cell is lost with its unit")
    for text in column:
        code = code_in(text, decimal=decimal_of(column))
        check(code is None or code.limit.is_finite(), "a code without a limit")
        check(day_in(text, order_of_dates(column)) is None or any(map(str.isdigit, text)), "a day without a number")
    with_decimal(column.to_frame(), [str(column.name)], "comma")
    kind, codes = propose_kind(column), propose_codes(column)
    found = [hierarchy for hierarchy in (kind and kind.attribute, codes) if hierarchy is not None]
    for hierarchy in found:
        said_of = readings(column, hierarchy)
        check(all(one.text.endswith(".") and not one.fatal for one in said_of), "a reading that is no sentence")
        read = read_column(column, hierarchy)
        leaf, problems = read.leaves, read.problems
        check(len(leaf) == count, "a row has no leaf")
        rows = {row for problem in (*problems, *said_of) for row in problem.rows}
        check(rows <= set(range(1, count + 1)), "a row that is not there")
        named = {row for problem in problems if problem.fatal for row in problem.rows}
        astray = [row for row in range(1, count + 1) if row not in named and not 0 <= leaf[row - 1] < hierarchy.leaves]
        check(not astray, f"rows {astray[:3]} lie nowhere, and nobody is told")
        try:
            recoding = recode(column.to_frame(), Study([hierarchy.with_missing("leave-out")], 2))
            check(len(recoding.frame) + len(recoding.left_out) == count, "a record is lost")
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
        held = sum(one.size for one in published.classes) + published.suppressed + published.raw_records
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
        trees = [*read.attributes, *read.trees_of_models]
        files = {f"{a.name}.csv": hierarchy_text(a).encode() for a in trees if hasattr(a, "rows")}
        again = Study.from_toml_text(
            read.to_toml_text(), "again.toml", lambda name, files=files: next(iter(files.values())) if files else name
        )
        check(again.k == read.k and again.profile == read.profile and again.names == read.names, "it reads otherwise")
        try:
            check(all(str(criterion) for criterion in read.criteria), "a criterion without a name")
        except CRAError as error:
            said(error)


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


def plan(content: bytes) -> None:
    """A plan file; the data and the study that it may name are there."""
    try:
        read = Plan.from_toml_text(_utf8(content), "plan.toml", lambda name: BESIDE[Path(name).suffix])
    except KeyError:
        return  # a file that is not there, which the reader does not look at
    except CRAError as error:
        said(error)
        return
    check(0 < read.size == sum(1 for _ in zip(read.runs, range(10**5), strict=False)) or read.size > 10**5, "runs")
    check(len(read.fingerprint) == 12, "no fingerprint")


def uploaded_plan(content: bytes) -> None:
    """What somebody gives the page Experiments: a plan, or a zip file with a plan and its files."""
    for name in ("given.toml", "given.zip"):
        try:
            read_plan([File(name, content)])
        except CRAError as error:
            said(error)


def zipped(content: bytes) -> None:
    """A zip file."""
    try:
        check(all("/" not in name for name, _ in unpacked(File("given.zip", content))), "a name with a folder")
    except CRAError as error:
        said(error)


def arx_project(content: bytes) -> None:
    """An ARX project file: as a whole, and as what stands in its definition."""
    inside = io.BytesIO()
    with zipfile.ZipFile(inside, "w") as packed:
        packed.writestr("output/definition.xml", content)
        packed.writestr("output/config.xml", b"<config><criterion>3-anonymity</criterion></config>")
        packed.writestr("output/hierarchies/Q1.csv", TREE)
    for given in (content, inside.getvalue()):
        try:
            found = read_arx_project(given, "p.deid")
        except CRAError as error:
            said(error)
            continue
        check(set(found.hierarchies) <= set(found.quasi_identifiers), "a hierarchy of no quasi-identifier")
        check(found.k is None or found.k >= 2, "a k that hides nobody")
        check(all("\n" not in note for note in found.notes), "a note of several lines")


def project(content: bytes) -> None:
    """A project file of the page Check; it is shown, and saved again."""
    try:
        read = Project.from_toml_text(_utf8(content), "project.toml")
    except CRAError as error:
        said(error)
        return
    check(Project.from_toml_text(read.to_toml_text(), "again.toml") == read, "written and read again it differs")
    check(all(read.rule.demands(read.study.k)), "a demand without words")
    check(all(str(decision) for decision in read.decisions), "a decision without words")


def results(content: bytes) -> None:
    """Results of an experiment: reported on, and gone on with."""
    try:
        report_files(Results(content))
    except CRAError as error:
        said(error)
    try:
        complete_rows(content, columns(RUN), RUN, "results.csv")
    except CRAError as error:
        said(error)


def population(content: bytes) -> None:
    """Shares of a population, for a study of numbers and for one that has categories."""
    for study in STUDIES:
        try:
            weights = read_population(content, study, "shares.csv").weights
        except CRAError as error:
            said(error)
            continue
        check(all(all(weight > 0 for weight in column) for column in weights), "a leaf without a weight")


def queries(content: bytes) -> None:
    """Count queries."""
    try:
        asked = read_queries(_utf8(content), PEOPLE, "illness")
    except CRAError as error:
        said(error)
        return
    check(all(0 <= People(PEOPLE).count(query) <= len(PEOPLE) for query in asked), "a count outside the table")


def address(content: bytes) -> None:
    """The parameters of a link, what is left of them as a link again."""
    found, problems = link.parse(parse_qs(content.decode("utf-8", "replace"), keep_blank_values=True))
    check(all(len(problem) < 400 for problem in problems), "an endless problem")
    again, none = link.parse(link.parameters(found))
    check(again == found and not none, "written and read again it differs")


def question(content: bytes) -> None:
    """What the playground's script tells: any JSON, of which only what is a scene gets into the address."""
    try:
        told = json.loads(content)
    except (ValueError, RecursionError):
        told = {"id": 1, "scene": content.decode("latin-1")}
    with contextlib.suppress(ValidationError):
        found = Told.model_validate(told)
        check(re.fullmatch(r"[a-z0-9.~-]+", f"{found.scene}~{found.panel}") is not None, "a scene is none")


def options(content: bytes) -> None:
    """What is written behind options of the command line: those of compare, rules on cells."""
    text = content.decode("utf-8", "replace")
    parts = (text.split("\x00") + [""] * 4)[:4]
    for attempt in (
        lambda: grid_of(
            STUDIES[0], 40, parts[0] or None, [parts[1]] if parts[1] else [], [], [parts[2]], parts[3], parts[3] or None
        ),
        lambda: dominance_of(text),
        lambda: PRule(text),
    ):
        try:
            attempt()
        except CRAError as error:
            said(error)


def blocks(content: bytes) -> None:
    """A table read block by block: it holds what it holds when it is read at once."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / ("data.parquet" if content.startswith(b"PAR1") else "data.csv")
        path.write_bytes(content)
        try:
            table = open_table(path)
            frames = [table.frame(block) for block in table.blocks()]
        except CRAError as error:
            said(error)
            frames = None
    if path.suffix == ".parquet":
        return
    try:
        whole = read_table(content, "data.csv")
    except CRAError as error:
        said(error)
        whole = None
    check((frames is None) == (whole is None), "read in one way, refused in the other")
    if frames and whole is not None:
        joined = pd.concat(frames, ignore_index=True)
        check(joined.astype(str).equals(whole.astype(str)), "another table block by block")


def labels(content: bytes) -> None:
    """A published table without a study: what is guessed of its hierarchies."""
    try:
        table = read_release_table(content, "release.csv")
        found = quasi_identifiers(table, {})
    except CRAError as error:
        said(error)
        return
    names = {attribute.name for attribute in found.attributes} | set(found.doubtful) | set(found.silent)
    check(names <= set(map(str, table.columns)), "a column that is not there")
    check(len(found.table) == len(table), "a record is lost")
    for attribute in found.attributes:
        column = found.table[attribute.name].astype(str).str.strip()
        unknown = [label for label in column.unique() if attribute.parse(label) is None]
        raw = [label for label in unknown if attribute.reader.leaf_of(label) is not None or not label]
        check(raw == unknown, f"labels that its own hierarchy does not know: {unknown[:3]}")


def headers(content: bytes) -> None:
    """The headers by which the server tells who may come in."""
    pairs = [line.partition(b":")[::2] for line in content.split(b"\n")]
    raw = [(name.strip().lower(), value.strip()) for name, value in pairs]
    found = Headers(raw=raw)
    scope = {"type": "http", "headers": raw, "path": "/" + content.decode("latin-1"), "server": ("127.0.0.1", 8501)}
    if doors._known(found):  # noqa: SLF001 - the rule itself
        name = found["host"].rsplit(":", 1)[0].lower().rstrip(".")
        check(name in {"127.0.0.1", "localhost"}, f"{name!r} is let in")
        ours = {f"{scheme}://{found['host'].lower()}" for scheme in ("http", "https")}
        origins = {origin.lower() for origin in found.getlist("origin")}
        check(doors._same_origin(found) == (origins <= ours and len(found.getlist("origin")) < 2), "an origin")  # noqa: SLF001
    token = doors._token(scope)  # noqa: SLF001
    check(token is None or (len(token) == 64 and set(token) <= set("0123456789abcdef")), "no token of ours")


def lesson(content: bytes) -> None:
    """A lesson file."""
    try:
        lesson_of(_utf8(content), "lesson.toml")
    except CRAError as error:
        said(error)


def grown(content: bytes) -> None:
    """A file of any kind with a line of it so often that it holds 1 MB: read or refused in reasonable time.

    The first byte chooses the reader, the second how the line is told apart from the one before it.
    """
    if len(content) < 3:
        return
    kind, numbered = tuple(READERS)[content[0] % len(READERS)], content[1] % 2
    *before, line = content[2:].rstrip(b"\n").split(b"\n")
    size = max(1, GROWN // max(1, len(line) + 1 + 6 * numbered))
    more = [line.replace(b"#", b"%d" % place) if numbered else line for place in range(size)]
    whole = b"\n".join([*before, *more])[:GROWN]
    began = time.process_time()
    try:
        READERS[kind](whole)
    except CRAError as error:
        said(error)
    spent = time.process_time() - began
    check(spent <= SLOWEST, f"{kind} of {len(whole):,} bytes: {spent:.1f} s")


def _utf8(content: bytes) -> str:
    return content.decode("utf-8", "replace")


def _read_blocks(content: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "data.csv"
        path.write_bytes(content)
        for _ in open_table(path).blocks():
            pass


READERS: dict[str, Callable[[bytes], object]] = {
    "data": lambda content: read_table(content, "data.csv"),
    "release": lambda content: read_release(content, CATEGORIES, "release.csv"),
    "study": lambda content: Study.from_toml_text(_utf8(content), "study.toml", lambda _: TREE),
    "hierarchy": lambda content: read_hierarchy(content, "age", name="age.csv"),
    "plan": lambda content: Plan.from_toml_text(_utf8(content), "plan.toml"),
    "population": lambda content: read_population(content, CATEGORIES, "shares.csv"),
    "queries": lambda content: read_queries(_utf8(content), PEOPLE, "illness"),
    "labels": lambda content: quasi_identifiers(read_release_table(content, "release.csv"), {}),
    "blocks": _read_blocks,
    "lesson": lambda content: lesson_of(_utf8(content), "lesson.toml"),
    "project": lambda content: Project.from_toml_text(_utf8(content), "project.toml"),
}


TARGETS: dict[str, Callable[[bytes], None]] = {
    "data": data,
    "cells": cells,
    "release": release,
    "study": study,
    "hierarchy": hierarchy,
    "plan": plan,
    "uploaded_plan": uploaded_plan,
    "zipped": zipped,
    "arx_project": arx_project,
    "project": project,
    "results": results,
    "population": population,
    "queries": queries,
    "address": address,
    "question": question,
    "options": options,
    "blocks": blocks,
    "labels": labels,
    "headers": headers,
    "lesson": lesson,
    "grown": grown,
}
