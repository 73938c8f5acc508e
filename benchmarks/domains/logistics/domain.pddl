; Trucks within cities, airplanes between airports. Untyped: the unary predicates overlap
; (an airport is a location, a truck is a vehicle), and one of them is called object.
(define (domain logistics)
  (:requirements :strips :negative-preconditions :equality)
  (:predicates
    (object ?o)
    (truck ?t)
    (airplane ?p)
    (vehicle ?v)
    (location ?l)
    (airport ?l)
    (city ?c)
    (loc ?l ?c)
    (at ?x ?l)
    (in ?o ?v))

  (:action load
    :parameters (?o ?v ?l)
    :precondition (and (object ?o) (vehicle ?v) (location ?l) (at ?v ?l) (at ?o ?l))
    :effect (and (in ?o ?v)
      (not (at ?o ?l))))

  (:action unload
    :parameters (?o ?v ?l)
    :precondition (and (object ?o) (vehicle ?v) (location ?l) (at ?v ?l) (in ?o ?v))
    :effect (and (at ?o ?l)
      (not (in ?o ?v))))

  (:action drive
    :parameters (?t ?l ?m ?c)
    :precondition (and (truck ?t) (location ?l) (location ?m) (city ?c)
      (at ?t ?l) (loc ?l ?c) (loc ?m ?c) (not (= ?l ?m)))
    :effect (and (at ?t ?m)
      (not (at ?t ?l))))

  (:action fly
    :parameters (?p ?a ?b)
    :precondition (and (airplane ?p) (airport ?a) (airport ?b) (at ?p ?a) (not (= ?a ?b)))
    :effect (and (at ?p ?b)
      (not (at ?p ?a)))))
