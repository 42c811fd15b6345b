"""A Dask cluster on this machine, and a worker of it that is killed in the middle of its work."""

import os
import signal
from contextlib import contextmanager

import pytest


@contextmanager
def cluster(workers=2):
    distributed, dask = pytest.importorskip("distributed"), pytest.importorskip("dask")
    # On a busy machine a worker may be silent for minutes: nobody is given up for that.
    patient = dict.fromkeys(("distributed.comm.timeouts.connect", "distributed.comm.timeouts.tcp"), "1h")
    with (
        dask.config.set(patient | {"distributed.scheduler.worker-ttl": None}),
        distributed.LocalCluster(
            n_workers=workers, threads_per_worker=1, processes=True, host="127.0.0.1", dashboard_address=":0"
        ) as made,
    ):
        yield made


def whole(made, workers):
    """Wait until the cluster has replaced a worker who was killed; with a single one joblib does the work itself."""
    with pytest.importorskip("distributed").Client(made.scheduler_address) as client:
        client.wait_for_workers(workers)


def killer(flag, honest):
    """The same work, but the worker who first does it for the second part is killed, as for lack of memory."""
    here = os.getpid()

    def work(path, *more):
        if path.name == "part-001.parquet" and not flag.exists() and os.getpid() != here:
            flag.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return honest(path, *more)

    return work
