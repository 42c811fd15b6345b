"""What the tests of the dashboard's modules share."""

from cra_dashboard.charts import look

look.CHECKED = True
