"""Fills in pages, and gives reports the plain data that they share."""
