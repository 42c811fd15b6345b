"""What Check says of a table that goes out, Audit says of its archive: each demand's mark and figure."""

from decimal import Decimal
from random import Random

import pandas as pd
import pytest

from cra_engine import Attribute, CRAError, Roles, Rule, Study, audit
from cra_engine.checks.demands import demands_of
from cra_engine.files.tables import read_table
from cra_engine.options.option import LIKELIEST, Way
from cra_engine.publishable import Pin, Space, archive_files, published_by, settings_of
from cra_engine.publishable.archive import for_readers
from cra_engine.publishable.making import Maker
from cra_engine.study.file_hierarchy import FileHierarchy

WAYS = [
    Way("local", "paper"),
    Way("repaired", LIKELIEST),
    Way("global", Decimal("0.05")),
    Way("global", Decimal(0)),
    Way("safe", Decimal(1)),
]
PINNED = [Pin("age", Decimal(40))]


def some_people(seed):
    """People of four decades and both sexes, two of whom are older than all others, as in many a table of one's own."""
    random = Random(seed)
    rows = [(random.randrange(20, 60), random.choice("FM"), random.choice(["flu", "gout", "HIV"])) for _ in range(18)]
    data = pd.DataFrame([*rows, (76, "F", "flu"), (77, "F", "gout")], columns=["age", "sex", "diagnosis"])
    study = Study([Attribute("age", 20, 100, 3), FileHierarchy("sex", (("F", "F", "*"), ("M", "M", "*")))], k=3)
    return data.astype(str), study.with_roles(Roles(sensitive=["diagnosis"]))


def audited(files, folder):
    """What Audit finds in the files that go to readers, as they are read from a folder."""
    for name, content in for_readers(files).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return audit(read_table(folder / "release.csv"), Study.from_toml(folder / "study" / "study.toml"))


def judged(checked):
    return {one.name: (one.mark, one.figure, one.share) for one in demands_of(checked)}


# Global recoding of such tables keeps nothing that is pinned.
@pytest.mark.parametrize(
    ("way", "pins"),
    [*((way, []) for way in WAYS), *((way, PINNED) for way in WAYS if way.name != "global")],
    ids=lambda one: f"{one.name} {one.setting}" if isinstance(one, Way) else "pinned" if one else "free",
)
def test_an_audit_of_the_archive_comes_to_the_figures_of_the_check(way, pins, tmp_path):
    compared = 0
    for seed in range(3):
        data, study = some_people(seed)
        if way.name == "safe":
            study = study.with_epsilon(way.setting)
        space = Space.of(data, study, Rule(), pins)
        maker, random = Maker(space, Rule()), Random(seed)
        choices = [one for one in space.choices() if (one.way.name, one.way.setting) == (way.name, way.setting)]
        for number, choice in enumerate(random.sample(choices, min(2, len(choices)))):
            try:
                table = maker.make(choice)
                outcome = maker.outcome(table, maker.checked(table, 30.0))
                settings = settings_of(outcome, Rule(), "people.csv", data)
                # Of safe recoding with other coins, by which what is pinned may show nothing.
                drawn = published_by(data, settings, choice.way, 3, outcome.decided)
            except CRAError:
                continue
            found = audited(archive_files(drawn, settings, "people.csv"), tmp_path / f"{seed} {number}")
            assert judged(found.checked) == judged(drawn.checked), (seed, choice)
            assert not found.gs_factor_supposed
            compared += 1
    assert compared
