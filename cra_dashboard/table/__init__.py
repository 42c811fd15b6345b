"""The pages Data and Hierarchies: columns, edits, examples."""
