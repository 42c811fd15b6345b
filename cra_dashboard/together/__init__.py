"""The page Together: several releases of the same people."""
