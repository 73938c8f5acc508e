; python -m benchmarks.generate miconic --floors 5 --persons 5 --seed 2
(define (problem miconic-5-5-seed2)
  (:domain miconic)
  (:objects
    f1 f2 f3 f4 f5 p1 p2 p3 p4 p5
  )
  (:init
    (floor f1) (floor f2) (floor f3) (floor f4) (floor f5)
    (person p1) (person p2) (person p3) (person p4) (person p5)
    (above f2 f1) (above f3 f2) (above f4 f3) (above f5 f4)
    (lift_pos f5)
    (in_floor p1 f1) (in_floor p2 f1) (in_floor p3 f2) (in_floor p4 f3) (in_floor p5 f5)
  )
  (:goal (and
    (in_floor p1 f5) (in_floor p2 f3) (in_floor p3 f3) (in_floor p4 f2) (in_floor p5 f1)
  )))
