"""A page in one HTML file that asks nobody for anything: script, style and data of a component, put together."""

import json
import tomllib
from collections.abc import Mapping
from html import escape
from typing import Any

from cra_dashboard.places import ROOT

# What Streamlit calls the colours of a page, by the settings that it takes them from.
_COLOURS = {
    "--st-text-color": "textColor",
    "--st-background-color": "backgroundColor",
    "--st-secondary-background-color": "secondaryBackgroundColor",
    "--st-border-color": "borderColor",
    "--st-primary-color": "primaryColor",
    "--st-link-color": "linkColor",
}
_FONTS = (
    "--st-font: 'Source Sans', 'Source Sans 3', system-ui, sans-serif; --st-heading-font: var(--st-font); "
    "--st-code-font: ui-monospace, monospace; --st-button-radius: 0.5rem; --st-base-radius: 0.5rem;"
)
# Nothing is asked for, not even by mistake.
_POLICY = "default-src 'none'; script-src 'unsafe-inline' blob:; worker-src blob:; style-src 'unsafe-inline'"
_ASKS = "; connect-src 'self'"


def page(
    *, title: str, text: str, script: str, begin: str, style: str, data: Mapping[str, Any], asks: bool = False
) -> str:
    """Return a component's page as one HTML file that asks no server.

    Args:
        title: of the page.
        text: what it is, in a sentence, for who prints it and for who sees no script.
        script: of :func:`cra_engine.scenes.script.modules`.
        begin: a statement that knows ``parent`` (a shadow root), ``data`` and ``script``.
        style: of the component.
        data: for the component; nothing that came from a table.
        asks: whether it may ask the server that it came from.
    """
    theme = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text("utf-8"))["theme"]
    given = _inside(json.dumps(data, separators=(",", ":"), ensure_ascii=False))
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{_POLICY}{_ASKS if asks else ""}">
<title>{escape(title)}</title>
<style>
:root {{ color-scheme: light dark; {_colours(theme["light"])} {_FONTS} }}
@media screen and (prefers-color-scheme: dark) {{ :root {{ {_colours(theme["dark"])} }} }}
body {{ margin: 0; padding: 0.6rem 0.8rem; background: var(--st-background-color); color: var(--st-text-color);
    font-family: var(--st-font); }}
footer {{ display: none; font-size: 0.8rem; }}
@media print {{ footer {{ display: block; }} }}
</style>
</head>
<body>
<main id="page"><noscript>{escape(text)} It needs JavaScript.</noscript></main>
<footer>{escape(text)}</footer>
<template id="style"><style>
{style}</style></template>
<script id="data" type="application/json">{given}</script>
<script id="script">
{_inside(script)}</script>
<script>
{{
    const parent = document.getElementById("page").attachShadow({{ mode: "open" }});
    parent.append(document.getElementById("style").content.cloneNode(true));
    const data = JSON.parse(document.getElementById("data").textContent);
    const script = document.getElementById("script").textContent;
    {begin}
}}
</script>
</body>
</html>
"""


def _inside(script: str) -> str:
    """A script that cannot end the element around it."""
    return script.replace("</", "<\\/")


def _colours(theme: Mapping[str, str]) -> str:
    return " ".join(f"{name}: {theme[setting]};" for name, setting in _COLOURS.items())
