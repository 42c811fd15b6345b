"""Files in and out of the page Experiments: zip files, and the report as one."""

from cra_dashboard.session.uploads import File
from cra_engine import DataError
from cra_engine.experiments.report import report_files
from cra_engine.experiments.results import Results
from cra_engine.files.zipped import opened_zip, packed_zip

MOST_UNPACKED = 200 * 2**20  # bytes in an uploaded zip file


def unpacked(file: File) -> list[tuple[str, bytes]]:
    """Return the files that were uploaded on Experiments: one by its name, or those in a zip file."""
    if not file.name.lower().endswith(".zip"):
        return [(file.name, file.content)]
    with opened_zip(file.content, file.name) as zipped:
        if sum(info.file_size for info in zipped.files.values()) > MOST_UNPACKED:
            raise DataError(f"{file.name} holds more than {MOST_UNPACKED // 2**20} MB; unpack it and take less.")
        return [(name.rpartition("/")[2], zipped.read(name, MOST_UNPACKED)) for name in zipped.files]


def report_zip(content: bytes) -> bytes:
    """Return the report on results of the page Experiments, all of its files in a zip file."""
    return packed_zip(report_files(Results(content)))


def report_page(content: bytes) -> str:
    """Return the report of the page Experiments as one HTML file that loads nothing."""
    return report_files(Results(content))["report.html"]
