"""The foreseeable failures of the engine.

Every message is one sentence (or two) that a clinic worker understands: what is wrong, where, and what to do.
"""

MOST_CHARACTERS = 1000
EXTRAS = {  # the parts of the program that not everybody installs, by the libraries that come with them
    "anywidget": "notebook",
    "dask": "cluster",
    "distributed": "cluster",
    "ortools": "solver",
    "plotly": "app",
    "pyarrow": "streaming",
    "pyreadstat": "formats",
    "python_calamine": "formats",
    "segno": "app",
    "starlette": "app",
    "streamlit": "app",
    "traitlets": "notebook",
    "uvicorn": "app",
    "xlsxwriter": "formats",
}

DOES = {  # what the libraries of each part do
    "app": "the dashboard runs on",
    "cluster": "a Dask cluster runs on",
    "formats": "reads and writes files of Excel, LibreOffice, SPSS, Stata and SAS",
    "notebook": "shows the playground in notebooks",
    "solver": "proves cells, lists tables and chooses cells to hide",
    "streaming": "reads and writes Parquet, folders of parts, and tables block by block",
}


class CRAError(Exception):
    """Base of every failure the engine foresees; its text can be shown to a person as it is.

    A text that quotes something endless, a name or a number of a file, keeps its beginning and its end.
    """

    def __init__(self, text: str) -> None:
        half = MOST_CHARACTERS // 2
        super().__init__(text if len(text) <= MOST_CHARACTERS else f"{text[:half]} [...] {text[-half:]}")


class StudyError(CRAError):
    """A failure: the study is unusable: an attribute, its hierarchy, k or the profile."""


class DataError(CRAError):
    """A failure: the raw table does not fit the study: a missing column, text among numbers, a value outside."""


class ReleaseError(CRAError):
    """A failure: the published table is not a release of this study: an unknown label, a class smaller than k."""


class TooLargeError(CRAError):
    """A failure: the request is larger than the engine admits; the message says what to reduce."""


class ContradictionError(CRAError):
    """A failure: releases that cannot be of the same people: nothing is claimed of anybody."""


class MissingLibraryError(CRAError):
    """A failure: a library is not installed that only some need; the message says what for, and how to get it.

    Args:
        library: the name it is imported by.

    >>> str(MissingLibraryError("anywidget"))[:72]
    'The library anywidget, which shows the playground in notebooks, is not i'
    """

    def __init__(self, library: str) -> None:
        name = library.partition(".")[0]
        part = EXTRAS.get(name)
        does, extra = (f", which {DOES[part]},", f"'cra-explorer[{part}]'") if part else ("", "cra-explorer")
        super().__init__(f"The library {name}{does} is not installed; run: pip install {extra}.")
