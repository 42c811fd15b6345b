"""Pictures of the grid, the lattice and a hierarchy that keep still while what is in them changes."""
