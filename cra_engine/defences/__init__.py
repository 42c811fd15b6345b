"""What to publish instead: a release repaired, every way to publish side by side, and what a way's choices tell."""
