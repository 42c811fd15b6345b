"""What the page tests share."""

import pytest
from visitor import Session


@pytest.fixture
def session():
    """A new session of the dashboard, on its first page."""
    return Session()
