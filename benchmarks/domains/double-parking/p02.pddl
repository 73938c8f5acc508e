; python -m benchmarks.generate double-parking --cars 12 --bays 9 --seed 2
(define (problem double-parking-12-9-seed2)
  (:domain double-parking)
  (:objects
    car1 car2 car3 car4 car5 car6 car7 car8 car9 car10 car11 car12 - car
    bay1 bay2 bay3 bay4 bay5 bay6 bay7 bay8 bay9 - bay
  )
  (:init
    (in car7 bay1) (in car1 bay3) (in car5 bay4) (in car9 bay5) (in car6 bay6) (in car2 bay7)
    (in car10 bay8) (in car3 bay9)
    (behind car8 car7) (behind car12 car5) (behind car4 car9) (behind car11 car2)
    (blocked car7) (blocked car5) (blocked car9) (blocked car2)
    (taken bay1) (taken bay3) (taken bay4) (taken bay5) (taken bay6) (taken bay7) (taken bay8)
    (taken bay9)
  )
  (:goal (and
    (in car11 bay3) (in car5 bay4) (in car6 bay5) (in car3 bay6) (in car2 bay7) (in car10 bay8)
    (in car7 bay9)
    (behind car4 car11) (behind car8 car6) (behind car12 car3) (behind car1 car10)
    (behind car9 car7)
  )))
