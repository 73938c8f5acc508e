; Trains in a yard of sections, one train a section, each switch set for one of its legs.
; A train passes a switch from its stem to a leg only if the switch is bolted.
(define (domain rail-yard)
  (:requirements :strips :typing :negative-preconditions :equality)
  (:types train section switch)
  (:predicates
    (joined ?a ?b - section)
    (stem ?s - switch ?a - section)
    (leg ?s - switch ?b - section)
    (set ?s - switch ?b - section)
    (bolted ?s - switch)
    (at ?t - train ?a - section)
    (occupied ?a - section))

  (:action throw
    :parameters (?s - switch ?b ?c - section)
    :precondition (and (set ?s ?b) (leg ?s ?c) (not (bolted ?s)) (not (= ?b ?c)))
    :effect (and (set ?s ?c)
      (not (set ?s ?b))))

  (:action bolt
    :parameters (?s - switch)
    :precondition (and (not (bolted ?s)))
    :effect (and (bolted ?s)))

  (:action unbolt
    :parameters (?s - switch)
    :precondition (and (bolted ?s))
    :effect (and (not (bolted ?s))))

  ; Train t goes from section a to section b, here and below.
  (:action run
    :parameters (?t - train ?a ?b - section)
    :precondition (and (at ?t ?a) (joined ?a ?b) (not (occupied ?b)))
    :effect (and (at ?t ?b) (occupied ?b)
      (not (at ?t ?a)) (not (occupied ?a))))

  (:action diverge
    :parameters (?t - train ?a ?b - section ?s - switch)
    :precondition (and (at ?t ?a) (stem ?s ?a) (set ?s ?b) (bolted ?s) (not (occupied ?b))
      (not (= ?a ?b)))
    :effect (and (at ?t ?b) (occupied ?b)
      (not (at ?t ?a)) (not (occupied ?a))))

  (:action merge
    :parameters (?t - train ?a ?b - section ?s - switch)
    :precondition (and (at ?t ?a) (set ?s ?a) (stem ?s ?b) (not (occupied ?b)) (not (= ?a ?b)))
    :effect (and (at ?t ?b) (occupied ?b)
      (not (at ?t ?a)) (not (occupied ?a)))))
