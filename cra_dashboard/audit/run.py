"""Running an audit beside the page: start, progress, cancel. Nothing is kept of a run that was stopped."""

from cra_dashboard.audit.state import Settings, Subject, keep_audit, result
from cra_dashboard.session import messages
from cra_dashboard.session.runs import Runs, timed
from cra_engine import Audit, audit

AUDITS: Runs[Audit] = Runs("audit", timed("Attacking the table, then all classes together", "about"))


def start(found: Subject, settings: Settings) -> None:
    """Start an audit from the page Audit with some settings, in place of one that runs."""
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
    )


def start_once(found: Subject, settings: Settings) -> None:
    """Start an audit from the page Audit unless that was begun, stopped or done before."""
    key = (found.digest, settings)
    if result(found, settings) is None and AUDITS.job(key) is None and not AUDITS.cancelled(key):
        start(found, settings)


def panel(found: Subject, settings: Settings) -> Audit | None:
    """Show on Audit how the run goes or why it failed, and return the audit once it is there."""
    key = (found.digest, settings)
    job = AUDITS.job(key)
    if job is None:
        AUDITS.drop()  # one with other settings
        if AUDITS.cancelled(key):
            messages.info("The audit was stopped; nothing is kept of it.")
        return result(found, settings)
    if AUDITS.ended(job, key) and job.result is not None:
        keep_audit(found, settings, job.result)
    return job.result
