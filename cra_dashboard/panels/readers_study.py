"""The study for readers of a release, with its hierarchy files: it names nothing that the release does not show."""

from cra_dashboard.panels.download import download
from cra_engine import Recoding, SafeRecoding


def readers_study(made: Recoding | SafeRecoding, label: str, name: str, hint: str | None = None) -> None:
    """Show on any page buttons for the study file and each hierarchy file that it names.

    Args:
        made: what is handed out with it.
        label: on the button of the study.
        name: of the study file.
        hint: what to know of it.
    """
    study, *trees = made.study_for_readers(made.frame).files(name).items()
    download(label, study[1], name, hint=hint)
    for own, text in trees:
        download(own, text, own, hint="Categories that the release does not show are numbered in it, not named.")
