"""The paper's tables from the results of an experiment: Tables 2 to 5, Figure 5, and what goes beside them.

What each column is stands with the column, and goes as help into every output.
"""

from collections.abc import Callable, Iterator, Sequence

from cra_engine.experiments.layout import DATASET, Heading, Sheet, Value
from cra_engine.experiments.results import Configuration, Group, Results, described, log10_mean, mean, percent, quantile
from cra_engine.experiments.trends import trends

_QIS = Heading("QIs", "number of quasi-identifiers", "count")
_K = Heading("k", "the k of the releases", "count")
_SAMPLES = Heading("samples", "number of samples, each published and attacked by itself", "count")

_SET = Heading("attributes", "the quasi-identifiers, and their numbers of layers in the same order", "text")
QUANTILES = {"10 %": 0.1, "median": 0.5, "90 %": 0.9, "largest": 1.0}

RowValues = Callable[[Group], Sequence[Value]]


def _wide(results: Results, key: str, title: str, note: str, parts: Sequence[Heading], cells: RowValues) -> Sheet:
    """The paper's layout: a line per configuration, and the same columns for each k."""
    columns = _naming(results)
    columns += [Heading(c.name, c.help, c.kind, f"k = {k}") for k in results.ks for c in parts]
    rows = [
        (
            *_named(results, configuration),
            *(value for k in results.ks for value in cells(results.group(configuration, k))),
        )
        for configuration in results.configurations
    ]
    return Sheet(key, title, note, tuple(columns), tuple(rows))


def _long(results: Results, key: str, title: str, note: str, parts: Sequence[Heading], cells: RowValues) -> Sheet:
    """A line per configuration and k."""
    rows = [
        (*_named(results, configuration), k, *cells(results.group(configuration, k)))
        for configuration in results.configurations
        for k in results.ks
    ]
    return Sheet(key, title, note, (*_naming(results), _K, *parts), tuple(rows))


def _naming(results: Results) -> list[Heading]:
    """The columns that name a configuration: as the paper's, and the attributes where these do not suffice."""
    return [DATASET, _QIS] if results.told_apart else [DATASET, _QIS, _SET]


def _named(results: Results, configuration: Configuration) -> list[Value]:
    number = len(configuration[2].split())
    return [configuration[0], number] if results.told_apart else [configuration[0], number, described(configuration)]


def _spread(of: str) -> list[Heading]:
    words = {
        "10 %": "a tenth of them is lower",
        "median": "half of them are lower",
        "90 %": "a tenth of them is higher",
    }
    return [Heading(name, f"{of}: {words.get(name, 'the largest')}", "power") for name in QUANTILES]


def _quantiles(logs: Sequence[float]) -> list[float | None]:
    return [quantile(logs, share) for share in QUANTILES.values()]


_PER_SAMPLE = "mean over the compound classes of a sample (basic classes left out), then over the samples that have any"


def table_2(results: Results) -> Iterator[Sheet]:
    """Return the experiments' Table 2: LR solutions, CRA solutions and ratio of the classes."""
    yield _wide(
        results,
        "table2",
        "Table 2: CRA ratio for equivalence classes",
        "Means as the paper takes them. Basic classes are left out of all three: with them the mean of LR solutions "
        "grows hundreds of digits long where a single basic segment holds many records.",
        [
            Heading("LR solutions", f"data sets that the published intervals seem to allow; {_PER_SAMPLE}", "power"),
            Heading("CRA solutions", f"data sets that the attack leaves; {_PER_SAMPLE}", "power"),
            Heading(
                "CRA ratio", f"mean of the classes' own ratios, not the ratio of the two means; {_PER_SAMPLE}", "power"
            ),
        ],
        lambda group: [
            log10_mean(group.class_means("lr_sum_compound")),
            log10_mean(group.class_means("cra_sum_compound")),
            log10_mean(group.logs("log10_ratio_mean_compound")),
        ],
    )
    yield _long(
        results,
        "table2_spread",
        "Beside Table 2: how the ratios of compound classes are spread",
        "A mean of ratios is mostly its largest one. These are the compound classes of all samples together.",
        [
            Heading("samples with any", "samples that have a compound class at all", "count"),
            Heading("compound classes", "of all samples together", "count"),
            Heading(
                "ratio, all classes",
                "mean of the ratio over all classes of a sample, basic ones (ratio 1) included, then over all samples",
                "power",
            ),
            Heading("ratio, compound", f"the ratio of Table 2: {_PER_SAMPLE}", "power"),
            *_spread("ratio of a compound class"),
            Heading("median LR solutions", "median over the compound classes of all samples", "power"),
            Heading("median CRA solutions", "median over the compound classes of all samples", "power"),
        ],
        lambda group: [
            len(group.class_means("lr_sum_compound")),
            sum(group.counts("compound_classes")),
            log10_mean(group.logs("log10_ratio_mean")),
            log10_mean(group.logs("log10_ratio_mean_compound")),
            *_quantiles(group.each("each_log10_ratio")),
            quantile(group.each("each_log10_lr"), 0.5),
            quantile(group.each("each_log10_cra"), 0.5),
        ],
    )


