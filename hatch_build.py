"""What the build adds: the dashboard's files in the wheel, and a README whose links lead somewhere from the index.

Only a wheel holds copies of what stands at the top of the repository; an editable installation finds it where it is
(cra_dashboard/places.py).
"""

import re
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

CARRIED = ("app.py", "pages", "lessons", "plans", "sample_data", ".streamlit/config.toml")
_LINK = re.compile(r"(!?)\[([^\]]*)\]\((?!\w+:)([^)]+)\)")


class SiteHook(BuildHookInterface):
    """Carry the site inside the dashboard's package."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called before each build; ``version`` is ``standard`` or ``editable``."""
        if version == "standard":
            build_data["force_include"] |= {name: f"cra_dashboard/site/{name}" for name in CARRIED}


class ReadmeHook(MetadataHookInterface):
    """Give the index the README with links into the repository that ``project.urls`` names."""

    PLUGIN_NAME = "custom"

    def update(self, metadata: dict[str, Any]) -> None:
        """Called when the metadata are made."""
        text = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        repository = metadata.get("urls", {}).get("Repository", "")
        text = for_the_index(text, repository, metadata["version"])
        metadata["readme"] = {"content-type": "text/markdown", "text": text}


def for_the_index(text: str, repository: str, version: str) -> str:
    """The README as the index shows it: links into the repository at this version, or none where there is no address.

    >>> for_the_index("[a](docs/a.md) ![b](b.png) [c](https://c.org)", "https://git.org/o/r", "1.2.0")
    '[a](https://git.org/o/r/blob/v1.2.0/docs/a.md) ![b](https://git.org/o/r/raw/v1.2.0/b.png) [c](https://c.org)'
    >>> for_the_index("[a](docs/a.md) ![b](b.png) [c](https://c.org)", "", "1.2.0")
    'a  [c](https://c.org)'
    """

    def led(found: re.Match[str]) -> str:
        picture, words, target = found.groups()
        if not repository:
            return "" if picture else words
        return f"{picture}[{words}]({repository}/{'raw' if picture else 'blob'}/v{version}/{target})"

    return _LINK.sub(led, text)
