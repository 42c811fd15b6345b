"""Microaggregation, and sensitive cells of any release, on the command line."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cra_engine.choices import ClusterMethod, DecimalSign
from cra_engine.cli.app import CHECK, PUBLISH, app
from cra_engine.cli.clock import counting
from cra_engine.cli.files import hand_out, note, print_json, study_of, table_of
from cra_engine.cli.options import (
    BackendOption,
    DataArgument,
    DecimalOption,
    JsonOption,
    KeepOrderOption,
    ReleaseOutput,
    SchedulerOption,
)
from cra_engine.cli.verdict import say_undecided
from cra_engine.errors import DataError

if TYPE_CHECKING:
    import pandas as pd

    from cra_engine.criteria.cells import CellRule
    from cra_engine.risk.sensitive_cells import SensitiveCells

MOST_SHOWN = 20

ColumnOption = Annotated[
    list[str] | None, typer.Option("--column", metavar="NAME", help="A column of numbers; repeat it. All by default.")
]
DominanceOption = Annotated[
    list[str] | None,
    typer.Option("--dominance", metavar="N,R", help="The N largest have more than the share R; repeat it."),
]
POption = Annotated[
    list[str] | None,
    typer.Option("--p", metavar="P", help="The second largest estimates the largest within the share P; repeat it."),
]

MANY = 50_000  # records from which on it is said that MDAV is quadratic


@app.command("microaggregate", panel=PUBLISH, tables=("output",))
def microaggregate_command(
    data: DataArgument,
    k: Annotated[int, typer.Option("--k", metavar="K", help="The smallest size of a cluster, 2 or more.")],
    output: ReleaseOutput,
    method: Annotated[ClusterMethod, typer.Option(help="How clusters are formed.")] = "mdav",
    column: ColumnOption = None,
    standardize: Annotated[
        bool, typer.Option("--standardize", help="Divide columns by their standard deviations, in MDAV's distances.")
    ] = False,
    dominance: DominanceOption = None,
    p: POption = None,
    study: Annotated[
        Path | None,
        typer.Option("--study", metavar="STUDY.toml", help="Whose [roles] remove columns, or leave them as they are."),
    ] = None,
    compliant: Annotated[
        bool, typer.Option("--compliant", help="Merge clusters until no rule calls a cell sensitive.")
    ] = False,
    suppress: Annotated[
        bool,
        typer.Option(
            "--suppress",
            help="Hide sensitive cells, and the fewest numbers besides that keep the totals from telling. Needs "
            "[solver].",
        ),
    ] = False,
    decimal: DecimalOption = None,
    keep_order: KeepOrderOption = False,
    backend: BackendOption = None,
    scheduler: SchedulerOption = None,
    as_json: JsonOption = False,
) -> None:
    """Publish cluster means and name sensitive cells, by (2, 0.6)-dominance and p = 0.6 if no rule is given."""
    from cra_engine.publish.microaggregation.check import check_microaggregation
    from cra_engine.publish.microaggregation.microaggregate import microaggregate as publish
    from cra_engine.publish.microaggregation.suppressing import with_hidden_cells
    from cra_engine.risk.sensitive_cells import sensitive_cells
    from cra_engine.study.roles import Roles
    from cra_engine.words import how_many

    if compliant and suppress:
        raise DataError("--compliant merges clusters until nothing is sensitive, --suppress hides; give one of them.")
    rules, roles = _rules(dominance, p), Roles() if study is None else study_of(study, None, models=True).roles
    read, notes = table_of(data, backend, scheduler)
    table = roles.published(_decided(read, column, decimal))
    if method == "mdav" and len(table) > MANY:
        note(
            f"MDAV looks at all {len(table):,} records again for each cluster: ten times as many take a hundred times "
            "as long. --method mondrian takes seconds."
        )
    result = publish(
        table,
        k,
        method=method,
        columns=column,
        standardize=standardize,
        comply=rules if compliant else (),
        roles=roles.without(roles.remove),
        progress=counting("records and clusters"),
    )
    judged = sensitive_cells(result.clusters, result.columns, rules)
    check_microaggregation(table, result.frame, result.columns.names, k)
    hidden = with_hidden_cells(result, rules) if suppress else None
    notes += hand_out(result.frame if hidden is None else hidden.frame, output, keep_order=keep_order)
    note(*notes, *result.warnings)
    unseen = say_undecided(table, roles.without(roles.remove), result.columns.names)
    if as_json:
        cells = judged.to_dict()
        told = result.to_dict() | {name: cells[name] for name in ("rules", "alone", "estimates")}
        told |= {} if hidden is None else hidden.to_dict(result.columns.names)
        print_json(told | {"warnings": [*result.warnings, *unseen]})
        return
    typer.echo(
        f"{how_many(len(table), 'record')}, k = {k}, {method}: {how_many(len(result.clusters), 'cluster')} on "
        f"{how_many(len(result.columns.names), 'column')}; {_share(result.squared_error)} of the variance lost. "
        f"Release in {output}."
    )
    if compliant:
        merged = len(result.unmerged) - len(result.clusters)
        typer.echo(
            f"Merged to comply: {len(result.unmerged):,} clusters before, {_share(result.squared_error_unmerged)} lost "
            "before."
            if merged
            else "No cluster had to be merged to comply."
        )
    if hidden is not None:
        typer.echo(
            f"Hidden: {how_many(len(hidden.sensitive), 'sensitive cell')} and {len(hidden.secondary):,} besides, so "
            f"that no column's total gives one back; {_share(float(hidden.share))} of all numbers."
        )
    _print_cells(judged, "cluster")


@app.command("sensitive-cells", panel=CHECK)
def sensitive_cells_command(
    data: DataArgument,
    release: Annotated[
        Path, typer.Option("--release", metavar="RELEASE.csv", help="The published table, rows in DATA.csv's order.")
    ],
    by: Annotated[
        list[str], typer.Option("--by", metavar="NAME", help="Rows of the release equal here are a class; repeat it.")
    ],
    column: ColumnOption = None,
    dominance: DominanceOption = None,
    p: POption = None,
    decimal: DecimalOption = None,
    as_json: JsonOption = False,
) -> None:
    """Say which cells (class by column) of any release are sensitive, and who could estimate whom."""
    from cra_engine.files.tables import read_noted
    from cra_engine.release import read_release_table
    from cra_engine.risk.sensitive_cells import classes_of
    from cra_engine.risk.sensitive_cells import sensitive_cells as judge
    from cra_engine.words import how_many

    rules = _rules(dominance, p)
    read, notes = read_noted(data)
    table = _decided(read, column, decimal)
    published = read_release_table(release)
    if len(table) != len(published):
        raise DataError(
            f"{data} holds {how_many(len(table), 'record')} and {release} {len(published):,}; the release must hold "
            "the same records in the same order."
        )
    _refuse_other_order(table, published)
    judged = judge(classes_of(published, by), table, rules, column)
    note(*notes, *judged.columns.warnings)
    if as_json:
        print_json(judged.to_dict())
        return
    _print_cells(judged, "class")


def _refuse_other_order(table: "pd.DataFrame", published: "pd.DataFrame") -> None:
    """Refuse a release some column of which holds the table's values in another order.

    Raises:
        DataError: it does.
    """
    for name in table.columns:
        if name in published.columns:
            before, after = (list(frame[name].astype(str)) for frame in (table, published))
            if before != after and sorted(before) == sorted(after):
                raise DataError(
                    f"Column {name!r} of the release holds the table's values in another order; the rows must stand in "
                    "the table's order here: publish with --keep-order, and hand out another file."
                )


def _rules(dominance: list[str] | None, p: list[str] | None) -> "tuple[CellRule, ...]":
    """The rules that were named, dominance first; the usual two where none were."""
    from cra_engine.criteria.concentration import USUAL, PRule, dominance_of

    named: list[CellRule] = [dominance_of(text) for text in dominance or ()]
    named += [PRule(text.strip()) for text in p or ()]
    return tuple(named) or USUAL


def _decided(table: "pd.DataFrame", columns: list[str] | None, decimal: DecimalSign | None) -> "pd.DataFrame":
    """The table with the numbers of its columns in plain notation, where somebody said how they are written."""
    from cra_engine.files.notation import with_decimal
    from cra_engine.raw.exact_columns import text_columns

    if decimal is None:
        return table
    texts = set(text_columns(table))
    return with_decimal(table, columns or [name for name in table.columns if name not in texts], decimal)


def _share(share: float) -> str:
    return f"{100 * share:.3g} %"


def _print_cells(judged: "SensitiveCells", what: str) -> None:
    for one in judged.findings:
        undefined = f"; {len(one.undefined):,} undefined (negative numbers), not safe" if one.undefined else ""
        typer.echo(
            f"{one.rule.text}: {len(one.sensitive):,} of {judged.cells:,} cells sensitive"
            f"{f' ({_share(len(one.sensitive) / judged.cells)})' if judged.cells else ''}{undefined}."
        )
        listed = sorted(one.sensitive)[:MOST_SHOWN]
        if listed:
            more = f" and {len(one.sensitive) - len(listed):,} more" if len(one.sensitive) > len(listed) else ""
            cells = "; ".join(f"{what} {group}, {judged.columns.names[column]}" for group, column in listed)
            typer.echo(f"  {cells}{more}")
    if judged.alone:
        typer.echo(f"Cells of a single record, which show its number as it is: {len(judged.alone):,}.")
    for group, column in judged.closest_first[:MOST_SHOWN]:
        estimate = judged.cell(group, column).closest()
        if estimate is not None and estimate.error is not None:
            typer.echo(
                f"{what} {group}, {judged.columns.names[column]}: row {estimate.who + 1} could conclude that row "
                f"{estimate.whom + 1} has {float(estimate.lower):.6g} to {float(estimate.upper):.6g}; the upper end is "
                f"{100 * float(estimate.error):.3g} % above the truth"
            )
    if len(judged.offending) > MOST_SHOWN:
        typer.echo(f"... and {len(judged.offending) - MOST_SHOWN:,} more sensitive cells (--json lists all)")
