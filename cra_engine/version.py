"""The version of the installed program."""

from importlib.metadata import version

__version__ = version("cra-explorer")
