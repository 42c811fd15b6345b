"""Do l-diversity and t-closeness protect against the attack? The table and the picture of docs/diversity.md.

    python benchmarks/diversity.py [RECORDS] [SAMPLES]    150 and 3, a quarter of an hour of processor time

Samples of the clinic, of hospitals and of Adult are published by local recoding under k alone, and with l-diversity or
t-closeness, and read from the release alone: of whom it is certain that they stand alone in a cell (all classes
together, by numbers of records), whose value is certain, and how far the attack on each class moves what a reader
believes of a value beyond its share in the class. Adult has its occupations; the others get a diagnosis that goes with
their first attribute, since they have none.
"""

import csv
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, fields
from decimal import Decimal
from pathlib import Path
from statistics import mean

import numpy as np
import pandas as pd

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from cra_engine import (  # noqa: E402
    LDiversity,
    Roles,
    Study,
    TCloseness,
    attack,
    read_hierarchy,
    recode,
    synthesize,
    tight_attack,
    who_has_what,
)
from cra_engine.criteria.models import PrivacyModel  # noqa: E402
from cra_engine.study.hierarchy import Hierarchy  # noqa: E402

FIGURES, ADULT = ROOT / "docs" / "figures", ROOT / "tests" / "data" / "adult"
RECORDS, SAMPLES, SECONDS = 150, 3, 30.0
KS = (3, 5, 10)
MODELS = ("k alone", "l = 2", "l = 3", "l = 4", "t = 0.5", "t = 0.4", "t = 0.3", "t = 0.2", "t = 0.1")
DIAGNOSES, SHARES = ("none", "hypertension", "diabetes", "asthma", "cancer", "HIV"), (0.4, 0.25, 0.15, 0.1, 0.07, 0.03)
PANELS = (
    ("alone", "people alone for certain"),
    ("expected", "people alone, expected"),
    ("shown", "people in classes of one value"),
    ("values", "others whose value is certain"),
    ("gain", "mean gain in likelihood"),
    ("loss", "loss"),
)
COLOURS = {3: "#D55E00", 5: "#0072B2", 10: "#009E73"}

Table = tuple[str, pd.DataFrame, Sequence[Hierarchy], str]


@dataclass(frozen=True)
class Row:
    """What one release gives away.

    Attributes:
        table: the table.
        sample: number of the sample, which is its seed.
        k: smallest class.
        model: asked for besides.
        alone: people who are alone in a cell for certain.
        expected: people who are alone in a cell, on average over all tables; NaN where that is not known.
        shown: people of classes that show one value, which no attack is needed for.
        values: others whose value is certain, as they are alone in a cell for certain.
        gain: mean over cells of the most that a likelihood exceeds its share in the class; NaN where none is known.
        loss: mean loss of a record, 0 to 1.
        cells: cells that may hold somebody and are no class of their own.
        known: those of them in which all likelihoods are known.
        status: of the attack on all classes together.
    """

    table: str
    sample: int
    k: int
    model: str
    alone: int
    expected: float
    shown: int
    values: int
    gain: float
    loss: float
    cells: int
    known: int
    status: str


def tables(records: int, seed: int) -> Iterator[Table]:
    """Samples with hierarchies and a sensitive column."""
    for kind in ("clinic", "hospitals"):
        data, study = synthesize(kind, records=records, seed=seed)
        rng = np.random.default_rng([seed, *kind.encode()])
        place = (data[study.names[0]].rank(pct=True) + rng.normal(0, 0.4, records)).rank(pct=True, method="first")
        diagnosis = np.array(DIAGNOSES)[np.searchsorted(np.cumsum(SHARES[:-1]), place, side="left")]
        yield kind, data[list(study.names)].assign(diagnosis=diagnosis), study.attributes, "diagnosis"
    names = ["age", "education"]
    whole = pd.read_csv(ADULT / "adult.csv.xz", sep=";", dtype=str)
    trees = [read_hierarchy(ADULT / f"adult_hierarchy_{name}.csv", name) for name in names]
    yield (
        "Adult",
        whole[[*names, "occupation"]].sample(records, random_state=seed, ignore_index=True),
        trees,
        "occupation",
    )


def asked(model: str, column: str) -> list[PrivacyModel]:
    """The privacy models besides k."""
    letter, _, limit = model.partition(" = ")
    if not limit:
        return []
    return [LDiversity(column, int(limit)) if letter == "l" else TCloseness(column, Decimal(limit))]


