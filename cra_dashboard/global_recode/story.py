"""States in words: what each shows of every attribute, and what is known of the one that somebody chose."""

from collections.abc import Sequence

import numpy as np

from cra_dashboard.global_recode.replay import NAMES, ORDER, Moment, status_reason
from cra_dashboard.texts import words
from cra_engine import Study
from cra_engine.publish.full_domain.search import Looks
from cra_engine.words import how_many, listed


def state_shows(study: Study, state: Sequence[int]) -> str:
    """Say on Global recode what a state shows of the attributes, by layer: values first, what is hidden last."""
    layers = dict.fromkeys(sorted(state))
    parts = []
    hidden = [
        one.name for one, layer in zip(study.attributes, state, strict=True) if layer == one.layers and one.layers
    ]
    for layer in layers:
        names = [name for name, at in zip(study.names, state, strict=True) if at == layer and name not in hidden]
        if names:
            how = (
                "as it stands"
                if layer == 0 and len(names) == 1
                else "as they stand"
                if layer == 0
                else f"by layer {layer}"
            )
            parts.append(f"{listed([words.plain(name) for name in names])} {how}")
    if hidden:
        parts.append(f"{listed([words.plain(name) for name in hidden])} not at all")
    return "; ".join(parts)


def state_told(study: Study, every: Looks, looks: Looks, now: Moment, utility: str, place: int) -> str:
    """Say the figures of a state that was chosen on Global recode, and how the search settled it."""
    state = tuple(int(layer) for layer in np.unravel_index(place, every.looked.shape))
    suppressed, kept = int(every.suppressed[state]), int(every.classes[state])
    may = "" if every.anonymous[state] else ", too many to publish it"
    status, why = ORDER[now.status[place]], status_reason(looks, now, place).replace("<br>", " ")
    how = why if why.startswith("predicted") else NAMES[status]
    return (
        f"**{words.state(state)}** shows {state_shows(study, state)}. {words.sentence(how_many(suppressed, 'record'))} "
        f"suppressed{may}, {how_many(kept, 'class', 'classes')} left; {utility} {every.loss(state, utility):,.6g}. "
        f"In the search: {how}."
    )
