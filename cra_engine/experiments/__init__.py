"""The paper's evaluation from a plan: runs, rows, tables, report."""
