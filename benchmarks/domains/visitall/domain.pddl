; A robot visits the cells of a grid; where it starts counts as visited.
(define (domain visitall)
  (:requirements :strips)
  (:predicates
    (connected ?c ?n)
    (at-robot ?c)
    (visited ?c))

  (:action move
    :parameters (?c ?n)
    :precondition (and (at-robot ?c) (connected ?c ?n))
    :effect (and (at-robot ?n) (visited ?n)
      (not (at-robot ?c)))))
