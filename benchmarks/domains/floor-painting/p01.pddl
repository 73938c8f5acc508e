; python -m benchmarks.generate floor-painting --size 3 --robots 2 --colours 3 --seed 1
(define (problem floor-painting-3-2-3-seed1)
  (:domain floor-painting)
  (:objects
    c-1-1 c-1-2 c-1-3 c-2-1 c-2-2 c-2-3 c-3-1 c-3-2 c-3-3 robot1 robot2 colour1 colour2 colour3
  )
  (:init
    (colour colour1) (colour colour2) (colour colour3)
    (beside c-1-1 c-2-1) (beside c-1-1 c-1-2) (beside c-1-2 c-2-2) (beside c-1-2 c-1-1)
    (beside c-1-2 c-1-3) (beside c-1-3 c-2-3) (beside c-1-3 c-1-2) (beside c-2-1 c-1-1)
    (beside c-2-1 c-3-1) (beside c-2-1 c-2-2) (beside c-2-2 c-1-2) (beside c-2-2 c-3-2)
    (beside c-2-2 c-2-1) (beside c-2-2 c-2-3) (beside c-2-3 c-1-3) (beside c-2-3 c-3-3)
    (beside c-2-3 c-2-2) (beside c-3-1 c-2-1) (beside c-3-1 c-3-2) (beside c-3-2 c-2-2)
    (beside c-3-2 c-3-1) (beside c-3-2 c-3-3) (beside c-3-3 c-2-3) (beside c-3-3 c-3-2)
    (at robot1 c-1-3) (at robot2 c-1-2)
    (occupied c-1-3) (occupied c-1-2)
    (uses robot1 colour2) (uses robot2 colour3)
  )
  (:goal (and
    (coat c-1-2 colour2) (coat c-2-1 colour1) (coat c-2-2 colour1) (coat c-3-1 colour2)
  )))
