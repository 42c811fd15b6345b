"""The Combinatorial Refinement Attack on each class by itself (the main paper)."""
