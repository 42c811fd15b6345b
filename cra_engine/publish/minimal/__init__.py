"""Minimal local recoding: no record is generalized more than k-anonymity needs."""
