"""The CRA Explorer: page settings and navigation."""

import streamlit as st

from cra_dashboard.lessons import panel as lesson_panel
from cra_dashboard.panels.frame import dress, study_bar
from cra_dashboard.session import link
from cra_dashboard.session.closed_sessions import free_when_closed
from cra_dashboard.session.discreet_log import keep_log_discreet
from cra_dashboard.session.server import send_at_once
from cra_dashboard.session.uploads import heed_the_switch

keep_log_discreet()
heed_the_switch()
free_when_closed()
send_at_once()
st.set_page_config(page_title="CRA Explorer", page_icon="🔎", layout="wide")
page = st.navigation(
    [
        st.Page("pages/start.py", title="Start", icon=":material/home:", default=True),
        st.Page("pages/playground.py", title="Playground", icon=":material/touch_app:"),
        st.Page("pages/lessons.py", title="Lessons", icon=":material/school:"),
        st.Page("pages/data.py", title="Data", icon=":material/table:"),
        st.Page("pages/hierarchies.py", title="Hierarchies", icon=":material/account_tree:"),
        st.Page("pages/recode.py", title="Recode", icon=":material/grid_on:"),
        st.Page("pages/attack.py", title="Attack", icon=":material/search:"),
        st.Page("pages/single_out.py", title="Single out", icon=":material/person_search:"),
        # Named global_recoding: Streamlit takes an address that ends with another page's for that page.
        st.Page("pages/global_recoding.py", title="Global recode", icon=":material/layers:"),
        st.Page("pages/heterogeneous.py", title="Heterogeneous", icon=":material/hub:"),
        st.Page("pages/what_if.py", title="What if", icon=":material/balance:"),
        st.Page("pages/microaggregate.py", title="Microaggregate", icon=":material/bubble_chart:"),
        st.Page("pages/audit.py", title="Audit", icon=":material/policy:"),
        st.Page("pages/experiments.py", title="Experiments", icon=":material/science:"),
        st.Page("pages/glossary.py", title="Glossary", icon=":material/menu_book:"),
    ]
)
link.follow(page.url_path)
link.show(page.url_path)
dress()
study_bar(page.url_path)
lesson_panel.show(page.url_path)
page.run()
