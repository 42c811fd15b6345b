"""The page Single out: checked against the raw table, for certain, how likely."""
