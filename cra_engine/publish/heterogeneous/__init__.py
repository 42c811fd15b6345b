"""Heterogeneous generalization: every published row shows the extent of its own set of matches."""
