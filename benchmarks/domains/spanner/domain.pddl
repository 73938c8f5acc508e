; A man walks one way, from the shed to the gate; each spanner tightens one nut.
(define (domain spanner)
  (:requirements :strips :typing)
  (:types
    location locatable - object
    man nut spanner - locatable)
  (:predicates
    (at ?x - locatable ?l - location)
    (carrying ?m - man ?s - spanner)
    (useable ?s - spanner)
    (link ?x ?y - location)
    (tightened ?n - nut)
    (loose ?n - nut))

  (:action walk
    :parameters (?a ?b - location ?m - man)
    :precondition (and (at ?m ?a) (link ?a ?b))
    :effect (and (at ?m ?b)
      (not (at ?m ?a))))

  (:action pickup_spanner
    :parameters (?l - location ?s - spanner ?m - man)
    :precondition (and (at ?m ?l) (at ?s ?l))
    :effect (and (carrying ?m ?s)
      (not (at ?s ?l))))

  (:action tighten_nut
    :parameters (?l - location ?s - spanner ?m - man ?n - nut)
    :precondition (and (at ?m ?l) (at ?n ?l) (carrying ?m ?s) (useable ?s) (loose ?n))
    :effect (and (tightened ?n)
      (not (loose ?n)) (not (useable ?s)))))
