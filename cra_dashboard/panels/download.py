"""What a page hands out: files under their buttons, and what is asked and chosen before."""

from collections.abc import Callable
from pathlib import PurePath
from typing import Literal

import streamlit as st

from cra_dashboard.session import decisions, fields, state
from cra_dashboard.texts import words
from cra_engine import Recoding, SafeRecoding
from cra_engine.files.foreign import converted
from cra_engine.files.kinds import READ, WRITTEN
from cra_engine.files.zipped import packed_zip
from cra_engine.publishable import file_name
from cra_engine.words import how_many, listed

_KINDS = {
    **dict.fromkeys(WRITTEN, "application/octet-stream"),
    ".csv": "text/csv",
    ".html": "text/html",
    ".toml": "application/toml",
    ".zip": "application/zip",
}


def download(
    label: str,
    data: str | bytes | Callable[[], str | bytes],
    name: str,
    *,
    key: str | None = None,
    hint: str | None = None,
    icon: str = "download",
    then: Callable[[], None] | None = None,
    looks: Literal["primary", "secondary"] = "secondary",
) -> None:
    """Show a button to download a file; the page stays as it is when it is pressed, unless more is to be done.

    Args:
        label: on the button.
        data: what stands in the file, or what makes it when somebody asks.
        name: of the file; its ending says what kind it is.
        key: of the button.
        hint: what to know of the file.
        icon: a Material symbol.
        then: what else is done.
        looks: whether it is the button to press.
    """
    kind, symbol = _KINDS[PurePath(name).suffix], f":material/{icon}:"
    st.download_button(label, data, name, kind, key=key, help=hint, icon=symbol, on_click=then or "ignore", type=looks)


def download_table(label: str, text: str, name: str, *, hint: str = "") -> None:
    """Show buttons to download a published table: as CSV, and as a file of the kind that was uploaded.

    Args:
        label: on the button for CSV.
        text: the table as CSV.
        name: of the CSV file.
        hint: what to know of the table.
    """
    data = state.dataset()
    ending = PurePath(data.name).suffix.lower() if data is not None and data.origin == "uploaded" else ""
    ending = {".xlsm": ".xlsx", ".zsav": ".sav"}.get(ending, ending)
    if ending in READ and ending not in WRITTEN:
        hint = f"{hint} As CSV, since nothing writes {ending}.".strip()
    download(label, text, name, hint=hint or None)
    if ending in WRITTEN:
        same = str(PurePath(name).with_suffix(ending))
        download(f"The same as {ending}", lambda: converted(text, same), same, key=f"{label} {ending}")


def download_whole(made: Recoding, text: str, name: str) -> None:
    """Show a button for a release and its readers' study in one ZIP file, such as Audit and Several releases take.

    Args:
        made: what is handed out.
        text: the release as CSV.
        name: of the table.
    """
    files = {"release.csv": text} | {f"study/{own}": of for own, of in _readers_files(made, "study.toml").items()}
    called = file_name(f"{PurePath(name).stem[:40]}-k{made.study.k}", "zip")
    hint = "The published table, its study and its hierarchies: give it to Audit or Several releases as it is."
    download("Release and study (ZIP)", lambda: packed_zip(files), called, hint=hint)


def readers_study(made: Recoding | SafeRecoding, label: str, name: str, hint: str | None = None) -> None:
    """Show on any page buttons for the study file and each hierarchy file that it names.

    Args:
        made: what is handed out with it.
        label: on the button of the study.
        name: of the study file.
        hint: what to know of it.
    """
    study, *trees = _readers_files(made, name).items()
    download(label, study[1], name, hint=hint)
    for own, text in trees:
        download(own, text, own, hint="Categories that the release does not show are numbered in it, not named.")


def _readers_files(made: Recoding | SafeRecoding, name: str) -> dict[str, str]:
    return state.once("readers-study", (made, name), lambda: made.study_for_readers(made.frame).files(name))


def keep_order_switch() -> None:
    """Show the switch for the row order, one for the session: it holds for every release that is downloaded."""
    fields.toggle(
        "Keep order",
        key=state.KEEP_ORDER,
        help="A download's rows stand in a random order. In the raw table's order, a table that was sorted gives away "
        "much of what was generalized, and two releases can be linked row by row.",
    )


def may_be_downloaded() -> bool:
    """Return whether a page may hand out the release; where not it says which columns are to be decided first.

    Examples and synthetic tables are about nobody, so that nothing has to be decided.
    """
    data, asked = state.dataset(), decisions.open_questions()
    if data is None or data.origin != "uploaded" or not asked:
        return True
    names = listed([words.plain(column.name) for column in asked])
    st.error(
        f"Not to be downloaded yet: {names} "
        f"{'says' if len(asked) == 1 else 'say'}, or nearly, who somebody is, and nobody decided about "
        f"{how_many(len(asked), 'column')}.",
        icon=":material/block:",
    )
    st.page_link("pages/data.py", label="Decide on the page Data", icon=":material/table:")
    return False
