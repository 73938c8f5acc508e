; One lift. (above ?x ?y): floor x is the next one above floor y.
(define (domain miconic)
  (:requirements :strips)
  (:predicates
    (person ?p)
    (floor ?f)
    (lift_pos ?f)
    (in_lift ?p)
    (in_floor ?p ?f)
    (above ?x ?y))

  (:action unboard
    :parameters (?p ?f)
    :precondition (and (person ?p) (floor ?f) (lift_pos ?f) (in_lift ?p))
    :effect (and (in_floor ?p ?f)
      (not (in_lift ?p))))

  (:action board
    :parameters (?p ?f)
    :precondition (and (person ?p) (floor ?f) (lift_pos ?f) (in_floor ?p ?f))
    :effect (and (in_lift ?p)
      (not (in_floor ?p ?f))))

  (:action move_up
    :parameters (?x ?y)
    :precondition (and (floor ?x) (floor ?y) (lift_pos ?x) (above ?y ?x))
    :effect (and (lift_pos ?y)
      (not (lift_pos ?x))))

  (:action move_down
    :parameters (?x ?y)
    :precondition (and (floor ?x) (floor ?y) (lift_pos ?x) (above ?x ?y))
    :effect (and (lift_pos ?y)
      (not (lift_pos ?x)))))
