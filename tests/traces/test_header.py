"""Header lines: what they declare, what they may not say, how several of them agree."""

import pytest

from dias.errors import TraceError
from dias.strips.model import Predicate
from dias.traces.reading.header import Header
from dias.traces.record import LabelMode
from tests.traces.files import DRIVE, HEADER, atoms, header, read, step


def test_types_that_only_objects_and_predicates_name_are_children_of_the_root():
    head = {"dias": "trace/1", "objects": {"a": "bay", "b": "bay"}, "predicates": {"p": ["bay"]}}
    traces = read(head, step())
    assert traces.types == {"bay": "object"}
    assert traces.segments[0].objects == {"a": "bay", "b": "bay"}
    traces = read(head | {"predicates": {"p": ["bay"], "q": [["van", "tram"]]}}, step())
    assert traces.types == dict.fromkeys(("bay", "tram", "van"), "object")


def test_without_a_header_the_problem_has_no_name():
    assert [segment.problem for segment in read(step()).segments] == [""]


def test_a_parent_that_has_no_parent_is_a_child_of_the_root():
    traces = read(header(types={"car": "vehicle", "bay": "object", "object": "object"}), DRIVE)
    assert traces.types == {"bay": "object", "car": "vehicle", "vehicle": "object"}


def test_types_without_predicates():
    traces = read(header(predicates=None), DRIVE)
    assert traces.types == {"bay": "object", "car": "vehicle", "vehicle": "object"}
    assert [predicate.name for predicate in traces.predicates] == ["at", "idle", "road"]


def test_a_parameter_with_alternatives():
    head = header(types=None, predicates=HEADER["predicates"] | {"at": [["tram", "car"], "bay"]})
    assert read(head, DRIVE).predicates[0] == Predicate("at", (("car", "tram"), ("bay",)))


def test_types_are_ignored_where_objects_are_not_listed():
    traces = read(header(objects=None), DRIVE)
    assert traces.types == {}
    assert traces.predicates[0] == Predicate("at", (("object",), ("object",)))
    assert traces.segments[0].objects == dict.fromkeys(("c", "m", "n"), "object")
    assert any("types are ignored" in finding for finding in traces.findings)
    assert not any("types are ignored" in finding for finding in read(step()).findings)


BAD_HEADERS = [
    ({"dias": "trace/2"}, 'dias: expected "trace/1", found "trace/2"'),
    ({"dias": None}, 'dias: expected "trace/1", found null'),
    ({"domain": 3}, "domain: expected a name, found 3"),
    ({"problem": "my problem"}, 'problem: expected a name without blanks.*, found "my problem"'),
    ({"labels": "all"}, 'labels: expected one of "full", "partial", "names", found "all"'),
    ({"labels": ["full"]}, "labels: expected one of .*, found an array"),
    ({"types": ["car"]}, "types: expected an object .*, found an array"),
    ({"types": {"car": 1}}, "types.car: expected a name, found 1"),
    ({"types": {"a": "b", "b": "c", "c": "b"}}, "types: .* without cycles, found b - c - b"),
    ({"types": {"a": "a"}}, "types: .* without cycles, found a - a"),
    ({"types": {"object": "thing"}}, "types.object: expected no parent"),
    ({"types": {"vehicle": "object"}}, r'objects.c: expected a type from "types", found car'),
    ({"types": {"car": "object", "bay": "object"}}, r"predicates.at\[0\]: .*, found vehicle"),
    ({"predicates": ["at"]}, "predicates: expected an object .*, found an array"),
    ({"predicates": {"at": 2}}, "predicates.at: expected an array of types, found 2"),
    ({"predicates": {"at": [None]}}, r"predicates.at\[0\]: expected a name, found null"),
    ({"predicates": {"a t": []}}, 'predicates: expected a name .*, found "a t"'),
    ({"predicates": {"at": [], "AT": ["bay"]}}, "predicates.at: expected one entry"),
    ({"objects": ["c"]}, "objects: expected an object .*, found an array"),
    ({"objects": {"c": "car", "C": "bay"}}, "objects.c: expected one entry"),
    ({"actions": "drive"}, 'actions: expected an array of names, found "drive"'),
    ({"actions": ["drive", 2]}, r"actions\[1\]: expected a name, found 2"),
    ({"constants": "n"}, 'constants: expected an array of names, found "n"'),
    ({"constants": ["n", 2]}, r"constants\[1\]: expected a name, found 2"),
    ({"constants": ["n", "k"]}, r'constants\[0\]: expected a name from "objects", found k'),
    ({"static": {"road": 1}}, "static: expected an array of atoms, found an object"),
    ({"static": ["road"]}, r"static\[0\]: expected a list of names"),
    ({"static": ["(road n k)"]}, r'static\[0\]: expected a name from "objects", found k'),
    ({"static": ["(road n)"]}, r"static\[0\]: expected predicate road of arity 2 as in line 2"),
    ({"static": ["(road n c)"]}, r"static\[0\]: expected an object of type bay, found c of type"),
    ({"static": [["road", "n", float("nan")]]}, r"static\[0\]\[2\]: .*finite number, found NaN"),
    ({"next": None}, 'states on lines of their own, found "next" in a header'),
]


