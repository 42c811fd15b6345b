"""Intervals as people say them, for those who have never seen a half-open one."""

import re

_NUMBER = r"-?\d[\d,.]*"
_INTERVAL = re.compile(rf"(?P<into>in )?\[(?P<low>{_NUMBER}), (?P<high>{_NUMBER})(?P<end>[)\]\[])")


def spoken(text: str) -> str:
    """A text with its intervals in words: "age in [20, 40) years" becomes "age from 20 to under 40 years"."""
    return _INTERVAL.sub(_said, text)


def _said(found: re.Match[str]) -> str:
    begin = "from " if found["into"] else ""
    under = "" if found["end"] == "]" else "under "
    return f"{begin}{found['low']} to {under}{found['high']}"
