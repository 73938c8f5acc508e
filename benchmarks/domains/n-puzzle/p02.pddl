; python -m benchmarks.generate n-puzzle --size 4 --seed 2
(define (problem n-puzzle-4-seed2)
  (:domain n-puzzle)
  (:objects
    c-1-1 c-1-2 c-1-3 c-1-4 c-2-1 c-2-2 c-2-3 c-2-4 c-3-1 c-3-2 c-3-3 c-3-4 c-4-1 c-4-2 c-4-3 c-4-4
    t1 t2 t3 t4 t5 t6 t7 t8 t9 t10 t11 t12 t13 t14 t15
  )
  (:init
    (cell c-1-1) (cell c-1-2) (cell c-1-3) (cell c-1-4) (cell c-2-1) (cell c-2-2) (cell c-2-3)
    (cell c-2-4) (cell c-3-1) (cell c-3-2) (cell c-3-3) (cell c-3-4) (cell c-4-1) (cell c-4-2)
    (cell c-4-3) (cell c-4-4)
    (tile t1) (tile t2) (tile t3) (tile t4) (tile t5) (tile t6) (tile t7) (tile t8) (tile t9)
    (tile t10) (tile t11) (tile t12) (tile t13) (tile t14) (tile t15)
    (above c-1-1 c-2-1) (above c-1-2 c-2-2) (above c-1-3 c-2-3) (above c-1-4 c-2-4)
    (above c-2-1 c-3-1) (above c-2-2 c-3-2) (above c-2-3 c-3-3) (above c-2-4 c-3-4)
    (above c-3-1 c-4-1) (above c-3-2 c-4-2) (above c-3-3 c-4-3) (above c-3-4 c-4-4)
    (right c-1-2 c-1-1) (right c-1-3 c-1-2) (right c-1-4 c-1-3) (right c-2-2 c-2-1)
    (right c-2-3 c-2-2) (right c-2-4 c-2-3) (right c-3-2 c-3-1) (right c-3-3 c-3-2)
    (right c-3-4 c-3-3) (right c-4-2 c-4-1) (right c-4-3 c-4-2) (right c-4-4 c-4-3)
    (blank c-4-3)
    (at t1 c-2-2) (at t2 c-4-4) (at t3 c-3-4) (at t4 c-2-4) (at t5 c-3-2) (at t6 c-4-1)
    (at t7 c-2-1) (at t8 c-1-3) (at t9 c-2-3) (at t10 c-3-1) (at t11 c-3-3) (at t12 c-1-1)
    (at t13 c-1-2) (at t14 c-1-4) (at t15 c-4-2)
  )
  (:goal (and
    (at t1 c-1-1) (at t2 c-1-2) (at t3 c-1-3) (at t4 c-1-4) (at t5 c-2-1) (at t6 c-2-2)
    (at t7 c-2-3) (at t8 c-2-4) (at t9 c-3-1) (at t10 c-3-2) (at t11 c-3-3) (at t12 c-3-4)
    (at t13 c-4-1) (at t14 c-4-2) (at t15 c-4-3)
  )))
