"""The kinds of files that hold a table, by the endings of their names."""

PARQUET = (".parquet", ".pq")
SPREADSHEETS = (".xlsx", ".xlsm", ".ods")
READ = (*SPREADSHEETS, ".sav", ".zsav", ".dta", ".xpt", ".sas7bdat")
"""Spreadsheets and files of statistics programs."""
WRITTEN = {
    ".xlsx": "xlsxwriter",
    ".sav": "pyreadstat",
    ".dta": "pyreadstat",
    ".xpt": "pyreadstat",
    **dict.fromkeys(PARQUET, "pyarrow"),
}
"""What a release can go into besides CSV, each with the library that writes it."""
