"""Every page that lessons go to, and what they bring together: views, settings, and when a step is done."""

from collections.abc import Mapping

from cra_dashboard.lessons.hooks import Condition, Doing, Hooks, Setting, View, by_key
from cra_dashboard.lessons.pages import (
    all_classes,
    attack,
    downcode,
    global_recoding,
    heterogeneous,
    hierarchies,
    microaggregate,
    recode,
    safe_recoding,
    single_out,
    together,
    who_has_what,
)

PAGES: Mapping[str, Hooks] = {
    module.HOOKS.page: module.HOOKS
    for module in (
        hierarchies,
        recode,
        attack,
        all_classes,
        single_out,
        microaggregate,
        heterogeneous,
        global_recoding,
        together,
        downcode,
        safe_recoding,
        who_has_what,
    )
}
QUESTION, REASONS = "question", "reasons"
VIEWS: Mapping[str, View] = {QUESTION: View("", by_key("predict"), "the question")} | {
    name: View(hooks.page, css, called) for hooks in PAGES.values() for name, (css, called) in hooks.views.items()
}
SETTINGS: Mapping[str, Setting] = {name: one for hooks in PAGES.values() for name, one in hooks.settings.items()}
SEVERAL: Mapping[str, str] = {name: key for hooks in PAGES.values() for name, key in hooks.several.items()}
BEGINS = frozenset(name for hooks in PAGES.values() for name in hooks.begins)
_PAGE_OF = {name: hooks.page for hooks in PAGES.values() for name in hooks.settings}


# ---------------------------------------------------------------- conditions of every page


def answered(doing: Doing) -> bool:
    """Tell for lessons on any page whether a step is done: the learner has predicted."""
    return bool(doing.now.answers)


def set_to(doing: Doing, **given: object) -> bool:
    """Tell for lessons on any page whether a step is done: these settings were changed to just this."""
    return all(
        doing.now.page == _PAGE_OF[name] and doing.now.settings[name] == value and doing.changed(name)
        for name, value in given.items()
    )


_CONDITIONS: tuple[Condition, ...] = (answered, set_to, *(one for hooks in PAGES.values() for one in hooks.conditions))
CONDITIONS: Mapping[str, Condition] = {condition.__name__: condition for condition in _CONDITIONS}
