"""The address of a built-in or synthetic study: everything that makes the picture on the screen, and nothing else.

A link opens the same picture on every computer, and brings a study back after the browser was reloaded. What can stand
in a link is the list of fields of :class:`Link`. A table that was uploaded has no recipe (see :class:`state.Recipe`),
so there is nothing to build a link from; while one is in use, the address holds nothing at all.
"""

from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Annotated, Any, Literal, cast, get_args
from urllib.parse import urlencode

import streamlit as st
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints, ValidationError
from pydantic.fields import FieldInfo
from streamlit.runtime.scriptrunner import get_script_run_ctx

from cra_dashboard.session import datasets, keys, state
from cra_dashboard.session.view_choice import chosen_view, use_view
from cra_dashboard.texts import words
from cra_dashboard.texts.numbering import number_of
from cra_engine import Attribute, CRAError, Study, StudyError
from cra_engine.choices import AttackTies, Kind, Prior
from cra_engine.files.notation import decimal_in
from cra_engine.raw.synthesis import DEFAULT_RECORDS
from cra_engine.study.profile import FLOORED, SAFE
from cra_engine.words import listed, number_text

Hidden = Literal["menu", "bar", "settings", "tables"]
SCENE = "playground-scene"  # where the session keeps what the playground shows
_READ, _SAID, _OPTIONS = "link-read", "link-said", "link-options"
_FIELDS_OF_AN_ATTRIBUTE = "name, lower, upper, layers, fanout, resolution, unit"
_LONGEST, _LONGEST_UNIT, _SHOWN = 200, 20, 40
_MOST_RECORDS = 1_000_000


def _attribute(text: Any) -> Attribute:
    """An attribute from its text in a link; see :func:`_written`."""
    name, *parts = str(text).split(",", 6)
    if not 3 <= len(parts) <= 6:
        raise ValueError(_FIELDS_OF_AN_ATTRIBUTE)
    lower, upper, layers, fanout, resolution, unit = [*parts, *("2", "1", "")[len(parts) - 3 :]]
    plain = (number if len(number) <= _SHOWN else "" for number in (lower, upper, resolution))
    numbers = [number for number in map(decimal_in, plain) if number is not None]
    if len(numbers) < 3 or len(unit) > _LONGEST_UNIT:
        raise ValueError(_FIELDS_OF_AN_ATTRIBUTE)
    try:
        return Attribute(name, numbers[0], numbers[1], int(layers), int(fanout), numbers[2], unit)
    except StudyError as error:
        raise ValueError(str(error)) from None


def _listed(text: Any) -> tuple[str, ...]:
    return tuple(part for part in str(text).split(",") if part)


def _whole_numbers(text: Any) -> tuple[int, ...]:
    return tuple(int(part) for part in str(text)[:_LONGEST].split(","))


def _whole(lowest: int, highest: int) -> Any:
    return Field(ge=lowest, le=highest, description=f"a whole number from {lowest:,} to {highest:,}")


