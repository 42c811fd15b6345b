"""The page Several releases: several releases of the same people."""
