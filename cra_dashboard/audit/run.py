"""Running an audit beside the page: start, progress, cancel. Nothing is kept of a run that was stopped."""

from functools import partial

from cra_dashboard.audit.state import Settings, Subject
from cra_dashboard.session import messages
from cra_dashboard.session.kept import Kept
from cra_dashboard.session.runs import Runs, timed
from cra_engine import Audit, audit

AUDITS: Runs[Audit] = Runs("audit", timed("Attacking the table, then all classes together", "about"))
_RESULT: Kept[Audit] = Kept("cra_audit_result")


def start(found: Subject, settings: Settings, soon: bool) -> None:
    """Start an audit from the page Audit with some settings, in place of one that runs; ``soon`` if it is soon over."""
    limit = settings.time_limit
    AUDITS.start(
        (found.digest, settings),
        lambda cancelled: audit(
            found.frame,
            found.study,
            {name: tree for name, tree in found.hierarchies.items() if not settings.qi or name in settings.qi},
            qi=settings.qi,
            k=settings.k,
            profile=settings.profile,
            gs_factor=settings.gs_factor,
            privacy=None if found.project is None else found.project.privacy,
            weights=None if found.project is None else found.project.weights,
            time_limit=limit,
            prior=settings.prior,
            population=None if found.population is None else found.population.content,
            said=found.said,
            cancelled=cancelled,
        ),
        limit,
        soon=soon,
    )


def start_once(found: Subject, settings: Settings, *, soon: bool) -> None:
    """Start an audit from the page Audit unless that was begun, stopped or done before."""
    key = (found.digest, settings)
    if _RESULT.of(key) is None and AUDITS.job(key) is None and not AUDITS.cancelled(key):
        start(found, settings, soon)


def panel(found: Subject, settings: Settings) -> Audit | None:
    """Show on Audit how the run goes or why it failed, and return the audit once it is there."""
    key = (found.digest, settings)
    if AUDITS.job(key) is None:
        AUDITS.drop()  # one with other settings
        if AUDITS.cancelled(key):
            messages.info("The audit was stopped; nothing is kept of it.")
    AUDITS.taken_over(key, partial(_RESULT.keep, key))
    return _RESULT.of(key)


def forget() -> None:
    """Drop what the page Audit worked out."""
    AUDITS.drop()
    _RESULT.drop()
