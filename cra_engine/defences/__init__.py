"""A release repaired, and what a way's choices tell."""
