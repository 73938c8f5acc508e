"""What sampling brought, and why there is not more of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from dias.report.text import plural
from dias.strips.model import Domain
from dias.traces.sampling.samples import Sample, SamplingConfig


def missing_lines(sample: Sample, domain: Domain, config: SamplingConfig) -> Iterator[str]:
    """A line for each action of which there are fewer samples than were asked for."""
    for action, count in sample.missing(domain, config).items():
        yield (
            f"{sample.problem.name}: {count} of {config.min_per_action} samples of {action} "
            f"(walked {sample.n_steps_walked:,} steps, began anew {sample.n_restarts} times): "
            f"{_why_missing(sample, action)}"
        )


def _why_missing(sample: Sample, action: str) -> str:
    visited = sample.visited
    ended = "the time limit ended the walk"
    if not visited.n_states:
        return ended
    n = visited.n_states
    seen = plural(n, "reachable state") if visited.is_all else f"{plural(n, 'state')} seen"
    if n_states := visited.states[action]:
        n_steps = plural(visited.steps[action], "different step")
        why = f"applicable in {n_states:,} of the {seen}, with {n_steps} in all"
    else:
        why = f"applicable in none of the {seen}"
    return f"{why}; {ended}" if sample.is_out_of_time else why


def plans_json(sample: Sample, domain: Domain) -> dict[str, Any]:
    """What the plans of one problem bring."""
    return {
        "problem": sample.problem.name,
        "samples": {action.name: sample.counts[action.name] for action in domain.actions},
        "plans": 1 + max(step.walk for step in sample.steps),
    }


def problem_json(
    samples: Sequence[Sample], domain: Domain, configs: Sequence[SamplingConfig]
) -> dict[str, Any]:
    """What was sampled of one problem.

    Args:
        samples: One for each file.
        domain: The domain.
        configs: How much of it was asked for, file by file.
    """
    visited = samples[0].visited
    missing = [
        sample.missing(domain, config) for sample, config in zip(samples, configs, strict=True)
    ]
    return {
        "problem": samples[0].problem.name,
        "samples": {action.name: samples[0].counts[action.name] for action in domain.actions},
        "steps_walked": sum(sample.n_steps_walked for sample in samples),
        "restarts": sum(sample.n_restarts for sample in samples),
        "states_seen": visited.n_states,
        "all_states_seen": visited.is_all,
        "out_of_time": any(sample.is_out_of_time for sample in samples),
        "missing": {
            action.name: {
                "samples": [sample.counts[action.name] for sample in samples],
                "applicable_states": visited.states[action.name],
                "different_steps": visited.steps[action.name],
            }
            for action in domain.actions
            if any(action.name in own for own in missing)
        },
    }
