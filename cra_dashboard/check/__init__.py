"""The page Check: what is checked, the run, the picture, the project file."""
