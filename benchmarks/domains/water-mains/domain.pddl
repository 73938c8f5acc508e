; Tanks joined by valves. Water flows anywhere while the pump runs, and downhill in any case.
; Springs stay full. (above ?a ?b): tank a lies higher than tank b, which a valve joins to it.
(define (domain water-mains)
  (:requirements :strips :typing :negative-preconditions :equality)
  (:types valve tank)
  (:predicates
    (joins ?v - valve ?a - tank)
    (above ?a ?b - tank)
    (spring ?a - tank)
    (pumping)
    (full ?a - tank)
    (open ?v - valve)
    (greased ?v - valve))

  (:action start-pump
    :parameters ()
    :precondition (and (not (pumping)))
    :effect (and (pumping)))

  (:action stop-pump
    :parameters ()
    :precondition (and (pumping))
    :effect (and (not (pumping))))

  ; Turning a valve wears the grease off.
  (:action open-valve
    :parameters (?v - valve)
    :precondition (and (not (open ?v)))
    :effect (and (open ?v)
      (not (greased ?v))))

  (:action shut-valve
    :parameters (?v - valve)
    :precondition (and (open ?v))
    :effect (and (not (open ?v)) (not (greased ?v))))

  ; Through valve v from tank a to tank b, which may be full already, here and below.
  (:action flow
    :parameters (?v - valve ?a ?b - tank)
    :precondition (and (pumping) (open ?v) (joins ?v ?a) (joins ?v ?b) (full ?a)
      (not (= ?a ?b)))
    :effect (and (full ?b)))

  (:action run-down
    :parameters (?v - valve ?a ?b - tank)
    :precondition (and (above ?a ?b) (open ?v) (joins ?v ?a) (joins ?v ?b) (full ?a))
    :effect (and (full ?b)))

  (:action drain
    :parameters (?a - tank)
    :precondition (and (full ?a) (not (spring ?a)) (not (pumping)))
    :effect (and (not (full ?a))))

  ; Only with both tanks a and b empty.
  (:action grease
    :parameters (?v - valve ?a ?b - tank)
    :precondition (and (joins ?v ?a) (joins ?v ?b) (not (full ?a)) (not (full ?b))
      (not (= ?a ?b)))
    :effect (and (greased ?v))))
