"""`dias denoise`: the states of traces as they most likely were."""

from __future__ import annotations

from pathlib import Path

import click

from dias.errors import TimeLimitError
from dias_cli.common import (
    FILE,
    SECONDS,
    STDIN,
    STDOUT,
    STREAM,
    check_outputs,
    echo_json,
    json_option,
    labels_option,
    output_option,
    skip_bad_lines_option,
)


@click.command("denoise")
@click.argument("traces", type=STREAM)
@click.argument("domain", type=FILE)
@output_option("File; .gz compresses.")
@click.option(
    "--certain", is_flag=True, help="Write the likeliest states alone, without probabilities."
)
@labels_option
@click.option("--time-limit", type=SECONDS, help="Seconds in all; nothing is written after them.")
@skip_bad_lines_option
@json_option
@click.pass_context
def command(
    context: click.Context,
    traces: str,
    domain: Path,
    output: str,
    certain: bool,
    labels: str,
    time_limit: float | None,
    skip_bad_lines: bool,
    as_json: bool,
) -> None:
    """Write TRACES with their states as they most likely were, given DOMAIN and the walks.

    Atoms may be unknown, have probabilities, or have been seen wrong. What is seen earlier and
    later in a walk, and what the actions do, says what they were; what it leaves open is written
    with probabilities.
    """
    from dias.learning.soft.denoise import denoise
    from dias.limits import OutOfTimeError, suspended, within
    from dias.report.denoise import denoised_json, denoised_text
    from dias.strips.pddl.reader import read_domain
    from dias.traces.reading.reader import read_traces
    from dias.traces.record import LabelMode
    from dias.traces.writer import write_traces

    if as_json and output == STDOUT:
        raise click.UsageError("--json prints to standard output: name a file with -o")
    check_outputs([output], [*([] if traces == STDIN else [traces]), domain])
    context.with_resource(within(time_limit))
    true = read_domain(domain)
    mode = None if labels == "auto" else LabelMode(labels)
    read = read_traces(traces, labels=mode, skip_bad_lines=skip_bad_lines, keep_walks=True)
    try:
        found = denoise(read, true, certain)
    except OutOfTimeError:
        raise TimeLimitError(
            "the time limit ended before the states were made out",
            place=read.source,
            remedy="Allow more time (--time-limit), or give a shorter file",
        ) from None
    context.with_resource(suspended())  # the rest is short
    write_traces(output, found.blocks)
    for text in denoised_text(found, read):
        click.echo(text, err=True)
    if as_json:
        echo_json({"file": output, **denoised_json(found)})
