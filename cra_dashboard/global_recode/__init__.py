"""The page Global recode: settings, the run, searches replayed, and the pictures of the lattice."""
