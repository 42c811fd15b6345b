"""The CRA Explorer: page settings and navigation."""

import streamlit as st

from cra_dashboard.lessons import panel as lesson_panel
from cra_dashboard.panels.frame import dress, onward, study_bar
from cra_dashboard.panels.stage import begin_at_top
from cra_dashboard.session import link
from cra_dashboard.session.closed_sessions import free_when_closed
from cra_dashboard.session.discreet_log import keep_log_discreet
from cra_dashboard.session.server import send_at_once
from cra_dashboard.session.uploads import heed_the_switch

# Pages by what somebody comes for. A page is named for what it answers; Streamlit takes an address that ends with
# another page's for that page, hence global_recoding.
MENU = {
    "Learn": [
        st.Page("pages/start.py", title="Start", icon=":material/home:", default=True),
        st.Page("pages/story.py", title="Story", icon=":material/auto_stories:"),
        st.Page("pages/playground.py", title="Playground", icon=":material/touch_app:"),
        st.Page("pages/lessons.py", title="Lessons", icon=":material/school:"),
        st.Page("pages/glossary.py", title="Glossary", icon=":material/menu_book:"),
    ],
    "Publish": [
        st.Page("pages/data.py", title="Data", icon=":material/table:"),
        st.Page("pages/hierarchies.py", title="Hierarchies", icon=":material/account_tree:"),
        st.Page("pages/recode.py", title="Recode", icon=":material/grid_on:"),
        # Named global_recoding, safe_recoding: Streamlit takes an address that ends with another page's for that page.
        st.Page("pages/safe_recoding.py", title="Safe recode", icon=":material/shield:"),
        st.Page("pages/global_recoding.py", title="Global recode", icon=":material/layers:"),
        st.Page("pages/microaggregate.py", title="Microaggregate", icon=":material/bubble_chart:"),
        st.Page("pages/heterogeneous.py", title="Heterogeneous", icon=":material/hub:"),
    ],
    "Attack": [
        st.Page("pages/attack.py", title="Attack", icon=":material/search:"),
        st.Page("pages/single_out.py", title="Single out", icon=":material/person_search:"),
        st.Page("pages/together.py", title="Together", icon=":material/join_inner:"),
        st.Page("pages/downcode.py", title="Downcode", icon=":material/zoom_in:"),
    ],
    "Check": [
        st.Page("pages/check.py", title="Check", icon=":material/verified:"),
        st.Page("pages/audit.py", title="Audit", icon=":material/policy:"),
        st.Page("pages/what_if.py", title="What if", icon=":material/balance:"),
        st.Page("pages/effective_anonymity.py", title="Effective anonymity", icon=":material/groups:"),
        st.Page("pages/compare.py", title="Compare", icon=":material/compare_arrows:"),
    ],
    "Research": [
        st.Page("pages/experiments.py", title="Experiments", icon=":material/science:"),
    ],
}

keep_log_discreet()
heed_the_switch()
free_when_closed()
send_at_once()
st.set_page_config(page_title="CRA Explorer", page_icon="🔎", layout="wide")
page = st.navigation([page for group in MENU.values() for page in group], expanded=True)
link.follow(page.url_path)
link.show(page.url_path)
dress({name: len(group) for name, group in MENU.items()}, large=lesson_panel.presenting())
begin_at_top(page.url_path)
study_bar(page.url_path, onward(page.url_path))
lesson_panel.show(page.url_path)
page.run()
