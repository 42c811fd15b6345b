"""What a page shows while a question waits: everything that can be read off a release, and no conclusion."""

from collections.abc import Sequence

import streamlit as st
from markupsafe import Markup
from streamlit.delta_generator import DeltaGenerator

from cra_dashboard.charts.ownership import boxes_figure
from cra_dashboard.charts.paper import on_paper
from cra_dashboard.charts.picture import Picture
from cra_dashboard.charts.view import View
from cra_dashboard.panels.picture import mount as picture
from cra_dashboard.session.view_choice import choose_view
from cra_engine import Release
from cra_engine.words import how_many

READ = "What everybody can read: each box with the number of its class{}"
Places = tuple[DeltaGenerator, DeltaGenerator]


def of_release(places: Places, release: Release, page: str, chosen: int | None = None) -> None:
    """Show the boxes of a release in a panel.

    Args:
        places: for the figure, and for the choice of what it shows of a larger grid.
        release: what was published.
        page: whose choice of attributes holds, as :func:`choose_view` knows it.
        chosen: a class whose box stands out.
    """
    figure, beside = places
    with beside:
        view = choose_view(release.grid, page)
    show_boxes(figure, release, view, page, chosen)


def side_by_side(place: DeltaGenerator, releases: Sequence[Release], titles: Sequence[str], page: str) -> None:
    """Show in a panel the boxes of several releases beside each other, with one caption for all of them."""
    drawn = []
    for number, (column, release) in enumerate(zip(place.columns(len(releases)), releases, strict=True)):
        own = f"{page}-{number}"
        with column:
            st.markdown(f"**{titles[number]}**")
            drawn.append(boxes_figure(release, choose_view(release.grid, own)))
            picture.show(drawn[-1], f"{own}-boxes", _said(release))
    place.caption(_read(*drawn))


def show_boxes(place: DeltaGenerator, release: Release, view: View, page: str, chosen: int | None = None) -> None:
    """Show in a panel the boxes of a release, as far as a view meets them, and how many people are in each."""
    with place:
        drawn = boxes_figure(release, view, chosen)
        picture.show(drawn, f"{page}-boxes", _said(release))
        st.caption(_read(drawn) if chosen is None else f"{_read(drawn)} Thick: the class that is asked about.")


def _read(*drawn: Picture) -> str:
    """What can be read off these pictures; where boxes have no room for their people they tell them when asked."""
    people = all(any(box.people for box in one.outlines) for one in drawn)
    return READ.format(", and how many people are in it." if people else ". Point at a box for its people.")


def on_telephones(release: Release, chosen: int | None = None) -> Markup:
    """Return the boxes of a release in its first two attributes as SVG for telephones; nothing where there is one."""
    if len(release.grid.shape) < 2:
        return Markup()
    view = View.of(release.grid, 0, 1, tuple((at, None) for at in range(2, len(release.grid.shape))))
    return on_paper(boxes_figure(release, view, chosen), view, release.grid, _said(release))


def _said(release: Release) -> str:
    return f"The grid with {how_many(len(release.classes), 'published box', 'published boxes')}"
