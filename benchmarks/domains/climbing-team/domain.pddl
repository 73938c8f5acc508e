; Guides bring novices up a cliff, belaying them at anchors on its ledges.
; (face ?x ?y): one climbs up from ledge x to ledge y. (path ?x ?y): one walks from x to y.
(define (domain climbing-team)
  (:requirements :strips :typing :negative-preconditions :equality)
  (:types
    ledge anchor climber - object
    guide novice - climber)
  (:predicates
    (face ?x ?y - ledge)
    (path ?x ?y - ledge)
    (trusts ?c - climber ?g - guide)
    (fixed ?r - anchor ?x - ledge)
    (at ?c - climber ?x - ledge)
    (belays ?g - guide ?r - anchor)
    (busy ?c - climber)
    (held ?r - anchor))

  (:action walk
    :parameters (?c - climber ?x ?y - ledge)
    :precondition (and (at ?c ?x) (path ?x ?y) (not (busy ?c)))
    :effect (and (at ?c ?y)
      (not (at ?c ?x))))

  ; Guide g climbs without a rope.
  (:action solo
    :parameters (?g - guide ?x ?y - ledge)
    :precondition (and (at ?g ?x) (face ?x ?y) (not (busy ?g)))
    :effect (and (at ?g ?y)
      (not (at ?g ?x))))

  ; Climber c comes up on the rope of guide g, who belays at anchor r.
  (:action ascend
    :parameters (?c - climber ?x ?y - ledge ?r - anchor ?g - guide)
    :precondition (and (at ?c ?x) (face ?x ?y) (fixed ?r ?y) (belays ?g ?r) (trusts ?c ?g)
      (not (busy ?c)) (not (= ?c ?g)))
    :effect (and (at ?c ?y)
      (not (at ?c ?x))))

  ; From an anchor where nobody belays.
  (:action abseil
    :parameters (?c - climber ?y ?x - ledge ?r - anchor)
    :precondition (and (at ?c ?y) (face ?x ?y) (fixed ?r ?y) (not (busy ?c)) (not (held ?r)))
    :effect (and (at ?c ?x)
      (not (at ?c ?y))))

  (:action belay
    :parameters (?g - guide ?r - anchor ?x - ledge)
    :precondition (and (at ?g ?x) (fixed ?r ?x) (not (busy ?g)) (not (held ?r)))
    :effect (and (belays ?g ?r) (busy ?g) (held ?r)))

  (:action let-go
    :parameters (?g - guide ?r - anchor)
    :precondition (and (belays ?g ?r))
    :effect (and (not (belays ?g ?r)) (not (busy ?g)) (not (held ?r)))))
