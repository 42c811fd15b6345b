"""Hierarchies: how coarse each quasi-identifier may be published, k, and how the publisher ran ARX."""

import math
from functools import partial

import streamlit as st

from cra_dashboard.charts.tree import node_rows, records_per_node, tree_figure, tree_takeaway
from cra_dashboard.hierarchy import groups, study_edits
from cra_dashboard.hierarchy.fields import show_groups, show_proposal, show_rules, show_settings
from cra_dashboard.hierarchy.files import MORE, show_arx_file, show_file, show_more
from cra_dashboard.panels.frame import left_to_publish, records_said, require_dataset
from cra_dashboard.panels.picture import mount
from cra_dashboard.panels.stage import folded, say, stage
from cra_dashboard.panels.tables import MOST_ROWS, show_table
from cra_dashboard.session import fields, messages, state
from cra_dashboard.table import columns
from cra_dashboard.texts import glossary, words
from cra_engine import CRAError, Study
from cra_engine.raw.written import Problem
from cra_engine.study.file_hierarchy import FileHierarchy
from cra_engine.study.grid import MAX_CELLS, Grid
from cra_engine.study.hierarchy import Hierarchy
from cra_engine.study.lattice import Lattice
from cra_engine.words import how_many, listed, spoken


def page() -> None:
    """Shows the page from top to bottom."""
    st.title("Hierarchies", help=glossary.of_page("hierarchies"))
    data = require_dataset()
    study = state.study()
    if study is None:
        st.info("No column is a quasi-identifier yet: choose at least one on the Data page.", icon=":material/table:")
        st.page_link("pages/data.py", label="Go to Data", icon=":material/arrow_back:")
        folded({MORE: partial(show_more, data, None)}, "hierarchy-folded", "")
        return
    say(
        st.container(),
        f"How coarse may {listed(list(study.names))} be published?",
        "Each quasi-identifier is published as an interval, or a group, of its hierarchy. The boxes show them layer by "
        "layer, with the number of records in each: layer 1, at the bottom, is the finest that may be published. "
        "`[10, 50[` means from 10 up to, but not including, 50.",
    )
    study_edits.fill_fields(data, study)
    figure, controls = stage(5, 3)
    with controls:
        show_rules(study, len(data.frame))
        shown = choose_attribute(study)
        show_settings(data, study, shown)
        show_size(data, study)
    with figure, st.container(key="hierarchy-tree"):
        show_others(data, study, shown)
        show_tree(data, shown, study.k)
    if isinstance(shown, FileHierarchy) and groups.can_be_grouped(shown):
        show_groups(shown)
    # Not before it is asked for: the browser takes a megabyte of script to show a table.
    folded(
        {
            MORE: partial(show_more, data, study),
            "The hierarchy as a table": partial(show_tree_table, data, shown),
            "ARX hierarchy file": partial(show_arx_file, shown),
            "Study file": partial(show_file, study),
            "What the data suggest": partial(show_proposal, data, shown),
        },
        "hierarchy-folded",
    )


def show_size(data: state.Dataset, study: Study) -> None:
    cells = math.prod(attribute.leaves for attribute in study.attributes)
    states = math.prod(attribute.layers for attribute in study.attributes)
    sizes = (records_said(data, study), how_many(cells, "cell"), how_many(states, "state"))
    st.markdown(
        " · ".join(sizes),
        help="A cell is one leaf of each hierarchy: the finest boxes of the grid. A state is one layer of each: a way "
        "to be coarse.",
    )
    for too_large in (Grid, Lattice):
        try:
            too_large(study.attributes)
        except CRAError as error:
            messages.error(f"This is too large to run. {error}")
            return
    if cells > MAX_CELLS:
        st.warning(
            f"More than {MAX_CELLS:,} cells: the table can be published and its classes checked, but nothing draws or "
            "attacks all cells.",
            icon=":material/warning:",
        )


def choose_attribute(study: Study) -> Hierarchy:
    """The quasi-identifier whose hierarchy is shown."""
    names = list(study.names)
    chosen = fields.choose("Hierarchy of", names, study_edits.CHOSEN)
    return study.attributes[names.index(chosen)]


def show_tree(data: state.Dataset, attribute: Hierarchy, k: int) -> None:
    """The hierarchy as a picture, and whether it covers the column."""
    name = attribute.name
    leaf, problems = columns.placed_left(data, attribute)
    if len(leaf):
        records = records_per_node(attribute, leaf)
        mount.show(tree_figure(attribute, records, k), f"tree-{name}", tree_takeaway(attribute, records, k))
        nobody = " Boxes with 0 are empty because nobody of the table is there." if 0 in records[0] else ""
        st.caption(
            "Numbers count records. The further down a box, the more a published row tells."
            f"{nobody}{reading(attribute)}"
        )
    show_coverage(data, name, problems)


def reading(attribute: Hierarchy) -> str:
    """Says once how an interval is read that is labelled as ARX writes it."""
    label = attribute.layer_nodes[0][0].label
    return f" `{label}`, as ARX writes it: {spoken(label)}." if spoken(label) != label else ""


def show_others(data: state.Dataset, study: Study, shown: Hierarchy) -> None:
    """What is amiss with the hierarchies that are not shown."""
    for attribute in study.attributes:
        if attribute.name == shown.name:
            continue
        refusal = study_edits.refusal(attribute.name)
        stopping = [problem.text for problem in columns.placed(data, attribute)[1] if problem.fatal]
        for text in [*([refusal] if refusal else []), *stopping[:1]]:
            messages.error(words.plain(text))


def show_tree_table(data: state.Dataset, attribute: Hierarchy) -> None:
    """The hierarchy as a table."""
    leaf, _ = columns.placed_left(data, attribute)
    if len(leaf):
        show_table(node_rows(attribute, records_per_node(attribute, leaf)), "Records per node")


def show_coverage(data: state.Dataset, name: str, problems: tuple[Problem, ...]) -> None:
    for problem in problems:
        (messages.error if problem.fatal else messages.warning)(words.plain(problem.text))
        if problem.fatal and problem.rows:
            with st.expander(f"The {how_many(len(problem.rows), 'row')}"):
                rows = list(problem.rows[:MOST_ROWS])
                cells = data.frame[name].loc[[row - 1 for row in rows]].astype(str).to_list()
                uncovered = {"row": rows, name: cells}
                said, total = "Rows that the hierarchy does not cover", len(problem.rows)
                show_table(uncovered, said, total=total, things="rows")
    if not any(problem.fatal for problem in problems):
        left = len(left_to_publish(data, state.study()))
        values, out = how_many(left, "value"), len(data.frame) - left
        of = (
            f"that are published; {how_many(out, 'row')} {'is' if out == 1 else 'are'} left out"
            if out
            else "of this column"
        )
        st.markdown(f":material/check_circle: The domain covers all {values} {of}.")


page()
