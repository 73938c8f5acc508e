; python -m benchmarks.generate double-parking --cars 36 --bays 24 --seed 4
(define (problem double-parking-36-24-seed4)
  (:domain double-parking)
  (:objects
    car1 car2 car3 car4 car5 car6 car7 car8 car9 car10 car11 car12 car13 car14 car15 car16 car17
    car18 car19 car20 car21 car22 car23 car24 car25 car26 car27 car28 car29 car30 car31 car32 car33
    car34 car35 car36 - car
    bay1 bay2 bay3 bay4 bay5 bay6 bay7 bay8 bay9 bay10 bay11 bay12 bay13 bay14 bay15 bay16 bay17
    bay18 bay19 bay20 bay21 bay22 bay23 bay24 - bay
  )
  (:init
    (in car13 bay1) (in car32 bay2) (in car3 bay3) (in car24 bay5) (in car7 bay6) (in car17 bay7)
    (in car20 bay8) (in car36 bay9) (in car5 bay10) (in car1 bay11) (in car2 bay12) (in car23 bay13)
    (in car11 bay14) (in car28 bay15) (in car33 bay16) (in car16 bay17) (in car14 bay18)
    (in car6 bay19) (in car30 bay20) (in car4 bay21) (in car10 bay22)
    (behind car15 car13) (behind car35 car3) (behind car19 car7) (behind car25 car17)
    (behind car26 car20) (behind car22 car5) (behind car18 car1) (behind car9 car2)
    (behind car29 car28) (behind car12 car33) (behind car31 car16) (behind car21 car6)
    (behind car8 car30) (behind car34 car4) (behind car27 car10)
    (blocked car13) (blocked car3) (blocked car7) (blocked car17) (blocked car20) (blocked car5)
    (blocked car1) (blocked car2) (blocked car28) (blocked car33) (blocked car16) (blocked car6)
    (blocked car30) (blocked car4) (blocked car10)
    (taken bay1) (taken bay2) (taken bay3) (taken bay5) (taken bay6) (taken bay7) (taken bay8)
    (taken bay9) (taken bay10) (taken bay11) (taken bay12) (taken bay13) (taken bay14) (taken bay15)
    (taken bay16) (taken bay17) (taken bay18) (taken bay19) (taken bay20) (taken bay21)
    (taken bay22)
  )
  (:goal (and
    (in car8 bay1) (in car35 bay2) (in car6 bay3) (in car1 bay4) (in car5 bay5) (in car34 bay6)
    (in car24 bay7) (in car31 bay8) (in car15 bay9) (in car12 bay10) (in car32 bay11)
    (in car17 bay13) (in car13 bay14) (in car19 bay15) (in car9 bay17) (in car36 bay18)
    (in car29 bay20) (in car27 bay21) (in car18 bay22) (in car22 bay23) (in car26 bay24)
    (behind car10 car8) (behind car23 car35) (behind car30 car6) (behind car28 car1)
    (behind car21 car5) (behind car4 car24) (behind car16 car15) (behind car11 car12)
    (behind car2 car13) (behind car7 car19) (behind car3 car9) (behind car14 car29)
    (behind car25 car27) (behind car20 car18) (behind car33 car26)
  )))
