"""Options to publish one table, side by side: what each keeps, what it gives away, and whether it passes the check.

What the room shows to others are the names of its ``__init__.pyi``, each loaded when it is first used.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
