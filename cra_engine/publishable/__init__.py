"""From a verdict to a table that may go out: what to change so that the check says Ready, at the least cost.

What the room shows to others are the names of its ``__init__.pyi``, each loaded when it is first used.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
