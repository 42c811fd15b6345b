"""XML from strangers: the texts of its elements, and nothing that a document could make a reader do."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.parsers import expat  # no document types, so no entities: see _refuse

from cra_engine.errors import DataError

MOST_DEPTH = 50


@dataclass
class Element:
    """An element of an XML document.

    Attributes:
        name: of the element.
        text: what stands in it, blanks at its ends taken off.
        children: the elements in it.
    """

    name: str
    text: str = ""
    children: list["Element"] = field(default_factory=list)

    def all(self, name: str) -> Iterator["Element"]:
        """The elements of a name, however deep, in their order."""
        if self.name == name:
            yield self
        for child in self.children:
            yield from child.all(name)

    def child(self, name: str) -> str | None:
        """The text of the first element of a name in it; None where there is none."""
        return next((child.text for child in self.children if child.name == name), None)


def read_xml(content: bytes, called: str) -> Element:
    r"""Read an XML document as its root element.

    Args:
        content: the file.
        called: its name for messages.

    Raises:
        DataError: it is no XML, declares a document type, or is nested too deeply.

    >>> read_xml(b"<a><b>x &amp; y</b></a>", "a.xml").child("b")
    'x & y'
    """
    top = Element("")
    open_ = [top]
    texts: list[list[str]] = [[]]  # per open element the pieces of its text: joined once, it may have very many

    def begin(name: str, _: dict[str, str]) -> None:
        if len(open_) > MOST_DEPTH:
            raise DataError(f"{called} is nested more than {MOST_DEPTH} deep; take the file as ARX wrote it.")
        element = Element(name)
        open_[-1].children.append(element)
        open_.append(element)
        texts.append([])

    def end(_: str) -> None:
        element = open_.pop()
        element.text = "".join(texts.pop()).strip()

    def text(more: str) -> None:
        texts[-1].append(more)

    def refuse(*_: object) -> None:
        raise DataError(f"{called} declares a document type, which ARX never writes; take the file as ARX wrote it.")

    parser = expat.ParserCreate()
    parser.StartElementHandler, parser.EndElementHandler, parser.CharacterDataHandler = begin, end, text
    parser.StartDoctypeDeclHandler = parser.EntityDeclHandler = refuse
    parser.buffer_text = True
    try:
        parser.Parse(content, True)
    except expat.ExpatError as error:
        reason = expat.ErrorString(error.code)
        raise DataError(f"{called} is no XML that can be read ({reason}, line {error.lineno}).") from None
    except (LookupError, ValueError):
        raise DataError(f"{called} is written in an encoding that cannot be read.") from None
    return top.children[0]
