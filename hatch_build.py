"""Puts what stands at the top of the repository into the wheel: app.py, pages, lessons, plans, sample data, settings.

Only a wheel holds copies of them; an editable installation finds them where they are (cra_dashboard/places.py).
"""

from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

CARRIED = ("app.py", "pages", "lessons", "plans", "sample_data", ".streamlit/config.toml")


class SiteHook(BuildHookInterface):
    """Carry the site inside the dashboard's package."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called before each build; ``version`` is ``standard`` or ``editable``."""
        if version == "standard":
            build_data["force_include"] |= {name: f"cra_dashboard/site/{name}" for name in CARRIED}
