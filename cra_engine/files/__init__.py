"""Text and tables on disk: delimiters, notations of numbers, CSV, Parquet blocks, TOML, whole writes."""
