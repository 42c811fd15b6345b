"""The fields by which a plan is put together on the page Experiments."""

from typing import Any, Literal

import streamlit as st
import tomlkit

from cra_dashboard.experiments.plan import STUDY, TABLE, SessionTable, possible_layers
from cra_dashboard.session import fields
from cra_dashboard.session.fields import act
from cra_engine import Study, StudyError
from cra_engine.choices import RecodeTies
from cra_engine.raw.synthesis import synthetic_study
from cra_engine.study.hierarchy import Hierarchy

SourceKind = Literal["clinic", "hospitals", "toy", "session"]

SOURCES: dict[SourceKind, str] = {
    "clinic": "Clinic: invented patients",
    "hospitals": "Hospitals: invented",
    "toy": "Toy: invented people",
}
RECORDS: dict[SourceKind, int] = {"clinic": 200, "hospitals": 400, "toy": 60}
POOLS: dict[SourceKind, int] = {"clinic": 500, "hospitals": 1013, "toy": 200}
MOST_K, MOST_SAMPLES, MOST_RECORDS = 30, 1000, 1_000_000
PROFILES = {"paper": "As in the paper", "arx-gui": "As the ARX desktop program", "share": "With its own share"}
TIES: dict[RecodeTies, str] = {"paper": "As in the paper, by c3", "arx": "As ARX's own search does"}
_SMALLEST = 1e-6  # share of the records that a step must publish
_SOURCE = "experiment-source"


def choose_experiment(own: SessionTable | None, *, disabled: bool) -> tuple[str, SessionTable | None]:
    """Show the fields of the page Experiments.

    Args:
        own: the session's table, None where there is none with hierarchies.
        disabled: whether a run goes on, so that nothing may change.

    Returns:
        The plan file of what is in them; and the session's table, where records are drawn from it.

    Raises:
        StudyError: a set has no quasi-identifier.
    """
    options: list[SourceKind] = [*SOURCES] if own is None else [*SOURCES, "session"]
    if st.session_state.get(_SOURCE, options[0]) not in options:
        del st.session_state[_SOURCE]
    left, right = st.columns(2, gap="large")
    with left:
        source = fields.selectbox(
            "Records come from",
            options,
            format_func=lambda kind: SOURCES.get(kind) or f"Your table: {own.name if own else ''}",
            key=_SOURCE,
            disabled=disabled,
        )
        if own is None:
            st.caption("Your own table appears here once it has hierarchies: see the pages Data and Hierarchies.")
        drawn = own if source == "session" else None
        study = synthetic_study(source) if drawn is None else drawn.study
        sets = _sets(source, study, disabled)
    with right:
        ks = fields.slider("k, from and to", 2, MOST_K, (3, 7), key="experiment-k", disabled=disabled)
        with st.container(horizontal=True):
            samples = _number(
                "Samples", "samples", 1, MOST_SAMPLES, 5, disabled, "Each is published and attacked by itself."
            )
            most = MOST_RECORDS if drawn is None else len(drawn.table)
            records = _number(
                "Records in each",
                f"{source}-records",
                1,
                most,
                RECORDS.get(source) or max(1, round(0.8 * most)),
                disabled,
                "As many records as each sample is given." if drawn is None else "Drawn without replacement.",
            )
        st.markdown("Attacks, beside the one on each class:")
        singling_out = fields.checkbox(
            "Singling out, checked against the raw table", value=True, key="experiment-singling", disabled=disabled
        )
        tight = fields.checkbox(
            "All classes together",
            key="experiment-tight",
            disabled=disabled,
            help="Goes beyond the paper and takes much longer: seconds for each run.",
        )
        limit = {}
        if tight:
            limit["tight_time_limit"] = _number("Seconds for each run, at most", "seconds", 1, 3600, 20, disabled)
        pool, publisher = _more(source, study, records, disabled)
    for number, chosen in enumerate(sets, start=1):
        if not chosen["attributes"]:
            raise StudyError(f"Set {number} has no quasi-identifier; choose one, or remove the set.")
    whence = {"synthetic": source} if drawn is None else {"data": TABLE, "study": STUDY}
    dataset = {"name": source if drawn is None else drawn.name, **whence, **pool, "records": records, "sets": sets}
    each = {"samples": samples, "k": list(range(ks[0], ks[1] + 1)), "singling_out": singling_out}
    return tomlkit.dumps({**publisher, **each, **limit, "dataset": [dataset]}), drawn


