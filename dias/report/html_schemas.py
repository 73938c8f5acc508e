"""The learned schemas and what stands behind their literals, as parts of an HTML report."""

from __future__ import annotations

import math
from collections.abc import Iterator

from dias.learning.certificate.coincidence import LOG_WEAK
from dias.learning.certificate.support import LiteralSupport, Support
from dias.learning.result import ActionEvidence, LearningResult
from dias.report.certificate import evidence_line
from dias.report.page import bullets, code, paragraph, table, text
from dias.report.text import typed
from dias.strips.model import ActionSchema, Atom

HOW_TO_READ = (
    "<b>Explained</b>: some arguments make the finished schema lead from the state to exactly the "
    "next one. It says that nothing seen is impossible, not that everything possible is right.",
    "<b>Ambiguous</b>: more than one choice of arguments explains the transition.",
    "<b>Chance</b>: had the literal been no precondition, a random choice among the ground actions "
    "that would then have been possible in the states seen would never have violated it with this "
    "probability. Literals that exclude something only together share their chance. "
    f"Above {math.exp(LOG_WEAK):.2g} the literal is <b>weak</b>: it may be a coincidence.",
    "<b>Untested</b>: the literal was never violated, but it excludes nothing in the states seen "
    "that the others do not exclude as well. Such literals follow from the others there; the "
    "transitions cannot say whether they always do.",
    "<b>Changed</b>: transitions in which the effect made a difference whichever arguments are "
    "the right ones. In the others the atom held already.",
)


def schemas(result: LearningResult) -> Iterator[str]:
    """Every schema as PDDL, its doubtful and its idle literals marked."""
    yield paragraph(
        "Parameters are bound to pairwise different objects. Grey: inequalities, which say just "
        'that, and untested literals; <span class="weak">underlined</span>: weak ones.',
        "soft",
    )
    yield '<div class="side-by-side">'
    for evidence in result.evidence:
        schema = result.domain.action(evidence.action)
        yield f"<pre>{_pddl(schema, evidence.support)}</pre>"
    yield "</div>"


def _pddl(schema: ActionSchema, support: Support | None) -> str:
    """The schema with its literals marked, the tested ones first."""
    found = {one.text: one for one in support.literals} if support else {}
    weak = {literal for group in (support.weak if support else ()) for literal in group.literals}

    def marked(literal: str) -> str:
        if literal in weak:
            return f'<span class="weak">{text(literal)}</span>'
        one = found.get(literal)
        if one is not None and one.chance is None and one.role == "precondition":
            return f'<span class="idle">{text(literal)}</span>'
        return text(literal)

    def conjunction(key: str, literals: list[str]) -> str:
        lines = "".join(f"\n      {literal}" for literal in literals)
        return f'\n  <span class="key">{key}</span> (and{lines})'

    parameters = " ".join(marked(typed(*p)) for p in schema.parameters)
    conditions = [str(atom) for atom in sorted(schema.preconditions)]
    conditions += [f"(not {atom})" for atom in sorted(schema.negative_preconditions)]
    conditions.sort(key=lambda one: one in found and found[one].chance is None)
    different = [
        f'<span class="idle">(not {text(Atom("=", pair))})</span>'
        for pair in sorted(schema.inequalities)
    ]
    effects = [str(atom) for atom in sorted(schema.add_effects)]
    effects += [f"(not {atom})" for atom in sorted(schema.delete_effects)]
    return (
        f'<span class="key">(:action</span> <b>{text(schema.name)}</b>'
        f'\n  <span class="key">:parameters</span> ({parameters})'
        + conjunction(":precondition", [*map(marked, conditions), *different])
        + conjunction(":effect", [marked(effect) for effect in effects])
        + ")"
    )


def certificate(result: LearningResult) -> Iterator[str]:
    """A table for each action, and how to read it."""
    yield bullets(HOW_TO_READ)
    for evidence in result.evidence:
        yield f"<h3>{text(evidence.action)}</h3>"
        line = evidence_line(evidence, result.method).removeprefix(f"{evidence.action}: ")
        yield paragraph(f"{text(line)}.")
        if evidence.support:
            yield from _action_certificate(evidence, evidence.support)


def _action_certificate(evidence: ActionEvidence, support: Support) -> Iterator[str]:
    untested = [one for one in support.literals if _is_untested(one)]
    yield table(
        f"Types, preconditions and effects of {text(evidence.action)}",
        ["literal", "role", "held in", "changed", "ground atoms", "chance"],
        (_row(one) for one in support.literals if not _is_untested(one)),
        n_left=2,
    )
    if evidence.n_explained < evidence.n_transitions:
        yield paragraph(
            "Chances go by the explained transitions; the others may violate these literals.",
            "soft",
        )
    if untested:
        names = ", ".join(code(one.text) for one in untested)
        yield paragraph(f"Untested ({len(untested)}): {names}.", "soft")
    if support.n_states:
        yield paragraph(
            f"In {support.n_states:,} states in which it was taken the schema allows "
            f"{support.n_allowed:,} successors; {support.n_observed:,} of them were seen.",
            "soft",
        )


def _is_untested(one: LiteralSupport) -> bool:
    return one.role in ("type", "precondition") and one.chance is None


def _row(one: LiteralSupport) -> list[str]:
    changed = "" if one.n_changed is None else f"{one.n_changed:,}"
    chance = "" if one.chance is None else f"{one.chance:.2g}"
    return [code(one.text), one.role, f"{one.n_samples:,}", changed, f"{one.n_instances:,}", chance]
