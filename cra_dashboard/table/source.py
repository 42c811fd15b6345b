"""Where the table comes from: an example, a synthetic table, or a file."""

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from cra_dashboard.session import datasets, decisions, fields, handed_out, keys, state
from cra_dashboard.session.example_cards import example_cards, open_example
from cra_dashboard.session.fields import act
from cra_dashboard.session.kept import Kept
from cra_dashboard.session.messages import forget as forget_told
from cra_dashboard.session.messages import kind_told, show_told, tell, telling
from cra_dashboard.session.uploads import File, allowed, uploader
from cra_dashboard.table.columns import repeated_rows
from cra_dashboard.texts import words
from cra_engine import CRAError, DataError, Rule
from cra_engine.publishable.words import REPEATS
from cra_engine.raw import contents
from cra_engine.raw.changed_rows import changed_rows
from cra_engine.raw.known_again import rows_of_marks
from cra_engine.raw.nameless import names_like_cells
from cra_engine.raw.synthesis import DEFAULT_RECORDS
from cra_engine.words import how_many, listed

EXAMPLE, SYNTHESIZE, UPLOAD = "Open an example", "Make a synthetic table", keys.UPLOAD
PLACE = "data"  # of the messages
_GIVEN: Kept[tuple[str, ...]] = Kept("cra_given_names")  # to the columns of a file without names, by their number
_GOES_ON: Kept[bool] = Kept("cra_goes_on")  # whether a file was uploaded again, and what was decided stays
FILES = "CSV, TSV, TXT, Excel, LibreOffice, SPSS, Stata, SAS or Parquet"


def choose_table() -> None:
    """Ask on Data where the table comes from, and take it."""
    choice = fields.radio(
        "Where the table comes from",
        [UPLOAD, EXAMPLE, SYNTHESIZE] if allowed() else [EXAMPLE, SYNTHESIZE, UPLOAD],
        horizontal=True,
        key=keys.TABLE_FROM,
        on_change=forget_told,
        args=(PLACE,),
    )
    {EXAMPLE: _choose_example, SYNTHESIZE: _choose_synthetic, UPLOAD: _choose_upload}[choice]()
    data = state.dataset()
    if choice == UPLOAD and (data is None or not data.uploaded):
        st.caption("No table at hand? Open an example.")
        _choose_example()


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
        data = _named_as_before(data)
    except CRAError as error:
        kept = f" You still work on {before.name}." if before else ""
        tell(PLACE, "error", f"{error}{kept}")
        return
    if before is not None and before.file == data.file:
        said = f"{name} is the table you work on already; all that was decided about it stays."
        tell(PLACE, "success", said, until_change=True)
        _GOES_ON.keep(data.file, value=state.decided_about(data.frame.columns) is not None)
        return
    _work_on(data, before)


def _named_as_before(data: state.Dataset) -> state.Dataset:
    """A file's table, its first line taken as it was of a file of the same bytes, or of one with the same line."""
    known = state.decided_about_file(data.sha256)
    if known is not None and known.data.named:
        apart = data if data.first_line else datasets.without_names(data)
        return datasets.with_names(apart, known.data.named)
    if not data.first_line:
        return data
    meant = data.first_line == tuple(data.frame.columns) and state.decided_about(data.first_line) is not None
    return replace(data, first_line=()) if meant else data


def _work_on(data: state.Dataset, before: state.Dataset | None) -> None:
    """Work on a file's table from now on, by what was decided about one of its columns where there was one."""
    left = None if data.first_line else state.decided_about(data.frame.columns)
    data = data if left is None else _as_before(left, data)
    state.use_dataset(data, None)
    stays = []
    if left is not None and left.study is not None and left.study.k <= len(data.frame):
        # All that was decided about the columns goes on with other rows: roles, groups, gaps, the rule.
        state.use_study(contents.carried_over(left.study, left.proposed, state.columns_of(data)))
        decisions.use_rule(left.rule or Rule())
        decisions.use_noted(left.decided)
        if left.data.file != data.file:
            decisions.count_anew()
        stay = "all that was decided stays" if left.decided else "roles and groups stay as they were"
        follows = before is not None and before.file == left.data.file
        like = "Its columns are the same" if follows else f"It has the columns of {_beside(data, left.data)}"
        stays = [f"{like}, so {stay}."]
        in_again = [why for why in left.data.left_out if why not in data.left_out and why != REPEATS]
        stays += [f"The rows that were left out, {why}, are in again." for why in in_again]
        if handed_out.taken_as() and handed_out.taken() is None:
            handed_out.take_no_longer()
            stays.append("The table that was taken then is to be taken again, on Check.")
        if before is not None and set(before.frame.columns) == set(data.frame.columns):
            stays.append(str(changed_rows(before.whole, data.whole)))
    else:
        _begin_anew()
    _GOES_ON.keep(data.file, value=bool(stays))
    lines = how_many(len(data.whole) + 1, "line") if data.first_line else how_many(len(data.whole), "record")
    read = f"{lines}, {how_many(len(data.frame.columns), 'column')}"
    if before is not None and before.uploaded:
        more = "" if stays else "; what was decided there comes back when that is uploaded again"
        stays.insert(0, f"It takes the place of {_beside(data, before)}{more}.")
    said = " ".join([f"{data.name} is read: {read}.", *stays, *data.notes])
    tell(PLACE, "success", said, until_change=True)  # an answer leaves rows out, or changes what stays


