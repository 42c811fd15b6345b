"""Hierarchies: how coarse each quasi-identifier may be published, k, and how the publisher ran ARX."""

import math
from decimal import Decimal, InvalidOperation
from typing import Any

import pandas as pd
import streamlit as st

from cra_engine import Attribute, CRAError, Grid, Lattice, Study, StudyError
from cra_engine.hierarchy import number_text
from cra_engine.proposal import upper_that_fits
from cra_engine.study import PROFILES
from dashboard import columns, state, words
from dashboard.frame import require_dataset
from dashboard.grid_chart import CONFIG
from dashboard.tree_chart import node_rows, records_per_node, tree_figure, tree_takeaway
from dashboard.uploads import uploader

FIELDS = ("lower", "upper", "resolution", "layers", "fanout", "unit")
HELP = {
    "lower": "The first value of the domain.",
    "upper": "The first value past the domain: it is not inside any more.",
    "resolution": "The distance of two neighbouring values: 1 for whole numbers, 0.1 for tenths.",
    "layers": "The height of the hierarchy: layer 1 holds the leaves, the highest layer is the whole domain.",
    "fanout": "Into how many parts each interval splits one layer further down.",
    "unit": "Stands beside the numbers.",
}
PROFILE_NAMES = {"paper": "As in the paper", "arx-gui": "As the ARX desktop program"}
PROFILE_TEXTS = {
    "paper": "ARX may publish a single group in each step.",
    "arx-gui": "Each step must publish at least 1 % of all records, the desktop program's default; "
    "the attack then knows a little less.",
}
LARGEST_K, UNCOVERED_SHOWN, DIGITS = 50, 1000, Decimal(10) ** 15


def field(name: str, setting: str) -> str:
    """The key of an input field."""
    return f"hierarchy-{setting}-{name}"


def fill_fields(data: state.Dataset, study: Study) -> None:
    """Put the study into the input fields where it comes from elsewhere: another table, a file, another page."""
    if st.session_state.get("hierarchy-filled") == (data.digest, study):
        return
    st.session_state["hierarchy-filled"] = (data.digest, study)
    st.session_state["hierarchy-refused"] = {}
    st.session_state["hierarchy-k"] = study.k
    st.session_state["hierarchy-profile"] = study.profile
    for attribute in study.attributes:
        for setting in FIELDS:
            value = getattr(attribute, setting)
            st.session_state[field(attribute.name, setting)] = (
                number_text(value) if isinstance(value, Decimal) else value
            )


def use(study: Study) -> None:
    """Work with a study that comes from the fields."""
    data = require_dataset()
    state.use_study(study)
    st.session_state["hierarchy-filled"] = (data.digest, study)


def read_fields(name: str) -> Attribute:
    """The attribute that the fields describe.

    Raises:
        StudyError: they describe none.
    """
    values: dict[str, Any] = {setting: st.session_state[field(name, setting)] for setting in FIELDS}
    for setting in ("lower", "upper", "resolution"):
        text = values[setting].strip()
        try:
            values[setting] = Decimal(text)
        except InvalidOperation:
            hint = "write decimals with a point" if "," in text else "give a number"
            raise StudyError(f"Attribute {name!r}: {setting} is {text!r}; {hint}.") from None
        if values[setting].is_finite() and abs(values[setting]) > DIGITS:
            raise StudyError(f"Attribute {name!r}: {setting} has more than 15 digits; rescale the column.")
    return Attribute(name, **values)


def take_attribute(name: str) -> None:
    """Apply the fields of one attribute, or keep the sentence that says why not."""
    study = state.study()
    refused: dict[str, str] = st.session_state["hierarchy-refused"]
    if study is None or name not in study.names:
        return
    try:
        changed = read_fields(name)
    except CRAError as error:
        refused[name] = str(error)
        return
    refused.pop(name, None)
    others = [changed if attribute.name == name else attribute for attribute in study.attributes]
    use(Study(others, study.k, study.profile))


def take_rules() -> None:
    """Apply k and profile, or keep the sentence that says why not."""
    study, data = state.study(), state.dataset()
    refused: dict[str, str] = st.session_state["hierarchy-refused"]
    if study is None or data is None:
        return
    k, profile = st.session_state["hierarchy-k"], st.session_state["hierarchy-profile"]
    if k > len(data.frame):
        refused["k"] = too_few(k, len(data.frame))
        k = study.k
    else:
        refused.pop("k", None)
    use(Study(study.attributes, k, profile))


def too_few(k: int, records: int) -> str:
    return f"k = {k} is more than the {words.how_many(records, 'record')} of the table; take a smaller k."


