"""The page Hierarchies: what is set of one, what that changes of the study, and the files that hold them."""
