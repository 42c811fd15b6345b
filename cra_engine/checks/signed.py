"""Reasons for which somebody lets a table go out, each with the name of who gives it: nobody stands by one without."""

from cra_engine.errors import StudyError

_BY = ", decided by "
_FEWEST_LETTERS, _FEWEST_WORDS = 2, 3  # of a name, and of a reason: fewer say nothing
UNREASONED = "A reason is a sentence of at least three words, such as: the registry asked for it."
UNSIGNED = "A reason is filed with the name of who gives it: say who decides, in more than one letter."


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
    if lacks := _lacking(why, who):
        raise StudyError(lacks)
    return f"{why}{_BY}{who}"


def unsigned(reason: str) -> str:
    """Return what a reason lacks of what :func:`signed` returns, as a sentence; empty where it lacks nothing."""
    why, _, who = reason.rpartition(_BY)
    return _lacking(why, who)


def without_name(reason: str) -> str:
    """Return a reason, as :func:`signed` returns it, without who gives it.

    >>> without_name("The registry asked for it, decided by R. Meier")
    'The registry asked for it'
    """
    return reason.rpartition(_BY)[0]


def _lacking(why: str, who: str) -> str:
    if sum(any(map(str.isalpha, word)) for word in why.split()) < _FEWEST_WORDS:
        return UNREASONED
    return "" if sum(map(str.isalpha, who)) >= _FEWEST_LETTERS else UNSIGNED
