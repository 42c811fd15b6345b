"""The script of the picture that can be touched, and how a script with its imports becomes one text."""

import json
import re
from pathlib import Path

FOLDER = Path(__file__).parent / "component"

_IMPORT = re.compile(
    r'^import (?:\* as (?P<whole>\w+)|\{ (?P<names>[^}]+) \}) from "\./(?P<file>[\w-]+\.js)";$', re.MULTILINE
)
_EXPORT = re.compile(r"^export (?P<kind>function\*?|class|const|async function) (?P<name>\w+)", re.MULTILINE)
_DEFAULT = re.compile(r"^export default ", re.MULTILINE)
_COMMENT = re.compile(r"^[ ]*(?://[^\n]*|/\*\*(?:(?!\*/)[\s\S])*\*/)\n", re.MULTILINE)


def modules(folder: Path, *entries: str) -> str:
    """Return a browser component's script and all that it imports, as one script without imports.

    Each module becomes a function that runs when it is first needed; ``need("name.js")`` gives what it exports.

    Args:
        folder: with the modules.
        entries: those to begin with.
    """
    sources: dict[str, str] = {}
    waiting = list(entries)
    while waiting:
        name = waiting.pop()
        if name not in sources:
            sources[name] = _COMMENT.sub("", (folder / name).read_text("utf-8"))
            waiting += [found["file"] for found in _IMPORT.finditer(sources[name])]
    made = ",\n".join(f"{json.dumps(name)}: () => {{\n{_function(text)}}}" for name, text in sorted(sources.items()))
    need = "const need = (name) => (made[name] ??= modules[name]());"
    return f'"use strict";\nconst made = {{}}, modules = {{\n{made}\n}};\n{need}\n'


def _function(text: str) -> str:
    exported = [found["name"] for found in _EXPORT.finditer(text)]
    text = _IMPORT.sub(_needed, text)
    text = _EXPORT.sub(lambda found: f"{found['kind']} {found['name']}", text)
    text, defaults = _DEFAULT.subn("const main = ", text)
    return f"{text}return {{ {', '.join(exported + ['main'] * defaults)} }};\n"


def _needed(found: re.Match[str]) -> str:
    names = found["whole"] or f"{{ {found['names'].replace(' as ', ': ')} }}"
    return f'const {names} = need("{found["file"]}");'
