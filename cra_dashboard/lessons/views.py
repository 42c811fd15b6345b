"""What a lesson can point at: each view by its name, the page it stands on, and what it is called there."""

from dataclasses import dataclass

import streamlit as st

from cra_dashboard import palette


@dataclass(frozen=True)
class View:
    """A part of a page.

    Attributes:
        page: the page's name in the address.
        css: how the browser finds it.
        called: how the lesson calls it, in words.
    """

    page: str
    css: str
    called: str


def _key(name: str) -> str:
    return f".st-key-{name}"


QUESTION = "question"

VIEWS = {
    QUESTION: View("", _key("predict"), "the question"),
    "recode-figure": View("recode", _key("stage"), "the two pictures"),
    "attack-figure": View("attack", _key("stage"), "the picture of the class"),
    "single-out-figure": View("single_out", _key("stage"), "the picture of who stands alone"),
    "heterogeneous-figure": View("heterogeneous", _key("stage"), "the picture of the buckets"),
    "clusters-figure": View("microaggregate", _key("stage"), "the picture of the clusters"),
    "global-figure": View("global_recoding", _key("stage"), "the picture of the search"),
    "together-figure": View("together", _key("stage"), "the picture of the certain cells"),
    "downcode-figure": View("downcode", _key("stage"), "the picture of a cluster"),
    "gain-figure": View("safe_recoding", _key("stage"), "the picture of what the choices tell"),
    "stepper": View("recode", '[class*="st-key-recode-step-"][class*="-controls"]', "the buttons and the slider"),
    "recode-reason": View("recode", _key("recode-reason"), "why this state was taken"),
    "recode-lattice": View("recode", _key("recode-lattice"), "the picture of the states"),
    "recode-grid": View("recode", _key("recode-grid"), "the picture of the records"),
    "rules": View("hierarchies", _key("hierarchy-rules"), "k and how the publisher runs ARX"),
    "hierarchy-figure": View("hierarchies", _key("hierarchy-tree"), "the picture of the hierarchy"),
    "attack-class": View("attack", _key("attack-one-class"), "the choice of a class, and what is said of it"),
    "attack-map": View("attack", _key("attack-ownership"), "who owns which cell"),
    "attack-conclusions": View("attack", _key("attack-conclusions"), "what the attacker concludes"),
    "attack-fillings": View("attack", _key("attack-fillings"), "the fillings"),
    "attack-chances": View("attack", _key("attack-chances"), "how likely each cell holds so many people"),
    "heterogeneous-controls": View("heterogeneous", _key("het-controls"), "the promise and how values are drawn"),
    "heterogeneous-picture": View("heterogeneous", _key("het-picture"), "the picture of the buckets"),
    "safe-knob": View("safe_recoding", _key("safe-controls"), "the knob"),
    "safe-picture": View("safe_recoding", _key("safe-picture"), "the picture of what the choices tell"),
    "downcode-controls": View("downcode", _key("downcode-controls"), "k and the number of attributes"),
    "downcode-looked": View("downcode", _key("downcode-looked"), "what is shown, and of which cluster"),
    "clusters-picture": View("microaggregate", _key("micro-picture"), "the picture of the clusters"),
    "clusters-controls": View("microaggregate", _key("micro-controls"), "k and the other settings"),
    "global-controls": View("global_recoding", _key("gr-controls"), "the settings, and the button below them"),
    "together-picture": View("together", _key("together-picture"), "the picture of the certain cells"),
    "together-releases": View("together", _key("together-releases"), "the releases to put together"),
    "predicates": View("single_out", _key("single-out-predicates"), "the choice of a class of predicates"),
}


def outline(view: View, label: str) -> None:
    """Frame a view and write on it that the lesson is about it."""
    said = label.replace("\\", "").replace('"', "'")
    st.html(
        f"""<style>
        {view.css} {{
            outline: 3px dashed {palette.CHOSEN}; outline-offset: 6px; scroll-margin-top: 5rem; position: relative;
        }}
        {view.css}::before {{
            content: "{said}"; position: absolute; right: 0; bottom: calc(100% - 0.35rem); z-index: 2;
            padding: 0 0.6rem; white-space: nowrap; border-radius: 0.3rem; font-size: 0.875rem;
            font-weight: 600; color: #fff; background: {palette.GUIDE};
        }}
        </style>"""
    )
