"""Risk: an attack or a release in, a value beside its baseline out."""
