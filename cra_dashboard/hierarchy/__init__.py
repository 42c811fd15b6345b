"""The page Hierarchies: what is set of one, and the files that hold them."""
