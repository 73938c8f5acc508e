; python -m benchmarks.generate water-mains --tanks 12 --valves 16 --springs 3 --seed 3
(define (problem water-mains-12-16-3-seed3)
  (:domain water-mains)
  (:objects
    tank1 tank2 tank3 tank4 tank5 tank6 tank7 tank8 tank9 tank10 tank11 tank12 - tank
    valve1 valve2 valve3 valve4 valve5 valve6 valve7 valve8 valve9 valve10 valve11 valve12 valve13
    valve14 valve15 valve16 - valve
  )
  (:init
    (joins valve1 tank1) (joins valve1 tank2) (joins valve2 tank1) (joins valve2 tank11)
    (joins valve3 tank1) (joins valve3 tank12) (joins valve4 tank2) (joins valve4 tank8)
    (joins valve5 tank3) (joins valve5 tank4) (joins valve6 tank3) (joins valve6 tank6)
    (joins valve7 tank3) (joins valve7 tank7) (joins valve8 tank3) (joins valve8 tank8)
    (joins valve9 tank4) (joins valve9 tank5) (joins valve10 tank4) (joins valve10 tank9)
    (joins valve11 tank4) (joins valve11 tank10) (joins valve12 tank5) (joins valve12 tank6)
    (joins valve13 tank5) (joins valve13 tank10) (joins valve14 tank6) (joins valve14 tank12)
    (joins valve15 tank8) (joins valve15 tank10) (joins valve16 tank9) (joins valve16 tank11)
    (above tank1 tank2) (above tank11 tank1) (above tank1 tank12) (above tank8 tank2)
    (above tank3 tank4) (above tank6 tank3) (above tank7 tank3) (above tank8 tank3)
    (above tank5 tank4) (above tank9 tank4) (above tank10 tank4) (above tank6 tank5)
    (above tank10 tank5) (above tank6 tank12) (above tank8 tank10) (above tank11 tank9)
    (spring tank7) (spring tank8) (spring tank10)
    (full tank7) (full tank8) (full tank10)
    (open valve3) (open valve7) (open valve8) (open valve9) (open valve11) (open valve12)
    (open valve16)
  )
  (:goal (and
    (full tank1) (full tank2) (full tank3) (full tank6) (full tank9)
    (greased valve5) (greased valve6) (greased valve9) (greased valve12) (greased valve14)
  )))
