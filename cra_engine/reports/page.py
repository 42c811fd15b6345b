"""The one way in which reports are filled in: self-contained pages, whatever a table holds shown as text."""

from importlib.resources import files

from jinja2 import Environment, StrictUndefined


def fill(package: str, template: str, **values: object) -> str:
    """A template of a package, filled in.

    Args:
        package: the package that the template lies in, such as ``cra_engine.audits``.
        template: its file name; what is put in is escaped, since all are HTML or SVG.
        values: what the template names; a name that is missing is an error.
    """
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    text = files(package).joinpath(template).read_text(encoding="utf-8")
    # The name of a file need not be text that UTF-8 knows.
    return environment.from_string(text).render(**values).encode(errors="backslashreplace").decode()
