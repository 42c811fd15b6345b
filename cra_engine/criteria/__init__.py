"""What a group of records must fulfil: one frozen dataclass each, with one test on a group."""
