"""The roles of columns that are no quasi-identifiers: removed, sensitive, or kept as they are."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Literal

import pandas as pd

from cra_engine.errors import DataError, StudyError
from cra_engine.words import listed

Role = Literal["quasi-identifier", "sensitive", "kept", "removed", "undecided"]
_LISTS: dict[str, Role] = {"remove": "removed", "sensitive": "sensitive", "keep": "kept"}


@dataclass(frozen=True)
class Roles:
    """The roles that a study gives to columns that are no quasi-identifiers; one of none of the lists is undecided.

    Attributes:
        remove: columns that leave the release: names, numbers, e-mail addresses.
        sensitive: columns that nobody is to learn of a person; published, and asked for diversity.
        keep: columns that somebody decided to publish as they are.
        as_values: texts that say that nobody knows, such as ``unknown``, and that are values in these columns, as
            somebody decided; the check counts only what is known of people all the same.
        only_here: sensitive columns of which nobody has a person's exact value from elsewhere, as somebody decided.

    Raises:
        StudyError: a name is no text, or stands there twice; a value is no text; a column is only here and not
            sensitive.

    >>> roles = Roles(remove=["name"], sensitive=["diagnosis"])
    >>> roles.of("name"), roles.of("diagnosis"), roles.of("ward")
    ('removed', 'sensitive', 'undecided')
    """

    remove: tuple[str, ...] = ()
    sensitive: tuple[str, ...] = ()
    keep: tuple[str, ...] = ()
    as_values: tuple[str, ...] = ()
    only_here: tuple[str, ...] = ()

    def __init__(
        self,
        remove: Iterable[str] = (),
        sensitive: Iterable[str] = (),
        keep: Iterable[str] = (),
        as_values: Iterable[str] = (),
        only_here: Iterable[str] = (),
    ) -> None:
        """Check the lists."""
        seen: dict[str, str] = {}
        for key, names in (("remove", remove), ("sensitive", sensitive), ("keep", keep)):
            if isinstance(names, str):
                raise StudyError(f"roles.{key} is {names!r}; give a list of column names.")
            columns = tuple(names)
            for name in columns:
                if not isinstance(name, str) or not name:
                    raise StudyError(f"roles.{key} names {str(name)[:60]!r}; give names of columns.")
                if name in seen:
                    where = f"roles.{key} twice" if seen[name] == key else f"roles.{seen[name]} and roles.{key}"
                    raise StudyError(f"The column {name[:60]!r} stands under {where}; give it one role, once.")
                seen[name] = key
            object.__setattr__(self, key, columns)
        texts = tuple(dict.fromkeys(as_values))
        if isinstance(as_values, str) or not all(isinstance(text, str) and text.strip() for text in texts):
            raise StudyError(f'roles.as_values is {as_values!r}; give a list of texts, such as "unknown".')
        object.__setattr__(self, "as_values", texts)
        here = tuple(dict.fromkeys(only_here))
        if isinstance(only_here, str) or not set(here) <= set(self.sensitive):
            raise StudyError(
                f"roles.only_here is {only_here!r}; give a list of columns that are under roles.sensitive."
            )
        object.__setattr__(self, "only_here", here)

    def __bool__(self) -> bool:
        """Returns whether a study file has anything to say of them."""
        return any(self._lists) or bool(self.as_values)

    @property
    def _lists(self) -> tuple[tuple[str, ...], ...]:
        return self.remove, self.sensitive, self.keep

    @property
    def named(self) -> tuple[str, ...]:
        """All columns that have a role."""
        return tuple(name for names in self._lists for name in names)

    def of(self, name: str) -> Role:
        """The role of a column that is no quasi-identifier."""
        return next((role for key, role in _LISTS.items() if name in getattr(self, key)), "undecided")

    def without(self, names: Iterable[str]) -> "Roles":
        """The same roles but for some columns, which become undecided."""
        gone = set(names)
        lists = (*_LISTS, "only_here")
        return replace(self, **{key: tuple(name for name in getattr(self, key) if name not in gone) for key in lists})

    def given(self, name: str, role: Role) -> "Roles":
        """The same roles but for one column.

        >>> Roles(keep=["ward"]).given("ward", "removed")
        Roles(remove=('ward',), sensitive=(), keep=(), as_values=(), only_here=())
        """
        others = self.without([name])
        for key, called in _LISTS.items():
            if called == role:
                return replace(others, **{key: (*getattr(others, key), name)})
        return others

    def settings(self) -> dict[str, list[str]]:
        """The lists that are not empty, as a study file has them."""
        lists = zip(fields(self), (*self._lists, self.as_values, self.only_here), strict=True)
        return {field.name: list(names) for field, names in lists if names}

    def check(self, columns: Sequence[Any]) -> None:
        """Refuse roles of columns that a table does not have: a name spelled otherwise would be published.

        Raises:
            DataError: a column is missing.
        """
        have = {str(column) for column in columns}
        missing = [name for name in self.named if name not in have]
        if missing:
            shown = listed([repr(name[:60]) for name in missing[:3]])
            raise DataError(
                f"The study's roles name {shown}, which the table does not have; it has: "
                f"{', '.join(repr(str(column)) for column in columns[:12])}. Correct the roles."
            )

    def published(self, data: pd.DataFrame) -> pd.DataFrame:
        """A raw table without the columns that are removed.

        Raises:
            DataError: a role names a column that the table does not have.
        """
        self.check(list(data.columns))
        return data.drop(columns=list(self.remove)) if self.remove else data
