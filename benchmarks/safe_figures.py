"""Safe recoding beside ARX-LR, global recoding and fakes: the table and the picture of docs/safe-recoding.md.

python benchmarks/safe_figures.py losses [DRAWS]   # writes docs/figures/safe-losses.csv and safe-recoding.svg
python benchmarks/safe_figures.py fakes            # only the columns on fakes in them, at the losses that stand there
python benchmarks/safe_figures.py gains            # writes docs/figures/gain-by-way.svg: what each way tells
python benchmarks/safe_figures.py nested [DRAWS]   # the ladder without a floor, first releases, and later ones
python benchmarks/safe_figures.py certain [TABLES] # the tight attack on 200 tables, published both ways
"""

import argparse
import csv
import lzma
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import isfinite, log2
from pathlib import Path
from statistics import median

import numpy as np
import pandas as pd
from fakes import with_fakes

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from cra_engine import (  # noqa: E402
    SafeRecoding,
    Study,
    read_hierarchy,
    read_table,
    recode,
    safe_recode,
    synthesize,
    tight_attack,
)
from cra_engine.attacks.intervals import expected_isolated  # noqa: E402
from cra_engine.defences.small_world import small_world  # noqa: E402
from cra_engine.options.compare import sensitive_column  # noqa: E402
from cra_engine.options.measures import EVERYBODY, Question, kept_figures  # noqa: E402
from cra_engine.options.option import Option, Way  # noqa: E402
from cra_engine.options.ways import Made, Publisher  # noqa: E402
from cra_engine.publish.local.coins import Coins  # noqa: E402
from cra_engine.publish.local.rounds import PublishedCells, Rounds  # noqa: E402
from cra_engine.publish.published_rows import published_rows  # noqa: E402
from cra_engine.published import Categories, Interval  # noqa: E402
from cra_engine.raw.cells import Filled  # noqa: E402
from cra_engine.raw.columns import read_column  # noqa: E402
from cra_engine.raw.placement import locate  # noqa: E402
from cra_engine.study.grid import Grid  # noqa: E402
from cra_engine.study.ladder import ladder_of  # noqa: E402
from cra_engine.study.ledger import rung_weights  # noqa: E402
from cra_engine.utility.count_queries import Query, estimates, relative_error  # noqa: E402

FIGURES = ROOT / "docs" / "figures"
SAVED = FIGURES / "safe-losses.csv"
LIMITS = tuple(Decimal(limit) for limit in ("0", "0.01", "0.02", "0.05", "0.1", "0.2", "0.3"))
FAKES = 0.1  # fakes per real person
KS = (3, 5, 10)
WAYS = ("ARX-LR", "global", "safe 0.5", "safe 1", "safe 2", "fakes")
Numbers = tuple[float, float]  # loss, and median relative error of count queries


@dataclass(frozen=True)
class Faked:
    """A table published with fakes at another way's loss.

    Attributes:
        numbers: loss of the real people, and the query error of a reader who takes all records for people.
        corrected: the query error of one who takes the fakes off that are to be expected in a query.
        alone: of the cells that hold exactly one record the share in which that is a fake.
        k: that it was published with.
    """

    numbers: Numbers
    corrected: float
    alone: float
    k: int


@dataclass(frozen=True)
class Row:
    """One table at one k: per way its numbers, and what fakes do at the loss of safe recoding with epsilon 1."""

    table: str
    records: int
    k: int
    found: dict[str, Numbers]
    fakes: Faked


def tables() -> Iterator[tuple[str, pd.DataFrame, Study]]:
    """The four tables with their studies; of Adult the age, education, marital status and sex."""
    for kind in ("clinic", "hospitals"):
        made = synthesize(kind)  # type: ignore[arg-type]
        yield kind, made.data, made.study
    samples, folder = ROOT / "sample_data", ROOT / "tests" / "data" / "adult"
    yield "diabetes", read_table(samples / "diabetes.csv"), Study.from_toml(samples / "diabetes.toml")
    adult = read_table(lzma.decompress((folder / "adult.csv.xz").read_bytes()), "adult.csv")
    names = ("age", "education", "marital-status", "sex")
    yield "Adult", adult, Study([read_hierarchy(folder / f"adult_hierarchy_{name}.csv", name) for name in names], 5)


def measured(made: Made, question: Question) -> Numbers:
    """Loss and query error of a published table."""
    found = kept_figures(made, question)
    loss, error = found["loss"].value, found["query_error"].value
    return loss or 0.0, error or 0.0


