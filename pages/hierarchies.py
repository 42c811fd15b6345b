"""Hierarchies: how coarse each quasi-identifier may be published, k, and how the publisher ran ARX."""

import math
from datetime import date
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from cra_dashboard.charts.look import CONFIG
from cra_dashboard.charts.tree import node_rows, records_per_node, tree_figure, tree_takeaway
from cra_dashboard.panels.bounds import holding
from cra_dashboard.panels.download import download
from cra_dashboard.panels.frame import published, records_said, require_dataset
from cra_dashboard.panels.stage import say, stage
from cra_dashboard.session import fields, messages, state
from cra_dashboard.session.datasets import too_few
from cra_dashboard.session.fields import act
from cra_dashboard.session.messages import show_told, told
from cra_dashboard.session.uploads import uploader
from cra_dashboard.table import columns, groups, study_edits
from cra_dashboard.texts import glossary, words
from cra_engine import Attribute, CRAError, Study
from cra_engine.raw.proposed_finest import propose_finest
from cra_engine.raw.written import Problem
from cra_engine.study.file_hierarchy import FileHierarchy
from cra_engine.study.grid import Grid
from cra_engine.study.hierarchy import Hierarchy, hierarchy_file
from cra_engine.study.hierarchy_files import hierarchy_text
from cra_engine.study.lattice import Lattice
from cra_engine.study.study import PROFILES
from cra_engine.words import how_many, listed, number_text

HELP = {
    "lower": "The first value of the domain.",
    "upper": "The first value past the domain: it is not inside any more.",
    "resolution": "The distance of two neighbouring values: 1 for whole numbers, 0.1 for tenths.",
    "layers": "The height of the hierarchy: layer 1 holds the finest intervals, the highest is the whole domain.",
    "fanout": "Into how many parts each interval splits one layer further down.",
    "unit": "Stands beside the numbers.",
}
FINEST = {0: "The values themselves", 1: "Groups of values"}
FINEST_HELP = (
    "Layer 1 is the finest that is ever published. Values that stay below it, unpublished, are layer 0, ARX's level 0; "
    "near-unique values are better left there."
)
GAPS = {
    "": "There may be none",
    "leave-out": "Leave their rows out",
    "category": "A category of their own, NULL",
    "*": "As * from the start",
}
EXAMPLE = date(2010, 12, 31)
LARGEST_K, UNCOVERED_SHOWN, LISTED_VALUES, WHOLE = 1_000_000, 1000, 100_000, 20
ARX_HELP = (
    "One row per value, without a first line of names: the value, its label in layer 1, in layer 2, up to the root."
)


