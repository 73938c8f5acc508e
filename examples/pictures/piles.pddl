; Blocks in piles. A slot is a place for one block, and (above ?s ?t) says that s is directly above t.
; The topmost block of a pile goes onto another pile, or to a place on the floor that is empty.
(define (domain piles)
  (:requirements :strips :negative-preconditions :equality)
  (:predicates
    (block ?b)
    (slot ?s)
    (floor ?s)
    (above ?s ?t)
    (at ?b ?s)
    (empty ?s))

  (:action set-down
    :parameters (?b ?from ?over ?to)
    :precondition (and (block ?b) (slot ?from) (slot ?over) (slot ?to) (at ?b ?from)
      (above ?over ?from) (empty ?over) (empty ?to) (floor ?to))
    :effect (and (at ?b ?to) (empty ?from) (not (at ?b ?from)) (not (empty ?to))))

  (:action stack
    :parameters (?b ?from ?over ?to ?under)
    :precondition (and (block ?b) (slot ?from) (slot ?over) (slot ?to) (slot ?under) (at ?b ?from)
      (above ?over ?from) (empty ?over) (empty ?to) (above ?to ?under) (not (empty ?under))
      (not (= ?under ?from)))
    :effect (and (at ?b ?to) (empty ?from) (not (at ?b ?from)) (not (empty ?to)))))
