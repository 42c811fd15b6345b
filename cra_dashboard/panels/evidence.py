"""What a page shows while a question waits: everything that can be read off a release, and no conclusion."""

from collections.abc import Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from cra_dashboard.charts.ownership import boxes_figure
from cra_dashboard.panels.picture import mount as picture
from cra_dashboard.session.view_choice import choose_view
from cra_dashboard.texts.numbering import in_order, number_of
from cra_engine import Release
from cra_engine.study.grid import Grid, Segment
from cra_engine.words import how_many

Places = tuple[DeltaGenerator, DeltaGenerator]


def of_release(places: Places, release: Release, page: str, chosen: int | None = None) -> None:
    """The boxes of a release; see :func:`published_boxes`."""
    ordered = [release.classes[index] for index in in_order(release, range(len(release.classes)))]
    number = None if chosen is None else number_of(release, chosen)
    published_boxes(places, release.grid, [(one.segment, one.size) for one in ordered], page, number)


def published_boxes(
    places: Places, grid: Grid, classes: Sequence[tuple[Segment, int]], page: str, chosen: int | None = None
) -> None:
    """The published boxes.

    Args:
        places: for the figure, and for the choice of what it shows of a larger grid.
        grid: the cells.
        classes: the boxes with their sizes.
        page: whose choice of attributes holds, as :func:`choose_view` knows it.
        chosen: number of a class whose box stands out.
    """
    figure, beside = places
    with beside:
        view = choose_view(grid, page)
    with figure:
        picture.show(
            boxes_figure(grid, classes, view, chosen),
            f"{page}-boxes",
            f"The grid with {how_many(len(classes), 'published box', 'published boxes')}",
        )
        st.caption("What everybody can read: each box with the number of its class, and how many people are in it.")
