"""Safe recoding beside ARX-LR, global recoding and fakes: the table and the picture of docs/safe-recoding.md.

python benchmarks/safe_figures.py losses [DRAWS]   # writes docs/figures/safe-losses.csv and safe-recoding.svg
python benchmarks/safe_figures.py certain          # the tight attack on 200 tables, published both ways
"""

import csv
import lzma
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

import numpy as np
import pandas as pd

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from cra_engine import Study, read_hierarchy, read_table, recode, safe_recode, synthesize, tight_attack  # noqa: E402
from cra_engine.attacks.intervals import expected_isolated  # noqa: E402
from cra_engine.defences.fakes import with_fakes  # noqa: E402
from cra_engine.defences.figures import Question, figures  # noqa: E402
from cra_engine.defences.ways import Made, WaySettings, sensitive_column, ways_of  # noqa: E402
from cra_engine.publish.published_rows import published_rows  # noqa: E402
from cra_engine.raw.placement import raw_values  # noqa: E402

FIGURES = ROOT / "docs" / "figures"
LIMITS = tuple(Decimal(limit) for limit in ("0", "0.01", "0.02", "0.05", "0.1", "0.2", "0.3"))
FAKES = 0.1  # fakes per real person
KS = (3, 5, 10)
WAYS = ("ARX-LR", "global", "safe 0.5", "safe 1", "safe 2", "fakes")
Numbers = tuple[float, float]  # loss, and median relative error of count queries


@dataclass(frozen=True)
class Row:
    """One table at one k: per way its numbers, and the k that the fakes were published with."""

    table: str
    records: int
    k: int
    found: dict[str, Numbers]
    fakes_k: int


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
    found = figures(made, question, ("loss", "query_error"))
    loss, error = found["loss"].value, found["query_error"].value
    return loss or 0.0, error or 0.0


def fake(question: Question, study: Study, wanted: float) -> tuple[Numbers, int]:
    """A tenth of fakes, with the smallest k from the study's on that loses as much as safe recoding."""
    for k in range(study.k, 6 * study.k):
        made = with_fakes(question.data, study.with_k(k), FAKES)
        if made.loss >= wanted:
            break
    rows = published_rows(made.recoding.frame, study)
    return measured(Made(rows, made.loss), question), k


def row_of(name: str, data: pd.DataFrame, study: Study, draws: int) -> Row:
    """All ways on one table at one k."""
    question = Question.of(data, study, sensitive_column(data, study, None))
    local, *_ = ways_of(study, WaySettings(("local",)), None)
    several = ways_of(study, WaySettings(("global",), limits=LIMITS), None)
    found = {"ARX-LR": measured(local.make(data), question)}
    found["global"] = min(measured(way.make(data), question) for way in several)
    for epsilon in ("0.5", "1", "2"):
        drawn = []
        for seed in range(draws):
            made = safe_recode(data, study, epsilon, seed=seed)
            drawn.append(measured(Made(published_rows(made.frame, study), made.loss), question))
        loss, error = np.mean(drawn, axis=0).tolist()
        found[f"safe {epsilon}"] = loss, error
    found["fakes"], k = fake(question, study, found["safe 1"][0])
    return Row(name, len(data), study.k, found, k)


def losses(draws: int) -> None:
    """The table and the picture."""
    rows = []
    for name, frame, study in tables():
        data = frame.assign(**{a.name: raw_values(frame[a.name], a) for a in study.attributes})
        for k in KS:
            began = time.process_time()
            rows.append(row_of(name, data, study.with_k(k), draws))
            print(rows[-1], f"{time.process_time() - began:.0f} s", flush=True)
    with (FIGURES / "safe-losses.csv").open("w", newline="") as file:
        out = csv.writer(file)
        out.writerow(["table", "records", "k", *(f"{w} {what}" for w in WAYS for what in ("loss", "error")), "fakes k"])
        for row in rows:
            numbers = [f"{number:.4f}" for way in WAYS for number in row.found[way]]
            out.writerow([row.table, row.records, row.k, *numbers, row.fakes_k])
    (FIGURES / "safe-recoding.svg").write_text(picture(rows))


TRIANGLE = "M0,-5 L5,4 L-5,4 Z"
LOOKS = {
    "ARX-LR": ("#d55e00", "M-4,-4 L4,4 M-4,4 L4,-4"),
    "global": ("#8a6d00", "M0,-5 L5,0 L0,5 L-5,0 Z"),
    "safe 0.5": ("#004d38", TRIANGLE),
    "safe 1": ("#00805c", TRIANGLE),
    "safe 2": ("#2fbf94", TRIANGLE),
}


def picture(rows: list[Row]) -> str:
    """Loss per table and k: a line of marks each, on one scale."""
    width, left, step, top = 720, 150, 26, 46
    high = max(row.found[way][0] for row in rows for way in LOOKS) * 1.05
    start = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {top + step * len(rows) + 40}" '
    parts = [start + 'font-family="system-ui, sans-serif" font-size="12">']
    parts.append('<rect width="100%" height="100%" fill="#fff"/>')

    def x(value: float) -> float:
        return left + value / high * (width - left - 20)

    def mark(way: str, across: float, up: float) -> str:
        colour, path = LOOKS[way]
        return f'<path d="{path}" transform="translate({across:.1f},{up})" fill="{colour}" stroke="{colour}"/>'

    for place, way in enumerate(LOOKS):
        at = left + place * 92
        parts += [mark(way, at, 20), f'<text x="{at + 9}" y="24">{way}</text>']
    for place, row in enumerate(rows):
        y = top + step * place + step / 2
        parts.append(f'<line x1="{left}" x2="{width - 20}" y1="{y}" y2="{y}" stroke="#ddd"/>')
        parts.append(f'<text x="{left - 10}" y="{y + 4}" text-anchor="end">{row.table}, k = {row.k}</text>')
        parts += [mark(way, x(row.found[way][0]), y) for way in LOOKS]
    base = top + step * len(rows) + 8
    ticks = [tenth / 10 for tenth in range(int(high * 10) + 1)]
    parts += [f'<text x="{x(tick):.1f}" y="{base + 10}" text-anchor="middle">{tick:.1f}</text>' for tick in ticks]
    parts.append(
        f'<text x="{(left + width) / 2}" y="{base + 26}" text-anchor="middle">mean loss of a record</text></svg>'
    )
    return "\n".join(parts) + "\n"


def certain() -> None:
    """The share of cells with a certain count, and of certain single persons, on 200 random tables."""
    totals: dict[str, list[tuple[float, ...]]] = {"ARX-LR": [], "safe": []}
    for seed in range(200):
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


if __name__ == "__main__":
    if sys.argv[1:2] == ["certain"]:
        certain()
    else:
        losses(int(sys.argv[2]) if len(sys.argv) > 2 else 20)
