"""The options of `dias learn`, in the order in which its help shows them."""

from __future__ import annotations

import click

from dias.config import (
    CHECK_EVERY,
    DEVICES,
    EFFECTS,
    LIFTED_ALPHA,
    NEURAL_CHECK_EVERY,
    NOISE,
    OBJECTIVES,
    PAPER_ALPHA,
    PARTS,
    PRECONDITIONS,
    UNCHANGED,
)
from dias.methods import METHODS
from dias_cli.common import (
    FILE,
    SECONDS,
    STREAM,
    Command,
    json_option,
    labels_option,
    output_option,
    seed_option,
    skip_bad_lines_option,
)
from dias_cli.learn_settings import DEFAULT, N_STEPS, MethodName

_OPTIONS = (
    output_option("Domain (--effects mlp: network) file."),
    labels_option,
    click.option(
        "--method",
        type=MethodName(METHODS),
        help="hybrid: the network proposes, the transitions decide; symbolic: single transitions "
        "propose, no network; neural: the network alone. Default: hybrid; with --effects mlp "
        "neural, which alone has them. Installed packages may offer others.",
    ),
    click.option(
        "--effects",
        type=click.Choice(EFFECTS),
        default=DEFAULT.effects,
        help="strips: the same in every state; conditional: where that explains an action badly, "
        "several actions for it; mlp: a network says them state by state, and a checkpoint is "
        "written instead of a domain.",
    ),
    click.option(
        "--objective",
        type=click.Choice(OBJECTIVES),
        default=DEFAULT.training.objective,
        help="lifted: the loss over slots, fast; dense: the paper's, over all ground atoms.",
    ),
    click.option(
        "--alpha",
        type=click.FloatRange(0),
        help="Weight of the auxiliary gradient, projected as in the paper. Default: "
        f"{LIFTED_ALPHA} for --method neural, {PAPER_ALPHA} with --objective dense; else the "
        "losses are added up.",
    ),
    click.option(
        "--preconditions",
        type=click.Choice(PRECONDITIONS),
        default=DEFAULT.preconditions,
        help="Of the literals that were never violated, concise: the positive ones, and the "
        "negative ones that the training states ask for; safe: all; minimal: those that the "
        "training states ask for.",
    ),
    click.option(
        "--unchanged",
        type=click.Choice(UNCHANGED),
        default=DEFAULT.unchanged,
        help="Steps that change nothing. happened: as they stand; refused: as refused attempts, "
        "which is how many simulators answer; auto: as refused attempts where no effects cover "
        "both them and the other steps of the action, and that explains everything.",
    ),
    click.option(
        "--noise",
        type=click.Choice(NOISE),
        default=DEFAULT.noise,
        help="auto: states may have been seen wrong, where that scores better; off: they are taken "
        "as exact, but for a few odd steps.",
    ),
    click.option(
        "--without",
        type=click.Choice(PARTS),
        multiple=True,
        help="Leave a part of the method out, to see what it contributes; repeatable. Where all "
        "arguments are given there is none of them.",
    ),
    click.option(
        "--slots",
        type=click.IntRange(1),
        default=DEFAULT.model.n_slots,
        help="M, the number of objects that one action may change. More are taken if a step needs "
        "them.",
    ),
    click.option(
        "--steps",
        type=click.IntRange(1),
        help="Gradient steps of one training run at most. Default: "
        + ", ".join(f"{n:,} for {method}" for method, n in N_STEPS.items())
        + ".",
    ),
    click.option(
        "--restarts",
        type=click.IntRange(1),
        default=DEFAULT.restarts,
        help="Training runs at most; a further one begins while transitions stay unexplained. With "
        "neural the one that explains most counts.",
    ),
    click.option(
        "--threads", type=click.IntRange(1, 256), default=DEFAULT.threads, help="Threads."
    ),
    click.option(
        "--device",
        type=click.Choice(DEVICES),
        default=DEFAULT.device,
        help="Where the network is trained.",
    ),
    click.option(
        "--time-limit",
        type=SECONDS,
        help="Seconds of training at most; the best domain found by then is written.",
    ),
    click.option(
        "--validation",
        type=STREAM,
        help="Transitions that are not learned from; how many of them are explained is said.",
    ),
    click.option(
        "--names-from",
        "reference",
        type=FILE,
        help="A domain whose parameters' order and names are put to what was learned, once that is "
        "done.",
    ),
    click.option(
        "--infer-types/--no-infer-types",
        default=True,
        show_default=True,
        help="Static relations of one argument become types, if the traces have none and these "
        "divide the objects.",
    ),
    click.option(
        "--checkpoint",
        type=FILE,
        help=f"Keep the state of training in this file, every {CHECK_EVERY} steps (neural: every "
        f"{NEURAL_CHECK_EVERY}), and go on from it if it is there.",
    ),
    click.option(
        "--report",
        "reports",
        multiple=True,
        help="Also write a report: FILE.html, a page to read or print, or FILE.json, all of it as "
        "plain values. Repeatable.",
    ),
    click.option(
        "--config",
        "config_file",
        help="Settings in a TOML file. What is given on the command line goes before it.",
    ),
    skip_bad_lines_option,
    seed_option,
    json_option,
)


def learn_options(command: Command) -> Command:
    """Give a command the options of `dias learn`."""
    for option in reversed(_OPTIONS):  # as decorators, the last of which is applied first
        command = option(command)
    return command
