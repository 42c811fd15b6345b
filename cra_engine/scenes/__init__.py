"""A table that is touched in a browser: the script, what it gets of a table, and the table that comes back."""
