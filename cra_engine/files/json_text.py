"""JSON as a stranger may write it: measured before it is read, and one sentence for whatever is wrong."""

import json
from typing import Any

from cra_engine.errors import DataError

MOST_CHARACTERS = 2_000_000
DEEPEST = 50  # lists and objects inside each other


def parse_json(text: str, called: str) -> Any:
    """Read what a JSON text holds.

    Args:
        text: of the file.
        called: what the sentence calls it, in the plural: ``The queries``.

    Raises:
        DataError: it is no JSON, too long, nested too deeply, or holds text that no file can hold.
    """
    if len(text) > MOST_CHARACTERS:
        raise DataError(f"{called} have {len(text):,} characters, more than {MOST_CHARACTERS:,}; take fewer.")
    depth = deepest = 0
    for character in text:  # brackets in quotes count too, of which nobody has so many in a row
        depth += (character in "[{") - (character in "]}")
        deepest = max(deepest, depth)
    if deepest > DEEPEST:
        raise DataError(f"{called} have lists inside lists, deeper than {DEEPEST}; write them flat.")
    try:
        found = json.loads(text, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise DataError(f"{called} are no JSON: {error}.") from None
    try:
        json.dumps(found, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise DataError(f"{called} hold half a character, such as \\ud800; correct the text.") from None
    return found


def _no_number(text: str) -> None:
    raise ValueError(f"{text} is no number")
