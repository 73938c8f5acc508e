; Arity 3: who works on which day in which ward.
(define (domain rota)
  (:requirements :strips :typing :negative-preconditions :equality)
  (:types nurse day ward - object)
  (:predicates
    (works ?n - nurse ?d - day ?w - ward)
    (free ?n - nurse ?d - day)
    (trained ?n - nurse ?w - ward)
    (next ?d ?e - day))

  (:action assign
    :parameters (?n - nurse ?d - day ?w - ward)
    :precondition (and (free ?n ?d) (trained ?n ?w))
    :effect (and (not (free ?n ?d)) (works ?n ?d ?w)))

  (:action swap
    :parameters (?n ?m - nurse ?d - day ?w ?v - ward)
    :precondition (and (works ?n ?d ?w) (works ?m ?d ?v) (trained ?n ?v) (trained ?m ?w)
      (not (= ?n ?m)) (not (= ?w ?v)))
    :effect (and (not (works ?n ?d ?w)) (not (works ?m ?d ?v))
      (works ?n ?d ?v) (works ?m ?d ?w)))

  (:action postpone
    :parameters (?n - nurse ?d ?e - day ?w - ward)
    :precondition (and (works ?n ?d ?w) (next ?d ?e) (free ?n ?e))
    :effect (and (not (works ?n ?d ?w)) (free ?n ?d) (not (free ?n ?e)) (works ?n ?e ?w))))
