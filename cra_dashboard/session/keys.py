"""The session's keys that several pages share, and what lessons set and watch: each stands here alone.

Raises, where a key belongs to results, as :func:`state.results_key` does.
"""

from cra_dashboard.session import state
from cra_dashboard.session.kept import Kept
from cra_engine import Release
from cra_engine.criteria.models import PrivacyModel

# On the page Data: where the table comes from, one of the answers, and the digest of the table beside which another one
# was asked for; the column whose distribution is shown.
TABLE_FROM, UPLOAD, ASKED_BESIDE = "data-from", "Upload a table", "data-asked"
COLUMN_SHOWN = "data-shown"
# On the page Attack: what the picture is about, what it shows of a class, and for how many people in a cell there are
# probabilities.
MAP, THIS_CLASS, WHOLE_RELEASE = "attack-map", "This class", "The whole release"
SHOWN, OWNERS, A_FILLING, CHANCES = "attack-shown", "Owners", "A filling", "How likely"
PEOPLE = "attack-people"
# On the page Who stands alone: what the picture is about.
SINGLED, CHECKED, FOR_CERTAIN, LIKELY = "single-out-look", "In truth", "For certain", "How likely"
# On the page Heterogeneous: how values are drawn, and whether a person's rows or a row's people are shown.
DRAWN, LOOKED = "het-extraction", "het-view"
# On the page Downcode: how all its keys begin, k, the number of attributes, and what the picture shows.
DOWNCODE = "downcode-"
DOWNCODE_K, DOWNCODE_ATTRIBUTES, DOWNCODE_STAGE = "downcode-k", "downcode-attributes", "downcode-stage"
# What the picture there can show.
PUBLISHED, CONCLUDED, TRUTH = "Published", "Concluded", "Truth"
# How the keys begin that tell which filling of a class, and whose predicates are shown.
FILLINGS, PREDICATES = "attack-filling-", "single-out-class-"

# On the page Microaggregate: how all its keys begin, whether clusters are merged, and how the keys begin that tell
# which cluster somebody chose.
CLUSTERS, MERGE, CLUSTER = "micro-", "micro-comply", "micro-chose-"

# On the page Global recode: how all its keys begin, the share that may be suppressed, the look of the search at which
# a result is first shown, and the shares of all results so far, in their order.
GLOBAL, SHARE, LOOK = "gr-", "gr-limit", "gr-first-look"
RECODED = "cra_global_recode_shares"
# The privacy models that are asked for there, with the digest of the table.
MODELS: Kept[tuple[PrivacyModel, ...]] = Kept("cra_global_models")
# On the page Several releases: how the keys begin that tell how many releases are put together; whether somebody came
# to bring own ones.
PUT_TOGETHER, BRING_RELEASES = "together-step-", "together-bring"


def together() -> str:
    """Return the session's key of what Several releases puts together: pairs of k and a coarser attribute."""
    return f"together-versions-{hash(state.results_key())}"


# On the page Safe recode: the knob from a small epsilon to ARX-LR; what the picture of a later release shows; the seed
# of an example's coins; the release that is out already, with its name and the digest of the table; and the draw that a
# lesson sets beside it, with the knob, too.
EPSILON, SAFE_SHOWN, SAFE_SEED = "safe-epsilon", "safe-shown", "safe-seed"
TOLD, BOTH, ANEW = "What it tells", "Second inside the first", "Second on its own"
EARLIER: Kept[tuple[str, Release]] = Kept("cra_safe_earlier")
BESIDE: Kept[Release] = Kept("cra_safe_beside")

# On the page All together: how the key begins that tells of which cell the reason is shown.
WHY = "tight-why-"

# On the page Lessons: how the key begins that tells whether what is for teachers stands open.
FOR_TEACHERS = "lesson-teachers"

# On the page Hierarchies: whose hierarchy is shown.
HIERARCHY = "hierarchy-shown"


def step() -> str:
    """Return the session's key of the step of the recoding that is looked at."""
    return f"recode-step-{hash(state.results_key())}"


def chosen_class() -> str:
    """Return the session's key of the place of the class that is looked at."""
    return f"attack-class-{hash(state.attack_key())}"


def filling(place: int) -> str:
    """Return the session's key of the number of the filling that is shown, of the class at a place."""
    return f"{FILLINGS}{hash((state.attack_key(), place))}"


def predicates() -> str:
    """Return the session's key of the place of the class whose predicates are shown."""
    return f"{PREDICATES}{hash(state.attack_key())}"


def cluster_size(digest: str) -> str:
    """Return the session's key of the k on Microaggregate, for the table with this digest."""
    return f"{CLUSTERS}k-{hash(digest)}"