def row(table: Table, sample: int, k: int, model: str) -> Row:
    """What a release of a table gives away."""
    name, data, trees, column = table
    study = Study(list(trees), k, privacy=asked(model, column), roles=Roles(sensitive=[column]))
    recoding = recode(data, study)
    release = recoding.release
    together = tight_attack(release, prior="assignments", time_limit=SECONDS)
    # Values class by class: to settle them by all classes together takes minutes a release.
    who = who_has_what(attack(release, prior="assignments"), [column], time_limit=0)
    own = [set(release.table[column].iloc[release.rows_of(index)]) for index in range(len(release.classes))]
    shown = sum(c.size for c, values in zip(release.classes, own, strict=True) if len(values) == 1)
    isolated = set(together.isolated)
    alone = [one for one in who.cells if one.cell in isolated]
    values = sum(len(one.shares) > 1 == sum(chance > 0 for chance in one.alone_with.values()) for one in alone)
    gain = float("nan") if who.mean_gain is None else who.mean_gain
    known = sum(not one.why_unknown for one in who.cells)
    return Row(
        name,
        sample,
        k,
        model,
        len(isolated),
        float("nan") if together.expected_isolated is None else together.expected_isolated,
        shown,
        values,
        gain,
        float(recoding.loss),
        len(who.cells),
        known,
        together.status,
    )


def means(rows: Sequence[Row]) -> dict[tuple[str, int, str], dict[str, float]]:
    """Per table, k and model the means of the samples."""
    found: dict[tuple[str, int, str], list[Row]] = defaultdict(list)
    for one in rows:
        found[one.table, one.k, one.model].append(one)
    return {key: {name: mean(getattr(one, name) for one in same) for name, _ in PANELS} for key, same in found.items()}


def printed(rows: Sequence[Row]) -> str:
    """The table of the page: a line per table and model, of the smallest k."""
    lines = [
        "| table | besides k | " + " | ".join(called for _, called in PANELS) + " |",
        "|---" * (2 + len(PANELS)) + "|",
    ]
    for (table, k, model), told in means(rows).items():
        if k == min(KS):
            digits = {name: 3 if name in ("gain", "loss") else 1 for name in told}
            numbers = [f"{told[name]:.{digits[name]}f}" if told[name] == told[name] else "not known" for name in told]
            lines.append(f"| {table} | {model} | {' | '.join(numbers)} |")
    return "\n".join(lines)


def picture(rows: Sequence[Row]) -> str:
    """A column of panels per table, a line per k, the models from left to right."""
    known, names = means(rows), list(dict.fromkeys(one.table for one in rows))
    width, height, left, top, step = 250, 110, 60, 70, 24
    size = left + len(names) * (width + 40), top + len(PANELS) * (height + 34) + 70
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size[0]} {size[1]}" font-family="sans-serif">',
        "<title>What releases under k, l-diversity and t-closeness give away, and what they lose</title>",
        f'<rect width="{size[0]}" height="{size[1]}" fill="white"/>',
    ]
    for at, (k, colour) in enumerate(COLOURS.items()):
        lines.append(f'<circle cx="{left + 80 * at}" cy="20" r="5" fill="{colour}"/>')
        lines.append(f'<text x="{left + 80 * at + 10}" y="25" font-size="14">k = {k}</text>')
    for line, (name, called) in enumerate(PANELS):
        most = max((held[name] for held in known.values() if held[name] == held[name]), default=0) or 1
        for column, table in enumerate(names):
            x0, y0 = left + column * (width + 40), top + line * (height + 34)
            lines.append(f'<text x="{x0}" y="{y0 - 6}" font-size="13">{table}: {called}</text>')
            lines.append(f'<rect x="{x0}" y="{y0}" width="{width}" height="{height}" fill="none" stroke="#888"/>')
            lines += [
                f'<text x="{x0 - 5}" y="{y0 + height * (1 - share) + 4:.0f}" font-size="11" text-anchor="end">'
                f"{most * share:.3g}</text>"
                for share in ((0, 1) if column == 0 else ())
            ]
            for k, colour in COLOURS.items():
                points = [
                    (x0 + 20 + step * place, y0 + height * (1 - held[name] / most))
                    for place, model in enumerate(MODELS)
                    if (held := known.get((table, k, model))) and held[name] == held[name]
                ]
                path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
                lines.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.5"/>')
                lines += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in points]
            if line == len(PANELS) - 1:
                lines += [
                    f'<text transform="translate({x0 + 24 + step * place} {y0 + height + 8}) rotate(-60)" '
                    f'font-size="11" text-anchor="end">{model}</text>'
                    for place, model in enumerate(MODELS)
                ]
    return "\n".join([*lines, "</svg>\n"])


def main(records: int = RECORDS, samples: int = SAMPLES) -> None:
    """Write the numbers and the picture, print the table."""
    rows = []
    with (FIGURES / "diversity.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, [field.name for field in fields(Row)], lineterminator="\n")
        writer.writeheader()
        for sample in range(1, samples + 1):
            for table in tables(records, sample):
                for k in KS:
                    for model in MODELS:
                        rows.append(row(table, sample, k, model))
                        writer.writerow(asdict(rows[-1]))
                        file.flush()
    (FIGURES / "diversity.svg").write_text(picture(rows), encoding="utf-8")
    print(printed(rows))
    ended = sum(one.status != "timeout" for one in rows)
    print(f"{ended} of {len(rows)} releases were looked at together to the end; likelihoods are known in")
    print(f"{sum(one.known for one in rows):,} of {sum(one.cells for one in rows):,} cells.")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:3]))
