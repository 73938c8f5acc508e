; python -m benchmarks.generate double-parking --cars 22 --bays 14 --seed 3
(define (problem double-parking-22-14-seed3)
  (:domain double-parking)
  (:objects
    car1 car2 car3 car4 car5 car6 car7 car8 car9 car10 car11 car12 car13 car14 car15 car16 car17
    car18 car19 car20 car21 car22 - car
    bay1 bay2 bay3 bay4 bay5 bay6 bay7 bay8 bay9 bay10 bay11 bay12 bay13 bay14 - bay
  )
  (:init
    (in car3 bay1) (in car22 bay2) (in car19 bay3) (in car11 bay6) (in car12 bay7) (in car6 bay8)
    (in car5 bay9) (in car2 bay10) (in car8 bay11) (in car16 bay12) (in car20 bay13)
    (in car18 bay14)
    (behind car4 car3) (behind car13 car22) (behind car21 car19) (behind car15 car12)
    (behind car14 car6) (behind car17 car5) (behind car10 car8) (behind car9 car16)
    (behind car7 car20) (behind car1 car18)
    (blocked car3) (blocked car22) (blocked car19) (blocked car12) (blocked car6) (blocked car5)
    (blocked car8) (blocked car16) (blocked car20) (blocked car18)
    (taken bay1) (taken bay2) (taken bay3) (taken bay6) (taken bay7) (taken bay8) (taken bay9)
    (taken bay10) (taken bay11) (taken bay12) (taken bay13) (taken bay14)
  )
  (:goal (and
    (in car15 bay1) (in car18 bay2) (in car8 bay3) (in car10 bay4) (in car12 bay5) (in car13 bay6)
    (in car22 bay7) (in car6 bay8) (in car4 bay10) (in car19 bay11) (in car16 bay12) (in car3 bay13)
    (in car5 bay14)
    (behind car20 car15) (behind car14 car18) (behind car9 car12) (behind car21 car13)
    (behind car1 car6) (behind car11 car4) (behind car2 car19) (behind car17 car3)
    (behind car7 car5)
  )))
