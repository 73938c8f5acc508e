; A patience: cards lie in peaks, each covered by two of the row below. An open card goes on top of
; the waste if it is near the card there; a card from the reserve always may.
(define (domain peaks-patience)
  (:requirements :strips :negative-preconditions :equality)
  (:predicates
    (covers ?a ?c)
    (near ?c ?w)
    (joker ?w)
    (reserve ?c)
    (top ?w)
    (open ?c)
    (gone ?c))

  (:action deal
    :parameters (?c ?w)
    :precondition (and (reserve ?c) (top ?w) (not (= ?c ?w)))
    :effect (and (top ?c)
      (not (reserve ?c)) (not (top ?w))))

  (:action play
    :parameters (?c ?w)
    :precondition (and (open ?c) (top ?w) (near ?c ?w))
    :effect (and (top ?c) (gone ?c)
      (not (open ?c)) (not (top ?w))))

  ; Any card goes on a joker.
  (:action play-on-joker
    :parameters (?c ?w)
    :precondition (and (open ?c) (top ?w) (joker ?w) (not (= ?c ?w)))
    :effect (and (top ?c) (gone ?c)
      (not (open ?c)) (not (top ?w))))

  ; Card c is turned up when both cards a and b, which covered it, are gone.
  (:action turn-up
    :parameters (?c ?a ?b)
    :precondition (and (covers ?a ?c) (covers ?b ?c) (gone ?a) (gone ?b) (not (open ?c))
      (not (gone ?c)) (not (= ?a ?b)))
    :effect (and (open ?c))))
