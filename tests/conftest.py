"""Settings that hold for every test."""

import sys

import pytest
from hypothesis import settings

# No deadline: a shared machine is slow at times, and no test here is about time.
# A failure prints the blob that repeats it on any other machine.
settings.register_profile("cra", deadline=None, print_blob=True)
settings.load_profile("cra")


@pytest.fixture(autouse=True)
def own_main():
    """AppTest leaves its page behind as ``__main__``, and processes that are started later would run it once more."""
    main = sys.modules["__main__"]
    yield
    sys.modules["__main__"] = main
