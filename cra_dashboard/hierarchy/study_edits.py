"""Editing the study: what the fields of the Hierarchies page hold, what applies, what is refused and why.

A valid setting applies at once. A refused one stays in its field beside the reason, and the last valid study in use.
"""

import re
from datetime import date
from decimal import Decimal, InvalidOperation
from typing import Any, cast

import streamlit as st

from cra_dashboard.session import decisions, state
from cra_dashboard.session.datasets import study_for, too_few
from cra_dashboard.session.keys import HIERARCHY as CHOSEN
from cra_dashboard.session.messages import tell, telling
from cra_dashboard.session.uploads import File
from cra_dashboard.texts import words
from cra_engine import Attribute, CRAError, Study, StudyError, read_hierarchy
from cra_engine.files.tables import column_of
from cra_engine.raw.dates import day_in, order_of_dates
from cra_engine.raw.proposed_finest import propose_finest
from cra_engine.raw.proposed_hierarchy import Proposal, upper_that_fits
from cra_engine.study.hierarchy import Hierarchy
from cra_engine.words import number_text

FIELDS = ("lower", "upper", "resolution", "layers", "fanout", "unit")
CODED = ("below", "above")
FINEST, GAPS = "finest", "missing"
K, PROFILE, COLUMN = "hierarchy-k", "hierarchy-profile", "hierarchy-column"
_FILLED, _REFUSED = "hierarchy-filled", "hierarchy-refused"
_LARGEST = Decimal(10) ** 15
ISO = "%Y-%m-%d"
EXAMPLE = date(2010, 12, 31)


def field(name: str, setting: str) -> str:
    """Return the key of the field on Hierarchies for one setting of an attribute."""
    return f"hierarchy-{setting}-{name}"


def profile_name(profile: str | Decimal) -> str:
    """Return what a profile is called on Hierarchies."""
    return words.sentence(words.profile(profile))


def profile_text(profile: str | Decimal) -> str:
    """Say in one sentence what a profile on Hierarchies does."""
    if profile == "paper":
        return "ARX may publish a single class in each step."
    if profile == "safe":
        return "Coins decide what is published; its page is Safe recode."
    if profile == "floored":
        return "Coins decide what is published, and k people or more are left beside every class."
    if profile == "arx-gui":
        return (
            "Each step must publish at least 1 % of all records, the desktop program's default; "
            "the attack then concludes less."
        )
    return f"Each step must publish at least this share of all records: {profile}."


def fill_fields(data: state.Dataset, study: Study) -> None:
    """Fill the fields of Hierarchies with the study where it comes from elsewhere: a table, a file, a page."""
    if st.session_state.get(_FILLED) == (data.digest, study):
        return
    st.session_state[_FILLED] = (data.digest, study)
    st.session_state[_REFUSED] = {}
    st.session_state[K] = study.k
    st.session_state[PROFILE] = study.profile
    for attribute in study.attributes:
        _fill(attribute)


def _fill(attribute: Hierarchy) -> None:
    st.session_state[field(attribute.name, FINEST)] = attribute.finest
    st.session_state[field(attribute.name, GAPS)] = attribute.missing
    if not isinstance(attribute, Attribute):
        return
    settings = attribute.settings()
    for setting in (*FIELDS, *CODED):
        value = settings[setting]
        if isinstance(value, date):
            value = day_text(attribute.name, value)
        st.session_state[field(attribute.name, setting)] = number_text(value) if isinstance(value, Decimal) else value


def order_of(name: str) -> str:
    """Return how a column's days are written on Hierarchies, as ``strftime`` takes it; else year-month-day."""
    data = state.dataset()
    if data is None or name not in data.frame.columns:
        return ISO
    return state.once(f"order of {name}", data.digest, lambda: order_of_dates(column_of(data.frame, name))) or ISO


def day_text(name: str, day: date) -> str:
    """Write a day on Hierarchies as the session's table writes those of a column."""
    return day.strftime(order_of(name)) if day.year >= 1000 else day.isoformat()


def ways_of(name: str) -> str:
    """Say on Hierarchies how the dates of a column may be written, by an example."""
    return " or ".join(dict.fromkeys((day_text(name, EXAMPLE), EXAMPLE.isoformat())))


def refusal(of: str) -> str:
    """Return why the fields on Hierarchies of an attribute, or ``"k"``, do not apply; empty where they do."""
    return cast("dict[str, str]", st.session_state[_REFUSED]).get(of, "")


def take_attribute(name: str) -> None:
    """Apply the fields of one attribute on Hierarchies, or keep the reason why not."""
    study = state.study()
    if study is None or name not in study.names:
        return
    st.session_state[CHOSEN] = name  # what is changed is looked at
    own = study.attributes[study.names.index(name)]
    try:
        changed = own.changed(**_settings(own)) if isinstance(own, Attribute) else own
        changed = changed.with_finest(st.session_state[field(name, FINEST)])
        changed = changed.with_missing(st.session_state[field(name, GAPS)])
        _use(_with(study, changed))
    except CRAError as error:
        st.session_state[_REFUSED][name] = str(error)
        return
    if changed.missing != own.missing:
        decisions.note_gaps(name, changed.missing)


