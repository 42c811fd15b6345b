"""What an experiment shows, view by view: the values to draw, the report's table beside them, and one sentence."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Literal

from cra_dashboard.experiments.chart import Spread
from cra_engine.experiments.layout import Sheet, shown_value
from cra_engine.experiments.results import Configuration, Group, Results, described, log10_mean, quantile
from cra_engine.experiments.tables import table_2, table_3, tight_table
from cra_engine.words import how_many

Of = Literal["classes", "suppressed", "together"]
Along = Literal["k", "sets"]
PAPER_LOW, PAPER_HIGH = 20, 90  # percent of compound classes that single somebody out, in the paper's words


def label(results: Results, configuration: Configuration) -> str:
    """Return what the pictures on Experiments call a configuration: attributes, and what else tells it from others."""
    dataset, attributes, _ = configuration
    alone = sum(other[:2] == configuration[:2] for other in results.configurations) == 1
    name = attributes.replace(" ", ", ") if alone else described(configuration)
    return name if len({other[0] for other in results.configurations}) == 1 else f"{dataset}: {name}"


# ---------------------------------------------------------------- ratios


def ratios(group: Group, of: Of) -> tuple[list[float], float | None]:
    """Return for the page Experiments the logarithms of a group's ratios, and of their mean as in the report."""
    if of == "classes":
        return group.each("each_log10_ratio"), log10_mean(group.logs("log10_ratio_mean_compound"))
    if of == "suppressed":
        logs = group.logs("suppressed_log10_ratio")
        return logs, log10_mean(logs)
    known = group.where_tight_is_known()
    pairs = zip(known.logs("tight_log10_per_class"), known.logs("tight_log10_worlds"), strict=True)
    gains = [alone - together for alone, together in pairs]
    return gains, log10_mean(gains)


def spreads(results: Results, of: Of, along: Along) -> list[Spread]:
    """Return for Experiments the ratios of every configuration and k, with k or the attributes along the axis."""
    found = []
    for configuration in results.configurations:
        for k in results.ks:
            logs, mean = ratios(results.group(configuration, k), of)
            names = [f"k = {k}", label(results, configuration)]
            place, series = names if along == "k" else reversed(names)
            found.append(Spread(place, series, tuple(logs), mean))
    if along == "sets":  # series in the order of k, places in the order of the plan
        found.sort(key=lambda spread: int(spread.series.removeprefix("k = ")))
    return found


def ratio_table(results: Results, of: Of) -> Sheet:
    """Return the report's table of ratios, to stand beside the picture on Experiments."""
    if of == "together":
        return tight_table(results)
    return list(table_2(results) if of == "classes" else table_3(results))[1]


OF = {
    "classes": "the median ratio of a compound class",
    "suppressed": "the median ratio of the suppressed records",
    "together": "the median further reduction, all classes together,",
}


def ratio_says(results: Results, of: Of, along: Along) -> str:
    """Say what the picture of ratios on Experiments shows."""
    drawn = [spread for spread in spreads(results, of, along) if spread.logs]
    if not drawn:
        return {
            "classes": "There is no compound class yet: every class lies on a single cell.",
            "suppressed": "No record was suppressed.",
            "together": "Nothing is known yet of all classes together.",
        }[of]
    medians = [quantile(spread.logs, 0.5) or 0.0 for spread in drawn]
    low, high = shown_value(min(medians), "power"), shown_value(max(medians), "power")
    between = low if low == high else f"between {low} and {high}"
    rise = ""
    if along == "sets" and len(drawn) > 1:
        most = drawn[medians.index(max(medians))]
        rise = f", the largest of them with {most.place} at {most.series}"
    elif len(results.ks) > 1:
        groups = [[results.group(c, k) for k in results.ks] for c in results.configurations]
        rise = _rise([[quantile(ratios(g, of)[0], 0.5) for g in row] for row in groups], results, "it grows")
    largest = max(max(spread.logs) for spread in drawn)
    return (
        f"{OF[of][:1].upper()}{OF[of][1:]} is {between}{rise}. The largest of all is {shown_value(largest, 'power')}."
    )


def _rise(courses: Sequence[Sequence[float | None]], results: Results, verb: str) -> str:
    """In how many set-ups something grows from the smallest to the largest k, and whether it does so at every step."""
    known = [
        [value for value in course if value is not None] for course in courses if None not in (course[0], course[-1])
    ]
    if not known:
        return ""
    grown = [course for course in known if course[-1] > course[0]]
    steady = sum(all(before < after for before, after in pairwise(course)) for course in grown)
    steps = ""
    if grown and len(results.ks) > 2:
        steps = (
            f", at every step in {steady}" if 0 < steady < len(grown) else f", {'' if steady else 'not '}at every step"
        )
    span = f"from k = {results.ks[0]} to {results.ks[-1]} {verb}"
    if len(courses) == 1:
        return f"; {span}{steps}" if grown else f"; {span.replace(' grows', ' does not grow')}"
    where = "" if len(known) == len(courses) else " where both are known"
    return f"; {span} in {len(grown)} of {how_many(len(known), 'set-up')}{where}{steps}"


def tight_outcomes(results: Results) -> dict[str, int]:
    """Count for the page Experiments the samples that the tight attack counted, estimated, timed out on, refused."""
    statuses = list(results.frame["tight_status"])
    return {status: statuses.count(status) for status in ("exact", "estimate", "timeout", "refused")}


# ---------------------------------------------------------------- shares


def kinds_say(results: Results) -> str:
    """Say what the shares of basic and compound classes on Experiments show."""
    courses = [[results.group(c, k).compound_share() for k in results.ks] for c in results.configurations]
    last = [course[-1] for course in courses if course[-1] is not None]
    if not last:
        return "There is no class yet."
    rise = _rise(courses, results, "their share grows") if len(results.ks) > 1 else ""
    return (
        f"At k = {results.ks[-1]}, {_span(last)} of the classes of a sample are compound, and only these can be "
        f"refined{rise}."
    )


def outcomes_say(results: Results) -> str:
    """Say what the outcomes of singling out on Experiments show."""
    shares = [results.group(c, k).singled_share() for c in results.configurations for k in results.ks]
    known = [share for share in shares if share is not None]
    if not known:
        return "There is no compound class yet, so nobody can be singled out by the attack."
    excluded = sum(map(int, results.frame["singled_invalid"]))
    sound = (
        f"In all {len(results.frame):,} releases the truth is among what the attack leaves."
        if not excluded
        else f"In {how_many(excluded, 'class', 'classes')} the attack excludes the truth: what it supposes does "
        "not hold there."
    )
    return (
        f"In {_span(known)} of the compound classes, somebody is singled out (the paper: {PAPER_LOW} to "
        f"{PAPER_HIGH} %). {sound}"
    )


def _span(percents: Sequence[float]) -> str:
    low, high = f"{min(percents):.0f}", f"{max(percents):.0f}"
    return f"{low} %" if low == high else f"{low} to {high} %"
