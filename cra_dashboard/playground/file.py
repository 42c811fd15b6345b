"""The playground as one HTML file, to be mailed, embedded or opened without a network."""

from cra_dashboard.one_file import page
from cra_dashboard.playground.tables import tables
from cra_engine.scenes.colours import colours
from cra_engine.scenes.script import FOLDER, modules

TEXT = "What a k-anonymized table gives away: the playground of the CRA Explorer. Its people are made up."


def playground_file() -> str:
    """Return the playground as one HTML file; its tables are synthetic, whatever a session holds."""
    return page(
        title="CRA Explorer: playground",
        text=TEXT,
        script=modules(FOLDER, "file.js", "worker.js"),
        begin='need("file.js").open(parent, data, script);',
        style=(FOLDER / "style.css").read_text("utf-8"),
        data={"tables": tables(), "colours": colours()},
    )
