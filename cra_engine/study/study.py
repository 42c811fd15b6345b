"""The study: what the publisher and the attacker both know (paper, section 4.1)."""

import math
import os
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any, ClassVar, get_args

from propcache.api import cached_property

from cra_engine.criteria.k_anonymity import KAnonymity
from cra_engine.criteria.models import MODELS, Criterion, PrivacyModel
from cra_engine.errors import StudyError
from cra_engine.expected import expect, expect_each, whole_number
from cra_engine.files.apart import check_unread
from cra_engine.files.content import setting_text
from cra_engine.files.notation import decimal_in
from cra_engine.files.whole import write_whole
from cra_engine.study.file_hierarchy import FileHierarchy
from cra_engine.study.hierarchy import Hierarchy
from cra_engine.study.hierarchy_files import files_of
from cra_engine.study.ladder import Epsilon, epsilon_of
from cra_engine.study.lattice import Lattice
from cra_engine.study.ledger import EarlierRelease
from cra_engine.study.profile import FLOORED, PROFILES, SAFE
from cra_engine.study.quality import Quality
from cra_engine.study.roles import Roles
from cra_engine.study.settings import Find, Recoded, Settings, check_number
from cra_engine.study.tree import ROOT_LABEL
from cra_engine.words import number_text

GUI_SHARE = Fraction(1, 100)
MAX_K = 10**15  # floats, and with them the browser's numbers, hold every whole number up to there


