"""Lessons, predictions and handouts."""
