"""What a finding advises, as steps: those that can be taken at once, and the way to where the rest is set."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from cra_dashboard.check import state as gate
from cra_dashboard.session import decisions, keys, state
from cra_dashboard.texts import words
from cra_engine import Check, LDiversity, TCloseness
from cra_engine.checks.findings import outsiders
from cra_engine.checks.labels import known_in
from cra_engine.checks.outcome import Finding
from cra_engine.criteria.models import PrivacyModel
from cra_engine.study.roles import Role
from cra_engine.words import duration, listed

DATA, HIERARCHIES, OTHER_WAYS = "pages/data.py", "pages/hierarchies.py", "pages/compare.py"
GLOBAL, SAFE = "pages/global_recoding.py", "pages/safe_recoding.py"
_ROLES, _LARGER, _WIDER = "Roles, on the page Data", "What a larger k costs", "Wider intervals, on Hierarchies"

# What asks for a column's role is settled by one: to accept it would leave the column undecided, and the release held.
_BY_ROLE = {"nearly-identifying"}


@dataclass(frozen=True)
class Step:
    """One thing that the page Check offers to do about a finding.

    Attributes:
        label: what the link, or the button, says.
        page: the page that it leads to; empty where one stays here.
        do: what it does at once; None for a mere link.
    """

    label: str
    page: str = ""
    do: Callable[[], None] | None = None


def steps(finding: Finding, checked: Check) -> tuple[Step, ...]:
    """Return what the page Check offers to do about a finding, the nearest first; none where nothing can be done."""
    return tuple(_steps(finding, checked))


def may_be_accepted(finding: Finding) -> bool:
    """Return whether the page Check lets a person accept a finding: none that stops, none that a role settles."""
    return finding.level == "attention" and finding.code not in _BY_ROLE


def _steps(finding: Finding, checked: Check) -> Iterator[Step]:
    match finding.code:
        case "identifying" | "nearly-identifying" | "identifying-kept" | "nearly-identifying-kept":
            for column in checked.columns:
                if finding.text.startswith(f"The column {column.name!r} "):
                    yield _give({column.name: "removed"})
                    if column.role == "undecided":
                        yield _give({column.name: "kept"})
            yield Step(_ROLES, DATA)
        case "no-names":
            yield Step("Upload the file with names, on Data", DATA)
        case "no-hierarchy":
            yield Step("Call it known to others, on Data", DATA)
            yield Step("Give its hierarchy, on Hierarchies", HIERARCHIES)
        case "no-sensitive" | "undecided":
            if decisions.proposals():
                yield _give(decisions.proposals())
            yield Step(_ROLES, DATA)
        case "known-to-others":
            for name in (*outsiders(checked.columns), *checked.unique.doubted):
                if repr(name) in finding.text:
                    yield _give({name: "removed"})
            yield Step(_ROLES, DATA)
        case "alone":
            if checked.unique.removed:
                yield _give(dict.fromkeys(checked.unique.removed, "removed"))
            yield Step("Or call them known to others, on Data", DATA)
        case "k":
            yield from _with_k(checked.rule.least(checked.study.k), checked)
        case "risk":
            yield from _with_k(math.ceil(1 / checked.rule.risk(checked.study.k)), checked)
        case "l-diversity" | "t-closeness":
            models = _models(finding.code, checked)
            # A criterion is told nothing by an empty cell, so that recoding by it refuses them.
            # Nor does a word for nothing tell the check apart from others, though a criterion counts it as a value.
            if not checked.study.safe and all(known_in(checked.frame[one.attribute]).all() for one in models):
                yield Step(f"Publish with {listed([str(one) for one in models])}", do=partial(_publish_with, models))
            yield Step(f"Global recode with {finding.code}", GLOBAL, partial(_ask_for, models))
            for name in [name for model in models for name in model.columns if f" of {name!r}" in finding.text]:
                yield _give({name: "removed"})
                yield _give({name: "kept"}, f"{name} need not be hidden: keep it")
            yield Step(_LARGER, OTHER_WAYS)
        case "privacy-model" if finding.level == "stop":
            yield Step("Global recode", GLOBAL)
        case "few-suppressed" | "suppressed-alike" if finding.level == "attention" and gate.sensitive_of(checked):
            yield Step("Leave their sensitive values out", do=partial(gate.without_sensitive, checked))
        case "certain" | "expected":
            if not checked.study.safe:
                yield Step("Publish by safe recoding, epsilon 1", do=_publish_safely)
            yield Step("Safe recode", SAFE)
            yield Step(_WIDER, HIERARCHIES)
            yield Step(_LARGER, OTHER_WAYS)
        case "all-suppressed":
            yield Step("k, on the page Hierarchies", HIERARCHIES)
        case "attack-out-of-time" if gate.seconds_for_attack() < gate.MOST_SECONDS:
            yield Step(f"Look longer: up to {duration(2 * gate.seconds_for_attack())}", do=gate.look_longer)


def _give(roles: dict[str, Role], label: str = "") -> Step:
    return Step(label or words.sentence(decisions.decision_text(roles)), do=partial(decisions.give, roles))


def _publish_with(models: tuple[PrivacyModel, ...]) -> None:
    study = state.study()
    if study is not None:
        state.use_study(study.changed(privacy=[*study.privacy, *(one for one in models if one not in study.privacy)]))
        decisions.note(f"published with {listed([str(one) for one in models])}, as a finding of the check advises")


def _publish_safely() -> None:
    state.use_study(state.results_key()[1].with_epsilon(1))
    decisions.note("published by safe recoding with epsilon 1, as a finding of the check advises")


def _with_k(k: int, checked: Check) -> Iterator[Step]:
    if checked.study.k < k <= checked.records:
        yield Step(f"Publish with k = {k}", do=partial(_use_k, k))
    yield Step(_LARGER, OTHER_WAYS)


def _use_k(k: int) -> None:
    study = state.study()
    if study is not None:
        state.use_study(study.with_k(k))
        decisions.note(f"published with k = {k}, as a finding of the check advises")


def _models(code: str, checked: Check) -> tuple[LDiversity | TCloseness, ...]:
    """The models that would have kept a finding away: one per sensitive column that fails."""
    rule = checked.rule
    if code == "t-closeness" and rule.t is not None:
        far = [one for one in checked.diversity if one.t > rule.t]
        return tuple(TCloseness(one.column, rule.t, one.distance) for one in far)
    alike = [one.column for one in checked.diversity if one.alike or one.distinct_l < rule.l]
    return tuple(LDiversity(name, max(2, rule.l)) for name in alike)


def _ask_for(models: tuple[PrivacyModel, ...]) -> None:
    """Ask for models on the page Global recode, besides those that are asked for there."""
    data, study = state.dataset(), state.study()
    if data is None or study is None:
        return
    kept = keys.MODELS.of(data.digest)
    asked = study.privacy if kept is None else kept
    keys.MODELS.keep(data.digest, (*asked, *(model for model in models if model not in asked)))
