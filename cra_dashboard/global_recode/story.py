"""States in words: what each shows of every attribute, what is known of one that somebody chose; losses and prices."""

from collections.abc import Iterable, Sequence

import numpy as np
import pandas as pd

from cra_dashboard.global_recode.replay import NAMES, ORDER, Moment, status_reason
from cra_dashboard.texts import words
from cra_engine import Study
from cra_engine.publish.full_domain.outcome import Measures
from cra_engine.publish.full_domain.prices import Price
from cra_engine.publish.full_domain.search import Looks
from cra_engine.words import how_many, listed

UTILITIES = {"entropy": "Entropy", "precision": "Precision", "discernibility": "Discernibility", "aecs": "Class size"}


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


def losses_table(measures: Measures) -> pd.DataFrame:
    """Return the four losses of a table published by Global recode, with what each means."""
    values = {
        "entropy": f"{measures.value('entropy'):,.1f} bits",
        "precision": f"{measures.value('precision'):.4f}",
        "discernibility": f"{measures.discernibility:,}",
        "aecs": f"{measures.value('aecs'):,.2f} records",
    }
    meanings = {
        "entropy": "how much less probable the values became, all records together",
        "precision": "mean of layer over height, suppressed records 1; from 0 to 1",
        "discernibility": "how many records each is confused with, in all; a suppressed one with all",
        "aecs": "records over classes; suppressed ones are one class more",
    }
    return pd.DataFrame({"Loss": UTILITIES, "Value": values, "Meaning": meanings}).set_index("Loss")


def prices_table(prices: Iterable[Price]) -> pd.DataFrame:
    """Return for Global recode the best state under each privacy model alone, a row per model."""
    rows = [
        {
            "Models": words.plain(", ".join(map(str, price.criteria))),
            "Anonymous states": f"{price.anonymous:,}",
            "State": "none" if price.state is None else words.state(price.state),
            "Suppressed": f"{price.suppressed:,}",
            "Classes": f"{price.classes:,}",
            "Loss": "" if price.loss is None else f"{price.loss:,.6g}",
        }
        for price in prices
    ]
    return pd.DataFrame(rows).set_index("Models")
