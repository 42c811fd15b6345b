"""The study, which publisher and reader both know: hierarchies and their files, lattice, grid, how a step publishes."""
