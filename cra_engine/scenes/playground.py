"""The playground in a notebook: a table whose people are moved by hand, and what anybody then works out."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import pandas as pd

from cra_engine.errors import DataError, MissingLibraryError, ReleaseError, StudyError
from cra_engine.expected import expect
from cra_engine.raw.placement import complete
from cra_engine.raw.synthesis import synthesize
from cra_engine.release import Release
from cra_engine.scenes.possible import possible_table
from cra_engine.scenes.table import check_size, named, table_of
from cra_engine.study.study import Study
from cra_engine.words import listed

if TYPE_CHECKING:
    from cra_engine.scenes.widget import Playground


def playground(
    table: pd.DataFrame | Release | None = None,
    study: Study | None = None,
    *,
    attributes: Sequence[str] = (),
) -> "Playground":
    """Show a table in a notebook whose people are dragged; beside it what anybody works out from what is published.

    It is shown by Jupyter, marimo and others that know anywidget (``pip install 'cra-explorer[notebook]'``), and
    calculates in the browser; nothing is sent anywhere else.

    Args:
        table: a raw table; a release, of which one of the tables is shown that it leaves open; the toy if left out.
        study: of the raw table; a release brings its own.
        attributes: the two quasi-identifiers to show, as if only these were published; the first two if left out.

    Returns:
        A widget. ``.frame`` is the table as it stands, to be read at any time or observed; ``.scene`` says in one line
        what was changed.

    Raises:
        MissingLibraryError: anywidget is not installed.
        StudyError: the study asks for privacy models besides k, or for another quality model.
        DataError: the table does not fit its study, or is too large to be followed while people are moved.
        ReleaseError: no table was found that gives the release.

    >>> shown = playground()
    >>> shown.scene = "table-k3-d0"  # as if somebody had taken the first person out
    >>> len(shown.frame)
    35
    """
    if table is not None:
        expect(table, (pd.DataFrame, Release), "playground(table)")
    if study is not None:
        expect(study, Study, "playground(study)")
    try:
        from cra_engine.scenes.widget import Playground  # noqa: PLC0415 - not everybody has a notebook
    except ModuleNotFoundError as error:
        raise MissingLibraryError(str(error.name)) from None
    frame, chosen = _begun(table, study, attributes)
    rows = complete(frame, chosen)
    left_out = {row - 1 for row in rows.left_out}
    names = [f"Row {row + 1}" for row in range(len(frame)) if row not in left_out] if study else named(len(rows.data))
    return Playground(rows.data, chosen, table_of(rows.data, chosen, names))


def _begun(
    table: pd.DataFrame | Release | None, study: Study | None, attributes: Sequence[str]
) -> tuple[pd.DataFrame, Study]:
    """The raw table that is shown, and its study of two attributes."""
    asked = table.study if isinstance(table, Release) else study
    more = [] if asked is None else [*map(str, asked.privacy), *([] if asked.quality.plain else [str(asked.quality)])]
    if more:
        raise StudyError(
            f"The study asks for {listed(more)}; a playground recodes, and attacks, under k alone and by the paper's "
            "loss: give a study without."
        )
    if isinstance(table, Release):
        if len(table.study.attributes) != 2:
            raise ReleaseError(
                f"A playground shows two quasi-identifiers, and this release has {len(table.study.attributes)}; give "
                "the raw table with its study and name two."
            )
        check_size(table.records, table.study)
        return possible_table(table), table.study
    if table is None:
        toy = synthesize("toy")
        return toy.data, toy.study
    if study is None:
        raise DataError("A raw table needs its study: playground(table, study).")
    expect(study, Study, "playground(study)")
    names = list(attributes) or study.names[:2]
    if len(names) != 2 or names[0] == names[1] or not set(names) <= set(study.names):
        raise DataError(
            f"A playground shows two quasi-identifiers; name two of {', '.join(study.names)} as attributes."
        )
    chosen = [next(attribute for attribute in study.attributes if attribute.name == name) for name in names]
    # What is touched here is ARX-LR, also where the study asks for safe recoding.
    return table, Study(chosen, study.k, "paper" if study.safe else study.profile)
