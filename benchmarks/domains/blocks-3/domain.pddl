; Blocks World without a hand: three actions instead of four.
; (eq ?x ?x) holds for every block.
(define (domain blocks-3)
  (:requirements :strips :negative-preconditions)
  (:predicates
    (clear ?x)
    (on-table ?x)
    (on ?x ?y)
    (eq ?x ?y))

  ; Block b goes from the table onto block t.
  (:action stack
    :parameters (?b ?t)
    :precondition (and (clear ?b) (clear ?t) (on-table ?b) (not (eq ?b ?t)))
    :effect (and (on ?b ?t)
      (not (clear ?t)) (not (on-table ?b))))

  ; Block b goes from block f onto the table.
  (:action newtower
    :parameters (?b ?f)
    :precondition (and (clear ?b) (on ?b ?f) (not (eq ?b ?f)))
    :effect (and (on-table ?b) (clear ?f)
      (not (on ?b ?f))))

  ; Block b goes from block f onto block t.
  (:action move
    :parameters (?b ?f ?t)
    :precondition (and (clear ?b) (clear ?t) (on ?b ?f)
      (not (eq ?b ?t)) (not (eq ?b ?f)) (not (eq ?f ?t)))
    :effect (and (on ?b ?t) (clear ?f)
      (not (on ?b ?f)) (not (clear ?t)))))