def _beside(data: state.Dataset, other: state.Dataset) -> str:
    """What another table is called beside the session's, whose file may have the same name."""
    return f"the {other.name} that was open before" if other.name == data.name else other.name


def name_columns(names: Sequence[str]) -> None:
    """Take the first line of the session's file as a row, and its columns by the names that a person on Data gave."""
    data = state.dataset()
    if data is not None:
        with telling(PLACE):
            named = datasets.with_names(data, names)
            _GIVEN.keep(len(names), tuple(names))
            _work_on(named, None)
            named_here, _ = decisions.OF_NAMES
            decisions.note(f"{named_here}{listed(list(names))}", over=lambda what: what.startswith(named_here))


def keep_first_line() -> None:
    """Take the first line of the session's file as names, as a person on Data said that it is."""
    data = state.dataset()
    if data is not None:
        _work_on(replace(data, first_line=()), None)
        if names_like_cells(data.frame):
            decisions.use_rule(replace(decisions.rule(), names_meant=True))
            decisions.note(decisions.OF_NAMES[1], over=decisions.OF_NAMES[1].__eq__)


def name_anew() -> None:
    """Ask on Data anew what the columns of the session's file are called, and whether its first line is names."""
    data = state.dataset()
    if data is not None:
        state.use_dataset(datasets.without_names(data), None)
        forget_told(PLACE)


def given_names(columns: int) -> tuple[str, ...]:
    """Return the names that a person in this session gave to a file of so many columns that has none; or none."""
    return _GIVEN.of(columns) or ()


def _as_before(left: state.Left, data: state.Dataset) -> state.Dataset:
    """A table of the same columns, read as was said of the one before; without the same rows where it is the same file.

    Of another one rows are left out that say what those said, where the reason is in the row itself, and those that
    repeat, if the one before had none.
    """
    before, data = left.data, datasets.read_as_before(left.data, data)
    gone = before.left_out
    if before.file != data.file:
        in_row = {why: of for why, of in left.marks.items() if decisions.is_in_row(why, map(str, data.frame.columns))}
        gone = rows_of_marks(data.whole, in_row)
        if REPEATS in before.left_out and (rows := repeated_rows(datasets.with_rows_left_out(data, gone))):
            gone[REPEATS] = rows
    return datasets.with_rows_left_out(data, gone) if gone else data


def _begin_anew_here() -> None:
    """Begin anew with the session's file, in one change that can be taken back."""
    data = state.dataset()
    if data is not None:
        with state.one_change():
            state.read_otherwise(datasets.as_given(data), None)
            _begin_anew()


def _begin_anew() -> None:
    """Forget what was decided about the session's file, but for its names; roles and groups are as proposed."""
    data = state.dataset()
    if data is not None:
        if data.first_line:  # a person's cells are no names: nothing is proposed by them
            return
        data = datasets.as_given(data)
        state.use_dataset(data, contents.proposed_study(state.columns_of(data)))
        decisions.use_rule(Rule(names_meant=decisions.rule().names_meant))
        decisions.use_noted(tuple(one for one in decisions.noted() if one.what.startswith(decisions.OF_NAMES)))
        decisions.note_removed()
        _GOES_ON.drop()
        forget_told(PLACE)


def _go_back() -> None:
    state.go_back()
    forget_told(PLACE)


def show_read() -> None:
    """Show on Data what came of the table, and of a file which columns are still removed as proposed."""
    gone = decisions.removed_as_proposed() if kind_told(PLACE) == "success" else []
    show_told(PLACE, f"Proposed for removal: {listed(gone).removesuffix('.')}." if gone else "")
    data, replaced = state.dataset(), state.replaced()
    with st.container(horizontal=True, vertical_alignment="center"):
        if replaced is not None:
            as_before = data is not None and data.sha256 == replaced.sha256
            called = replaced.name if data is None else _beside(data, replaced)
            to = "the columns as they were" if as_before else words.plain(called)
            label = "Name the columns again" if replaced.first_line else f"Go back to {to}"
            act(label, _go_back, key="data-back", icon="undo")
            if not (as_before or replaced.first_line):
                st.caption(f"Only until the next answer or change: then no row of {to} stays here.")
        if data is not None and _GOES_ON.of(data.file) and kind_told(PLACE) == "success":
            act("Begin anew with this table", _begin_anew_here, key="data-anew", icon="restart_alt")


def offer_to_forget() -> None:
    """Offer on Data to forget the table and everything with it, and to give its columns other names."""
    data = state.dataset()
    with st.container(horizontal=True):
        with st.popover("Forget my data", icon=":material/delete:"):
            st.markdown("The table, what was decided and all results go; nothing brings them back.")
            act("Forget it all", _forget, key="data-forget")
        if data is not None and not data.first_line and datasets.can_be_named(data):
            told = "Where the first line of the file is a person's, or a name is wrong. What was decided begins anew."
            act("Name the columns", name_anew, key="data-names-anew", icon="edit", help=told)


def _forget() -> None:
    state.forget()
    # Set, not left to its default: the browser still shows the old choice, and is told only of what is set.
    st.session_state[keys.TABLE_FROM] = UPLOAD if allowed() else EXAMPLE
    tell(PLACE, "success", "Your data is forgotten: nothing of it is left in this session.")
