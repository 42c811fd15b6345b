"""Questions of the page Data on roles: which columns others know, and what becomes of the rest."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Literal

import streamlit as st

from cra_dashboard.panels.frame import left_to_publish
from cra_dashboard.roles.question import ADVISED, NAMED, SEARCHED, Question, noted
from cra_dashboard.session import decisions, state
from cra_dashboard.session.fields import act
from cra_dashboard.session.kept import Kept
from cra_dashboard.texts import words
from cra_engine import Study
from cra_engine.checks.outcome import CheckedColumn
from cra_engine.raw import contents
from cra_engine.risk.uniques import cell_codes, unique_records
from cra_engine.study.grid import MAX_CELLS, MAX_CODES
from cra_engine.study.lattice import MAX_STATES
from cra_engine.study.roles import Role
from cra_engine.words import how_many, listed, percent

MOST_CELLS = 4  # that a question shows of a column
Answer = Role | Literal["known", "only here"]  # only here: sensitive, and nobody has its exact numbers from elsewhere
SAID: dict[Answer, str] = {
    "known": "known to others, made coarser",
    "sensitive": "sensitive",
    "only here": "as it stands",
    "removed": "removed",
}
ANSWERS = "Known: it goes out in groups. Sensitive: as it stands, but no group may share one value. Keep: as it stands."
REASON = " Check asks for a reason where this one is called so"
BY_FEW = ", if more than {} of the people are alone by all such columns together"  # of one that few share alone
MEANS: dict[Role, str] = {
    "quasi-identifier": "Others, such as a colleague, neighbour or relative, may know it of a person. It goes out in "
    "groups.",
    "removed": "It does not go out.",
    "sensitive": "Nobody is to learn it of a person from the table, such as a diagnosis, even if relatives know it. It "
    "goes out as it stands; every group has to show different values of it, for which groups may get wider.",
    "kept": "It goes out as it stands, and makes the groups smaller for whoever knows it of a person.",
}
HERE = "Whoever finds the row learns all that it says. Your answer stands in the verdict."
FEWEST_ITEMS, MOST_ANSWERS = 5, 11  # of a questionnaire: columns, and answers to each, such as 0 to 10
_ITEM = re.compile(r"\d+$")
_INSTEAD: Kept[bool] = Kept("cra_known_instead")  # of a table and study: whether another column is asked for


def asked(found: tuple[contents.Column, ...]) -> Iterator[Question]:
    """Give Data's questions on which columns others know."""
    study, able = state.study(), able_to_be_known(found)
    if study is None and able:
        likely = [one.name for one in found if one.name in able and (not one.direct or one.holds == "dates")]
        yield Question("known to others", partial(ask_first_known, likely or able), (likely or able)[0], more=True)
    if _INSTEAD.of(_now()) and (others := in_place_of_last(found)):
        yield Question("known instead", partial(ask_instead, others), others[0], more=True)
    for born in births(found):
        yield Question(f"birth by {born.name}", partial(ask_birth, born), born.name, more=True)
    undecided = (*decisions.open_questions(), *decisions.known_to_others())
    advised = {one.name: _advised(one, able) for one in undecided}
    if exact := {one.name: one.alone for one in undecided if one.alone and one.numbers}:
        yield Question("exact numbers", partial(ask_exact, exact, advised, able), next(iter(exact)), more=True)
        undecided = tuple(one for one in undecided if one.name not in exact)
    for column in undecided:
        ask = partial(ask_role, undecided, advised, able)
        yield Question(f"role of {column.name}", ask, undecided[0].name, more=True)
    if study is not None and len(fitting(study)) < len(study.names) and SEARCHED not in noted():
        yield Question("too many", partial(ask_too_many, study))


def asked_at_last(found: tuple[contents.Column, ...]) -> Iterator[Question]:
    """Give Data's question on what becomes of columns in which nothing identifying is seen."""
    # What others know comes first: what is proposed for the rest depends on it.
    if state.study() is not None and (proposed := decisions.proposals()):
        yield Question("proposals", partial(ask_proposals, proposed, able_to_be_known(found)), next(iter(proposed)))