@pytest.mark.parametrize(("changes", "message"), BAD_HEADERS)
def test_a_bad_header_is_an_error_even_where_bad_lines_are_skipped(changes, message):
    for options in ({}, {"skip_bad_lines": True}):
        with pytest.raises(TraceError, match=r"t.jsonl:2: .*" + message) as caught:
            read(step(["(idle)"], "a", []), HEADER | changes, DRIVE, **options)
        assert caught.value.remedy


def test_a_header_that_is_no_json_is_told_by_its_key():
    with pytest.raises(TraceError, match=r"t.jsonl:1: .*Correct the header"):
        read('{"dias": "trace/1", "labels": }', DRIVE, skip_bad_lines=True)


def test_each_header_holds_for_the_lines_after_it():
    second = header(
        problem="p02",
        objects={"d": "car", "x": "bay"},
        predicates={"at": ["vehicle", "bay"], "full": ["bay"]},
        static=None,
        actions=["fill"],
    )
    fill = step(["(at d x)"], "fill", ["(at d x)", "(full x)"])
    traces = read(HEADER, DRIVE, second, fill, HEADER, DRIVE)
    assert [segment.problem for segment in traces.segments] == ["p01", "p02"]
    assert [segment.static for segment in traces.segments] == [atoms("road n m"), frozenset()]
    assert [(t.segment, t.count, t.line) for t in traces.transitions] == [(0, 2, 2), (1, 1, 4)]
    assert [predicate.name for predicate in traces.predicates] == ["at", "full", "idle", "road"]
    assert traces.actions == ("drive", "fill", "park")
    with pytest.raises(TraceError, match=r't.jsonl:5: .*a name from "objects", found c'):
        read(HEADER, DRIVE, second, fill, DRIVE)


def test_a_header_without_lines_makes_no_segment():
    traces = read(HEADER, header(problem="p02"), DRIVE)
    assert [segment.problem for segment in traces.segments] == ["p02"]


def test_many_headers_are_not_compared_with_each_other(monkeypatch):
    """A header for each walk, without problem names: the time must not grow with the square."""
    n_compared = 0
    same = Header.__eq__

    def counting(one, other):
        nonlocal n_compared
        n_compared += 1
        return same(one, other)

    monkeypatch.setattr(Header, "__eq__", counting)
    heads = [header(problem=None, objects=HEADER["objects"] | {f"x{i}": "bay"}) for i in range(50)]
    traces = read(*(line for head in heads + heads for line in (head, DRIVE)))
    assert len(traces.segments) == 50
    assert n_compared < 100


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"domain": "other"}, "expected domain yard as in line 1, found domain other"),
        (
            {"types": HEADER["types"] | {"car": "object"}},
            "type car with parent vehicle as in line 1",
        ),
        (
            {"types": HEADER["types"] | {"vehicle": "car"}},
            "type vehicle with parent object as in l",
        ),
        ({"predicates": {"at": ["car"]}, "static": []}, "predicate at of arity 2 as in line 1"),
        (
            {"predicates": HEADER["predicates"] | {"at": ["car", "bay"]}},
            r"expected \(at vehicle bay\) as in line 1, found \(at car bay\)",
        ),
        ({"labels": "full"}, 'labels "names" as in the segment of line 1, found "full"'),
    ],
)
def test_headers_that_disagree(changes, message):
    for options in ({}, {"skip_bad_lines": True}):
        with pytest.raises(TraceError, match=r"t.jsonl:3: .*" + message):
            read(HEADER, DRIVE, HEADER | {"problem": "p02"} | changes, DRIVE, **options)


