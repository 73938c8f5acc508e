; python -m benchmarks.generate lift-doors --lifts 3 --floors 8 --persons 8 --seed 2
(define (problem lift-doors-3-8-8-seed2)
  (:domain lift-doors)
  (:objects
    lift1 lift2 lift3 - lift
    f1 f2 f3 f4 f5 f6 f7 f8 - floor
    p1 p2 p3 p4 p5 p6 p7 p8 - person
  )
  (:init
    (next f1 f2) (next f2 f3) (next f3 f4) (next f4 f5) (next f5 f6) (next f6 f7) (next f7 f8)
    (stops lift1 f1) (stops lift1 f2) (stops lift1 f4) (stops lift1 f7) (stops lift2 f1)
    (stops lift2 f4) (stops lift2 f5) (stops lift2 f6) (stops lift2 f8) (stops lift3 f1)
    (stops lift3 f2) (stops lift3 f3) (stops lift3 f8)
    (at lift1 f6) (at lift2 f6) (at lift3 f8)
    (waits p1 f3) (waits p2 f4) (waits p3 f3) (waits p4 f3) (waits p5 f6) (waits p6 f3)
    (waits p7 f7) (waits p8 f6)
  )
  (:goal (and
    (waits p1 f2) (waits p2 f1) (waits p3 f8) (waits p4 f2) (waits p5 f5) (waits p6 f4)
    (waits p7 f6) (waits p8 f7)
  )))