def put(name: str, attribute: Attribute) -> None:
    """Give one attribute other settings, in the fields too."""
    for setting in FIELDS:
        value = getattr(attribute, setting)
        st.session_state[field(name, setting)] = number_text(value) if isinstance(value, Decimal) else value
    take_attribute(name)


def take_study(name: str, content: bytes) -> None:
    """Work with an uploaded study file from now on, unless it is none or does not belong to the table."""
    data = require_dataset()
    try:
        study = Study.from_toml_text(content.decode("utf-8-sig"), name)
        have = [str(column) for column in data.frame.columns]
        for missing in (attribute for attribute in study.names if attribute not in have):
            raise StudyError(f"{name} names {missing!r}, a column that {data.name} does not have: {', '.join(have)}.")
        if study.k > len(data.frame):
            raise StudyError(f"{name}: {too_few(study.k, len(data.frame))}")
    except UnicodeDecodeError:
        refusal = f"{name} is not UTF-8 text; save the study as a TOML file in UTF-8."
        st.session_state["hierarchy-said"] = ("error", f"{refusal} The study stays as it was.")
        return
    except CRAError as error:
        st.session_state["hierarchy-said"] = ("error", f"{error} The study stays as it was.")
        return
    state.use_study(study)
    st.session_state["hierarchy-said"] = ("success", f"{name} is read; its settings stand above.")


def show_rules(study: Study, records: int) -> None:
    with st.container(border=True):
        st.subheader("Groups")
        st.number_input(
            "k",
            2,
            max(LARGEST_K, study.k),
            step=1,
            key="hierarchy-k",
            on_change=take_rules,
            persist_state="session",
            width=200,
            help="The smallest number of people who may share a published row.",
        )
        refusal = st.session_state["hierarchy-refused"].get("k")
        if refusal:
            st.error(f"{refusal} k = {study.k} stays in use.", icon=":material/error:")
        elif study.k > records:
            st.error(too_few(study.k, records), icon=":material/error:")
        st.radio(
            "How the publisher runs ARX",
            PROFILES,
            key="hierarchy-profile",
            format_func=PROFILE_NAMES.__getitem__,
            captions=[PROFILE_TEXTS[profile] for profile in PROFILES],
            on_change=take_rules,
            persist_state="session",
        )


def show_size(study: Study, records: int) -> None:
    cells = math.prod(attribute.leaves for attribute in study.attributes)
    states = math.prod(attribute.layers for attribute in study.attributes)
    sizes = (words.how_many(*size) for size in ((records, "record"), (cells, "cell"), (states, "state")))
    st.markdown(f"#### {' · '.join(sizes)}")
    st.caption(
        "A cell is one leaf of each hierarchy: the finest boxes of the grid. A state is one layer of each: a way to be "
        "coarse."
    )
    for too_large in (Grid, Lattice):
        try:
            too_large(study.attributes)
        except CRAError as error:
            st.error(f"This is too large to run. {error}", icon=":material/error:")


def show_attribute(data: state.Dataset, attribute: Attribute, k: int) -> None:
    name = attribute.name
    leaf, problems = columns.placed(data, attribute)
    found = {column.name: column for column in columns.of_session(data)}.get(name)
    with st.container(border=True):
        st.subheader(words.plain(name))
        with st.grid("auto", min_column_width=130):
            for setting in FIELDS:
                show_field(name, setting)
        refusal = st.session_state["hierarchy-refused"].get(name)
        if refusal:
            show_refusal(attribute, refusal)
        show_coverage(data, attribute, problems)
        if len(leaf):
            records = records_per_node(attribute, leaf)
            st.plotly_chart(
                state.once(f"tree of {name}", (data.digest, attribute, k), lambda: tree_figure(attribute, records, k)),
                key=f"tree-{name}",
                config=CONFIG,
                alt=tree_takeaway(attribute, records, k),
            )
            with st.expander("The hierarchy as a table"):
                st.dataframe(pd.DataFrame(node_rows(attribute, records)), hide_index=True, alt="Records per node")
        if found is not None and found.proposal is not None:
            show_proposal(attribute, found.proposal)


def show_field(name: str, setting: str) -> None:
    label = f"{words.plain(name)}: {setting}"
    options: dict[str, Any] = {
        "key": field(name, setting),
        "on_change": take_attribute,
        "args": (name,),
        "help": HELP[setting],
        "persist_state": "session",
    }
    if setting == "layers":
        st.number_input(label, 1, 12, step=1, **options)
    elif setting == "fanout":
        st.number_input(label, 2, 10, step=1, **options)
    else:
        st.text_input(label, **options)


