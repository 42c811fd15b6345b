"""The page that a class opens on its telephones: one file, which asks this server alone."""

from pathlib import Path

from cra_dashboard.one_file import page
from cra_engine.scenes.script import modules

FOLDER = Path(__file__).parent / "component"


def telephone_page() -> str:
    """The HTML; it holds no question and no answer."""
    return page(
        title="CRA Explorer: the class",
        text="Guess with your class what a k-anonymized table gives away.",
        script=modules(FOLDER, "telephone.js"),
        begin='need("telephone.js").join(parent);',
        style=(FOLDER / "telephone.css").read_text("utf-8"),
        data={},
        asks=True,
    )
