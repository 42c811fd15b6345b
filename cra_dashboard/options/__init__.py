"""The page Other ways: what to try, the run, the picture, the tables."""
