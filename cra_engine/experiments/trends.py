"""Says what grows with k and with the number of quasi-identifiers: the paper's claims, looked up in the results."""

from collections.abc import Callable, Sequence
from itertools import pairwise

from cra_engine.experiments.layout import DATASET, Heading, Kind, Sheet, Value, shown_value
from cra_engine.experiments.results import Configuration, Group, Results, described, log10_mean, quantile


def trends(results: Results) -> Sheet:
    """Return what in an experiment grows with k and with the number of quasi-identifiers, and what does not."""
    rows: list[tuple[Value, ...]] = []
    measures: list[tuple[str, Callable[[Group], float | None], Kind]] = [
        ("ratio of classes, mean", lambda g: log10_mean(g.logs("log10_ratio_mean_compound")), "power"),
        ("ratio of classes, median", lambda g: quantile(g.each("each_log10_ratio"), 0.5), "power"),
        ("ratio of suppressed records, mean", lambda g: log10_mean(g.logs("suppressed_log10_ratio")), "power"),
        ("ratio of suppressed records, median", lambda g: quantile(g.logs("suppressed_log10_ratio"), 0.5), "power"),
        ("combinations, mean", lambda g: log10_mean(g.class_means("combinations_sum_compound")), "power"),
        ("compound share", Group.compound_share, "percent"),
    ]
    if results.singled:
        measures.append(("singled out", Group.singled_share, "percent"))
    for name, measure, kind in measures:
        for configuration in results.configurations:
            which = f"{_size(configuration)} QIs" if results.told_apart else described(configuration)
            values = [measure(results.group(configuration, k)) for k in results.ks]
            rows.append((name, configuration[0], f"{which}, k grows", *values_course(values, kind)))
        for dataset in dict.fromkeys(name for name, _, _ in results.configurations) if results.told_apart else ():
            own = sorted((c for c in results.configurations if c[0] == dataset), key=_size)
            for k in results.ks if len(own) > 1 else ():
                values = [measure(results.group(configuration, k)) for configuration in own]
                rows.append((name, dataset, f"k = {k}, QIs grow", *values_course(values, kind)))
    return Sheet(
        "trends",
        "What grows, and with what",
        "The paper finds that ratios of classes grow with k and with the number of quasi-identifiers, that those of "
        "suppressed records grow with k only, that compound classes become more frequent with k, and that 20 to 90 % "
        "of classes single somebody out.",
        (
            Heading(
                "measure",
                "ratios and combinations over compound classes; singled out: share of compound classes "
                "with at least one person singled out",
                "text",
            ),
            DATASET,
            Heading("course", "what is held and what grows", "text"),
            Heading("values", "the values in that order", "text"),
            Heading("steps up", "steps at which the value grows, of all steps where both values exist", "text"),
            Heading("first to last", "whether the last value is above the first", "text"),
        ),
        tuple(rows),
    )


def _size(configuration: Configuration) -> int:
    return len(configuration[2].split())


def values_course(values: Sequence[float | None], kind: Kind) -> tuple[str, str, str]:
    """Write an experiment's values in order, at how many steps they grow, and whether the last is above the first."""
    pairs = [(a, b) for a, b in pairwise(values) if a is not None and b is not None]
    known = [value for value in values if value is not None]
    ends = "-"
    if len(known) > 1:
        ends = "grows" if known[-1] > known[0] else "falls" if known[-1] < known[0] else "stays"
    listed = " → ".join(shown_value(value, kind) for value in values)
    return listed, f"{sum(b > a for a, b in pairs)} of {len(pairs)}", ends
