"""The page Global recode: settings, the run, Flash replayed, and the pictures of the lattice."""
