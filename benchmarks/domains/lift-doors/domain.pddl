; Lifts with doors, not all of which stop at every floor. (next ?f ?g): floor g is right above f.
(define (domain lift-doors)
  (:requirements :strips :typing :negative-preconditions)
  (:types lift floor person)
  (:predicates
    (next ?f ?g - floor)
    (stops ?l - lift ?f - floor)
    (at ?l - lift ?f - floor)
    (open ?l - lift)
    (lit ?f - floor)
    (waits ?p - person ?f - floor)
    (inside ?p - person ?l - lift))

  (:action rise
    :parameters (?l - lift ?f ?g - floor)
    :precondition (and (at ?l ?f) (next ?f ?g) (not (open ?l)))
    :effect (and (at ?l ?g)
      (not (at ?l ?f))))

  (:action sink
    :parameters (?l - lift ?f ?g - floor)
    :precondition (and (at ?l ?f) (next ?g ?f) (not (open ?l)))
    :effect (and (at ?l ?g)
      (not (at ?l ?f))))

  ; A button pressed twice is lit as before.
  (:action call
    :parameters (?p - person ?f - floor)
    :precondition (and (waits ?p ?f))
    :effect (and (lit ?f)))

  (:action open-doors
    :parameters (?l - lift ?f - floor)
    :precondition (and (at ?l ?f) (stops ?l ?f) (not (open ?l)))
    :effect (and (open ?l)
      (not (lit ?f))))

  (:action close-doors
    :parameters (?l - lift)
    :precondition (and (open ?l))
    :effect (and (not (open ?l))))

  (:action enter
    :parameters (?p - person ?l - lift ?f - floor)
    :precondition (and (waits ?p ?f) (at ?l ?f) (open ?l))
    :effect (and (inside ?p ?l)
      (not (waits ?p ?f))))

  (:action leave
    :parameters (?p - person ?l - lift ?f - floor)
    :precondition (and (inside ?p ?l) (at ?l ?f) (open ?l))
    :effect (and (waits ?p ?f)
      (not (inside ?p ?l)))))