class Link(BaseModel):
    """A session's link: what its address can say; None, or empty, means as the study has it by itself.

    Attributes:
        example: a built-in table.
        kind: of a synthetic table; records, seed, correlation: what it is drawn with.
        attribute: the quasi-identifiers with their hierarchies, where they are not those of the table's own study.
        epsilon: of the profiles ``safe`` and ``floored``.
        k: smallest class; profile: how the publisher runs ARX; ties: how the attack treats states that tie;
            prior: how it weighs tables.
        recoding: how a release was made that this is the study of, and ``suppressed``: whether rows of it were
            suppressed afterwards; a study that was opened says so.
        step: of the recoding.
        part: the class that is looked at, by its number on the pages; the suppressed records come last.
        view: what the page shows of a grid of three or more attributes, see :func:`view_choice.chosen_view`.
        lesson: its name; lesson_step: how far it has got.
        size: larger type, for a projector.
        hide: what a teacher leaves out.
        scene: what the playground shows; only on its page.
    """

    model_config = ConfigDict(frozen=True, extra="ignore", arbitrary_types_allowed=True)

    example: Literal["toy", "ward", "clinic", "hospitals", "diabetes"] | None = Field(
        default=None, description="toy, ward, clinic, hospitals or diabetes"
    )
    kind: Kind | None = Field(default=None, description="toy, clinic or hospitals")
    records: Annotated[int, _whole(1, _MOST_RECORDS)] | None = None
    seed: Annotated[int, _whole(0, 2**31)] | None = None
    correlation: float | None = Field(default=None, ge=0, le=1, description="a number from 0 to 1")
    attribute: tuple[Annotated[Attribute, BeforeValidator(_attribute)], ...] = Field(
        default=(), max_length=8, description=f"a hierarchy ({_FIELDS_OF_AN_ATTRIBUTE}, with commas between)"
    )
    k: Annotated[int, _whole(2, _MOST_RECORDS)] | None = None
    profile: Annotated[str, StringConstraints(pattern=r"^(paper|arx-gui|safe|floored|0?\.\d{1,10})$")] | None = Field(
        default=None, description="paper, arx-gui, safe or a share between 0 and 1"
    )
    epsilon: Annotated[str, StringConstraints(pattern=r"^\d{1,4}(\.\d{1,12})?$")] | None = Field(
        default=None, description="a number above 0"
    )
    ties: AttackTies | None = Field(default=None, description="sound or paper")
    prior: Prior | None = Field(default=None, description="distinct, independent or assignments")
    recoding: Literal["local", "global", "repaired"] | None = Field(
        default=None, description="local, global or repaired"
    )
    suppressed: Literal["more"] | None = Field(default=None, description="more")
    step: Annotated[int, _whole(0, _MOST_RECORDS)] | None = None
    part: Annotated[int, _whole(0, _MOST_RECORDS)] | None = Field(default=None, alias="class")
    view: Annotated[tuple[int, ...], BeforeValidator(_whole_numbers)] | None = Field(
        default=None, description="whole numbers with commas between"
    )
    lesson: Annotated[str, StringConstraints(pattern=r"^[a-z0-9-]{1,40}$")] | None = Field(
        default=None, description="the name of a lesson"
    )
    lesson_step: Annotated[int, _whole(0, 100)] | None = None
    size: Literal["large"] | None = Field(default=None, description="large")
    hide: Annotated[tuple[Hidden, ...], BeforeValidator(_listed)] = Field(
        default=(), description="some of menu, bar, settings and tables, with commas between"
    )
    scene: Annotated[str, StringConstraints(pattern=r"^[a-z0-9.~-]{1,8000}$")] | None = Field(
        default=None, description="a scene of the playground"
    )

    @property
    def recipe(self) -> state.Recipe | None:
        """The table; None where the link names none. A built-in table goes before a synthetic one."""
        if self.example is not None:
            return state.Recipe(self.example)
        if self.kind is None:
            return None
        records = self.records or DEFAULT_RECORDS[self.kind]
        return state.Recipe(self.kind, records, self.seed or 0, 1.0 if self.correlation is None else self.correlation)


def _meaning(field: FieldInfo) -> str:
    """What a field of a link may hold; the bounds stand in the notes of its type."""
    return field.description or next(
        note.description for note in get_args(get_args(field.annotation)[0]) if getattr(note, "description", None)
    )


# Every parameter by its name in the address, with what it may hold.
_NAMES = {field.alias or name: _meaning(field) for name, field in Link.model_fields.items()}


def parse(parameters: Mapping[str, list[str]]) -> tuple[Link, list[str]]:
    """Read a link from an address's parameters; what makes no sense is left out, with a sentence that says so."""
    given: dict[str, Any] = {
        name: values if name == "attribute" else values[-1]
        for name, values in parameters.items()
        if values and name in _NAMES
    }
    problems = []
    try:
        return Link.model_validate(given), []
    except ValidationError as error:
        for name in dict.fromkeys(str(problem["loc"][0]) for problem in error.errors()):
            value = given.pop(name)
            shown = ", ".join(value) if isinstance(value, list) else value
            shown = shown if len(shown) <= _SHOWN else f"{shown[:_SHOWN]}…"
            problems.append(f"{name} is {shown!r} in the link, not {_NAMES[name]}")
    return Link.model_validate(given), problems


