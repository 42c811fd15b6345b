"""ARX project files as ARX's own code writes them (WorkerSave, XMLWriter, Vocabulary_V2), for tests."""

import io
import zipfile
from collections.abc import Mapping, Sequence
from html import escape
from types import MappingProxyType

METADATA = "<metadata>\n\t<version>3.9.1</version>\n\t<vocabulary>2.0</vocabulary>\n</metadata>\n"
SERIALIZED = b"\xac\xed\x00\x05sr\x00\x2dorg.deidentifier.arx.gui.model.Model"  # Java objects, never to be read


def element(name: str, text: str, depth: int = 2) -> str:
    tabs = "\t" * depth
    return f"{tabs}<{name}>{escape(text)}</{name}>\n"


def definition(columns: Mapping[str, tuple[str, str]], trees: Mapping[str, str]) -> str:
    """Per column its type, and the lowest level where it has a hierarchy."""
    parts = []
    for name, (kind, minimum) in columns.items():
        own = element("name", name) + element("type", kind) + element("datatype", "Integer")
        if name in trees:
            own += element("ref", f"hierarchies/{name}.csv") + element("min", minimum) + element("max", "All")
        parts.append(f"\t<assigment>\n{own}\t</assigment>\n")
    return f"<definition>\n{''.join(parts)}</definition>\n"


def config(criteria: Sequence[str], metric: str, weights: Mapping[str, str]) -> str:
    weighed = "".join(
        f"\t\t<attributeWeight>\n{element('attribute', name, 3)}{element('weight', weight, 3)}\t\t</attributeWeight>\n"
        for name, weight in weights.items()
    )
    asked = "".join(element("criterion", text) for text in criteria)
    return (
        "<config>\n\t<suppressTuplesInNonAnonymousOutput>false</suppressTuplesInNonAnonymousOutput>\n"
        "\t<suppressedAttributeTypes>\n\t\t<type>QUASI_IDENTIFYING_ATTRIBUTE</type>\n\t</suppressedAttributeTypes>\n"
        "\t<practicalMonotonicity>false</practicalMonotonicity>\n\t<relativeMaxOutliers>0.99</relativeMaxOutliers>\n"
        f"{element('metric', metric, 1)}\t<attributeWeights>\n{weighed}\t</attributeWeights>\n"
        f"\t<criteria>\n{asked}\t</criteria>\n</config>\n"
    )


def project(
    columns: Mapping[str, tuple[str, str]],
    trees: Mapping[str, str],
    *,
    criteria: Sequence[str] = ("3-anonymity",),
    metric: str = "Loss (0.5/1.0/1.0)",
    weights: Mapping[str, str] = MappingProxyType({}),
    output: bool = True,
    extra: Mapping[str, str | bytes] | None = None,
) -> bytes:
    """A project file, its entries in ARX's order."""
    files: dict[str, str | bytes] = {
        "metadata.xml": METADATA,
        "project.dat": SERIALIZED,
        "project.xml": "<project>\n\t<name>A study</name>\n\t<separator>;</separator>\n</project>\n",
        "data/input.csv": "age;town\n34;Ulm\n",
    }
    if output:
        files["data/output.dat"] = SERIALIZED
    for prefix in ("input/", *(["output/"] if output else [])):
        files |= {
            f"{prefix}config.dat": SERIALIZED,
            f"{prefix}config.xml": config(criteria, metric, weights),
            f"{prefix}definition.xml": definition(columns, trees),
        }
        files |= {f"{prefix}hierarchies/{name}.csv": text for name, text in trees.items()}
    files |= extra or {}
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as packed:
        for name, content in files.items():
            packed.writestr(name, content)
    return out.getvalue()