def test_a_header_must_agree_with_the_atoms_before_it():
    with pytest.raises(TraceError, match=r"t.jsonl:2: .*predicate at of arity 1 as in line 1"):
        read(step(["(at c)"], "a", []), HEADER, DRIVE)


def test_the_given_labels_overrule_headers_that_disagree():
    second = header(problem="p02", labels="full")
    traces = read(HEADER, DRIVE, second, DRIVE, labels=LabelMode.STRIPS_PLUS)
    assert traces.labels is LabelMode.STRIPS_PLUS


def test_a_constant_is_an_object_of_every_segment():
    """Also of one that does not list it; lines after the header that names it may use it."""
    first = header(constants=["N", "n"])
    second = header(problem="p02", objects={"d": "car", "x": "bay"}, static=None)
    there = step(["(at d n)"], "drive", ["(at d x)"])
    traces = read(first, DRIVE, second, there)
    assert traces.constants == {"n": "bay"}
    assert list(traces.segments[0].objects) == ["c", "m", "n"]
    assert list(traces.segments[1].objects.items()) == [("d", "car"), ("n", "bay"), ("x", "bay")]
    assert read(HEADER, DRIVE).constants == {}


def test_a_constant_that_a_later_header_names_is_an_object_of_the_segments_before_it():
    second = header(problem="p02", objects={"c": "car", "z": "bay", "k": "bay"}, static=None)
    there = step(["(at c k)"], "drive", ["(at c z)"])
    traces = read(HEADER, DRIVE, second | {"constants": ["z", "k"]}, there)
    assert list(traces.constants.items()) == [("k", "bay"), ("z", "bay")]
    assert list(traces.segments[0].objects) == ["c", "k", "m", "n", "z"]
    earlier = read(second | {"constants": ["k", "z"]}, there, HEADER | {"constants": ["k"]}, DRIVE)
    assert [set(s.objects) for s in earlier.segments] == [set("ckz"), set("ckmnz")]


def test_constants_without_a_table_of_objects():
    """They count as objects of the segment, and are untyped as all objects then are."""
    bare = {"dias": "trace/1", "constants": ["k", "a"]}
    traces = read(bare, step())
    assert traces.constants == {"a": "object", "k": "object"}
    assert traces.segments[0].objects == dict.fromkeys("abk", "object")
    mixed = read(HEADER | {"constants": ["n"]}, DRIVE, bare, step())
    assert mixed.constants == dict.fromkeys("akn", "object")
    assert mixed.segments[0].objects == dict.fromkeys("ackmn", "object")
    typed = read(bare | {"constants": ["n"]}, HEADER, DRIVE)
    assert (len(typed.segments), typed.constants) == (1, {"n": "bay"})


def test_a_constant_has_one_type_in_all_problems():
    here = header(constants=["m"])
    other = {"problem": "p02", "static": [], "objects": {"c": "car", "m": "car", "n": "bay"}}
    message = "constants: expected one type for m in all headers, found bay in line 1 and car in"
    for lines in ((here, HEADER | other), (HEADER, here | other)):
        with pytest.raises(TraceError, match=rf"t.jsonl:3: {message} line 3.*Correct the header"):
            read(lines[0], DRIVE, lines[1], DRIVE)
    with pytest.raises(TraceError, match=rf"t.jsonl:3: {message} line 2"):
        read(HEADER, HEADER | other, here, DRIVE)
    stay = step(["(at c n)"], "park", ["(at c n)"])
    assert read(HEADER, DRIVE, HEADER | other, stay).constants == {}
