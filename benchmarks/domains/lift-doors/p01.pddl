; python -m benchmarks.generate lift-doors --lifts 2 --floors 5 --persons 5 --seed 1
(define (problem lift-doors-2-5-5-seed1)
  (:domain lift-doors)
  (:objects
    lift1 lift2 - lift
    f1 f2 f3 f4 f5 - floor
    p1 p2 p3 p4 p5 - person
  )
  (:init
    (next f1 f2) (next f2 f3) (next f3 f4) (next f4 f5)
    (stops lift1 f1) (stops lift1 f2) (stops lift1 f3) (stops lift1 f5) (stops lift2 f1)
    (stops lift2 f4) (stops lift2 f5)
    (at lift1 f1) (at lift2 f1)
    (waits p1 f4) (waits p2 f5) (waits p3 f4) (waits p4 f2) (waits p5 f3)
  )
  (:goal (and
    (waits p1 f5) (waits p2 f1) (waits p3 f3) (waits p4 f1) (waits p5 f1)
  )))