def table_3(results: Results) -> Iterator[Sheet]:
    """Return the experiments' Table 3: Table 2's columns of the suppressed records."""
    over = "mean over the samples that have suppressed records"
    yield _wide(
        results,
        "table3",
        "Table 3: CRA ratio for suppressed records",
        "Samples without suppressed records enter no mean.",
        [
            Heading("LR solutions", f"data sets that the whole domain seems to allow; {over}", "power"),
            Heading("CRA solutions", f"data sets that the attack leaves; {over}", "power"),
            Heading("CRA ratio", f"mean of the samples' own ratios, not the ratio of the two means; {over}", "power"),
        ],
        lambda group: [
            log10_mean(group.logs("suppressed_log10_lr")),
            log10_mean(group.logs("suppressed_log10_cra")),
            log10_mean(group.logs("suppressed_log10_ratio")),
        ],
    )
    yield _long(
        results,
        "table3_spread",
        "Beside Table 3: how the ratios of suppressed records are spread",
        "",
        [
            Heading("samples with any", "samples that have suppressed records at all", "count"),
            Heading("suppressed", "mean number of suppressed records, over all samples"),
            Heading(
                "covered",
                "basic segments that some class covers, so that no suppressed record can lie there; mean over the "
                "samples that have suppressed records",
                "percent",
            ),
            Heading("ratio", "the ratio of Table 3", "power"),
            *_spread("ratio of a sample's suppressed records"),
        ],
        lambda group: [
            len(group.logs("suppressed_free_cells")),
            mean(group.counts("suppressed")),
            mean(group.covered()),
            log10_mean(group.logs("suppressed_log10_ratio")),
            *_quantiles(group.logs("suppressed_log10_ratio")),
        ],
    )


def table_4(results: Results) -> Iterator[Sheet]:
    """Return the experiments' Table 4: outcomes of singling out."""
    share = "share of the compound classes of all samples together"
    yield _wide(
        results,
        "table4",
        "Table 4: CRA with fuzzy predicate singling out",
        "Of all compound classes. A class on a single basic segment never singles anybody out.",
        [
            Heading("failed", f"no basic segment of the class holds exactly one record; {share}", "percent"),
            Heading("1 record", f"exactly one does: one person is singled out; {share}", "percent"),
            Heading("> 1 record", f"several do; {share}", "percent"),
        ],
        lambda group: [percent(count, sum(group.outcomes())) for count in group.outcomes()],
    )
    yield _long(
        results,
        "table4_spread",
        "Beside Table 4: numbers of classes",
        "",
        [
            Heading("compound classes", "of all samples together", "count"),
            Heading("failed", "classes of which no basic segment holds exactly one record", "count"),
            Heading("1 record", "classes with exactly one such segment", "count"),
            Heading("> 1 record", "classes with several", "count"),
            Heading("singled out", "share of the compound classes with at least one, all samples together", "percent"),
            Heading(
                "singled out, by sample",
                "the same share in each sample, then the mean over the samples that have a compound class",
                "percent",
            ),
            Heading(
                "invalid",
                "classes and suppressed records whose true counts the attack excludes: 0 when it is sound",
                "count",
            ),
        ],
        lambda group: [
            sum(group.outcomes()),
            *group.outcomes(),
            group.singled_share(),
            mean(group.singled_shares()),
            sum(group.counts("singled_invalid")),
        ],
    )


def table_5(results: Results) -> Iterator[Sheet]:
    """Return the experiments' Table 5: numbers of feasible assignments."""
    yield _wide(
        results,
        "table5",
        "Table 5: CRA combinations for equivalence classes",
        "Feasible assignments of counts to basic segments, counted exactly.",
        [Heading("combinations", f"feasible assignments of a class; {_PER_SAMPLE}", "power")],
        lambda group: [log10_mean(group.class_means("combinations_sum_compound"))],
    )
    yield _long(
        results,
        "table5_spread",
        "Beside Table 5: how they are spread",
        "",
        [
            Heading("compound classes", "of all samples together", "count"),
            Heading("mean", f"the number of Table 5: {_PER_SAMPLE}", "power"),
            *_spread("feasible assignments of a compound class, all samples together"),
        ],
        lambda group: [
            sum(group.counts("compound_classes")),
            log10_mean(group.class_means("combinations_sum_compound")),
            *_quantiles(group.each_log10("each_combinations")),
        ],
    )