def able_to_be_known(found: tuple[contents.Column, ...]) -> list[str]:
    """Return the columns that Data lets somebody call known to others: those with a hierarchy."""
    study = state.study()
    # Text with many values can be one too, once the Hierarchies page has given it a hierarchy file.
    return [one.name for one in found if one.hierarchy is not None or (study is not None and one.name in study.names)]


def in_place_of_last(found: tuple[contents.Column, ...]) -> list[str]:
    """Return the columns that others may know in place of the only one that they know now."""
    study = state.study()
    return [name for name in able_to_be_known(found) if study and len(study.names) == 1 and name not in study.names]


def begin_instead() -> None:
    """Let Data ask which column others know in place of the only one that they know."""
    _INSTEAD.keep(_now(), value=True)


def _now() -> tuple[object, ...]:
    data = state.dataset()
    return (data and data.digest, state.study())


def ask_instead(others: list[str]) -> None:
    """Ask on Data which column others know in place of the only one that they know: one is needed."""
    study = state.study()
    if study is None:
        return
    (last,) = study.names
    st.markdown(f"**{words.plain(last)}** is the only column that others know, and one is needed. Which in its place?")
    with st.container(horizontal=True):
        for name in others[:NAMED]:
            act(f"Others may know {words.plain(name)}", make_known_instead, last, name, key=f"data-instead-{name}")
        act(f"{words.plain(last)}, as before", _INSTEAD.drop, key="data-instead-last")
    if len(others) > NAMED:
        st.caption("The others are in the list Known to others below: add one, then take this one out.")


def make_known_instead(last: str, name: str) -> None:
    """Let others know a column in place of the only one that they knew, about which Data asks anew."""
    with state.one_change():
        make_known(name)
        ask_role_anew(last)


def ask_role_anew(name: str) -> None:
    """Let Data ask anew what a column is."""
    study = state.study()
    if study is not None and name in study.names:
        others = [one for one in study.attributes if one.name != name]
        state.use_study(study.changed(attributes=others))
    decisions.give({name: "undecided"})
    decisions.drop(decisions.on_role(name))


def births(found: tuple[contents.Column, ...]) -> Iterator[contents.Column]:
    """Give for Data the days of birth that were removed as proposed: people want the year, which can be had."""
    so_far = [one.what for one in decisions.noted()]
    removed = {one.name for one in decisions.columns() if one.role == "removed"}  # none where there is no study yet
    for column in found:
        attribute, said = column.hierarchy, decisions.AS_PROPOSED.format(column.name)
        if attribute is None or not attribute.dates or column.name not in removed or said not in so_far:
            continue
        if decisions.STAYS_OUT.format(column.name) not in so_far[so_far.index(said) :]:
            yield column


def ask_birth(column: contents.Column) -> None:
    """Ask on Data whether a day of birth is published in groups of years."""
    name, attribute = words.plain(column.name), column.hierarchy
    reason = column.looks.reason if column.looks else ""
    if attribute is None:
        return
    wide = next(node.values for node in attribute.layer_nodes[0] if not node.coded)  # not "before 1930", one value
    st.markdown(
        f"**{name}** is removed, as proposed: {words.plain(reason)}. Most readers need an age: groups of years give it "
        "and hide the day."
    )
    with st.container(horizontal=True):
        act(
            f"Publish {name} in groups of {how_many(wide, attribute.unit)}",
            make_known,
            column.name,
            type="primary",
            key=f"data-born-years-{column.name}",
        )
        act(
            f"Leave {name} out",
            decisions.decide,
            decisions.STAYS_OUT.format(column.name),
            key=f"data-born-out-{column.name}",
        )
    st.caption(
        f"Others may know when somebody was born. Narrower groups, down to a single {attribute.unit}: Hierarchies.",
        help="Check may make the groups wider, and says so.",
    )


def ask_first_known(able: list[str]) -> None:
    """Ask on Data for a first column that others know, where no column looks like one: without any nothing goes out."""
    st.markdown(
        "No column looks like one that others, such as a colleague, neighbour or relative, know of a person. Which one "
        "do they know, such as an age or a place?"
    )
    with st.container(horizontal=True):
        for place, name in enumerate(able[:NAMED]):
            looks: Literal["primary", "secondary"] = "secondary" if place else "primary"
            act(f"Others may know {words.plain(name)}", make_known, name, type=looks, key=f"data-first-known-{name}")
    if len(able) > NAMED:
        st.caption("The others are in the list Known to others below.")


