; python -m benchmarks.generate rail-yard --trains 5 --switches 5 --sections 19 --seed 3
(define (problem rail-yard-5-5-19-seed3)
  (:domain rail-yard)
  (:objects
    train1 train2 train3 train4 train5 - train
    section1 section2 section3 section4 section5 section6 section7 section8 section9 section10
    section11 section12 section13 section14 section15 section16 section17 section18 section19
    - section
    switch1 switch2 switch3 switch4 switch5 - switch
  )
  (:init
    (joined section2 section12) (joined section12 section2) (joined section1 section14)
    (joined section14 section1) (joined section5 section16) (joined section16 section5)
    (joined section8 section18) (joined section18 section8)
    (stem switch1 section1) (stem switch2 section2) (stem switch3 section4) (stem switch4 section7)
    (stem switch5 section9)
    (leg switch1 section2) (leg switch1 section3) (leg switch2 section4) (leg switch2 section5)
    (leg switch2 section19) (leg switch3 section6) (leg switch3 section7) (leg switch4 section8)
    (leg switch4 section9) (leg switch4 section15) (leg switch5 section10) (leg switch5 section11)
    (leg switch5 section13) (leg switch5 section17)
    (set switch1 section3) (set switch2 section4) (set switch3 section7) (set switch4 section9)
    (set switch5 section17)
    (at train1 section16) (at train2 section18) (at train3 section19) (at train4 section13)
    (at train5 section11)
    (occupied section16) (occupied section18) (occupied section19) (occupied section13)
    (occupied section11)
  )
  (:goal (and
    (at train1 section12) (at train2 section10) (at train3 section9) (at train4 section3)
    (at train5 section11)
  )))
