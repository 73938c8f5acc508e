"""Small worlds in which two parameters may be one object."""

from __future__ import annotations

from tests.learning.worlds import World

BUS = World(
    """
; A bus may go round a square to where it is; a passenger may swap seats with itself.
(define (domain bus) (:requirements :strips :typing)
  (:types person seat stop)
  (:predicates (bus-at ?s - stop) (road ?s ?t - stop) (waits ?p - person ?s - stop)
    (sits ?p - person ?c - seat) (free ?c - seat))
  (:action drive
    :parameters (?s ?t - stop)
    :precondition (and (bus-at ?s) (road ?s ?t))
    :effect (and (not (bus-at ?s)) (bus-at ?t)))
  (:action board
    :parameters (?p - person ?s - stop ?c - seat)
    :precondition (and (waits ?p ?s) (bus-at ?s) (free ?c))
    :effect (and (sits ?p ?c) (not (waits ?p ?s)) (not (free ?c))))
  (:action alight
    :parameters (?p - person ?s - stop ?c - seat)
    :precondition (and (sits ?p ?c) (bus-at ?s))
    :effect (and (waits ?p ?s) (free ?c) (not (sits ?p ?c))))
  (:action swap
    :parameters (?p ?q - person ?c ?d - seat)
    :precondition (and (sits ?p ?c) (sits ?q ?d))
    :effect (and (sits ?p ?d) (sits ?q ?c) (not (sits ?p ?c)) (not (sits ?q ?d)))))
""",
    lambda n_people, n_seats, n_stops: [
        "bus-at stop0", "road stop0 stop0", "road stop1 stop0",
        *(f"waits person{i} stop{i % n_stops}" for i in range(n_people)),
        *(f"free seat{i}" for i in range(n_seats)),
        *(f"road stop{i} stop{(i + 1) % n_stops}" for i in range(n_stops)),
    ],
    {"person": 3, "seat": 3, "stop": 3},
    {"person": 4, "seat": 4, "stop": 4},
)  # fmt: skip

AIR = World(
    """
; A plane may fly from a city to itself: it burns fuel all the same.
(define (domain air) (:requirements :strips :typing)
  (:types plane city level)
  (:predicates (at ?a - plane ?c - city) (fuel ?a - plane ?l - level) (next ?l ?m - level))
  (:action fly
    :parameters (?a - plane ?c ?d - city ?l ?m - level)
    :precondition (and (at ?a ?c) (fuel ?a ?l) (next ?m ?l))
    :effect (and (at ?a ?d) (not (at ?a ?c)) (fuel ?a ?m) (not (fuel ?a ?l))))
  (:action refuel
    :parameters (?a - plane ?l ?m - level)
    :precondition (and (fuel ?a ?l) (next ?l ?m))
    :effect (and (fuel ?a ?m) (not (fuel ?a ?l)))))
""",
    lambda n_planes, n_cities, n_levels: [
        *(f"at plane{i} city{i % n_cities}" for i in range(n_planes)),
        *(f"fuel plane{i} level{n_levels - 1}" for i in range(n_planes)),
        *(f"next level{i} level{i + 1}" for i in range(n_levels - 1)),
    ],
    {"plane": 2, "city": 3, "level": 3},
    {"plane": 3, "city": 3, "level": 4},
)

ROOMS = World(
    """
; The robot may move from a room to itself, which changes nothing.
(define (domain rooms) (:requirements :strips :typing)
  (:types robot room ball)
  (:predicates (at ?r - robot ?a - room) (lies ?b - ball ?a - room) (idle ?r - robot)
    (holds ?r - robot ?b - ball))
  (:action move
    :parameters (?r - robot ?a ?b - room)
    :precondition (at ?r ?a)
    :effect (and (not (at ?r ?a)) (at ?r ?b)))
  (:action pick
    :parameters (?r - robot ?b - ball ?a - room)
    :precondition (and (at ?r ?a) (lies ?b ?a) (idle ?r))
    :effect (and (holds ?r ?b) (not (lies ?b ?a)) (not (idle ?r))))
  (:action put
    :parameters (?r - robot ?b - ball ?a - room)
    :precondition (and (at ?r ?a) (holds ?r ?b))
    :effect (and (lies ?b ?a) (idle ?r) (not (holds ?r ?b)))))
""",
    lambda n_robots, n_rooms, n_balls: [
        *(f"at robot{i} room{i % n_rooms}" for i in range(n_robots)),
        *(f"idle robot{i}" for i in range(n_robots)),
        *(f"lies ball{i} room{i % n_rooms}" for i in range(n_balls)),
    ],
    {"robot": 1, "room": 3, "ball": 2},
    {"robot": 2, "room": 3, "ball": 3},
)

SHELVES = World(
    """
; Two shelves, which must differ, may hold equally many books, or one after the other.
(define (domain shelves) (:requirements :strips :typing :equality :negative-preconditions)
  (:types shelf book number)
  (:predicates (on ?b - book ?s - shelf) (count ?s - shelf ?n - number) (next ?n ?m - number))
  (:action shift
    :parameters (?b - book ?s ?t - shelf ?n ?m ?k ?l - number)
    :precondition (and (on ?b ?s) (count ?s ?n) (next ?m ?n) (count ?t ?k) (next ?k ?l)
      (not (= ?s ?t)))
    :effect (and (on ?b ?t) (not (on ?b ?s)) (count ?s ?m) (not (count ?s ?n))
      (count ?t ?l) (not (count ?t ?k)))))
""",
    lambda n_shelves, n_books, n_numbers: [
        *(f"on book{i} shelf{i % n_shelves}" for i in range(n_books)),
        *(f"count shelf{i} number{(n_books - i - 1) // n_shelves + 1}" for i in range(n_shelves)),
        *(f"next number{i} number{i + 1}" for i in range(n_numbers - 1)),
    ],
    {"shelf": 3, "book": 4, "number": 5},
    {"shelf": 4, "book": 6, "number": 7},
)

