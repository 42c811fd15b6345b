"""Where a person can go: the menu, the views of a page that has several, the way before and after, the glossary."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial

import streamlit as st

from cra_dashboard import palette
from cra_dashboard.session import fields, link, state
from cra_dashboard.texts import glossary, papers, words

# The menu. Every name is a page's file and its address; the first is the page that opens.
MENU: Mapping[str, tuple[str, ...]] = {
    "Learn": ("start", "story", "playground", "lessons"),
    "Work": ("data", "recode", "attack", "check"),
}
MORE = ("global_recoding", "microaggregate", "heterogeneous", "downcode", "effective_anonymity", "experiments")
# Pages that stand behind one entry of the menu, with what each is called there. A page is named for
# what it answers; Streamlit takes an address that ends with another page's for that page, hence all_classes and
# global_recoding.
VIEWS: Mapping[str, Mapping[str, str]] = {
    "data": {"data": "Table", "hierarchies": "Hierarchies"},
    "attack": {
        "attack": "Class by class",
        "all_classes": "All together",
        "together": "Several releases",
        "single_out": "Who stands alone",
        "who_has_what": "Who has what",
    },
    "check": {
        "check": "This table",
        "audit": "Audit a release",
        "compare": "Other ways",
        "safe_recoding": "Safe recode",
    },
}
PAGES: Mapping[str, tuple[str, str]] = {
    "start": ("Start", "home"),
    "story": ("Story", "auto_stories"),
    "playground": ("Playground", "touch_app"),
    "lessons": ("Lessons", "school"),
    "data": ("Data", "table"),
    "hierarchies": ("Hierarchies", "account_tree"),
    "recode": ("Recode", "grid_on"),
    "attack": ("Attack", "search"),
    "all_classes": ("All together", "join_full"),
    "together": ("Several releases", "join_inner"),
    "single_out": ("Who stands alone", "person_search"),
    "who_has_what": ("Who has what", "badge"),
    "check": ("Check", "verified"),
    "audit": ("Audit", "policy"),
    "compare": ("Other ways", "compare_arrows"),
    "safe_recoding": ("Safe recode", "shield"),
    "global_recoding": ("Global recode", "layers"),
    "microaggregate": ("Microaggregate", "bubble_chart"),
    "heterogeneous": ("Heterogeneous", "hub"),
    "downcode": ("Downcode", "zoom_in"),
    "effective_anonymity": ("Effective anonymity", "groups"),
    "experiments": ("Experiments", "science"),
    "glossary": ("Glossary", "menu_book"),
}
# The ways through, in their order: with every view of a page; and of whoever brings a table of people to publish it.
LEARN, OTHERS = MENU["Learn"], ("start", *MORE)
WAYS = (LEARN, ("start", *(view for page in MENU["Work"] for view in VIEWS.get(page, (page,)))), OTHERS)
WAYS_OF_OWN = (("start", "data", "check"), LEARN, ("data", "hierarchies", "recode", "attack", "check"), OTHERS)
# The lesson of each of the other methods: its number, and its name in an address.
LESSONS: Mapping[str, tuple[int, str]] = {
    "global_recoding": (13, "pruning"),
    "microaggregate": (11, "largest-contributor"),
    "heterogeneous": (12, "other-side"),
    "downcode": (15, "minimal"),
}
# Start opens every way, and the story ends with a button: a second way on above a story's own Next is one too many.
OFFERS_WHAT_FOLLOWS = frozenset({"start", "story"})
WIDE = frozenset({"story", "playground"})  # they take the whole window: the menu is folded

_STYLE = """
[data-testid="stSidebarUserContent"] {padding: 1rem 0 0}  /* with More methods open it fits a window of 720 pixels */
/* A folded menu lies beside the window, where a focus on its entries is not seen. */
[data-testid="stSidebar"][data-collapsed="true"] {visibility: hidden}
.st-key-way {row-gap: 0}
.st-key-way-on {flex-wrap: nowrap}
[data-testid="stLayoutWrapper"]:has(> .st-key-way-on) {margin-left: auto}
.st-key-way p {white-space: nowrap}
.st-key-way-paper p {white-space: normal; line-height: 1.2}
.st-key-way [data-testid="stPageLink-NavLink"] {padding: 0.2rem 0.5rem}
.st-key-way-on > :last-child {margin-left: 0.75rem}
/* Views of one page are tabs below one line, the way on small links: side by side they looked alike. */
.st-key-way-room p {font-weight: 600; margin-right: 0.25rem}
.st-key-way-views [data-testid="stPageLink-NavLink"] {border-radius: 0; box-shadow: inset 0 -1px gray}
.st-key-way-on [data-testid="stPageLink-NavLink"] {padding: 0.2rem 0.35rem}
.st-key-way-on [data-testid="stPageLink-NavLink"] p {font-size: 0.8125rem; text-decoration: underline}
/* Streamlit prints that it computes, and Stop, where the glossary stands. */
[data-testid="stStatusWidget"] {position: fixed; right: 0.75rem; bottom: 0.5rem; background: Canvas}
@media (min-width: 900px) {
  /* As wide as its longest entry: pages need the width, and Streamlit heeds a width of its own settings too late. */
  [data-testid="stSidebar"][data-collapsed="false"] {max-width: 15rem !important}
  [data-testid="stSidebar"] [data-testid="stExpanderDetails"] {padding: 0.5rem 0.25rem}
  [data-testid="stLayoutWrapper"]:has(> .st-key-way) {margin: -3.3rem 0 0 1rem; min-height: 2.25rem; z-index: 999990;
    position: sticky; top: 0.4rem; width: calc(100% - 3rem)}  /* Streamlit's own menu stands at the end of the line */
}
@media (max-width: 1359px) {  /* no room */
  .st-key-way-on [data-testid="stPopoverButton"] span:has(> [data-testid="stIconMaterial"]) {display: none}
}
@media (min-width: 900px) and (max-width: 1239px) {  /* beside the menu there is no room for all in one line */
  .st-key-way:has(.st-key-way-views > *) {flex-direction: column-reverse; align-items: start}
  .st-key-way:has(.st-key-way-views > *) > * {flex: none; margin: 0 !important}
  .st-key-way-views {flex-wrap: nowrap}
}
@media (max-width: 899px) {
  [data-testid="stLayoutWrapper"]:has(> .st-key-way-room) {display: none}
  .st-key-way-views {row-gap: 0.3rem} .st-key-way-views p {font-size: 0.8125rem}
  .st-key-way-views [data-testid="stPageLink-NavLink"] {padding: 0.1rem 0.4rem}
  .st-key-way-on {position: fixed; top: 0.5rem; right: 2.75rem; width: auto; max-width: calc(100vw - 6rem);
    z-index: 999990}  /* what else scrolls goes under Streamlit's own line */
  .st-key-way-on > [data-testid="stElementContainer"] {flex-shrink: 1; min-width: min-content}
  .st-key-way-on > [data-testid="stLayoutWrapper"] {flex: none; width: auto}
  .st-key-way-on [data-testid="stPageLink-NavLink"] {padding: 0.2rem 0.25rem}
  .st-key-way-on p {font-size: 0.8125rem; line-height: 1.1; white-space: nowrap}
  /* Where beside the way on there is no room for the name of the way back, it breaks out of sight, and is read out. */
  .st-key-way-on > [data-testid="stElementContainer"]:first-child:has(+ *) {flex-shrink: 9999; min-width: 1.75rem}
  .st-key-way-on > :first-child [data-testid="stPageLink-NavLink"] {flex-wrap: wrap; overflow: hidden;
    height: 1.6rem; padding-top: 0.3rem; align-content: start}
  [data-testid="stMain"]:has(.st-key-lesson) :is(.st-key-study-bar, .st-key-way-views) {display: none}
  [data-testid="stMain"]:has(.st-key-lesson) :is(h1, h2, h3) {font-size: 1rem; padding: 0}
  .st-key-lesson :is(p, li) {font-size: 0.875rem; line-height: 1.35}
}
"""


def entry(page: str) -> str:
    """Return the page that stands in the menu for a page: itself, or the one that it is a view of."""
    return next((name for name, views in VIEWS.items() if page in views), page)


def menu_pages() -> list[st.Page]:
    """Return every page for the menu; those behind another entry, or below it, are not listed by Streamlit itself."""
    listed = {name for names in MENU.values() for name in names}
    pages = [
        st.Page(
            f"pages/{name}.py",
            title=title,
            icon=f":material/{icon}:",
            default=name == "start",
            url_path="home" if name == "start" else name,
            visibility="visible" if name in listed else "hidden",
        )
        for name, (title, icon) in PAGES.items()
    ]
    # Streamlit would say that there is no page of such a name.
    return [*pages, *(st.Page(lead, url_path=address, visibility="hidden") for address, lead in ELSEWHERE.items())]


# The page that opens has no address but the program's own; and where a page stands now that had one of its own.
ELSEWHERE: Mapping[str, Callable[[], None]] = {
    "start": lambda: st.switch_page("pages/start.py"),
    "what_if": lambda: st.switch_page("pages/compare.py"),
}


def styles(page: str) -> Iterator[str]:
    """Return how the menu looks: its headings, and the entry that the page is a view of."""
    yield _STYLE
    yield f'.st-key-way-views [href$="{page}"] {{box-shadow: inset 0 -3px currentColor !important}}'
    # Streamlit's own headings stand in the list as what is no item of it, where screen readers lose count.
    items, place = '[data-testid="stSidebarNavItems"] > li:nth-child', 1
    for name, pages in MENU.items():
        yield f"""{items}({place})::before {{content: "{name}"; display: block;
padding: {"0" if place == 1 else "0.75rem"} 0.5rem 0.125rem; font-size: 0.875rem; opacity: 0.75}}"""
        if page not in pages and entry(page) in pages:  # as Streamlit shows a page's own: grey would look disabled
            yield f"""{items}({place + pages.index(entry(page))}) a {{background: {palette.OPEN_PAGE}}}
{items}({place + pages.index(entry(page))}) a p {{font-weight: 600}}"""
        place += len(pages)


def before_and_after(page: str, *, own: bool = False) -> tuple[str | None, str | None]:
    """Return the pages before and after a page on the way through the menu; None where the way ends.

    Args:
        page: its name.
        own: whether the table in use is a person's own, which is to be published.
    """
    ways = WAYS_OF_OWN if own else WAYS
    step = page if any(page in way for way in ways) else entry(page)
    way = next((way for way in ways if step in way), ())
    if not way:
        return None, None
    at = way.index(step)
    onward = at < len(way) - 1 and step not in OFFERS_WHAT_FOLLOWS
    before = step if step != page else way[at - 1] if at else None
    return before, way[at + 1] if onward else None


def show_menu(page: str) -> None:
    """Show below the entries of the menu the other methods, closed until somebody wants them."""
    with st.sidebar.expander("More methods", expanded=page in MORE, icon=":material/more_horiz:"):
        for name in MORE:
            title, icon = PAGES[name]
            st.page_link(f"pages/{name}.py", label=title, icon=f":material/{icon}:")


def show_way(page: str) -> None:
    """Show above every page one line: the views that it has, the way before and after, and the glossary."""
    data = state.dataset()
    before, after = before_and_after(page, own=data is not None and data.uploaded)
    with st.container(key="way", horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        with st.container(key="way-views", horizontal=True, vertical_alignment="center", gap=None):
            views = VIEWS.get(entry(page), {})
            if views:
                st.container(key="way-room", width="content").markdown(f"{PAGES[entry(page)][0]}:")
            for name, label in views.items():
                st.page_link(f"pages/{name}.py", label=label, width="content")
            if page in papers.OF_PAGE:
                with st.container(key="way-paper"):
                    st.markdown(f":small[{papers.OF_PAGE[page]}]")
            if page in LESSONS and link.options().lesson is None:
                number, name = LESSONS[page]
                begin = partial(link.use_options, lesson=name, lesson_step=0)
                fields.act(f"Lesson {number}", begin, icon="school", type="tertiary", key="way-lesson")
        with st.container(key="way-on", horizontal=True, vertical_alignment="center", gap=None, width="content"):
            if link.options().lesson is None:  # which has a way of its own
                if before is not None:
                    st.page_link(f"pages/{before}.py", label=PAGES[before][0], icon=":material/arrow_back:")
                if after is not None and not (data and data.first_line):  # the columns have no names yet
                    label = f"Next: {PAGES[after][0]}"
                    st.page_link(f"pages/{after}.py", label=label, icon=":material/arrow_forward:")
            _glossary()


@st.fragment
def _glossary() -> None:
    with st.popover(
        "Glossary", icon=":material/menu_book:", type="tertiary", on_change="rerun", key="glossary"
    ) as opened:
        if opened.open:
            wanted = st.text_input("Find a word", key="glossary-find", placeholder="for instance: ratio")
            # Of one width too: else what is found would narrow and move all of it.
            with st.container(width=640, height=400, border=False):
                show_terms(wanted)


def show_terms(wanted: str) -> None:
    """Show on any page the terms and questions that a text occurs in, all of them where it is empty, as one list."""
    lines = glossary.found(wanted)
    if lines:
        st.markdown("\n".join(lines))
    else:
        st.info(f"No term has {words.plain(repr(wanted))} in it.", icon=":material/search_off:")
