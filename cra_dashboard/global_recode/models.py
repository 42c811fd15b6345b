"""The privacy models that a person asks for on the page: those of the study to begin with."""

from decimal import Decimal
from functools import partial
from typing import Any

import streamlit as st

from cra_dashboard.session import fields, keys, state
from cra_dashboard.session.fields import act
from cra_dashboard.session.messages import forget as forget_told
from cra_dashboard.session.messages import show_told, telling
from cra_dashboard.session.uploads import File, uploader
from cra_dashboard.texts import words
from cra_engine import Study, read_hierarchy
from cra_engine.criteria.average_risk import AverageRisk
from cra_engine.criteria.models import MODELS, PrivacyModel
from cra_engine.words import how_many

_PLACE, _TREES = "global models", "cra_global_trees"
_FORMS = {form.label: (kind, form) for kind in MODELS for form in kind.forms if kind is not AverageRisk}


def chosen(data: state.Dataset, study: Study) -> tuple[PrivacyModel, ...]:
    """The models that are asked for."""
    asked = keys.MODELS.of(data.digest)
    return study.privacy if asked is None else asked


def form(data: state.Dataset, study: Study) -> None:
    """Show the models, each with a button to leave it out, and what it takes to add one."""
    present = chosen(data, study)
    for place, model in enumerate(present):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(words.plain(str(model)))
            act("Remove", _drop, data, study, place, icon="close", key=f"gr-drop-{place}")
    others = [str(name) for name in data.frame.columns if str(name) not in study.names]
    if not others:
        st.caption("Every column is a quasi-identifier; a model needs another column.")
        return
    label, column = fields.selectbox("Model", list(_FORMS), key="gr-kind"), ""
    _, asked = _FORMS[label]
    if asked.asks != "nothing":
        column = fields.selectbox("Column", others, key="gr-column")
    if asked.asks == "value":
        values = [str(value) for value in data.frame[column].unique()[:200]]
        st.selectbox("Marked records show", values, key="gr-value")
    for number in asked.numbers:
        st.number_input(number.label, number.lowest, number.highest, number.usual, number.step, key=f"gr-{number.name}")
    if asked.asks == "hierarchy":
        _tree(column)
    act("Add this model", _add, data, study, label, column, icon="add", key="gr-add")
    show_told(_PLACE)


def _tree(column: str) -> None:
    held = st.session_state.setdefault(_TREES, {}).get(column)
    if held is not None:
        st.caption(f"Hierarchy of {words.plain(column)}: {how_many(held.layers, 'layer')}.")
    uploader(f"gr-tree-{column}", f"ARX hierarchy file of {words.plain(column)}", partial(_take, column=column))


def _take(files: list[File], *, column: str) -> None:
    forget_told(_PLACE)
    with telling(_PLACE):
        tree = read_hierarchy(files[0].content, column, name=files[0].name, finest=1)
        st.session_state.setdefault(_TREES, {})[column] = tree


def _add(data: state.Dataset, study: Study, label: str, column: str) -> None:
    forget_told(_PLACE)
    with telling(_PLACE):
        keys.MODELS.keep(data.digest, (*chosen(data, study), _made(label, column)))


def _made(label: str, column: str) -> PrivacyModel:
    kind, form = _FORMS[label]
    given: dict[str, Any] = {**form.fixed, **{number.name: _number(f"gr-{number.name}") for number in form.numbers}}
    if form.asks == "value":
        given["value"] = str(st.session_state["gr-value"])
    if form.asks == "hierarchy":
        given["hierarchy"] = st.session_state.get(_TREES, {}).get(column)
    if form.asks != "nothing":
        given["attribute"] = column
    return kind(**given)


def _number(key: str) -> Decimal:
    return Decimal(str(st.session_state[key]))


def _drop(data: state.Dataset, study: Study, place: int) -> None:
    left = list(chosen(data, study))
    del left[place]
    keys.MODELS.keep(data.digest, tuple(left))