def _number(label: str, key: str, low: int, high: int, value: int, disabled: bool, help_text: str | None = None) -> int:
    return int(
        fields.number_input(
            label, low, high, value, key=f"experiment-{key}", disabled=disabled, help=help_text, width=200
        )
    )


# ---------------------------------------------------------------- sets of quasi-identifiers


def _sets(source: SourceKind, study: Study, disabled: bool) -> list[dict[str, Any]]:
    """The sets; they are known by numbers that stay, so that removing one leaves the others as they are."""
    key = f"experiment-{source}-sets-{hash(study.attributes)}"
    numbers: list[int] = st.session_state.setdefault(key, list(range(len(_first_sets(study)))))

    def add() -> None:
        st.session_state[key] = [*numbers, max(numbers, default=-1) + 1]

    def remove(number: int) -> None:
        st.session_state[key] = [other for other in numbers if other != number]

    chosen = []
    for place, number in enumerate(numbers, start=1):
        with st.container(border=True):
            chosen.append(_set(f"{key}-{number}", place, number, study, disabled))
            if len(numbers) > 1:
                act(
                    f"Remove set {place}",
                    remove,
                    number,
                    key=f"{key}-{number}-remove",
                    icon="delete",
                    type="tertiary",
                    disabled=disabled,
                )
    act("Add a set", add, icon="add", key=f"{key}-add", disabled=disabled)
    return chosen


def _first_sets(study: Study) -> list[list[str]]:
    """What is chosen at first: two quasi-identifiers, and three where there are so many."""
    names = list(study.names)
    return [names[:2], names[:3]] if len(names) > 2 else [names]


def _set(key: str, place: int, number: int, study: Study, disabled: bool) -> dict[str, Any]:
    first = _first_sets(study)
    picked = fields.multiselect(
        f"Set {place}: quasi-identifiers",
        study.names,
        default=first[number] if number < len(first) else list(study.names),
        key=key,
        disabled=disabled,
    )
    with st.container(horizontal=True):
        asked = [attribute for attribute in study.attributes if attribute.name in picked]
        layers = [_layers(f"{key}-{attribute.name}", attribute, disabled) for attribute in asked]
    return {"attributes": [attribute.name for attribute in asked], "layers": layers}


def _layers(key: str, attribute: Hierarchy, disabled: bool) -> int:
    possible = possible_layers(attribute)
    return int(
        fields.selectbox(
            f"{attribute.name}: layers",
            possible,
            index=possible.index(attribute.layers),
            key=key,
            disabled=disabled or len(possible) == 1,
            width=130,
        )
    )


# ---------------------------------------------------------------- the rest


def _more(source: SourceKind, study: Study, records: int, disabled: bool) -> tuple[dict[str, int], dict[str, Any]]:
    """One table for all samples; the seed, and how the publisher runs ARX."""
    with st.expander("More settings"):
        pool = {}
        if source != "session" and fields.checkbox(
            "Draw all samples from one table",
            key=f"experiment-{source}-pooled",
            disabled=disabled,
            help="As the paper does. Otherwise each sample is a table of its own.",
        ):
            first = max(POOLS[source], records)
            pool["pool"] = _number("Records of that table", f"{source}-pool", 1, MOST_RECORDS, first, disabled)
        seed = _number("Seed", "seed", 0, 2**31 - 1, 1, disabled, "The same plan and seed give the same results.")
        own = str(study.profile) if str(study.profile) in PROFILES else "share"
        profile: str | float = fields.selectbox(
            "How the publisher runs ARX",
            list(PROFILES),
            index=list(PROFILES).index(own),
            format_func=lambda name: PROFILES[name],
            key=f"experiment-{source}-profile-{study.profile}",
            disabled=disabled,
            help="In the paper a step may publish a single class. The desktop program publishes at least 1 % of all "
            "records in a step.",
        )
        if profile == "share":
            given = float(study.profile) if own == "share" else 0.02
            share = fields.number_input(
                "Share of all records that a step must publish",
                _SMALLEST,
                1 - _SMALLEST,
                min(max(given, _SMALLEST), 1 - _SMALLEST),
                format="%.6f",
                key=f"experiment-{source}-share",
                disabled=disabled,
            )
            profile = round(share, 6)
        ties = fields.selectbox(
            "How ties are broken",
            list(TIES),
            format_func=lambda name: TIES[name],
            key="experiment-ties",
            disabled=disabled,
            help="Where two states lose exactly the same. It matters only where hierarchies are alike.",
        )
    return pool, {"seed": seed, "profile": profile, "ties": ties}
