"""Reasons for which somebody lets a table go out, each with the name of who gives it: nobody stands by one without."""

from cra_engine.errors import StudyError

_BY = ", decided by "
_FEWEST = 2  # letters that say something
UNSIGNED = (
    "A reason is filed with the name of who gives it: write a reason, and who decides, each in more than one letter."
)


def signed(reason: str, decided_by: str) -> str:
    """Return a reason with the name of who gives it, as it is filed.

    Args:
        reason: why a table goes out in spite of what asks for attention.
        decided_by: who decides so.

    Raises:
        StudyError: one of them says nothing.

    >>> signed(" The registry asked for it.", "R. Meier ")
    'The registry asked for it, decided by R. Meier'
    """
    why, who = reason.strip().removesuffix("."), decided_by.strip()
    if min(_letters(why), _letters(who)) < _FEWEST:
        raise StudyError(UNSIGNED)
    return f"{why}{_BY}{who}"


def is_signed(reason: str) -> bool:
    """Return whether a reason says something and names who gives it, as :func:`signed` returns it."""
    why, by, who = reason.rpartition(_BY)
    return bool(by) and min(_letters(why), _letters(who)) >= _FEWEST


def _letters(text: str) -> int:
    return sum(sign.isalpha() for sign in text)
