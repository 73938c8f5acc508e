"""Learns from transitions that were observed with errors: they are put right first."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace

from dias.config import LearningConfig
from dias.learning.certificate.causes import Cause
from dias.learning.data.coding import examples_by_action
from dias.learning.data.transitions import Examples
from dias.learning.noise.constants import NOTHING_KNOWN, Changing
from dias.learning.noise.estimate import tolerated
from dias.learning.noise.feigned import Feigned
from dias.learning.noise.learner import Righted
from dias.learning.passes import Run, certified, completed, loosened, shortened
from dias.learning.result import LearningResult
from dias.learning.schema import Origin
from dias.learning.train.progress import timed
from dias.limits import Attempts
from dias.strips.model import ActionSchema

log = logging.getLogger(__name__)


def learn_righted(run: Run) -> LearningResult:
    """Learn from transitions that were observed with errors: put them right and take the rest."""
    kept_out = set(run.config.without) & {"extra-variables"}
    if idle := [part for part in run.config.without if part not in kept_out]:
        log.warning("noise is looked for, where no %s can be left out", ", ".join(idle))
    righted, own = put_right(run, replace(run.config, without=tuple(kept_out)))
    origins = dict.fromkeys(own.examples, Origin("transitions"))
    whole = loosened(own, completed(own, righted.effects, origins))
    schemas = shortened(own, whole)
    result = certified(own, schemas, whole)
    with timed(run.seconds, "replay"):
        judged = righted.judge(whole)
    evidence = []
    for one in result.evidence:
        group, lines = run.examples[one.action], judged.unexplained[one.action]
        evidence.append(
            replace(
                one,
                n_transitions=len(group.examples),
                n_explained=judged.n_explained[one.action],
                n_unchanged=group.n_unchanged,
                support=one.support
                and replace(one.support, unexplained_lines=lines, unexplained=()),
                causes=(
                    *_beyond_noise(len(group.examples), judged.n_explained[one.action], lines),
                    *_feigned(group, judged.feigned[one.action]),
                    *_without_effect(group, result.domain.action(one.action)),
                ),
            )
        )
    return replace(
        result,
        evidence=tuple(evidence),
        unobserved=run.traces.unobserved,
        n_transitions=run.traces.n_steps,
        without=tuple(kept_out),
        config=run.config,
        noise=judged.noise,
    )


def _beyond_noise(n_steps: int, n_explained: int, lines: Sequence[int]) -> tuple[Cause, ...]:
    """What is said of an action that leaves more steps unexplained than noise may.

    Args:
        n_steps: Its steps.
        n_explained: Those that its schema explains, up to noise.
        lines: Where those stand that it does not.
    """
    n_left = n_steps - n_explained
    is_beyond = bool(lines) and n_left > tolerated(n_steps, n_left)
    return (Cause("noise", n_left, lines[0]),) if is_beyond else ()


def _feigned(group: Examples, found: Feigned | None) -> tuple[Cause, ...]:
    """What is said of changes that noise may have made."""
    if found is None:
        return ()
    line = min(example.transition.line for example in group.examples)
    return (Cause("feigned", found.n_steps, line, (found.relation,)),)


def _without_effect(group: Examples, schema: ActionSchema) -> tuple[Cause, ...]:
    """What is said of an action all of whose changes were taken for noise."""
    lines = [e.transition.line for e in group.examples if e.state != e.next_state]
    if not lines or schema.add_effects or schema.delete_effects:
        return ()
    return (Cause("idle", len(lines), min(lines)),)


def put_right(
    run: Run, config: LearningConfig, changing: Changing = NOTHING_KNOWN
) -> tuple[Righted, Run]:
    """The transitions put right, and a run on them with other settings.

    Args:
        run: The run on what was seen.
        config: The other settings.
        changing: Atoms that are known to change.
    """
    with timed(run.seconds, "denoise"):
        righted = Righted(run.traces, run.examples, changing)
        examples = examples_by_action(righted.traces)
    attempts = Attempts(run.attempts.remaining_s)
    return righted, run._replace(
        traces=righted.traces, examples=examples, config=config, attempts=attempts, is_exact=False
    )
