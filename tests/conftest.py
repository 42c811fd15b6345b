"""Settings that hold for every test."""

import gc
import math
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from cra_engine.cli import clock, commands, progress
from done import Done

# No deadline, and no check of how quickly examples are made: a shared machine is slow at times, and no test here is
# about time.
# A failure prints the blob that repeats it on any other machine.
settings.register_profile("cra", deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("cra")

HERE = Path(__file__).parent
# Where tests wait more than they work, and share what takes long to start. They begin first, since they end last.
TOGETHER = ("browser", "server")
MARKED = ("browser", "wheel")  # rooms whose tests have a mark of the same name
MAIN_PATH = "test_main_path"  # the one of those together that stays among all tests


# Before pytest-xdist's own hook, which reads the group.
@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """One worker takes a whole file, with what its tests share; of a browser, or a server, it takes all."""
    room_of = {path: path.relative_to(HERE).parts[0] for path in {item.path for item in items}}
    rooms = {item: room_of[item.path] for item in items}
    for item, room in rooms.items():
        if room in MARKED:
            item.add_marker(room)
        if room in TOGETHER and item.path.stem != MAIN_PATH:
            item.add_marker("served")
        item.add_marker(pytest.mark.xdist_group(room if room in TOGETHER else item.path.stem))
    items.sort(key=lambda item: (*TOGETHER, rooms[item]).index(rooms[item]))


def pytest_collection_finish() -> None:
    """All that is loaded by now stays to the end, so no collection of garbage need look at it again and again."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def own_main():
    """AppTest leaves its page behind as ``__main__``, and processes that are started later would run it once more."""
    main = sys.modules["__main__"]
    yield
    sys.modules["__main__"] = main


@pytest.fixture(autouse=True)
def patient(monkeypatch):
    """Commands that a test runs in its process say on a slow machine what they say on a quick one."""
    monkeypatch.setattr(progress, "PATIENCE", math.inf)
    monkeypatch.setattr(clock, "GRACE", math.inf)


@pytest.fixture
def run(monkeypatch, capsys, tmp_path):
    """Run the command line in this process, in a folder of its own."""
    monkeypatch.chdir(tmp_path)

    def command(*arguments):
        monkeypatch.setattr(sys, "argv", ["cra-engine", *map(str, arguments)])
        with pytest.raises(SystemExit) as caught:
            commands.main()
        return Done(caught.value.code or 0, *capsys.readouterr())

    return command