def ask_exact(alone: Mapping[str, str], advised: Mapping[str, Answer], able: list[str]) -> None:
    """Ask on Data whether others can have the exact numbers of columns, by which they would find rows.

    Args:
        alone: by column how many people have a number that nobody else has: ``148 of 150``.
        advised: by column what is advised, of others too.
        able: columns that have a hierarchy.
    """
    advised = {name: advised[name] for name in alone}
    (first, many), *others = alone.items()
    one = not others
    told = f"{many} people have one that nobody else has"
    if one:
        said = f"**{words.plain(first)}** holds exact numbers, and {told}"
    else:
        more = [f"**{words.plain(name)}** ({of})" for name, of in others]
        said = f"Exact numbers stand in {listed([f'**{words.plain(first)}** ({told})', *more])}"
    st.markdown(
        f"{said}. Could anybody have a person's exact number from elsewhere, such as a pay slip, a bill or another "
        "table?"
    )
    alike = len(set(advised.values())) == 1
    if not alike:
        act(f"All {len(alone)} as advised", take_advised, advised, type="primary", key="data-advised")
        st.caption(f"Advised: {_said_advised(advised)}.")
    _answer_exact(list(alone), "it" if one else "them", able, advised[first] if alike else None)
    asks = "; after No against the advice, Check asks for a reason" if set(advised.values()) - {"only here"} else ""
    stands = "it stands" if one else "they stand"
    st.caption(f"As {stands}, whoever has somebody's number finds the row{asks}.", help=HERE)
    if not one:
        with st.expander("Each column by itself"):
            for name in alone:
                _answer_exact([name], words.plain(name), able, None)


def _answer_exact(names: list[str], it: str, able: list[str], best: Answer | None) -> None:
    """The answers for some columns of exact numbers, of which one may be advised."""
    stand = "they stand" if it == "them" else "it stands"
    answers: dict[Answer, str] = {
        "known": f"Yes: publish {it} in groups",
        "only here": f"No, only this clinic has {it}: as {stand}",
        "removed": f"Remove {it}",
    }
    with st.container(horizontal=True):
        for answer, label in answers.items():
            if answer != "known" or set(names) <= set(able):
                looks: Literal["primary", "secondary"] = "primary" if answer == best else "secondary"
                does = answer.replace(" ", "-")
                key = f"data-{does}-{names[0]}" if len(names) == 1 else f"data-all-{does}"
                act(label, take_advised, dict.fromkeys(names, answer), type=looks, key=key)


def ask_role(undecided: tuple[CheckedColumn, ...], advised: Mapping[str, Answer], able: list[str]) -> None:
    """Ask on Data for the role of the first undecided column; all of them can be answered as advised."""
    column, advised = undecided[0], {one.name: advised[one.name] for one in undecided}
    name, best = words.plain(column.name), advised[column.name]
    if column.untold:
        why = f" holds {_some_cells(column.name)}: {column.reason}."
    elif column.identifying:
        why = f" {'says' if column.direct else 'nearly says'} who somebody is: {column.reason}."
    else:
        why = f": {column.reason}."
    unsure = " Not sure? Say that others may know it." * column.untold
    st.markdown(f"**{name}**{words.plain(why)} What becomes of it?{unsure}")
    answers: list[tuple[str, str, Callable[[], None]]] = [
        (f"Others may know {name}", "known", partial(make_known, column.name)),
        (f"Remove {name}", "removed", partial(decisions.give, {column.name: "removed"})),
        (f"{name} is sensitive", "sensitive", partial(decisions.give, {column.name: "sensitive"})),
        (f"Keep {name}", "kept", partial(decisions.give, {column.name: "kept"})),
    ]
    with st.container(horizontal=True):
        for label, role, do in answers:
            if role != "known" or column.name in able:
                looks: Literal["primary", "secondary"] = "primary" if role == best else "secondary"
                act(label, do, type=looks, key=f"data-{role}-{column.name}")
    st.caption(_alone_if_known((column.name,)))
    if_many = BY_FEW.format(percent(float(decisions.rule().alone))) * column.few_share
    st.caption(ANSWERS, help=_meaning(MEANS, f"{REASON}{if_many}." * column.found_by))
    if len(battery := _battery(column, undecided)) >= FEWEST_ITEMS:
        label = words.plain(f"All {len(battery)} alike, {battery[0]} to {battery[-1]}, are sensitive")
        act(label, decisions.give, dict.fromkeys(battery, "sensitive"), key="data-battery")
    if len(undecided) > 1:
        st.caption(f"{len(undecided)} columns are asked about. Advised: {_said_advised(advised)}.")
        act(f"All {len(undecided)} as advised", take_advised, advised, type="primary", key="data-advised")


