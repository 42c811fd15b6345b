"""The little Markdown that lessons are written in, as HTML."""

import re
from html import escape

from markupsafe import Markup

from cra_dashboard.texts import words

_BOLD, _SLANTED = re.compile(r"\*\*(.+?)\*\*"), re.compile(r"\*(.+?)\*")
_ESCAPE = re.compile(r"\\([\\`*_{}\[\]<>#+|~$:!])")
STAR = "`*`"  # of a suppressed row
_OPEN, _CLOSE = "\ue100", "\ue101"
_CODE = re.compile(r"`([^`]*)`")


def html(text: str) -> Markup:
    """Turn a lesson's Markdown into HTML: paragraphs, bold, slanted and fixed type, and escaped characters."""

    # Escaped characters, and those in fixed type, wait as code points that nobody types.
    def kept(inside: str) -> str:
        return "".join(chr(0xE000 + ord(sign)) if sign in "\\`*_{}[]<>#+|~$:!" else sign for sign in inside)

    waiting = _CODE.sub(
        lambda match: f"{_OPEN}{kept(match[1])}{_CLOSE}", _ESCAPE.sub(lambda match: kept(match[1]), text)
    )
    made = _SLANTED.sub(r"<em>\1</em>", _BOLD.sub(r"<strong>\1</strong>", escape(waiting)))
    made = made.replace("\n\n", "<br/><br/>").replace(_OPEN, "<code>").replace(_CLOSE, "</code>")
    return Markup(re.sub("[\ue000-\ue07f]", lambda match: escape(chr(ord(match[0]) - 0xE000)), made))  # noqa: S704


def bold_only(text: str) -> str:
    """Markdown of a text with bold type and published stars, as lessons write them; everything else is for itself."""
    return STAR.join("**".join(words.plain(part) for part in piece.split("**")) for piece in text.split(STAR))
