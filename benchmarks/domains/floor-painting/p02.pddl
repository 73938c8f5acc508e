; python -m benchmarks.generate floor-painting --size 4 --robots 3 --colours 3 --seed 2
(define (problem floor-painting-4-3-3-seed2)
  (:domain floor-painting)
  (:objects
    c-1-1 c-1-2 c-1-3 c-1-4 c-2-1 c-2-2 c-2-3 c-2-4 c-3-1 c-3-2 c-3-3 c-3-4 c-4-1 c-4-2 c-4-3 c-4-4
    robot1 robot2 robot3 colour1 colour2 colour3
  )
  (:init
    (colour colour1) (colour colour2) (colour colour3)
    (beside c-1-1 c-2-1) (beside c-1-1 c-1-2) (beside c-1-2 c-2-2) (beside c-1-2 c-1-1)
    (beside c-1-2 c-1-3) (beside c-1-3 c-2-3) (beside c-1-3 c-1-2) (beside c-1-3 c-1-4)
    (beside c-1-4 c-2-4) (beside c-1-4 c-1-3) (beside c-2-1 c-1-1) (beside c-2-1 c-3-1)
    (beside c-2-1 c-2-2) (beside c-2-2 c-1-2) (beside c-2-2 c-3-2) (beside c-2-2 c-2-1)
    (beside c-2-2 c-2-3) (beside c-2-3 c-1-3) (beside c-2-3 c-3-3) (beside c-2-3 c-2-2)
    (beside c-2-3 c-2-4) (beside c-2-4 c-1-4) (beside c-2-4 c-3-4) (beside c-2-4 c-2-3)
    (beside c-3-1 c-2-1) (beside c-3-1 c-4-1) (beside c-3-1 c-3-2) (beside c-3-2 c-2-2)
    (beside c-3-2 c-4-2) (beside c-3-2 c-3-1) (beside c-3-2 c-3-3) (beside c-3-3 c-2-3)
    (beside c-3-3 c-4-3) (beside c-3-3 c-3-2) (beside c-3-3 c-3-4) (beside c-3-4 c-2-4)
    (beside c-3-4 c-4-4) (beside c-3-4 c-3-3) (beside c-4-1 c-3-1) (beside c-4-1 c-4-2)
    (beside c-4-2 c-3-2) (beside c-4-2 c-4-1) (beside c-4-2 c-4-3) (beside c-4-3 c-3-3)
    (beside c-4-3 c-4-2) (beside c-4-3 c-4-4) (beside c-4-4 c-3-4) (beside c-4-4 c-4-3)
    (at robot1 c-1-2) (at robot2 c-4-4) (at robot3 c-4-3)
    (occupied c-1-2) (occupied c-4-4) (occupied c-4-3)
    (uses robot1 colour3) (uses robot2 colour1) (uses robot3 colour3)
  )
  (:goal (and
    (coat c-1-3 colour3) (coat c-1-4 colour1) (coat c-2-1 colour2) (coat c-3-3 colour3)
    (coat c-3-4 colour2) (coat c-4-1 colour3) (coat c-4-2 colour3) (coat c-4-4 colour2)
  )))