def fake(question: Question, study: Study, wanted: float) -> Faked:
    """A tenth of fakes, with the smallest k from the study's on that loses as much as safe recoding."""
    for k in range(study.k, 6 * study.k):
        made = with_fakes(question.data, study.with_k(k), FAKES)
        if made.loss >= wanted:
            break
    rows = published_rows(made.recoding.frame, study)
    names = list(study.names)
    asked = question.data[names].assign(**{EVERYBODY: "all"})
    shown = type(rows)(pd.DataFrame({EVERYBODY: ["all"] * len(rows.frame)}), rows.extents, rows.groups, rows.suppressed)
    answers = estimates(shown, asked, EVERYBODY, question.queries)
    fakes = int((~made.real).sum())
    corrected = [
        relative_error(mine - fakes * uniform_share(study, query), true)
        for mine, query, true in zip(answers, question.queries, question.truths, strict=True)
    ]
    single, of_fakes = made.alone
    error = kept_figures(Made(study, rows), question)["query_error"].value or 0.0
    return Faked((made.loss, error), median(corrected), of_fakes / max(single, 1), k)


def uniform_share(study: Study, query: Query) -> float:
    """The chance that somebody drawn evenly from the domains fits a query."""
    share = 1.0
    for attribute in study.attributes:
        wanted = query.get(attribute.name)
        if isinstance(wanted, Interval):
            domain = float(attribute.upper) - float(attribute.lower)
            share *= min(1.0, (float(wanted.upper) - float(wanted.lower)) / domain)
        elif isinstance(wanted, Categories):
            share *= sum(value in attribute.reader.listed for value in wanted.values) / len(attribute.reader.listed)  # noqa: PD011 - a set
    return share


def row_of(name: str, data: pd.DataFrame, study: Study, draws: int) -> Row:
    """All ways on one table at one k."""
    question = Question(data, study, sensitive_column(data, study, None))
    publisher, layers = Publisher(data, study), tuple(a.layers for a in study.attributes)

    def publish(way: Way) -> Numbers:
        return measured(publisher.publish(Option(study.k, layers, way)), question)

    found = {"ARX-LR": publish(Way("local", "paper"))}
    found["global"] = min(publish(Way("global", limit)) for limit in LIMITS)
    for epsilon in ("0.5", "1", "2"):
        drawn = []
        for seed in range(draws):
            made = safe_recode(data, study, epsilon, seed=seed)
            drawn.append(measured(Made(study, published_rows(made.frame, study), made.mean_loss), question))
        loss, error = np.mean(drawn, axis=0).tolist()
        found[f"safe {epsilon}"] = loss, error
    faked = fake(question, study, found["safe 1"][0])
    return Row(name, len(data), study.k, found | {"fakes": faked.numbers}, faked)


def read() -> Iterator[tuple[str, pd.DataFrame, Study]]:
    """The four tables with quasi-identifiers as numbers or texts, once per k."""
    for name, frame, study in tables():
        data = frame.assign(**{a.name: read_column(frame[a.name], a).raw_values for a in study.attributes})
        for k in KS:
            yield name, data, study.with_k(k)


def losses(draws: int) -> None:
    """The table and the picture."""
    rows = []
    for name, data, study in read():
        began = time.process_time()
        rows.append(row_of(name, data, study, draws))
        print(rows[-1], f"{time.process_time() - began:.0f} s", flush=True)
    written(rows)


def fakes() -> None:
    """The columns on fakes anew, at the losses of safe recoding that were written before."""
    rows = []
    with SAVED.open(newline="") as file:
        before = list(csv.DictReader(file))
    for old, (name, data, study) in zip(before, read(), strict=True):
        found = {way: (float(old[f"{way} loss"]), float(old[f"{way} error"])) for way in WAYS}
        faked = fake(Question(data, study, sensitive_column(data, study, None)), study, found["safe 1"][0])
        rows.append(Row(name, len(data), study.k, found | {"fakes": faked.numbers}, faked))
        print(name, study.k, faked, flush=True)
    written(rows)


def written(rows: list[Row]) -> None:
    """Write the table and the picture."""
    with SAVED.open("w", newline="") as file:
        out = csv.writer(file)
        heads = [f"{way} {what}" for way in WAYS for what in ("loss", "error")]
        out.writerow(["table", "records", "k", *heads, "fakes corrected", "fakes alone", "fakes k"])
        for row in rows:
            numbers = [number for way in WAYS for number in row.found[way]] + [row.fakes.corrected, row.fakes.alone]
            out.writerow([row.table, row.records, row.k, *(f"{number:.4f}" for number in numbers), row.fakes.k])
    (FIGURES / "safe-recoding.svg").write_text(picture(rows))


