"""The licences of everything that the program needs to run, written to docs/licences.md: `make licences`.

What is needed is followed from this project's own requirements, through the packages that are installed; what these say
of their licences is brought to SPDX's names.
"""

from collections.abc import Iterator
from importlib.metadata import Distribution, distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

LISTING = Path(__file__).resolve().parents[1] / "docs" / "licences.md"
PROJECT = ("cra-explorer", ("all",))

# What packages call licences that have a name of SPDX's.
NAMES = {
    "3-Clause BSD License": "BSD-3-Clause",
    "BSD 3-Clause License": "BSD-3-Clause",
    "Apache 2.0": "Apache-2.0",
    "Apache License 2.0": "Apache-2.0",
    "Apache Software License": "Apache-2.0",
    "BSD": "BSD-3-Clause",
    "BSD License": "BSD-3-Clause",
    "ISC License": "ISC",
    "ISC License (ISCL)": "ISC",
    "ISC license": "ISC",
    "MIT License": "MIT",
}

TEXT = """# Licences of what this program needs

CRA Explorer is under [Apache-2.0](../LICENSE). It comes without the packages below: `make run` installs them from the
package index, each under its own licence. All may be used together with a program under Apache-2.0. Two ask for more
than to keep their notices, from whoever passes *them* on in a changed form: gmpy2 (LGPL) and certifi (MPL) stay under
their licences then.

This list is written by `make licences`, from what the installed packages say of themselves; the versions stand in
[constraints.txt](../constraints.txt).

| package | licence |
|---|---|
"""


def needed(name: str, extras: tuple[str, ...]) -> dict[str, Distribution]:
    """The installed packages that a package needs to run with these extras, however indirectly; itself left out."""
    seen: set[tuple[str, tuple[str, ...]]] = set()
    found: dict[str, Distribution] = {}
    todo = [(name, extras)]
    while todo:
        current = todo.pop()
        if current in seen:
            continue
        seen.add(current)
        package = distribution(current[0])
        found[canonicalize_name(current[0])] = package
        todo += [(needs.name, tuple(sorted(needs.extras))) for needs in _requirements(package, current[1])]
    del found[canonicalize_name(name)]
    return dict(sorted(found.items()))


def _requirements(package: Distribution, extras: tuple[str, ...]) -> Iterator[Requirement]:
    for text in package.requires or []:
        needs = Requirement(text)
        if needs.marker is None or any(needs.marker.evaluate({"extra": extra}) for extra in ("", *extras)):
            yield needs


def licence(package: Distribution) -> str:
    """The licence that a package states: in SPDX's words, else by a short name, else by its classifier."""
    stated = package.metadata["License-Expression"]
    if stated:
        return str(stated)
    classified = [
        entry.split(" :: ")[-1] for entry in package.metadata.get_all("Classifier") or [] if "License ::" in entry
    ]
    name = str(package.metadata["License"] or "")
    if name in ("", "UNKNOWN") or "\n" in name:
        name = classified[0] if len(classified) == 1 else "unknown"
    return NAMES.get(name, name)


def listing() -> str:
    """The whole of docs/licences.md."""
    return TEXT + "".join(f"| {name} | {licence(package)} |\n" for name, package in needed(*PROJECT).items())


if __name__ == "__main__":
    LISTING.write_text(listing(), encoding="utf-8")
