"""The CRA Explorer: page settings and navigation."""

import streamlit as st

from cra_dashboard.lessons import panel as lesson_panel
from cra_dashboard.panels import menu
from cra_dashboard.panels.frame import dress, run, study_bar
from cra_dashboard.panels.stage import begin_at_top
from cra_dashboard.session import link
from cra_dashboard.session.closed_sessions import free_when_closed
from cra_dashboard.session.discreet_log import keep_log_discreet
from cra_dashboard.session.uploads import heed_the_switch
from cra_dashboard.texts.papers import ABOUT

keep_log_discreet()
heed_the_switch()
free_when_closed()
st.set_page_config(page_title="CRA Explorer", page_icon="🔎", layout="wide", menu_items={"About": ABOUT})
page = st.navigation(menu.menu_pages(), expanded=True)
name = page.url_path or "start"
st.set_page_config(initial_sidebar_state="collapsed" if name in menu.WIDE else "auto")
link.follow(page.url_path)
link.show(page.url_path)
dress(name, large=lesson_panel.presenting())
menu.show_menu(name)
begin_at_top(page.url_path)
menu.show_way(name)
study_bar(page.url_path)
lesson_panel.show(page.url_path)
run(page)
