"""Learns from transitions that were observed with errors: they are put right first."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from dataclasses import replace

from dias.config import LearningConfig
from dias.learning.certificate.causes import Cause
from dias.learning.data.coding import examples_by_action
from dias.learning.data.transitions import Examples
from dias.learning.noise.constants import NOTHING_KNOWN, Changing
from dias.learning.noise.estimate import tolerated
from dias.learning.noise.learner import Judged, Righted
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
                causes=tuple(_causes(group, result.domain.action(one.action), judged, lines)),
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


def _causes(
    group: Examples, schema: ActionSchema, judged: Judged, lines: Sequence[int]
) -> Iterator[Cause]:
    """What is said of an action.

    More steps are left than noise may leave, noise may have made its changes, or all of them were
    taken for noise.

    Args:
        group: Its steps.
        schema: The schema.
        judged: How far the schemas account for what was seen.
        lines: Where the steps stand that this one does not explain.
    """
    n_steps = len(group.examples)
    n_left = n_steps - judged.n_explained[group.action]
    if lines and n_left > tolerated(n_steps, n_left):
        yield Cause("noise", n_left, lines[0])
    if found := judged.feigned[group.action]:
        line = min(example.transition.line for example in group.examples)
        yield Cause("feigned", found.n_steps, line, (found.relation,))
    changing = [e.transition.line for e in group.examples if e.state != e.next_state]
    if changing and not (schema.add_effects or schema.delete_effects):
        yield Cause("idle", len(changing), min(changing))


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
