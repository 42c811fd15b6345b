"""Privacy criteria: one frozen dataclass each, with one exact test on groups of records."""
