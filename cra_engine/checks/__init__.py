"""The gate: all that is asked of a release in one place, and whether it may go out.

What the room shows to others are the names of its ``__init__.pyi``, each loaded when it is first used.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
