"""Settings that hold for every test."""

from hypothesis import settings

# No deadline: a shared machine is slow at times, and no test here is about time.
# A failure prints the blob that repeats it on any other machine.
settings.register_profile("cra", deadline=None, print_blob=True)
settings.load_profile("cra")
