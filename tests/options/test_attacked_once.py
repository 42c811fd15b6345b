"""What local recoding gives away is worked out once, though its table is judged and repaired."""

from dataclasses import replace
from decimal import Decimal
from itertools import count

import pytest

from cra_engine import CRAError, OptionGrid, Release, Way, compare, recode, repair, synthesize
from cra_engine.assess import attacked
from cra_engine.defences import repair as repairing
from cra_engine.options import Option, Publisher, ways_for
from shares import first
from strategies import random_case
from truth import excluded

TOY = synthesize("toy")
GRID = OptionGrid.of(TOY.study, ways_for(TOY.study, ("local", "repaired")))


@pytest.fixture
def together(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The tables whose classes are attacked all together."""
    tables: list[str] = []
    honest = attacked.tight_attack

    def noted(release, **how):
        tables.append(release.table[list(TOY.study.names)].to_csv())
        return honest(release, **how)

    monkeypatch.setattr(attacked, "tight_attack", noted)
    return tables


def test_a_table_that_is_judged_and_repaired_is_attacked_once(together):
    compare(TOY.data, TOY.study, GRID)
    assert len(together) == len(set(together))


def test_a_repair_comes_out_as_if_nothing_had_been_known(together):
    known = compare(TOY.data, TOY.study, GRID).points[1]
    assert known.option.way.name == "repaired"
    together.clear()
    made = Publisher(TOY.data, TOY.study).publish(known.option)
    assert together  # nobody had assessed what it repairs
    assert (made.loss, made.notes) == (known.loss, known.notes[: len(made.notes)])
    assert known.table == f"repaired {made.fingerprint}"


@pytest.mark.parametrize("seeds", first(1, [[5], range(6, 60)]), ids=len)
def test_what_a_repaired_table_gives_away_is_measured_for_a_reader_who_is_told_of_the_repair(seeds):
    """Who is not rules out what is true, of which no number tells anything."""
    repaired = false = 0
    for seed in seeds:
        case, way = random_case(seed, count=2, most_records=25), Way("repaired", Decimal("0.2"))
        publisher = Publisher(case.data, case.study)
        try:
            made = publisher.publish(Option(case.study.k, (), way))
        except CRAError:
            continue
        if not (made.repaired and made.release.classes):
            continue
        assert excluded(made.release, publisher.data) == [], seed
        false += bool(excluded(Release(case.study, made.table.frame), publisher.data))
        points = compare(case.data, case.study, OptionGrid.of(case.study, (way,))).points
        point = next(one for one in points if one.table == f"repaired {made.fingerprint}")
        told = attacked.assess(Release(case.study.changed(recoding="repaired"), made.table.frame))
        for name in ("certain", "expected", "likeliest"):
            assert point.figures[name].value == pytest.approx(getattr(told, name).value), (seed, name)
        repaired += 1
    assert repaired
    assert false


def test_what_another_table_gives_away_is_not_taken_for_this_one(together):
    publisher = Publisher(TOY.data, TOY.study.with_k(4))
    publisher.assessed = attacked.assess(recode(TOY.data, TOY.study.with_k(7)).release, local=True)
    together.clear()
    publisher.publish(Option(4, (), GRID.ways[1]))
    assert together


def test_what_was_not_settled_in_time_is_tried_once(monkeypatch: pytest.MonkeyPatch):
    calls, honest = count(), repairing.assess

    def late(release, **how):
        next(calls)
        return replace(honest(release, **how), missing=(attacked.NOT_SETTLED,))

    monkeypatch.setattr(repairing, "assess", late)
    mended = repair(recode(TOY.data, TOY.study.with_k(7)).release)
    assert not mended.all_classes
    assert next(calls) == 1
