"""The dashboard: what its pages share, and the program that serves it."""