FEAST = World(
    """
; Whoever is rested may feed another, or itself.
(define (domain feast) (:requirements :strips :typing)
  (:types person dish)
  (:predicates (hungry ?p - person) (fed ?p - person) (rested ?p - person) (tired ?p - person)
    (ready ?d - dish))
  (:action feed
    :parameters (?p ?q - person ?d - dish)
    :precondition (and (rested ?p) (hungry ?q) (ready ?d))
    :effect (and (tired ?p) (not (rested ?p)) (fed ?q) (not (hungry ?q)) (not (ready ?d))))
  (:action cook
    :parameters (?p - person ?d - dish)
    :precondition (rested ?p)
    :effect (and (ready ?d) (tired ?p) (not (rested ?p))))
  (:action sleep
    :parameters (?p - person)
    :precondition (tired ?p)
    :effect (and (rested ?p) (not (tired ?p)) (hungry ?p) (not (fed ?p)))))
""",
    lambda n_people, n_dishes: [
        f"{word} person{i}" for i in range(n_people) for word in ("rested", "hungry")
    ],
    {"person": 3, "dish": 2},
    {"person": 4, "dish": 3},
)

GLUE = World(
    """
; Two that are tied, or painted, may be one: two effects are one atom.
(define (domain glue) (:requirements :strips :negative-preconditions)
  (:predicates (loose ?x) (tied ?x ?y) (red ?x))
  (:action tie
    :parameters (?x ?y)
    :precondition (and (loose ?x) (loose ?y))
    :effect (and (tied ?x ?y) (tied ?y ?x) (not (loose ?x)) (not (loose ?y))))
  (:action untie
    :parameters (?x ?y)
    :precondition (and (tied ?x ?y) (tied ?y ?x))
    :effect (and (not (tied ?x ?y)) (not (tied ?y ?x)) (loose ?x) (loose ?y)))
  (:action paint
    :parameters (?x ?y)
    :precondition (and (tied ?x ?y) (not (red ?x)) (not (red ?y)))
    :effect (and (red ?x) (red ?y)))
  (:action bleach
    :parameters (?x)
    :precondition (red ?x)
    :effect (not (red ?x))))
""",
    lambda n: [f"loose o{i}" for i in range(n)],
    {"o": 4},
    {"o": 5},
)

LAMPS = World(
    """
; A place is noted by the light of a lamp that is seen from there: there or elsewhere.
(define (domain lamps) (:requirements :strips :typing)
  (:types place)
  (:predicates (at ?p - place) (path ?p ?q - place) (sees ?p ?q - place) (noted ?p - place)
    (lit ?p - place) (dark ?p - place))
  (:action walk
    :parameters (?p ?q - place)
    :precondition (and (at ?p) (path ?p ?q))
    :effect (and (not (at ?p)) (at ?q)))
  (:action light
    :parameters (?p - place)
    :precondition (and (at ?p) (dark ?p))
    :effect (and (lit ?p) (not (dark ?p))))
  (:action douse
    :parameters (?p - place)
    :precondition (and (at ?p) (lit ?p))
    :effect (and (dark ?p) (not (lit ?p))))
  (:action note
    :parameters (?p ?q - place)
    :precondition (and (at ?p) (sees ?p ?q) (lit ?q))
    :effect (noted ?p))
  (:action forget
    :parameters (?p - place)
    :precondition (and (at ?p) (noted ?p))
    :effect (not (noted ?p))))
""",
    lambda n: [
        "at place0",
        *(f"dark place{i}" for i in range(n)),
        *(f"sees place{i} place{j % n}" for i in range(n) for j in (2 * i, 3 * i + 1)),
        *(f"path place{i % n} place{j % n}" for k in range(n) for i, j in ((k, k + 1), (k + 1, k))),
    ],
    {"place": 6},
    {"place": 9},
)

GUARDS = World(
    """
; A guard leaves a post where another one stands, who is not that guard.
(define (domain guards) (:requirements :strips :typing :equality :negative-preconditions)
  (:types guard post)
  (:predicates (stands ?g - guard ?p - post) (off ?g - guard))
  (:action leave
    :parameters (?g ?h - guard ?p - post)
    :precondition (and (stands ?g ?p) (stands ?h ?p) (not (= ?g ?h)))
    :effect (and (off ?g) (not (stands ?g ?p))))
  (:action come
    :parameters (?g - guard ?p - post)
    :precondition (off ?g)
    :effect (and (stands ?g ?p) (not (off ?g)))))
""",
    lambda n_guards, n_posts: [f"off guard{i}" for i in range(n_guards)],
    {"guard": 4, "post": 2},
    {"guard": 5, "post": 3},
)

WORLDS = {
    "air": AIR,
    "bus": BUS,
    "rooms": ROOMS,
    "shelves": SHELVES,
    "feast": FEAST,
    "glue": GLUE,
    "lamps": LAMPS,
    "guards": GUARDS,
}
