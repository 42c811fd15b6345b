"""The site: docs/ and the Python interface, by Sphinx. `make site` builds it strictly."""

import functools
import sys
from importlib.metadata import version as installed
from pathlib import Path

import propcache.api

# Sphinx knows Python's own cached properties for attributes, and would show the others as functions.
propcache.api.cached_property = functools.cached_property
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

project = "CRA Explorer"
author = project
copyright = "The CRA Explorer project, Apache-2.0"  # noqa: A001 # Sphinx calls it so
release = version = installed("cra-explorer")
language = "en"

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
exclude_patterns = ["figures", "api/*.pyc"]
myst_heading_anchors = 4
myst_links_external_new_tab = False
nitpicky = False
autodoc_default_options = {
    "members": True,
    "inherited-members": "tuple,dict,int,object,Exception,BaseException",
    "undoc-members": False,
}
autodoc_typehints = "signature"
autodoc_member_order = "bysource"
napoleon_use_ivar = True  # what a dataclass lists under "Attributes" stands once

html_theme = "furo"
html_title = "CRA Explorer"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sourcelink = False
html_extra_path = ["../build/extra"]  # the playground as one page, which make site puts there
html_theme_options = {
    "navigation_with_keys": True,
    "announcement": '<a href="playground.html">Playground: see who is given away</a>',
}
