"""The report on an experiment as files: Markdown, one HTML file that needs nothing else, CSV, and the figure."""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from itertools import groupby

from markupsafe import Markup

from cra_engine.experiments.layout import Heading, Sheet, csv_value, shown_value
from cra_engine.experiments.results import Results
from cra_engine.experiments.tables import all_tables
from cra_engine.files.csv_text import csv_lines
from cra_engine.reports.page import fill_template

# Geometry of the figure in pixels.
_BAR, _GAP, _HEIGHT, _LEFT, _TOP, _PANEL_GAP = 46, 12, 220, 60, 56, 40


def report_files(results: Results) -> dict[str, str]:
    """Return every file of an experiment's report: its name and its text."""
    tables = all_tables(results)
    figure = figure_svg(next(table for table in tables if table.key == "figure5"))
    files_ = {f"{table.key}.csv": csv_text(table) for table in tables}
    return files_ | {
        "figure5.svg": figure,
        "report.md": markdown(results, tables),
        "report.html": html(results, tables, figure),
    }


def summary(results: Results) -> list[str]:
    """Say what the tables of an experiment's report rest on."""
    frame = results.frame
    lines = [
        f"{len(frame):,} releases: {len(results.configurations)} configurations, k = {', '.join(map(str, results.ks))}."
    ]
    for configuration, own in frame.groupby(["dataset", "attributes", "layers"], sort=False):
        dataset, attributes, layers = map(str, configuration)
        samples, records = len(set(own["sample"])), " or ".join(dict.fromkeys(own["records"]))
        lines.append(
            f"{dataset}: {attributes.replace(' ', ', ')} with {layers.replace(' ', ', ')} layers, {samples} samples of "
            f"{records} records."
        )
    uncountable = sum(map(int, frame["uncountable_classes"]))
    if uncountable:
        lines.append(
            f"{uncountable:,} compound classes have no data set of distinct records that explains them; they enter no "
            "mean of ratios and solutions."
        )
    if len(set(frame.groupby(["dataset", "attributes", "layers", "k"]).size())) > 1 or results.unfinished:
        lines.append("The experiment is not finished: some means are over fewer samples than others.")
    return lines


def csv_text(table: Sheet) -> str:
    """Write an experiment's table for programs; a number of any size has its decimal logarithm beside it."""
    header: list[str] = []
    for column in table.columns:
        header += [column.title, f"{column.title} (log10)"] if column.kind == "power" else [column.title]
    lines = [header]
    for row in table.rows:
        cells: list[str] = []
        for column, value in zip(table.columns, row, strict=True):
            cells.append(csv_value(value, column.kind))
            if column.kind == "power":
                finite = value is not None and abs(float(value)) != float("inf")
                cells.append(csv_value(value, "number") if finite else "")
        lines.append(cells)
    return csv_lines(lines)


def markdown_table(table: Sheet) -> str:
    """Write an experiment's table as Markdown, without its heading."""
    lines = [
        "| " + " | ".join(_escaped(column.title) for column in table.columns) + " |",
        "|" + "|".join(" --- " if column.kind == "text" else " ---: " for column in table.columns) + "|",
    ]
    for row in table.rows:
        cells = (shown_value(value, column.kind) for column, value in zip(table.columns, row, strict=True))
        lines.append("| " + " | ".join(_escaped(cell) for cell in cells) + " |")
    return "\n".join(lines) + "\n"


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;").replace("*", "\\*").replace("_", "\\_")


def definitions(table: Sheet) -> list[Heading]:
    """Return the columns of an experiment's table that differ in name, each once: those of several k mean the same."""
    return list({column.name: column for column in table.columns}.values())


def markdown(results: Results, tables: Sequence[Sheet]) -> str:
    """Write the whole report of an experiment as Markdown."""
    parts = ["# Report on an experiment\n", *(f"{_escaped(line)}\n" for line in summary(results))]
    for table in tables:
        parts.append(f"## {table.title}\n")
        if table.note:
            parts.append(f"{table.note}\n")
        if table.key == "figure5":
            parts.append("![Shares of basic and compound classes for each k; the numbers stand below.](figure5.svg)\n")
        parts.append(markdown_table(table))
        parts.append("".join(f"- **{_escaped(c.name)}**: {_escaped(c.help)}\n" for c in definitions(table)))
    return "\n".join(parts)


def html(results: Results, tables: Sequence[Sheet], figure: str) -> str:
    """Write the whole report of an experiment as one HTML file that loads nothing."""
    return fill_template(
        files("cra_engine.experiments") / "tables.html.j2",
        tables=tables,
        summary=summary(results),
        figure=Markup(figure),  # noqa: S704 - rendered with autoescape itself
        shown=shown_value,
        heads=_heads,
        definitions=definitions,
    )


def _heads(table: Sheet) -> list[tuple[str, int]]:
    """The groups above the columns with the number of columns below each."""
    return [(name, len(list(columns))) for name, columns in groupby(table.columns, key=lambda column: column.group)]


@dataclass(frozen=True)
class _Bar:
    """One bar of the figure: its k, the shares in percent, and where the parts lie."""

    k: int
    basic: float
    compound: float
    x: int
    middle: float
    split: float


@dataclass(frozen=True)
class _Panel:
    """The bars of one data set."""

    name: str
    x: int
    width: int
    bars: list[_Bar]


def figure_svg(table: Sheet) -> str:
    """Draw Figure 5 of an experiment: for each data set and k a bar, basic classes below, compound ones above."""
    panels: list[_Panel] = []
    left = _LEFT
    for name, rows in groupby((row for row in table.rows if row[1] == "all"), key=lambda row: str(row[0])):
        bars: list[_Bar] = []
        for _, _, k, basic, compound, *_ in rows:
            x = left + len(bars) * (_BAR + _GAP)
            if isinstance(k, int) and isinstance(basic, float) and isinstance(compound, float):
                split = _TOP + _HEIGHT * compound / 100
                bars.append(_Bar(k, basic, compound, x, x + _BAR / 2, split))
        # A name needs room even above a single bar.
        width = max(len(bars) * (_BAR + _GAP), 9 * len(name))
        panels.append(_Panel(name, left, width, bars))
        left += width + _PANEL_GAP
    return fill_template(
        files("cra_engine.experiments") / "figure5.svg.j2",
        panels=panels,
        width=max(left, 340),
        height=_TOP + _HEIGHT + 30,
        top=_TOP,
        bottom=_TOP + _HEIGHT,
        bar=_BAR,
        left=_LEFT,
        ticks=[(share, _TOP + _HEIGHT * (100 - share) / 100) for share in (0, 25, 50, 75, 100)],
    )
