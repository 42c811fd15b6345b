"""Make it publishable: what to change so that a table may go out, as the page Check shows it."""
