"""What is no error is reported, in one line each."""

from dias.traces.findings import FEW_SAMPLES
from dias.traces.record import LabelMode
from tests.traces.files import DRIVE, HEADER, header, read, step

FULL = {"dias": "trace/1", "labels": "full"}


def findings(*lines, **options) -> list[str]:
    """The findings, without folder."""
    found = read(*lines, **options).findings
    assert not any("\n" in finding for finding in found)
    return ["t.jsonl" + finding.split("t.jsonl", 1)[1] for finding in found]


def enough(action: str, **more) -> list[dict]:
    """As many distinct transitions as it takes not to be reported."""
    return [step([f"(p {i})"], action, [f"(p {i + 1})"], **more) for i in range(FEW_SAMPLES)]


def test_nothing_to_report():
    assert findings(*enough("go")) == []


def test_few_samples():
    assert findings(*enough("go"), *enough("ab")[1:], step(), step()) == [
        "t.jsonl:40: 1 of 41 transitions repeat another one, this one most often (2 times);"
        " 40 distinct ones are kept, with counts",
        "t.jsonl: actions with fewer than 20 transitions: ab 19, act 2 (1 distinct)",
    ]


def test_steps_without_change():
    ping = step(["(p 1)"], "ping", ["(p 1)"])
    idle = step(["(p 5)"], "go", ["(p 5)"])
    assert findings(*enough("go"), ping, ping, idle)[1:3] == [
        "t.jsonl:21: action ping has no observed effect: none of its 2 transition(s) changes the"
        " state",
        "t.jsonl:23: transitions that change nothing: go 1 of 21",
    ]


def test_predicates_and_actions_without_use():
    found = findings(header(static=None), DRIVE, step(["(at c n)"], "fly", ["(at c m)"]))
    assert found == [
        "t.jsonl:1: actions that the header does not list: fly",
        "t.jsonl: actions with fewer than 20 transitions: drive 1, fly 1",
        "t.jsonl: predicates that are never true: road; atoms that always hold belong in"
        ' "static" or in every state, and a domain learned without them may allow too much',
        "t.jsonl: actions without a transition: park",
    ]
    assert findings(HEADER, DRIVE) == [
        "t.jsonl: actions with fewer than 20 transitions: drive 1",
        "t.jsonl: true in every state: (idle); which actions need it does not show until a state"
        " lacks it",
        "t.jsonl: actions without a transition: park",
    ]


def test_refused_attempts():
    refused = step(action="no", next=None)
    assert findings(*enough("go"), refused, refused) == [
        "t.jsonl: actions without a transition: no",
        't.jsonl:21: 2 refused attempt(s) ("next": null), kept apart from the transitions',
    ]


def test_different_successors_of_one_labelled_action():
    lines = [step(action="(go a)"), step(action="(go b)"), step(action="(go a)", next=["(p c)"])]
    conflict = (
        "t.jsonl:4: (go a) leads to another successor than from the same state in line 2;"
        " 1 such case(s): noise, or facts that the states do not show"
    )
    assert conflict in findings(FULL, *lines)
    other = conflict.replace(": noise,", ": other arguments that were not recorded, noise,")
    assert other in findings(FULL | {"labels": "partial"}, *lines)
    assert not any("successor" in f for f in findings(FULL | {"labels": "names"}, *lines))


def test_labels_that_do_not_fit_the_arguments():
    assert any('labels are "full", yet no action' in f for f in findings(FULL, step()))
    finding = 't.jsonl:1: labels are "names": the action arguments in the file are ignored'
    assert finding in findings(FULL | {"labels": "names"}, step(action="(go a)"))
    assert finding in findings(step(action="(go a)"), labels=LabelMode.NAMES)


def test_header_keys_that_mean_nothing():
    found = findings(FULL | {"label": "x", "seed": 1}, *enough("(go)"))
    assert found[0] == (
        't.jsonl:1: header keys that mean nothing here: "label", "seed". Did you mean labels?'
    )


