"""The page What if: what was chosen, the run, the picture."""
