; Drivers walk on paths, trucks drive on links.
(define (domain driverlog)
  (:requirements :strips :typing)
  (:types
    location locatable - object
    driver truck obj - locatable)
  (:predicates
    (at ?x - locatable ?l - location)
    (in ?o - obj ?t - truck)
    (driving ?d - driver ?t - truck)
    (link ?x ?y - location)
    (path ?x ?y - location)
    (empty ?t - truck))

  (:action LOAD-TRUCK
    :parameters (?o - obj ?t - truck ?l - location)
    :precondition (and (at ?t ?l) (at ?o ?l))
    :effect (and (in ?o ?t)
      (not (at ?o ?l))))

  (:action UNLOAD-TRUCK
    :parameters (?o - obj ?t - truck ?l - location)
    :precondition (and (at ?t ?l) (in ?o ?t))
    :effect (and (at ?o ?l)
      (not (in ?o ?t))))

  (:action BOARD-TRUCK
    :parameters (?d - driver ?t - truck ?l - location)
    :precondition (and (at ?t ?l) (at ?d ?l) (empty ?t))
    :effect (and (driving ?d ?t)
      (not (at ?d ?l)) (not (empty ?t))))

  (:action DISEMBARK-TRUCK
    :parameters (?d - driver ?t - truck ?l - location)
    :precondition (and (at ?t ?l) (driving ?d ?t))
    :effect (and (at ?d ?l) (empty ?t)
      (not (driving ?d ?t))))

  (:action DRIVE-TRUCK
    :parameters (?t - truck ?f ?g - location ?d - driver)
    :precondition (and (at ?t ?f) (driving ?d ?t) (link ?f ?g))
    :effect (and (at ?t ?g)
      (not (at ?t ?f))))

  (:action WALK
    :parameters (?d - driver ?f ?g - location)
    :precondition (and (at ?d ?f) (path ?f ?g))
    :effect (and (at ?d ?g)
      (not (at ?d ?f)))))
