"""Files in and out of the page Experiments: zip files, and the report as one."""

import io
import struct
import zipfile
import zlib
from collections.abc import Mapping

from cra_dashboard.session.uploads import File
from cra_engine import DataError
from cra_engine.experiments.report import report_files
from cra_engine.experiments.results import Results

MOST_FILES = 1000  # in an uploaded zip file
MOST_UNPACKED = 200 * 2**20  # bytes in an uploaded zip file


def unpacked(file: File) -> list[tuple[str, bytes]]:
    """A file by name, or those in a zip file."""
    if not file.name.lower().endswith(".zip"):
        return [(file.name, file.content)]
    try:
        with zipfile.ZipFile(io.BytesIO(file.content)) as packed:
            inside = [info for info in packed.infolist() if not info.filename.endswith("/")]
            if sum(info.file_size for info in inside) > MOST_UNPACKED:
                raise DataError(f"{file.name} holds more than {MOST_UNPACKED // 2**20} MB; unpack it and take less.")
            if len(inside) > MOST_FILES:
                raise DataError(f"{file.name} holds more than {MOST_FILES:,} files; take what the plan names.")
            if any(info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) for info in inside):
                raise NotImplementedError  # the others ask for as much memory as they like
            return [(info.filename.rpartition("/")[2], packed.read(info)) for info in inside]
    # Damaged, encrypted, packed in an unknown way: the module has no one name for what is wrong with a file.
    except (zipfile.BadZipFile, zlib.error, RuntimeError, EOFError, OSError, ValueError, OverflowError, struct.error):
        raise DataError(f"{file.name} cannot be unpacked; unpack it yourself and upload what is in it.") from None


def packed(files: Mapping[str, bytes | str]) -> bytes:
    """Files in a zip file; the same files, the same bytes."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as target:
        for name, content in files.items():
            target.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), content, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def report_zip(content: bytes) -> bytes:
    """The report on results, all of its files."""
    return packed(report_files(Results(content)))


def report_page(content: bytes) -> str:
    """The report as one HTML file that loads nothing."""
    return report_files(Results(content))["report.html"]
