; python -m benchmarks.generate floor-painting --size 5 --robots 3 --colours 4 --seed 3
(define (problem floor-painting-5-3-4-seed3)
  (:domain floor-painting)
  (:objects
    c-1-1 c-1-2 c-1-3 c-1-4 c-1-5 c-2-1 c-2-2 c-2-3 c-2-4 c-2-5 c-3-1 c-3-2 c-3-3 c-3-4 c-3-5 c-4-1
    c-4-2 c-4-3 c-4-4 c-4-5 c-5-1 c-5-2 c-5-3 c-5-4 c-5-5 robot1 robot2 robot3 colour1 colour2
    colour3 colour4
  )
  (:init
    (colour colour1) (colour colour2) (colour colour3) (colour colour4)
    (beside c-1-1 c-2-1) (beside c-1-1 c-1-2) (beside c-1-2 c-2-2) (beside c-1-2 c-1-1)
    (beside c-1-2 c-1-3) (beside c-1-3 c-2-3) (beside c-1-3 c-1-2) (beside c-1-3 c-1-4)
    (beside c-1-4 c-2-4) (beside c-1-4 c-1-3) (beside c-1-4 c-1-5) (beside c-1-5 c-2-5)
    (beside c-1-5 c-1-4) (beside c-2-1 c-1-1) (beside c-2-1 c-3-1) (beside c-2-1 c-2-2)
    (beside c-2-2 c-1-2) (beside c-2-2 c-3-2) (beside c-2-2 c-2-1) (beside c-2-2 c-2-3)
    (beside c-2-3 c-1-3) (beside c-2-3 c-3-3) (beside c-2-3 c-2-2) (beside c-2-3 c-2-4)
    (beside c-2-4 c-1-4) (beside c-2-4 c-3-4) (beside c-2-4 c-2-3) (beside c-2-4 c-2-5)
    (beside c-2-5 c-1-5) (beside c-2-5 c-3-5) (beside c-2-5 c-2-4) (beside c-3-1 c-2-1)
    (beside c-3-1 c-4-1) (beside c-3-1 c-3-2) (beside c-3-2 c-2-2) (beside c-3-2 c-4-2)
    (beside c-3-2 c-3-1) (beside c-3-2 c-3-3) (beside c-3-3 c-2-3) (beside c-3-3 c-4-3)
    (beside c-3-3 c-3-2) (beside c-3-3 c-3-4) (beside c-3-4 c-2-4) (beside c-3-4 c-4-4)
    (beside c-3-4 c-3-3) (beside c-3-4 c-3-5) (beside c-3-5 c-2-5) (beside c-3-5 c-4-5)
    (beside c-3-5 c-3-4) (beside c-4-1 c-3-1) (beside c-4-1 c-5-1) (beside c-4-1 c-4-2)
    (beside c-4-2 c-3-2) (beside c-4-2 c-5-2) (beside c-4-2 c-4-1) (beside c-4-2 c-4-3)
    (beside c-4-3 c-3-3) (beside c-4-3 c-5-3) (beside c-4-3 c-4-2) (beside c-4-3 c-4-4)
    (beside c-4-4 c-3-4) (beside c-4-4 c-5-4) (beside c-4-4 c-4-3) (beside c-4-4 c-4-5)
    (beside c-4-5 c-3-5) (beside c-4-5 c-5-5) (beside c-4-5 c-4-4) (beside c-5-1 c-4-1)
    (beside c-5-1 c-5-2) (beside c-5-2 c-4-2) (beside c-5-2 c-5-1) (beside c-5-2 c-5-3)
    (beside c-5-3 c-4-3) (beside c-5-3 c-5-2) (beside c-5-3 c-5-4) (beside c-5-4 c-4-4)
    (beside c-5-4 c-5-3) (beside c-5-4 c-5-5) (beside c-5-5 c-4-5) (beside c-5-5 c-5-4)
    (at robot1 c-2-3) (at robot2 c-4-4) (at robot3 c-4-3)
    (occupied c-2-3) (occupied c-4-4) (occupied c-4-3)
    (uses robot1 colour2) (uses robot2 colour4) (uses robot3 colour4)
  )
  (:goal (and
    (coat c-1-1 colour4) (coat c-1-3 colour2) (coat c-1-4 colour2) (coat c-1-5 colour2)
    (coat c-2-4 colour4) (coat c-3-2 colour1) (coat c-4-1 colour1) (coat c-4-2 colour2)
    (coat c-4-4 colour1) (coat c-4-5 colour3) (coat c-5-1 colour1) (coat c-5-2 colour3)
  )))
