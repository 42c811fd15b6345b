"""The pages of the Python interface, by pdoc: each class with all that one can ask of it."""

import functools
import sys
from pathlib import Path

import pdoc
import propcache.api
from pdoc import doc

# pdoc knows Python's own cached properties for attributes, and would show the others as functions.
propcache.api.cached_property = functools.cached_property


def _all_members(of: doc.Class) -> list[doc.Doc]:
    """The members of a class and those of its bases in the engine, which have no entry of their own to point to."""
    return [member for member in of.members.values() if member.taken_from[0].startswith("cra_engine")]


doc.Class.own_members = property(_all_members)

if __name__ == "__main__":
    pdoc.render.configure(docformat="google")
    pdoc.pdoc("cra_engine", output_directory=Path(sys.argv[1]))
