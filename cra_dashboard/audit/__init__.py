"""The page Audit: what was chosen, the run, the picture."""
