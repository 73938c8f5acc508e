"""From traces to a domain: propose, check against the transitions, complete, assemble."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING

from dias.config import LearningConfig
from dias.errors import TimeLimitError
from dias.learning.data.check import as_validation, check_arities, check_certain, check_traces
from dias.learning.data.coding import examples_by_action
from dias.learning.data.replay import count_reproduced
from dias.learning.finish.assemble import action_schema, learned_domain
from dias.learning.finish.renaming import with_readable_names
from dias.learning.noise.signs import is_measurable, looks_noisy
from dias.learning.passes import Run, certified, completed, loosened, shortened
from dias.learning.propose.proposals import EFFECTS, Proposals
from dias.learning.propose.unchanged import read_unchanged
from dias.learning.result import LearningResult
from dias.learning.schema import LiftedSchema, Origin
from dias.learning.score import max_odd, score
from dias.learning.train.progress import LearningProgress, timed
from dias.limits import Attempts, OutOfTimeError, check, remaining_s, suspended, within
from dias.methods import method_named
from dias.strips.model import Domain
from dias.traces.record import LabelMode, Traces

if TYPE_CHECKING:
    from dias.learning.noise.constants import Changing

MAX_WIDER = 1
"""Variables that exact effects may have beyond the parameters of what was learned under noise: with
more they cover noise, and are too many to be weighed."""

FINISHING_S = 1.0
"""Seconds beyond the time limit in which what is needed to show a domain may still be done."""

LIFTING, RIGHTING = 0.5, 0.6
"""Share of the time that is left that may go into lifting single steps, and into noise."""

IMPORTING_S = 3.0
"""Seconds that must be left for torch to be imported, which nothing can end."""

TRAINING = "training"
"""What is left undone where a network would have had to be trained, or for longer."""

MIN_SHOWN = 3
"""Steps that must show a change set before it is lifted where states look seen wrong: what fewer
show covers noise, and is too large to be weighed."""


def learn(
    traces: Traces,
    config: LearningConfig | None = None,
    report: Callable[[LearningProgress], None] | None = None,
    checkpoint: Path | None = None,
    validation: Traces | None = None,
) -> LearningResult:
    """Learn a domain from traces.

    Args:
        traces: The transitions; nothing else is looked at.
        config: How to learn.
        report: Called now and then while training.
        checkpoint: File to go on from, if it is there, and to keep the state of training in.
        validation: Transitions that are not learned from. The result says how many of them the
            domain explains, as they were seen; with `neural`, they have a say in when training
            ends early.

    Raises:
        ValueError: The effects are `mlp`, for which there is no domain (`dias.learning.mlp.learn`).
        InsufficientTracesError: There is no transition.
        TraceError: A predicate has too many arguments where those of actions are not all known,
            or the validation transitions have other types, arities or labels.
        TraceError: Not all is certain in the states of `validation`, or in those of the traces
            where effects are `conditional`.
        TimeLimitError: The time limit ended before the effects of any action were known.
        DeviceError: The device to train on is not there.
        CheckpointError: The checkpoint is damaged, or of other traces or settings.

    Examples:
        Without a network, whatever is left unexplained; leave `config` out for the default.

        >>> import dias
        >>> domain = dias.read_domain("benchmarks/domains/gripper/domain.pddl")
        >>> problem = dias.read_problem("benchmarks/domains/gripper/p01.pddl", domain)
        >>> traces = dias.sample(domain, [problem], seed=1)
        >>> result = dias.learn(traces, LearningConfig(method="symbolic"))
        >>> result.n_explained, result.n_distinct
        (267, 267)
        >>> [(action.name, action.arity) for action in result.domain.actions]
        [('drop', 3), ('move', 2), ('pick', 3)]
    """
    config = config or LearningConfig()
    if config.effects == "mlp":
        raise ValueError(
            "with mlp effects there is no domain: use dias.learning.mlp.learn.learn_mlp"
        )
    check_traces(traces)
    if traces.labels is not LabelMode.FULL:
        check_arities(traces)
    if validation is not None:
        validation = as_validation(validation, traces)
    own = inf if config.time_limit_s is None else config.time_limit_s
    limit = max(0.0, min(own, remaining_s() - FINISHING_S))
    with within(limit + FINISHING_S):
        try:
            if traces.is_soft:
                if config.effects == "conditional":
                    check_certain(traces)
                from dias.learning.soft.learner import learn_uncertain  # few traces need it

                # No network explains what was seen wrong.
                if method_named(config.method).asks_network:
                    config = replace(config, method="symbolic")
                return learn_uncertain(
                    traces,
                    lambda guessed, changing: _learn_from_guesses(guessed, changing, config),
                    lambda certain, share: _learn_in_time(
                        certain, config, report, None, validation, Attempts(share * _left(limit))
                    ),
                )
            return _learn_in_time(traces, config, report, checkpoint, validation, Attempts(limit))
        except OutOfTimeError as end:
            raise TimeLimitError(
                f"expected effects of some action within {own:g} s, found none",
                place=traces.source,
                remedy="Allow more time (--time-limit), or give fewer or shorter traces",
            ) from end


def _learn_from_guesses(traces: Traces, changing: Changing, config: LearningConfig) -> Domain:
    """A first domain from states that are guesses: what tells what each step did.

    Under noise and without a network. Variables that occur in preconditions alone, and literals
    that do not hold, are looked for once the states are better known.
    """
    examples = examples_by_action(traces)
    own = replace(config, method="symbolic", without=("extra-variables",))
    run = Run(traces, examples, own, {}, {}, None, None, None, Attempts(remaining_s()))
    if not is_measurable(examples):
        return _learn(run).domain
    from dias.learning.righted import put_right

    righted, run = put_right(run, own, changing)
    origins = dict.fromkeys(run.examples, Origin("transitions"))
    schemas = completed(run, righted.effects, origins)
    found = (action_schema(schema, run.traces) for schema in schemas)
    return learned_domain(
        run.traces, (replace(schema, negative_preconditions=frozenset()) for schema in found)
    )


def _left(limit: float) -> float:
    """Seconds that are left for learning; infinite without a limit."""
    return inf if limit == inf else max(0.0, remaining_s() - FINISHING_S)


def _learn_in_time(
    traces: Traces,
    config: LearningConfig,
    report: Callable[[LearningProgress], None] | None,
    checkpoint: Path | None,
    validation: Traces | None,
    attempts: Attempts,
) -> LearningResult:
    """Learn as far as the limits allow; see `learn`.

    Raises:
        OutOfTimeError: Nothing is known of any action when they end.
    """
    seconds: dict[str, float] = {}
    with timed(seconds, "prepare"):
        reading = config.reading_of_unchanged
        is_asked = reading == "auto" and any(t.state == t.next_state for t in traces.transitions)
        may_be_noisy = is_asked and config.noise == "auto"
        if may_be_noisy and looks_noisy(examples_by_action(traces)):
            reading = "happened"  # where states are seen wrong, no effects cover all the steps
        traces, validation, refused = read_unchanged(traces, reading, validation)
        variants: Mapping[str, tuple[str, ...]] = {}
        if config.effects == "conditional":
            from dias.learning.state_dependent.conditional import divide_actions  # few ask for it

            traces, variants = divide_actions(traces)
        examples = examples_by_action(traces)
    run = Run(traces, examples, config, variants, seconds, report, checkpoint, validation, attempts)
    result = _learn(run)
    with suspended():
        result = with_readable_names(result)
    undone = dict(result.undone)
    is_idle = not any(a.add_effects or a.delete_effects for a in result.domain.actions)
    if is_idle and len(result.undone.get(EFFECTS, ())) == len(examples):
        raise OutOfTimeError
    validated = None
    if validation is not None:
        with timed(seconds, "validate"):
            try:
                explained = count_reproduced(result.domain, validation, variants)
                validated = sum(explained.values()), len(validation.transitions)
            except OutOfTimeError:
                undone["validation"] = [""]
    return replace(
        result, seconds=seconds, read_as_refused=refused, validation=validated, undone=undone
    )


def _learn(run: Run) -> LearningResult:
    """Learn exactly, and under noise where no single steps explain all; the score decides."""
    config, examples = run.config, run.examples
    best = Proposals(examples, "repair" not in config.without, run.attempts)
    may_fall_back = config.way.lifts_steps and "fallback" not in config.without
    if may_fall_back:
        with timed(run.seconds, "complete"), within(LIFTING * remaining_s()):
            if run.is_full:
                best.look_at_arguments()
            else:
                best.look_at_steps(mend=False)
    if config.way.proposer and not run.is_full:
        with timed(run.seconds, "complete"):
            best.ask(config.way)
    is_left = may_fall_back and not best.explain_everything
    righted = None
    if is_left and config.looks_for_noise and is_measurable(examples):
        with run.attempts.at("noise", share=RIGHTING):
            check()
            righted = _learn_righted(run)
    is_noise = righted is not None and _is_noise(righted)

    def is_beyond(n_left: int, n_steps: int) -> bool:
        """Whether exact effects that leave so many steps of an action are no rival to noise."""
        is_settled = righted is not None and righted.explains_everything
        return 2 * n_left > n_steps or (is_settled and n_left > max_odd(n_steps) > 0)

    if is_left and not run.is_full:
        with timed(run.seconds, "complete"), within(LIFTING * remaining_s()):
            if righted is not None and is_noise:
                best.look_at_domain(righted.domain)
                best.look_at_steps(MIN_SHOWN, _widest(righted), is_enough=is_beyond)
                best.look_at_domain(righted.domain)
            else:
                best.look_at_steps()
    keeps = righted is not None and _keeps_to_arguments(righted, run)
    if righted is not None and is_noise and keeps and best.leave(is_beyond):
        return righted
    # No network explains what was seen wrong.
    is_asked = config.way.asks_network and best.leave_many and not is_noise
    exact = _learn_exactly(run, best, is_asked or config.way.is_network_alone)
    return righted if righted is not None and _is_better(righted, exact, run) else exact


def _learn_righted(run: Run) -> LearningResult:
    """Learn from transitions that were observed with errors."""
    from dias.learning.righted import learn_righted  # few traces need it

    return learn_righted(run)


def _is_noise(righted: LearningResult) -> bool:
    """Whether noise was found; what it leaves unexplained in most steps is none."""
    is_any = righted.noise is not None and righted.noise.is_any
    return is_any and 2 * righted.n_explained > righted.n_distinct


def _is_better(righted: LearningResult, exact: LearningResult, run: Run) -> bool:
    """Whether what was learned under noise scores better than what was learned without.

    Without noise, effects that hardly any step shows together explain nothing.
    """
    is_noise = righted.noise is not None and righted.noise.is_any
    is_pretext = not is_noise and any(one.apart for one in righted.evidence)
    if is_pretext or not _keeps_to_arguments(righted, run):
        return False
    with run.attempts.needed("noise"):
        check()
        with_noise, without = (
            sum(score(action, run.traces) for action in result.domain.actions)
            for result in (righted, exact)
        )
        return with_noise > without
    return len(righted.undone) < len(exact.undone)


def _widest(righted: LearningResult) -> dict[str, int]:
    """Action to the variables that exact effects may have: with more they cover noise."""
    n_constants = len(righted.domain.constants)
    return {a.name: a.arity + n_constants + MAX_WIDER for a in righted.domain.actions}


def _keeps_to_arguments(result: LearningResult, run: Run) -> bool:
    """Whether no schema has more parameters than the arguments that full labels say are all."""
    return not run.is_full or all(
        action.arity <= len(run.examples[action.name].examples[0].transition.arguments)
        for action in result.domain.actions
    )


def _learn_exactly(run: Run, best: Proposals, uses_network: bool) -> LearningResult:
    """Learn from transitions that are taken as exact."""
    schemas, n_steps = None, 0
    is_alone = run.config.way.is_network_alone
    if uses_network and not run.is_full:
        with run.attempts.needed(TRAINING):
            check()
            if not is_alone and run.attempts.remaining_s < IMPORTING_S:
                raise OutOfTimeError
            schemas, n_steps = _train(run, best)
    if schemas is None or not is_alone:
        schemas = loosened(run, completed(run, best.effects, best.origins))
    return replace(certified(run, shortened(run, schemas), schemas), n_steps=n_steps)


def _train(run: Run, best: Proposals) -> tuple[list[LiftedSchema], int]:
    """What a network says after some steps, `best` being kept up with."""
    with timed(run.seconds, "import"):
        from dias.learning.propose.network import train  # imports torch
    left = run.attempts.remaining_s
    config = run.config if left == inf else replace(run.config, time_limit_s=max(1e-9, left / 2))
    said, n_steps = train(run._replace(config=config), best)
    return list(said), n_steps
