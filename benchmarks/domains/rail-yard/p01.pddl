; python -m benchmarks.generate rail-yard --trains 3 --switches 2 --sections 9 --seed 1
(define (problem rail-yard-3-2-9-seed1)
  (:domain rail-yard)
  (:objects
    train1 train2 train3 - train
    section1 section2 section3 section4 section5 section6 section7 section8 section9 - section
    switch1 switch2 - switch
  )
  (:init
    (joined section3 section6) (joined section6 section3) (joined section4 section8)
    (joined section8 section4)
    (stem switch1 section1) (stem switch2 section2)
    (leg switch1 section2) (leg switch1 section3) (leg switch1 section7) (leg switch2 section4)
    (leg switch2 section5) (leg switch2 section9)
    (set switch1 section2) (set switch2 section9)
    (at train1 section8) (at train2 section7) (at train3 section9)
    (occupied section8) (occupied section7) (occupied section9)
  )
  (:goal (and
    (at train1 section8) (at train2 section5) (at train3 section1)
  )))
