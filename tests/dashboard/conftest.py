"""What the tests of the dashboard's modules share."""

from cra_dashboard.charts import look
from quick_pages import answered_at_once, compiled_once, no_components_of_others

__all__ = ["answered_at_once", "compiled_once", "no_components_of_others"]

look.CHECKED = True
