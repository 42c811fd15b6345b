"""The story as one HTML file, to be mailed, embedded or opened without a network."""

from cra_dashboard.lessons.argument import argument
from cra_dashboard.lessons.story.steps import story
from cra_dashboard.one_file import page
from cra_dashboard.session.components import SCRIPTS
from cra_engine.scenes.script import modules

TEXT = "What a k-anonymized table gives away: the eight-minute story of the CRA Explorer. Its people are made up."


def story_file() -> str:
    """Return the story as one HTML file; the people are those of the toy."""
    return page(
        title="CRA Explorer: the eight-minute story",
        text=TEXT,
        script=modules(SCRIPTS, "story.js"),
        begin='need("story.js").main({ data, parentElement: parent, setTriggerValue() {} });',
        style=(SCRIPTS / "story.css").read_text("utf-8"),
        data=story(argument()) | {"alone": True},
    )
