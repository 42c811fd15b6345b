"""The files of the page Hierarchies: one hierarchy for ARX, one for another column, and the study."""

from functools import partial

import streamlit as st

from cra_dashboard.hierarchy import study_edits
from cra_dashboard.panels.download import download
from cra_dashboard.session import fields, state
from cra_dashboard.session.messages import show_told
from cra_dashboard.session.uploads import uploader
from cra_dashboard.texts import words
from cra_engine import Attribute, Study
from cra_engine.study.hierarchy import Hierarchy, hierarchy_file
from cra_engine.study.hierarchy_files import hierarchy_text
from cra_engine.words import listed

MORE = "Another column, with an ARX hierarchy file"
LISTED_VALUES = 100_000
ARX_HELP = (
    "One row per value, without a first line of names: the value, its label in layer 1, in layer 2, up to the root."
)


def download_hierarchy(attribute: Hierarchy, place: str) -> None:
    """Hand out the hierarchy that is shown on Hierarchies as an ARX file."""
    download(
        f"Download {hierarchy_file(attribute)}",
        partial(hierarchy_text, attribute),
        hierarchy_file(attribute),
        key=f"{place}-download-{attribute.name}",
    )


def show_arx_file(attribute: Hierarchy) -> None:
    """Hand out on Hierarchies the ARX file of one, and take one in its place."""
    name = attribute.name
    if not isinstance(attribute, Attribute) or attribute.values <= LISTED_VALUES:
        download_hierarchy(attribute, "arx")
    take = partial(study_edits.take_hierarchy, column=name, place=f"arx {name}")
    uploader(f"arx-upload-{name}", f"Use a file for {words.plain(name)}", take, help_text=ARX_HELP)
    show_told(f"arx {name}")


def show_more(data: state.Dataset, study: Study | None) -> None:
    """Offer on Hierarchies to make columns of text, and others, quasi-identifiers by a hierarchy file."""
    others = [str(name) for name in data.frame.columns if study is None or name not in study.names]
    if not others:
        st.caption("Every column of the table is a quasi-identifier already.")
        return
    st.markdown("This is how a column of text, such as a diagnosis, becomes a quasi-identifier.")
    column = fields.choose("Column", others, study_edits.COLUMN)
    take = partial(study_edits.take_hierarchy, column=column, place="more")
    uploader("arx-upload", "ARX hierarchy file", take, help_text=ARX_HELP)
    show_told("more")


def show_file(study: Study) -> None:
    """Hand out on Hierarchies the study with its files, and take another."""
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
