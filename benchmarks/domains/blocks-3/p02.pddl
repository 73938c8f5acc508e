; python -m benchmarks.generate blocks-3 --blocks 10 --seed 6
(define (problem blocks-3-10-seed6)
  (:domain blocks-3)
  (:objects
    b1 b2 b3 b4 b5 b6 b7 b8 b9 b10
  )
  (:init
    (eq b1 b1) (eq b2 b2) (eq b3 b3) (eq b4 b4) (eq b5 b5) (eq b6 b6) (eq b7 b7) (eq b8 b8)
    (eq b9 b9) (eq b10 b10)
    (clear b3) (clear b7) (clear b1) (clear b5) (clear b9) (clear b6)
    (on-table b10) (on-table b8) (on-table b1) (on-table b5) (on-table b4) (on-table b6)
    (on b2 b10) (on b3 b2) (on b7 b8) (on b9 b4)
  )
  (:goal (and
    (on-table b2) (on-table b4) (on-table b6)
    (on b8 b2) (on b10 b8) (on b7 b10) (on b5 b4) (on b1 b5) (on b3 b1) (on b9 b6)
  )))
