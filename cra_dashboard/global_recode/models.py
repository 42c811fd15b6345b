"""The privacy models that a person asks for on the page: those of the study to begin with."""

from decimal import Decimal
from functools import partial
from typing import cast

import streamlit as st

from cra_dashboard.session import keys, state
from cra_dashboard.session.uploads import File, uploader
from cra_dashboard.texts import words
from cra_engine import CRAError, PrivacyModel, Study, read_hierarchy
from cra_engine.criteria.of_study import models as as_criteria
from cra_engine.study.file_hierarchy import FileHierarchy
from cra_engine.words import how_many

_SAID, _TREES = "cra_global_models_said", "cra_global_trees"
KINDS = {
    "distinct l-diversity": ("l-diversity", "distinct"),
    "entropy l-diversity": ("l-diversity", "entropy"),
    "recursive (c, l)-diversity": ("l-diversity", "recursive"),
    "t-closeness, equal distance": ("t-closeness", "equal"),
    "t-closeness, ordered distance": ("t-closeness", "ordered"),
    "t-closeness, hierarchical distance": ("t-closeness", "hierarchical"),
    "d-presence": ("d-presence", ""),
}


def chosen(data: state.Dataset, study: Study) -> tuple[PrivacyModel, ...]:
    """The models that are asked for."""
    held = cast("tuple[str, tuple[PrivacyModel, ...]] | None", st.session_state.get(keys.MODELS))
    return held[1] if held is not None and held[0] == data.digest else study.privacy


def form(data: state.Dataset, study: Study) -> None:
    """Show the models, each with a button to leave it out, and what it takes to add one."""
    present = chosen(data, study)
    for place, model in enumerate(present):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(words.plain(_named(model)))
            st.button(
                "Remove", on_click=_drop, args=(data, study, place), icon=":material/close:", key=f"gr-drop-{place}"
            )
    others = [str(name) for name in data.frame.columns if str(name) not in study.names]
    if not others:
        st.caption("Every column is a quasi-identifier; a model needs another column.")
        return
    kind = st.selectbox("Model", list(KINDS), key="gr-kind", persist_state="session")
    column = st.selectbox("Column", others, key="gr-column", persist_state="session")
    asked, variant = KINDS[kind]
    if asked == "l-diversity":
        st.number_input("l", 1, 1000, 2, key="gr-l")
        if variant == "recursive":
            st.number_input("c", 0.01, 1000.0, 3.0, key="gr-c")
    elif asked == "t-closeness":
        st.number_input("t", 0.0, 1.0, 0.2, 0.05, key="gr-t")
        if variant == "hierarchical":
            _tree(column)
    else:
        values = [str(value) for value in data.frame[column].unique()[:200]]
        st.selectbox("Marked records show", values, key="gr-value")
        st.number_input("Lower share", 0.0, 1.0, 0.05, 0.05, key="gr-lower")
        st.number_input("Upper share", 0.0, 1.0, 0.15, 0.05, key="gr-upper")
    st.button("Add this model", on_click=_add, args=(data, study, kind, column), icon=":material/add:", key="gr-add")
    if said := st.session_state.get(_SAID):
        st.error(words.plain(said), icon=":material/error:")


def _named(model: PrivacyModel) -> str:
    try:
        return str(as_criteria([model])[0])
    except CRAError as error:
        return str(error)


def _tree(column: str) -> None:
    held = st.session_state.setdefault(_TREES, {}).get(column)
    if held is not None:
        st.caption(f"Hierarchy of {words.plain(column)}: {how_many(held.layers, 'layer')}.")
    uploader(f"gr-tree-{column}", f"ARX hierarchy file of {words.plain(column)}", partial(_take, column=column))


def _take(files: list[File], *, column: str) -> None:
    st.session_state.pop(_SAID, None)
    try:
        found = read_hierarchy(files[0].content, column, name=files[0].name, finest=1)
    except CRAError as error:
        st.session_state[_SAID] = str(error)
        return
    st.session_state.setdefault(_TREES, {})[column] = found


def _add(data: state.Dataset, study: Study, kind: str, column: str) -> None:
    st.session_state.pop(_SAID, None)
    try:
        made = _made(kind, column)
        as_criteria([made])
    except CRAError as error:
        st.session_state[_SAID] = str(error)
        return
    st.session_state[keys.MODELS] = (data.digest, (*chosen(data, study), made))


def _made(kind: str, column: str) -> PrivacyModel:
    model, variant = KINDS[kind]
    if model == "l-diversity":
        c = _number("gr-c") if variant == "recursive" else None
        return PrivacyModel("l-diversity", column, variant=variant, l=_number("gr-l"), c=c)
    if model == "t-closeness":
        tree = cast("FileHierarchy | None", st.session_state.get(_TREES, {}).get(column))
        used = tree if variant == "hierarchical" else None
        return PrivacyModel("t-closeness", column, distance=variant, t=_number("gr-t"), hierarchy=used)
    marked = str(st.session_state["gr-value"])
    return PrivacyModel("d-presence", column, value=marked, lower=_number("gr-lower"), upper=_number("gr-upper"))


def _number(key: str) -> Decimal:
    return Decimal(str(st.session_state[key]))


def _drop(data: state.Dataset, study: Study, place: int) -> None:
    left = list(chosen(data, study))
    del left[place]
    st.session_state[keys.MODELS] = (data.digest, tuple(left))
