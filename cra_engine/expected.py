"""Looks at what the public functions are given where it comes in: a wrong kind of thing gets a sentence.

Called in the first lines of a public function; signatures stay what they are. What is inside a thing of the right kind
is looked at where it is used. A class may say in ``COME_BY`` how to come by one, and in ``CALLED`` what it is called.
"""

import operator
import os
from collections.abc import Iterable, Mapping
from numbers import Real
from typing import Any

import numpy as np

from cra_engine.errors import CRAError

SOURCE = (str, os.PathLike, bytes)  # a file: where it lies, or what it holds

# What Python and pandas bring, by name: neither has to be loaded for it. Our own classes say it of themselves.
_FOREIGN = {
    "DataFrame": ("a pandas DataFrame", "a file is read with read_table(path)"),
    "Series": ("a column of a pandas DataFrame", "take one with table['name']"),
    "str": ("text", "write names in quotes"),
    "PathLike": ("a file's path or its bytes", "name a file"),
    "Real": ("a number", "give one"),
    "Mapping": ("a dict", "write {name: value}"),
    "Iterable": ("a list", "write [..]"),
}


def expect(given: object, kind: type | tuple[type, ...], where: str) -> None:
    """Refuse what is of another kind than a public function takes.

    Args:
        given: the argument.
        kind: its class, or several.
        where: the function with the name of the argument: ``"attack(release)"``.

    Raises:
        CRAError: it is of another kind; the sentence says how to come by the right one.

    >>> expect("release.csv", Mapping, "f(shares)")
    Traceback (most recent call last):
    cra_engine.errors.CRAError: f(shares) needs a dict, and 'release.csv' was given; write {name: value}.
    """
    if isinstance(given, kind):
        return
    needed, way = _words(kind)
    own = getattr(given, "release", None) if not isinstance(given, type) else None
    if isinstance(own, kind):
        way = "give its .release"
    raise CRAError(f"{where} needs {needed}, and {_shown(given)} was given; {way}.")


def expect_each(given: Any, kind: type | tuple[type, ...], where: str) -> tuple[Any, ...]:
    """Refuse a list, a tuple or the like whose members are not each of one kind; return its members.

    Raises:
        CRAError: it is no list, or holds something else.

    >>> expect_each("age", str, "f(names)")
    Traceback (most recent call last):
    cra_engine.errors.CRAError: f(names) needs a list, and 'age' was given; write brackets around it: ['age'].
    """
    needed, way = _words(kind)
    if not isinstance(given, Iterable) or isinstance(given, str | bytes | Mapping):
        if isinstance(given, kind):
            way = f"write brackets around it: [{given!r}]" if isinstance(given, str) else "write brackets around it"
            raise CRAError(f"{where} needs a list, and {_shown(given)} was given; {way}.")
        raise CRAError(f"{where} needs a list, each of it {needed}, and {_shown(given)} was given; {way}.")
    members = tuple(given)
    for member in members:
        expect(member, kind, f"each of {where}")
    return members


def expect_choice(given: object, choices: Iterable[str], where: str) -> None:
    """Refuse what is none of some words.

    Raises:
        CRAError: it is none; the sentence names them.

    >>> expect_choice("sound", ("paper", "arx"), "ties")
    Traceback (most recent call last):
    cra_engine.errors.CRAError: ties is 'sound'; take 'paper' or 'arx'.
    """
    known = tuple(choices)
    if not isinstance(given, str) or given not in known:
        *first, last = map(repr, known)
        raise CRAError(f"{where} is {_shown(given)}; take {', '.join(first)} or {last}.")


def expect_seconds(given: object) -> None:
    """Refuse a time limit that is no number of seconds from 0 up.

    Raises:
        CRAError: it is none.

    >>> expect_seconds("5")
    Traceback (most recent call last):
    cra_engine.errors.CRAError: The time limit is '5'; give a number of seconds, 0 or more.
    """
    if not isinstance(given, Real) or not float(given) >= 0:
        raise CRAError(f"The time limit is {given!r}; give a number of seconds, 0 or more.")


def whole_number(given: object) -> int | None:
    """Return a whole number of any kind, Python's or NumPy's, as Python's own; None for anything else, ``5.0`` too.

    >>> whole_number(np.int64(5)), whole_number(5.0), whole_number(True), whole_number("5")
    (5, None, None, None)
    """
    if isinstance(given, bool | np.bool):
        return None
    try:
        return operator.index(given)  # type: ignore[arg-type]
    except TypeError:
        return None


def _words(kind: type | tuple[type, ...]) -> tuple[str, str]:
    """Returns what a kind is called, and how to come by one: as its attribute ``COME_BY`` says, where it has one."""
    kinds = kind if isinstance(kind, tuple) else (kind,)
    name = "PathLike" if kinds == SOURCE else kinds[0].__name__
    article = "an" if name[0] in "AEIOU" else "a"
    if name in _FOREIGN:
        return _FOREIGN[name]
    return getattr(kinds[0], "CALLED", f"{article} {name}"), getattr(kinds[0], "COME_BY", f"make one with {name}(...)")


def _shown(given: object) -> str:
    """A thing in a few words: short values as they are, the rest by their kind."""
    if given is None:
        return "nothing (None)"
    if isinstance(given, str | int | float):
        return repr(given)[:60]
    name = type(given).__name__
    return f"{'an' if name[0] in 'AEIOUaeiou' else 'a'} {name}"
