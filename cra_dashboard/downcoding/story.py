"""What the page Downcode says of a cluster, in sentences."""

import pandas as pd

from cra_dashboard.downcoding.state import CLUSTERS, Cluster
from cra_dashboard.session.keys import CONCLUDED, PUBLISHED, TRUTH
from cra_engine.experiments.downcoding import cluster_rates
from cra_engine.words import how_many, percent

STAGES = (PUBLISHED, CONCLUDED, TRUTH)
RATES_AT = (8, 16, 32, 64, 100, 200)

CARRIES_OVER = (
    "The proofs are about **minimal** releases, whoever made them, and about data and hierarchies like these. They say "
    "nothing of releases that lose more than they must. ARX's local recoding does not promise minimal ones: a few "
    "suppressed records, fewer than k, are not anonymous by the definition, and steps that publish too little are "
    "skipped. And most tables are not made of clusters of about k records. What carries over is the direction: the "
    "less a release loses, the more it tells why it lost that."
)


def label(cluster: Cluster) -> str:
    """Return the name of a cluster in Downcode's choice."""
    what = ", downcoded" if cluster.fired else ""
    return f"Cluster {cluster.number + 1}: {how_many(cluster.records, 'record')}{what}"


def headline(cluster: Cluster, stage: str) -> str:
    """Say what Downcode's picture shows, in one or two sentences."""
    k, dimensions, whole = cluster.run.k, cluster.run.space.width, len(cluster.whole)
    if cluster.published is None:
        why = f"fewer than k = {k}, so they hide among others" if cluster.records < k else f"not k = {k}"
        return f"This cluster has {how_many(cluster.records, 'record')}, {why}: nothing is concluded."
    alike = (
        f"{how_many(cluster.records, 'record')} are published alike: the whole cluster in {whole} of {dimensions} "
        "attributes, near the centre in the others."
    )
    if stage == PUBLISHED:
        return alike
    if not cluster.fired:
        reason = (
            f"{whole} of {dimensions} is not about half, so it was not a single wide record"
            if cluster.records == k
            else f"they are not exactly k = {k}"
        )
        return f"{alike} Nothing is concluded: {reason}."
    if stage == CONCLUDED:
        return (
            f"Nothing was more general than needed, so somebody is far from the centre in those {whole} attributes; "
            "about half of all is what one wide record gives. So one record is far in all of them, and the other "
            f"{k - 1} are near in every attribute."
        )
    told = "All of it was read off the release." if cluster.correct else "The attacker cannot see that."
    odd = how_many(cluster.far_records, "record differs", "records differ")
    return (
        f"What was concluded is {'right' if cluster.correct else 'wrong'}: {odd} from the rest of the cluster. {told}"
    )


def rates_table(k: int, dimensions: int) -> pd.DataFrame:
    """Return how often clusters are downcoded and how often rightly, by the number of attributes."""
    rows = []
    for asked in sorted({*RATES_AT, dimensions}):
        rates = cluster_rates(k, CLUSTERS * k, CLUSTERS, asked)
        rows.append(
            {
                "Attributes": asked,
                "Records refined": percent(rates.refined_share, 2),
                "Right where it concludes": percent(rates.correct_share, 1),
            }
        )
    return pd.DataFrame(rows)


def verdict(tested: tuple[bool | None, bool | None], suppressed: int, k: int) -> str:
    """Say on Downcode whether the session's own release is minimal."""
    strict, apart = tested
    if strict is None or apart is None:
        return "Whether this release is minimal could not be found out: too many classes hang together."
    if strict:
        return "This release **is minimal**: no record could show less without another showing more."
    if apart:
        few = how_many(suppressed, "suppressed record")
        return (
            f"With its {few} left aside nothing can be refined. By the definition suppressed records are a class too, "
            f"and fewer than k = {k} are not anonymous: **not minimal**."
        )
    return (
        "This release is **not minimal**: some records could show less while every class keeps k records. So the "
        "proofs do not speak about it; that makes it no safer against the attack on the page Attack."
    )