def _meaning(roles: Iterable[Role], of_sensitive: str = "") -> str:
    """What it means that a column has one of some roles, a line each, with more of one that is sensitive."""
    called = {"quasi-identifier": "Known"}
    said = {role: f"{MEANS[role]}{of_sensitive * (role == 'sensitive')}" for role in roles}
    return "\n".join(f"- **{called.get(role, words.sentence(role))}**: {told}" for role, told in said.items())


def _alone_if_known(names: Sequence[str]) -> str:
    """How many are alone in the table as it stands, if others know some columns besides and if they do not."""
    data, study = state.dataset(), state.study()
    if data is None or study is None:
        return ""

    def count() -> tuple[int, int, int]:
        left = left_to_publish(data, study)
        codes = [cell_codes(left[name]) for name in (*study.names, *names)]
        alone, before = (int(unique_records(of, len(left)).sum()) for of in (codes, codes[: len(study.names)]))
        return alone, before, len(left)

    alone, before, records = state.once("alone if known", (data.digest, study, names), count)
    return words.plain(
        f"Before groups are made, {before:,} of {how_many(records, 'person', 'people')} "
        f"{'is' if before == 1 else 'are'} alone by what others know; "
        f"with {listed(names) if len(names) <= NAMED else 'all of these'}, too, {alone:,}."
    )


def _battery(column: CheckedColumn, undecided: tuple[CheckedColumn, ...]) -> list[str]:
    """The columns asked about that are items of one questionnaire with this one: but for a number called alike."""
    few = [one.name for one in undecided if one.untold and one.distinct <= MOST_ANSWERS]
    return [name for name in few if _ITEM.sub("", name) == _ITEM.sub("", column.name) != column.name]


def _some_cells(name: str) -> str:
    """The most frequent cells of a column, as one would tell somebody what it looks like."""
    data = state.dataset()
    counted = next((one.counted for one in state.columns_of(data) if one.name == name), ()) if data else ()
    more = ["others"] if len(counted) > MOST_CELLS else []
    return listed([*(f"“{text[:30]}”" for text, _ in counted[:MOST_CELLS]), *more]) or "numbers"


def _advised(column: CheckedColumn, able: list[str]) -> Answer:
    """What a person is advised: sensitive where it looks so, known to others where it can be coarser, else removed.

    Of numbers only what is measured or scored in the clinic stays as it is: others may have an income from elsewhere.
    """
    if column.numbers == "measured" and column.alone:
        return "only here"
    if column.proposed == "sensitive" and not column.direct and column.numbers != "others":
        return "sensitive"
    return "known" if column.name in able and not column.direct else "removed"


def _said_advised(advised: Mapping[str, Answer]) -> str:
    named = {role: [name for name, of in advised.items() if of == role] for role in SAID}
    parts = [f"{SAID[role]}: {listed(names)}" for role, names in named.items() if names]
    return words.plain("; ".join(parts))


def take_advised(advised: Mapping[str, Answer]) -> None:
    """Answers several questions about columns at once, such as all as advised."""
    with state.one_change():
        others = {name: answer for name, answer in advised.items() if answer != "known"}
        decisions.give({name: answer for name, answer in others.items() if answer != "only here"})
        here = [name for name, answer in others.items() if answer == "only here"]
        decisions.give(dict.fromkeys(here, "sensitive"), only_here=True)
        for name, role in advised.items():
            if role == "known":
                make_known(name)


