; python -m benchmarks.generate lift-doors --lifts 4 --floors 24 --persons 30 --seed 4
(define (problem lift-doors-4-24-30-seed4)
  (:domain lift-doors)
  (:objects
    lift1 lift2 lift3 lift4 - lift
    f1 f2 f3 f4 f5 f6 f7 f8 f9 f10 f11 f12 f13 f14 f15 f16 f17 f18 f19 f20 f21 f22 f23 f24 - floor
    p1 p2 p3 p4 p5 p6 p7 p8 p9 p10 p11 p12 p13 p14 p15 p16 p17 p18 p19 p20 p21 p22 p23 p24 p25 p26
    p27 p28 p29 p30 - person
  )
  (:init
    (next f1 f2) (next f2 f3) (next f3 f4) (next f4 f5) (next f5 f6) (next f6 f7) (next f7 f8)
    (next f8 f9) (next f9 f10) (next f10 f11) (next f11 f12) (next f12 f13) (next f13 f14)
    (next f14 f15) (next f15 f16) (next f16 f17) (next f17 f18) (next f18 f19) (next f19 f20)
    (next f20 f21) (next f21 f22) (next f22 f23) (next f23 f24)
    (stops lift1 f1) (stops lift1 f13) (stops lift1 f15) (stops lift1 f16) (stops lift1 f18)
    (stops lift1 f23) (stops lift1 f3) (stops lift1 f5) (stops lift1 f6) (stops lift1 f7)
    (stops lift1 f8) (stops lift1 f9) (stops lift2 f1) (stops lift2 f10) (stops lift2 f13)
    (stops lift2 f14) (stops lift2 f15) (stops lift2 f16) (stops lift2 f2) (stops lift2 f20)
    (stops lift2 f21) (stops lift2 f23) (stops lift2 f24) (stops lift2 f4) (stops lift2 f8)
    (stops lift3 f1) (stops lift3 f11) (stops lift3 f12) (stops lift3 f15) (stops lift3 f17)
    (stops lift3 f18) (stops lift3 f21) (stops lift3 f22) (stops lift3 f5) (stops lift3 f6)
    (stops lift3 f7) (stops lift3 f9) (stops lift4 f1) (stops lift4 f10) (stops lift4 f12)
    (stops lift4 f16) (stops lift4 f19) (stops lift4 f2) (stops lift4 f21) (stops lift4 f22)
    (at lift1 f17) (at lift2 f7) (at lift3 f21) (at lift4 f22)
    (waits p1 f2) (waits p2 f17) (waits p3 f14) (waits p4 f7) (waits p5 f7) (waits p6 f15)
    (waits p7 f16) (waits p8 f8) (waits p9 f15) (waits p10 f21) (waits p11 f7) (waits p12 f7)
    (waits p13 f2) (waits p14 f9) (waits p15 f17) (waits p16 f8) (waits p17 f9) (waits p18 f11)
    (waits p19 f11) (waits p20 f4) (waits p21 f13) (waits p22 f21) (waits p23 f24) (waits p24 f16)
    (waits p25 f3) (waits p26 f7) (waits p27 f6) (waits p28 f10) (waits p29 f16) (waits p30 f11)
  )
  (:goal (and
    (waits p1 f4) (waits p2 f10) (waits p3 f21) (waits p4 f16) (waits p5 f8) (waits p6 f14)
    (waits p7 f2) (waits p8 f14) (waits p9 f8) (waits p10 f14) (waits p11 f16) (waits p12 f2)
    (waits p13 f9) (waits p14 f8) (waits p15 f7) (waits p16 f14) (waits p17 f5) (waits p18 f2)
    (waits p19 f19) (waits p20 f19) (waits p21 f21) (waits p22 f23) (waits p23 f2) (waits p24 f13)
    (waits p25 f14) (waits p26 f19) (waits p27 f11) (waits p28 f22) (waits p29 f21) (waits p30 f14)
  )))
