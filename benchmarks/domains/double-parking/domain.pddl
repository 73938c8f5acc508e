; Cars stand in bays or, in a second row, behind a car that stands in a bay.
(define (domain double-parking)
  (:requirements :strips :typing :negative-preconditions :equality)
  (:types car bay)
  (:predicates
    (in ?c - car ?b - bay)
    (behind ?c ?d - car)
    (blocked ?c - car)
    (taken ?b - bay))

  ; Car c goes from bay b to bay e.
  (:action shift
    :parameters (?c - car ?b ?e - bay)
    :precondition (and (in ?c ?b) (not (blocked ?c)) (not (taken ?e)) (not (= ?b ?e)))
    :effect (and (in ?c ?e) (taken ?e)
      (not (in ?c ?b)) (not (taken ?b))))

  ; Car c goes from bay b behind car d, which stands in bay e.
  (:action double-park
    :parameters (?c - car ?b - bay ?d - car ?e - bay)
    :precondition (and (in ?c ?b) (in ?d ?e) (not (blocked ?c)) (not (blocked ?d))
      (not (= ?c ?d)) (not (= ?b ?e)))
    :effect (and (behind ?c ?d) (blocked ?d)
      (not (in ?c ?b)) (not (taken ?b))))

  ; Car c goes from behind car d to bay e.
  (:action pull-out
    :parameters (?c ?d - car ?e - bay)
    :precondition (and (behind ?c ?d) (not (taken ?e)) (not (= ?c ?d)))
    :effect (and (in ?c ?e) (taken ?e)
      (not (behind ?c ?d)) (not (blocked ?d))))

  ; Car c goes from behind car d behind car f, which stands in bay e.
  (:action move-along
    :parameters (?c ?d ?f - car ?e - bay)
    :precondition (and (behind ?c ?d) (in ?f ?e) (not (blocked ?f))
      (not (= ?c ?d)) (not (= ?c ?f)) (not (= ?d ?f)))
    :effect (and (behind ?c ?f) (blocked ?f)
      (not (behind ?c ?d)) (not (blocked ?d)))))
