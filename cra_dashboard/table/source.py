"""Where the table comes from: an example, a synthetic table, or a file."""

import streamlit as st

from cra_dashboard.session import datasets, decisions, fields, keys, state
from cra_dashboard.session.decisions import REPEATS
from cra_dashboard.session.example_cards import example_cards, open_example
from cra_dashboard.session.fields import act
from cra_dashboard.session.kept import Kept
from cra_dashboard.session.messages import forget as forget_told
from cra_dashboard.session.messages import kind_told, show_told, tell, telling
from cra_dashboard.session.uploads import File, uploader
from cra_dashboard.table.columns import MOST_LEFT_OUT, repeated_rows
from cra_engine import CRAError, DataError, Rule
from cra_engine.raw import contents
from cra_engine.raw.changed_rows import changed_rows
from cra_engine.raw.synthesis import DEFAULT_RECORDS
from cra_engine.words import how_many, listed

EXAMPLE, SYNTHESIZE, UPLOAD = "Open an example", "Make a synthetic table", keys.UPLOAD
PLACE = "data"  # of the messages
_GOES_ON: Kept[bool] = Kept("cra_goes_on")  # whether a file was uploaded again, and what was decided stays
FILES = "CSV, Excel, LibreOffice, SPSS, Stata, SAS or Parquet"


def choose_table() -> None:
    """Ask on Data where the table comes from, and take it."""
    choice = fields.radio(
        "Where the table comes from",
        [EXAMPLE, SYNTHESIZE, UPLOAD],
        horizontal=True,
        key=keys.TABLE_FROM,
        on_change=forget_told,
        args=(PLACE,),
    )
    {EXAMPLE: _choose_example, SYNTHESIZE: _choose_synthetic, UPLOAD: _choose_upload}[choice]()


def _choose_example() -> None:
    picked = example_cards("data")
    if picked and open_example(picked):
        forget_told(PLACE)
        st.rerun()


def _choose_synthetic() -> None:
    st.session_state.setdefault("data-records", next(iter(DEFAULT_RECORDS.values())))
    with st.grid("auto", min_column_width=220):
        fields.selectbox(
            "Kind",
            list(DEFAULT_RECORDS),
            key="data-kind",
            format_func=lambda kind: datasets.EXAMPLES[kind].title,
            on_change=_usual_records,
        )
        fields.number_input("Records", 1, 1_000_000, step=10, key="data-records")
        fields.number_input("Seed", 0, 2**31, step=1, key="data-seed", help="The same seed, the same table.")
        fields.slider(
            "Correlation",
            0.0,
            1.0,
            1.0,
            0.05,
            key="data-correlation",
            help="0: the columns know nothing of each other. 1: as much as in a plausible table.",
        )
    act("Make the table", _take_synthetic, key="data-make", type="primary")
    st.caption("No row of a synthetic table is a real person or hospital.")


def _choose_upload() -> None:
    uploader("data-upload", "File with the table", _take_upload)
    st.caption(
        f"{FILES}. The first line names the columns, each further line is one person. "
        ":material/lock: The table stays in the memory of this session on the computer that runs this program; "
        "the file is not kept."
    )


def _usual_records() -> None:
    """Put the usual number of records beside the chosen kind."""
    st.session_state["data-records"] = DEFAULT_RECORDS[st.session_state["data-kind"]]


def _take_synthetic() -> None:
    """Work on a new synthetic table from now on."""
    chosen = st.session_state
    with telling(PLACE):
        state.use_dataset(
            *datasets.synthetic(
                chosen["data-kind"], chosen["data-records"], chosen["data-seed"], chosen["data-correlation"]
            )
        )
        tell(PLACE, "success", "The synthetic table is made.")


def _take_upload(files: list[File]) -> None:
    """Work on an uploaded table from now on, unless it is no table or the one that is there already."""
    before, (file,) = state.dataset(), files
    name = file.name
    try:
        data = datasets.uploaded(name, file.content)
        if not len(data.frame):
            raise DataError(f"{name} holds no record; it needs one row per person below the column names.")
    except CRAError as error:
        kept = f" You still work on {before.name}." if before else ""
        tell(PLACE, "error", f"{error}{kept}")
        return
    left = state.decided_about(data.frame.columns)
    if before is not None and before.file == data.file:
        tell(PLACE, "success", f"{name} is the table you work on already; all that was decided about it stays.")
        _GOES_ON.keep(data.file, value=left is not None)
        return
    data = data if left is None else _as_before(left.data, data)
    state.use_dataset(data, None)
    stays = []
    if left is not None and left.study is not None and left.study.k <= len(data.frame):
        # All that was decided about the columns goes on with other rows: roles, groups, gaps, the rule.
        state.use_study(contents.carried_over(left.study, left.proposed, state.columns_of(data)))
        decisions.use_rule(left.rule or Rule())
        decisions.use_noted(left.decided)
        stays = [f"It has the columns of {left.data.name}, so all that was decided stays."]
        stays += [f"The rows that were left out, {why}, are in again." for why in left.data.left_out if why != REPEATS]
        if before is not None and set(before.frame.columns) == set(data.frame.columns):
            stays.append(str(changed_rows(before.whole, data.whole)))
    else:
        _begin_anew()
    _GOES_ON.keep(data.file, value=bool(stays))
    read = f"{how_many(len(data.whole), 'record')}, {how_many(len(data.frame.columns), 'column')}"
    if before is not None and before.origin == "uploaded" and not stays:
        stays = [f"It takes the place of {before.name}; what was decided there comes back when that is uploaded again."]
    tell(PLACE, "success", " ".join([f"{name} is read: {read}.", *stays, *data.notes]))


def _as_before(before: state.Dataset, data: state.Dataset) -> state.Dataset:
    """A table of the same columns, read as was said of the one before, without rows that repeat if that had none."""
    data = datasets.read_as_before(before, data)
    rows = repeated_rows(data) if REPEATS in before.left_out else ()
    return datasets.with_rows_left_out(data, {REPEATS: rows}) if 0 < len(rows) <= MOST_LEFT_OUT else data


def _begin_anew() -> None:
    """Forget what was decided about the session's file; roles and groups are as proposed."""
    data = state.dataset()
    if data is not None:
        data = datasets.with_rows_left_out(data, {})
        state.use_dataset(data, contents.proposed_study(state.columns_of(data)))
        decisions.use_rule(Rule())
        decisions.use_noted(())
        decisions.note_removed()
        _GOES_ON.drop()
        forget_told(PLACE)


def show_read() -> None:
    """Show on Data what came of the table, and of a file which columns are still removed as proposed."""
    gone = decisions.removed_as_proposed() if kind_told(PLACE) == "success" else []
    show_told(PLACE, f"Proposed for removal: {listed(gone)}." if gone else "")
    data = state.dataset()
    if data is not None and _GOES_ON.of(data.file) and kind_told(PLACE) == "success":
        act("Begin anew with this table", _begin_anew, key="data-anew", icon="restart_alt")
