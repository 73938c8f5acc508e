; A robot drives over a field. Where the crop is ripe, driving there also reaps it: what a move
; does depends on the state. Said in STRIPS, it is two actions.
(define (domain harvest)
  (:requirements :strips :negative-preconditions)
  (:predicates (at ?c) (beside ?c ?d) (ripe ?c) (reaped ?c))

  (:action move-1
    :parameters (?from ?to)
    :precondition (and (at ?from) (beside ?from ?to) (not (ripe ?to)))
    :effect (and (at ?to) (not (at ?from))))

  (:action move-2
    :parameters (?from ?to)
    :precondition (and (at ?from) (beside ?from ?to) (ripe ?to))
    :effect (and (at ?to) (not (at ?from)) (reaped ?to) (not (ripe ?to)))))
