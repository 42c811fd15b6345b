"""What lessons know of the page Hierarchies."""

import streamlit as st

from cra_dashboard.lessons.hooks import Doing, Hooks, Opening, by_key
from cra_dashboard.session import keys, state
from cra_engine import Attribute


def set_k(doing: Doing, k: int) -> bool:
    """Tell whether a lesson's step is done: the learner changed k to this."""
    return doing.changed_study and doing.now.study is not None and doing.now.study.k == k


def set_layers(doing: Doing, attribute: str, layers: int) -> bool:
    """Tell whether a lesson's step is done: the learner gave a hierarchy so many layers."""
    study = doing.now.study
    held = {one.name: one.layers for one in study.attributes} if study is not None else {}
    return doing.changed_study and held.get(attribute) == layers


def set_coarse(doing: Doing, cells: int) -> bool:
    """Tell whether a lesson's step is done: the leaves are so coarse that the grid has no more cells than this."""
    return doing.changed_study and state.recoding().grid.size <= cells


def set_profile(doing: Doing, profile: str) -> bool:
    """Tell whether a lesson's step is done: the learner chose how the publisher runs ARX."""
    return doing.changed_study and doing.now.study is not None and doing.now.study.profile == profile


def _begin(opening: Opening) -> None:
    data, wanted = state.dataset(), opening.wanted
    own = None if data is None else data.own_study
    # A step says what it changes of the study that its table brings along; of a link what it says itself stays.
    if own is not None and not (opening.linked and state.study() != own):
        layers = wanted.get("layers", {})
        attributes = [
            a.changed(layers=layers[a.name]) if isinstance(a, Attribute) and a.name in layers else a
            for a in own.attributes
        ]
        profile = wanted.get("profile", own.profile)
        study = own.changed(attributes=attributes, k=wanted.get("k", own.k), profile=profile)
        if study != state.study():
            state.use_study(study)
    if "hierarchy" in opening.wanted:
        st.session_state[keys.HIERARCHY] = opening.wanted["hierarchy"]


HOOKS = Hooks(
    "hierarchies",
    "Hierarchies",
    views={
        "rules": (by_key("hierarchy-rules"), "k and how the publisher runs ARX"),
        "hierarchy-k": (by_key("hierarchy-k"), "the field k"),
        "hierarchy-profile": (by_key("hierarchy-profile"), "how the publisher runs ARX"),
        "hierarchy-figure": (by_key("hierarchy-tree"), "the picture of the hierarchy"),
        "hierarchy-layers": (by_key("hierarchy-layers-weight"), "the field with the number of layers"),
    },
    conditions=(set_k, set_layers, set_coarse, set_profile),
    begins=("hierarchy", "k", "layers", "profile"),
    begin=_begin,
)