TRIANGLE = "M0,-5 L5,4 L-5,4 Z"
LOOKS = {
    "ARX-LR": ("#d55e00", "M-4,-4 L4,4 M-4,4 L4,-4"),
    "global": ("#8a6d00", "M0,-5 L5,0 L0,5 L-5,0 Z"),
    "safe 0.5": ("#004d38", TRIANGLE),
    "safe 1": ("#00805c", TRIANGLE),
    "safe 2": ("#2fbf94", TRIANGLE),
}
ERRORS = {**LOOKS, "fakes": ("#0072b2", "M-4,-4 L4,-4 L4,4 L-4,4 Z")}  # at the loss of safe 1; corrected


def picture(rows: list[Row]) -> str:
    """Loss and query error per table and k: a line of marks each, on two scales."""
    width, left, gap, step, top = 900, 130, 40, 26, 46
    half = (width - left - gap - 20) / 2
    panels = (("mean loss of a record", 0, LOOKS, left), ("error of count queries", 1, ERRORS, left + half + gap))
    start = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {top + step * len(rows) + 40}" '
    parts = [start + 'font-family="system-ui, sans-serif" font-size="12">']
    parts.append('<rect width="100%" height="100%" fill="#fff"/>')
    for place, (way, (colour, path)) in enumerate(ERRORS.items()):
        at = left + place * 92
        parts += [marked(path, colour, at, 20), f'<text x="{at + 9}" y="24">{way}</text>']
    base = top + step * len(rows) + 8
    for title, which, looks, begin in panels:
        high = max(row.found[way][which] for row in rows for way in looks) * 1.05
        for place, row in enumerate(rows):
            y = top + step * place + step / 2
            parts.append(f'<line x1="{begin:.0f}" x2="{begin + half:.0f}" y1="{y}" y2="{y}" stroke="#ddd"/>')
            if not which:
                parts.append(f'<text x="{left - 10}" y="{y + 4}" text-anchor="end">{row.table}, k = {row.k}</text>')
            for way, (colour, path) in looks.items():
                value = row.fakes.corrected if way == "fakes" else row.found[way][which]
                parts.append(marked(path, colour, begin + value / high * half, y))
        for tick in range(int(high * 10) + 1):
            x = begin + tick / 10 / high * half
            parts.append(f'<text x="{x:.1f}" y="{base + 10}" text-anchor="middle">{tick / 10:.1f}</text>')
        parts.append(f'<text x="{begin + half / 2:.0f}" y="{base + 26}" text-anchor="middle">{title}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def marked(path: str, colour: str, across: float, up: float) -> str:
    """One mark."""
    return f'<path d="{path}" transform="translate({across:.1f},{up})" fill="{colour}" stroke="{colour}"/>'


def gains() -> None:
    """What each way to publish tells, on every table of a small world: a table, and a picture with a row per way."""
    ways = small_world()
    width, left, step, top, endless = 720, 150, 26, 14, 4.6
    start = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {top + step * len(ways) + 40}" '
    parts = [start + 'font-family="system-ui, sans-serif" font-size="12">']
    parts.append('<rect width="100%" height="100%" fill="#fff"/>')

    def x(place: float) -> float:
        return left + (place + 2.3) / (endless + 2.6) * (width - left - 20)

    for place, way in enumerate(ways):
        gain = way.gains.person
        y = top + step * place + step / 2
        parts.append(f'<line x1="{left}" x2="{width - 20}" y1="{y}" y2="{y}" stroke="#ddd"/>')
        parts.append(f'<text x="{left - 10}" y="{y + 4}" text-anchor="end">{way.label}</text>')
        colour, path = LOOKS["safe 1" if isfinite(gain) else "ARX-LR"]
        at = x(log2(gain) if isfinite(gain) else endless)
        parts.append(marked(path, colour, at, y))
        side, anchor = (10, "start") if gain < 4 else (-10, "end")
        told = f"{way.gains.excluded_moves:.0%} of places excluded" if way.gains.excluded_moves else "none excluded"
        parts.append(f'<text x="{at + side:.1f}" y="{y + 4}" text-anchor="{anchor}">{told}</text>')
        told_tables = f"{way.gains.tables:.3g}" if isfinite(way.gains.tables) else "infinite"
        print(f"| {way.label} | {gain:.3g} | {told_tables} | {way.gains.excluded_moves:.1%} |")
    base = top + step * len(ways) + 8
    for tick in (-2, -1, 0, 1, 2, 3, endless):
        text = "\u221e" if tick == endless else f"{2**tick:g}"
        parts.append(f'<text x="{x(tick):.1f}" y="{base + 10}" text-anchor="middle">{text}</text>')
    middle = (left + width) / 2
    parts.append(f'<text x="{middle}" y="{base + 26}" text-anchor="middle">gain about one person</text></svg>')
    (FIGURES / "gain-by-way.svg").write_text("\n".join(parts) + "\n")


def certain(number: int) -> None:
    """The share of cells with a certain count, and of certain single persons, on random tables."""
    totals: dict[str, list[tuple[float, ...]]] = {"ARX-LR": [], "safe": []}
    for seed in range(number):
        records = int(np.random.default_rng(seed).integers(60, 200))
        made = synthesize(("clinic", "hospitals")[seed % 2], records, seed)  # type: ignore[arg-type]
        safe = safe_recode(made.data, made.study, 1, seed=seed).release
        for name, release in (("ARX-LR", recode(made.data, made.study).release), ("safe", safe)):
            found = tight_attack(release, time_limit=5)
            other = [view for view in found.cells if view.cell not in found.settled]
            fixed, alone = sum(view.fixed for view in other), len(found.isolated)
            expected = found.expected_isolated
            known = float("nan") if expected is None else expected
            totals[name].append((len(other), fixed, alone, known, expected_isolated(release)))
    for name, rows in totals.items():
        cells, settled, single, known_of, plain = np.array(rows, dtype=float).T
        print(
            f"{name}: {int(cells.sum())} cells that are no class, {int(settled.sum())} of them certain "
            f"({settled.sum() / cells.sum():.3%}); {int(single.sum())} certain single persons on "
            f"{int((single > 0).sum())} of {len(rows)} tables; expected {np.nanmean(known_of):.2f} a table, "
            f"by the intervals alone {np.mean(plain):.2f}"
        )


def nested(draws: int) -> None:
    """Print loss and suppressed records of the plain ladder, of first releases and of later ones; means of draws."""
    for name, data, study in tables():
        for k in (5, 10):
            own, cells = study.with_k(k), [f"{name}, k = {k}"]
            plain = [without_floor(data, own, Fraction(1), seed) for seed in range(draws)]
            few = sum(0 < one.suppressed < k for one in plain) / draws
            cells.append(f"{shown(plain)} / {100 * few:.0f}")
            once = {epsilon: [safe_recode(data, own, epsilon, seed=seed) for seed in range(draws)] for epsilon in ONCE}
            cells += [shown(once[epsilon]) for epsilon in ONCE]
            for spent in (("0.5", "0.5"), ("1", "1"), ("0.34", "0.33", "0.33")):
                made = [later(data, own, spent, seed) for seed in range(draws)]
                cells.append(shown(made))
            print("| " + " | ".join(cells) + " |", flush=True)


ONCE = ("0.5", "1", "2")


def shown(made: Sequence[PublishedCells]) -> str:
    """Mean loss, and suppressed records in percent."""
    left = sum(one.suppressed / one.records for one in made) / len(made)
    return f"{sum(one.loss for one in made) / len(made):.3f} / {100 * left:.1f}"


def later(data: pd.DataFrame, study: Study, spent: Sequence[str], seed: int) -> SafeRecoding:
    """The last of several releases, each drawn inside the one before."""
    made = safe_recode(data, study, spent[0], seed=seed)
    for number, epsilon in enumerate(spent[1:], 1):
        made = safe_recode(data, study, epsilon, seed=seed + 1000 * number, earlier=made.release)
    return made


def without_floor(data: pd.DataFrame, study: Study, epsilon: Fraction, seed: int) -> PublishedCells:
    """The ladder as it once was: no box has to leave anybody, and each rung spends a fixed share."""
    located = locate(study.roles.published(data), study)
    rounds, coins = Rounds(study, located.count_cells(Grid(study.attributes))[0]), Coins(seed)
    states = ladder_of(study.attributes).states
    shares = rung_weights(len(states))
    for state, share in zip(states, shares, strict=True):
        position, codes, totals = rounds.remaining.boxes(state)
        over = [(epsilon * share / sum(shares), total - study.k + 1) for total in totals.tolist()]
        full = np.array([extra > 0 and not coins.exp_minus(spent * extra) for spent, extra in over], dtype=bool)
        rounds.publish(state, Filled(codes[full], totals[full], full[position]))
    return PublishedCells(study, rounds.lattice, rounds.cells, rounds.taken, tuple(rounds.steps), ())


def main() -> None:
    """Print or draw what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("which", nargs="?", choices=("losses", "nested", "certain", "fakes", "gains"), default="losses")
    parser.add_argument("number", nargs="?", type=int, help="of draws, 20 if not given; of tables for certain, 200")
    chosen = parser.parse_args()
    match chosen.which:
        case "losses":
            losses(chosen.number or 20)
        case "nested":
            nested(chosen.number or 20)
        case "certain":
            certain(chosen.number or 200)
        case "fakes":
            fakes()
        case "gains":
            gains()


if __name__ == "__main__":
    main()
