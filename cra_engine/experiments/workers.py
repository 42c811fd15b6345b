"""Gives the work of an experiment to processes of this machine, or to a Dask cluster."""

import contextlib
from collections.abc import Iterator
from concurrent.futures.process import BrokenProcessPool

import joblib

from cra_engine.choices import Backend
from cra_engine.errors import CRAError, MissingLibraryError

CONNECT_SECONDS = 30  # for the scheduler's answer
WORKER_SECONDS = 300  # for a worker in the place of those that were lost


@contextlib.contextmanager
def workers(backend: Backend, jobs: int | None = None, scheduler: str | None = None) -> Iterator[None]:
    """Let joblib within this context hand an experiment's work to the chosen workers.

    Args:
        backend: ``"loky"``: processes of this machine; ``"dask"``: the workers of a cluster.
        jobs: number of workers; None for as many as there are.
        scheduler: address of the cluster's scheduler, such as ``tcp://10.0.0.5:8786``; only with ``"dask"``.

    Raises:
        CRAError: Dask is not installed, no scheduler answers, or a worker was lost.
    """
    count = -1 if jobs is None else jobs
    if backend == "loky":
        if scheduler is not None:
            raise CRAError("--scheduler goes with --backend dask; give both or neither.")
        try:
            # Without max_nbytes joblib would put large tables into files for its workers to read.
            with joblib.parallel_config(backend="loky", n_jobs=count, max_nbytes=None):
                yield
        except BrokenProcessPool:
            raise _lost() from None
        return
    if scheduler is None:
        raise CRAError("Name the cluster's scheduler, for instance: --scheduler tcp://127.0.0.1:8786.")
    try:
        import distributed  # noqa: PLC0415 - an optional extra
    except ImportError:
        raise MissingLibraryError("distributed") from None
    try:
        client = distributed.Client(scheduler, timeout=CONNECT_SECONDS)  # type: ignore[no-untyped-call]
    except (OSError, ValueError) as error:
        reason = str(error).splitlines()[0] if str(error) else "no answer"
        raise CRAError(f"No Dask scheduler answers at {scheduler} ({reason}); check the address.") from None
    with client:
        if not client.scheduler_info()["workers"]:
            raise CRAError(f"The Dask scheduler at {scheduler} has no workers; start some, then run this again.")
        try:
            with joblib.parallel_config(backend="dask", n_jobs=count, wait_for_workers_timeout=WORKER_SECONDS):
                yield
        except (distributed.KilledWorker, distributed.CancelledError, TimeoutError):
            raise _lost() from None


def _lost() -> CRAError:
    return CRAError(
        "A worker process ended before its work was done, perhaps for lack of memory; run the same command again to go "
        "on, with fewer --jobs if it happens again."
    )
