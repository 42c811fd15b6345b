"""All classes by the paper's attack, which takes each by itself."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import streamlit as st

from cra_dashboard.attack.chosen import Chosen, every_class, go_to_owner, map_table, say_tables
from cra_dashboard.charts.ownership import overview_figure
from cra_dashboard.charts.possibilities import possibilities_figure, possibilities_told
from cra_dashboard.charts.tiled import behind_tiles
from cra_dashboard.panels import formulas
from cra_dashboard.panels.picture import mount as picture
from cra_dashboard.panels.stage import Stage, folded, one_of, say
from cra_dashboard.panels.touched import touch_chart
from cra_dashboard.session import keys, state
from cra_dashboard.texts import arithmetic, glossary, weighing
from cra_dashboard.texts.class_rows import ClassRow, by_number, headline, mean_ratio
from cra_engine.words import quotient

MAP, RATIOS = "Map", "Times fewer"


def all_classes(chosen: Chosen, screen: Stage) -> None:
    """Show every class on Attack by the paper's attack, which takes each by itself."""
    say(screen.sentence, headline(chosen.rows), weighing.counted(chosen.attack))
    classes = [row for row in chosen.rows if row.index is not None]
    wider = [row for row in classes if row.kind == "compound"]
    means = {"Mean ratio, wider classes": wider, "Mean ratio, all classes": classes}
    with screen.beside:
        shown = one_of("Show", [MAP, RATIOS], "attack-release-shown")
    if shown == MAP:
        whole_map(chosen, screen, f"The whole grid: {len(wider)} of {len(classes)} classes are wider than one cell")
    else:
        ratios(chosen, screen, both=0 < len(wider) < len(classes))
    with screen.beside:
        say_tables(chosen)
        for label, of in means.items():
            if (mean := mean_ratio(of)) is not None:
                st.metric(
                    label,
                    quotient(mean.numerator, mean.denominator),
                    help=f"{glossary.meaning('mean ratio')} The suppressed records are left out.",
                )
    with screen.below:
        parts: dict[str, Callable[[], Any]] = {"All classes as a table": partial(every_class, chosen)}
        if shown == MAP:
            parts["This map as a table"] = partial(map_table, chosen, None)
        if all(mean_ratio(of) is not None for of in means.values()):
            parts["How the means are calculated"] = partial(means_calculated, means)
        folded(parts, "attack-release-folded")


def whole_map(chosen: Chosen, screen: Stage, alt: str) -> None:
    """Draw on Attack which class owns which cell of the whole grid."""
    with screen.figure:
        picture.show(
            state.once("overview", chosen.drawn, lambda: overview_figure(chosen.attack, chosen.view, chosen.part)),
            "ownership-map",
            alt,
            on_pick=partial(go_to_owner, chosen),
        )
        st.caption(
            "The number in a cell is the class that owns it; borders are the boxes of wider classes. Click a cell."
            if chosen.view.flat
            else "Cells that no single-cell class owns, of all the cells behind each tile."
            + behind_tiles(chosen.attack.release.grid, chosen.view)
        )


def ratios(chosen: Chosen, screen: Stage, *, both: bool) -> None:
    """Draw on Attack how many times fewer tables it leaves of each class.

    Args:
        chosen: the class that stands out.
        screen: the page's places.
        both: whether there are classes on a single cell and wider ones to choose among.
    """
    drawn = [chosen.rows[place] for place in by_number(chosen.rows)]
    if both:
        with screen.beside:
            which = one_of(
                "Draw",
                ["Wider classes and suppressed records", "All classes"],
                "possibilities-of",
                hint="A class on a single cell cannot be refined: what is promised remains.",
            )
        drawn = drawn if which == "All classes" else [row for row in drawn if row.kind != "basic"]

    def picked(place: int) -> None:
        st.session_state[keys.chosen_class()] = chosen.rows.index(drawn[place])

    with screen.figure:
        touch_chart(
            possibilities_figure(drawn, drawn.index(chosen.row) if chosen.row in drawn else None),
            "possibilities",
            picked,
            "How many times fewer tables the attack leaves of each class, logarithmic. "
            + possibilities_told(chosen.row),
        )
        st.caption("How many times fewer tables remain than the interval promises; 1 is no gain. Click a class.")


def means_calculated(means: Mapping[str, Sequence[ClassRow]]) -> None:
    """Show on Attack the mean ratios as sums."""
    said = "The ratios of the classes, added up and divided by how many they are."
    formulas.show(
        [
            arithmetic.mean(label, said, [row.ratio for row in of if row.ratio is not None])
            for label, of in means.items()
        ]
    )
