"""The switch that leaves a download's rows in the order of the raw table."""

from cra_dashboard.session import fields, state


def keep_order_switch() -> None:
    """Show the switch for the row order, one for the session: it holds for every release that is downloaded."""
    fields.toggle(
        "Keep order",
        key=state.KEEP_ORDER,
        help="A download's rows stand in a random order. In the raw table's order, a table that was sorted gives away "
        "much of what was generalized, and two releases can be linked row by row.",
    )
