"""The page Who stands alone: checked against the raw table, for certain, how likely."""
