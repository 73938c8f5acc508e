"""Small worlds with constants: in literals, effects and inequalities, alone or among parameters."""

from __future__ import annotations

from tests.learning.worlds import World

COURIER = World(
    """
; Parcels are loaded at the depot while it is open and delivered anywhere but there.
(define (domain courier) (:requirements :strips :typing :equality :negative-preconditions)
  (:types place parcel car)
  (:constants depot - place van - car)
  (:predicates (in ?v - car ?p - place) (lies ?x - parcel ?p - place) (loaded ?x - parcel)
    (open ?p - place) (dirty ?v - car) (road ?p ?q - place))
  (:action drive
    :parameters (?p ?q - place)
    :precondition (and (in van ?p) (road ?p ?q))
    :effect (and (in van ?q) (not (in van ?p)) (dirty van)))
  (:action load
    :parameters (?x - parcel)
    :precondition (and (in van depot) (lies ?x depot) (open depot))
    :effect (and (loaded ?x) (not (lies ?x depot))))
  (:action deliver
    :parameters (?x - parcel ?p - place)
    :precondition (and (in van ?p) (loaded ?x) (not (= ?p depot)))
    :effect (and (lies ?x ?p) (not (loaded ?x))))
  (:action take-back
    :parameters (?x - parcel ?p - place)
    :precondition (and (in van ?p) (lies ?x ?p) (not (open depot)))
    :effect (and (lies ?x depot) (not (lies ?x ?p))))
  (:action wash
    :parameters ()
    :precondition (and (in van depot) (dirty van))
    :effect (not (dirty van)))
  (:action shut
    :parameters ()
    :precondition (open depot)
    :effect (not (open depot)))
  (:action unlock
    :parameters ()
    :precondition (not (open depot))
    :effect (open depot)))
""",
    lambda n_places, n_parcels: [
        "in van depot", "open depot", "road depot place0", "road place0 depot",
        *(f"lies parcel{i} depot" for i in range(n_parcels)),
        *(f"road place{i} place{(i + 1) % n_places}" for i in range(n_places)),
    ],
    {"place": 3, "parcel": 2},
    {"place": 4, "parcel": 3},
)  # fmt: skip

HOME = World(
    """
; Any room may be swept, the bed's too; a child may go from a room to itself.
(define (domain home) (:requirements :strips :typing)
  (:types room child)
  (:constants kitchen bed - room)
  (:predicates (at ?c - child ?r - room) (hungry ?c - child) (tired ?c - child)
    (clean ?r - room))
  (:action go
    :parameters (?c - child ?a ?b - room)
    :precondition (at ?c ?a)
    :effect (and (not (at ?c ?a)) (at ?c ?b)))
  (:action call
    :parameters (?c - child ?a - room)
    :precondition (and (at ?c ?a) (clean kitchen))
    :effect (and (at ?c kitchen) (not (at ?c ?a))))
  (:action eat
    :parameters (?c - child)
    :precondition (and (at ?c kitchen) (hungry ?c))
    :effect (and (not (hungry ?c)) (tired ?c) (not (clean kitchen))))
  (:action sleep
    :parameters (?c - child)
    :precondition (and (at ?c bed) (tired ?c))
    :effect (and (hungry ?c) (not (tired ?c)) (not (clean bed))))
  (:action sweep
    :parameters (?c - child ?r - room)
    :precondition (at ?c ?r)
    :effect (clean ?r)))
""",
    lambda n_rooms, n_children: [
        "clean kitchen",
        *(f"at child{i} room{i % n_rooms}" for i in range(n_children)),
        *(f"hungry child{i}" for i in range(n_children)),
    ],
    {"room": 2, "child": 2},
    {"room": 3, "child": 2},
)

LIFT = World(
    """
; No types, and a fact without objects; the ground floor is where a lift is reset to.
(define (domain lift) (:requirements :strips :equality :negative-preconditions)
  (:constants ground)
  (:predicates (at ?f) (above ?f ?g) (rung) (lit ?f))
  (:action up
    :parameters (?f ?g)
    :precondition (and (at ?f) (above ?g ?f))
    :effect (and (at ?g) (not (at ?f))))
  (:action reset
    :parameters (?f)
    :precondition (and (at ?f) (rung))
    :effect (and (at ground) (not (at ?f)) (not (rung))))
  (:action ring
    :parameters ()
    :precondition (not (rung))
    :effect (rung))
  (:action greet
    :parameters ()
    :precondition (and (at ground) (not (lit ground)))
    :effect (lit ground))
  (:action press
    :parameters (?f)
    :precondition (and (at ?f) (not (= ?f ground)) (not (lit ?f)))
    :effect (lit ?f))
  (:action dim
    :parameters (?f)
    :precondition (and (at ?f) (lit ?f))
    :effect (not (lit ?f))))
""",
    lambda n_floors: [
        "at ground", "above floor0 ground",
        *(f"above floor{i + 1} floor{i}" for i in range(n_floors - 1)),
    ],
    {"floor": 4},
    {"floor": 6},
)  # fmt: skip

STACKS = World(
    """
; The base is always bare, whatever is put there: it is added, which wins over what is deleted.
(define (domain stacks) (:requirements :strips :equality :negative-preconditions)
  (:constants base)
  (:predicates (stacked ?x ?y) (bare ?x) (hot ?x) (cold ?x))
  (:action lift
    :parameters (?x ?y ?z)
    :precondition (and (stacked ?x ?y) (bare ?x) (bare ?z) (not (= ?x ?z)))
    :effect (and (stacked ?x ?z) (bare ?y) (bare base) (not (stacked ?x ?y)) (not (bare ?z))))
  (:action heat
    :parameters (?x)
    :precondition (and (stacked ?x base) (cold ?x) (not (hot base)))
    :effect (and (hot ?x) (not (cold ?x))))
  (:action warm
    :parameters ()
    :precondition (cold base)
    :effect (and (hot base) (not (cold base))))
  (:action cool
    :parameters (?x)
    :precondition (hot ?x)
    :effect (and (cold ?x) (not (hot ?x)))))
""",
    lambda n_blocks: [
        "bare base", "cold base",
        *(f"{words}" for i in range(n_blocks)
          for words in (f"stacked block{i} base", f"bare block{i}", f"cold block{i}")),
    ],
    {"block": 4},
    {"block": 5},
)  # fmt: skip

WORLDS = {"home": HOME, "courier": COURIER, "lift": LIFT, "stacks": STACKS}
