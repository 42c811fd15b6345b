"""How much sooner a search for a publishable table ends that knows least costs: python benchmarks/publishable.py.

Each table is searched twice: by the bounds of single columns alone, and by those of cells that hold enough people and
values. Told are the tables that were published, and the processor seconds as a multiple of the first search's; what was
found has to be the same.
"""

import argparse
import time
from random import Random
from unittest.mock import patch

import pandas as pd

from cra_engine import Attribute, Roles, Study, synthesize
from cra_engine.publishable import Choice, one_search, publishable
from cra_engine.publishable.least import LeastCosts
from cra_engine.publishable.making import Maker
from cra_engine.study.file_hierarchy import FileHierarchy

LIMIT = 600.0


def patients(rows: int, seed: int) -> tuple[pd.DataFrame, Study]:
    """Patients of some ages, of whom now and then one is not known, and two sexes, with blood values and diagnoses."""
    random = Random(seed)
    data = pd.DataFrame(
        [
            {
                "age": "" if random.random() < 0.05 else str(random.randint(20, 79)),
                "sex": random.choice("mf"),
                "crp": f"{random.uniform(0, 80):.1f}",
                "diagnosis": random.choice(["asthma", "flu", "diabetes", "fracture"]),
            }
            for _ in range(rows)
        ]
    )
    sexes = FileHierarchy("sex", (("m", "m", "*"), ("f", "f", "*")))
    study = Study([Attribute("age", 20, 84, 4), sexes, Attribute("crp", 0, 80, 4)], k=5)
    return data, study.with_roles(Roles(sensitive=["diagnosis"]))


class Plain(LeastCosts):
    """The bounds of single columns alone."""

    def of(self, choice: Choice) -> float:
        """A cost that no table of a choice is below."""
        return self._space.bound(choice.heights, choice.gaps)


def searched(data: pd.DataFrame, study: Study, bounds: type[LeastCosts]) -> tuple[list[str], int, float]:
    """What a search by these bounds finds, the tables that it published, and the processor seconds that it took."""
    with (
        patch.object(one_search, "LeastCosts", bounds),
        patch.object(Maker, "make", autospec=True, side_effect=Maker.make) as made,
    ):
        began = time.process_time()
        found = publishable(data, study, time_limit=LIMIT)
        return [one.label for one in found.outcomes], made.call_count, time.process_time() - began


def main() -> None:
    """Search all tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=40, help="patients (40)")
    parser.add_argument("--tables", type=int, default=3, help="tables of patients (3)")
    given = parser.parse_args()
    toy = synthesize("toy")
    tables = {"toy": (toy.data, toy.study)}
    tables |= {f"patients {seed}": patients(given.rows, seed) for seed in range(given.tables)}
    print("table, published by columns, by cells, share of the time")
    for name, (data, study) in tables.items():
        found, many, seconds = searched(data, study, Plain)
        again, fewer, sooner = searched(data, study, LeastCosts)
        same = "" if found == again else ", and something else is found"
        print(f"{name}, {many}, {fewer}, {sooner / seconds:.2f}{same}", flush=True)


if __name__ == "__main__":
    main()
