"""The little Markdown that lessons are written in, as HTML."""

import re
from html import escape

from markupsafe import Markup

_BOLD, _SLANTED = re.compile(r"\*\*(.+?)\*\*"), re.compile(r"\*(.+?)\*")
_ESCAPE = re.compile(r"\\([\\`*_{}\[\]<>#+|~$:!])")
_OPEN, _CLOSE = "\ue100", "\ue101"
_CODE = re.compile(r"`([^`]*)`")


def html(text: str) -> Markup:
    """Bold, slanted and fixed type, and characters that were escaped."""

    # Escaped characters, and those in fixed type, wait as code points that nobody types.
    def kept(inside: str) -> str:
        return "".join(chr(0xE000 + ord(sign)) if sign in "\\`*_{}[]<>#+|~$:!" else sign for sign in inside)

    waiting = _CODE.sub(
        lambda match: f"{_OPEN}{kept(match[1])}{_CLOSE}", _ESCAPE.sub(lambda match: kept(match[1]), text)
    )
    made = _SLANTED.sub(r"<em>\1</em>", _BOLD.sub(r"<strong>\1</strong>", escape(waiting)))
    made = made.replace(_OPEN, "<code>").replace(_CLOSE, "</code>")
    return Markup(re.sub("[\ue000-\ue07f]", lambda match: escape(chr(ord(match[0]) - 0xE000)), made))  # noqa: S704
