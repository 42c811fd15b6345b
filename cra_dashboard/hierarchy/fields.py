"""The fields of the page Hierarchies: k, how ARX was run, and what is set of one hierarchy."""

from typing import Any

import pandas as pd
import streamlit as st

from cra_dashboard.hierarchy import groups, study_edits
from cra_dashboard.panels.bounds import holding
from cra_dashboard.session import fields, messages, state
from cra_dashboard.session.datasets import too_few
from cra_dashboard.session.fields import act
from cra_dashboard.session.messages import kind_told, show_told
from cra_dashboard.texts import words
from cra_engine import Attribute, Study
from cra_engine.raw.proposed_finest import propose_finest
from cra_engine.study.file_hierarchy import FileHierarchy
from cra_engine.study.hierarchy import Hierarchy
from cra_engine.study.profile import PROFILES
from cra_engine.words import how_many, number_text

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
LARGEST_K, WHOLE = 1_000_000, 20


def choose_k(study: Study, records: int) -> None:
    """Ask on Hierarchies and on Recode for k; the fields have to be filled."""
    fields.number_input(
        "k",
        *holding(study.k, 2, LARGEST_K),
        step=1,
        key=study_edits.K,
        on_change=study_edits.take_rules,
        width=200,
        help="The smallest number of people who may share a published row; how many is your choice.",
    )
    refusal = study_edits.refusal("k")
    if refusal:
        messages.error(f"{refusal} k = {study.k} stays in use.")
    elif study.k > records:
        messages.error(too_few(study.k, records))


def show_rules(study: Study, records: int) -> None:
    """Ask on Hierarchies for k, and how the publisher runs ARX."""
    with st.container(border=True, key="hierarchy-rules"):
        choose_k(study, records)
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


def show_settings(data: state.Dataset, study: Study, attribute: Hierarchy) -> None:
    """Show on Hierarchies what can be changed of the one that is shown, and the layers of all of them."""
    name = attribute.name
    layered = [one for one in study.attributes if isinstance(one, Attribute)]
    with st.grid("auto", min_column_width=150):
        for one in layered:
            show_field(one, "layers")
        if isinstance(attribute, Attribute):
            for setting in study_edits.FIELDS:
                if setting != "layers":
                    show_field(attribute, setting)
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


def show_choices(data: state.Dataset, attribute: Hierarchy) -> None:
    """Ask on Hierarchies what a release may show at the finest, and what becomes of missing values."""
    name = attribute.name
    options: dict[str, Any] = {"on_change": study_edits.take_attribute, "args": (name,), "persist_state": "session"}
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
    """Return the finest layer that Hierarchies proposes for a column, and why; looked at once."""
    return state.once(f"finest of {name}", data.digest, lambda: propose_finest(data.frame[name]))


def show_groups(attribute: FileHierarchy) -> None:
    """Let a person put categories into groups on Hierarchies, without a file."""
    name, levels = attribute.name, groups.layers_of(attribute)
    with st.expander("Groups of values", expanded=bool(kind_told(f"group {name}"))):
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


def show_field(own: Attribute, setting: str) -> None:
    """Ask on Hierarchies for one setting of numbers."""
    label = f"{words.plain(own.name)}: {setting}"
    options: dict[str, Any] = {
        "key": study_edits.field(own.name, setting),
        "on_change": study_edits.take_attribute,
        "args": (own.name,),
        "help": help_of(own, setting),
        "persist_state": "session",
    }
    if setting == "layers":
        st.number_input(label, 1, 12, step=1, **options)
    elif setting == "fanout":
        st.number_input(label, 2, 10, step=1, **options)
    else:
        st.text_input(label, **options)


def help_of(own: Attribute, setting: str) -> str:
    """Say what a field on Hierarchies is for, and how its dates are written."""
    if setting in ("lower", "upper") and own.dates:
        return f"{HELP[setting]} Written as {study_edits.ways_of(own.name)}."
    return HELP[setting]


def show_coded(name: str, setting: str) -> None:
    """Ask on Hierarchies whether what lies past the domain on one side is a group of its own."""
    end, example = ("lower", "<18") if setting == "below" else ("upper", "90+")
    fields.checkbox(
        f"One group {'below lower' if setting == 'below' else 'from upper on'}, such as {example}",
        key=study_edits.field(name, setting),
        on_change=study_edits.take_attribute,
        args=(name,),
        help=f"What lies past {end}, and cells such as {example}, is one group; else it is outside the domain.",
    )


def show_refusal(attribute: Attribute) -> None:
    """Say which field on Hierarchies is refused, which setting stays, and offer what mends it."""
    refusal = study_edits.refusal(attribute.name)
    if not refusal:
        return
    messages.error(words.plain(refusal))
    domain = f"[{attribute.text(attribute.lower)}, {attribute.text(attribute.upper)}["
    st.markdown(
        f"The last valid setting stays in use: domain {words.plain(domain)} in steps of "
        f"{number_text(attribute.resolution)}, {how_many(attribute.interval_layers, 'layer')}, "
        f"fanout {attribute.fanout}."
    )
    mended = study_edits.mended(attribute)
    if mended is not None:
        act(f"Use upper = {number_text(mended.upper)}", study_edits.put, mended, key=f"hierarchy-mend-{attribute.name}")


def show_proposal(data: state.Dataset, attribute: Hierarchy) -> None:
    """Show on Hierarchies what the data suggest, and offer to use it."""
    column = next((column for column in state.columns_of(data) if column.name == attribute.name), None)
    if column is None or column.proposal is None:
        st.caption("Nothing: its cells are neither numbers nor dates.")
        return
    suggested = study_edits.suggested(column.proposal, attribute.unit)
    in_use = suggested == attribute and not study_edits.refusal(attribute.name)
    st.markdown("\n".join(f"- {reason}" for reason in column.proposal.reasons))
    if in_use:
        st.caption("These settings are in use.")
    act("Use this", study_edits.put, suggested, key=f"hierarchy-propose-{attribute.name}", disabled=in_use)
