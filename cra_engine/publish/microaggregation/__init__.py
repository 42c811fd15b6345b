"""Microaggregation: clusters of k or more records, each record's numbers replaced by its cluster's means."""
