"""Global recoding: one state for all records, records of classes that fail a criterion suppressed (002)."""
