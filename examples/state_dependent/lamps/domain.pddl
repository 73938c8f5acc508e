; Somebody walks through a house and presses switches. Pressing one toggles its lamp: what it does
; depends on the state. Said in STRIPS, it is two actions.
(define (domain lamps)
  (:requirements :strips :typing :negative-preconditions)
  (:types room lamp)
  (:predicates (at ?r - room) (door ?r ?q - room) (switch ?l - lamp ?r - room) (lit ?l - lamp))

  (:action walk
    :parameters (?from ?to - room)
    :precondition (and (at ?from) (door ?from ?to))
    :effect (and (at ?to) (not (at ?from))))

  (:action press-1
    :parameters (?l - lamp ?r - room)
    :precondition (and (at ?r) (switch ?l ?r) (not (lit ?l)))
    :effect (lit ?l))

  (:action press-2
    :parameters (?l - lamp ?r - room)
    :precondition (and (at ?r) (switch ?l ?r) (lit ?l))
    :effect (not (lit ?l))))