def take_rules() -> None:
    """Apply k and profile of Hierarchies; keep the reason where k does not apply."""
    study, data = state.study(), state.dataset()
    if study is None or data is None:
        return
    k, profile = st.session_state[K], st.session_state[PROFILE]
    st.session_state[_REFUSED].pop("k", None)
    if k > len(data.frame):
        st.session_state[_REFUSED]["k"] = too_few(k, len(data.frame))
        k = study.k
    _use(study.changed(k=k, profile=profile, epsilon=study.epsilon if profile == study.profile else None))


def put(attribute: Hierarchy) -> None:
    """Give an attribute other settings, in its fields on Hierarchies too."""
    study = state.study()
    if study is not None:
        _fill(attribute)
        _use(_with(study, attribute))


def take_study(files: list[File]) -> None:
    """Work with a study file uploaded on Hierarchies, and files that it names, unless of another table."""
    data = state.dataset()
    if data is None:
        return
    with telling("study", "The study stays as it was.", until_change=True):
        state.use_study(study_for(data, files))
        tell("study", "success", "The study is read; its settings stand above.", until_change=True)


def take_hierarchy(files: list[File], column: str, place: str) -> None:
    """Use an ARX file uploaded on Hierarchies for a column, which becomes a quasi-identifier if it is none yet."""
    study, data = state.study(), state.dataset()
    if data is None:
        return
    (file,) = files
    unit = next((attribute.unit for attribute in study.attributes if attribute.name == column), "") if study else ""
    with telling(place, "Nothing has changed.", until_change=True):
        hierarchy = read_hierarchy(file.content, column, unit, file.name)
        values, shown = study.roles.as_values if study else (), ""
        if column in data.frame.columns and not hierarchy.finest and hierarchy.layers > 2:
            finest, why = propose_finest(data.frame[column])
            hierarchy = hierarchy.with_finest(finest)
            shown = f" Its values are not shown by themselves: {why}." if finest else ""
        # A file of a hierarchy hardly lists "?", which a person may have called a value.
        own = next((one for one in state.columns_of(data) if one.name == column), None)
        whole = hierarchy if own is None else own.listed_in(hierarchy, values)
        state.use_study(_with(study, whole) if study else Study([whole], max(2, min(5, len(data.frame)))))
        st.session_state[CHOSEN] = column
        tell(place, "success", f"{file.name} is the hierarchy of {column} now.{shown}", until_change=True)


def mended(own: Attribute) -> Attribute | None:
    """Return what the fields on Hierarchies hold, with the next upper end that the layers divide; None if no help."""
    try:
        settings = _settings(own)
        lower, upper, resolution = (settings[setting] for setting in FIELDS[:3])
        if isinstance(lower, date) or isinstance(upper, date) or upper <= lower:
            return None
        fitting = upper_that_fits(lower, upper, resolution, settings["fanout"] ** (settings["layers"] - 1))
        return own.changed(**{setting: settings[setting] for setting in FIELDS} | {"upper": fitting})
    except (CRAError, ArithmeticError):
        return None


def suggested(proposal: Proposal, unit: str) -> Attribute:
    """Return the attribute proposed on Hierarchies with the unit that is known already."""
    new = proposal.attribute
    return new if new.dates else new.changed(unit=unit)


def _settings(own: Attribute) -> dict[str, Any]:
    """What the fields of an attribute hold."""
    values = {setting: st.session_state[field(own.name, setting)] for setting in (*FIELDS, *CODED)}
    return values | {setting: _end(own, setting) for setting in FIELDS[:3]}


def _end(own: Attribute, setting: str) -> Decimal | date:
    """An end of the domain, or the resolution; ends of a column of dates are dates."""
    if not own.dates or setting == "resolution":
        return _number(own.name, setting)
    text = st.session_state[field(own.name, setting)].strip()
    day = day_in(text, order_of(own.name))
    if day is not None:
        return day
    ways = ways_of(own.name)
    shape = [re.sub(r"[0-9]+", "0", text) == re.sub(r"[0-9]+", "0", way) for way in ways.split(" or ")]
    none = "there is no such day in the calendar; give one that there is" if any(shape) else f"give a date as {ways}"
    raise StudyError(f"Attribute {own.name!r}: {setting} is {text[:40]!r}; {none}.")


def _number(name: str, setting: str) -> Decimal:
    text = st.session_state[field(name, setting)].strip()
    try:
        value = Decimal(text)
    except InvalidOperation:
        hint = "write decimals with a point" if "," in text else "give a number"
        raise StudyError(f"Attribute {name!r}: {setting} is {text!r}; {hint}.") from None
    if value.is_finite() and abs(value) > _LARGEST:
        raise StudyError(f"Attribute {name!r}: {setting} has more than 15 digits; rescale the column.")
    return value


def _with(study: Study, changed: Hierarchy) -> Study:
    attributes = [changed if attribute.name == changed.name else attribute for attribute in study.attributes]
    if changed.name not in study.names:
        attributes.append(changed)
    if changed.name in study.names:
        st.session_state.get(_REFUSED, {}).pop(changed.name, None)
    return study.changed(attributes=attributes, roles=study.roles.without([changed.name]))


def _use(study: Study) -> None:
    """Work with a study that the fields hold already."""
    data = state.dataset()
    if data is not None:
        state.use_study(study)
        st.session_state[_FILLED] = (data.digest, study)
