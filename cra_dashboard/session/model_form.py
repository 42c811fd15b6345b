"""Privacy models on a page: those that are asked for, each with a button to leave it out, and a form to add one."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from cra_dashboard.session import fields, state
from cra_dashboard.session.fields import act
from cra_dashboard.session.messages import forget as forget_told
from cra_dashboard.session.messages import show_told, telling
from cra_dashboard.session.uploads import File, uploader
from cra_dashboard.texts import words
from cra_engine import read_hierarchy
from cra_engine.criteria.models import MODELS, PrivacyModel
from cra_engine.words import how_many


@dataclass(frozen=True, eq=False)
class ModelForm:
    """The form of a page for privacy models, kept in the session.

    Attributes:
        keys: how its keys begin.
        without: the model that the page's way of recoding does not know.
        keep: keeps what is asked for from now on.
    """

    keys: str
    without: type[PrivacyModel]
    keep: Callable[[tuple[PrivacyModel, ...]], None]

    def show(self, frame: pd.DataFrame, names: Sequence[str], present: tuple[PrivacyModel, ...]) -> None:
        """Show it.

        Args:
            frame: the raw table.
            names: its quasi-identifiers.
            present: the models that are asked for.
        """
        for place, model in enumerate(present):
            left = (*present[:place], *present[place + 1 :])
            with st.container(horizontal=True, vertical_alignment="center"):
                st.markdown(words.plain(str(model)))
                act("Remove", self._take, left, icon="close", key=f"{self.keys}-drop-{place}")
        others = [str(name) for name in frame.columns if str(name) not in names]
        if not others:
            st.caption("Every column is a quasi-identifier; a model needs another column.")
            return
        forms = {form.label: (kind, form) for kind in MODELS for form in kind.forms if kind is not self.without}
        kind, form = forms[fields.selectbox("Model", list(forms), key=f"{self.keys}-kind")]
        given: dict[str, Any] = dict(form.fixed)
        if form.asks != "nothing":
            column = fields.choose("Column", others, f"{self.keys}-column")
            given["attribute"] = column
        if form.asks == "value":
            values = [str(value) for value in frame[column].unique()[:200]]
            given["value"] = st.selectbox("Marked records show", values, key=f"{self.keys}-value")
        for asked in form.numbers:
            key = f"{self.keys}-{asked.name}"
            number = st.number_input(asked.label, asked.lowest, asked.highest, asked.usual, asked.step, key=key)
            given[asked.name] = Decimal(str(number))
        if form.asks == "hierarchy":
            given["hierarchy"] = self._tree(column)
        act("Add this model", self._add, present, kind, given, icon="add", key=f"{self.keys}-add")
        show_told(self.keys)

    def _tree(self, column: str) -> object:
        held = st.session_state.setdefault(state.TREES, {}).get(column)
        if held is not None:
            st.caption(f"Hierarchy of {words.plain(column)}: {how_many(held.layers, 'layer')}.")
        label = f"ARX hierarchy file of {words.plain(column)}"
        uploader(f"{self.keys}-tree-{column}", label, partial(self._read, column=column))
        return held

    def _read(self, files: list[File], *, column: str) -> None:
        forget_told(self.keys)
        with telling(self.keys):
            tree = read_hierarchy(files[0].content, column, name=files[0].name, finest=1)
            st.session_state.setdefault(state.TREES, {})[column] = tree

    def _add(self, present: tuple[PrivacyModel, ...], kind: type[PrivacyModel], given: dict[str, Any]) -> None:
        forget_told(self.keys)
        with telling(self.keys):
            self.keep((*present, kind(**given)))

    def _take(self, models: tuple[PrivacyModel, ...]) -> None:
        forget_told(self.keys)
        with telling(self.keys):
            self.keep(models)
