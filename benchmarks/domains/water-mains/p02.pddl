; python -m benchmarks.generate water-mains --tanks 8 --valves 10 --springs 2 --seed 2
(define (problem water-mains-8-10-2-seed2)
  (:domain water-mains)
  (:objects
    tank1 tank2 tank3 tank4 tank5 tank6 tank7 tank8 - tank
    valve1 valve2 valve3 valve4 valve5 valve6 valve7 valve8 valve9 valve10 - valve
  )
  (:init
    (joins valve1 tank1) (joins valve1 tank7) (joins valve2 tank1) (joins valve2 tank8)
    (joins valve3 tank2) (joins valve3 tank8) (joins valve4 tank3) (joins valve4 tank5)
    (joins valve5 tank3) (joins valve5 tank6) (joins valve6 tank3) (joins valve6 tank7)
    (joins valve7 tank3) (joins valve7 tank8) (joins valve8 tank4) (joins valve8 tank5)
    (joins valve9 tank5) (joins valve9 tank7) (joins valve10 tank5) (joins valve10 tank8)
    (above tank1 tank7) (above tank1 tank8) (above tank2 tank8) (above tank5 tank3)
    (above tank3 tank6) (above tank7 tank3) (above tank8 tank3) (above tank5 tank4)
    (above tank5 tank7) (above tank5 tank8)
    (spring tank4) (spring tank7)
    (full tank4) (full tank7)
    (open valve1) (open valve2) (open valve4) (open valve8) (open valve9)
  )
  (:goal (and
    (full tank2) (full tank6) (full tank8)
    (greased valve2) (greased valve3) (greased valve10)
  )))
