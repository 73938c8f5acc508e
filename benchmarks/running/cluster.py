"""Runs in the workers of a Dask cluster: on this machine, on Slurm, or wherever one runs.

Needs the extra ``cluster``: ``pip install 'dias-planning[cluster]'``.
"""

from __future__ import annotations

import logging
import shutil
from collections.abc import Generator, Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import click

from dias.errors import DiasError

from .command import stop_children
from .pool import attempt, failed
from .rawlines import Row
from .runs import Run

if TYPE_CHECKING:
    from distributed import Client

LOCAL, SLURM = "local", "slurm"
"""Clusters that are started here; any other name is the address of a running scheduler."""

JOB = {"cores": 1, "processes": 1, "memory": "4GiB"}
"""What a Slurm job asks for, unless the settings of dask-jobqueue say something else."""

CONNECT_S = 15


def on_cluster(runs: Sequence[Run], scheduler: str, n_workers: int) -> Generator[Row]:
    """Do the runs as tasks of a cluster; yields the rows as the runs end.

    The runs that a lost worker had under way are given to others; rows that were yielded are
    safe. Where the iteration is left early, what is under way is killed.

    Args:
        runs: What to do.
        scheduler: `LOCAL`, `SLURM`, or the address of a scheduler.
        n_workers: Workers to start; without meaning for a scheduler that runs already.

    Raises:
        DiasError: Dask is not installed, or the scheduler cannot be reached or was lost.
    """
    if not runs:
        return
    try:
        from distributed import as_completed
    except ImportError as cause:
        raise DiasError(
            f"--scheduler {scheduler} needs Dask, which is not installed",
            remedy="Install it: pip install 'dias-planning[cluster]'",
        ) from cause
    for name in ("distributed", "distributed.client"):
        logging.getLogger(name).setLevel(logging.CRITICAL)  # it logs tracebacks of lost peers
    with ExitStack() as stack:
        client = _client(scheduler, n_workers, stack)
        if not client.scheduler_info()["workers"] and scheduler != LOCAL:
            click.echo(f"{scheduler}: no worker yet, the runs begin when one joins", err=True)
        run_of = {client.submit(attempt, run, pure=False): run for run in runs}
        try:
            for future, row in as_completed(list(run_of), with_results=True, raise_errors=False):
                run = run_of.pop(future)
                if future.status == "error":
                    row = failed(run, row[1])  # the row is the exception with its traceback
                elif future.status != "finished":
                    raise DiasError(
                        f"the scheduler was lost with {len(run_of) + 1} runs to go",
                        place=scheduler,
                        remedy="What is finished is kept: start a scheduler and run this again.",
                    )
                yield row | {"workers": len(client.scheduler_info()["workers"])}
        finally:
            if run_of and client.status == "running":
                client.cancel(list(run_of), force=True)
                client.run(stop_children)


def _client(scheduler: str, n_workers: int, stack: ExitStack) -> Client:
    """A connection that the stack closes, together with the cluster if it was started here."""
    import dask
    from distributed import Client, LocalCluster

    # A worker holds no second run, so that none is blamed for the death of its worker by another.
    stack.enter_context(dask.config.set({"distributed.scheduler.worker-saturation": 1.0}))
    if scheduler == LOCAL:
        local = LocalCluster(
            n_workers=n_workers,
            threads_per_worker=1,
            dashboard_address=None,
            silence_logs=logging.ERROR,
        )
        return stack.enter_context(Client(stack.enter_context(local)))
    if scheduler == SLURM:
        if not shutil.which("sbatch"):
            raise DiasError(
                "--scheduler slurm needs the command sbatch, which is not on the path",
                remedy="Run this on a machine from which Slurm jobs can be submitted.",
            )
        from dask_jobqueue import SLURMCluster

        settings = dask.config.get("jobqueue.slurm")
        asked: dict[str, Any] = {k: value for k, value in JOB.items() if settings[k] is None}
        cluster = SLURMCluster(**asked, scheduler_options={"dashboard_address": None})
        stack.enter_context(cluster)
        cluster.adapt(minimum_jobs=n_workers, maximum_jobs=n_workers)  # replaces ended jobs
        return stack.enter_context(Client(cluster))
    try:
        return stack.enter_context(Client(scheduler, timeout=CONNECT_S))
    except (OSError, ValueError) as cause:
        raise DiasError(
            f"the scheduler cannot be reached: {cause}",
            place=scheduler,
            remedy="Start one (dask scheduler), or give its address as tcp://HOST:PORT.",
        ) from cause
