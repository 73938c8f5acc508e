; Sokoban whose player can also pull; boxes are no objects, a cell has one or not.
; (adjacent_2 ?x ?z): cells x and z are two steps apart in a straight line.
(define (domain sokoban-pull)
  (:requirements :strips :negative-preconditions)
  (:predicates
    (has_player ?c)
    (has_box ?c)
    (adjacent ?x ?y)
    (adjacent_2 ?x ?z))

  (:action move-player
    :parameters (?x ?y)
    :precondition (and (adjacent ?x ?y) (has_player ?x) (not (has_box ?y)))
    :effect (and (has_player ?y)
      (not (has_player ?x))))

  ; The player goes from x to y and pushes the box on y to z.
  (:action push-box
    :parameters (?x ?y ?z)
    :precondition (and (has_player ?x) (has_box ?y) (not (has_box ?z))
      (adjacent ?x ?y) (adjacent ?y ?z) (adjacent_2 ?x ?z))
    :effect (and (has_box ?z) (has_player ?y)
      (not (has_box ?y)) (not (has_player ?x))))

  ; The player goes from y to x and pulls the box on z to y: a push undone.
  (:action pull-box
    :parameters (?x ?y ?z)
    :precondition (and (has_player ?y) (has_box ?z) (not (has_box ?x))
      (adjacent ?x ?y) (adjacent ?y ?z) (adjacent_2 ?x ?z))
    :effect (and (has_box ?y) (has_player ?x)
      (not (has_box ?z)) (not (has_player ?y)))))
