; Trucks on a grid, each with room for one package.
(define (domain delivery)
  (:requirements :strips :typing :negative-preconditions :equality)
  (:types
    cell locatable - object
    package truck - locatable)
  (:predicates
    (at ?x - locatable ?c - cell)
    (carrying ?t - truck ?p - package)
    (empty ?t - truck)
    (adjacent ?x ?y - cell))

  (:action pick-package
    :parameters (?t - truck ?p - package ?x - cell)
    :precondition (and (at ?p ?x) (at ?t ?x) (empty ?t))
    :effect (and (carrying ?t ?p)
      (not (at ?p ?x)) (not (empty ?t))))

  (:action drop-package
    :parameters (?t - truck ?p - package ?x - cell)
    :precondition (and (at ?t ?x) (carrying ?t ?p))
    :effect (and (empty ?t) (at ?p ?x)
      (not (carrying ?t ?p))))

  (:action move
    :parameters (?t - truck ?f ?g - cell)
    :precondition (and (adjacent ?f ?g) (at ?t ?f) (not (= ?f ?g)))
    :effect (and (at ?t ?g)
      (not (at ?t ?f)))))
