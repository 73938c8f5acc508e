; python -m benchmarks.generate n-puzzle --size 3 --seed 1
(define (problem n-puzzle-3-seed1)
  (:domain n-puzzle)
  (:objects
    c-1-1 c-1-2 c-1-3 c-2-1 c-2-2 c-2-3 c-3-1 c-3-2 c-3-3 t1 t2 t3 t4 t5 t6 t7 t8
  )
  (:init
    (cell c-1-1) (cell c-1-2) (cell c-1-3) (cell c-2-1) (cell c-2-2) (cell c-2-3) (cell c-3-1)
    (cell c-3-2) (cell c-3-3)
    (tile t1) (tile t2) (tile t3) (tile t4) (tile t5) (tile t6) (tile t7) (tile t8)
    (above c-1-1 c-2-1) (above c-1-2 c-2-2) (above c-1-3 c-2-3) (above c-2-1 c-3-1)
    (above c-2-2 c-3-2) (above c-2-3 c-3-3)
    (right c-1-2 c-1-1) (right c-1-3 c-1-2) (right c-2-2 c-2-1) (right c-2-3 c-2-2)
    (right c-3-2 c-3-1) (right c-3-3 c-3-2)
    (blank c-3-1)
    (at t1 c-2-3) (at t2 c-3-2) (at t3 c-3-3) (at t4 c-2-2) (at t5 c-2-1) (at t6 c-1-1)
    (at t7 c-1-2) (at t8 c-1-3)
  )
  (:goal (and
    (at t1 c-1-1) (at t2 c-1-2) (at t3 c-1-3) (at t4 c-2-1) (at t5 c-2-2) (at t6 c-2-3)
    (at t7 c-3-1) (at t8 c-3-2)
  )))
