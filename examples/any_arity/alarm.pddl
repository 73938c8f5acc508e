; Arity 0: whether the alarm is armed or rings is about no object at all.
(define (domain alarm)
  (:requirements :strips :typing :negative-preconditions)
  (:types guard room - object)
  (:predicates
    (armed)
    (ringing)
    (in ?g - guard ?r - room)
    (door ?r ?s - room)
    (panel ?r - room))

  (:action walk
    :parameters (?g - guard ?r ?s - room)
    :precondition (and (in ?g ?r) (door ?r ?s) (not (armed)))
    :effect (and (not (in ?g ?r)) (in ?g ?s)))

  (:action trip
    :parameters (?g - guard ?r ?s - room)
    :precondition (and (in ?g ?r) (door ?r ?s) (armed))
    :effect (and (not (in ?g ?r)) (in ?g ?s) (ringing)))

  (:action arm
    :parameters (?g - guard ?r - room)
    :precondition (and (in ?g ?r) (panel ?r) (not (armed)) (not (ringing)))
    :effect (armed))

  (:action disarm
    :parameters (?g - guard ?r - room)
    :precondition (and (in ?g ?r) (panel ?r) (armed))
    :effect (and (not (armed)) (not (ringing)))))
