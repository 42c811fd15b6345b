"""The page Data: the table chosen, its columns and histograms, examples."""
