; python -m benchmarks.generate water-mains --tanks 6 --valves 7 --springs 2 --seed 1
(define (problem water-mains-6-7-2-seed1)
  (:domain water-mains)
  (:objects
    tank1 tank2 tank3 tank4 tank5 tank6 - tank
    valve1 valve2 valve3 valve4 valve5 valve6 valve7 - valve
  )
  (:init
    (joins valve1 tank1) (joins valve1 tank3) (joins valve2 tank1) (joins valve2 tank5)
    (joins valve3 tank1) (joins valve3 tank6) (joins valve4 tank2) (joins valve4 tank5)
    (joins valve5 tank3) (joins valve5 tank5) (joins valve6 tank3) (joins valve6 tank6)
    (joins valve7 tank4) (joins valve7 tank6)
    (above tank3 tank1) (above tank5 tank1) (above tank6 tank1) (above tank5 tank2)
    (above tank5 tank3) (above tank3 tank6) (above tank4 tank6)
    (spring tank2) (spring tank3)
    (full tank2) (full tank3)
    (open valve1) (open valve4) (open valve5) (open valve6) (open valve7)
  )
  (:goal (and
    (full tank1) (full tank4)
    (greased valve2) (greased valve7)
  )))
