; The Towers of Hanoi. (smaller ?x ?y): disc x may lie on y, a larger disc or a peg.
(define (domain hanoi)
  (:requirements :strips :negative-preconditions :equality)
  (:predicates
    (clear ?x)
    (on ?x ?y)
    (smaller ?x ?y))

  (:action move
    :parameters (?d ?f ?t)
    :precondition (and (smaller ?d ?f) (smaller ?d ?t) (on ?d ?f) (clear ?d) (clear ?t)
      (not (= ?d ?f)) (not (= ?d ?t)) (not (= ?f ?t)))
    :effect (and (clear ?f) (on ?d ?t)
      (not (on ?d ?f)) (not (clear ?t)))))
