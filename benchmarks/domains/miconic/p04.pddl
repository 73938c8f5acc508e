; python -m benchmarks.generate miconic --floors 20 --persons 20 --seed 4
(define (problem miconic-20-20-seed4)
  (:domain miconic)
  (:objects
    f1 f2 f3 f4 f5 f6 f7 f8 f9 f10 f11 f12 f13 f14 f15 f16 f17 f18 f19 f20 p1 p2 p3 p4 p5 p6 p7 p8
    p9 p10 p11 p12 p13 p14 p15 p16 p17 p18 p19 p20
  )
  (:init
    (floor f1) (floor f2) (floor f3) (floor f4) (floor f5) (floor f6) (floor f7) (floor f8)
    (floor f9) (floor f10) (floor f11) (floor f12) (floor f13) (floor f14) (floor f15) (floor f16)
    (floor f17) (floor f18) (floor f19) (floor f20)
    (person p1) (person p2) (person p3) (person p4) (person p5) (person p6) (person p7) (person p8)
    (person p9) (person p10) (person p11) (person p12) (person p13) (person p14) (person p15)
    (person p16) (person p17) (person p18) (person p19) (person p20)
    (above f2 f1) (above f3 f2) (above f4 f3) (above f5 f4) (above f6 f5) (above f7 f6)
    (above f8 f7) (above f9 f8) (above f10 f9) (above f11 f10) (above f12 f11) (above f13 f12)
    (above f14 f13) (above f15 f14) (above f16 f15) (above f17 f16) (above f18 f17) (above f19 f18)
    (above f20 f19)
    (lift_pos f18)
    (in_floor p1 f8) (in_floor p2 f4) (in_floor p3 f16) (in_floor p4 f3) (in_floor p5 f1)
    (in_floor p6 f18) (in_floor p7 f2) (in_floor p8 f17) (in_floor p9 f12) (in_floor p10 f6)
    (in_floor p11 f9) (in_floor p12 f1) (in_floor p13 f9) (in_floor p14 f6) (in_floor p15 f10)
    (in_floor p16 f3) (in_floor p17 f13) (in_floor p18 f8) (in_floor p19 f8) (in_floor p20 f9)
  )
  (:goal (and
    (in_floor p1 f10) (in_floor p2 f13) (in_floor p3 f5) (in_floor p4 f20) (in_floor p5 f13)
    (in_floor p6 f10) (in_floor p7 f8) (in_floor p8 f18) (in_floor p9 f9) (in_floor p10 f4)
    (in_floor p11 f7) (in_floor p12 f9) (in_floor p13 f7) (in_floor p14 f10) (in_floor p15 f12)
    (in_floor p16 f11) (in_floor p17 f17) (in_floor p18 f6) (in_floor p19 f16) (in_floor p20 f3)
  )))