def ask_too_many(study: Study) -> None:
    """Ask on Data which columns known to others go out, where they are too many to be published together."""
    kept = fitting(study)
    others = [name for name in study.names if name not in kept]
    known = f"**{how_many(len(study.names), 'column')}** that others know are too many"
    if len(fitting(study, MAX_CODES)) < len(study.names):
        st.markdown(f"{known} to publish together.")
    else:
        st.markdown(
            f"{known} to try all ways in which somebody could be singled out. As they are, Check looks at the groups "
            "alone, and says what nobody looked at."
        )
    with st.container(gap="xxsmall"):
        choose = "Let Make it publishable choose"
        act(choose, decisions.decide, SEARCHED, type="primary", key="data-too-many-searched")
        st.caption(f"{ADVISED}on Check it makes them coarser, or leaves some out. Say there what has to stay.")
    with st.container(gap="xxsmall"):
        act(
            f"Keep {len(kept)} of them, remove the other{'s' * (len(others) > 1)}",
            decisions.keep_known,
            kept,
            key="data-too-many",
        )
        st.caption(f"Removed: {words.plain(listed(others))}.")


def fitting(study: Study, most: int = MAX_CELLS) -> tuple[str, ...]:
    """Return the first quasi-identifiers that can keep their role together with the hierarchies as they are.

    Args:
        study: of the page Data.
        most: cells of the grid, as many as can be attacked when left out.
    """
    kept: list[str] = []
    leaves = layers = 1
    for attribute in study.attributes:
        if leaves * attribute.leaves <= most and layers * attribute.layers <= MAX_STATES:
            leaves, layers = leaves * attribute.leaves, layers * attribute.layers
            kept.append(attribute.name)
    return tuple(kept)


def ask_proposals(proposed: Mapping[str, Role], able: list[str]) -> None:
    """Ask on Data what columns are in which nothing identifying is seen: as proposed at once, or each by itself."""
    roles = list(proposed.values())
    keep, sensitive = roles.count("kept"), roles.count("sensitive")
    one = words.plain(next(iter(proposed))) if len(proposed) == 1 else ""
    # All of them are named: what stands behind "and more" would go out unseen.
    does = [f"Keep {one or how_many(keep, 'column')}"] if keep else []
    does += [f"call {one or how_many(sensitive, 'column')} sensitive"] if sensitive else []
    st.markdown(
        f"{how_many(len(proposed), 'column')} without a role, in which nothing identifying is seen. "
        f"Proposed: {words.plain(decisions.decision_text(proposed))}."
    )
    known = [name for name, role in proposed.items() if (role == "kept" or one) and name in able]
    with st.container(horizontal=True):
        act(words.sentence(", ".join(does)), decisions.give, proposed, type="primary", key="data-take")
        if known:
            label = f"Others may know {words.plain(known[0]) if len(known) == 1 else f'these {len(known)}'}"
            advised = {**proposed, **dict.fromkeys(known, "known")}
            act(label, take_advised, advised, key="data-take-known")
        if one:
            _other_roles(next(iter(proposed)), proposed, [])
    st.caption(_alone_if_known(tuple(proposed)), help=_meaning(dict.fromkeys(roles)))
    if len(proposed) > 1:
        with st.expander("Each column by itself"):
            for name in proposed:
                with st.container(horizontal=True):
                    _other_roles(name, {}, able)


def _other_roles(name: str, but: Mapping[str, Role], able: list[str]) -> None:
    """The answers for one column, but those that stand beside already."""
    if name in able:
        act(f"Others may know {words.plain(name)}", make_known, name, key=f"data-known-{name}")
    said: tuple[tuple[Role, str], ...] = (
        ("removed", f"Remove {name}"),
        ("sensitive", f"{name} is sensitive"),
        ("kept", f"Keep {name}"),
    )
    for role, label in said:
        if but.get(name) != role:
            act(words.plain(label), decisions.give, {name: role}, key=f"data-{role}-{name}")


def make_known(name: str) -> None:
    """Give a column the role of a quasi-identifier, with the hierarchy proposed for it."""
    data, study = state.dataset(), state.study()
    if data is None:
        return
    reason = next((column.reason for column in decisions.columns() if column.name == name), "")
    found = state.columns_of(data)
    state.use_study(contents.with_quasi_identifiers(study, found, [*(study.names if study else ()), name]))
    if study is None:
        decisions.note_removed()
    decisions.note(decisions.KNOWN.format(name), reason, over=decisions.on_role(name))