def parameters(link: Link) -> dict[str, list[str]]:
    """Return a session's link as an address's parameters; what :func:`parse` reads gives the same link again."""
    result: dict[str, list[str]] = {}
    for field, value in link:
        name = Link.model_fields[field].alias or field
        if name == "attribute":
            texts = [_written(attribute) for attribute in value]
        elif value is None or value == ():
            continue
        else:
            texts = [",".join(str(part) for part in value) if isinstance(value, tuple) else str(value)]
        if texts:
            result[name] = texts
    return result


def query(link: Link) -> str:
    """Return a session's link as the part of an address after the question mark."""
    return urlencode(parameters(link), doseq=True, safe=",")


def _written(attribute: Attribute) -> str:
    numbers = (attribute.lower, attribute.upper, attribute.layers, attribute.fanout, attribute.resolution)
    texts = (number_text(number) if isinstance(number, Decimal) else str(number) for number in numbers)
    return ",".join((attribute.name, *texts, attribute.unit[:_LONGEST_UNIT]))


# ---------------------------------------------------------------- the session as a link


def options() -> Link:
    """Return the part of the link that belongs to no study: what a teacher chose by the address, and the lesson."""
    return cast("Link", st.session_state.get(_OPTIONS, Link()))


def use_options(**chosen: Any) -> None:
    """Change some of the link's :func:`options`: ``lesson``, ``lesson_step``, ``size``, ``hide``."""
    st.session_state[_OPTIONS] = options().model_copy(update=chosen)


def current(page: str) -> Link | None:
    """Return the session as a link; None where there is no table, or one that a link must not or cannot carry.

    Args:
        page: the page's name in the address; it decides whose view is meant.
    """
    data, study = state.dataset(), state.study()
    if data is None or data.recipe is None or data.own_study is None or study is None:
        return None
    own = data.own_study
    if (study.privacy, study.quality) != (own.privacy, own.quality):
        return None  # an address has no place for them
    if study.earlier or not all(isinstance(a, Attribute) and _fits(a) for a in study.attributes):
        return None
    recipe, chosen = data.recipe, st.session_state
    return Link.model_construct(
        **(
            {"example": recipe.kind}
            if recipe.records is None
            else {
                "kind": recipe.kind,
                "records": recipe.records,
                "seed": recipe.seed,
                "correlation": recipe.correlation,
            }
        ),
        attribute=() if study.attributes == own.attributes else cast("tuple[Attribute, ...]", study.attributes),
        k=None if study.k == own.k else study.k,
        profile=None if study.profile == own.profile else str(study.profile),
        epsilon=None if study.epsilon is None else number_text(study.epsilon),
        ties=None if state.ties() == "sound" else state.ties(),
        prior=state.weighing().prior,
        recoding=study.recoding or None,
        suppressed="more" if study.more_suppressed else None,
        step=chosen.get(keys.step()) or None,
        part=_number_at(chosen.get(keys.chosen_class())),
        view=chosen_view(study.attributes, page.replace("_", "-")),
        scene=_scene_of(page),
        **{name: getattr(options(), name) for name in ("lesson", "lesson_step", "size", "hide")},
    )


def carried() -> str:
    """Say to who copies a link what it opens, and what of this session it leaves out."""
    data, study = state.dataset(), state.study()
    own = None if data is None else data.own_study
    roles = own is not None and study is not None and study.roles != own.roles.without(study.names)
    return (
        "Opens this page as it stands now: the table, the settings, the step, the class"
        f"{'; not the roles that you gave to columns' * roles}. On another computer the program must run there, at the "
        "address before the question mark."
    )


def _scene_of(page: str) -> str | None:
    """What the playground shows, on its own page."""
    return cast("str | None", st.session_state.get(SCENE)) if page == "playground" else None


def _fits(attribute: Attribute) -> bool:
    """Whether an attribute's text can be read again."""
    try:
        return _attribute(_written(attribute)) == attribute
    except (ValueError, ArithmeticError):
        return False


# ---------------------------------------------------------------- the address


def followed() -> bool:
    """Return whether this session has looked at its address."""
    return cast("bool", st.session_state.get(_READ, False))


