"""The one way in which reports are filled in: self-contained pages, whatever a table holds shown as text."""

from importlib.resources import files
from importlib.resources.abc import Traversable

from jinja2 import Environment, FunctionLoader, StrictUndefined

from cra_engine.words import spoken


def fill_template(template: Traversable, **values: object) -> str:
    """Fill a report's template; it may extend ``base.html.j2``, which all reports share.

    Args:
        template: its file, in a package or in a folder; what is put in is escaped, since all are HTML or SVG.
        values: what the template names; a name that is missing is an error.
    """
    environment = Environment(
        autoescape=True,
        finalize=_in_words,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        loader=FunctionLoader(lambda name: (files("cra_engine.reports") / name).read_text(encoding="utf-8")),
    )
    text = environment.from_string(template.read_text(encoding="utf-8")).render(**values)
    # The name of a file need not be text that UTF-8 knows.
    return text.encode(errors="backslashreplace").decode()


def _in_words(value: object) -> object:
    """What is put in, with its intervals as people say them; what is marked up already stays as it is."""
    return spoken(value) if isinstance(value, str) and not hasattr(value, "__html__") else value
