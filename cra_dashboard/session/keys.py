"""The session's keys that several pages share, and what lessons set and watch: each stands here alone.

Raises, where a key belongs to results, as :func:`state.results_key` does.
"""

from cra_dashboard.session import state

# On the page Attack: which map is shown, and for how many people in a cell there are probabilities.
MAP, THIS_CLASS, WHOLE_RELEASE = "attack-map", "This class", "The whole release"
PEOPLE = "attack-people"
# On the page Heterogeneous: how values are drawn, and whether a person's rows or a row's people are shown.
DRAWN, LOOKED = "het-extraction", "het-view"
# How the keys begin that tell which filling of a class, and whose predicates are shown.
FILLINGS, PREDICATES = "attack-filling-", "single-out-class-"

# On the page Microaggregate: how all its keys begin, whether clusters are merged, and how the keys begin that tell
# which cluster somebody chose.
CLUSTERS, MERGE, CLUSTER = "micro-", "micro-comply", "micro-chose-"


def step() -> str:
    """The step of the recoding that is looked at."""
    return f"recode-step-{hash(state.results_key())}"


def chosen_class() -> str:
    """The place of the class that is looked at."""
    return f"attack-class-{hash(state.attack_key())}"


def filling(place: int) -> str:
    """The number of the filling that is shown, of the class at a place."""
    return f"{FILLINGS}{hash((state.attack_key(), place))}"


def predicates() -> str:
    """The place of the class whose predicates are shown."""
    return f"{PREDICATES}{hash(state.attack_key())}"


def cluster_size(digest: str) -> str:
    """The k of the page Microaggregate, for the table with this digest."""
    return f"{CLUSTERS}k-{hash(digest)}"
