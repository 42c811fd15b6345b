"""The page Experiments: plan, form, run in a process of its own, tables and pictures."""
