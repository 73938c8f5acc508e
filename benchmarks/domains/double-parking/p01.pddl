; python -m benchmarks.generate double-parking --cars 7 --bays 6 --seed 1
(define (problem double-parking-7-6-seed1)
  (:domain double-parking)
  (:objects
    car1 car2 car3 car4 car5 car6 car7 - car
    bay1 bay2 bay3 bay4 bay5 bay6 - bay
  )
  (:init
    (in car6 bay1) (in car3 bay2) (in car2 bay4) (in car7 bay5) (in car5 bay6)
    (behind car4 car6) (behind car1 car2)
    (blocked car6) (blocked car2)
    (taken bay1) (taken bay2) (taken bay4) (taken bay5) (taken bay6)
  )
  (:goal (and
    (in car1 bay1) (in car4 bay2) (in car3 bay3) (in car6 bay5) (in car7 bay6)
    (behind car2 car1) (behind car5 car4)
  )))
