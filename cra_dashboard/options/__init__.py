"""The pages What if and Compare: what to try, the run, the picture, the tables."""
