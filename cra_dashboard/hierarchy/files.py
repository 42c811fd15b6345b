"""The files of the page Hierarchies: one hierarchy for ARX, one for another column, and the study."""

from functools import partial

import streamlit as st

from cra_dashboard.panels.download import download
from cra_dashboard.session import fields, state
from cra_dashboard.session.messages import show_told, told
from cra_dashboard.session.uploads import uploader
from cra_dashboard.table import study_edits
from cra_dashboard.texts import words
from cra_engine import Attribute, Study
from cra_engine.study.hierarchy import Hierarchy, hierarchy_file
from cra_engine.study.hierarchy_files import hierarchy_text
from cra_engine.words import listed

LISTED_VALUES = 100_000
ARX_HELP = (
    "One row per value, without a first line of names: the value, its label in layer 1, in layer 2, up to the root."
)


def download_hierarchy(attribute: Hierarchy, place: str) -> None:
    """A hierarchy as an ARX file."""
    download(
        f"Download {hierarchy_file(attribute)}",
        partial(hierarchy_text, attribute),
        hierarchy_file(attribute),
        key=f"{place}-download-{attribute.name}",
    )


def show_arx_file(attribute: Hierarchy) -> None:
    """Hands out a hierarchy as ARX's file, and takes one in its place."""
    name = attribute.name
    with st.expander("ARX hierarchy file", expanded=bool(told(f"arx {name}"))):
        if not isinstance(attribute, Attribute) or attribute.values <= LISTED_VALUES:
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
    """Shows the study file where it is asked for."""
    with st.expander("Study file", expanded=bool(told("study"))):
        show_study_file(study)


def show_study_file(study: Study) -> None:
    """Hands out the study with its hierarchies, and takes another."""
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
