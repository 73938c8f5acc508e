; python -m benchmarks.generate miconic --floors 10 --persons 10 --seed 3
(define (problem miconic-10-10-seed3)
  (:domain miconic)
  (:objects
    f1 f2 f3 f4 f5 f6 f7 f8 f9 f10 p1 p2 p3 p4 p5 p6 p7 p8 p9 p10
  )
  (:init
    (floor f1) (floor f2) (floor f3) (floor f4) (floor f5) (floor f6) (floor f7) (floor f8)
    (floor f9) (floor f10)
    (person p1) (person p2) (person p3) (person p4) (person p5) (person p6) (person p7) (person p8)
    (person p9) (person p10)
    (above f2 f1) (above f3 f2) (above f4 f3) (above f5 f4) (above f6 f5) (above f7 f6)
    (above f8 f7) (above f9 f8) (above f10 f9)
    (lift_pos f3)
    (in_floor p1 f4) (in_floor p2 f3) (in_floor p3 f10) (in_floor p4 f10) (in_floor p5 f10)
    (in_floor p6 f8) (in_floor p7 f9) (in_floor p8 f4) (in_floor p9 f9) (in_floor p10 f8)
  )
  (:goal (and
    (in_floor p1 f9) (in_floor p2 f6) (in_floor p3 f8) (in_floor p4 f2) (in_floor p5 f1)
    (in_floor p6 f5) (in_floor p7 f4) (in_floor p8 f8) (in_floor p9 f10) (in_floor p10 f7)
  )))
