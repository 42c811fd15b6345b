"""Settings that hold for every test."""

import sys

import pytest
from hypothesis import HealthCheck, settings

from cra_engine.cli import commands
from done import Done

# No deadline, and no check of how quickly examples are made: a shared machine is slow at times, and no test here is
# about time.
# A failure prints the blob that repeats it on any other machine.
settings.register_profile("cra", deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("cra")


@pytest.fixture(autouse=True)
def own_main():
    """AppTest leaves its page behind as ``__main__``, and processes that are started later would run it once more."""
    main = sys.modules["__main__"]
    yield
    sys.modules["__main__"] = main


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
