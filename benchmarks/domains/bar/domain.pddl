; A barkeeper with two hands mixes drinks, each named by its tap, in shakers and serves cocktails.
(define (domain bar)
  (:requirements :strips :negative-preconditions :equality)
  (:predicates
    (glass ?g)
    (shaker ?s)
    (tap ?t)
    (free ?h)
    (holds ?h ?v)
    (on-bar ?v)
    (contains ?v ?t)
    (full ?g)
    (shaken ?s)
    (served ?g))

  (:action grasp
    :parameters (?h ?v)
    :precondition (and (free ?h) (on-bar ?v))
    :effect (and (holds ?h ?v)
      (not (free ?h)) (not (on-bar ?v))))

  (:action put-down
    :parameters (?h ?v)
    :precondition (and (holds ?h ?v))
    :effect (and (free ?h) (on-bar ?v)
      (not (holds ?h ?v))))

  ; Hand h holds glass g under tap t, which the other hand k opens.
  (:action fill
    :parameters (?h ?k ?g ?t)
    :precondition (and (holds ?h ?g) (free ?k) (glass ?g) (tap ?t) (not (full ?g))
      (not (= ?h ?k)))
    :effect (and (contains ?g ?t) (full ?g)))

  ; From glass g into shaker s, which may have some of drink t already.
  (:action pour
    :parameters (?h ?g ?s ?t)
    :precondition (and (holds ?h ?g) (glass ?g) (contains ?g ?t) (shaker ?s) (on-bar ?s)
      (not (shaken ?s)))
    :effect (and (contains ?s ?t)
      (not (contains ?g ?t)) (not (full ?g))))

  ; Only a shaker contains two drinks, t and u.
  (:action shake
    :parameters (?h ?s ?t ?u)
    :precondition (and (holds ?h ?s) (contains ?s ?t) (contains ?s ?u) (not (shaken ?s))
      (not (= ?t ?u)))
    :effect (and (shaken ?s)))

  (:action serve
    :parameters (?h ?s ?g)
    :precondition (and (holds ?h ?s) (shaken ?s) (glass ?g) (on-bar ?g) (not (full ?g))
      (not (= ?s ?g)))
    :effect (and (served ?g) (full ?g)))

  ; Drink t leaves vessel v, a glass or a shaker; what is left in a shaker is to be shaken again.
  (:action tip-out
    :parameters (?h ?v ?t)
    :precondition (and (holds ?h ?v) (contains ?v ?t))
    :effect (and (not (contains ?v ?t)) (not (full ?v)) (not (shaken ?v))))

  (:action finish
    :parameters (?g)
    :precondition (and (served ?g))
    :effect (and (not (served ?g)) (not (full ?g)))))
