; python -m benchmarks.generate blocks-3 --blocks 5 --seed 5
(define (problem blocks-3-5-seed5)
  (:domain blocks-3)
  (:objects
    b1 b2 b3 b4 b5
  )
  (:init
    (eq b1 b1) (eq b2 b2) (eq b3 b3) (eq b4 b4) (eq b5 b5)
    (clear b1)
    (on-table b5)
    (on b3 b5) (on b4 b3) (on b2 b4) (on b1 b2)
  )
  (:goal (and
    (on-table b3) (on-table b2)
    (on b4 b3) (on b1 b4) (on b5 b2)
  )))
