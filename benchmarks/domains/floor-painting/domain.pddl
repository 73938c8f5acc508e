; Robots paint tiles beside them, one coat after another. No robot steps on wet paint.
(define (domain floor-painting)
  (:requirements :strips :negative-preconditions :equality)
  (:predicates
    (colour ?c)
    (beside ?x ?y)
    (at ?r ?x)
    (occupied ?x)
    (uses ?r ?c)
    (wet ?x)
    (coat ?x ?c))

  (:action step
    :parameters (?r ?x ?y)
    :precondition (and (at ?r ?x) (beside ?x ?y) (not (occupied ?y)) (not (wet ?y)))
    :effect (and (at ?r ?y) (occupied ?y)
      (not (at ?r ?x)) (not (occupied ?x))))

  (:action change-colour
    :parameters (?r ?c ?d)
    :precondition (and (uses ?r ?c) (colour ?d) (not (= ?c ?d)))
    :effect (and (uses ?r ?d)
      (not (uses ?r ?c))))

  ; Robot r on tile x paints tile y, which may have a coat of colour c already.
  (:action paint
    :parameters (?r ?x ?y ?c)
    :precondition (and (at ?r ?x) (beside ?x ?y) (uses ?r ?c) (not (occupied ?y)) (not (wet ?y)))
    :effect (and (coat ?y ?c) (wet ?y)))

  (:action dry
    :parameters (?x)
    :precondition (and (wet ?x))
    :effect (and (not (wet ?x)))))
