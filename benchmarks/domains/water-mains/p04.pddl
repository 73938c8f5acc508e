; python -m benchmarks.generate water-mains --tanks 18 --valves 25 --springs 3 --seed 4
(define (problem water-mains-18-25-3-seed4)
  (:domain water-mains)
  (:objects
    tank1 tank2 tank3 tank4 tank5 tank6 tank7 tank8 tank9 tank10 tank11 tank12 tank13 tank14 tank15
    tank16 tank17 tank18 - tank
    valve1 valve2 valve3 valve4 valve5 valve6 valve7 valve8 valve9 valve10 valve11 valve12 valve13
    valve14 valve15 valve16 valve17 valve18 valve19 valve20 valve21 valve22 valve23 valve24 valve25
    - valve
  )
  (:init
    (joins valve1 tank1) (joins valve1 tank7) (joins valve2 tank2) (joins valve2 tank3)
    (joins valve3 tank2) (joins valve3 tank10) (joins valve4 tank3) (joins valve4 tank18)
    (joins valve5 tank4) (joins valve5 tank5) (joins valve6 tank4) (joins valve6 tank6)
    (joins valve7 tank4) (joins valve7 tank8) (joins valve8 tank4) (joins valve8 tank13)
    (joins valve9 tank5) (joins valve9 tank13) (joins valve10 tank5) (joins valve10 tank16)
    (joins valve11 tank6) (joins valve11 tank9) (joins valve12 tank6) (joins valve12 tank11)
    (joins valve13 tank7) (joins valve13 tank9) (joins valve14 tank7) (joins valve14 tank10)
    (joins valve15 tank7) (joins valve15 tank11) (joins valve16 tank7) (joins valve16 tank15)
    (joins valve17 tank8) (joins valve17 tank9) (joins valve18 tank8) (joins valve18 tank10)
    (joins valve19 tank8) (joins valve19 tank18) (joins valve20 tank9) (joins valve20 tank15)
    (joins valve21 tank10) (joins valve21 tank12) (joins valve22 tank12) (joins valve22 tank14)
    (joins valve23 tank12) (joins valve23 tank18) (joins valve24 tank14) (joins valve24 tank17)
    (joins valve25 tank14) (joins valve25 tank18)
    (above tank1 tank7) (above tank2 tank3) (above tank2 tank10) (above tank18 tank3)
    (above tank4 tank5) (above tank6 tank4) (above tank4 tank8) (above tank4 tank13)
    (above tank13 tank5) (above tank5 tank16) (above tank6 tank9) (above tank6 tank11)
    (above tank7 tank9) (above tank7 tank10) (above tank7 tank11) (above tank7 tank15)
    (above tank8 tank9) (above tank8 tank10) (above tank8 tank18) (above tank9 tank15)
    (above tank12 tank10) (above tank12 tank14) (above tank12 tank18) (above tank17 tank14)
    (above tank18 tank14)
    (spring tank2) (spring tank9) (spring tank10)
    (full tank2) (full tank9) (full tank10)
    (open valve1) (open valve2) (open valve4) (open valve7) (open valve8) (open valve9)
    (open valve12) (open valve13) (open valve14) (open valve15) (open valve16) (open valve22)
    (open valve23)
  )
  (:goal (and
    (full tank1) (full tank3) (full tank6) (full tank11) (full tank12) (full tank13) (full tank14)
    (full tank16)
    (greased valve4) (greased valve5) (greased valve6) (greased valve9) (greased valve10)
    (greased valve16) (greased valve22) (greased valve25)
  )))
