"""When a step of a lesson is done: what the learner did since it began, one small predicate per kind of doing."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from cra_dashboard.lessons.facts import places_of, tie_step
from cra_dashboard.session import keys, state
from cra_engine import Study


@dataclass(frozen=True)
class Moment:
    """What the session looked like in one run of a page.

    Attributes:
        page: its name in the address.
        study: the study in use.
        step: of the recoding.
        part: place of the class on the page Attack, None before one was chosen.
        whole_map: whether the map there shows the whole release.
        people: for how many people in a cell that page shows probabilities.
        fillings: per class the filling that is shown.
        predicates: per result the class whose predicates the page Single out shows.
        drawn: on the page Heterogeneous how the values that rows carry are drawn; None before it was opened.
        looked: on that page whether a person's rows or a row's people are shown.
        answers: kinds of the questions answered in this step.
        size: the k of the page Microaggregate, None before it was shown.
        merged: whether clusters are merged there until no cell is sensitive.
        clusters: per result the cluster that was chosen there.
        recoded: the shares of records that the page Global recode might suppress, one per result so far.
        together: the values of k that the page Together puts together.
        together_step: per result how many of its releases the picture there shows.
        stage: what the picture of the page Downcode shows; None before it was opened.
        attributes: how many attributes there are on that page.
        epsilon: on the page Safe recode where the knob stands; None before it was shown.
    """

    page: str
    study: Study | None
    step: int
    part: int | None
    whole_map: bool
    people: int | None
    fillings: frozenset[tuple[Any, Any]]
    predicates: frozenset[tuple[Any, Any]]
    answers: tuple[str, ...]
    drawn: str | None = None
    looked: str | None = None
    size: int | None = None
    merged: bool = False
    clusters: frozenset[tuple[Any, Any]] = frozenset()
    recoded: tuple[str, ...] = ()
    together: tuple[int, ...] = ()
    together_step: frozenset[tuple[Any, Any]] = frozenset()
    stage: str | None = None
    attributes: int | None = None
    epsilon: str | None = None


@dataclass(frozen=True)
class Doing:
    """A step so far.

    Attributes:
        began: the session as the step found it.
        since: every moment after that which differs from the one before.
    """

    began: Moment
    since: tuple[Moment, ...]

    @property
    def now(self) -> Moment:
        """The last moment."""
        return self.since[-1] if self.since else self.began


def answered(doing: Doing) -> bool:
    """The learner has predicted."""
    return bool(doing.now.answers)


def stepped_to(doing: Doing, step: int | str) -> bool:
    """The recoding was stepped as far as this: a number, ``"end"``, or ``"tie"`` for the first exact tie."""
    recoding = state.recoding()
    wanted = {"end": len(recoding.iterations) + 1, "tie": tie_step(recoding)}.get(str(step), step)
    return doing.now.page == "recode" and doing.began.step != doing.now.step and doing.now.step >= int(wanted)


def selected(doing: Doing, part: str) -> bool:
    """A class of this kind was chosen on the page Attack."""
    now = doing.now
    return now.page == "attack" and now.part != doing.began.part and now.part in places_of(state.attacked(), part)


def compared(doing: Doing, classes: int) -> bool:
    """So many different wider classes were looked at."""
    wider = set(places_of(state.attacked(), "compound"))
    return len({moment.part for moment in doing.since if moment.page == "attack"} & wider) >= classes


def leafed(doing: Doing, fillings: int) -> bool:
    """So many fillings were looked at besides the first."""
    seen = {pair for moment in doing.since for pair in moment.fillings if pair[1] != 1}
    return len(seen - doing.began.fillings) >= fillings


def saw_whole_map(doing: Doing) -> bool:
    """The map was changed to the whole release."""
    return doing.now.whole_map and not doing.began.whole_map


def asked_people(doing: Doing, people: int) -> bool:
    """The probabilities were changed to so many people in a cell."""
    return doing.now.people == people != doing.began.people


def set_k(doing: Doing, k: int) -> bool:
    """The learner changed k to this."""
    return _changed(doing) and doing.now.study is not None and doing.now.study.k == k


def looked_with_k(doing: Doing, k: int, part: str) -> bool:
    """With this k, a class of this kind was chosen on the page Attack."""
    now = doing.now
    if now.study is None or now.study.k != k or now.page != "attack" or now.part is None:
        return False
    # The class that the page shows first was not chosen by anybody.
    shown = {moment.part for moment in (doing.began, *doing.since) if moment.study == now.study} - {None}
    return len(shown) >= 2 and now.part in places_of(state.attacked(), part)


def set_layers(doing: Doing, attribute: str, layers: int) -> bool:
    """The learner gave a hierarchy so many layers."""
    study = doing.now.study
    found = {one.name: one.layers for one in study.attributes} if study is not None else {}
    return _changed(doing) and found.get(attribute) == layers


def set_coarse(doing: Doing, cells: int) -> bool:
    """The learner made the leaves so coarse that the grid has no more cells than this."""
    return _changed(doing) and state.recoding().grid.size <= cells


def set_profile(doing: Doing, profile: str) -> bool:
    """The learner chose how the publisher runs ARX."""
    return _changed(doing) and doing.now.study is not None and doing.now.study.profile == profile


def chose_predicates(doing: Doing) -> bool:
    """The predicates of one class were asked for."""
    return any(pair[1] >= 0 for pair in doing.now.predicates - doing.began.predicates)


def chose_cluster(doing: Doing) -> bool:
    """Another cluster was looked at on the page Microaggregate."""
    return bool(doing.now.clusters - doing.began.clusters)


def set_cluster_size(doing: Doing, k: int) -> bool:
    """The learner changed the k of the page Microaggregate to this."""
    return doing.now.page == "microaggregate" and doing.now.size == k != doing.began.size


def merged_clusters(doing: Doing) -> bool:
    """The learner had clusters merged until no cell is sensitive."""
    return doing.now.merged and not doing.began.merged


def drew_values(doing: Doing, extraction: str) -> bool:
    """On the page Heterogeneous the values were drawn in this way."""
    return doing.now.page == "heterogeneous" and doing.now.drawn == extraction != doing.began.drawn


def turned_knob(doing: Doing, epsilon: str) -> bool:
    """On the page Safe recode the knob was turned to this."""
    return doing.now.page == "safe_recoding" and doing.now.epsilon == epsilon != doing.began.epsilon


def looked_at(doing: Doing, view: str) -> bool:
    """On the page Heterogeneous the picture was changed to this view."""
    return doing.now.page == "heterogeneous" and doing.now.looked == view != doing.began.looked


def recoded_globally(doing: Doing, share: str) -> bool:
    """On the page Global recode the table was recoded, with at most this share suppressed."""
    return share in doing.now.recoded[len(doing.began.recoded) :]


def put_together(doing: Doing, ks: list[int]) -> bool:
    """On the page Together the releases with just these k were chosen."""
    return doing.now.page == "together" and doing.now.together == tuple(ks) != doing.began.together


def saw_alone(doing: Doing) -> bool:
    """On the page Together the first release was looked at alone, and then all of them."""
    shown = [max((number for _, number in moment.together_step), default=0) for moment in doing.since]
    return 1 in shown and shown[-1] > 1


def showed_truth(doing: Doing) -> bool:
    """On the page Downcode the true records were shown."""
    return doing.now.page == "downcode" and doing.now.stage == keys.TRUTH != doing.began.stage


def set_attributes(doing: Doing, attributes: int) -> bool:
    """On the page Downcode the number of attributes was changed to this."""
    return doing.now.page == "downcode" and doing.now.attributes == attributes != doing.began.attributes


def opened(doing: Doing, page: str) -> bool:
    """The learner went to another page."""
    return doing.now.page == page != doing.began.page


def _changed(doing: Doing) -> bool:
    return doing.now.study != doing.began.study


CONDITIONS: dict[str, Callable[..., bool]] = {
    condition.__name__: condition
    for condition in (
        answered,
        stepped_to,
        selected,
        compared,
        leafed,
        saw_whole_map,
        asked_people,
        set_k,
        looked_with_k,
        set_layers,
        set_coarse,
        set_profile,
        chose_predicates,
        chose_cluster,
        set_cluster_size,
        merged_clusters,
        drew_values,
        looked_at,
        recoded_globally,
        put_together,
        saw_alone,
        showed_truth,
        set_attributes,
        turned_knob,
        opened,
    )
}