def follow(page: str) -> None:
    """Do what the session's address asks for: at its start, and when the person goes back or forward in the browser.

    At any other time the address only tells what the session shows; see :func:`show`.
    """
    new = not followed()
    st.session_state[_READ] = True
    data = state.dataset()
    # Going back must not throw away a table that somebody uploaded in the meantime.
    if not new and (not _history() or (data is not None and data.recipe is None)):
        return
    link, problems = parse({name: st.query_params.get_all(name) for name in st.query_params})
    if link.scene is not None:
        st.session_state[SCENE] = link.scene
    if not new and link.recipe is None:
        return
    problems += _use(link, page)
    st.session_state[_SAID] = problems
    if new or link.lesson is not None:
        use_options(**{name: getattr(link, name) for name in ("lesson", "lesson_step", "size", "hide")})


def problems() -> list[str]:
    """Return what was wrong with the link that was just followed; asked once, then forgotten."""
    return cast("list[str]", st.session_state.pop(_SAID, []))


def to_copy(page: str) -> Link | None:
    """Return the session as a link, before there is a table, too; None for what a link must not carry."""
    if state.dataset() is None:
        return options().model_copy(update={"scene": _scene_of(page)})
    return current(page)


def show(page: str) -> None:
    """Make the address tell what the session shows; before an uploaded table it tells nothing."""
    wanted = parameters(to_copy(page) or Link())
    if {name: st.query_params.get_all(name) for name in st.query_params} != wanted:
        # from_dict with nothing in it tells the browser nothing, so that the old address would stay.
        if wanted:
            st.query_params.from_dict(wanted)
        else:
            st.query_params.clear()


def _history() -> bool:
    context = get_script_run_ctx()
    return context is not None and context.is_history_navigation


def _use(link: Link, page: str) -> list[str]:
    """Open the study of a link; sentences on what did not fit."""
    recipe = link.recipe
    if recipe is None:
        return []
    try:
        data, own = datasets.remade(recipe)
    except CRAError as error:
        return [str(error)]
    before, said = state.dataset(), []
    if before is None or before.recipe != recipe:
        state.use_dataset(data, own)
    else:
        data = before
    study, present = own, state.study()
    # Roles of columns are in no address: names of columns may tell something. Those of this session stay.
    roles = own.roles if present is None or data is not before else present.roles
    unknown = [a.name for a in link.attribute if a.name not in data.frame.columns]
    if unknown:
        said.append(f"The table has no column {listed([repr(name) for name in unknown], 'or')}")
    try:
        profile = link.profile or own.profile
        study = Study(
            own.attributes if unknown or not link.attribute else link.attribute,
            link.k or own.k,
            Decimal(profile) if isinstance(profile, str) and "." in profile else profile,
            own.privacy,
            roles=roles.without(a.name for a in link.attribute or own.attributes),
            epsilon=link.epsilon if profile in (SAFE, FLOORED) else None,
            quality=own.quality,
            more_suppressed=link.suppressed == "more",
            recoding=link.recoding or "",
        )
    except CRAError as error:
        said.append(str(error).rstrip("."))
    state.use_study(study)
    state.use_ties(link.ties or "sound")
    state.use_weighing(state.Weighing(link.prior))
    _put(keys.step(), link.step)
    _put(keys.chosen_class(), _place_of(link.part))
    if link.view is not None and not use_view(study.attributes, page.replace("_", "-"), link.view):
        said.append(f"The grid has no view {link.view}")
    return said


def _number_at(place: int | None) -> int | None:
    """The number on the pages of the class at the place that the session keeps; the suppressed keep their place."""
    return None if place is None else dict(_numbered()).get(place, place)


def _place_of(number: int | None) -> int | None:
    return None if number is None else {shown: place for place, shown in _numbered()}.get(number, number)


def _numbered() -> list[tuple[int, int]]:
    """The place of each class of the session's release, and its number; none where there is no release."""
    try:
        release = state.recoding().release
    except CRAError:  # the page says why
        return []
    return [(place, number_of(release, place)) for place in range(len(release.classes))]


def _put(key: str, value: int | None) -> None:
    if value is None:
        st.session_state.pop(key, None)
    else:
        st.session_state[key] = value


def sentence(problems: Iterable[str]) -> str:
    """Say what was wrong with a link, and what happens instead."""
    return f"{'; '.join(words.sentence(problem) for problem in problems)}. The rest of the link is used as it stands."
