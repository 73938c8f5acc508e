"""Print queue: jobs of several formats to be printed by printers with several trays."""

from __future__ import annotations

import random

from ..problem import Problem, at_least, numbered


def generate(rng: random.Random, *, printers: int, trays: int, formats: int, jobs: int) -> Problem:
    """An instance with empty queues; all jobs are to be printed.

    Args:
        rng: Source of randomness.
        printers: Number of printers.
        trays: Number of trays, at least one for each printer.
        formats: Number of paper formats.
        jobs: Number of jobs.
    """
    at_least(1, printers=printers, jobs=jobs)
    at_least(printers, trays=trays)
    at_least(2, formats=formats)
    printer_names = numbered("printer", printers)
    tray_names = numbered("tray", trays)
    format_names = numbered("format", formats)
    job_names = numbered("job", jobs)
    # The trays go round the printers; only their paper is random.
    owners = [printer_names[number % printers] for number in range(trays)]
    return Problem(
        domain="print-queue",
        objects={
            "printer": printer_names,
            "tray": tray_names,
            "format": format_names,
            "job": job_names,
        },
        init=[
            *(("tray-of", *pair) for pair in zip(tray_names, owners, strict=True)),
            *(("needs", job, rng.choice(format_names)) for job in job_names),
            *(("loaded", tray, rng.choice(format_names)) for tray in tray_names),
        ],
        goal=[("printed", job) for job in job_names],
    )
