"""`make load` measures: sessions of its kinds come as far as the attack, and none sees another's table."""

import importlib
import sys
import threading

import pytest

from visits import ROOT


@pytest.fixture
def load(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    return importlib.import_module("load")


def test_somebody_looks_beside_somebody_who_attacks(dashboard, load, monkeypatch):
    whole = load.heavy_table
    monkeypatch.setattr(load, "heavy_table", lambda canary: b"\n".join(whole(canary).splitlines()[:13]))
    over = threading.Event()
    attacker, visit = load.Attacker(dashboard.url, "q7hard1x", over), load.Visit(dashboard.url, "q7look1x", [2], 0)
    attacker.start()
    attacker.ready.wait()
    load.together([visit])
    over.set()
    attacker.join()
    assert (attacker.error, visit.error) == ("", "")
    assert attacker.begun
    assert len(visit.clicks[0]) == 2
    assert load.leaks([attacker, visit]) == 0


@pytest.mark.exhaustive
def test_a_class_of_two(load, monkeypatch, capsys):
    for name, number in (("ATTACKERS", 1), ("TABS", 2), ("ROUNDS", 1)):
        monkeypatch.setattr(load, name, number)
    monkeypatch.setattr(
        sys, "argv", ["load.py", "--sessions", "2", "--looks", "2", "2", "--pause", "0.1", "--in-a-round", "1"]
    )
    load.main()  # whether times are as they should be is for a quiet machine to say
    printed = capsys.readouterr().out
    assert printed.count("met: 0\n") == 3
    assert "NOT MET: 0" not in printed
