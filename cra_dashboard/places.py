"""Where the dashboard's own files lie: beside its package in a checkout, inside it where it was installed."""

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent
_INSTALLED = _PACKAGE / "site"

# The folder of app.py, pages, lessons, plans and sample data.
ROOT = _INSTALLED if _INSTALLED.is_dir() else _PACKAGE.parent
# The lessons, the story, and what is printed of them.
LESSONS = ROOT / "lessons"