class Study:
    """Attributes with their hierarchies, k, and how the publisher ran ARX.

    Args:
        attributes: the quasi-identifiers, in the order that states are written in.
        k: smallest number of records that may share a class, 2 or more.
        profile: ``"paper"`` (a step may publish a single class), ``"arx-gui"`` (the desktop program's default: a step
            must publish at least 1 % of all records), that share itself as a number between 0 and 1, or ``"floored"``:
            not ARX, but safe recoding, which needs ``epsilon``. ``"safe"`` reads older releases of it, made without a
            floor.
        privacy: what each class of a local or global recoding must pass besides; other ways to publish look at k alone.
        roles: what becomes of the other columns; those that are to be removed are in no release.
        epsilon: the most that safe recoding may give away about one person; None for every other profile.
        quality: how ARX's local recoding chooses among states, and how attributes weigh in it.
        earlier: the ledger of safe recoding: the releases of the same people before this one, the first one first.
        more_suppressed: True where rows were suppressed after ARX-LR had formed its classes, such as those that showed
            less than had to stay. Then nothing bounds the suppressed records, and they may lie in any box.
        recoding: how the release that this is the study of was made, for readers, who need not guess it where all
            groups are of one state: ``"local"``, ``"global"``, or ``"repaired"``, where groups of local recoding were
            merged or suppressed afterwards, so that only those of fewer than 2k records are surely as they formed.
            Empty where nobody says; a safe release says it by its epsilon.

    Raises:
        StudyError: k below 2, no attribute, a duplicate name, an unknown profile, a quasi-identifier with another role,
            an epsilon that is not above 0 or belongs to no safe recoding, a weight of another column. Beside a privacy
            model k may be 1, which asks for no k-anonymity.
    """

    COME_BY: ClassVar = "make one with Study(attributes, k), or read a file with Study.from_toml(path)"

    def __init__(
        self,
        attributes: Sequence[Hierarchy],
        k: int,
        profile: str | float | Decimal = "paper",
        privacy: Sequence[PrivacyModel] = (),
        roles: Roles | None = None,
        epsilon: Epsilon | None = None,
        quality: Quality | None = None,
        earlier: Sequence[EarlierRelease] = (),
        more_suppressed: bool = False,
        recoding: Recoded = "",
    ) -> None:
        self.quality = Quality() if quality is None else quality
        expect(self.quality, Quality, "Study(quality)")
        self.roles = Roles() if roles is None else roles
        if roles is not None:
            expect(roles, Roles, "Study(roles)")
        self.attributes: tuple[Hierarchy, ...] = expect_each(attributes, Hierarchy, "Study(attributes)")
        self.privacy: tuple[PrivacyModel, ...] = expect_each(privacy, MODELS, "Study(privacy)")
        self.profile = profile if isinstance(profile, str) else decimal_in(str(profile)) or Decimal(0)
        whole = whole_number(k)
        if whole is None:
            raise StudyError(f"k is {k!r}; give a whole number of 2 or more.")
        self.k = whole
        if self.k > MAX_K:
            raise StudyError(f"k is above {MAX_K:,}; no table has so many records.")
        if self.k < (1 if self.privacy else 2):
            self.refuse_small_k()
        if not self.attributes:
            raise StudyError("The study names no attribute; name at least one quasi-identifier.")
        check_number(self.attributes)
        for position, name in enumerate(self.names):
            if name in self.names[:position]:
                raise StudyError(f"Attribute {name!r} appears twice in the study; remove one.")
            if name in self.roles.named:
                raise StudyError(
                    f"{name!r} is a quasi-identifier, and under roles it is {self.roles.of(name)}; give it one of both."
                )
        for name in self.quality.weights:
            if name not in self.names:
                raise StudyError(f"A weight is given for {name[:60]!r}, which is no quasi-identifier; remove it.")
        self.epsilon = None if epsilon is None else epsilon_of(epsilon)
        known = self.profile in (*PROFILES, SAFE, FLOORED) if isinstance(self.profile, str) else 0 < self.profile < 1
        if not known:
            raise StudyError(
                f"Profile {str(profile)[:60]!r} is unknown; take {' or '.join(PROFILES)}, "
                "or the share of all records that a step must publish, a number between 0 and 1."
            )
        if self.safe and self.epsilon is None:
            raise StudyError(
                f'The profile is "{self.profile}" without an epsilon; add how much may be given away: epsilon = 1.'
            )
        for attribute in self.attributes if self.safe else ():
            if attribute.missing == ROOT_LABEL:
                raise StudyError(
                    f"{attribute.name!r} has missing = '*', which safe recoding does not know; take 'category' or "
                    "'leave-out'."
                )
        if self.epsilon is not None and not self.safe:
            raise StudyError(
                f'An epsilon is given, but the profile is {self.profile!r}; epsilon belongs to profile = "floored".'
            )
        self.earlier: tuple[EarlierRelease, ...] = tuple(earlier)
        self.more_suppressed = bool(more_suppressed)
        if recoding not in get_args(Recoded):
            raise StudyError(f'Recoding {recoding!r} is unknown; take "local", "global" or "repaired".')
        self.recoding = recoding
        _check_ledger(self)

    @property
    def names(self) -> tuple[str, ...]:
        """The attributes' names in order."""
        return tuple(attribute.name for attribute in self.attributes)

    def refuse_small_k(self) -> None:
        """For all that needs k-anonymity.

        Raises:
            StudyError: k is 1 or less.
        """
        if self.k < 2:
            raise StudyError(f"k is {self.k}; it must be 2 or more, since a group of one record hides nobody.")

    @property
    def safe(self) -> bool:
        """True where the publisher recodes safely instead of running ARX."""
        return self.profile in (SAFE, FLOORED)

    @property
    def floor(self) -> bool:
        """True where safe recoding also lets no set of cells be settled at 1 to k - 1 people."""
        return self.profile == FLOORED

    @property
    def epsilon_of_all(self) -> Decimal | None:
        """What this release and those before it may give away together; None where it is no safe one."""
        return None if self.epsilon is None else sum((one.epsilon for one in self.earlier), self.epsilon)

    @property
    def share(self) -> Fraction | None:
        """Share of all records that a step must publish before it counts; None where a single class is enough."""
        if isinstance(self.profile, Decimal):
            return Fraction(self.profile)
        return GUI_SHARE if self.profile == "arx-gui" else None

    def step_minimum(self, records: int) -> int:
        """Records that one iteration must publish before it counts, out of ``records`` in all."""
        return 1 if self.share is None else math.ceil(self.share * records)

    def child_cap(self, records: int) -> int:
        """The most records that a proper sub-segment of a class can have held when the class was formed.

        One with k records would have been published first, unless its state was skipped for publishing too few records
        in all. ARX computes that limit in floats and may ask for one record more, so the limit itself is allowed.
        """
        return max(self.k - 1, self.skipped_cap(records))

    def skipped_cap(self, records: int) -> int:
        """The most records that those boxes of a skipped state that hold k or more can have held together; else 0."""
        return 0 if self.share is None else math.ceil(self.share * records)

    def with_k(self, k: int) -> "Study":
        """The same study with another k."""
        return self.changed(k=k)

    def with_roles(self, roles: Roles) -> "Study":
        """The same study with other roles of columns."""
        return self.changed(roles=roles)

    def for_readers(self, shown: Mapping[str, Collection[str]]) -> "Study":
        """The same study as readers of a release get it: it names nothing that the release does not.

        Columns that were removed are not named, nor categories that the release does not show; these have numbers for
        names, and keep their places in the hierarchy, so that every attack reads the same.

        Args:
            shown: per column the labels, or the values, that the release shows.
        """

        def for_readers(own: Any, column: str) -> Any:
            return own.for_readers(shown.get(column, ())) if isinstance(own, FileHierarchy) else own

        def of_model(model: Any) -> Any:
            tree = getattr(model, "hierarchy", None)
            return model if tree is None else replace(model, hierarchy=for_readers(tree, model.attribute))

        values = tuple(text for text in self.roles.as_values if any(text in cells for cells in shown.values()))
        return self.changed(
            attributes=[for_readers(attribute, attribute.name) for attribute in self.attributes],
            privacy=[of_model(model) for model in self.privacy],
            roles=replace(self.roles.without(self.roles.remove), as_values=values),
            earlier=self.earlier,  # a later release shows every label of the earlier ones
        )

    def with_epsilon(self, epsilon: Epsilon) -> "Study":
        """The same study, published by safe recoding."""
        return self.changed(profile=FLOORED, epsilon=epsilon)

    @cached_property
    def lattice(self) -> Lattice:
        """The generalization lattice; the exact order of its states is worked out once, whoever asks.

        Raises:
            TooLargeError: more than 20,000 states.
        """
        return Lattice(self.attributes)

    def changed(
        self,
        *,
        attributes: Sequence[Hierarchy] | None = None,
        k: int | None = None,
        profile: str | float | Decimal | None = None,
        privacy: Sequence[PrivacyModel] | None = None,
        roles: Roles | None = None,
        epsilon: Epsilon | None = None,
        quality: Quality | None = None,
        earlier: Sequence[EarlierRelease] | None = None,
        more_suppressed: bool | None = None,
        recoding: Recoded | None = None,
    ) -> "Study":
        """The same study but for what is given; raises as the class does. Epsilon and ledger go with safe recoding.

        Weights go with their attributes.
        """
        published = self.profile if profile is None else profile
        kept = self.epsilon if epsilon is None else epsilon
        own = self.attributes if attributes is None else expect_each(attributes, Hierarchy, "Study.changed(attributes)")
        if self.earlier and earlier is None and own != self.attributes:
            raise StudyError(
                "This is the study of a later release, which has the hierarchies of the earlier ones; begin with a "
                "study of your own to publish with others."
            )
        return Study(
            own,
            self.k if k is None else k,
            published,
            self.privacy if privacy is None else privacy,
            self.roles if roles is None else roles,
            kept if published in (SAFE, FLOORED) else None,
            self.quality.of([attribute.name for attribute in own]) if quality is None else quality,
            () if published != FLOORED else self.earlier if earlier is None else earlier,
            self.more_suppressed if more_suppressed is None else more_suppressed,
            self.recoding if recoding is None else recoding,
        )

    @property
    def planned(self) -> "Study":
        """The same study of a table that is still to be published: nothing is said of how a release was made."""
        if not (self.more_suppressed or self.recoding):
            return self
        return self.changed(more_suppressed=False, recoding="")

    @property
    def changed_afterwards(self) -> bool:
        """Whether the study of a release says that something was done to it after ARX-LR had formed its classes."""
        return self.more_suppressed or self.recoding == "repaired"

    @property
    def says_local(self) -> bool:
        """Whether the study of a release says that its rows do not all show one state, chosen for all of them."""
        return self.safe or self.changed_afterwards or self.recoding == "local"

    @property
    def _settings(self) -> Settings:
        return Settings(
            self.attributes,
            self.k,
            self.profile,
            self.privacy,
            self.roles,
            self.epsilon,
            self.quality,
            self.earlier,
            self.more_suppressed,
            self.recoding,
        )

    def __eq__(self, other: object) -> bool:
        """Studies are equal when all settings are."""
        if not isinstance(other, Study):
            return NotImplemented
        return self._settings == other._settings

    def __hash__(self) -> int:
        """Hash of all settings."""
        return hash(self._settings)

    def __repr__(self) -> str:
        """Short, for the console."""
        models = "".join(f", {model}" for model in self.privacy)
        models += "" if self.quality == Quality() else f", {self.quality}"
        spent = "" if self.epsilon is None else f", epsilon={number_text(self.epsilon)}"
        before = f", earlier={len(self.earlier)}" if self.earlier else ""
        return f"Study({', '.join(self.names)}; k={self.k}, profile={self.profile!r}{spent}{before}{models})"

    @classmethod
    def from_toml(cls, source: str | os.PathLike[str]) -> "Study":
        """Read a study file.

        Args:
            source: the file's path.

        Raises:
            StudyError: the file cannot be read, is not TOML, or holds an unusable setting.
        """
        expect(source, (str, os.PathLike), "Study.from_toml(source)")
        path = Path(source)
        text = setting_text(path, f"The study file {path.name}")
        return cls.from_toml_text(text, path.name, lambda file: path.parent / file)

    @classmethod
    def from_toml_text(cls, text: str, name: str = "study", find: Find | None = None) -> "Study":
        """A study from the text of a study file.

        Args:
            text: the file's text.
            name: the file's name for messages.
            find: gives the path or the bytes of a hierarchy file that the study names; None where there are none.

        Raises:
            StudyError: as :meth:`from_toml`.
        """
        from cra_engine.study.study_file import read_settings  # noqa: PLC0415 - pydantic takes its time to load

        return cls(*read_settings(text, name, find))

    @property
    def criteria(self) -> tuple[Criterion, ...]:
        """The criteria that the study asks of each class: k-anonymity, unless k is 1, and its privacy models.

        >>> from cra_engine import Attribute, LDiversity
        >>> study = Study([Attribute("age", 0, 80, 4)], k=3, privacy=[LDiversity("diagnosis", 2)])
        >>> [str(criterion) for criterion in study.criteria]
        ['3-anonymity', 'distinct 2-diversity of diagnosis']
        """
        return (*([KAnonymity(self.k)] if self.k > 1 else []), *self.privacy)

    @property
    def roles_by_models(self) -> Roles:
        """The roles, where the columns that privacy models read are sensitive too; those to be removed stay so.

        >>> from cra_engine import Attribute, LDiversity
        >>> study = Study([Attribute("age", 0, 80, 4)], k=3, privacy=[LDiversity("diagnosis", 2)])
        >>> study.roles_by_models
        Roles(remove=(), sensitive=('diagnosis',), keep=(), as_values=(), only_here=())
        """
        roles, others = self.roles, {*self.names, *self.roles.remove, *self.roles.sensitive}
        for name in dict.fromkeys(name for model in self.privacy for name in model.columns if name not in others):
            roles = roles.given(name, "sensitive")
        return roles

    @property
    def trees_of_models(self) -> tuple[FileHierarchy, ...]:
        """The hierarchies of sensitive values that privacy models go by."""
        trees = (getattr(model, "hierarchy", None) for model in self.privacy)
        return tuple(tree for tree in trees if isinstance(tree, FileHierarchy))

    def to_toml_text(self) -> str:
        """The study as the text of a study file; settings at their default are left out.

        A hierarchy that came from an ARX file is named by that file, which :meth:`to_toml` writes beside it.
        """
        from cra_engine.study.study_file import study_text  # noqa: PLC0415 - as above

        return study_text(self._settings)

    def files(self, name: str) -> dict[str, str]:
        """The text of the study file, under this name, and then of each ARX hierarchy file that it names."""
        return {name: self.to_toml_text()} | files_of([*self.attributes, *self.trees_of_models])

    def to_toml(self, path: str | os.PathLike[str]) -> None:
        """Write the study file to ``path``, and the ARX hierarchy files that it names beside it.

        Raises:
            StudyError: a file of a hierarchy's name is there, holds something else, and is not of the study that is
                replaced; nothing is written then.
            DataError: a file cannot be written; nothing is left of it then.
        """
        write_study(Path(path), self.files(Path(path).name))


def write_study(path: Path, texts: Mapping[str, str]) -> None:
    """Write the files of a study, its own to ``path`` and the others beside it; as :meth:`Study.to_toml`."""
    name, *beside = texts.items()
    files = [(path.parent / own, text) for own, text in beside]
    replaced = path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""
    for file, text in files:
        check_unread(file)
        # Such as the table itself, where a column is called like it.
        if file.is_file() and file.name not in replaced and file.read_bytes() != text.encode():
            raise StudyError(
                f"{file} is there already and is not the hierarchy that the study would write there; move it, or "
                "write the study into a folder of its own."
            )
    write_whole((path, name[1]), *files)


def _check_ledger(study: Study) -> None:
    """Refuse a ledger that no later release can have.

    Raises:
        StudyError: it is one.
    """
    if study.earlier and study.profile != FLOORED:
        raise StudyError(
            f'Earlier releases are given, but the profile is {study.profile!r}; they belong to profile = "floored".'
        )
    ks = [*(one.k for one in study.earlier), study.k]
    for k, after in pairwise(ks):
        if after > k:
            raise StudyError(
                f"k is {after}, more than the {k} of an earlier release, whose groups stay; take {k} or less."
            )
