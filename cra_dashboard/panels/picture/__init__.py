"""Pictures of the grid and of the lattice that keep still while what is in them changes."""
