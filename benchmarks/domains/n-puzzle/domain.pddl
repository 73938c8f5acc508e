; The sliding-tile puzzle. (above ?x ?y): cell x is directly above cell y; (right ?x ?y) likewise.
; Tile t slides from cell c to the blank cell d.
(define (domain n-puzzle)
  (:requirements :strips)
  (:predicates
    (tile ?t)
    (cell ?c)
    (at ?t ?c)
    (blank ?c)
    (above ?x ?y)
    (right ?x ?y))

  (:action move-up
    :parameters (?t ?c ?d)
    :precondition (and (tile ?t) (cell ?c) (cell ?d) (at ?t ?c) (blank ?d) (above ?d ?c))
    :effect (and (at ?t ?d) (blank ?c)
      (not (at ?t ?c)) (not (blank ?d))))

  (:action move-down
    :parameters (?t ?c ?d)
    :precondition (and (tile ?t) (cell ?c) (cell ?d) (at ?t ?c) (blank ?d) (above ?c ?d))
    :effect (and (at ?t ?d) (blank ?c)
      (not (at ?t ?c)) (not (blank ?d))))

  (:action move-left
    :parameters (?t ?c ?d)
    :precondition (and (tile ?t) (cell ?c) (cell ?d) (at ?t ?c) (blank ?d) (right ?c ?d))
    :effect (and (at ?t ?d) (blank ?c)
      (not (at ?t ?c)) (not (blank ?d))))

  (:action move-right
    :parameters (?t ?c ?d)
    :precondition (and (tile ?t) (cell ?c) (cell ?d) (at ?t ?c) (blank ?d) (right ?d ?c))
    :effect (and (at ?t ?d) (blank ?c)
      (not (at ?t ?c)) (not (blank ?d)))))