def page() -> None:
    """Shows the page from top to bottom."""
    st.title("Hierarchies", help=glossary.of_page("hierarchies"))
    data = require_dataset()
    study = state.study()
    if study is None:
        st.info("No column is a quasi-identifier yet: choose at least one on the Data page.", icon=":material/table:")
        st.page_link("pages/data.py", label="Go to Data", icon=":material/arrow_back:")
        show_more(data, None)
        return
    say(
        st.container(),
        f"How coarse may {listed(list(study.names))} be published?",
        "Each quasi-identifier is published as an interval, or a group, of its hierarchy. The boxes show them layer by "
        "layer, with the number of records in each: layer 1, at the bottom, is the finest that may be published. "
        "`[10, 50)` means from 10 up to, but not including, 50.",
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
    with st.expander("The hierarchy as a table"):
        show_table(data, shown)
    show_proposal(data, shown)
    show_arx_file(shown)
    show_more(data, study)
    show_file(study)


def show_rules(study: Study, records: int) -> None:
    with st.container(border=True, key="hierarchy-rules"):
        fields.number_input(
            "k",
            *holding(study.k, 2, LARGEST_K),
            step=1,
            key=study_edits.K,
            on_change=study_edits.take_rules,
            width=200,
            help="The smallest number of people who may share a published row.",
        )
        refusal = study_edits.refusal("k")
        if refusal:
            messages.error(f"{refusal} k = {study.k} stays in use.")
        elif study.k > records:
            messages.error(too_few(study.k, records))
        # A study file may also name the share of records itself.
        profiles = [*PROFILES, *([] if study.profile in PROFILES else [study.profile])]
        fields.radio(
            "How the publisher runs ARX",
            profiles,
            key=study_edits.PROFILE,
            format_func=study_edits.profile_name,
            captions=[study_edits.profile_text(profile) for profile in profiles],
            on_change=study_edits.take_rules,
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


def choose_attribute(study: Study) -> Hierarchy:
    """The quasi-identifier whose hierarchy is shown."""
    names = list(study.names)
    if st.session_state.get(study_edits.CHOSEN) not in names:
        st.session_state.pop(study_edits.CHOSEN, None)
    chosen = fields.selectbox("Hierarchy of", names, key=study_edits.CHOSEN)
    return study.attributes[names.index(chosen)]


def show_tree(data: state.Dataset, attribute: Hierarchy, k: int) -> None:
    """The hierarchy as a picture, and whether it covers the column."""
    name = attribute.name
    leaf, problems = columns.placed(data, attribute)
    if len(leaf):
        records = records_per_node(attribute, leaf)
        st.plotly_chart(
            state.once(f"tree of {name}", (data.digest, attribute, k), lambda: tree_figure(attribute, records, k)),
            key=f"tree-{name}",
            config=CONFIG,
            alt=tree_takeaway(attribute, records, k),
        )
        nobody = " Boxes with 0 are empty because nobody of the table is there." if 0 in records[0] else ""
        st.caption(f"Numbers count records. The further down a box, the more a published row tells.{nobody}")
    show_coverage(data, name, problems)


def show_settings(data: state.Dataset, study: Study, attribute: Hierarchy) -> None:
    """What can be changed of the hierarchy that is shown; the layers of all of them."""
    name = attribute.name
    layered = [one for one in study.attributes if isinstance(one, Attribute)]
    with st.grid("auto", min_column_width=150):
        for one in layered:
            show_field(one.name, "layers")
        if isinstance(attribute, Attribute):
            for setting in study_edits.FIELDS:
                if setting != "layers":
                    show_field(name, setting)
    if isinstance(attribute, Attribute):
        for setting in study_edits.CODED:
            show_coded(name, setting)
        show_refusal(attribute)
    else:
        values = how_many(attribute.layer_nodes[-1][0].values, "value")
        st.markdown(f"Listed values, as in an ARX hierarchy file: {values} in {how_many(attribute.layers, 'layer')}.")
        if study_edits.refusal(name):
            messages.error(words.plain(study_edits.refusal(name)))
    show_choices(data, attribute)


def show_others(data: state.Dataset, study: Study, shown: Hierarchy) -> None:
    """What is amiss with the hierarchies that are not shown."""
    for attribute in study.attributes:
        if attribute.name == shown.name:
            continue
        refusal = study_edits.refusal(attribute.name)
        stopping = [problem.text for problem in columns.placed(data, attribute)[1] if problem.fatal]
        for text in [*([refusal] if refusal else []), *stopping[:1]]:
            messages.error(words.plain(text))


def show_table(data: state.Dataset, attribute: Hierarchy) -> None:
    """The hierarchy as a table."""
    leaf, _ = columns.placed(data, attribute)
    if len(leaf):
        rows = node_rows(attribute, records_per_node(attribute, leaf))
        st.dataframe(pd.DataFrame(rows), hide_index=True, alt="Records per node")


def show_choices(data: state.Dataset, attribute: Hierarchy) -> None:
    """What a release may show at the finest, and what becomes of missing values."""
    name = attribute.name
    options: dict[str, Any] = {"on_change": study_edits.take_choice, "args": (name,), "persist_state": "session"}
    with st.grid("auto", min_column_width=260):
        st.selectbox(
            f"{words.plain(name)}: layer 1 holds",
            list(FINEST),
            format_func=FINEST.__getitem__,
            key=study_edits.field(name, study_edits.FINEST),
            help=FINEST_HELP,
            **options,
        )
        st.selectbox(
            f"{words.plain(name)}: missing values",
            list(GAPS),
            format_func=GAPS.__getitem__,
            key=study_edits.field(name, study_edits.GAPS),
            **options,
        )
    if name in data.frame.columns:
        proposed, why = finest_of(data, name)
        if proposed != attribute.finest:
            st.caption(f"Proposed: {FINEST[proposed].lower()}, since {why}.")
    if attribute.layers == 1:
        messages.warning(
            "Nothing of this column can be published: only the root is above its values. Let the values be shown, "
            "or give it more layers.",
        )


def finest_of(data: state.Dataset, name: str) -> tuple[int, str]:
    """The finest layer that is proposed for a column, and why; looked at once."""
    return state.once(f"finest of {name}", data.digest, lambda: propose_finest(data.frame[name]))


def show_groups(attribute: FileHierarchy) -> None:
    """Put categories into groups, without a file."""
    name, levels = attribute.name, groups.layers_of(attribute)
    with st.expander("Groups of values", expanded=bool(told(f"group {name}"))):
        layer = 0
        if levels > 1:
            key = study_edits.field(name, groups.LAYER)
            if st.session_state.get(key, 0) >= levels:
                st.session_state.pop(key)
            called = [words.sentence(groups.layer_name(attribute, place)) for place in range(levels)]
            layer = st.selectbox("Layer that is grouped", range(levels), format_func=called.__getitem__, key=key)
        now = groups.groups_of(attribute, layer)
        st.dataframe(
            pd.DataFrame({"value": list(now), "group": ["" if own == value else own for value, own in now.items()]}),
            hide_index=True,
            height="content" if len(now) <= WHOLE else "auto",
            alt="The group of each value",
        )
        chosen = study_edits.field(name, groups.VALUES)
        if not set(st.session_state.get(chosen) or []) <= set(now):
            st.session_state.pop(chosen)
        st.multiselect(f"Values of {words.plain(name)}", list(now), key=chosen)
        st.text_input("Name of their group; empty for none", max_chars=60, key=study_edits.field(name, groups.NAME))
        act("Put them into the group", groups.take_group, name, key=f"hierarchy-group-{name}")
        show_told(f"group {name}")


def show_field(name: str, setting: str) -> None:
    label = f"{words.plain(name)}: {setting}"
    options: dict[str, Any] = {
        "key": study_edits.field(name, setting),
        "on_change": study_edits.take_attribute,
        "args": (name,),
        "help": help_of(name, setting),
        "persist_state": "session",
    }
    if setting == "layers":
        st.number_input(label, 1, 12, step=1, **options)
    elif setting == "fanout":
        st.number_input(label, 2, 10, step=1, **options)
    else:
        st.text_input(label, **options)


def help_of(name: str, setting: str) -> str:
    """What a field is for; how its dates are written."""
    study = state.study()
    own = next((one for one in study.attributes if one.name == name), None) if study is not None else None
    if setting in ("lower", "upper") and isinstance(own, Attribute) and own.dates:
        ways = dict.fromkeys((study_edits.day_text(name, EXAMPLE), EXAMPLE.isoformat()))
        return f"{HELP[setting]} Written as {' or '.join(ways)}."
    return HELP[setting]


def show_coded(name: str, setting: str) -> None:
    """Whether what lies past the domain on one side is a group of its own."""
    end, example = ("lower", "<18") if setting == "below" else ("upper", "90+")
    fields.checkbox(
        f"One group {'below lower' if setting == 'below' else 'from upper on'}, such as {example}",
        key=study_edits.field(name, setting),
        on_change=study_edits.take_attribute,
        args=(name,),
        help=f"What lies past {end}, and cells such as {example}, is one group; else it is outside the domain.",
    )


def show_refusal(attribute: Attribute) -> None:
    refusal = study_edits.refusal(attribute.name)
    if not refusal:
        return
    messages.error(words.plain(refusal))
    domain = f"[{attribute.text(attribute.lower)}, {attribute.text(attribute.upper)})"
    st.markdown(
        f"The last valid setting stays in use: domain {words.plain(domain)} in steps of "
        f"{number_text(attribute.resolution)}, {how_many(attribute.interval_layers, 'layer')}, "
        f"fanout {attribute.fanout}."
    )
    mended = study_edits.mended(attribute.name)
    if mended is not None:
        act(f"Use upper = {number_text(mended.upper)}", study_edits.put, mended, key=f"hierarchy-mend-{attribute.name}")


def show_coverage(data: state.Dataset, name: str, problems: tuple[Problem, ...]) -> None:
    for problem in problems:
        if not problem.fatal:
            messages.warning(words.plain(problem.text))
            continue
        messages.error(words.plain(problem.text))
        if problem.rows:
            with st.expander(f"The {how_many(len(problem.rows), 'row')}"):
                rows = list(problem.rows[:UNCOVERED_SHOWN])
                cells = data.frame[name].iloc[[row - 1 for row in rows]].astype(str).to_list()
                uncovered = pd.DataFrame({"row": rows, name: cells})
                st.dataframe(uncovered, hide_index=True, alt="Rows that the hierarchy does not cover")
                if len(problem.rows) > UNCOVERED_SHOWN:
                    st.caption(f"The first {UNCOVERED_SHOWN:,} of them.")
    if not any(problem.fatal for problem in problems):
        left = published(data, state.study())
        values, out = how_many(left, "value"), len(data.frame) - left
        of = (
            f"that are published; {how_many(out, 'row')} {'is' if out == 1 else 'are'} left out"
            if out
            else "of this column"
        )
        st.markdown(f":material/check_circle: The domain covers all {values} {of}.")


def show_proposal(data: state.Dataset, attribute: Hierarchy) -> None:
    column = next((column for column in columns.of_session(data) if column.name == attribute.name), None)
    if column is None or column.proposal is None:
        return
    suggested = study_edits.suggested(column.proposal, attribute.unit)
    in_use = suggested == attribute and not study_edits.refusal(attribute.name)
    with st.expander("What the data suggest"):
        st.markdown("\n".join(f"- {reason}" for reason in column.proposal.reasons))
        if in_use:
            st.caption("These settings are in use.")
        act("Use this", study_edits.put, suggested, key=f"hierarchy-propose-{attribute.name}", disabled=in_use)


def download_hierarchy(attribute: Hierarchy, place: str) -> None:
    """A hierarchy as an ARX file."""
    download(
        f"Download {hierarchy_file(attribute)}",
        partial(hierarchy_text, attribute),
        hierarchy_file(attribute),
        key=f"{place}-download-{attribute.name}",
    )


def show_arx_file(attribute: Hierarchy) -> None:
    name = attribute.name
    with st.expander("ARX hierarchy file", expanded=bool(told(f"arx {name}"))):
        if not isinstance(attribute, Attribute) or attribute.values <= LISTED_VALUES:  # noqa: PD011 - no data frame
            download_hierarchy(attribute, "arx")
        take = partial(study_edits.take_hierarchy, column=name, place=f"arx {name}")
        uploader(f"arx-upload-{name}", f"Use a file for {words.plain(name)}", take, help_text=ARX_HELP)
        show_told(f"arx {name}")


def show_more(data: state.Dataset, study: Study | None) -> None:
    """Columns of text, and others, that become quasi-identifiers by a file."""
    others = [str(name) for name in data.frame.columns if study is None or name not in study.names]
    if not others:
        return
    with st.expander("Another column, with an ARX hierarchy file", expanded=bool(told("more"))):
        st.markdown("This is how a column of text, such as a diagnosis, becomes a quasi-identifier.")
        if st.session_state.get(study_edits.COLUMN) not in others:
            st.session_state[study_edits.COLUMN] = others[0]
        column = fields.selectbox("Column", others, key=study_edits.COLUMN)
        take = partial(study_edits.take_hierarchy, column=column, place="more")
        uploader("arx-upload", "ARX hierarchy file", take, help_text=ARX_HELP)
        show_told("more")


def show_file(study: Study) -> None:
    with st.expander("Study file", expanded=bool(told("study"))):
        show_study_file(study)


def show_study_file(study: Study) -> None:
    st.markdown("Everything on this page in one small text file: keep it, or hand it to whoever plays the attacker.")
    beside = [attribute for attribute in study.attributes if not isinstance(attribute, Attribute)]
    if beside:
        named = listed([hierarchy_file(attribute) for attribute in beside])
        st.caption(words.plain(f"It names {named}: keep these with it."))
    with st.container(horizontal=True):
        download("Download study.toml", study.to_toml_text(), "study.toml")
        for attribute in beside:
            download_hierarchy(attribute, "study")
    uploader(
        "hierarchy-upload",
        "Study file (TOML), with the hierarchy files that it names",
        study_edits.take_study,
        several=True,
    )
    show_told("study")


page()