def test_full_labels_with_arguments_are_nothing_to_report():
    lines = [step([f"(p {i})"], f"(go {i})", [f"(p {i + 1})"]) for i in range(FEW_SAMPLES)]
    assert findings(FULL, *lines) == []
    bare = findings(FULL, *enough("go"))
    assert len(bare) == 1 and 'labels are "full", yet no action has an argument' in bare[0]


def test_a_predicate_that_is_true_in_refused_states_only_is_seen():
    known = {"dias": "trace/1", "predicates": {"p": ["object"], "q": ["object"]}}
    (never,) = findings(known, *enough("go"))
    assert "predicates that are never true: q;" in never
    (refused,) = findings(known, *enough("go"), step(["(q 1)"], "go", None))
    assert "1 refused attempt(s)" in refused


def always(*lines, **more):
    """What is said to be true in every state, of problems with a constant."""
    plant = {
        "dias": "trace/1", "labels": "names", "constants": ["k"],
        "predicates": {"power": [], "dark": [], "on": ["object"], "big": ["object"]},
        "objects": dict.fromkeys("kab", "object"), "static": ["(power)", "(big k)"],
    } | more  # fmt: skip
    texts = [
        own.split("true in every state: ")[1]
        for own in findings(plant, *lines)
        if "true in every" in own
    ]
    return [own.removesuffix("; which actions need it does not show until a state lacks it")
            for own in texts]  # fmt: skip


def test_what_is_true_of_constants_in_every_state():
    lit = step(["(on k)", "(on a)", "(dark)"], "go", ["(on k)", "(on b)", "(dark)"])
    # That k is big never changes, and is left out of what is learned.
    assert always(lit) == ["(dark), (on k), (power)"]
    assert always(lit, step(["(on k)"], "go", ["(on a)", "(on k)"])) == ["(on k), (power)"]
    assert always(lit, step(["(on k)"], "go", ["(on a)"])) == ["(power)"]
    assert always(lit, step(["(on a)"], "no", None)) == ["(power)"]
    other = {"dias": "trace/1", "labels": "names", "constants": ["k"], "objects": {"k": "object"},
             "static": ["(dark)"]}  # fmt: skip
    assert always(lit, other, step(["(on k)"], "go", ["(on k)"])) == ["(dark), (on k)"]
    # Only what is certain counts, and relations of other objects say nothing.
    assert always(lit | {"unknown": ["(on b)"]}) == []
    assert always(step(["(on a)"], "go", ["(on a)", "(on b)"]), static=[]) == []


def test_of_many_that_are_true_in_every_state_some_are_named():
    flags = {f"f{n}": [] for n in range(7)}
    line = step([f"({name})" for name in flags], "go", [f"({name})" for name in flags])
    assert always(line, predicates=flags, static=[]) == ["(f0), (f1), (f2), (f3), (f4) and 2 more"]


def walks(**kinds):
    """Walks of eight steps: how many say in all states where the robot is, in none, in some."""
    header_line = {"dias": "trace/1", "labels": "names", "objects": dict.fromkeys("abx", "object")}
    lines, number = [header_line], 0
    for kind, n_walks in kinds.items():
        for _ in range(n_walks):
            number += 1
            for place in range(8):
                states = [[f"(lit w{number}s{place + later})", "(at x)"] for later in (0, 1)]
                if kind == "none" or (kind == "some" and place % 2):
                    states = [own[:1] for own in states]
                lines.append(step(states[0], "go", states[1], trace=number, step=place))
    lines[0]["objects"] |= {f"w{n}s{p}": "object" for n in range(1, number + 1) for p in range(9)}
    # What always holds is nobody's question; here it ends once.
    lines.append(step(["(at a)"], "end", ["(lit a)"], trace="last", step=0))
    return [text for text in findings(*lines) if "recorded in all" in text]


def test_a_relation_that_some_walks_do_not_report():
    [text] = walks(all=2, none=1)
    assert text.startswith("t.jsonl:18: in 1 walk(s) of problem without a name no atom of at ever")
    assert "in all states of the 2 others some do: was it recorded in all of them?" in text


def test_a_relation_that_comes_and_goes_is_none_of_these():
    assert not walks(all=2, none=1, some=1)
    assert not walks(all=1, none=2)
    assert not walks(all=3)
