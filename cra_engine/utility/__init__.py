"""Losses: published table in, number out, with its range and which way is better."""
