"""Small tables as the files of other programs, each written with that program's own types."""

import io
import zipfile
from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pyreadstat
import xlsxwriter

_ODS = (
    '<?xml version="1.0" encoding="UTF-8"?><office:document-content office:version="1.2" '
    'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" '
    'xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" '
    'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><office:body><office:spreadsheet>'
    "{tables}</office:spreadsheet></office:body></office:document-content>"
)
_MANIFEST = (
    '<?xml version="1.0"?><manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0">'
    '<manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml">{more}'
    "</manifest:file-entry></manifest:manifest>"
)
Rows = Sequence[Sequence[Any]]


def xlsx(rows: Rows, change: Callable[[Any, Any], None] | None = None) -> bytes:
    """A workbook with these rows, numbers and dates as Excel stores them; ``change`` gets the book and its sheet."""
    content = io.BytesIO()
    with xlsxwriter.Workbook(content, {"in_memory": True, "default_date_format": "dd.mm.yyyy"}) as book:
        sheet = book.add_worksheet("People")
        for at, row in enumerate(rows):
            for column, cell in enumerate(row):
                if cell is not None:
                    sheet.write(at, column, cell)
        if change is not None:
            change(book, sheet)
    return content.getvalue()


def ods(rows: Rows, more: str = "", locked: str = "") -> bytes:
    """An OpenDocument file with these rows, and the million empty ones that LibreOffice adds; ``more`` sheets."""
    lines = "".join(f"<table:table-row>{''.join(map(_ods_cell, row))}</table:table-row>" for row in rows)
    empty = (
        '<table:table-row table:number-rows-repeated="1048000"><table:table-cell table:number-columns-repeated="999"/>'
    )
    table = f'<table:table table:name="People">{lines}{empty}</table:table-row></table:table>{more}'
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        packed.writestr("META-INF/manifest.xml", _MANIFEST.format(more=locked))
        packed.writestr("content.xml", "locked" if locked else _ODS.format(tables=table))
    return content.getvalue()


def _ods_cell(cell: Any) -> str:
    if cell is None:
        return "<table:table-cell/>"
    if isinstance(cell, date):
        kind = f'office:value-type="date" office:date-value="{cell.isoformat()}"'
    elif isinstance(cell, str):
        kind = 'office:value-type="string"'
    else:
        kind = f'office:value-type="float" office:value="{cell}"'
    return f"<table:table-cell {kind}><text:p>{escape(str(cell))}</text:p></table:table-cell>"


def parquet(columns: dict[str, list[Any]]) -> bytes:
    """A Parquet file with columns of the types that these cells have."""
    content = io.BytesIO()
    pq.write_table(pa.table({name: pa.array(cells) for name, cells in columns.items()}), content)
    return content.getvalue()


def statistical(folder: Path, ending: str, columns: dict[str, list[Any]], **more: Any) -> bytes:
    """A file of SPSS, Stata or SAS; ``more`` as pyreadstat's writers take it."""
    write = {".sav": pyreadstat.write_sav, ".dta": pyreadstat.write_dta, ".xpt": pyreadstat.write_xport}[ending]
    path = folder / f"written{ending}"
    write(pd.DataFrame(columns), path, **more)
    return path.read_bytes()
