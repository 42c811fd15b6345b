"""The profile of a study: how its publisher runs ARX, or that it recodes safely."""

PROFILES: tuple[str, ...] = ("paper", "arx-gui")
FLOORED = "floored"  # safe recoding
SAFE = "safe"  # safe recoding without a floor, as it once was: such releases are read, and none is made any more
