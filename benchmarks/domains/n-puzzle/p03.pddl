; python -m benchmarks.generate n-puzzle --size 5 --seed 3
(define (problem n-puzzle-5-seed3)
  (:domain n-puzzle)
  (:objects
    c-1-1 c-1-2 c-1-3 c-1-4 c-1-5 c-2-1 c-2-2 c-2-3 c-2-4 c-2-5 c-3-1 c-3-2 c-3-3 c-3-4 c-3-5 c-4-1
    c-4-2 c-4-3 c-4-4 c-4-5 c-5-1 c-5-2 c-5-3 c-5-4 c-5-5 t1 t2 t3 t4 t5 t6 t7 t8 t9 t10 t11 t12 t13
    t14 t15 t16 t17 t18 t19 t20 t21 t22 t23 t24
  )
  (:init
    (cell c-1-1) (cell c-1-2) (cell c-1-3) (cell c-1-4) (cell c-1-5) (cell c-2-1) (cell c-2-2)
    (cell c-2-3) (cell c-2-4) (cell c-2-5) (cell c-3-1) (cell c-3-2) (cell c-3-3) (cell c-3-4)
    (cell c-3-5) (cell c-4-1) (cell c-4-2) (cell c-4-3) (cell c-4-4) (cell c-4-5) (cell c-5-1)
    (cell c-5-2) (cell c-5-3) (cell c-5-4) (cell c-5-5)
    (tile t1) (tile t2) (tile t3) (tile t4) (tile t5) (tile t6) (tile t7) (tile t8) (tile t9)
    (tile t10) (tile t11) (tile t12) (tile t13) (tile t14) (tile t15) (tile t16) (tile t17)
    (tile t18) (tile t19) (tile t20) (tile t21) (tile t22) (tile t23) (tile t24)
    (above c-1-1 c-2-1) (above c-1-2 c-2-2) (above c-1-3 c-2-3) (above c-1-4 c-2-4)
    (above c-1-5 c-2-5) (above c-2-1 c-3-1) (above c-2-2 c-3-2) (above c-2-3 c-3-3)
    (above c-2-4 c-3-4) (above c-2-5 c-3-5) (above c-3-1 c-4-1) (above c-3-2 c-4-2)
    (above c-3-3 c-4-3) (above c-3-4 c-4-4) (above c-3-5 c-4-5) (above c-4-1 c-5-1)
    (above c-4-2 c-5-2) (above c-4-3 c-5-3) (above c-4-4 c-5-4) (above c-4-5 c-5-5)
    (right c-1-2 c-1-1) (right c-1-3 c-1-2) (right c-1-4 c-1-3) (right c-1-5 c-1-4)
    (right c-2-2 c-2-1) (right c-2-3 c-2-2) (right c-2-4 c-2-3) (right c-2-5 c-2-4)
    (right c-3-2 c-3-1) (right c-3-3 c-3-2) (right c-3-4 c-3-3) (right c-3-5 c-3-4)
    (right c-4-2 c-4-1) (right c-4-3 c-4-2) (right c-4-4 c-4-3) (right c-4-5 c-4-4)
    (right c-5-2 c-5-1) (right c-5-3 c-5-2) (right c-5-4 c-5-3) (right c-5-5 c-5-4)
    (blank c-3-1)
    (at t1 c-4-2) (at t2 c-1-5) (at t3 c-4-3) (at t4 c-3-3) (at t5 c-5-2) (at t6 c-2-1)
    (at t7 c-1-1) (at t8 c-5-5) (at t9 c-3-4) (at t10 c-2-4) (at t11 c-2-3) (at t12 c-5-1)
    (at t13 c-3-2) (at t14 c-2-5) (at t15 c-1-4) (at t16 c-4-4) (at t17 c-1-2) (at t18 c-5-3)
    (at t19 c-5-4) (at t20 c-4-5) (at t21 c-2-2) (at t22 c-3-5) (at t23 c-1-3) (at t24 c-4-1)
  )
  (:goal (and
    (at t1 c-1-1) (at t2 c-1-2) (at t3 c-1-3) (at t4 c-1-4) (at t5 c-1-5) (at t6 c-2-1)
    (at t7 c-2-2) (at t8 c-2-3) (at t9 c-2-4) (at t10 c-2-5) (at t11 c-3-1) (at t12 c-3-2)
    (at t13 c-3-3) (at t14 c-3-4) (at t15 c-3-5) (at t16 c-4-1) (at t17 c-4-2) (at t18 c-4-3)
    (at t19 c-4-4) (at t20 c-4-5) (at t21 c-5-1) (at t22 c-5-2) (at t23 c-5-3) (at t24 c-5-4)
  )))
