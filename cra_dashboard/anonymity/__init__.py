"""The page Effective anonymity."""
