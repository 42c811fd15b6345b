"""The page Downcode."""
