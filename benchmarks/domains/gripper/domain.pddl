; A robot carries balls between rooms. (eq ?x ?x) holds for every room.
(define (domain gripper)
  (:requirements :strips :negative-preconditions)
  (:predicates
    (room ?r)
    (ball ?o)
    (gripper ?h)
    (at-robby ?r)
    (at ?o ?r)
    (free ?h)
    (carry ?o ?h)
    (eq ?x ?y))

  (:action move
    :parameters (?f ?g)
    :precondition (and (room ?f) (room ?g) (at-robby ?f) (not (eq ?f ?g)))
    :effect (and (at-robby ?g)
      (not (at-robby ?f))))

  (:action pick
    :parameters (?o ?r ?h)
    :precondition (and (ball ?o) (room ?r) (gripper ?h) (at ?o ?r) (at-robby ?r) (free ?h))
    :effect (and (carry ?o ?h)
      (not (at ?o ?r)) (not (free ?h))))

  (:action drop
    :parameters (?o ?r ?h)
    :precondition (and (ball ?o) (room ?r) (gripper ?h) (carry ?o ?h) (at-robby ?r))
    :effect (and (at ?o ?r) (free ?h)
      (not (carry ?o ?h)))))
