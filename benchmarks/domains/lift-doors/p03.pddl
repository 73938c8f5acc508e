; python -m benchmarks.generate lift-doors --lifts 3 --floors 14 --persons 18 --seed 3
(define (problem lift-doors-3-14-18-seed3)
  (:domain lift-doors)
  (:objects
    lift1 lift2 lift3 - lift
    f1 f2 f3 f4 f5 f6 f7 f8 f9 f10 f11 f12 f13 f14 - floor
    p1 p2 p3 p4 p5 p6 p7 p8 p9 p10 p11 p12 p13 p14 p15 p16 p17 p18 - person
  )
  (:init
    (next f1 f2) (next f2 f3) (next f3 f4) (next f4 f5) (next f5 f6) (next f6 f7) (next f7 f8)
    (next f8 f9) (next f9 f10) (next f10 f11) (next f11 f12) (next f12 f13) (next f13 f14)
    (stops lift1 f1) (stops lift1 f12) (stops lift1 f2) (stops lift1 f6) (stops lift1 f8)
    (stops lift2 f1) (stops lift2 f2) (stops lift2 f3) (stops lift2 f4) (stops lift2 f5)
    (stops lift2 f6) (stops lift2 f7) (stops lift2 f9) (stops lift3 f1) (stops lift3 f10)
    (stops lift3 f11) (stops lift3 f13) (stops lift3 f14) (stops lift3 f3) (stops lift3 f7)
    (stops lift3 f8)
    (at lift1 f3) (at lift2 f1) (at lift3 f5)
    (waits p1 f7) (waits p2 f4) (waits p3 f11) (waits p4 f14) (waits p5 f10) (waits p6 f12)
    (waits p7 f12) (waits p8 f9) (waits p9 f10) (waits p10 f12) (waits p11 f4) (waits p12 f14)
    (waits p13 f5) (waits p14 f2) (waits p15 f8) (waits p16 f8) (waits p17 f6) (waits p18 f2)
  )
  (:goal (and
    (waits p1 f10) (waits p2 f6) (waits p3 f1) (waits p4 f5) (waits p5 f11) (waits p6 f3)
    (waits p7 f6) (waits p8 f10) (waits p9 f2) (waits p10 f11) (waits p11 f11) (waits p12 f10)
    (waits p13 f14) (waits p14 f14) (waits p15 f11) (waits p16 f2) (waits p17 f13) (waits p18 f7)
  )))