def figure_5(results: Results) -> Sheet:
    """Return the experiments' Figure 5: shares of basic and compound classes, also per number of quasi-identifiers."""
    rows: list[tuple[Value, ...]] = []
    for dataset in dict.fromkeys(name for name, _, _ in results.configurations):
        own = [c for c in results.configurations if c[0] == dataset]
        for label, chosen in [("all", own), *((_qis(results, c), [c]) for c in own)]:
            for k in results.ks:
                groups = [results.group(c, k) for c in chosen]
                basic = mean([share for group in groups for share in group.basic_shares()])
                counts = (sum(sum(group.counts(name)) for group in groups) for name in ("basic_classes", "classes"))
                rows.append((dataset, label, k, basic, None if basic is None else 100 - basic, *counts))
    over = "share of a sample's classes, then the mean over samples"
    counted = "of all samples together, where the share is a mean of each sample's"
    return Sheet(
        "figure5",
        "Figure 5: basic and compound segments",
        "For each data set the mean over all its numbers of quasi-identifiers, as drawn, then each by itself.",
        (
            DATASET,
            Heading("QIs", "number of quasi-identifiers; all: the mean over all of them", "text"),
            _K,
            Heading("basic", f"classes on a single basic segment; {over}", "percent"),
            Heading("compound", f"all other classes; {over}", "percent"),
            Heading("basic classes", f"counted; {counted}", "count"),
            Heading("all classes", f"counted; {counted}", "count"),
        ),
        tuple(rows),
    )


def _qis(results: Results, configuration: Configuration) -> str:
    return str(len(configuration[2].split())) if results.told_apart else described(configuration)


def tight_table(results: Results) -> Sheet:
    """Return the experiments' table of what the attack on all classes together adds."""
    known = "mean over the samples where the number of possible data sets is known"
    return _long(
        results,
        "tight",
        "All classes attacked together",
        "Beyond the paper. Logarithms of the numbers of possible data sets; a difference of 1 is a factor of 10.",
        [
            _SAMPLES,
            Heading("exact", "samples counted exactly", "count"),
            Heading("estimate", "samples estimated, with a standard error", "count"),
            Heading("timeout", "samples where the time ran out; what was certain by then is counted", "count"),
            Heading("refused", "samples where this attack could not be made", "count"),
            Heading("log10, intervals", f"data sets that the published intervals seem to allow; {known}"),
            Heading("log10, class by class", f"data sets that the attacks class by class leave; {known}"),
            Heading("log10, together", f"data sets that the attack on all classes together leaves; {known}"),
            Heading(
                "further reduction",
                "how many times fewer data sets than class by class, in each sample, then the median over the samples "
                "where it is known",
                "power",
            ),
            Heading(
                "certain cells", "basic segments whose number of records is certain; mean over all samples not refused"
            ),
            Heading(
                "isolated",
                "basic segments that hold exactly one record for certain, from the release alone; mean over all "
                "samples not refused",
            ),
        ],
        _tight_cells,
    )


def _tight_cells(group: Group) -> list[Value]:
    frame = group.frame
    statuses = list(frame["tight_status"])
    known = group.where_tight_is_known()
    names = ("tight_log10_intervals", "tight_log10_per_class", "tight_log10_worlds")
    gains = [a - b for a, b in zip(known.logs(names[1]), known.logs(names[2]), strict=True)]
    return [
        len(frame),
        *(statuses.count(status) for status in ("exact", "estimate", "timeout", "refused")),
        *(mean(known.logs(name)) for name in names),
        quantile(gains, 0.5),
        mean(group.logs("tight_fixed_cells")),
        mean(group.logs("tight_isolated")),
    ]


def all_tables(results: Results) -> list[Sheet]:
    """Return every table that an experiment's results have columns for."""
    tables = [*table_2(results), *table_3(results)]
    if results.singled:
        tables += table_4(results)
    tables += table_5(results)
    tables.append(figure_5(results))
    if results.tight:
        tables.append(tight_table(results))
    tables.append(trends(results))
    return tables