def show_refusal(attribute: Attribute, refusal: str) -> None:
    name = attribute.name
    domain = f"[{number_text(attribute.lower)}, {number_text(attribute.upper)})"
    st.error(words.plain(refusal), icon=":material/error:")
    st.markdown(
        f"The last valid setting stays in use: domain {words.plain(domain)} in steps of "
        f"{number_text(attribute.resolution)}, {attribute.layers} layers, fanout {attribute.fanout}."
    )
    mended = mend(name)
    if mended is not None:
        st.button(
            f"Use upper = {number_text(mended.upper)}", key=f"hierarchy-mend-{name}", on_click=put, args=(name, mended)
        )


def mend(name: str) -> Attribute | None:
    """The attribute of the fields with the next upper end that fits; None where that does not help."""
    try:
        lower, upper, resolution = (Decimal(st.session_state[field(name, s)].strip()) for s in FIELDS[:3])
        if upper <= lower:
            return None
        layers, fanout = st.session_state[field(name, "layers")], st.session_state[field(name, "fanout")]
        fitting = upper_that_fits(lower, upper, resolution, fanout ** (layers - 1))
        return Attribute(name, lower, fitting, layers, fanout, resolution, st.session_state[field(name, "unit")])
    except (CRAError, ArithmeticError, ValueError):
        return None


def show_coverage(data: state.Dataset, attribute: Attribute, problems: tuple[columns.Problem, ...]) -> None:
    for problem in problems:
        if problem.fatal:
            st.error(words.plain(problem.text), icon=":material/error:")
        else:
            st.warning(words.plain(problem.text), icon=":material/warning:")
        if problem.rows and problem.fatal:
            with st.expander(f"The {words.how_many(len(problem.rows), 'row')}"):
                rows = list(problem.rows[:UNCOVERED_SHOWN])
                values = data.frame[attribute.name].iloc[[row - 1 for row in rows]]
                st.dataframe(
                    pd.DataFrame({"row": rows, attribute.name: values.astype(str).to_list()}),
                    hide_index=True,
                    alt="Rows that the hierarchy does not cover",
                )
                if len(problem.rows) > UNCOVERED_SHOWN:
                    st.caption(f"The first {UNCOVERED_SHOWN:,} of them.")
    if not any(problem.fatal for problem in problems):
        st.markdown(
            f":material/check_circle: The domain covers all {words.how_many(len(data.frame), 'value')} of this column."
        )


def show_proposal(attribute: Attribute, proposal: columns.Proposal) -> None:
    with st.expander("What the data suggest"):
        st.markdown("\n".join(f"- {reason}" for reason in proposal.reasons))
        suggested = proposal.attribute
        kept = Attribute(
            suggested.name,
            suggested.lower,
            suggested.upper,
            suggested.layers,
            suggested.fanout,
            suggested.resolution,
            attribute.unit,
        )
        if kept == attribute:
            st.caption("These settings are in use.")
        st.button(
            "Use this",
            key=f"hierarchy-propose-{attribute.name}",
            disabled=kept == attribute and attribute.name not in st.session_state["hierarchy-refused"],
            on_click=put,
            args=(attribute.name, kept),
        )


def show_file(study: Study) -> None:
    st.subheader("Study file")
    st.markdown("Everything on this page in one small text file: keep it, or hand it to whoever plays the attacker.")
    st.download_button(
        "Download study.toml",
        study.to_toml_text(),
        "study.toml",
        "application/toml",
        icon=":material/download:",
        on_click="ignore",
    )
    uploader("hierarchy-upload", "Study file (TOML)", take_study)
    kind, text = st.session_state.get("hierarchy-said", ("", ""))
    if kind == "error":
        st.error(words.plain(text), icon=":material/error:")
    elif kind:
        st.success(words.plain(text), icon=":material/check_circle:")


st.title("Hierarchies")
data = require_dataset()
study = state.study()
if study is None:
    st.info("No column is a quasi-identifier yet: choose at least one on the Data page.", icon=":material/table:")
    st.page_link("pages/data.py", label="Go to Data", icon=":material/arrow_back:")
    st.stop()
st.markdown(
    "Each quasi-identifier is published as an interval of its hierarchy. The boxes show the intervals layer by layer, "
    "with the number of people in each: the further down, the more a published row tells. "
    "`[10, 50[` means from 10 up to, but not including, 50."
)
fill_fields(data, study)
show_rules(study, len(data.frame))
show_size(study, len(data.frame))
st.page_link("pages/recode.py", label="Next: Recode", icon=":material/arrow_forward:")
for attribute in study.attributes:
    show_attribute(data, attribute, study.k)
show_file(study)
