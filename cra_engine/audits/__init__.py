"""An audit: what a released table gives away, with nothing but the table."""
