; python -m benchmarks.generate rail-yard --trains 4 --switches 3 --sections 13 --seed 2
(define (problem rail-yard-4-3-13-seed2)
  (:domain rail-yard)
  (:objects
    train1 train2 train3 train4 - train
    section1 section2 section3 section4 section5 section6 section7 section8 section9 section10
    section11 section12 section13 - section
    switch1 switch2 switch3 - switch
  )
  (:init
    (joined section3 section8) (joined section8 section3) (joined section5 section10)
    (joined section10 section5) (joined section10 section12) (joined section12 section10)
    (stem switch1 section1) (stem switch2 section2) (stem switch3 section3)
    (leg switch1 section2) (leg switch1 section3) (leg switch1 section9) (leg switch1 section13)
    (leg switch2 section4) (leg switch2 section5) (leg switch2 section11) (leg switch3 section6)
    (leg switch3 section7)
    (set switch1 section9) (set switch2 section5) (set switch3 section7)
    (at train1 section10) (at train2 section1) (at train3 section13) (at train4 section3)
    (occupied section10) (occupied section1) (occupied section13) (occupied section3)
  )
  (:goal (and
    (at train1 section12) (at train2 section7) (at train3 section13) (at train4 section2)
  )))
