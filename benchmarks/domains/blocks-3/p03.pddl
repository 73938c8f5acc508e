; python -m benchmarks.generate blocks-3 --blocks 20 --seed 7
(define (problem blocks-3-20-seed7)
  (:domain blocks-3)
  (:objects
    b1 b2 b3 b4 b5 b6 b7 b8 b9 b10 b11 b12 b13 b14 b15 b16 b17 b18 b19 b20
  )
  (:init
    (eq b1 b1) (eq b2 b2) (eq b3 b3) (eq b4 b4) (eq b5 b5) (eq b6 b6) (eq b7 b7) (eq b8 b8)
    (eq b9 b9) (eq b10 b10) (eq b11 b11) (eq b12 b12) (eq b13 b13) (eq b14 b14) (eq b15 b15)
    (eq b16 b16) (eq b17 b17) (eq b18 b18) (eq b19 b19) (eq b20 b20)
    (clear b8) (clear b20) (clear b12) (clear b4) (clear b16) (clear b18)
    (on-table b11) (on-table b14) (on-table b10) (on-table b4) (on-table b7) (on-table b18)
    (on b5 b11) (on b13 b5) (on b2 b13) (on b3 b2) (on b9 b3) (on b17 b9) (on b6 b17) (on b8 b6)
    (on b1 b14) (on b20 b1) (on b15 b10) (on b12 b15) (on b19 b7) (on b16 b19)
  )
  (:goal (and
    (on-table b6) (on-table b9) (on-table b17) (on-table b2) (on-table b16)
    (on b4 b6) (on b7 b4) (on b12 b7) (on b19 b12) (on b8 b19) (on b20 b8) (on b3 b9) (on b18 b3)
    (on b10 b17) (on b14 b10) (on b13 b14) (on b1 b2) (on b15 b1) (on b11 b15) (on b5 b16)
  )))
